/**
 * The fleet: the workers of a ledger on a server, and a worker itself.
 *
 * Errors:  RequestRefused; LedgerError if the ledger is in a file.
 */
import { batchLabel } from '../domain/batches/batch.ts';
import type { BatchId } from '../domain/payouts/instruction.ts';
import { type FleetSeen as SeenOnServer, WORKER_QUEUES, type WorkerQueue } from '../ports/fleet.ts';
import { openWorkQueue, serverOf } from '../setup/work-queue.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import { type ServeEvent, serve } from '../use-cases/fleet/serve.ts';
import { RequestRefused } from '../use-cases/request-refused.ts';
import { type Door, knownLedger } from './door.ts';
import { harmlessListener, unheard } from './listeners.ts';

export { WORKER_QUEUES } from '../ports/fleet.ts';
export type { ServeEvent } from '../use-cases/fleet/serve.ts';

/** `ready`: the worker opened the queue. */
export type WorkerEvent = ServeEvent | { readonly kind: 'ready' };

/** What a worker does, and until when. */
export interface WorkOptions {
  /** The kinds of work that it does; by default all. */
  readonly queues?: readonly WorkerQueue[] | undefined;
  /** The most lanes that it takes at a time. All workers share the lanes. */
  readonly lanes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Ends when no work is left. */
  readonly once?: boolean | undefined;
  readonly onEvent?: ((event: WorkerEvent) => void) | undefined;
  /** Called when a row of this worker changes. */
  readonly onProgress?: Dialogue['onProgress'];
}

/** The workers of a ledger on a server, what they do, and what waits. */
export interface FleetSeen extends SeenOnServer {
  /** The `rate` in the settings of this process. */
  readonly ownRate: number | undefined;
  /** Names of batches by their id. */
  readonly batchNames: ReadonlyMap<string, string>;
}

const NOBODY: SeenOnServer = {
  workers: [],
  works: [],
  lanes: [],
  queues: [],
  pausedUntil: undefined,
  rate: undefined,
};

export interface FleetMethods {
  /**
   * Lists the workers of the ledger and the work that waits. Both are empty if no worker ever ran.
   *
   * Errors: RequestRefused, LedgerError.
   * @example
   * const { workers, works } = await payfile.fleet();
   * console.log(workers.length, works.length);
   */
  fleet(): Promise<FleetSeen>;
  /**
   * Does work of runs beside other workers, until the signal comes: stages of batches, and parts to send.
   *
   * Errors: RequestRefused, LedgerError.
   * @example
   * await payfile.work({ once: true, onEvent: ({ kind }) => console.log(kind) });
   */
  work(options?: WorkOptions): Promise<void>;
}

export function fleetMethods(door: Door): FleetMethods {
  const { settings } = door;
  return {
    async fleet() {
      serverOf(settings);
      const ledger = await knownLedger(door);
      const seen = (await (await door.parts.fleet())?.seen()) ?? NOBODY;
      const batchNames = new Map((await ledger.batches()).map((batch) => [batch.id, batchLabel(batch)]));
      return { ...seen, ownRate: settings.requestsPerSecond, batchNames };
    },
    work: (options = {}) => work(options, door),
  };
}

async function work(
  { signal, once = false, onEvent = () => undefined, onProgress, ...options }: WorkOptions,
  door: Door,
): Promise<void> {
  const { settings, parts, holder } = door;
  const { queues = WORKER_QUEUES, lanes = settings.lanes } = options;
  serverOf(settings);
  if (settings.environment !== 'live')
    throw new RequestRefused('The embedded sandbox runs in one process. Workers cannot share its work.');
  await knownLedger(door);
  const queue = await openWorkQueue(settings, signal);
  const reportProgress = harmlessListener(onProgress);
  const { host, pid, user } = holder;
  const serving = {
    worker: {
      ...{ host, pid, user, queues, rate: settings.requestsPerSecond },
      lanes: { all: settings.lanes, own: lanes },
    },
    ...{ holder, signal: signal ?? new AbortController().signal, once },
    tell: (event: ServeEvent) => unheard(() => onEvent(event)),
    async labelOf(id: BatchId) {
      const batch = await door
        .ledger()
        .then((ledger) => ledger.batch(id))
        .catch(() => undefined);
      return batch === undefined ? id : batchLabel(batch);
    },
    async ports(deadlineMs?: number) {
      const ports = await door.ports({}, deadlineMs);
      const tell: typeof ports.tell = (event) => {
        ports.tell(event);
        reportProgress(event);
      };
      return { ...ports, tell, fleet: undefined };
    },
  };
  onEvent({ kind: 'ready' });
  try {
    await serve({ fleet: queue.fleet, clock: parts.clock, log: parts.log }, serving);
  } finally {
    await queue.close();
  }
}
