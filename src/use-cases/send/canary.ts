/**
 * The canary: the first rows of a batch are sent alone, and the rest waits until they are settled. Their number is kept in
 * the ledger's journal; they are the rows whose sending began first after that entry. So a run after a crash, with or
 * without the flag, still holds the rest back, and rows of earlier runs do not count.
 *
 * A canary that failed, came back, is in doubt, has to be looked at or is not settled by the deadline stops the sending;
 * the rest stays approved. A person who looked says `--canary 0`. A row that is paid again is replaced in the canary, too.
 */
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { Payout, Status } from '../../domain/payouts/payout.ts';
import { plusMs, type Timestamp } from '../../domain/timestamp.ts';
import type { Ports } from '../ports.ts';
import { settleBatch } from '../settle/settle-batch.ts';
import { type FirstRows, sendNext, whyBad } from './first-rows.ts';
import type { SendGate } from './send-gate.ts';

export interface CanaryOptions {
  /** undefined: as many as an earlier run of the batch asked for; 0: none, whatever was asked for. */
  readonly rows: number | undefined;
  /** Who asked for so many, or lifted it; kept with it. */
  readonly by: string | undefined;
  readonly deadline: () => Timestamp;
}

const NOTE_KIND = 'canary';
const DEADLINE_MS = 15 * 60_000;
/** The canary is looked at as often as this: other rows of the batch may take longer, or never finish. */
const LOOK_MS = 30_000;
const NAMED_MAX = 5;

export interface Canary {
  /** How many rows; 0: none. */
  readonly rows: number;
  /** The entry of the journal behind which they are. */
  readonly since: number;
}

/**
 * The canary of a batch. Written down before the first of its rows is sent. Asked for again while it is not
 * settled, the same canary goes on, also with another number; after that it is a new one.
 */
export async function canaryOf(
  batchId: BatchId,
  { rows, by }: Pick<CanaryOptions, 'rows' | 'by'>,
  ports: Pick<Ports, 'ledger' | 'clock'>,
): Promise<Canary> {
  const before = await notedCanary(batchId, ports);
  if (rows === undefined || (rows === 0 && before.rows === 0)) return before;
  const goesOn = before.rows > 0 && (await standOf(batchId, before, ports)).settled < before.rows;
  const isForNothing = (await ports.ledger.counts(batchId)).approved === 0;
  if (rows === before.rows && (goesOn || isForNothing)) return before;
  const since = goesOn && rows > 0 ? { since: before.since } : {};
  const body = { rows, ...since, ...(by === undefined ? {} : { by }) };
  await ports.ledger.note(batchId, NOTE_KIND, body, ports.clock.now());
  return notedCanary(batchId, ports);
}

async function notedCanary(batchId: BatchId, { ledger }: Pick<Ports, 'ledger'>): Promise<Canary> {
  const last = (await ledger.notes(batchId, NOTE_KIND)).at(-1);
  return { rows: last?.body.rows ?? 0, since: last?.body.since ?? last?.seq ?? 0 };
}

interface Stand {
  readonly settled: number;
  readonly accepted: number;
  readonly bad: readonly Payout[];
}

async function standOf(batchId: BatchId, canary: Canary, { ledger }: Pick<Ports, 'ledger'>): Promise<Stand> {
  const begun = await ledger.begunSince(batchId, canary.since, canary.rows);
  const bad = begun.filter((payout) => whyBad(payout) !== undefined);
  const good = begun.filter((payout) => !bad.includes(payout));
  const count = (status: Status) => good.filter(({ state }) => state.status === status).length;
  return { settled: count('settled'), accepted: count('accepted'), bad };
}

/** Sends the canary and waits for it; stops the gate when the rest may not follow. */
export async function sendCanary(
  batchId: BatchId,
  canary: Canary,
  { ports, ...first }: FirstRows & { readonly ports: Ports },
): Promise<void> {
  const { gate, signal, incidents } = first;
  const { clock } = ports;
  if (canary.rows === 0) return;
  // Counted on the monotonic clock: a wall clock that is set back must not make this endless.
  let endMs: number | undefined;
  while (gate.stopped() === undefined) {
    const { settled, accepted, bad } = await standOf(batchId, canary, ports);
    if (settled >= canary.rows || isStopped(bad, gate)) break;
    if (settled + accepted < canary.rows) {
      // Where no row is left that may be sent, there is none to hold back either.
      if (await sendNext(batchId, ports, first)) continue;
      break;
    }
    if (signal.aborted) break;
    endMs ??= clock.monotonicMs() + patienceOf(first, clock.now());
    const leftMs = endMs - clock.monotonicMs();
    if (leftMs <= 0) {
      const reason = `${settled} of ${canary.rows} settled before the deadline`;
      gate.deadlineCame({ kind: 'canary', reason, row: undefined });
      break;
    }
    const giveUpAt = plusMs(clock.now(), leftMs);
    const deadline = plusMs(clock.now(), Math.min(leftMs, LOOK_MS));
    incidents.push(...(await settleBatch(batchId, ports, { deadline, giveUpAt, signal })).incidents);
  }
}

/** True when a row of the canary is bad: nothing more of the batch may be sent. */
export async function stopAtBadCanary(
  batchId: BatchId,
  canary: Canary,
  { gate, ports }: { readonly gate: SendGate; readonly ports: Pick<Ports, 'ledger'> },
): Promise<boolean> {
  if (canary.rows === 0) return false;
  return isStopped((await standOf(batchId, canary, ports)).bad, gate);
}

function isStopped(bad: readonly Payout[], gate: SendGate): boolean {
  if (bad.length === 0) return false;
  const named = bad.slice(0, NAMED_MAX);
  const reason = named.map((payout) => `row ${payout.rowNumber} ${whyBad(payout)}`).join(', ');
  gate.stop({ kind: 'canary', reason, row: named[0]?.rowNumber });
  return true;
}

function patienceOf({ deadline }: FirstRows, now: Timestamp): number {
  return deadline === undefined ? DEADLINE_MS : deadline() - now;
}
