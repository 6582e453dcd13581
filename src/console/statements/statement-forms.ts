/**
 * The forms of a statement: bringing it, saying how it is read, answering which amounts are payments, and accepting what
 * leaves no doubt.
 */
import { type SignsSeen, signsText } from '../../domain/statement/direction.ts';
import { rowText } from '../../domain/statement/entry.ts';
import { findingSums } from '../../domain/statement/finding-sums.ts';
import { type Finding, isAcceptable } from '../../domain/statement/findings.ts';
import { STATEMENT_FIELDS, type StatementField } from '../../domain/statement/statement-columns.ts';
import { countText, rowsText } from '../../domain/text/printable.ts';
import type { InputOf } from '../../operations/operation.ts';
import type { Reconciliation, reconcile } from '../../operations/reconciliation.ts';
import { type Html, html, moneyText, NOTHING } from '../../views/html.ts';
import { field, fileField, hidden } from '../page/fields.ts';
import { option } from '../page/option.ts';
import { address } from '../server/route.ts';
import type { KeptStatement } from './kept-statements.ts';

export function uploadForm(batch: string): Html {
  return html`<form class="drop" method="post" action="${address`/batches/${batch}/statement`}" enctype="multipart/form-data">
${fileField('file', 'Statement of your bank (camt.053, MT940, .csv, .xlsx), or export of the service’s dashboard', '.csv,.xlsx,.xml,.txt,.sta,.940,.mt940')}<button class="main">Compare it</button>
<p class="note">Comparing changes nothing.</p>
</form>
`;
}

/** How a person said that the statement is read, as fields of a form and parts of an address. */
export interface StatementReading {
  readonly payments: '' | 'minus' | 'plus';
  readonly order: '' | 'day' | 'month';
  readonly map: ReadonlyMap<StatementField, string>;
  readonly headerRow: number | undefined;
  /** Both or none: all batches with payments in these days. */
  readonly from: string;
  readonly to: string;
  readonly sheet: string;
  /** What proves that a statement without balances is complete. */
  readonly evidence: string;
}

interface Fields {
  readonly text: (name: string) => string;
}

export function readingIn({ text }: Fields): StatementReading {
  const [payments, order] = [text('payments'), text('order')];
  const map = STATEMENT_FIELDS.flatMap((name) => {
    const header = text(`map_${name}`);
    return header === '' ? [] : [[name, header] as const];
  });
  const row = text('header_row');
  return {
    ...{ from: text('from'), to: text('to') },
    headerRow: /^[1-9]\d{0,5}$/.test(row) ? Number(row) : undefined,
    sheet: text('sheet'),
    evidence: text('evidence'),
    payments: payments === 'minus' || payments === 'plus' ? payments : '',
    order: order === 'day' || order === 'month' ? order : '',
    map: new Map(map),
  };
}

export function optionsOf(
  batch: string,
  { payments, order, map, headerRow, sheet, evidence, from, to }: StatementReading,
): Pick<
  InputOf<typeof reconcile>,
  'batches' | 'from' | 'to' | 'payments' | 'dateOrder' | 'map' | 'headerRow' | 'sheet' | 'evidence'
> {
  return {
    ...(from === '' && to === '' ? { batches: [batch] } : { from, to }),
    ...(headerRow === undefined ? {} : { headerRow }),
    ...(sheet === '' ? {} : { sheet }),
    // A path is a file of this machine, and not of the person's.
    ...(evidence === '' ? {} : { evidence: { words: evidence } }),
    payments: payments === '' ? undefined : payments,
    dateOrder: order === '' ? undefined : order,
    map,
  };
}

/** The same words again, unseen. */
function readingFields(reading: StatementReading): Html {
  const { payments, order, map, headerRow, sheet, evidence, from, to } = reading;
  const fields: readonly (readonly [string, string])[] = [
    ['payments', payments],
    ['order', order],
    ['header_row', headerRow === undefined ? '' : String(headerRow)],
    ['sheet', sheet],
    ['evidence', evidence],
    ['from', from],
    ['to', to],
    ...[...map].map(([name, header]) => [`map_${name}`, header] as const),
  ];
  return html`${fields.map(([name, value]) => (value === '' ? NOTHING : hidden(name, value)))}`;
}

/** After a decision: what else the same statement decides. */
export function backToComparison(statement: KeptStatement, reading: StatementReading): Html {
  return html`<form method="get" action="${statementAddress(statement)}">
${hidden('upload', statement.id)}${readingFields(reading)}<button>Back to the comparison</button>
</form>
`;
}

/** A statement with both signs does not show which of them are payments. */
export function paymentsQuestion(
  signs: SignsSeen,
  statement: KeptStatement,
  reading: StatementReading,
): Html {
  return html`<form method="get" action="${statementAddress(statement)}">
${hidden('upload', statement.id)}${readingFields({ ...reading, payments: '' })}<fieldset><legend>Which amounts are payments?</legend>
<p>${signsText(signs)}.</p>
<label class="choice"><input type="radio" name="payments" value="minus" required>Those with a minus; the others came in</label>
<label class="choice"><input type="radio" name="payments" value="plus">Those without a minus; the others came back</label>
</fieldset>
<button class="main">Compare it</button>
</form>
`;
}

