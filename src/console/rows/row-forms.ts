/**
 * What a person can decide about a row, as forms: release, withdraw, correct and pay again, pay again, accept a difference;
 * and the way to say what became of it. `open` says which of them are open; the roles say who may do them.
 */
import { formatDecimal } from '../../domain/money/money.ts';
import { differencesOf } from '../../domain/payouts/difference.ts';
import type { Payout, RestFound } from '../../domain/payouts/payout.ts';
import { DEEDS, type Deed, mayDo } from '../../domain/people/person.ts';
import type { Field } from '../../domain/rows/row.ts';
import type { Explained } from '../../operations/explain.ts';
import { type Html, html, NOTHING } from '../../views/html.ts';
import { drawBlocks } from '../page/blocks.ts';
import { field, hidden } from '../page/fields.ts';
import { linkButton } from '../page/way.ts';
import { address, type Visit } from '../server/route.ts';

export type Action = 'release' | 'withdraw' | 'reissue' | 'accept' | 'correct';

/** What could not be done, and of which form a field was left empty. */
export interface DecisionWrong {
  readonly text: string;
  readonly action?: Action;
}

interface ActionWords {
  readonly title: string;
  readonly button: string;
  readonly does: string;
  readonly deed: Deed;
  readonly done: string;
}

export const ACTION_WORDS: Readonly<Record<Action, ActionWords>> = {
  release: {
    title: 'Release the row',
    button: 'Release this row',
    does: 'payfile asks for its name and fee again. Then the row waits for approval.',
    deed: 'approve',
    done: 'is released.',
  },
  withdraw: {
    title: 'Withdraw the row',
    button: 'Withdraw this row',
    does: 'payfile does not send the row.',
    deed: 'approve',
    done: 'is withdrawn.',
  },
  correct: {
    title: 'Correct and pay again',
    button: 'Check the correction',
    does: 'payfile makes a new batch of this one row. You check and review it, and a person approves it.',
    deed: 'bring',
    done: 'is corrected.',
  },
  reissue: {
    title: 'Pay again without changes',
    button: 'Pay this row again',
    does: 'payfile plans a new payment to the same account. It waits for approval like any other.',
    deed: 'bring',
    done: 'is planned again.',
  },
  accept: {
    title: 'Accept the difference',
    button: 'Accept this difference',
    does: 'The alarm about this row ends, unless you leave it open. The difference stays in every report, and the books follow your answer.',
    deed: 'rule',
    done: 'raises no alarm any more.',
  },
};

export function rowDecisions(told: Explained, visit: Visit, wrong: DecisionWrong | undefined): Html {
  const { open, steps, story } = told;
  const { status } = story.payout.state;
  const isUnpaid = (status === 'failed' || status === 'returned') && open.payAgain === 'as_it_is';
  const actions: readonly (readonly [isOpen: boolean, action: Action])[] = [
    [open.release, 'release'],
    [open.withdraw, 'withdraw'],
    [isUnpaid, 'correct'],
    [open.payAgain !== undefined, 'reissue'],
    [open.accept || open.rest.length > 0, 'accept'],
  ];
  const forms = actions.flatMap(([isOpen, action]) => (isOpen ? [formOf(action, told, visit, wrong)] : []));
  const decide = ruling(told, visit);
  const advice =
    forms.length === 0 && decide === NOTHING ? drawBlocks([{ kind: 'steps', steps }], '') : NOTHING;
  return html`${before(told)}${advice}${decide}${forms}`;
}

/** What comes before the decision; what the forms do is not said twice. */
function before({ steps: [first], open, story }: Explained): Html {
  const { status } = story.payout.state;
  const text = first?.text ?? '';
  if (status === 'held') return html`<p>${text.replace(/; .*$/, '')}.</p>\n`;
  const isEarly = open.payAgain === 'with_evidence' && text.startsWith('Wait until');
  return isEarly ? html`<p>${text.replace(/\. Then.*$/, '')}.</p>\n` : NOTHING;
}

function formOf(action: Action, told: Explained, visit: Visit, wrong: DecisionWrong | undefined): Html {
  const { title, button, does, deed } = ACTION_WORDS[action];
  if (!mayDo(visit.person, deed))
    return html`<p class="note">${title}: a person with the role ${DEEDS[deed].join(' or ')} does this.</p>\n`;
  const { batch, story, open } = told;
  const { payout } = story;
  const more = { release: releasing(open), accept: accepting(payout, open), correct: correcting(told) };
  return html`<form method="post" action="${address`/batches/${batch.id}/rows/${payout.rowNumber}/${action}`}" data-keep="">
<h3>${title}</h3>
<p>${does}</p>
${hidden('payout', payout.id)}${action in more ? more[action as keyof typeof more] : NOTHING}${action === 'correct' ? NOTHING : reasonField(action, open, wrong)}<p><button>${button}</button></p>
</form>
`;
}

