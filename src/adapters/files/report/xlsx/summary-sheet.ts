/**
 * The sheet Summary: live or sandbox, the outcome in one sentence, whether the totals tie, one table per kind
 * of money, and the file, plan and ledger that it comes from.
 */

import { styleText } from '../../../../domain/money/amount-style.ts';
import type { CurrencyCode } from '../../../../domain/money/currency.ts';
import type { BookedTotal } from '../../../../domain/reporting/booking.ts';
import {
  type CostTotal,
  type CurrencyTotal,
  costsKept,
  verdictOf,
} from '../../../../domain/reporting/control-totals.ts';
import type { BookedSum } from '../../../../domain/reporting/journal-checks.ts';
import type { ReportHeader, ReportSummary } from '../../../../domain/reporting/report.ts';
import { reportTitle } from '../../../../domain/reporting/report-title.ts';
import { GROUP_WORDS, GROUPS } from '../../../../domain/reporting/status-words.ts';
import { printable } from '../../../../domain/text/printable.ts';
import { formatTimestamp } from '../../../../domain/timestamp.ts';
import { type Column, column, letterOf } from '../../../../views/table-columns.ts';
import { boldCell, quietCell, textCell } from './cells.ts';
import { CONTROL } from './control-sheet.ts';
import { JOURNAL, PAYMENT_AND_FEE } from './journal-sheet.ts';
import {
  addRows,
  anyOf,
  BLANK,
  type Block,
  equalMoney,
  remarks,
  rows,
  stack,
  sumOfAny,
  table,
} from './sheet.ts';
import { CHECK_STYLE, COUNT_STYLE, HEADING_STYLE, LIVE_STYLE, PLAIN_STYLE, SANDBOX_STYLE } from './styles.ts';
import type { Cell, Sheet } from './xlsx-workbook.ts';

export const SUMMARY = { name: 'Summary', widths: [26, 16, 16, 17, 15, 15, 15, 15, 15, 15, 15, 15] };

/** What the Journal has, to compare with. */
export interface Booked {
  readonly total: BookedTotal;
  readonly sums: readonly BookedSum[];
}

export function writeSummary(
  sheet: Sheet,
  header: ReportHeader,
  summary: ReportSummary,
  booked: Booked,
): void {
  const { outcome, totals } = summary;
  const isLive = header.environment === 'live';
  const plain = (value: string): Cell => ({ value, style: PLAIN_STYLE });
  const ties = { formula: CONTROL.overall, result: totals.ties ? 'ties' : 'differs' };
  const unreadable: readonly Cell[] = [
    quietCell('Amount unreadable'),
    { value: totals.amountUnreadable, style: COUNT_STYLE },
  ];
  const blocks = [
    rows(
      [
        { value: isLive ? 'LIVE' : 'SANDBOX', style: isLive ? LIVE_STYLE : SANDBOX_STYLE },
        { value: reportTitle(header, totals), style: HEADING_STYLE },
      ],
      [boldCell(outcome.sentence)],
      [plain('Control totals'), { value: ties, style: CHECK_STYLE }],
      ...totals.parts.map((part) => [plain(part)]),
    ),
    BLANK,
    table({ columns: currencyColumns(totals.currencies), lines: totals.currencies }),
    rows(...(totals.amountUnreadable > 0 ? [unreadable] : [])),
    BLANK,
    ...costBlocks(summary, booked, header.period !== undefined),
    rows(...factsOf(header).map(([name, text]) => [quietCell(name), textCell(printable(text))])),
    BLANK,
  ];
  addRows(sheet, stack(blocks));
}

/** Groups without a payment are left out. */
const currencyColumns = (currencies: readonly CurrencyTotal[]): readonly Column<CurrencyTotal>[] => [
  column.text('Currency', ({ currency }) => currency),
  column.count('Payments', ({ requested }) => requested.count),
  column.money('Requested', ({ requested, currency }) => ({ minor: requested.minor, currency })),
  ...GROUPS.filter((group) => currencies.some(({ groups }) => groups[group].count > 0)).map(
    (group): Column<CurrencyTotal> =>
      column.money(GROUP_WORDS[group].word, ({ groups, currency }) => ({
        minor: groups[group].minor,
        currency,
      })),
  ),
];

/** What was taken from the account that pays, as quoted: the service shows no account of what it took. */
interface Cost {
  readonly currency: CurrencyCode;
  readonly what: string;
  readonly count: number;
  readonly feeMinor: bigint;
  readonly debitMinor: bigint;
  /** What came back, or was never taken. */
  readonly backMinor: bigint;
  readonly daysCount: number;
  readonly daysMinor: bigint;
  /** Of a sum: the Journal's own payments and fees; undefined where nothing is to be compared. */
  readonly journalMinor?: bigint | undefined;
}

/** Per group of rows, then what no row shows any more, and the sum, which is that of the Journal's payments and fees. */
function costBlocks({ totals, sent }: ReportSummary, booked: Booked, isOverDays: boolean): readonly Block[] {
  const found = [...totals.costs, ...booked.total.taken].map(({ currency }) => currency);
  const currencies = [...new Set(found)].sort();
  if (currencies.length === 0) return [];
  const lines = currencies.flatMap((currency) => {
    const costs = costsOf(currency, totals.costs, booked.total);
    const journalMinor = booked.sums.find((sum) => sum.currency === currency)?.takenMinor ?? 0n;
    return [...costs, sumOf(currency, costs, sent === undefined ? undefined : journalMinor)];
  });
  const what = isOverDays ? 'dated in these days ' : '';
  const text = `Every sum ${what}is that of the payments and fees in the Journal: the cell behind it says so.`;
  return [table({ columns: costColumns(isOverDays), lines }), remarks([text]), BLANK];
}