const FIELD_WORDS: Readonly<Record<StatementField, string>> = {
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

export function otherReading(statement: KeptStatement, reading: StatementReading): Html {
  const { payments, order, map, headerRow, sheet, evidence, from, to } = reading;
  return html`<details><summary>Read the statement in another way</summary>
<form method="get" action="${statementAddress(statement)}">
${hidden('upload', statement.id)}${[['from', from] as const, ['to', to] as const].map(([name, value]) => (value === '' ? NOTHING : hidden(name, value)))}<label for="order">Dates such as 03/04/2026</label>
<select id="order" name="order">${option('', 'As the statement shows by itself', order === '')}${option('day', 'The day comes first', order === 'day')}${option('month', 'The month comes first', order === 'month')}</select>
<label for="payments">Payments are</label>
<select id="payments" name="payments">${option('', 'As the statement shows by itself', payments === '')}${option('minus', 'Amounts with a minus', payments === 'minus')}${option('plus', 'Amounts without a minus', payments === 'plus')}</select>
${field({ name: 'header_row', label: 'Row with the names of the columns', value: headerRow === undefined ? '' : String(headerRow) })}${field({ name: 'sheet', label: 'Sheet of the workbook', value: sheet })}${field({ name: 'evidence', label: 'Proof that the statement is complete, if it has no balances', value: evidence })}<h3>Columns that have other names</h3>
<p class="note">Write the header as it stands in the statement. Leave empty what was found by itself.</p>
${STATEMENT_FIELDS.map((name) => field({ name: `map_${name}`, label: FIELD_WORDS[name], value: map.get(name) ?? '' }))}<button>Compare it again</button>
</form>
</details>
`;
}

/** One statement mostly shows payments of several batches. */
export function daysForm(
  statement: KeptStatement,
  reading: StatementReading,
  { from, to }: Pick<StatementReading, 'from' | 'to'>,
): Html {
  const isOfDays = reading.from !== '';
  const one = { ...reading, from: '', to: '' };
  const back = html`<form method="get" action="${statementAddress(statement)}">
${hidden('upload', statement.id)}${readingFields(one)}<button>Compare this batch alone</button>
</form>
`;
  return html`<form method="get" action="${statementAddress(statement)}">
<p>Compare all batches with payments in these days at once. Each line counts once.</p>
${hidden('upload', statement.id)}${readingFields(one)}${field({ name: 'from', label: 'First day', value: from, isDay: true })}${field({ name: 'to', label: 'Last day', value: to, isDay: true })}<button>Compare all batches of these days</button>
</form>
${isOfDays ? back : NOTHING}`;
}

function statementAddress({ batch }: Pick<KeptStatement, 'batch'>): string {
  return address`/batches/${batch}/statement`;
}

/** With what keeps which payments its page proposes. */
export interface ShownStatement extends KeptStatement {
  readonly shows: (payouts: readonly string[]) => string;
}

/** “paid” and “not paid” apart, each with what it rules. */
export function acceptForms(
  { reconciled, end }: Reconciliation,
  statement: ShownStatement,
  reading: StatementReading,
): Html {
  const acceptable = reconciled.findings.filter(isAcceptable);
  const paid = acceptable.filter(({ kind }) => kind === 'propose_paid');
  const unpaid = acceptable.filter(({ kind }) => kind === 'propose_not_paid');
  const noted = reconciled.findings.filter(({ kind }) => kind === 'incident').length;
  const isNoted = paid.length === 0 && end.mayAccept === 'paid';
  const note = `I have looked at what is shown above. Record it${noted > 0 ? `, with ${countText(noted)} incidents` : ''}.`;
  return html`${
    paid.length > 0
      ? acceptForm(
          'paid',
          paid,
          `The statement shows that these were paid: ${toldOf(paid)}.`,
          statement,
          reading,
        )
      : NOTHING
  }${isNoted ? acceptForm('paid', [], note, statement, reading) : NOTHING}${
    unpaid.length > 0
      ? acceptForm(
          'not_paid',
          unpaid,
          `The statement covers their time and shows that these were NOT paid: ${toldOf(unpaid)}.`,
          statement,
          reading,
        )
      : NOTHING
  }`;
}

function acceptForm(
  accept: 'paid' | 'not_paid',
  findings: readonly Finding[],
  says: string,
  statement: ShownStatement,
  reading: StatementReading,
): Html {
  const word = accept === 'paid' ? 'paid' : 'not paid';
  const payouts = findings.flatMap(({ entry }) => (entry === undefined ? [] : [entry.payoutId]));
  const button = findings.length === 0 ? 'Record it' : `Confirm: ${rowsText(findings.length)} ${word}`;
  const after =
    accept === 'paid'
      ? 'payfile looks up and compares each transfer first. “Paid” is final.'
      : 'A wrong answer pays a row twice. Paying again is a step of its own.';
  return html`<form method="post" action="${statementAddress(statement)}/accept">
<fieldset><legend>${findings.length === 0 ? 'Record what was found' : `Confirm “${word}”`}</legend>
${hidden('upload', statement.id)}${hidden('accept', accept)}${hidden('shown', statement.shows(payouts))}${readingFields(reading)}<label class="choice"><input type="checkbox" name="sure" value="yes" required>${says}</label>
<p class="note">${after}</p>
<button class="grave">${button}</button>
</fieldset>
</form>
`;
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
