/**
 * The verdict over one batch, from the report, the ledger, the judge's book and the trace alone:
 *
 * A        at most one request per row that executed, and none for a row that is said to be unpaid.
 * B        every row of the file once in the report, in one named state, with totals that tie.
 * C        a transfer id that was once committed is in the report.
 * D        no more rows in doubt than there were requests in flight at the blows, or faults of the service.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STATUSES } from '../../src/domain/payouts/payout.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { openLedger } from '../../src/ledger/file.ts';
import type { Seen } from './judge.ts';
import type { Target } from './target.ts';

export interface Line {
  readonly row: number;
  readonly status: string;
  readonly transfer_id: string | null;
  readonly original: { readonly Account: string };
}

export interface Question {
  readonly accounts: readonly string[];
  readonly seen: readonly Seen[];
  /** The most that may be in doubt. */
  readonly doubtsMax: number;
  readonly report: string;
}

export async function violations(target: Target, question: Question): Promise<string[]> {
  const lines = linesOf(target, question.report);
  return [
    ...rowViolations(lines, question),
    ...idsOf(lines, target.trace()),
    ...(await ledgerProblems(target.ledgerPath)),
  ];
}

/** A, B and D. */
export function rowViolations(
  lines: readonly Line[],
  { accounts, seen, doubtsMax }: Omit<Question, 'report'>,
): string[] {
  return [...onceEach(lines, accounts), ...moneyOf(lines, seen), ...doubtsOf(lines, doubtsMax)];
}

export function linesOf(target: Pick<Target, 'folder'>, report: string): readonly Line[] {
  return (JSON.parse(readFileSync(join(target.folder, report), 'utf8')) as { rows: Line[] }).rows;
}

function onceEach(lines: readonly Line[], accounts: readonly string[]): string[] {
  const found: string[] = [];
  const expected = accounts.map((account, index) => `${index + 2} ${account}`);
  const there = lines.map(({ row, original }) => `${row} ${original.Account}`);
  if (JSON.stringify(expected) !== JSON.stringify(there)) {
    found.push(`B: the report has ${there.length} lines, not the file's ${expected.length} rows in order`);
  }
  for (const { row, status } of lines) {
    const isNamed = (STATUSES as readonly string[]).includes(status);
    if (!isNamed || status === 'sending' || status === 'approved')
      found.push(`B: row ${row} is ${status} at the end`);
  }
  return found;
}

const MONEY: readonly string[] = ['settled', 'accepted', 'returned'];

function moneyOf(lines: readonly Line[], seen: readonly Seen[]): string[] {
  const found: string[] = [];
  const accounts = new Map<string, Line[]>();
  for (const line of lines) {
    const { Account } = line.original;
    accounts.set(Account, [...(accounts.get(Account) ?? []), line]);
  }
  for (const [account, own] of accounts) {
    const executed = seen.filter((request) => request.account === account && request.executed);
    const doubts = own.filter(({ status }) => status === 'in_doubt').length;
    const paid = own.filter(({ status }) => MONEY.includes(status)).length;
    const name = `row ${own.map(({ row, status }) => `${row} (${status})`).join(', ')}`;
    if (executed.length > own.length || executed.length > paid + doubts) {
      found.push(`A: ${name} executed ${executed.length} times`);
    }
    if (executed.length < paid) found.push(`A: ${name} is called paid and executed ${executed.length} times`);
    for (const { row, transfer_id: id } of own) {
      if (id !== null && !executed.some((request) => request.id === id))
        found.push(`A: row ${row} has a foreign id ${id}`);
    }
  }
  return found;
}

function idsOf(lines: readonly Line[], trace: readonly string[]): string[] {
  const reported = new Set(lines.map((line) => line.transfer_id));
  const committed = trace
    .filter((line) => line.startsWith('ids '))
    .flatMap((line) => line.split(' ').slice(1));
  return committed
    .filter((id) => !reported.has(id))
    .map((id) => `C: transfer ${id} was committed and is lost`);
}

function doubtsOf(lines: readonly Line[], most: number): string[] {
  const doubts = lines.filter(({ status }) => status === 'in_doubt').length;
  return doubts <= most ? [] : [`D: ${doubts} rows in doubt, at most ${most} can be`];
}

export async function ledgerProblems(path: string): Promise<string[]> {
  const clock = { now: () => timestampOf(Date.now()) };
  const ledger = await openLedger({ path, binding: undefined, create: false, readOnly: true, clock });
  try {
    return (await ledger.verify()).problems.map((problem) => `the ledger: ${problem}`);
  } finally {
    await ledger.close();
  }
}
