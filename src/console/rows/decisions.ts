/**
 * What a person can decide about a row, each as a form on its page: release, withdraw, correct and pay again, pay again,
 * accept a difference, say what became of it. `open` says which of them are open; the roles say who may do them.
 */
import { formatDecimal, formatMoney } from '../../domain/money/money.ts';
import { differencesOf } from '../../domain/payouts/difference.ts';
import type { RestFound } from '../../domain/payouts/payout.ts';
import { DEEDS, type Deed, mayDo } from '../../domain/people/person.ts';
import type { Field } from '../../domain/rows/row.ts';
import type { Explained } from '../../operations/explain.ts';
import { type Html, html, NOTHING, type Piece } from '../../views/html.ts';
import { drawBlocks } from '../page/blocks.ts';
import { field, form, hidden } from '../page/fields.ts';
import { linkButton } from '../page/way.ts';
import type { Form } from '../server/form.ts';
import { address, type Visit } from '../server/route.ts';

export type Action = 'release' | 'withdraw' | 'reissue' | 'accept' | 'correct' | 'paid' | 'not_paid';

/** What could not be done, and what was typed then. */
export interface NotDone {
  readonly why: Piece;
  readonly action: Action;
  readonly form: Form;
  /** How the transfer of a ruling differs: the person may say why it is this payment anyway. */
  readonly differs?: boolean;
}

interface Decision {
  readonly title: string;
  readonly button: string;
  readonly does: string;
  readonly deed: Deed;
  readonly isOpen: (told: Explained) => boolean;
  /** `typed`: in this form, before it could not be done. */
  readonly fields: (told: Explained, typed: NotDone | undefined) => Piece;
  readonly hasFile?: true;
}

const REASON = { name: 'reason', label: 'Reason', hint: 'payfile keeps it with your name.' } as const;

const reasonOf =
  (action: Action, isRequired = true) =>
  (_told: Explained, typed: NotDone | undefined) =>
    field({ ...REASON, type: 'long', isRequired, within: `${action}-`, value: typed?.form.text('reason') });

export const DECISIONS: Readonly<Record<Action, Decision>> = {
  release: {
    title: 'Release the row',
    button: 'Release this row',
    does: 'payfile asks for its name and fee again. Then the row waits for approval.',
    deed: 'approve',
    isOpen: ({ open }) => open.release,
    fields: (told, typed) => [releasing(told), reasonOf('release')(told, typed)],
  },
  withdraw: {
    title: 'Withdraw the row',
    button: 'Withdraw this row',
    does: 'payfile does not send the row.',
    deed: 'approve',
    isOpen: ({ open }) => open.withdraw,
    fields: reasonOf('withdraw'),
  },
  correct: {
    title: 'Correct and pay again',
    button: 'Check the correction',
    does: 'payfile makes a new batch of this one row. You check and review it, and a person approves it. A new account is held until a person releases it.',
    deed: 'bring',
    isOpen: ({ open, story }) =>
      ['failed', 'returned'].includes(story.payout.state.status) && open.payAgain === 'as_it_is',
    fields: correcting,
  },
  reissue: {
    title: 'Pay again without changes',
    button: 'Pay this row again',
    does: 'payfile plans a new payment to the same account. It waits for approval like any other.',
    deed: 'bring',
    isOpen: ({ open }) => open.payAgain !== undefined,
    fields: ({ open }, typed) => {
      const isRequired = open.payAgain === 'with_evidence';
      const label = isRequired ? 'How do you know that it was not paid?' : 'Reason, if there is one';
      const value = typed?.form.text('reason');
      return field({ ...REASON, label, type: 'long', isRequired, within: 'reissue-', value });
    },
  },
  accept: {
    title: 'Accept the difference',
    button: 'Accept this difference',
    does: 'The alarm about this row ends, unless you leave it open. The difference stays in every report, and the books follow your answer.',
    deed: 'rule',
    isOpen: ({ open }) => open.accept || open.rest.length > 0,
    fields: (told, typed) => [accepting(told), reasonOf('accept')(told, typed)],
  },
  paid: {
    title: 'It was paid',
    button: 'Confirm: it was paid',
    does: 'payfile looks the transfer up and compares it. “Paid” is final: payfile never sends the row again.',
    deed: 'rule',
    isOpen: ({ open }) => open.rule !== undefined,
    fields: (told, typed) => [
      hidden('ruling', 'paid'),
      field({
        ...{ name: 'transfer', label: 'Transfer id', isRequired: true, within: 'paid-' },
        hint: 'As the statement or the dashboard shows it.',
        value: typed?.form.text('transfer'),
      }),
      typed?.differs === true
        ? field({
            ...{ name: 'evidence', label: 'Why it is this payment anyway', type: 'long', isRequired: true },
            hint: 'The differences are shown above. payfile keeps your text.',
            ...{ within: 'paid-', value: typed.form.text('evidence') },
          })
        : NOTHING,
      confirmation(told, 'paid-'),
    ],
    hasFile: true,
  },
  not_paid: {
    title: 'It was not paid',
    button: 'Confirm: it was not paid',
    does: 'Only where it is proven: a statement that covers its time, or the service’s own words. A wrong answer pays the row twice. Paying it again is a step of its own.',
    deed: 'rule',
    isOpen: ({ open: { rule } }) => rule?.mayBeUnpaid === true && rule.notYet === undefined,
    fields: (told, typed) => [
      hidden('ruling', 'not_paid'),
      field({
        ...{ name: 'evidence', label: 'What proves that no money moved', type: 'long', within: 'unpaid-' },
        hint: 'In words, with a file or instead of one. payfile keeps it.',
        value: typed?.form.text('evidence'),
      }),
      field({
        ...{ name: 'file', type: 'file' },
        label: 'A file that proves it: its name, size and SHA-256 are kept, the file is not',
      }),
      confirmation(told, 'unpaid-'),
    ],
    hasFile: true,
  },
};

