/**
 * Opens the queue of the workers, which is on the ledger's server.
 *
 * Errors:  LedgerError where the ledger is in a file.
 */
import { readFile } from 'node:fs/promises';
import type { ServerPlace } from '../adapters/ledger/postgres/pg-client.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { DueAfter, WorkQueue } from '../ports/work-queue.ts';
import type { LedgerServer } from './ledger-server.ts';
import type { Settings } from './load-settings.ts';
import { pathFrom } from './places.ts';

/** undefined where nothing was ever scheduled. Changes nothing. */
export async function queueToLookAt(settings: Settings): Promise<WorkQueue | undefined> {
  const place = await placeOf(settings, serverOf(settings));
  return (await door()).openBossQueue({ place, wakes: false }, false);
}

/** `wakes`: this process tells others when a schedule is due. */
export async function openWorkQueue(settings: Settings, { wakes }: { wakes: boolean }): Promise<WorkQueue> {
  const place = await placeOf(settings, serverOf(settings));
  return (await door()).openBossQueue({ place, wakes }, true);
}

export async function readerOfTimes(): Promise<DueAfter> {
  return (await door()).dueAfter;
}

const door = () => import('../adapters/work-queue/boss-queue.ts');

export function serverOf({ ledgerServer, ledgerPath }: Settings): LedgerServer {
  if (ledgerServer !== undefined) return ledgerServer;
  const text =
    `Schedules and workers need a ledger on a PostgreSQL server; ${ledgerPath} is a file. On one machine use cron or the ` +
    'systemd timer: samples/cron, samples/systemd and payfile help monitoring.';
  throw new LedgerError('ledger_unsupported', text);
}

async function placeOf({ cwd }: Settings, { tls, password, ...server }: LedgerServer): Promise<ServerPlace> {
  const root = tls?.rootPath === undefined ? undefined : await readFile(pathFrom(cwd, tls.rootPath), 'utf8');
  return { ...server, password: password?.reveal(), tls: tls && { root } };
}
