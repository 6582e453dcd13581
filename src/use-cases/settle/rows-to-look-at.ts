/**
 * Where the queue of look-ups gets its rows from: walks over those that are due, once or again and again. Each walk gives
 * either the rows whose last look showed a status, or those that are silent.
 */
import type { BatchId, PayoutId } from '../../domain/payouts/instruction.ts';
import { ENDED_UNPAID, type Payout, type Status } from '../../domain/payouts/payout.ts';
import type { Timestamp } from '../../domain/timestamp.ts';
import { duePayouts } from '../each-due-payout.ts';
import type { Ports } from '../ports.ts';
import type { OpenLooks } from './open-looks.ts';

export function isSilent({ look }: Payout): boolean {
  return look?.nothing !== undefined;
}

/** Without rows that are looked at now, or were when the page was read: the page has an old state of them. */
export async function* rowsOnTheirWay(
  batchId: BatchId,
  open: OpenLooks,
  ports: Pick<Ports, 'clock' | 'ledger'>,
): AsyncGenerator<Payout> {
  let taken: ReadonlySet<PayoutId> = new Set();
  const dueBy = () => {
    taken = open.ids();
    return ports.clock.now();
  };
  for await (const payout of duePayouts(ports, { batchId, statuses: ['accepted'], dueBy }))
    if (!taken.has(payout.id)) yield payout;
}

export interface FinalRows {
  readonly batchId: BatchId;
  /** Whether a final payout may still change. */
  readonly isFollowed: (payout: Payout) => boolean;
}

/** Final payments that are due by then, also those whose replacement is in the file now: they may change as well. */
export async function* finalRows(
  { batchId, isFollowed }: FinalRows,
  dueBy: Timestamp,
  ports: Pick<Ports, 'ledger'>,
): AsyncGenerator<Payout> {
  const inPlace = (statuses: readonly Status[]) =>
    statuses.map((status) => duePayouts(ports, { batchId, statuses: [status], dueBy: () => dueBy }));
  const sources = [...inPlace(ENDED_UNPAID), replacedRows(batchId, dueBy, ports), ...inPlace(['settled'])];
  for (const source of sources) yield* rowsWhere(source, isFollowed);
}

export async function* rowsWhere(
  rows: AsyncGenerator<Payout>,
  isWanted: (payout: Payout) => boolean,
): AsyncGenerator<Payout> {
  for await (const payout of rows) if (isWanted(payout)) yield payout;
}

const PAGE_ROWS = 500;

async function* replacedRows(
  batchId: BatchId,
  dueBy: Timestamp,
  { ledger }: Pick<Ports, 'ledger'>,
): AsyncGenerator<Payout> {
  let after: PayoutId | undefined;
  do {
    const page = await ledger.replacedTransfers(batchId, { dueBy, after, limit: PAGE_ROWS });
    yield* page;
    after = page.at(-1)?.id;
  } while (after !== undefined);
}

/** After a walk that found nothing; doubled each time. */
const REST_MS = 250;
/** At most a fifth of the time is spent on such walks. */
const REST_TIMES = 4;

export type WalkedRows = ReturnType<typeof walkedRows>;

/** A walk that found nothing rests before the next one. */
export function walkedRows(
  walk: () => AsyncGenerator<Payout>,
  { isRepeated, restMsMax }: { readonly isRepeated: boolean; readonly restMsMax: number },
  { clock }: Pick<Ports, 'clock'>,
) {
  let rows: AsyncGenerator<Payout> | undefined;
  let [beganMs, found, passes, empty, restsUntilMs] = [0, 0, 0, 0, Number.NEGATIVE_INFINITY];
  const isOver = () => !isRepeated && passes > 0;
  return {
    isOver,
    /** How often all that were due have been given. */
    passes: () => passes,
    /** On the monotonic clock: when the next walk may find something. */
    restsUntil: () => restsUntilMs,
    /** undefined: none is due now. */
    async next(): Promise<Payout | undefined> {
      while (!isOver() && clock.monotonicMs() >= restsUntilMs) {
        if (rows === undefined) [rows, beganMs, found] = [walk(), clock.monotonicMs(), 0];
        const { done, value } = await rows.next();
        if (done !== true) {
          found += 1;
          return value;
        }
        rows = undefined;
        passes += 1;
        empty = found === 0 ? empty + 1 : 0;
        if (empty === 0) continue;
        const tookMs = clock.monotonicMs() - beganMs;
        const restMs = Math.max(1, Math.min(REST_MS * 2 ** (empty - 1), restMsMax));
        restsUntilMs = clock.monotonicMs() + Math.max(restMs, REST_TIMES * tookMs);
      }
      return undefined;
    },
  };
}
