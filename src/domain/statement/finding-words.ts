/**
 * What comparing a batch with a statement found, in words: the table that adds up, each finding, and how the statement
 * was read.
 */
import { formatAmount, formatMoney, type Money } from '../money/money.ts';
import { counted } from '../text/printable.ts';
import { maskOf } from '../text/sensitive.ts';
import type { Balance, Completeness } from './balances.ts';
import type { CurrencyComparison } from './comparison.ts';
import { BOOKING_DAYS, type StatementSpan } from './dates.ts';
import type { SignRule } from './direction.ts';
import { rowText } from './entry.ts';
import { findingSums, type RowSum, rowsPaidTwice, rowTotals } from './finding-sums.ts';
import type { Finding, FindingKind } from './findings.ts';
import type { OtherSum } from './other-lines.ts';

/** Of each kind of finding: its name in the table, and the title of its list; without one it has no list. */
export const FINDING_WORDS: Readonly<Record<FindingKind, readonly [short: string, title?: string]>> = {
  incident: ['Incident', 'INCIDENT: called unpaid, and the statement shows it as paid'],
  duplicate: ['Twice', 'May have been paid twice: more than one line for one row'],
  theirs_only: ['Theirs only', 'In the statement, but not counted as paid here'],
  still_in_doubt: ['Still in doubt', 'Still in doubt'],
  propose_paid: ['Proposed: paid', 'In doubt, and the statement shows it as paid'],
  propose_not_paid: ['Proposed: not paid', 'In doubt, and not in a statement that covers its time'],
  differs: ['Differs', 'The statement says something else'],
  unclear: [
    'Unclear',
    'Unclear: lines that may belong to this row or to another, or that have only its tag or id',
  ],
  ours_only: ['Ours only', 'Paid according to the service, but not in the statement'],
  on_its_way: ['On its way', 'On its way, and not yet in the statement'],
  not_yet: ['Not there yet', 'Not in the statement yet, but paid according to the service'],
  other_currency: ['Another statement'],
  not_expected: ['Not expected'],
  matched: ['Matched'],
};
/** What this comparison has just ruled is proposed no more. */
export const RULED_WORDS: Readonly<Partial<Record<FindingKind, string>>> = {
  propose_paid: 'Decided: paid',
  propose_not_paid: 'Decided: not paid',
};

/** What became of a finding that was accepted. */
interface FindingOutcome {
  readonly outcome: 'ruled' | 'noted' | 'refused';
  readonly reason: string;
}

export function outcomeText({ outcome, reason }: FindingOutcome): string {
  if (outcome === 'ruled') return 'Decided.';
  return outcome === 'noted' ? `Noted: ${reason}.` : `Not decided: ${reason}`;
}

/** One finding in words: which row, which lines, and why. */
export function findingText({ entry, text, weakness }: Finding): string {
  const why = weakness === undefined ? text : `${text} – to be decided by hand: ${weakness}`;
  if (entry === undefined) return `${why}.`;
  const { amount, accountShown, newest, payoutId, tag } = entry;
  const which = newest === payoutId ? '' : ` (an earlier payment, ${tag})`;
  return `${rowText(entry, 'Row')}${which}, ${formatMoney(amount)} to ${accountShown}: ${why}.`;
}

/** What was compared, as far as the words need it. */
export interface StatementCompared {
  /**
   * One for each payment of the batch that has a tag, and one for each line with a tag that none of them has. Of a batch
   * that waits for a statement also one for each row that was not sent.
   */
  readonly findings: readonly Finding[];
  /** Rows of which there is no finding: no payment of them was ever sent or approved. */
  readonly neverSent: readonly RowSum[];
  readonly lines: {
    readonly ofRows: number;
    readonly ofOtherBatches: number;
    readonly foreign: number;
    readonly onlyBalance: number;
    readonly unnamed: number;
  };
  readonly span: StatementSpan;
  /** The first line whose amount cannot be read; undefined: there is none. */
  readonly unreadable: string | undefined;
  readonly completeness: Completeness;
  /** Lines that show an entry again, in sentences; they are in no count. */
  readonly repeats: { readonly count: number; readonly sentences: readonly string[] };
  /** What a sign means in it. */
  readonly signs: SignRule;
  /** What its columns of dates are called. */
  readonly dateHeaders: readonly string[];
  /** What the lines of no payment add up to. */
  readonly otherSums: readonly OtherSum[];
  /** The first lines that are no payment of this ledger as far as can be told. */
  readonly foreignFirst: readonly { readonly rowNumber: number }[];
}

