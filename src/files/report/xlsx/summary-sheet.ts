/**
 * The sheet Summary: live or sandbox, the outcome in one sentence, whether the totals tie, what to look at, the
 * money by currency, by group and by corridor, and the file, plan and ledger that it comes from.
 */

import { correctedText, receivedSha256 } from '../../../domain/batches/batch.ts';
import { styleText } from '../../../domain/money/amount-style.ts';
import type { CurrencyCode } from '../../../domain/money/currency.ts';
import { isOpenDifference } from '../../../domain/payouts/difference.ts';
import type { BookedTotal } from '../../../domain/reporting/booking.ts';
import { type ControlTotals, type CostTotal, verdictOf } from '../../../domain/reporting/control-totals.ts';
import {
  type CurrencyTotal,
  UNACCOUNTED,
  unaccountedTexts,
} from '../../../domain/reporting/currency-totals.ts';
import type { LookSum } from '../../../domain/reporting/exceptions.ts';
import type { BookedSum } from '../../../domain/reporting/journal-checks.ts';
import { type BatchShare, type LeftOut, leftOutText, shareName } from '../../../domain/reporting/left-out.ts';
import type { ReportHeader, ReportSummary } from '../../../domain/reporting/report.ts';
import { reportTitle } from '../../../domain/reporting/report-title.ts';
import { GROUP_WORDS, GROUPS } from '../../../domain/reporting/status-words.ts';
import { counted, printable } from '../../../domain/text/printable.ts';
import { formatTimestamp } from '../../../domain/timestamp.ts';
import { type Column, column } from '../../../views/table-columns.ts';
import { boldCell, quietCell, textCell } from './cells.ts';
import { batchText, EXCEPTIONS_NAME, type Exception, PAYMENTS_NAME } from './payments-sheet.ts';
import { addRows, BLANK, remarks, rows, type SheetRow, table } from './sheet.ts';
import { CHECK_STYLE, COUNT_STYLE, HEADING_STYLE, LIVE_STYLE, PLAIN_STYLE, SANDBOX_STYLE } from './styles.ts';
import type { Cell, Sheet } from './xlsx-workbook.ts';

export const SUMMARY = { name: 'Summary', widths: [28, 16, 16, 17, 18, 15, 15, 15, 15, 15, 15, 15] };

/** The sums of the Journal, to compare with; the sums of the sheet Exceptions; the corridors of the payments. */
export interface OtherSheets {
  readonly look: readonly LookSum[];
  readonly listed: readonly Exception[];
  readonly total: BookedTotal;
  readonly sums: readonly BookedSum[];
  readonly corridors: readonly SheetRow[];
}

export function writeSummary(
  sheet: Sheet,
  header: ReportHeader,
  summary: ReportSummary,
  others: OtherSheets,
): void {
  const { outcome, totals } = summary;
  const isLive = header.environment === 'live';
  const plain = (value: string): Cell => ({ value, style: PLAIN_STYLE });
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
      [plain('Control totals'), { value: totals.ties ? 'ties' : 'differs', style: CHECK_STYLE }],
      ...totals.parts.map((part) => [plain(part)]),
    ),
    BLANK,
    ...lookBlocks(others.look),
    remarks(differenceTexts(others.listed, summary.totals)),
    BLANK,
    ...shareBlocks(summary.shares),
    table({ columns: CURRENCY_COLUMNS, lines: totals.currencies }),
    remarks(unaccountedTexts(totals)),
    rows(...(totals.amountUnreadable > 0 ? [unreadable] : [])),
    BLANK,
    ...costBlocks(summary, others, header.period !== undefined),
    ...(others.corridors.length === 0 ? [] : [others.corridors, BLANK]),
    rows(...factsOf(header).map(([name, text]) => [quietCell(name), textCell(printable(text))])),
    BLANK,
  ];
  addRows(sheet, blocks.flat());
}

