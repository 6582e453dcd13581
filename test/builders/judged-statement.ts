/**
 * Rows and lines of November 2026, put through placing and judging as a reconciliation does it, without a ledger.
 */
import { asBatchId, asPayoutId } from '../../src/domain/payouts/instruction.ts';
import { DEFAULT_POLICY } from '../../src/domain/policy.ts';
import { bindStatement } from '../../src/domain/statement/columns.ts';
import type { StatementEntry } from '../../src/domain/statement/entry.ts';
import { type Finding, linesOf } from '../../src/domain/statement/findings.ts';
import { judge, weighAbsences } from '../../src/domain/statement/judge.ts';
import { readStatementLine } from '../../src/domain/statement/line.ts';
import { StatementIndex } from '../../src/domain/statement/match.ts';
import { SignFinder } from '../../src/domain/statement/signs.ts';
import { SpanFinder } from '../../src/domain/statement/span.ts';
import { money } from './payouts.ts';

export const day = (date: number, hour = 12) => Date.UTC(2026, 10, date, hour);

/** Row 2, 3, …: 1,200 cedis to one account, sent at noon; a debit of GBP 78.44 by the quote. */
export function aRow(rowNumber: number, date: number, changes: Partial<StatementEntry> = {}): StatementEntry {
  const at = day(date);
  return {
    payoutId: asPayoutId(String(rowNumber)),
    batchId: asBatchId('1'),
    rowNumber,
    isCurrent: true,
    status: 'settled',
    basis: undefined,
    isIncident: false,
    tag: `PF-${rowNumber}AAAAAAA`,
    transferId: `tr-${rowNumber}`,
    amount: money('GHS 1200.00'),
    debit: money('GBP 78.44'),
    account: '0244123456',
    accountShown: '…456',
    window: { from: at, until: at + 120_000 },
    ...changes,
  };
}
export const doubt = (rowNumber: number, date: number, changes: Partial<StatementEntry> = {}) =>
  aRow(rowNumber, date, { status: 'in_doubt', transferId: undefined, ...changes });
export const refused = (rowNumber: number, date: number) =>
  aRow(rowNumber, date, { status: 'failed', basis: 'refused', transferId: undefined });
export const ruledUnpaid = (rowNumber: number, date: number) =>
  aRow(rowNumber, date, { status: 'failed', basis: 'ruled', transferId: undefined });

export interface Line {
  readonly date?: string;
  readonly id?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly account?: string;
  readonly text?: string;
  readonly status?: string;
}
const HEADERS = ['Date', 'Id', 'Amount', 'Currency', 'Account', 'Narration', 'Status'];

/** The lines stand on rows 2, 3, …; the statement reaches from the 1st to the 30th unless it is said to be cut. */
export function judged(
  rows: readonly StatementEntry[],
  lines: readonly Line[],
  last = '2026-11-30',
  first = '2026-11-01',
) {
  const bound = bindStatement(HEADERS, new Map());
  if (bound.kind === 'unusable') throw new TypeError(bound.why);
  const { columns } = bound;
  const index = new StatementIndex();
  for (const row of rows) index.add(row);
  const finder = new SpanFinder(undefined, day(30));
  for (const date of [first, last]) finder.add(date);
  const span = finder.result();
  const written = lines.map((each, at) => {
    const { date = '', id = '', amount = '1200.00', currency = 'GHS' } = each;
    const { account = '0244123456', text = '', status = '' } = each;
    const cells = [date, id, amount, currency, account, text, status];
    return { rowNumber: at + 2, cells };
  });
  const finding = new SignFinder();
  for (const row of written) {
    const line = readStatementLine(row, columns);
    finding.add(line, index.ownerOf(line));
  }
  const signs = finding.result(span, rows);
  for (const row of written) {
    const line = readStatementLine(row, columns, signs);
    if (index.place(line).kind === 'loose') index.keepLoose(line, span.order);
  }
  index.settleLoose(span.order);
  const judging = {
    ...{ span, signs, shows: index.shows, unreadableLines: 0, isTagged: true },
    words: DEFAULT_POLICY,
  };
  const findings = rows.flatMap((row) => judge(row, index.allOf(row), judging));
  return weighAbsences(findings);
}

/** `matched 2@3`: what was found of row 2, by line 3. */
export const told = (findings: readonly Finding[]) =>
  findings.map((finding) => {
    if (finding.kind === 'theirs_only') return finding.kind;
    const at = linesOf(finding)
      .map(({ rowNumber }) => rowNumber)
      .join(',');
    return `${finding.kind} ${finding.entry.rowNumber}${at === '' ? '' : `@${at}`}`;
  });
