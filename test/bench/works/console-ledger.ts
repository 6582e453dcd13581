/**
 * The ledger of an old house: very many small batches that were paid, and one of very many rows, some of them in doubt,
 * failed or paid. Arguments: folder, service JSON, small batches, file of the large one. Prints the large one's id.
 */
import { openRows } from '../../../src/adapters/files/payout-file.ts';
import { isIn } from '../../../src/domain/payouts/payout.ts';
import { keepHeapSmall } from '../../../src/faces/cli/small-heap.ts';
import { importFile } from '../../../src/use-cases/intake/import-file.ts';
import { batchOf, eventsTo, moved, row } from '../../builders/ledger-batches.ts';
import { benchLedger, benchWorld } from '../bench-world.ts';
import { ledgerOptionsIn, ledgerPathIn } from '../console-place.ts';
import { printResult } from '../work-result.ts';

keepHeapSmall();
const [folder = '', service = '{}', batchesText = '0', path = ''] = process.argv.slice(2);
const batches = Number(batchesText);
const place = { folder, service };
const started = performance.now();
const ledger = await benchLedger(ledgerPathIn(place), ledgerOptionsIn(place));
const world = await benchWorld('', undefined, ledger);

const read = { open: { path }, name: 'large', decimal: undefined, source: 'GB', maker: 'bench' };
const large = await importFile(openRows, read, world);
await ledger.seal(large.importId, {
  fileSha256: large.fileSha256,
  digest: large.digest,
  at: world.clock.now(),
  amountStyle: large.amountStyle,
});
const GOALS = ['settled', 'failed', 'in_doubt', 'quoted'] as const;
const { payouts } = await ledger.page(large.importId, {
  statuses: ['planned'],
  after: undefined,
  limit: 200,
});
await Promise.all(payouts.map((payout, at) => walk(payout, GOALS[at % GOALS.length] ?? 'settled')));

// Side by side, so that many share one commit.
const AT_ONCE = 250;
for (let first = 0; first < batches; first += AT_ONCE) {
  const some = Array.from({ length: Math.min(AT_ONCE, batches - first) }, (_, at) => first + at);
  await Promise.all(some.map(smallBatch));
}
const ms = performance.now() - started;
await ledger.close();
printResult({ ms, rows: large.rows, note: large.importId });

async function smallBatch(at: number): Promise<void> {
  const id = await batchOf(ledger, [row(at)], `payroll-${at}`);
  const { payouts } = await ledger.page(id, { statuses: ['planned'], after: undefined, limit: 1 });
  await Promise.all(payouts.map((payout) => walk(payout, 'settled')));
}

async function walk(payout: (typeof payouts)[number], goal: (typeof GOALS)[number]): Promise<void> {
  if (isIn(payout, 'planned')) await moved(ledger, payout, ...eventsTo(goal, payout, ledger));
}
