/**
 * The forms of a statement: bringing it, saying how it is read, answering which amounts are payments, and accepting what
 * leaves no doubt.
 */
import { hash } from 'node:crypto';
import { type SignsSeen, signsText } from '../../domain/statement/direction.ts';
import { rowText } from '../../domain/statement/entry.ts';
import { findingSums } from '../../domain/statement/finding-sums.ts';
import { type Finding, isAcceptable } from '../../domain/statement/findings.ts';
import { STATEMENT_FIELDS, type StatementField } from '../../domain/statement/statement-columns.ts';
import { countText, rowsText } from '../../domain/text/printable.ts';
import type { InputOf } from '../../operations/operation.ts';
import type { Reconciliation, reconcile } from '../../operations/reconciliation.ts';
import { type Html, html, moneyText, NOTHING, type Piece } from '../../views/html.ts';
import { type Field, field, form, hidden } from '../page/fields.ts';
import { address } from '../server/route.ts';
import type { KeptStatement } from './kept-statements.ts';

export function uploadForm(batch: string): Html {
  const file = field({
    ...{ name: 'file', type: 'file', accept: '.csv,.xlsx,.xml,.txt,.sta,.940,.mt940' },
    label: 'Statement of your bank (camt.053, MT940, .csv, .xlsx), or export of the service’s dashboard',
  });
  return form({
    ...{ action: statementAddress({ batch }), className: 'drop', hasFile: true, isShort: true },
    ...{ button: 'Compare it', look: 'main' },
    fields: [file, html`<p class="note">Comparing changes nothing.</p>\n`],
  });
}

const BY_ITSELF = ['', 'As the statement shows by itself'] as const;
const FIELDS: readonly Field[] = [
  {
    ...{ name: 'order', label: 'Dates such as 03/04/2026' },
    choices: [BY_ITSELF, ['day', 'The day comes first'], ['month', 'The month comes first']],
  },
  {
    ...{ name: 'payments', label: 'Payments are' },
    choices: [BY_ITSELF, ['minus', 'Amounts with a minus'], ['plus', 'Amounts without a minus']],
  },
  { name: 'header_row', label: 'Row with the names of the columns' },
  { name: 'sheet', label: 'Sheet of the workbook' },
  { name: 'evidence', label: 'Proof that the statement is complete, if it has no balances' },
];
const COLUMN_WORDS: Readonly<Record<StatementField, string>> = {
  date: 'Date',
  amount: 'Amount, of payments and of what came in',
  debit: 'Amount of payments alone',
  credit: 'Amount that came in',
  side: 'Debit or credit',
  currency: 'Currency',
  account: 'Account of the beneficiary',
  receiver: 'Name of the beneficiary',
  narration: 'Narration (it has the tag)',
  transfer_id: 'Transfer id',
  bank_reference: 'Reference of the bank',
  status: 'Status',
  balance: 'Balance after the line',
  count: 'Number of payments in the line',
};
const COLUMNS: readonly Field[] = STATEMENT_FIELDS.map((of) => ({
  name: `map_${of}`,
  label: COLUMN_WORDS[of],
}));

/** Both or none: all batches with payments in these days. */
const DAYS: readonly Field[] = [
  { name: 'from', label: 'First day', type: 'date' },
  { name: 'to', label: 'Last day', type: 'date' },
];

/** What a person said of how the statement is read: what was typed into these fields, by their names. */
export type StatementReading = ReadonlyMap<string, string>;

export function readingIn(text: (name: string) => string): StatementReading {
  const typed = [...FIELDS, ...DAYS, ...COLUMNS].map(({ name }) => [name, text(name)] as const);
  return new Map(typed.filter(([, value]) => value !== ''));
}

type Options = Pick<
  InputOf<typeof reconcile>,
  'batches' | 'from' | 'to' | 'payments' | 'dateOrder' | 'map' | 'headerRow' | 'sheet' | 'evidence'
>;

export function optionsOf(batch: string, reading: StatementReading): Options {
  const [row, words] = [reading.get('header_row'), reading.get('evidence')];
  const map = STATEMENT_FIELDS.map((of) => [of, reading.get(`map_${of}`) ?? ''] as const);
  const [from, to] = [reading.get('from'), reading.get('to')];
  return {
    ...(from === undefined && to === undefined ? { batches: [batch] } : { from, to }),
    headerRow: row === undefined ? undefined : Number(row),
    sheet: reading.get('sheet'),
    // A path is a file of this machine, and not of the person's.
    evidence: words === undefined ? undefined : { words },
    payments: (['minus', 'plus'] as const).find((sign) => sign === reading.get('payments')),
    dateOrder: (['day', 'month'] as const).find((first) => first === reading.get('order')),
    map: new Map(map.filter(([, header]) => header !== '')),
  };
}

/** The same statement once more: unseen what was said of it, and fields to say more. */
function readAgain(
  statement: KeptStatement,
  reading: StatementReading,
  { fields, button, look = 'plain' }: { fields?: Piece; button: string; look?: 'main' | 'plain' },
): Html {
  const said = [...reading].map(([name, value]) => hidden(name, value));
  return form({
    ...{ method: 'get', action: statementAddress(statement), button, look },
    fields: [hidden('upload', statement.id), said, fields],
  });
}

/** After a decision: what else the same statement decides. */
export const backToComparison = (statement: KeptStatement, reading: StatementReading): Html =>
  readAgain(statement, reading, { button: 'Back to the comparison' });

