/**
 * Writes a workbook of many rows and prints the most memory that it took, in MB. In a process of its own, with the
 * heap of the command: node large-workbook.ts ROWS FILE
 */

import { keepHeapSmall } from '../../../src/cli/small-heap.ts';
import { STATUSES } from '../../../src/domain/payouts/payout.ts';
import { openReportSink } from '../../../src/files/report/open-report-sink.ts';
import type { ReportRow } from '../../../src/ports/ledger/reports.ts';
import { writeReport } from '../../../src/use-cases/report/report-batch.ts';
import { aPayoutIn } from '../../builders/payouts.ts';
import { aHeader, aRow } from '../../builders/report-rows.ts';

const [rows = '', path = ''] = process.argv.slice(2);
const PAGE = 500;

async function* pages(count: number): AsyncGenerator<readonly ReportRow[]> {
  for (let from = 0; from < count; from += PAGE) {
    yield Array.from({ length: Math.min(PAGE, count - from) }, (_, at) => rowAt(from + at));
  }
}

/** One row in twenty is in another state, so that the other sheets have something to say. */
function rowAt(at: number): ReportRow {
  const status = at % 20 === 0 ? (STATUSES[(at / 20) % STATUSES.length] ?? 'held') : 'settled';
  const [reference, name] = [`REF-${at}`, `Person ${(at * 7_919) % 100_003}`];
  const payout = aPayoutIn(status, { rowNumber: at + 2, id: `p${at}`, instruction: { reference, name } });
  return aRow(payout, { cells: { 0: reference, 4: name } });
}

keepHeapSmall();
const sink = await openReportSink({ path, format: 'xlsx', fullAccounts: false });
await writeReport(pages(Number(rows)), aHeader(), { sink, ledgerTotals: async () => [] });
process.stdout.write(`${Math.round(process.resourceUsage().maxRSS / 1_000)}\n`);
