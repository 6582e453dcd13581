/**
 * The queue of look-ups. Rows that may still change get one look each; rows on their way are asked again and again.
 *
 * Rows on their way and final rows take turns, so that neither waits for the others. No row waits for the end of another
 * row's look: a look without an answer is given up after a while, and its place goes to the next row. Silent rows, whose
 * last look showed no status, come after the others of their kind and hold half of the places at most, in the next run too.
 */

import type { PayoutId } from '../../domain/payouts/instruction.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import type { Timestamp } from '../../domain/timestamp.ts';
import { eachPayout } from '../each-due-payout.ts';
import type { Ports } from '../ports.ts';
import { lookPatience } from './look-patience.ts';
import { type OpenLooks, openLooks } from './open-looks.ts';
import {
  type FinalRows,
  finalRows,
  isSilent,
  rowsOnTheirWay,
  rowsWhere,
  type WalkedRows,
  walkedRows,
} from './rows-to-look-at.ts';

export interface LookQueue extends FinalRows {
  /** On the monotonic clock; undefined: every row that is due gets one look. */
  readonly until: number | undefined;
  readonly signal: AbortSignal | undefined;
  readonly look: (payout: Payout, limits: LookLimits) => Promise<void>;
}

export interface LookLimits {
  /** Aborts where the look is given up. */
  readonly signal: AbortSignal | undefined;
  /** The service has answered, and only writing that down is left. */
  readonly onAnswer: () => void;
  /** When the queue began: a final row whose look is cut off by its end stays due from then. */
  readonly startedAt: Timestamp;
  /** Of a final row: its first look in this run was given up. */
  readonly isAgain: boolean;
}

/** Final payouts that were due and not reached. */
export interface LeftDue {
  readonly count: number;
  /** Those whose last look showed a status. The others are counted as silent rows. */
  readonly unasked: { readonly count: number; readonly rows: readonly number[] };
}

export async function lookAtAll(queue: LookQueue, ports: Ports): Promise<LeftDue> {
  const { clock, policy } = ports;
  const { signal } = queue;
  const startedAt = clock.now();
  const open = openLooks(clock);
  const patience = lookPatience(signal, ports);
  const again: PayoutId[] = [];
  const source = rowsInTurn(queue, { startedAt, open, again }, ports);
  const walk = { concurrency: policy.concurrency, mayStart: () => !isOver(queue, ports), signal };
  await eachPayout(source, walk, (payout, answered) =>
    open.during(payout.id, async (onAnswered) => {
      const { id } = payout;
      const isAgain = patience.hasGivenUp(id);
      await patience.during(id, (limit) => {
        const onAnswer = () => {
          limit.answered();
          onAnswered();
          answered();
        };
        return queue.look(payout, { signal: limit.signal, onAnswer, startedAt, isAgain });
      });
      if (payout.state.status !== 'accepted' && !isAgain && patience.hasGivenUp(id)) again.push(id);
    }),
  );
  return isOver(queue, ports) ? leftDue(queue, startedAt, ports) : NONE_LEFT;
}

/** Also where the service is silent: a row that nobody was asked about got no look. */
function isOver(
  { until, signal }: Pick<LookQueue, 'until' | 'signal'>,
  { clock, silence }: Pick<Ports, 'clock' | 'silence'>,
): boolean {
  if (signal?.aborted === true || silence?.ended() !== undefined) return true;
  return until !== undefined && clock.monotonicMs() >= until;
}

interface Looking {
  readonly startedAt: Timestamp;
  readonly open: OpenLooks;
  /** Final rows whose look was given up. */
  readonly again: PayoutId[];
}

const IDLE_MS_MAX = 900;

/** Rows of one kind. */
interface Kind {
  readonly fresh: WalkedRows;
  readonly silent: WalkedRows;
}

