/**
 * Metrics, notifications and warnings of a command that works on a batch. Writes the metrics file at the start and at
 * the end of the command. Then sends the notification and lists doubts of other batches. Nothing here changes the exit
 * code.
 *
 * Prints notification failures even with --quiet. Otherwise a missing message looks like success.
 */

import type { Doubts } from '../../domain/next-steps/batch-steps.ts';
import { EXIT, isProblem } from '../../domain/reporting/exit-code.ts';
import { textOf, type Wording, wordedIn } from '../../domain/text/message.ts';
import { otherDoubts } from '../../operations/outcome-blocks.ts';
import { type Monitoring, monitoringOf, type Waiting } from '../../payfile.ts';
import { type Call, placeOf, worksOnBatch } from '../call.ts';
import { contextOf, requestOf } from '../open-parts.ts';
import { wordingIn } from '../show/blocks.ts';
import { type LedgerRows, metricsText, startedMetrics } from './metrics-text.ts';
import { noticeText } from './notice.ts';
import type { RunFacts } from './run-facts.ts';

/** The metrics file before the work, and the text that payfile wrote at the start. */
export interface MetricsBefore {
  readonly before: string;
  readonly started: string;
}

/**
 * Writes metrics at the start, because a killed run cannot write at its end. Errors: ReportUnwritable if the path
 * cannot hold metrics. Then payfile does nothing.
 */
export async function beforeWork(call: Call, startedAt: number): Promise<MetricsBefore | undefined> {
  const monitoring = monitoringOf(requestOf(call), contextOf(call));
  const { metricsFile } = monitoring;
  if (metricsFile === undefined) return undefined;
  await monitoring.requireMetricsPlace(metricsFile);
  let written: MetricsBefore | undefined;
  // If this write fails, the one at the end fails too and reports it.
  await monitoring.changeMetrics(metricsFile, (before) => {
    const started = startedMetrics(before, metricsFile, startedAt);
    written = { before, started };
    return started;
  });
  return written;
}

/** Returns sentences about failed writes and notifications, and about other batches. */
export async function afterWork(
  call: Call,
  facts: RunFacts,
  metricsBefore?: MetricsBefore,
): Promise<readonly string[]> {
  if (!worksOnBatch(call.command)) return [];
  const monitoring = monitoringOf(requestOf(call), contextOf(call));
  const { metricsFile, notify, on } = monitoring;
  const waiting = await monitoring.waiting();
  const wording = wordingIn(placeOf(call));
  const said = otherDoubts(waiting?.doubts ?? [], facts.batch?.id).map((pieces) => textOf(pieces, wording));
  if (metricsFile !== undefined) {
    const isOtherAtWork =
      facts.exitCode === EXIT.busy && metricsBefore !== undefined && metricsBefore.before !== '';
    const change = (now: string) =>
      isOtherAtWork
        ? restoredMetrics(now, metricsBefore)
        : metricsText(facts, { path: metricsFile, ledger: ledgerRows(waiting), before: now });
    const problem = await metricsProblem(monitoring, {
      metricsFile,
      change,
      failure: facts.error?.message,
      wording,
    });
    if (problem !== undefined) said.push(problem);
  }
  if (notify !== undefined && (on === 'always' || isProblem(facts.exitCode))) {
    const problem = await monitoring.send(notify, noticeText(facts, call.context.host));
    if (problem !== undefined)
      said.push(`No notification was sent: ${notify.shown}: ${problem}. payfile doctor checks it.`);
  }
  return said;
}

/**
 * Text of the file if another process works on the batch. Keeps what that process wrote since our start. If it wrote
 * nothing, restores the text from before our start.
 */
function restoredMetrics(now: string, { before, started }: MetricsBefore): string {
  return now === started ? before : now;
}

function ledgerRows(waiting: Waiting | undefined): LedgerRows {
  if (waiting === undefined)
    return { doubts: undefined, held: undefined, differing: undefined, oldestOnItsWay: undefined };
  const { doubts, held, differing, oldestOnItsWay = 0 } = waiting;
  return { doubts: doubtRows(doubts), held, differing, oldestOnItsWay };
}

interface MetricsToWrite {
  readonly metricsFile: string;
  readonly change: (before: string) => string;
  readonly failure: string | undefined;
  readonly wording: Wording;
}

/** A sentence about the failure; undefined if payfile wrote the metrics, or already reported it. */
async function metricsProblem(
  monitoring: Monitoring,
  { metricsFile, change, failure, wording }: MetricsToWrite,
): Promise<string | undefined> {
  const problem = await monitoring.changeMetrics(metricsFile, change);
  if (problem === undefined) return undefined;
  const { kind } = problem;
  const reason = wordedIn(problem.reason, wording);
  if (kind === 'failed') return `The metrics file ${metricsFile} could not be written: ${reason}.`;
  return failure?.includes(reason) === true ? undefined : reason;
}

/** Rows in doubt of all batches. */
function doubtRows(all: readonly Doubts[]): number {
  return all.reduce((sum, { inDoubt, leftInFlight }) => sum + inDoubt + leftInFlight, 0);
}
