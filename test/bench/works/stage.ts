/** Ours: read + validate + stage a whole file, durably. Arguments: file, ledger path. */

import { keepHeapSmall } from '../../../src/cli/small-heap.ts';
import { openRows } from '../../../src/files/payout-file.ts';
import { importFile } from '../../../src/use-cases/intake/import-file.ts';
import { benchWorld } from '../bench-world.ts';
import { printResult } from '../work-result.ts';

keepHeapSmall();
const [path = '', ledgerPath = ''] = process.argv.slice(2);
const world = await benchWorld(ledgerPath);
const started = performance.now();
const imported = await importFile(
  openRows,
  { open: { path }, name: 'bench', source: 'GB', maker: 'bench' },
  world,
);
await world.ledger.seal(imported.importId, {
  fileSha256: imported.fileSha256,
  digest: imported.digest,
  at: world.clock.now(),
  amountStyle: imported.amountStyle,
});
const ms = performance.now() - started;
await world.ledger.close();
printResult({ ms, rows: imported.rows, note: `${imported.invalid} invalid` });