async function* rowsInTurn(queue: LookQueue, looking: Looking, ports: Ports): AsyncGenerator<Payout> {
  const { clock, policy } = ports;
  const { until, signal } = queue;
  const { open } = looking;
  const kinds = kindsOf(queue, looking, ports);
  const silentMax = Math.max(1, Math.floor(policy.concurrency / 2));
  for (let turn = 0; !isOver(queue, ports); turn += 1) {
    const maySilent = () => open.silent() < silentMax;
    const payout = await nextOf(turn % 2 === 0 ? kinds : kinds.toReversed(), maySilent);
    if (payout !== undefined) {
      open.begin(payout.id, isSilent(payout));
      yield payout;
      continue;
    }
    const walks = kinds.flatMap(({ fresh, silent }) => [fresh, silent]);
    if (until === undefined && walks.every((walk) => walk.isOver())) return;
    if (until !== undefined && (await isAllFinal(queue, kinds, looking, ports))) return;
    const now = clock.monotonicMs();
    const wakes = [now + IDLE_MS_MAX, until ?? now, ...walks.map((walk) => walk.restsUntil())];
    await open.idle(Math.min(...wakes.filter((wakeMs) => wakeMs > now)) - now, signal);
  }
}

/** Rows on their way are walked again and again until the deadline; what is due is met then. */
function kindsOf(queue: LookQueue, { startedAt, open, again }: Looking, ports: Ports): readonly Kind[] {
  const { batchId, until } = queue;
  const kind = (isRepeated: boolean, walk: () => AsyncGenerator<Payout>): Kind => {
    const rest = { isRepeated, restMsMax: Math.min(IDLE_MS_MAX, ports.policy.pollMinMs) };
    const only = (isWanted: boolean) =>
      walkedRows(() => rowsWhere(walk(), (payout) => isSilent(payout) === isWanted), rest, ports);
    return { fresh: only(false), silent: only(true) };
  };
  const way = kind(until !== undefined, () => rowsOnTheirWay(batchId, open, ports));
  const ended = kind(false, () => finalRows(queue, startedAt, ports));
  if (until === undefined) return [way, ended];
  // Asked once more, with more patience: a service that is only slow answers then.
  const next = async () => {
    const id = again.shift();
    return id === undefined ? ended.silent.next() : ports.ledger.payout(id);
  };
  return [way, { ...ended, silent: { ...ended.silent, next } }];
}

async function nextOf(kinds: readonly Kind[], maySilent: () => boolean): Promise<Payout | undefined> {
  for (const { fresh, silent } of kinds) {
    const nextSilent = async () => (maySilent() ? silent.next() : undefined);
    // Silent rows go first once the others had their turn: they have half of the places at most.
    const payout =
      fresh.passes() > 0
        ? ((await nextSilent()) ?? (await fresh.next()))
        : ((await fresh.next()) ?? (await nextSilent()));
    if (payout !== undefined) return payout;
  }
  return undefined;
}

async function isAllFinal(
  { batchId }: LookQueue,
  kinds: readonly Kind[],
  { open, again }: Looking,
  { ledger }: Ports,
): Promise<boolean> {
  const isWalked = kinds.every(({ fresh, silent }) => fresh.passes() > 0 && silent.passes() > 0);
  if (!isWalked || open.count() > 0 || again.length > 0) return false;
  return (await ledger.counts(batchId)).accepted === 0;
}

const LEFT_MAX = 100_000;
const NAMED_MAX = 1_000;
const NONE_LEFT: LeftDue = { count: 0, unasked: { count: 0, rows: [] } };

/** Final rows that were due and got no look; counting ends at the limit. */
async function leftDue(queue: LookQueue, startedAt: Timestamp, ports: Ports): Promise<LeftDue> {
  let [count, unasked] = [0, 0];
  const rows: number[] = [];
  for await (const payout of finalRows(queue, startedAt, ports)) {
    if (count >= LEFT_MAX) break;
    count += 1;
    if (isSilent(payout)) continue;
    unasked += 1;
    if (rows.length < NAMED_MAX) rows.push(payout.rowNumber);
  }
  return { count, unasked: { count: unasked, rows } };
}
