/**
 * What a person can decide about a row, as forms: release, withdraw, pay again, accept a difference; and the way to a
 * ruling. `open` says which of them are open; the roles say who may do them.
 */
import { type Command, commandText, type Step } from '../../domain/next-steps/command.ts';
import { differencesOf } from '../../domain/payouts/difference.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import { DEEDS, type Deed, mayDo } from '../../domain/people/person.ts';
import type { Explained } from '../../operations/explain.ts';
import { type Html, html, NOTHING, type Piece } from '../../views/html.ts';
import { field, hidden } from '../page/fields.ts';
import { address, type Visit } from '../server/route.ts';

export type Action = 'release' | 'withdraw' | 'reissue' | 'accept';

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
    title: 'Release it',
    button: 'Release this row',
    does: 'The row goes on: its name and fee are asked once more, and it waits for approval with the others.',
    deed: 'approve',
    done: 'is released. Ask for names and fees on the page of its batch: then it waits for approval.',
  },
  withdraw: {
    title: 'Withdraw it',
    button: 'Withdraw this row',
    does: 'The row is not sent.',
    deed: 'approve',
    done: 'is withdrawn. It is not sent.',
  },
  reissue: {
    title: 'Pay it again',
    button: 'Plan this row again',
    does: 'A new payment of the row is planned. It is checked, priced and approved like any other.',
    deed: 'bring',
    done: 'is planned again. Ask for names and fees on the page of its batch: then it waits for approval.',
  },
  accept: {
    title: 'Accept the difference',
    button: 'Accept this difference',
    does: 'The alarm about this row ends. The difference stays in every report.',
    deed: 'rule',
    done: 'raises no alarm any more. The difference stays in every report.',
  },
};

export function rowDecisions(told: Explained, visit: Visit, wrong: DecisionWrong | undefined): Html {
  const { open, steps, environment } = told;
  const forms = [
    open.release ? decisionForm('release', told, visit, wrong) : NOTHING,
    open.withdraw ? decisionForm('withdraw', told, visit, wrong) : NOTHING,
    open.payAgain === undefined ? NOTHING : decisionForm('reissue', told, visit, wrong),
    open.accept ? decisionForm('accept', told, visit, wrong) : NOTHING,
    ruling(told, visit),
  ];
  const advice = steps.map((step) => html`<li>${adviceOf(step, told)}</li>\n`);
  const typed = steps.flatMap(({ command }) =>
    command === undefined ? [] : [commandText(command, { sandbox: environment === 'sandbox' })],
  );
  return html`${advice.length === 0 ? html`<p>Nothing.</p>\n` : html`<ul>${advice}</ul>\n`}${forms}${
    typed.length === 0
      ? NOTHING
      : html`<details class="note"><summary>On a terminal</summary>${typed.map((text) => html`<p><code>${text}</code></p>\n`)}</details>\n`
  }`;
}

/** Where the page has a form or a page for it; all else is done on the page of the batch. */
const HERE: Readonly<Record<string, string>> = {
  release: 'release it',
  cancel: 'withdraw it',
  reissue: 'pay it again',
  explain: 'read what follows',
};

function adviceOf({ text: said, command, note }: Step, { batch }: Explained): Piece {
  const text = said;
  if (command === undefined) return text;
  const more = note === undefined ? '' : ` (${note})`;
  if (command.verb === 'resolve') {
    if (command.flags.some(([flag]) => flag === '--difference')) return `${text}${more}`;
    const isPaid = command.flags.some(([flag]) => flag === '--paid');
    return `${text}: rule ${isPaid ? '“paid”' : '“not paid”'}${more}`;
  }
  const here = HERE[command.verb ?? ''];
  if (here !== undefined) return `${text}: ${here}${more}`;
  const [path, words] = elsewhere(command, batch.id);
  return [`${text}: `, html`<a href="${path}">${words}</a>`, more];
}

function elsewhere({ verb }: Command, batch: string): readonly [path: string, words: string] {
  switch (verb) {
    case 'reconcile':
      return [address`/batches/${batch}/statement`, 'compare it'];
    case 'report':
      return [address`/batches/${batch}/reports`, 'take it from the reports'];
    case 'run':
    case 'plan':
      return ['/new', 'bring the file again'];
    default:
      return [address`/batches/${batch}`, 'on the page of the batch'];
  }
}

function decisionForm(
  action: Action,
  { batch, story, open }: Explained,
  visit: Visit,
  wrong: DecisionWrong | undefined,
): Html {
  const { title, button, does, deed } = ACTION_WORDS[action];
  if (!mayDo(visit.person, deed))
    return html`<p class="note">${title}: a task for somebody with the role ${DEEDS[deed].join(' or ')}.</p>\n`;
  const { payout } = story;
  const needsWhy = action !== 'reissue' || open.payAgain === 'with_evidence';
  const label = action === 'reissue' ? 'How is it known that it was not paid?' : 'Why?';
  const hint =
    action === 'reissue' && !needsWhy ? 'May be left empty. It is kept for ever.' : 'It is kept for ever.';
  const emptied = wrong?.action === action ? 'Say why: it is kept for whoever asks later.' : undefined;
  return html`<form method="post" action="${address`/batches/${batch.id}/rows/${payout.rowNumber}/${action}`}" data-keep="">
<h3>${title}</h3>
<p>${does}</p>
${hidden('payout', payout.id)}${action === 'release' ? releasing(open) : NOTHING}${action === 'accept' ? accepting(payout) : NOTHING}${field({ name: 'reason', label, hint, isLong: true, isRequired: needsWhy, wrong: emptied, within: `${action}-` })}<p><button>${button}</button></p>
</form>
`;
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

/** Only what this page shows is accepted. */
function accepting({ state }: Payout): Html {
  const shown = differencesOf(state);
  return html`<ul>${shown.map((text) => html`<li>${text}${hidden('saw', text)}</li>\n`)}</ul>\n`;
}

function ruling({ batch, story, open }: Explained, visit: Visit): Html {
  if (open.rule === undefined) return NOTHING;
  if (!mayDo(visit.person, 'rule'))
    return html`<p class="note">Ruling on it: a task for an investigator.</p>\n`;
  const { rowNumber } = story.payout;
  return html`<p><a class="button" href="${address`/batches/${batch.id}/rows/${rowNumber}/ruling`}">Rule on this row</a>
<a class="button" href="${address`/batches/${batch.id}/statement`}">Compare with a statement</a></p>
`;
}

export function accountForm({ batch, story }: Explained, visit: Visit): Html {
  const { instruction, rowNumber } = story.payout;
  if (instruction === undefined || !mayDo(visit.person, 'see_accounts')) return NOTHING;
  return html`<form method="post" action="${address`/batches/${batch.id}/rows/${rowNumber}/account`}">
<button>Show the whole account number</button> <span class="note">The journal keeps that you looked.</span>
</form>
`;
}