function costColumns(isOverDays: boolean): readonly Column<Cost>[] {
  const money = (header: string, minorOf: (cost: Cost) => bigint): Column<Cost> =>
    column.money(header, (cost) => ({ minor: minorOf(cost), currency: cost.currency }));
  const days: readonly Column<Cost>[] = [
    column.count('Of these days', ({ daysCount }) => daysCount),
    money('Debit, these days', ({ daysMinor }) => daysMinor),
    money('Debit, other days', ({ debitMinor, daysMinor }) => debitMinor - daysMinor),
  ];
  return [
    column.text('As quoted, taken from', ({ currency }) => currency, { isBold: ({ what }) => what === SUM }),
    column.count('Payments', ({ count }) => count),
    money('Fees', ({ feeMinor }) => feeMinor),
    money('Debit with fees', ({ debitMinor }) => debitMinor),
    money('Came back', ({ backMinor }) => backMinor),
    money('Stays taken', ({ debitMinor, backMinor }) => debitMinor - backMinor),
    ...(isOverDays ? days : []),
    column.plain('Group', ({ what }) => what),
    column.check(
      '',
      ({ journalMinor, daysMinor, currency }) =>
        journalMinor === undefined
          ? undefined
          : verdictOf({ count: 0, minor: journalMinor - daysMinor }, currency),
      {
        formula: ({ currency }, { cell }) =>
          equalMoney(
            cell(isOverDays ? 'Debit, these days' : 'Debit with fees'),
            takenInJournal(currency),
            currency,
          ),
      },
    ),
  ];
}

const SUM = 'Sum';

/** Counted by the workbook itself, over whole columns. */
function takenInJournal(currency: CurrencyCode): string {
  const column = (header: string) => {
    const letter = letterOf(JOURNAL.columns, header);
    return `${JOURNAL.name}!$${letter}:$${letter}`;
  };
  const kinds = [column('Kind'), anyOf(PAYMENT_AND_FEE)] as const;
  return sumOfAny(column('Credit'), [column('Currency'), `"${currency}"`], kinds);
}

function costsOf(
  currency: CurrencyCode,
  costs: readonly CostTotal[],
  { taken }: BookedTotal,
): readonly Cost[] {
  const ofRows = costs
    .filter((cost) => cost.currency === currency)
    .map((cost) => ({
      ...cost,
      what: GROUP_WORDS[cost.group].word,
      backMinor: cost.debitMinor - costsKept(cost),
    }));
  const hidden = taken
    .filter((each) => each.currency === currency)
    .flatMap(({ earlier, unpaid }) => [
      { ...earlier, currency, what: 'Paid again since', backMinor: earlier.returnedMinor },
      { ...unpaid, currency, what: 'Found unpaid', backMinor: unpaid.debitMinor },
    ]);
  return [...ofRows, ...hidden].filter(({ count }) => count > 0);
}

function sumOf(currency: CurrencyCode, costs: readonly Cost[], journalMinor: bigint | undefined): Cost {
  const count = (key: 'count' | 'daysCount') => costs.reduce((all, cost) => all + cost[key], 0);
  const minor = (key: 'feeMinor' | 'debitMinor' | 'backMinor' | 'daysMinor') =>
    costs.reduce((all, cost) => all + cost[key], 0n);
  return {
    currency,
    what: SUM,
    count: count('count'),
    feeMinor: minor('feeMinor'),
    debitMinor: minor('debitMinor'),
    backMinor: minor('backMinor'),
    daysCount: count('daysCount'),
    daysMinor: minor('daysMinor'),
    journalMinor,
  };
}

type Facts = readonly (readonly [name: string, text: string])[];

function factsOf({ batch, madeAt, period }: ReportHeader): Facts {
  const { approval, file } = batch;
  const made = ['Made at (UTC)', formatTimestamp(madeAt)] as const;
  const ofDays: Facts = [['Days (UTC, both included)', batch.name ?? ''], ['Read from', file.name], made];
  const ofBatch: Facts = [
    ['Batch', batch.name ?? ''],
    ['Batch id', batch.id],
    ['Revision of the file', batch.revision.toString()],
    ['File', file.sheet === undefined ? file.name : `${file.name}, sheet “${file.sheet}”`],
    ['How amounts were read', file.amountStyle === undefined ? '' : styleText(file.amountStyle)],
    ['File SHA-256', file.sha256],
    ['Digest of the payments', batch.digest ?? ''],
    ['Prepared by', `${batch.maker}, ${formatTimestamp(batch.createdAt)}`],
    [
      'Approved by',
      approval === undefined ? 'nobody yet' : `${approval.by}, ${formatTimestamp(approval.at)}`,
    ],
    ['Approved digest', approval?.digest ?? ''],
    made,
  ];
  return (period === undefined ? ofBatch : ofDays).filter(([, text]) => text !== '');
}
