/** The SQLite ledger keeps the promises of the port in a file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { timestampOf } from '../../../src/domain/timestamp.ts';
import { ledgerContract } from '../../contracts/ledger-contract.ts';
import { partsContract } from '../../contracts/ledger-parts-contract.ts';
import { openAt } from './ledger-files.ts';

ledgerContract('SQLite in a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-ledger-'));
  const path = join(folder, 'ledger.db');
  let ledger = await openAt(path);
  return {
    get ledger() {
      return ledger;
    },
    async reopen() {
      await ledger.close();
      ledger = await openAt(path);
      return ledger;
    },
    async end() {
      await ledger.close();
      rmSync(folder, { recursive: true });
    },
  };
});

partsContract('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-parts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  let now = Date.now();
  const clock = { now: () => timestampOf(now) };
  const open = () => openAt(join(folder, 'ledger.db'), { clock });
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { ledgers: [await open(), await open(), await open()], pass };
});
