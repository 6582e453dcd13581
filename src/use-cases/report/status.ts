/**
 * How all batches of a ledger stand, and how one does, for somebody who looks. Changes nothing; may be asked while a run
 * is going.
 */
import {
  type Batch,
  type BatchOutcome,
  type BatchStatus,
  batchOutcome,
  batchStatus,
  type StatusCounts,
} from '../../domain/batches/batch.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import type { OpenDoubts } from '../../ports/ledger/batches.ts';
import { planOf } from '../approve/plan.ts';
import { notedIncidents } from '../settle/raise-incident.ts';
import { type BatchSummary, type ReportingPorts, summaryOf } from './batch-summary.ts';
import { reportBatch, reportHeader } from './report-batch.ts';

export interface Overview {
  readonly environment: 'live' | 'sandbox';
  readonly ledgerPath: string;
  /** Newest first; the first fifty. */
  readonly batches: readonly BatchLine[];
  /** How many there are in all. */
  readonly count: number;
  readonly doubts: readonly OpenDoubts[];
}

interface BatchLine {
  readonly batch: Batch;
  readonly counts: StatusCounts;
  readonly status: BatchStatus;
  readonly outcome: BatchOutcome;
}

export interface BatchState extends BatchSummary {
  readonly status: BatchStatus;
  /** What waits for approval; undefined when nothing does. */
  readonly plan: Plan | undefined;
  /** Of all batches. */
  readonly doubts: readonly OpenDoubts[];
}

const BATCHES_MAX = 50;

export async function overviewOf(ports: ReportingPorts): Promise<Overview> {
  const { ledger } = ports;
  const { environment, path: ledgerPath } = ledger.identity;
  // What is still being read, or was left behind by a process that died, is no batch.
  const all = (await ledger.batches()).filter(({ isImporting }) => !isImporting);
  const batches = await Promise.all(all.slice(0, BATCHES_MAX).map((batch) => lineOf(batch, ports)));
  return { environment, ledgerPath, batches, count: all.length, doubts: await ledger.openDoubts() };
}

async function lineOf(batch: Batch, ports: ReportingPorts): Promise<BatchLine> {
  const counts = await ports.ledger.counts(batch.id);
  const outcome = batchOutcome(counts, await incidentsOf(batch, ports));
  return { batch, counts, status: batchStatus(batch, counts), outcome };
}

/** Rows are counted only where there is something to count: a batch may have a million. */
async function incidentsOf(batch: Batch, ports: ReportingPorts): Promise<number> {
  const { ledger } = ports;
  const noted = await notedIncidents(batch.id, { ledger });
  if (noted.size === 0 && !(await ledger.hasIncident(batch.id))) return 0;
  const { totals } = await reportBatch(reportHeader(batch, ports), ports, { target: undefined });
  return totals.incidents;
}

export async function stateOf(batch: Batch, ports: ReportingPorts): Promise<BatchState> {
  const summary = await summaryOf(batch, ports);
  const { counts } = summary.totals;
  const plan = counts.quoted === 0 ? undefined : await planOf(batch.id, ports);
  const doubts = await ports.ledger.openDoubts();
  return { ...summary, status: batchStatus(batch, counts), plan, doubts };
}
