/** Ours: the proof of a whole ledger. Arguments: ledger. */
import { keepHeapSmall } from '../../../src/cli/small-heap.ts';
import { benchLedger } from '../bench-world.ts';
import { printResult } from '../work-result.ts';

keepHeapSmall();
const [ledgerPath = ''] = process.argv.slice(2);
const ledger = await benchLedger(ledgerPath);
const started = performance.now();
const { entries, problems } = await ledger.verify();
const ms = performance.now() - started;
await ledger.close();
printResult({ ms, rows: entries, note: problems[0] ?? 'whole' });
