/**
 * Opens the queue of the workers, which is on the ledger's server.
 *
 * Errors:  LedgerError where the ledger is in a file.
 */
import { patienceOf } from '../ledger/patience.ts';
import type { WorkQueue } from '../ports/fleet.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { LedgerServer } from './ledger-server.ts';
import type { Settings } from './load-settings.ts';
import { placeOf } from './open-server.ts';

/** undefined if no worker ever ran. Changes nothing. */
export async function queueToLookAt(settings: Settings, stop?: AbortSignal): Promise<WorkQueue | undefined> {
  const place = await placeOf(settings, serverOf(settings));
  return (await door()).openBossQueue(place, false, patienceOf(stop).of);
}

export async function openWorkQueue(settings: Settings, stop?: AbortSignal): Promise<WorkQueue> {
  const place = await placeOf(settings, serverOf(settings));
  return (await door()).openBossQueue(place, true, patienceOf(stop).of);
}

const door = () => import('../queue/boss-queue.ts');

export function serverOf({ ledgerServer, ledgerPath }: Settings): LedgerServer {
  if (ledgerServer !== undefined) return ledgerServer;
  const text =
    `Workers need a ledger on a PostgreSQL server, and the ledger ${ledgerPath} is a file. ` +
    'One machine needs no worker: payfile help schedules shows jobs for cron, systemd and Kubernetes.';
  throw new LedgerError('ledger_unsupported', text);
}
