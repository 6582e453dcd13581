/**
 * Opens the queue of the workers, which is on the ledger's server.
 *
 * Errors:  LedgerError where the ledger is in a file.
 */
import type { WorkQueue } from '../ports/fleet.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { LedgerServer } from './ledger-server.ts';
import type { Settings } from './load-settings.ts';
import { placeOf } from './open-server.ts';

/** undefined if no worker ever ran. Changes nothing. */
export async function queueToLookAt(settings: Settings, stop?: AbortSignal): Promise<WorkQueue | undefined> {
  const { findBossQueue } = await import('../queue/boss-queue.ts');
  return findBossQueue(await queuePlace(settings, stop));
}

export async function openWorkQueue(settings: Settings, stop?: AbortSignal): Promise<WorkQueue> {
  const { openBossQueue } = await import('../queue/boss-queue.ts');
  return openBossQueue(await queuePlace(settings, stop));
}

/** A worker counts as dead before that: each question is a small one. */
const ANSWER_MS = 20_000;

async function queuePlace(settings: Settings, stop: AbortSignal | undefined) {
  const { serverDatabase } = await import('../ledger/access.ts');
  const place = await placeOf(settings, serverOf(settings));
  return { ledger: place.schema, database: serverDatabase(place, { max: 4, answerMs: ANSWER_MS, stop }) };
}

export function serverOf({ ledgerServer, ledgerPath }: Settings): LedgerServer {
  if (ledgerServer !== undefined) return ledgerServer;
  const text =
    `Workers need a ledger on a PostgreSQL server, and the ledger ${ledgerPath} is a file. ` +
    'One machine needs no worker: payfile help schedules shows jobs for cron, systemd and Kubernetes.';
  throw new LedgerError('ledger_unsupported', text);
}