/** A line of the table; a number that is undefined has no place in it. */
export interface SumLine {
  readonly what: string;
  readonly rows: number | undefined;
  readonly sum: Money | undefined;
  readonly lines: number | undefined;
}

/** Every row of the batch and every line of the statement is in one line of it; the totals stand apart. */
export function sumLines({ findings, neverSent, lines, span, repeats }: StatementCompared): {
  readonly parts: readonly SumLine[];
  readonly totals: readonly SumLine[];
} {
  const sums = findingSums(findings, neverSent);
  const parts: SumLine[] = sums
    .filter((each) => each.rows > 0 || each.lines > 0)
    .map((each) => ({
      what: FINDING_WORDS[each.kind][0],
      rows: each.rows,
      sum: each.sum,
      lines: each.lines === 0 ? undefined : each.lines,
    }));
  const others: readonly (readonly [string, number])[] = [
    ['More lines of these rows', lines.unnamed],
    ['Other batches', lines.ofOtherBatches],
    ['No payment of ours', lines.foreign],
    ['Only a balance', lines.onlyBalance],
    ['Repeated', repeats.count],
  ];
  for (const [what, count] of others)
    if (count > 0) parts.push({ what, rows: undefined, sum: undefined, lines: count });
  const totals = rowTotals(sums).map((total, at) => ({
    what: at === 0 ? 'Total' : '',
    rows: total.rows,
    sum: total.sum,
    lines: undefined,
  }));
  const read = { what: 'Lines read', rows: undefined, sum: undefined, lines: span.lines + repeats.count };
  return { parts, totals: [...totals, read] };
}

export const AMOUNT_TITLES = ['Statement', 'Charges', 'Booked', 'Difference'] as const;

/** A row whose lines are not what was booked, or the total of all rows. `amounts` in the order of the titles. */
interface AmountLine {
  readonly what: string;
  readonly amounts: readonly string[];
  readonly why: string;
}

/** All payments of one currency: those that differ by row, and the total of all. */
export function amountLines({ currency, rows, ...total }: CurrencyComparison): readonly AmountLine[] {
  const amountsOf = (each: Pick<CurrencyComparison, 'lines' | 'charges' | 'booked' | 'difference'>) =>
    (['lines', 'charges', 'booked', 'difference'] as const).map((name) =>
      formatAmount({ minor: each[name], currency }),
    );
  const different = rows.filter(({ difference }) => difference !== 0n);
  const { open, later } = total;
  const parts = [
    ['not explained', open],
    ['after the statement or on its way', later],
  ] as const;
  return [
    ...different.map((row) => ({
      what: rowText(row.entry, 'Row'),
      amounts: amountsOf(row),
      why: row.explanation ?? (row.lines === 0n && row.charges === 0n ? 'no line' : 'not explained'),
    })),
    {
      what: `Total of ${counted(rows.length, 'payment')}`,
      amounts: amountsOf(total),
      why: parts
        .filter(([, minor]) => minor !== 0n)
        .map(([what, minor]) => `${what}: ${formatMoney({ minor, currency })}`)
        .join('; '),
    },
  ];
}

const LINES_SHOWN = 20;

/** `1, 2, …`: the first of so many. */
function firstOf(numbers: readonly (number | string)[], count: number): string {
  const shown = numbers.slice(0, LINES_SHOWN);
  return `${shown.join(', ')}${count > shown.length ? ', …' : ''}`;
}

