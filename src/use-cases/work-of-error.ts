/**
 * Which work an error stopped: whoever catches the error can look up the batch, how many transfers the work began, and what
 * the journal says about the batch's money.
 */
import { type Batch, type StatusCounts, unknownOutcomes } from '../domain/batches/batch.ts';
import type { BatchId } from '../domain/payouts/instruction.ts';
import { countTransfers } from '../domain/payouts/transfers-begun.ts';
import type { Ports } from './ports.ts';

interface BrokenWork {
  /** undefined where the error came before any batch was worked on. */
  readonly batch?: Batch | undefined;
  /** undefined for work that sends nothing. */
  readonly begun?: BegunHere | undefined;
  /** The batch that the work was intended for, as far as the ledger knows it before the work. */
  readonly intended?: (() => Promise<Batch | undefined>) | undefined;
}

/** What is known of transfers without the ledger. */
export interface BegunHere {
  /** Transfers that this process began, without those that are proven not to have left. */
  readonly transfers: number;
  /** Workers were asked to do a part, and may have begun more. */
  readonly mayBeMore: boolean;
  /** Where the journal of the batch ended before; undefined where no batch was worked on yet. */
  readonly since: number | undefined;
}

export const NOTHING_BEGUN: BegunHere = { transfers: 0, mayBeMore: false, since: undefined };

const works = new WeakMap<Error, BrokenWork>();

/** undefined for an error of anything else. */
export function workOfError(error: unknown): BrokenWork | undefined {
  return error instanceof Error ? works.get(error) : undefined;
}

/** Does not change the error; keeps what was remembered for it before. */
export async function rememberWorkOnError<Result>(
  known: () => BrokenWork,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error) works.set(error, { ...known(), ...works.get(error) });
    throw error;
  }
}

export interface Sending {
  /** Passes progress on to the listener of the given ports. */
  readonly ports: Ports;
  /** From now on errors are about this batch. */
  startBatch(batch: Batch): Promise<void>;
  /** Rows that this process or its workers sent for this work, without those that are proven not to have left. */
  begun(): Promise<number>;
}

/** Work that may send. */
export async function whileSending<Result>(
  ports: Ports,
  work: (sending: Sending) => Promise<Result>,
): Promise<Result> {
  const transfers = countTransfers();
  let batch: Batch | undefined;
  let since: number | undefined;
  let mayBeMore = false;
  const heard: Ports = {
    ...ports,
    tell(event) {
      if (event.kind === 'moved') transfers.moved(event.from, event.payout.state.status);
      if (event.kind === 'at_workers') mayBeMore = true;
      ports.tell(event);
    },
  };
  const startBatch = async (found: Batch) => {
    batch = found;
    since = await ports.ledger.lastEntry(found.id);
  };
  const here = (): BegunHere => ({ transfers: transfers.begun(), mayBeMore, since });
  const begun = async () => (batch === undefined ? 0 : begunIn(batch.id, here(), ports.ledger));
  return rememberWorkOnError(
    () => ({ begun: here(), ...(batch === undefined ? {} : { batch }) }),
    () => work({ ports: heard, startBatch, begun }),
  );
}

/** By the journal, which knows what workers sent. */
export async function begunIn(
  batchId: BatchId,
  { transfers, since }: BegunHere,
  ledger: Pick<Ports['ledger'], 'countBegun'>,
): Promise<number> {
  return since === undefined ? transfers : ledger.countBegun(batchId, since);
}

/** What the journal says of a batch's money, in rows. */
export interface MoneySent {
  readonly sent: number;
  /** No outcome was written down: each may have been paid, and none is sent again by itself. */
  readonly perhapsSent: number;
  /** Agreed to, and still waiting. */
  readonly notSent: number;
  /** Of those sent or perhaps sent, what the last command began; undefined where it sends nothing. */
  readonly begun: number | undefined;
}

export function moneySent(counts: StatusCounts, begun?: number): MoneySent {
  const { accepted, settled, failed, returned, approved } = counts;
  const sent = accepted + settled + failed + returned;
  return { sent, perhapsSent: unknownOutcomes(counts), notSent: approved, begun };
}