export function rowDecisions(told: Explained, { person }: Visit, notDone: NotDone | undefined): Html {
  const { open, steps } = told;
  const actions = (Object.keys(DECISIONS) as Action[]).filter((action) => DECISIONS[action].isOpen(told));
  const forms = actions.map((action) => {
    const { title, deed } = DECISIONS[action];
    if (!mayDo(person, deed))
      return html`<p class="note">${title}: a person with the role ${DEEDS[deed].join(' or ')} does this.</p>\n`;
    return formOf(action, told, notDone?.action === action ? notDone : undefined);
  });
  const advice = forms.length === 0 ? drawBlocks([{ kind: 'steps', steps }], '') : NOTHING;
  return html`${before(told)}${advice}${open.rule === undefined ? NOTHING : findingOut(told)}${forms}`;
}

/** What comes before the decision; what the forms do is not said twice. */
function before({ steps: [first], open, story }: Explained): Html {
  const { status } = story.payout.state;
  const text = first?.text ?? '';
  if (status === 'held') return html`<p>${text.replace(/; .*$/, '')}.</p>\n`;
  const isEarly = open.payAgain === 'with_evidence' && text.startsWith('Wait until');
  return isEarly ? html`<p>${text.replace(/\. Then.*$/, '')}.</p>\n` : NOTHING;
}

function formOf(action: Action, told: Explained, typed: NotDone | undefined): Html {
  const { title, button, does, fields, hasFile = false } = DECISIONS[action];
  const { rowNumber, id } = told.story.payout;
  const path = hasFile ? 'ruling' : action;
  return html`<h3>${title}</h3>
<p>${does}</p>
${form({
  action: address`/batches/${told.batch.id}/rows/${rowNumber}/${path}`,
  ...{ button, hasFile, look: action === 'not_paid' ? 'grave' : 'plain' },
  fields: [hidden('payout', id), fields(told, typed)],
})}`;
}

/** A release answers the reasons that this page shows. */
function releasing({ open: { shown, mayBePaid: why } }: Explained): Piece {
  const mark = shown === undefined ? NOTHING : hidden('shown', shown);
  if (why === undefined) return mark;
  // Ticked by nobody who has not read it.
  const label = 'I know that this may pay it twice';
  return [
    mark,
    html`<p class="alarm">It is ${why}.</p>\n`,
    field({ name: 'mayBePaid', label, type: 'choice', isRequired: true }),
  ];
}

/** Only what this page shows is accepted. Where a part of the amount is not shown, a person may know where it is. */
function accepting({ story: { payout }, open: { accept, rest } }: Explained): Html {
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

function correcting(told: Explained, typed: NotDone | undefined): Piece {
  const account = String(told.story.payout.instruction?.account ?? '');
  return correctable(told).map(({ name, label, now }) =>
    field({
      ...{ name, label, value: typed?.form.text(name) ?? now, within: 'correct-' },
      ...(now === undefined && { hint: `Now ${account}. Leave it empty to keep it.` }),
    }),
  );
}

/** Before a person says what became of the row. */
function findingOut({ batch, open }: Explained): Html {
  const { rule } = open;
  const early =
    rule?.mayBeUnpaid === false
      ? html`<p>A person said before that it was not paid.</p>\n`
      : rule?.notYet === undefined
        ? NOTHING
        : html`<p class="doubtful">${rule.notYet}</p>\n`;
  return html`<p>Search your statement, or the service’s dashboard, for the tag. A statement can answer for many rows at once.</p>
<p>${linkButton(address`/batches/${batch.id}/statement`, 'Find out with a statement')}</p>
${early}`;
}

function confirmation({ story }: Explained, within: string): Html {
  const { rowNumber, instruction } = story.payout;
  const sum = instruction === undefined ? '' : `, ${formatMoney(instruction.amount)}`;
  const label = 'Type the row number to confirm';
  return field({ name: 'row', label, hint: `Row ${rowNumber}${sum}`, isRequired: true, within });
}

export function accountForm({ batch, story }: Explained, { person }: Visit): Html {
  const { instruction, rowNumber } = story.payout;
  if (instruction === undefined || !mayDo(person, 'see_accounts')) return NOTHING;
  return form({
    action: address`/batches/${batch.id}/rows/${rowNumber}/account`,
    ...{ button: 'Show the full account number', isShort: true },
    fields: html`<p class="note">The journal keeps that you looked.</p>\n`,
  });
}