/** A statement with both signs does not show which of them are payments. */
export function paymentsQuestion(
  signs: SignsSeen,
  statement: KeptStatement,
  reading: StatementReading,
): Html {
  const others = new Map([...reading].filter(([name]) => name !== 'payments'));
  const fields = html`<fieldset><legend>Which amounts are payments?</legend>
<p>${signsText(signs)}.</p>
<label class="choice"><input type="radio" name="payments" value="minus" required>Those with a minus; the others came in</label>
<label class="choice"><input type="radio" name="payments" value="plus">Those without a minus; the others came back</label>
</fieldset>
`;
  return readAgain(statement, others, { fields, button: 'Compare it', look: 'main' });
}

export function otherReading(statement: KeptStatement, reading: StatementReading): Html {
  const drawn = (fields: readonly Field[]) =>
    fields.map((of) => field({ ...of, value: reading.get(of.name) }));
  const fields = html`${drawn(FIELDS)}<h3>Columns that have other names</h3>
<p class="note">Write the header as it stands in the statement. Leave empty what was found by itself.</p>
${drawn(COLUMNS)}`;
  return html`<details><summary>Read the statement in another way</summary>
${readAgain(statement, ofDays(reading, true), { fields, button: 'Compare it again' })}</details>
`;
}

/** One statement mostly shows payments of several batches. */
export function daysForm(
  statement: KeptStatement,
  reading: StatementReading,
  days: readonly (string | undefined)[],
): Html {
  const one = ofDays(reading, false);
  const fields = html`<p>Compare all batches with payments in these days at once. Each line counts once.</p>
${DAYS.map((of, at) => field({ ...of, value: days[at] }))}`;
  const all = readAgain(statement, one, { fields, button: 'Compare all batches of these days' });
  return reading.has('from')
    ? html`${all}${readAgain(statement, one, { button: 'Compare this batch alone' })}`
    : all;
}

function ofDays(reading: StatementReading, isOf: boolean): StatementReading {
  return new Map([...reading].filter(([name]) => DAYS.some((of) => of.name === name) === isOf));
}

function statementAddress({ batch }: Pick<KeptStatement, 'batch'>): string {
  return address`/batches/${batch}/statement`;
}

const RULINGS = {
  propose_paid: {
    ...{ accept: 'paid', word: 'paid', shows: 'The statement shows that these were paid' },
    after: 'payfile looks up and compares each transfer first. “Paid” is final.',
  },
  propose_not_paid: {
    ...{ accept: 'not_paid', word: 'not paid' },
    shows: 'The statement covers their time and shows that these were NOT paid',
    after: 'A wrong answer pays a row twice. Paying again is a step of its own.',
  },
} as const;

type Proposed = keyof typeof RULINGS;

const proposedIn = (findings: readonly Finding[], kind: Proposed): readonly Finding[] =>
  findings.filter((finding) => isAcceptable(finding) && finding.kind === kind);

const payoutsIn = (findings: readonly Finding[]): readonly string[] =>
  findings.flatMap(({ entry }) => (entry === undefined ? [] : [entry.payoutId]));

const markOf = (payouts: readonly string[]): string => hash('sha256', payouts.join(' '), 'hex');

/** The payments that the statement decides now; undefined: others than the page showed whose mark this is. */
export function stillProposed(
  { reconciled }: Reconciliation,
  accept: 'paid' | 'not_paid',
  mark: string,
): readonly string[] | undefined {
  const payouts = payoutsIn(proposedIn(reconciled.findings, `propose_${accept}`));
  return markOf(payouts) === mark ? payouts : undefined;
}

/** “paid” and “not paid” apart, each with what it rules. */
export function acceptForms(
  { reconciled: { findings }, end }: Reconciliation,
  statement: KeptStatement,
  reading: StatementReading,
): Html {
  const forms = (['propose_paid', 'propose_not_paid'] as const).map((kind) => {
    const { accept, word, shows, after } = RULINGS[kind];
    const proposed = proposedIn(findings, kind);
    const isNoted = proposed.length === 0 && accept === 'paid' && end.mayAccept === 'paid';
    if (proposed.length === 0 && !isNoted) return NOTHING;
    const noted = findings.filter((finding) => finding.kind === 'incident').length;
    const label = isNoted
      ? `I have looked at what is shown above. Record it${noted > 0 ? `, with ${countText(noted)} incidents` : ''}.`
      : `${shows}: ${toldOf(proposed)}.`;
    const told = [
      ...[hidden('upload', statement.id), hidden('accept', accept)],
      ...[
        hidden('shown', markOf(payoutsIn(proposed))),
        ...[...reading].map(([name, value]) => hidden(name, value)),
      ],
      field({ name: 'sure', label, type: 'choice', isRequired: true }),
    ];
    return form({
      ...{ action: `${statementAddress(statement)}/accept`, look: 'grave' },
      button: isNoted ? 'Record it' : `Confirm: ${rowsText(proposed.length)} ${word}`,
      fields: html`<fieldset><legend>${isNoted ? 'Record what was found' : `Confirm “${word}”`}</legend>
${told}<p class="note">${after}</p>
</fieldset>`,
    });
  });
  return html`${forms}`;
}

const ROWS_NAMED = 30;

/** `row 4, row 9, 300.00 GHS`. */
function toldOf(findings: readonly Finding[]): string {
  const rows = findings.flatMap(({ entry }) => (entry === undefined ? [] : [rowText(entry)]));
  const left = rows.length - ROWS_NAMED;
  const named = rows.slice(0, ROWS_NAMED).join(', ');
  const sums = findingSums(findings, []).map(({ sum }) => moneyText(sum));
  return [left > 0 ? `${named} and ${countText(left)} more` : named, ...sums].join(', ');
}
