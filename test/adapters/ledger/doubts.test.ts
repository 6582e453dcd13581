/** Which batches somebody has to be told of: rows in doubt, and rows that a dead process left on the wire. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { batchOf, HOLDER, only, row, walkedTo } from '../../builders/ledger-batches.ts';
import { openAt } from './ledger-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-doubts-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('tells of rows in doubt in any batch, and of rows on the wire once nobody living has their batch', async () => {
  const ledger = await openAt(join(folder, 'ledger.db'));
  const quiet = await batchOf(ledger, [row(1)]);
  const doubtful = await batchOf(ledger, [row(2), row(3), row(4)], 'may');
  for (const rowNumber of [4, 5]) await walkedTo(ledger, await only(ledger, doubtful, rowNumber), 'in_doubt');
  const atWork = await batchOf(ledger, [row(5)], 'june');
  await walkedTo(ledger, await only(ledger, atWork, 6), 'sending');
  const lease = await ledger.lease(atWork, { ...HOLDER, host: hostname() });
  const inDoubt = { batchId: doubtful, name: 'may', inDoubt: 2, leftInFlight: 0, firstRow: 4 };
  expect(await ledger.openDoubts()).toEqual([inDoubt]);

  if (lease.kind !== 'leased') throw new Error('the batch is taken');
  await lease.release();
  const left = { batchId: atWork, name: 'june', inDoubt: 0, leftInFlight: 1, firstRow: undefined };
  expect(await ledger.openDoubts()).toEqual([left, inDoubt]);
  expect(quiet).not.toBe(doubtful);
  await ledger.close();
});

it('makes no ledger where the list of ledgers cannot be kept, and names the way out', async () => {
  const path = join(folder, 'ledger.db');
  writeFileSync(join(folder, 'config'), 'a file in the place of a folder');
  const opened = openAt(path, { knownLedgersPath: join(folder, 'config', 'known-ledgers.json') });
  await expect(opened).rejects.toMatchObject({ code: 'ledger_unwritable' });
  await expect(opened).rejects.toThrow(/XDG_CONFIG_HOME/);
  rmSync(join(folder, 'config'));
  const again = await openAt(path, { create: false }).catch((error: unknown) => error);
  expect(again).toMatchObject({ code: 'ledger_missing' });
});
