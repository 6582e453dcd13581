/**
 * The fleet: who works with the ledger on a server, and a worker. Both need a ledger on a server.
 *
 * Errors:  RequestRefused; LedgerError where the ledger is in a file.
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

/** `ready`: the queue is open. */
export type WorkerEvent = ServeEvent | { readonly kind: 'ready' };

export interface WorkOptions {
  /** What it does; all of it unless told. */
  readonly queues?: readonly WorkerQueue[] | undefined;
  /** Of the lanes that all workers share it takes at most so many at a time. */
  readonly lanes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Ends when nothing waits any more. */
  readonly once?: boolean | undefined;
  readonly onEvent?: ((event: WorkerEvent) => void) | undefined;
  /** What becomes of rows that this worker has. */
  readonly onProgress?: Dialogue['onProgress'];
}

export interface FleetSeen extends SeenOnServer {
  /** By the settings of this process. */
  readonly ownRate: number | undefined;
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
  /** Who works with the ledger on the server, and what waits; where no worker was ever there, nobody and nothing. */
  fleet(): Promise<FleetSeen>;
  /** Does stages of batches that others ask for, and parts of sendings, beside other workers, until the signal comes. */
  work(options?: WorkOptions): Promise<void>;
}

export function fleetMethods(door: Door): FleetMethods {
  const { settings } = door;
  return {
    async fleet() {
      serverOf(settings);
      await knownLedger(door);
      const seen = (await (await door.parts.fleet())?.seen()) ?? NOBODY;
      return { ...seen, ownRate: settings.requestsPerSecond };
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
  const queue = await openWorkQueue(settings);
  const told = harmlessListener(onProgress);
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
        told(event);
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