const CURRENCY_COLUMNS: readonly Column<CurrencyTotal>[] = [
  column.text('Currency', ({ currency }) => currency),
  column.count('Payments', ({ requested }) => requested.count),
  column.money('Requested', ({ requested, currency }) => ({ minor: requested.minor, currency })),
  ...GROUPS.map(
    (group): Column<CurrencyTotal> =>
      column.money(
        GROUP_WORDS[group].word,
        ({ groups, currency }) => ({ minor: groups[group].minor, currency }),
        { mayGo: true },
      ),
  ),
  column.money(UNACCOUNTED, ({ unaccounted, currency }) => ({ minor: unaccounted.minor, currency }), {
    mayGo: true,
  }),
];

const LOOK_COLUMNS: readonly Column<LookSum>[] = [
  column.plain('What to look at', ({ word }) => word),
  column.count('Payments', ({ count }) => count),
  column.money('Amount', ({ minor, currency }) => (currency === undefined ? undefined : { minor, currency })),
  column.text('Currency', ({ currency }) => currency ?? ''),
  column.plain('Where', () => `Sheet ${EXCEPTIONS_NAME}`),
];
const STORY_COLUMNS: readonly Column<LookSum>[] = [
  column.plain('Nothing to do, only to know', ({ word }) => word),
  ...LOOK_COLUMNS.slice(1, -1),
  column.plain('Where', () => `Sheet ${PAYMENTS_NAME}, column Reason`),
];

/** What people have to act on, then what became of rows that failed or came back. */
function lookBlocks(sums: readonly LookSum[]): readonly (readonly SheetRow[])[] {
  const [look, stories] = [sums.filter(({ isStory }) => !isStory), sums.filter(({ isStory }) => isStory)];
  return [
    look.length === 0 ? remarks(['Nothing to look at.']) : table({ columns: LOOK_COLUMNS, lines: look }),
    ...(stories.length === 0 ? [] : [BLANK, table({ columns: STORY_COLUMNS, lines: stories })]),
  ];
}

const DIFFERENCES_SHOWN = 5;

/** The amount beside such a row is what was asked; only its reason says what the service shows. */
function differenceTexts(
  listed: readonly Exception[],
  { differing }: Pick<ControlTotals, 'differing'>,
): readonly string[] {
  const texts = listed
    .filter(({ difference }) => isOpenDifference(difference))
    .slice(0, DIFFERENCES_SHOWN)
    .map((each) => {
      const batch = batchText(each);
      return `Row ${each.row}${batch === '' ? '' : ` of batch ${batch}`}: ${each.reason}`;
    });
  const left = differing - texts.length;
  return left === 0
    ? texts
    : [...texts, `… and ${counted(left, 'row')} more that differ: sheet ${EXCEPTIONS_NAME}.`];
}

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
function costBlocks(
  { totals, sent }: ReportSummary,
  booked: OtherSheets,
  isOverDays: boolean,
): readonly (readonly SheetRow[])[] {
  const found = [...totals.costs, ...booked.total.taken].map(({ currency }) => currency);
  const currencies = [...new Set(found)].sort();
  if (currencies.length === 0) return [];
  const lines = currencies.flatMap((currency) => {
    const costs = costsOf(currency, totals.costs, booked.total);
    const journalMinor = booked.sums.find((sum) => sum.currency === currency)?.takenMinor ?? 0n;
    return [...costs, sumOf(currency, costs, sent === undefined ? undefined : journalMinor)];
  });
  const isOfOtherDays = isOverDays && lines.some(({ count, daysCount }) => count !== daysCount);
  const columns = isOfOtherDays ? [...COST_COLUMNS, ...DAYS_COLUMNS] : COST_COLUMNS;
  const checked = isOfOtherDays ? '“Sent in these days”' : '“Without fees” and “Fees” together';
  return [
    table({ title: COST_TITLE, columns: [...columns, JOURNAL_CHECK], lines }),
    remarks([`Stays taken = Without fees + Fees − Came back. “ties”: ${checked} ${COST_NOTE}`]),
    BLANK,
  ];
}

const COST_TITLE = 'Taken from the account that pays, as quoted';
const COST_NOTE = 'come to the payments and fees in the Journal.';

