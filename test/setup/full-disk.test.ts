/** A disk without room is called so, with the folder in which to make some, whatever SQLite calls it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LedgerError } from '../../src/ports/ledger/errors.ts';
import { explainFullDisk } from '../../src/setup/machine-checks.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-disk-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const KIB = 1_024;
const refused = (errcode: number) =>
  new LedgerError('ledger_unwritable', 'The ledger cannot be written: the disk reported an error.', {
    cause: Object.assign(new Error('disk I/O error'), { errcode }),
  });
const saidOf = (error: unknown, free: number | undefined) =>
  explainFullDisk(error, join(folder, 'state', 'ledger.db'), () => free);

it.each([
  ['an input or output error while the file beside the ledger is made longer', 4874],
  ['a full disk', 13],
])('names the folder and what to do after %s', (_what, errcode) => {
  const said = saidOf(refused(errcode), 32 * KIB);
  expect(said).toMatchObject({ code: 'ledger_unwritable' });
  expect(String(said)).toContain(
    `because the disk is full. ${folder} has 32 KiB free; expected at least 2 MiB`,
  );
  expect(String(said)).toContain('Then run the command again.');
});

it('leaves every other error as it is', () => {
  const others = [
    [refused(4874), 4_096 * KIB],
    [refused(4874), undefined],
    [refused(3), 0],
    [new LedgerError('ledger_missing', 'There is no ledger.'), 0],
    [new Error('something else'), 0],
  ] as const;
  for (const [error, free] of others) expect(saidOf(error, free)).toBe(error);
});
