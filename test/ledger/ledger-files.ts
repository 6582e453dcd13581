/**
 * New ledgers in files for tests, opened as a program opens them.
 */
import { timestampOf } from '../../src/domain/timestamp.ts';
import { type OpenLedgerOptions, openFile } from '../../src/ledger/file.ts';
import { LedgerError } from '../../src/ports/ledger/errors.ts';
import { batchOf, row, walkedTo } from '../builders/ledger-batches.ts';
import { type Opened, payoutsIn } from './new-ledgers.ts';

export const SANDBOX = { environment: 'sandbox', baseUrl: 'https://pay.example', loginId: 'ama' } as const;
export const LIVE = { ...SANDBOX, environment: 'live', authUrl: 'https://login.example' } as const;

export async function openAt(path: string, options: Partial<OpenLedgerOptions> = {}): Promise<Opened> {
  const clock = { now: () => timestampOf(Date.now()) };
  const { parts, ledger } = await openFile({ path, binding: SANDBOX, create: true, clock, ...options });
  return { parts, ledger, db: parts.db, heads: [] };
}

let rows = 0;

/** A batch with one row settled and one that waits to be sent. */
export async function workedIn(opened: Opened, name = 'may'): Promise<void> {
  const id = await batchOf(opened.ledger, [row(rows + 1), row(rows + 2)], name);
  rows += 2;
  const [first, second] = await payoutsIn(opened, id);
  if (first === undefined || second === undefined) throw new TypeError('There are two rows');
  await walkedTo(opened.ledger, first, 'settled');
  await walkedTo(opened.ledger, second, 'approved');
}

export async function refusal(work: Promise<unknown>): Promise<LedgerError> {
  const answer: unknown = await work.catch((error: unknown) => error);
  if (!(answer instanceof LedgerError)) throw new TypeError(`Expected a refusal, got ${String(answer)}`);
  return answer;
}
