/** Verify beside a run: what it compares is of one moment, so that a healthy ledger is never called broken. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Ledger } from '../../../src/ports/ledger/ledger.ts';
import { batchOf, importOf, row, walkedTo } from '../../builders/ledger-batches.ts';
import { openAt } from './ledger-files.ts';

let folder: string;
let path: string;
let writer: Ledger;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-beside-'));
  path = join(folder, 'ledger.db');
  writer = await openAt(path);
});
afterEach(async () => {
  await writer.close();
  rmSync(folder, { recursive: true, force: true });
});

/** So many commits that verifying gives a run many turns. */
async function manyCommits(): Promise<void> {
  const id = await batchOf(
    writer,
    Array.from({ length: 30 }, (_, n) => row(n + 1)),
    'may',
  );
  for await (const page of writer.payouts(id))
    for (const payout of page) await walkedTo(writer, payout, 'settled');
}

it('finds nothing wrong while a run takes an import back that it had begun', async () => {
  await manyCommits();
  const left = await importOf(writer, [row(101), row(102)]);
  const reader = await openAt(path, { readOnly: true });
  const whole = await reader.verify();
  const [beside] = await Promise.all([reader.verify(), writer.dropImport(left)]);
  expect(beside).toEqual(whole);
  expect(whole.problems).toEqual([]);
  expect((await reader.verify()).entries).toBe(whole.entries + 1);
  await reader.close();
});

it('finds nothing wrong while it verifies in the process that sends', async () => {
  await manyCommits();
  const left = await importOf(writer, [row(101), row(102)]);
  const [beside] = await Promise.all([writer.verify(), writer.dropImport(left)]);
  expect(beside.problems).toEqual([]);
});

it('stops, and calls nothing broken, when the log of a busy run grows too much meanwhile', async () => {
  await manyCommits();
  const reader = await openAt(path, { readOnly: true, verifyLogMax: 64 * 1024 });
  const growing = batchOf(
    writer,
    Array.from({ length: 500 }, (_, n) => row(n + 1_000)),
    'june',
  );
  const verified = await reader.verify().catch((error: unknown) => error);
  expect(verified).toMatchObject({
    code: 'ledger_busy',
    message: expect.stringContaining('make a backup now'),
  });
  await growing;
  expect((await reader.verify()).problems).toEqual([]);
  await reader.close();
});
