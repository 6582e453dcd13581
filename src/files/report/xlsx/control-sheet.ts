/** The checks on the sheet Summary, each with both sides and its result. domain/reporting computes them. */
import {
  type ControlTotals,
  type GroupCheck,
  groupChecks,
  sumDifference,
  unreadableText,
  verdictOf,
} from '../../../domain/reporting/control-totals.ts';
import { agreedSum, type DebitPart, type Debits, type DebitTotal } from '../../../domain/reporting/debits.ts';
import { type BatchShare, leftOutCount, shareGap, shareName } from '../../../domain/reporting/left-out.ts';
import { GROUP_WORDS } from '../../../domain/reporting/status-words.ts';
import { type Column, column } from '../../../views/table-columns.ts';
import { cell } from './cells.ts';
import { type JournalFacts, journalBlocks } from './control-journal.ts';
import { BLANK, remarks, rows, type SheetRow, table } from './sheet.ts';

export interface CheckFacts extends JournalFacts {
  readonly totals: ControlTotals;
  readonly debits: Debits | undefined;
  /** In a report over days. */
  readonly shares: readonly BatchShare[] | undefined;
}

export function checkBlocks(facts: CheckFacts): readonly (readonly SheetRow[])[] {
  const { totals } = facts;
  const unreadable = unreadableText(totals);
  return [
    rows([cell('heading', 'Checks'), cell('quiet', facts.shares === undefined ? OF_FILE : OF_DAYS)]),
    table({ columns: ROW_COLUMNS, lines: [totals] }),
    BLANK,
    table({ columns: GROUP_COLUMNS, lines: groupChecks(totals) }),
    BLANK,
    ...shareBlocks(facts.shares),
    ...debitBlocks(facts.debits),
    ...journalBlocks(facts),
    ...(unreadable === undefined ? [] : [remarks([unreadable]), BLANK]),
  ];
}

const OF_FILE =
  'Every row of the file is in exactly one group. The other side is payfile’s own count in its ledger.';
const OF_DAYS =
  'Every row of this report is in exactly one group. The other side is payfile’s own count in its ledger.';

const ROW_COLUMNS: readonly Column<ControlTotals>[] = [
  column.plain('Rows', () => 'All'),
  column.count('In the ledger', ({ rowsIn }) => rowsIn),
  column.count('In this report', ({ linesOut }) => linesOut),
  column.check('Check', ({ rowsIn, linesOut }) => differsBy(linesOut - rowsIn)),
];

/** Per group and currency: number and amount by the ledger and by the report. */
const GROUP_COLUMNS: readonly Column<GroupCheck>[] = [
  column.plain('Group', ({ group }) => GROUP_WORDS[group].word),
  column.text('Currency', ({ currency }) => currency),
  column.count('Payments, ledger', ({ ledger }) => ledger.count),
  column.count('Payments, report', ({ report }) => report.count),
  column.money('Amount, ledger', ({ ledger, currency }) => ({ minor: ledger.minor, currency })),
  column.money('Amount, report', ({ report, currency }) => ({ minor: report.minor, currency })),
  column.check('Check', ({ ledger, report, currency }) =>
    verdictOf(sumDifference(ledger, report), currency, 'rows'),
  ),
];

function shareBlocks(shares: readonly BatchShare[] = []): readonly (readonly SheetRow[])[] {
  if (shares.length === 0) return [];
  return [table({ columns: SHARE_COLUMNS, lines: shares }), BLANK];
}

/** Per batch: its rows are in this report or left out of it. */
const SHARE_COLUMNS: readonly Column<BatchShare>[] = [
  column.plain('Batch', shareName),
  column.count('In the ledger', ({ allRows }) => allRows),
  column.count('In this report', ({ rows: count }) => count),
  column.count('Left out', leftOutCount),
  column.check('Check', (share) => differsBy(shareGap(share))),
];

function differsBy(gap: number): string {
  return gap === 0 ? 'ties' : `differs by ${gap}`;
}

/** What was agreed to, by what became of it. A moved rate is no error: it has a column of its own. */
function debitBlocks(debits: Debits | undefined): readonly (readonly SheetRow[])[] {
  const { totals, unpriced } = debits ?? { totals: [], unpriced: [] };
  if (totals.length + unpriced.length === 0) return [];
  const title = 'Planned and actual debit';
  const shown = table({ title, columns: DEBIT_COLUMNS, lines: totals, headingLines: 2 });
  return [shown, remarks([...unpriced, ...DEBIT_NOTES]), BLANK];
}

const DEBIT_NOTES: readonly string[] = [
  'The real debit is not known here: the service reports neither the debit, nor its rate, nor its fee.',
  'Sent: settled, on its way and returned. No sum includes canceled rows. The newest payment of a row counts.',
];

const debited = (minorOf: (total: DebitTotal) => bigint) => (total: DebitTotal) => ({
  minor: minorOf(total),
  currency: total.from,
});
const planned = (part: DebitPart) => debited((total) => total[part].planned);
const movedMinor = ({ sent }: DebitTotal) => sent.atSend - sent.planned;
const mayGo = { mayGo: true } as const;

const DEBIT_COLUMNS: readonly Column<DebitTotal>[] = [
  column.text('Paid in', ({ currency }) => currency),
  column.text('Debited in', ({ from }) => from),
  column.money('Agreed to', debited(agreedSum)),
  column.money(GROUP_WORDS.failed.word, planned('failed'), mayGo),
  column.money(GROUP_WORDS.in_doubt.word, planned('inDoubt'), mayGo),
  column.money(GROUP_WORDS.not_yet_sent.word, planned('unsent'), mayGo),
  column.money('Sent, as planned', planned('sent')),
  column.money('Rate moved', debited(movedMinor), mayGo),
  column.money('Sent, at the rate of sending', ({ sent, from }) => ({ minor: sent.atSend, currency: from })),
  column.percent('Rate moved, in %', movedShare, mayGo),
];

function movedShare(total: DebitTotal): number {
  const { sent } = total;
  return sent.planned === 0n ? 0 : Number(movedMinor(total)) / Number(sent.planned);
}