function reasonField(action: Action, open: Explained['open'], wrong: DecisionWrong | undefined): Html {
  const isNeeded = action !== 'reissue' || open.payAgain === 'with_evidence';
  const label = action === 'reissue' && isNeeded ? 'How do you know that it was not paid?' : 'Reason';
  return field({
    ...{ name: 'reason', label, isLong: true, isRequired: isNeeded, within: `${action}-` },
    hint: `${isNeeded ? '' : 'Optional. '}payfile keeps it with your name.`,
    ...(wrong?.action === action && { wrong: 'Enter a reason.' }),
  });
}

/** A release answers the reasons that this page shows. */
function releasing({ shown, mayBePaid: why }: Explained['open']): Html {
  const mark = shown === undefined ? NOTHING : hidden('shown', shown);
  if (why === undefined) return mark;
  // Ticked by nobody who has not read it.
  return html`${mark}<p class="alarm">It is ${why}.</p>
<label class="choice"><input type="checkbox" name="mayBePaid" value="yes" required>I know that this may pay it twice</label>
`;
}

/** Only what this page shows is accepted. Where a part of the amount is not shown, a person may know where it is. */
function accepting(payout: Payout, { accept, rest }: Explained['open']): Html {
  const shown = differencesOf(payout.state);
  const list = html`<ul>${shown.map((text) => html`<li>${text}${hidden('saw', text)}</li>\n`)}</ul>\n`;
  if (rest.length === 0) return html`${list}${hidden('difference', 'accepted')}`;
  const words = accept ? ([...rest, 'accepted'] as const) : rest;
  const choices = words.map(
    (word) =>
      html`<label class="choice"><input type="radio" name="difference" value="${word}" required>${ANSWER_WORDS[word]}</label>\n`,
  );
  return html`${list}<fieldset><legend>What became of the part that the service does not show?</legend>
${choices}</fieldset>
`;
}

const ANSWER_WORDS: Readonly<Record<RestFound | 'accepted', string>> = {
  delivered: 'It was delivered.',
  lost: 'It is lost: it is owed again.',
  open: 'I do not know yet. The part stays in suspense, and the alarm stays.',
  accepted: 'I do not know, but I know why the row differs. The part stays in suspense.',
};

export interface CorrectableField {
  readonly name: Field;
  readonly label: string;
  /** As the payment has it; undefined where it is not shown. */
  readonly now: string | undefined;
}

/** Fields that have a column in the file. */
export function correctable({ batch: { file }, story }: Explained): readonly CorrectableField[] {
  const { instruction } = story.payout;
  if (instruction === undefined) return [];
  const { name = '', institutionName, amount, note = '' } = instruction;
  const all: readonly CorrectableField[] = [
    { name: 'name', label: 'Name', now: name },
    { name: 'institution', label: 'Bank or wallet', now: institutionName },
    { name: 'account', label: 'Account number', now: undefined },
    { name: 'amount', label: `Amount in ${amount.currency}`, now: formatDecimal(amount) },
    { name: 'note', label: 'Note', now: note },
  ];
  return all.filter((each) => file.columns.has(each.name));
}

function correcting(told: Explained): Html {
  const account = String(told.story.payout.instruction?.account ?? '');
  return html`${correctable(told).map(({ name, label, now }) =>
    field({
      ...{ name, label, value: now ?? '', within: 'correct-' },
      ...(now === undefined && { hint: `Now ${account}. Leave it empty to keep it.` }),
    }),
  )}`;
}

function ruling({ batch, story, open }: Explained, visit: Visit): Html {
  if (open.rule === undefined) return NOTHING;
  if (!mayDo(visit.person, 'rule'))
    return html`<p class="note">A person with the role investigator says what became of it.</p>\n`;
  const path = address`/batches/${batch.id}`;
  return html`<p>${linkButton(`${path}/doubt`, 'Find out with a statement')} ${linkButton(`${path}/rows/${story.payout.rowNumber}/ruling`, 'Say what became of this row')}</p>\n`;
}

export function accountForm({ batch, story }: Explained, visit: Visit): Html {
  const { instruction, rowNumber } = story.payout;
  if (instruction === undefined || !mayDo(visit.person, 'see_accounts')) return NOTHING;
  return html`<form method="post" action="${address`/batches/${batch.id}/rows/${rowNumber}/account`}">
<button>Show the full account number</button> <span class="note">The journal keeps that you looked.</span>
</form>
`;
}
