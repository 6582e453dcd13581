/** Report pages with texts of people, and pages with one text in each place for text from outside. */
import { join } from 'node:path';
import { asTransferId } from '../../../src/domain/payouts/instruction.ts';
import type { Status } from '../../../src/domain/payouts/payout.ts';
import type { ReportHeader } from '../../../src/domain/reporting/report.ts';
import { Sensitive } from '../../../src/domain/text/sensitive.ts';
import { openReportSink } from '../../../src/files/report/open-report-sink.ts';
import type { ReportRow } from '../../../src/ports/ledger/reports.ts';
import { writeReport } from '../../../src/use-cases/report/report-batch.ts';
import { someDecisions } from '../../builders/mixed-batch.ts';
import { aPayoutIn, aPricing, aReason, OVER_LIMIT } from '../../builders/payouts.ts';
import { aBatch, aHeader, aRow, inPages, ledgerTotalsOf } from '../../builders/report-rows.ts';
import { folder } from './written.ts';

interface Wish {
  readonly header?: ReportHeader;
  readonly said?: string;
}

export async function write(
  name: string,
  rows: readonly ReportRow[],
  { header = aHeader(), said }: Wish = {},
) {
  const sink = await openReportSink({ path: join(folder, name), format: undefined, fullAccounts: true });
  const ledgerTotals = async () => ledgerTotalsOf(rows);
  await writeReport(inPages(rows), header, {
    sink,
    ledgerTotals,
    decisions: async () => someDecisions(said),
  });
}

const OTHERS: readonly Status[] = ['in_doubt', 'failed', 'held', 'canceled', 'returned'];

/** Settled, and in turn one of the other states. */
function statesOf(at: number): readonly Status[] {
  return ['settled', OTHERS[at % OTHERS.length] ?? 'held'];
}

/** Puts each text in every place for text from a file, the service or a person. */
export async function writeSaying(name: string, texts: readonly string[]): Promise<void> {
  const rows = texts.flatMap((said, at) =>
    statesOf(at).map((status, nth) => sayingRow(said, status, at * 2 + nth + 2)),
  );
  const all = texts.join(' ');
  const batch = aBatch({ name: all, maker: all });
  const approval = batch.approval === undefined ? undefined : { ...batch.approval, by: all };
  const file = { ...batch.file, name: all, sheet: all };
  await write(name, rows, { header: aHeader({ batch: { ...batch, file, approval } }), said: all });
}

function sayingRow(said: string, status: Status, rowNumber: number): ReportRow {
  const pricing = aPricing({ nameCheck: { result: 'close_match', resolved: `${said} too`, reason: said } });
  const instruction = {
    name: said,
    reference: said,
    institutionName: said,
    destinationName: said,
    account: new Sensitive(said),
  };
  const state = {
    pricing,
    reason: status === 'in_doubt' ? 'no_answer' : said,
    by: said,
    reasons: [aReason(OVER_LIMIT, said)],
    serviceStatus: said,
    transferId: asTransferId(said),
    discrepancies: [said],
  };
  return aRow(aPayoutIn(status, { rowNumber, id: `p${rowNumber}`, instruction, state }));
}
