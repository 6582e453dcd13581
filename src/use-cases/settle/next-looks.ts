/**
 * When the next looks of a batch are due, where none was due now: silence must not read like “nothing changed”.
 */
import type { Payout } from '../../domain/payouts/payout.ts';
import { plusMs, type Timestamp } from '../../domain/timestamp.ts';
import { duePayouts } from '../each-due-payout.ts';
import type { Ports } from '../ports.ts';
import { type FinalRows, finalRows, isSilent } from './rows-to-look-at.ts';

export interface NextLooks {
  /** To the minute; undefined: no row is looked at again within a day. */
  readonly dueAt: Timestamp | undefined;
  /** Rows whose last look showed no status. Rows that the service does not know for a day are told elsewhere. */
  readonly silent: number;
  /** When the first of these is due. */
  readonly silentDueAt: Timestamp | undefined;
}

const MINUTE_MS = 60_000;
const MINUTES_MAX = 24 * 60;
const SILENT_MAX = 100_000;

type LookPorts = Pick<Ports, 'clock' | 'ledger'>;

export async function nextLooks(rows: FinalRows, ports: LookPorts): Promise<NextLooks> {
  const now = ports.clock.now();
  let silent = 0;
  for await (const payout of rowsDueBy(rows, plusMs(now, MINUTES_MAX * MINUTE_MS), ports))
    if (isUnseen(payout) && silent < SILENT_MAX) silent += 1;
  const dueAt = await firstDue(rows, () => true, ports);
  return { dueAt, silent, silentDueAt: silent === 0 ? undefined : await firstDue(rows, isUnseen, ports) };
}

function isUnseen(payout: Payout): boolean {
  return isSilent(payout) && payout.look?.concern !== 'missing';
}

async function* rowsDueBy(rows: FinalRows, dueBy: Timestamp, ports: LookPorts): AsyncGenerator<Payout> {
  yield* finalRows(rows, dueBy, ports);
  yield* duePayouts(ports, { batchId: rows.batchId, statuses: ['accepted'], dueBy: () => dueBy });
}

/** The ledger answers what is due by a time, so halving finds the minute. */
async function firstDue(
  rows: FinalRows,
  isWanted: (payout: Payout) => boolean,
  ports: LookPorts,
): Promise<Timestamp | undefined> {
  const now = ports.clock.now();
  const at = (minutes: number) => plusMs(now, minutes * MINUTE_MS);
  const isDueBy = async (minutes: number) => {
    for await (const payout of rowsDueBy(rows, at(minutes), ports)) if (isWanted(payout)) return true;
    return false;
  };
  if (!(await isDueBy(MINUTES_MAX))) return undefined;
  let [none, some] = [-1, MINUTES_MAX];
  while (some - none > 1) {
    const middle = Math.floor((none + some) / 2);
    if (await isDueBy(middle)) some = middle;
    else none = middle;
  }
  return at(some);
}
