/**
 * An audit file of a batch: its reports, and the chain of its journal as it is proven, all of one moment.
 *
 * Errors:  BatchNotFound, RequestRefused, ReportUnwritable. No file is left behind.
 */
import type { Batch } from '../../domain/batches/batch.ts';
import type { ReportFormat } from '../../domain/reporting/report.ts';
import { type AuditPage, type OpenAuditSink, ReportUnwritable } from '../../ports/outputs.ts';
import { findBatch } from '../find-batch.ts';
import { type AskingReports, requireColumns, type WantedFile } from './asked-report.ts';
import { atOneMoment, type ReportingPorts } from './batch-view.ts';
import { decisionsAbout, reportBatch, reportHeader } from './report-batch.ts';

export interface AuditMade {
  readonly batch: Batch;
  readonly environment: 'live' | 'sandbox';
  /** Of the list of the files and their hashes. */
  readonly sha256: string;
  readonly missing: AuditPage['missing'];
  /** What `verify` found wrong in the ledger. */
  readonly problems: readonly string[];
}

const REPORTS: readonly (readonly [name: string, format: ReportFormat])[] = [
  ['report.html', 'html'],
  ['workbook.xlsx', 'xlsx'],
  ['payments.csv', 'csv'],
  ['journal.csv', 'journal'],
];

interface AuditAsked extends Omit<WantedFile, 'path'> {
  readonly path: string;
  readonly by: string;
}

export async function auditOf(
  named: string,
  asked: AuditAsked,
  ports: AskingReports & { readonly openAuditSink: OpenAuditSink },
): Promise<AuditMade> {
  const found = await findBatch(named, ports.ledger);
  requireColumns(asked, [found]);
  if (asked.isNoted) await ports.note(found, 'in an audit file');
  const sink = await ports.openAuditSink(asked);
  try {
    return await atOneMoment([found], ports, async (still) => {
      const { ledger } = still;
      const batch = (await ledger.batch(found.id)) ?? found;
      const header = await reportHeader(batch, still);
      const missing = await reportsIn(header, sink.placeOf, asked, still);
      const proof = await sink.write('chain.txt', (tell) => ledger.verify(batch.id, tell));
      const decisions = await decisionsAbout(batch.id, ledger, Number.MAX_SAFE_INTEGER);
      const compared = await ledger.notes(batch.id, 'statement_compared');
      const sha256 = await sink.end({ header, by: asked.by, decisions, compared, proof, missing });
      const { environment } = ledger.identity;
      return { batch, environment, sha256, missing, problems: proof.problems };
    });
  } catch (error) {
    await sink.abort();
    throw error;
  }
}

/** A journal that does not balance is not written; that is what an auditor has to know. */
async function reportsIn(
  header: AuditPage['header'],
  placeOf: (name: string) => string,
  { fullAccounts = false, keptColumns = [] }: AuditAsked,
  ports: ReportingPorts,
): Promise<AuditPage['missing']> {
  const missing: { name: string; why: string }[] = [];
  for (const [name, format] of REPORTS) {
    const shown = { fullAccounts, maskAccounts: !fullAccounts, keptColumns };
    try {
      await reportBatch(header, ports, { target: { path: placeOf(name), format, ...shown } });
    } catch (error) {
      if (!(error instanceof ReportUnwritable) || format !== 'journal') throw error;
      missing.push({ name, why: error.message });
    }
  }
  return missing;
}
