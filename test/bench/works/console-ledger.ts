/**
 * The ledger of an old house: very many small batches that were paid, and some of very many rows, a few of them in doubt,
 * failed or paid. Arguments: folder, service JSON, small batches, files of the large ones. Prints the large ones' ids.
 */

import { keepHeapSmall } from '../../../src/cli/small-heap.ts';
import { isIn, type Payout } from '../../../src/domain/payouts/payout.ts';
import { openRows } from '../../../src/files/payout-file.ts';
import { importFile } from '../../../src/use-cases/intake/import-file.ts';
import { batchOf, eventsTo, moved, row } from '../../builders/ledger-batches.ts';
import { benchLedger, benchWorld } from '../bench-world.ts';
import { ledgerOptionsIn, ledgerPathIn } from '../console-place.ts';
import { printResult } from '../work-result.ts';

keepHeapSmall();
const [folder = '', service = '{}', batchesText = '0', ...paths] = process.argv.slice(2);
const batches = Number(batchesText);
const place = { folder, service };
const started = performance.now();
const ledger = await benchLedger(ledgerPathIn(place), ledgerOptionsIn(place));
const world = await benchWorld('', undefined, ledger);

const GOALS = ['settled', 'failed', 'in_doubt', 'quoted'] as const;
const large: string[] = [];
for (const path of paths) large.push(await largeBatch(path, `large-${large.length + 1}`));

// Side by side, so that many share one commit.
const AT_ONCE = 250;
for (let first = 0; first < batches; first += AT_ONCE) {
  const some = Array.from({ length: Math.min(AT_ONCE, batches - first) }, (_, at) => first + at);
  await Promise.all(some.map(smallBatch));
}
const ms = performance.now() - started;
await ledger.close();
printResult({ ms, rows: batches, note: large.join(' ') });

async function largeBatch(path: string, name: string): Promise<string> {
  const read = { open: { path }, name, source: 'GB', maker: 'bench' };
  const { importId, fileSha256, digest, amountStyle } = await importFile(openRows, read, world);
  await ledger.seal(importId, { fileSha256, digest, at: world.clock.now(), amountStyle });
  const first = { statuses: ['planned'], after: undefined, limit: 200 } as const;
  const { payouts } = await ledger.page(importId, first);
  await Promise.all(payouts.map((payout, at) => walk(payout, GOALS[at % GOALS.length] ?? 'settled')));
  return importId;
}

async function smallBatch(at: number): Promise<void> {
  const id = await batchOf(ledger, [row(at)], `payroll-${at}`);
  const { payouts } = await ledger.page(id, { statuses: ['planned'], after: undefined, limit: 1 });
  await Promise.all(payouts.map((payout) => walk(payout, 'settled')));
}

async function walk(payout: Payout, goal: (typeof GOALS)[number]): Promise<void> {
  if (isIn(payout, 'planned')) await moved(ledger, payout, ...eventsTo(goal, payout, ledger));
}
