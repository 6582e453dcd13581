/**
 * Opens the job queue of workers on the server of the ledger.
 *
 * Errors:  LedgerError if the ledger is in a file.
 */
import type { WorkQueue } from '../ports/fleet.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { ServerPlace } from '../ports/server-place.ts';
import type { LedgerServer } from './ledger-server.ts';
import type { Settings } from './load-settings.ts';
import { placeOf } from './open-server.ts';

const ANSWER_MS = 20_000;

/** Opens the queue for reading; undefined if no worker ever ran. Changes nothing. */
export async function openQueueForReading(
  settings: Settings,
  stop?: AbortSignal,
): Promise<WorkQueue | undefined> {
  return queueAt(await placeOf(settings, serverOf(settings)), false, stop);
}

export async function openWorkQueue(settings: Settings, stop?: AbortSignal): Promise<WorkQueue> {
  return createQueueAt(await placeOf(settings, serverOf(settings)), stop);
}

/** Opens the queue, and creates it if it is missing. */
export async function createQueueAt(place: ServerPlace, stop?: AbortSignal): Promise<WorkQueue> {
  const queue = await queueAt(place, true, stop);
  if (queue === undefined) throw new TypeError('The queue was not created');
  return queue;
}

async function queueAt(
  place: ServerPlace,
  create: boolean,
  stop?: AbortSignal,
): Promise<WorkQueue | undefined> {
  const { openQueue } = await import('../queue/fleet-on-boss.ts');
  const { serverDatabase } = await import('../ledger/access.ts');
  return openQueue({
    ...{ ledger: place.schema, create },
    connect: (schema) => serverDatabase({ ...place, schema }, { max: 4, answerMs: ANSWER_MS, stop }),
  });
}

export function serverOf({ ledgerServer, ledgerPath }: Settings): LedgerServer {
  if (ledgerServer !== undefined) return ledgerServer;
  const text =
    `Workers need a ledger on a PostgreSQL server, but the ledger ${ledgerPath} is a file. ` +
    'One machine needs no worker: payfile help schedules shows jobs for cron, systemd and Kubernetes.';
  throw new LedgerError('ledger_unsupported', text);
}
