/**
 * The sheet Summary, in the order in which it is needed: the money, what to look at, what is to be posted, the checks, the
 * decisions, and the file, plan and ledger that all of it comes from.
 */
import type { Decisions } from '../../../domain/batches/decisions.ts';
import type { OpenItems, OpenSum } from '../../../domain/reporting/accounts-over-days.ts';
import type { ControlTotals } from '../../../domain/reporting/control-totals.ts';
import { unaccountedTexts } from '../../../domain/reporting/currency-totals.ts';
import type { LookSum } from '../../../domain/reporting/exceptions.ts';
import { groupLines } from '../../../domain/reporting/group-totals.ts';
import type { AccountMovement } from '../../../domain/reporting/journal-accounts.ts';
import { codesIn } from '../../../domain/reporting/journal-accounts.ts';
import type { BookedSum } from '../../../domain/reporting/journal-checks.ts';
import { ACCOUNT_USES, BOOKED_TITLE } from '../../../domain/reporting/journal-checks.ts';
import { type BatchShare, type LeftOut, leftOutText, shareName } from '../../../domain/reporting/left-out.ts';
import {
  balanceText,
  earlierTexts,
  moneyHeadline,
  moneyMatrix,
} from '../../../domain/reporting/money-matrix.ts';
import type { ReportHeader, ReportSummary } from '../../../domain/reporting/report.ts';
import { reportTitle } from '../../../domain/reporting/report-title.ts';
import { counted, countText, printable } from '../../../domain/text/printable.ts';
import { WallClock } from '../../../domain/time-zone.ts';
import { DECISION_COLUMNS, type DecisionLine, decisionLine } from '../../../views/decision-columns.ts';
import {
  groupColumns,
  MATRIX_COLUMNS,
  POSTING_COLUMNS,
  postings,
} from '../../../views/report/money-columns.ts';
import { sourceFacts } from '../../../views/report/proof.ts';
import { type Column, column } from '../../../views/table-columns.ts';
import { cell, textCell } from './cells.ts';
import { type CheckFacts, checkBlocks } from './control-sheet.ts';
import { OPEN_NAME } from './open-items-sheet.ts';
import { PAYMENTS_NAME } from './payments-sheet.ts';
import { addRows, BLANK, remarks, rows, type SheetRow, table } from './sheet.ts';
import type { Sheet } from './xlsx-workbook.ts';

export const SUMMARY = { name: 'Summary', widths: [34, 18, 18, 18, 18, 16, 16, 16, 16, 16, 18, 18] };

/** A row whose amount differs from what was asked, and what the service shows. */
export interface Differing {
  readonly row: number;
  readonly batch: string;
  readonly reason: string;
}

export interface OtherSheets {
  readonly look: readonly LookSum[];
  readonly differing: readonly Differing[];
  readonly booked: readonly BookedSum[];
  readonly corridors: readonly SheetRow[];
  readonly checks: CheckFacts;
}

export async function writeSummary(
  sheet: Sheet,
  header: ReportHeader,
  summary: ReportSummary,
  others: OtherSheets,
): Promise<void> {
  const { outcome, totals } = summary;
  const isLive = header.environment === 'live';
  const { zone } = new WallClock(header.timeZone);
  const posted = postings(others.booked, codesIn(header), totals.accounts);
  const blocks = [
    rows(
      [
        isLive ? cell('live', 'LIVE') : cell('sandbox', 'SANDBOX'),
        cell('heading', reportTitle(header, totals)),
      ],
      [cell('heading', moneyHeadline(totals))],
      [cell('bold', outcome.sentence)],
      [cell('check', totals.ties ? 'ties' : 'differs'), cell('plain', balanceText(totals))],
      ...totals.parts.map((part) => [cell('plain', part)]),
    ),
    BLANK,
    table({ columns: MATRIX_COLUMNS, lines: moneyMatrix(totals), headingLines: 2 }),
    remarks([
      ...unaccountedTexts(totals),
      ...earlierTexts(totals),
      ...(others.checks.debits?.unpriced ?? []),
    ]),
    BLANK,
    ...lookBlocks(others.look),
    remarks(differenceTexts(others.differing, totals)),
    BLANK,
    ...monthBlocks(totals.accounts, summary.openItems),
    ...groupBlock(summary, header),
    ...(posted.length === 0 ? [] : [table({ columns: POSTING_COLUMNS, lines: posted }), BLANK]),
    ...shareBlocks(summary.shares),
    ...(others.corridors.length === 0 ? [] : [others.corridors, BLANK]),
    ...checkBlocks(others.checks),
    rows([cell('heading', 'Decisions'), cell('quiet', `Times in ${zone}.`)]),
  ];
  addRows(sheet, blocks.flat());
  const head = await addDecisions(sheet, header, summary);
  const facts = sourceFacts(header, head).map(([name, text]) => [
    cell('quiet', name),
    textCell(printable(text)),
  ]);
  addRows(sheet, [...BLANK, ...rows([cell('heading', 'Sources')], ...facts), ...BLANK]);
  addRows(sheet, rows([cell('heading', 'Good to know')], ...NOTES.map((text) => [cell('plain', text)])));
}

/** By the column that was asked for. */
function groupBlock({ grouped }: ReportSummary, { period }: ReportHeader): readonly (readonly SheetRow[])[] {
  if (grouped === undefined) return [];
  const lines = groupLines(grouped, period !== undefined);
  return [table({ columns: groupColumns(grouped.column), lines, headingLines: 2 }), BLANK];
}