const costMoney = (header: string, minorOf: (cost: Cost) => bigint): Column<Cost> =>
  column.money(header, (cost) => ({ minor: minorOf(cost), currency: cost.currency }));

/** Those of money add up from left to right. */
const COST_COLUMNS: readonly Column<Cost>[] = [
  column.plain('Group', ({ what }) => what, { isBold: ({ what }) => what === SUM }),
  column.count('Payments', ({ count }) => count),
  costMoney('Without fees', ({ debitMinor, feeMinor }) => debitMinor - feeMinor),
  costMoney('Fees', ({ feeMinor }) => feeMinor),
  costMoney('Came back', ({ backMinor }) => backMinor),
  costMoney('Stays taken', ({ debitMinor, backMinor }) => debitMinor - backMinor),
  column.text('Currency', ({ currency }) => currency),
];

/** A row is there for anything that happened in the days; its payment may be of others. */
const DAYS_COLUMNS: readonly Column<Cost>[] = [
  column.count('Of these days', ({ daysCount }) => daysCount),
  costMoney('Sent in these days', ({ daysMinor }) => daysMinor),
];

const JOURNAL_CHECK: Column<Cost> = column.check('', ({ journalMinor, daysMinor, currency }) =>
  journalMinor === undefined ? undefined : verdictOf({ count: 0, minor: journalMinor - daysMinor }, currency),
);

const SUM = 'Sum';

function costsOf(
  currency: CurrencyCode,
  costs: readonly CostTotal[],
  { taken }: BookedTotal,
): readonly Cost[] {
  const ofRows = costs
    .filter((cost) => cost.currency === currency)
    .map((cost) => ({ ...cost, what: GROUP_WORDS[cost.group].word }));
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

/** A month is not the whole of its batches. */
const LEFT_COLUMNS: readonly Column<{ readonly share: BatchShare; readonly left: LeftOut }>[] = [
  column.plain('Batch', ({ share }) => shareName(share)),
  column.count('Left out', ({ left }) => left.count),
  column.count('All its rows', ({ share }) => share.allRows),
  column.plain('Why, and which', ({ left }) => leftOutText(left)),
];

function shareBlocks(shares: readonly BatchShare[] = []): readonly (readonly SheetRow[])[] {
  const lines = shares.flatMap((share) => share.leftOut.map((left) => ({ share, left })));
  if (lines.length === 0) return [];
  return [table({ title: LEFT_TITLE, columns: LEFT_COLUMNS, lines }), BLANK];
}

const LEFT_TITLE = 'Rows of these batches that are not in this report';

type Facts = readonly (readonly [name: string, text: string])[];

function factsOf({ batch, madeAt, period }: ReportHeader): Facts {
  const { approval, file } = batch;
  const made = ['Made at (UTC)', formatTimestamp(madeAt)] as const;
  const ofDays: Facts = [['Days (UTC, both included)', batch.name], ['Read from', file.name], made];
  const ofBatch: Facts = [
    ['Batch', batch.name],
    ['Batch id', batch.id],
    ['Revision of the file', batch.revision.toString()],
    ['File', file.sheet === undefined ? file.name : `${file.name}, sheet “${file.sheet}”`],
    ['How amounts were read', file.amountStyle === undefined ? '' : styleText(file.amountStyle)],
    [`File SHA-256${file.corrected === undefined ? '' : ', as received'}`, receivedSha256(file)],
    ...(file.corrected === undefined
      ? []
      : ([
          ['Corrected beside the file', correctedText(file) ?? ''],
          ['File SHA-256, with corrections', file.sha256],
        ] as const)),
    ['Digest of the rows', batch.digest ?? ''],
    ['Prepared by', `${batch.maker}, ${formatTimestamp(batch.createdAt)}`],
    [
      'Approved by',
      approval === undefined ? 'nobody yet' : `${approval.by}, ${formatTimestamp(approval.at)}`,
    ],
    ['Digest of the plan that was approved last', approval?.digest ?? ''],
    made,
  ];
  return (period === undefined ? ofBatch : ofDays).filter(([, text]) => text !== '');
}
