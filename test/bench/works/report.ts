/** Ours: the report of a staged batch to CSV. Arguments: ledger path, target. */

import { keepHeapSmall } from '../../../src/cli/small-heap.ts';
import { openReportSink } from '../../../src/files/report/open-report-sink.ts';
import { systemClock } from '../../../src/outside/system-clock.ts';
import { reportBatch } from '../../../src/use-cases/report/report-batch.ts';
import { benchLedger } from '../bench-world.ts';
import { printResult } from '../work-result.ts';

keepHeapSmall();
const [ledgerPath = '', path = ''] = process.argv.slice(2);
const ledger = await benchLedger(ledgerPath);
const found = await ledger.findBatch('bench');
if (found.kind !== 'found') throw new TypeError('Stage first');
const header = {
  batch: found.batch,
  environment: 'sandbox' as const,
  madeAt: systemClock.now(),
  reissueAfterMs: 0,
};
const started = performance.now();
const reported = await reportBatch(
  header,
  { ledger, openSink: openReportSink },
  { target: { path, format: undefined, fullAccounts: false } },
);
const ms = performance.now() - started;
await ledger.close();
const { linesOut, ties } = reported.totals;
printResult({ ms, rows: linesOut, note: ties ? 'totals tie' : 'TOTALS PART' });
