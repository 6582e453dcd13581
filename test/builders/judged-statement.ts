/**
 * Rows and lines of November 2026, put through placing and judging as a reconciliation does it, without a ledger.
 */
import { asBatchId, asPayoutId } from '../../src/domain/payouts/instruction.ts';
import { DEFAULT_POLICY } from '../../src/domain/policy.ts';
import { weighAbsences } from '../../src/domain/statement/absences.ts';
import { SpanFinder } from '../../src/domain/statement/dates.ts';
import type { Payments } from '../../src/domain/statement/direction.ts';
import type { StatementEntry } from '../../src/domain/statement/entry.ts';
import type { Finding } from '../../src/domain/statement/findings.ts';
import { judgePayout } from '../../src/domain/statement/judge.ts';
import { readStatementLine } from '../../src/domain/statement/line.ts';
import { StatementIndex } from '../../src/domain/statement/match.ts';
import { bindStatement } from '../../src/domain/statement/statement-columns.ts';
import { money } from './payouts.ts';

export const day = (date: number, hour = 12) => Date.UTC(2026, 10, date, hour);

/** Row 2, 3, …: 1,200 cedis to one account, sent at noon; a debit of GBP 78.44 by the quote. */
export function aRow(rowNumber: number, date: number, changes: Partial<StatementEntry> = {}): StatementEntry {
  const at = day(date);
  return {
    payoutId: asPayoutId(String(rowNumber)),
    batchId: asBatchId('1'),
    rowNumber,
    newest: asPayoutId(String(rowNumber)),
    status: 'settled',
    basis: undefined,
    isIncident: false,
    turnedAway: 0,
    tag: `PF-${rowNumber}AAAAAAA`,
    transferId: `tr-${rowNumber}`,
    amount: money('GHS 1200.00'),
    debit: money('GBP 78.44'),
    principal: money('GBP 77.42'),
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

export interface Reading {
  /** The statement reaches from the 1st to the 30th unless it is said to be cut. */
  readonly first?: string;
  readonly last?: string;
  readonly payments?: Payments | undefined;
  readonly isTagged?: boolean;
}

/** The lines stand on rows 2, 3, …. */
export function judged(
  rows: readonly StatementEntry[],
  lines: readonly Line[],
  { first = '2026-11-01', last = '2026-11-30', payments, isTagged = true }: Reading = {},
): readonly Finding[] {
  const bound = bindStatement(HEADERS, new Map());
  if (bound.kind === 'unusable') throw new TypeError('the columns are known');
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
    return index.restoreTag(readStatementLine({ rowNumber: at + 2, cells }, columns, payments));
  });
  for (const line of written) index.placeNamed(line);
  for (const line of written) {
    if (index.hintNamed(line, span.order)) continue;
    // A line with a tag that none of the rows has is another batch's.
    if (line.tags.length > 0) index.hintBeside(line, span.order, []);
    else index.placeLoose(line, span.order);
  }
  const judging = { span, unreadable: undefined, incomplete: undefined, isTagged, words: DEFAULT_POLICY };
  return weighAbsences(
    rows.map((row) => judgePayout(row, index.linesOf(row), judging)),
    judging,
  );
}

/** `matched 2@3`: what was found of row 2, by line 3; rows of which nothing is expected are left out. */
export const told = (findings: readonly Finding[]) =>
  findings
    .filter(({ kind }) => kind !== 'not_expected')
    .map(({ kind, entry, lines }) => {
      const at = lines.map(({ rowNumber }) => rowNumber).join(',');
      return `${kind} ${entry?.rowNumber}${at === '' ? '' : `@${at}`}`;
    });