/** `••••6819 GBP`; empty where a table names neither. */
export function balanceName({ account, currency }: Pick<Balance, 'account' | 'currency'>): string {
  return `${account === '' ? '' : maskOf(account)} ${currency}`.trim();
}

function completenessText(completeness: Completeness): string {
  if (completeness.kind !== 'proven')
    return `Nothing proves that the statement is complete${completeness.kind === 'unproven' ? `: ${completeness.why}` : ''}.`;
  const each = completeness.balances.map(({ account, currency, opening, closing }) =>
    `${balanceName({ account, currency })} from ${opening} to ${closing}`.trim(),
  );
  return `The statement is complete by its balances${each.length === 0 ? '' : ` (${each.join('; ')})`}.`;
}

/** `: charges 507.25 GHS in 2 lines, in 500.00 GHS in 1 line`. */
function otherText(sums: readonly OtherSum[]): string {
  const each = sums.map(
    ({ what, currency, lines, sum }) =>
      `${OTHER_WORDS[what]} ${[currency, sum].filter((text) => text !== '').join(' ')} in ${counted(lines, 'line')}`,
  );
  return each.length === 0 ? '' : `: ${each.join(', ')}`;
}

export const OTHER_WORDS: Readonly<Record<OtherSum['what'], string>> = {
  charges: 'charges of the bank',
  out: 'other money out',
  in: 'money in',
};

/** How a statement was read, for whoever has to rely on it: which dates count, what signs mean. */
export function statementNotes({
  findings,
  span,
  unreadable,
  completeness,
  repeats,
  signs,
  dateHeaders,
  lines,
  foreignFirst,
  otherSums,
}: StatementCompared): readonly string[] {
  // The sandbox's own book says itself that it is whole.
  const isOwnBook = span.wholeUntil !== undefined;
  const notes = [...repeats.sentences, ...(isOwnBook ? [] : [completenessText(completeness)])];
  const abroad = findings.filter(({ kind }) => kind === 'other_currency');
  if (abroad[0] !== undefined) {
    const need = counted(abroad.length, 'payment needs', 'payments need');
    notes.push(`T${abroad[0].text.slice(1)}. ${need} the statement of another account.`);
  }
  const twice = rowsPaidTwice(findings);
  if (twice.length > 0) {
    const rows = firstOf(
      twice.map((entry) => rowText(entry)),
      twice.length,
    );
    notes.push(`More than one payment went out for ${rows}. The sums count all of them.`);
  }
  if (lines.foreign > 0) {
    const numbers = foreignFirst.map(({ rowNumber }) => rowNumber);
    notes.push(
      `${counted(lines.foreign, 'line of the statement belongs', 'lines of the statement belong')} to no payment that payfile made, as far as can be told (line ${firstOf(numbers, lines.foreign)})${otherText(otherSums)}.`,
    );
  }
  if (lines.ofRows > 0)
    notes.push(
      `A line belongs to a row for certain if it has the row’s tag (PF-…) or its transfer id. A line with the same account and amount, up to ${BOOKING_DAYS} days after the row was sent, may be the row’s; that is no proof.`,
    );
  if (dateHeaders.length > 1)
    notes.push(
      `It has several dates (${dateHeaders.join(', ')}): a line is of the time from the first of them to the last, and the statement reaches as far as all of them.`,
    );
  if (signs === 'minus_pays')
    notes.push('Amounts with a minus are read as payments, the others as money that came in.');
  if (signs === 'plus_pays')
    notes.push('Amounts with a minus are read as money that came in, the others as payments.');
  if (unreadable !== undefined) notes.push(`What the statement lacks proves nothing: ${unreadable}.`);
  if (span.doubt !== undefined) notes.push(`What the statement lacks proves nothing: ${span.doubt}.`);
  return notes;
}