const NOTES: readonly string[] = [
  'In doubt: the request went out and its outcome is not known. Nobody sends it again but you: look at your bank’s statement, then rule on the row.',
  'Costs are as quoted: debit = amount ÷ rate + fee. Only your account’s statement shows what was really debited.',
  'Journal: a voucher names a pair of lines, whenever the report is made. Months imported one after another book everything once.',
  'Seen settled: when payfile saw it. The service does not say when it settled.',
  'Accounts: write your own codes there once; every line of the Journal follows.',
  'Account numbers are masked to their last characters unless the report was made with whole ones. Text is never a formula here.',
];

/** The head of the journal, where one batch is told of. */
async function addDecisions(
  sheet: Sheet,
  header: ReportHeader,
  told: ReportSummary,
): Promise<string | undefined> {
  const clock = new WallClock(header.timeZone);
  const add = (lines: readonly DecisionLine[], more = 0) => {
    const shown = table({ columns: AUDIT_COLUMNS, lines });
    addRows(sheet, shown.slice(lines.length === 0 ? shown.length : 0));
    if (more > 0) addRows(sheet, remarks([`… and ${countText(more)} later entries of the journal.`]));
  };
  if (told.batches !== undefined) {
    for await (const { batch, decisions } of told.batches()) {
      add(
        [batchLine(batch, decisions, clock), ...decisions.list.map((each) => decisionLine(each, clock))],
        decisions.more,
      );
      await sheet.drained();
    }
    return undefined;
  }
  const decisions = await told.decisions?.();
  if (decisions === undefined || decisions.list.length === 0)
    addRows(
      sheet,
      remarks([
        decisions === undefined ? 'The report of each batch shows them.' : 'Nothing was decided yet.',
      ]),
    );
  else
    add(
      decisions.list.map((each) => decisionLine(each, clock)),
      decisions.more,
    );
  return decisions?.head;
}

type Batch = ReportHeader['batch'];

/** Over days: a batch with its file and where its journal stands, above what was decided about it. */
function batchLine(
  { file, name, id, maker, createdAt }: Batch,
  { head }: Decisions,
  clock: WallClock,
): DecisionLine {
  const why = printable(`${file.name}, SHA-256 ${file.sha256}. Its journal ends with ${head}.`);
  const what = printable(`Batch ${name}`);
  return { at: clock.shown(createdAt), what, rows: `batch ${id}`, by: maker, why, isBatch: true };
}

/** On one line each: their reasons stand last, and may run over the cells behind. */
const AUDIT_COLUMNS: readonly Column<DecisionLine>[] = DECISION_COLUMNS.map((each) =>
  each.style === 'words' ? { ...each, style: 'plain' } : each,
);

const LOOK_COLUMNS: readonly Column<LookSum>[] = [
  column.plain('What to look at', ({ word }) => word),
  column.count('Payments', ({ count }) => count),
  column.money('Amount', ({ minor, currency }) => (currency === undefined ? undefined : { minor, currency })),
  column.text('Currency', ({ currency }) => currency ?? ''),
  column.plain('Where', () => `Sheet ${PAYMENTS_NAME}, filter “To look at”`),
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

export const DIFFERENCES_SHOWN = 5;

/** The amount beside such a row is what was asked; only its reason says what the service shows. */
function differenceTexts(
  listed: readonly Differing[],
  { differing }: Pick<ControlTotals, 'differing'>,
): readonly string[] {
  const texts = listed.slice(0, DIFFERENCES_SHOWN).map((each) => {
    const { row, batch, reason } = each;
    return `Row ${row}${batch === '' ? '' : ` of batch ${batch}`}: ${reason}`;
  });
  const left = differing - texts.length;
  return left === 0
    ? texts
    : [...texts, `… and ${counted(left, 'row')} more that differ: sheet ${PAYMENTS_NAME}.`];
}

const booked = (key: 'opening' | 'debit' | 'credit' | 'closing') => (account: AccountMovement) => ({
  minor: account[key],
  currency: account.currency,
});

const ACCOUNT_COLUMNS: readonly Column<AccountMovement>[] = [
  column.plain('Account', ({ role }) => ACCOUNT_USES[role]),
  column.text('Account code', ({ account }) => account.code),
  column.text('Currency', ({ currency }) => currency),
  column.money('Opening', booked('opening')),
  column.money('Debit', booked('debit')),
  column.money('Credit', booked('credit')),
  column.money('Closing', booked('closing')),
];

const OPEN_COLUMNS: readonly Column<OpenSum>[] = [
  column.plain('Open at the end', () => `Sheet ${OPEN_NAME}`),
  column.count('Payments', ({ count }) => count),
  column.money('On their way', ({ minor, currency }) => ({ minor, currency })),
  column.money('In suspense', ({ inSuspense: minor, currency }) => ({ minor, currency })),
  column.text('Currency', ({ currency }) => currency),
];

/** What the month opens with, what was booked, what it closes with, and what is open then. */
function monthBlocks(
  accounts: readonly AccountMovement[] = [],
  { sums }: OpenItems = { listed: [], sums: [] },
): readonly (readonly SheetRow[])[] {
  return [
    ...(accounts.length === 0
      ? []
      : [table({ title: BOOKED_TITLE, columns: ACCOUNT_COLUMNS, lines: accounts }), BLANK]),
    ...(sums.length === 0 ? [] : [table({ columns: OPEN_COLUMNS, lines: sums }), BLANK]),
  ];
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
