/** A ledger file that another process keeps. */
import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { timestampOf } from '../../../src/domain/timestamp.ts';
import { batchOf, HOLDER, row } from '../../builders/ledger-batches.ts';
import { openAt } from './ledger-files.ts';

it('[L20] gives up after five seconds, naming who is at work with the ledger', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-lease-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'ledger.db');
  const here = { ...HOLDER, host: hostname() };
  const ledger = await openAt(path);
  const id = await batchOf(ledger, [row(1)]);
  await ledger.lease(id, here);
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  const refusal = await ledger.resume(id, 'ama', timestampOf(1)).catch((error: unknown) => error);
  other.exec('ROLLBACK');
  other.close();
  expect(refusal).toMatchObject({ code: 'ledger_busy' });
  expect(String(refusal)).toContain(`process ${here.pid} of ama on ${here.host} (payfile run)`);
  await ledger.close();
}, 15_000);
