/** The checks on the sheet Summary, each with both sides and its result. domain/reporting computes them. */
import {
  type ControlTotals,
  type GroupCheck,
  groupChecks,
  sumDifference,
  unreadableText,
  verdictOf,
} from '../../../domain/reporting/control-totals.ts';
import {
  DEBIT_WORDS,
  type DebitCheck,
  type DebitChecks,
  debitChange,
} from '../../../domain/reporting/debit-checks.ts';
import { type BatchShare, leftOutCount, shareGap, shareName } from '../../../domain/reporting/left-out.ts';
import { GROUP_WORDS } from '../../../domain/reporting/status-words.ts';
import { type Column, column } from '../../../views/table-columns.ts';
import { cell } from './cells.ts';
import { type JournalFacts, journalBlocks } from './control-journal.ts';
import { BLANK, remarks, rows, type SheetRow, table } from './sheet.ts';

export interface CheckFacts extends JournalFacts {
  readonly totals: ControlTotals;
  /** undefined: nobody asked the ledger. */
  readonly debits: DebitChecks | undefined;
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

/**
 * Compares the agreed debit of the ledger with the report's debits by outcome. A moved rate is no error: it has a
 * column of its own.
 */
function debitBlocks(debits: DebitChecks | undefined): readonly (readonly SheetRow[])[] {
  if (debits === undefined || debits.notes.length === 0) return [];
  const { lines, notes } = debits;
  const shown = table({ title: DEBIT_WORDS.title, columns: DEBIT_COLUMNS, lines, headingLines: 2 });
  return [shown, remarks(notes), BLANK];
}

const { agreed, failed, inDoubt, unsent, sent, moved, atSend } = DEBIT_WORDS;

const DEBIT_COLUMNS: readonly Column<DebitCheck>[] = [
  column.text('Paid in', ({ currency }) => currency),
  column.text('Debited in', ({ from }) => from),
  column.money(`${agreed}, ledger`, (check) => check.agreed.planned),
  column.money(failed, ({ report }) => report.failed.planned, { mayGo: true }),
  column.money(inDoubt, ({ report }) => report.inDoubt.planned, { mayGo: true }),
  column.money(unsent, ({ report }) => report.unsent.planned, { mayGo: true }),
  column.money(sent, ({ report }) => report.sent.planned),
  column.money(moved, ({ report }) => debitChange(report), { mayGo: true }),
  column.money(atSend, ({ report }) => report.sent.atSend),
  column.percent(`${moved}, in %`, movedShare, { mayGo: true }),
  column.check('Check', ({ verdict }) => verdict),
];

function movedShare({ report }: DebitCheck): number {
  const planned = report.sent.planned.minor;
  return planned === 0n ? 0 : Number(debitChange(report).minor) / Number(planned);
}
