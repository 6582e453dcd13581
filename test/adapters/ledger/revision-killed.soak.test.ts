/** A process that is killed in the middle of a long revision. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { asBatchId } from '../../../src/domain/payouts/instruction.ts';
import { all, batchOf, importOf, row, STYLE_READ, sealOf } from '../../builders/ledger-batches.ts';
import { NOW } from '../../builders/payouts.ts';
import { openAt } from './ledger-files.ts';
import { startProcess } from './ledger-process.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-crash-'));
  path = join(folder, 'ledger.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('[L1] leaves a revision that can be taken up again, with nothing lost or doubled', async () => {
  const writer = await openAt(path);
  const id = await batchOf(
    writer,
    Array.from({ length: 3_000 }, (_, n) => row(n + 1)),
  );
  await writer.close();
  const run = startProcess('revise', path, id);
  await run.seen(1);
  await new Promise((resolve) => setTimeout(resolve, 60));
  run.child.kill('SIGKILL');
  await run.ended;
  const ledger = await openAt(path);
  const importId = asBatchId(run.lines[0] ?? '');
  expect((await ledger.verify()).problems).toEqual([]);
  if ((await ledger.batch(importId))?.mergedInto === undefined) {
    const compared = await ledger.compare(id, importId);
    expect([compared.unchanged, compared.added]).toEqual([2_501, 499]);
    const digest = (
      await sealOf(
        ledger,
        await importOf(
          ledger,
          Array.from({ length: 3_000 }, (_, n) => row(n + 500)),
        ),
      )
    ).digest;
    await ledger.revise(id, importId, {
      by: 'ama',
      at: NOW,
      seal: { fileSha256: 'f', digest, at: NOW, amountStyle: STYLE_READ },
    });
  }
  expect((await all(ledger, id)).map(({ rowNumber }) => rowNumber)).toEqual(
    Array.from({ length: 3_000 }, (_, n) => n + 501),
  );
  expect((await ledger.verify()).problems).toEqual([]);
  await ledger.close();
});
