/**
 * Beside a command that works on a batch: when it begins, the metrics file says so; when it is over, however it ended,
 * metrics are written, whoever wants to know is told, and so is whoever reads the mail, of rows of other batches whose
 * outcome is not known. Nothing here changes the exit code, and nothing waits longer than the limits of what it calls.
 *
 * Notification failures are printed even with --quiet: otherwise a message that was never sent looks like success.
 */

import { existsSync } from 'node:fs';
import { isProblem } from '../../../domain/reporting/exit-code.ts';
import { type NotifyTarget, notifyTargetOf } from '../../../domain/reporting/notify-target.ts';
import { command, stepsText } from '../../../domain/steps/command.ts';
import { type Doubts, doubtsStep } from '../../../domain/steps/next-step.ts';
import { ReportUnwritable } from '../../../ports/outputs.ts';
import type { NotifyOn } from '../../../setup/settings.ts';
import { type Call, isWorking, placeOf, typed } from '../call.ts';
import { outputsOf, settingsOf } from '../open-parts.ts';
import { metricsText, startedMetrics } from './metrics-text.ts';
import { noticeText } from './notice.ts';
import type { RunFacts } from './run-facts.ts';

export interface Outside {
  readonly metricsFile: string | undefined;
  readonly notify: NotifyTarget | undefined;
  readonly on: NotifyOn;
}

/**
 * A run that is killed cannot write at its end: what it wrote at its beginning stays. Throws ReportUnwritable where
 * the file may not be a metrics file; then nothing is done.
 */
export async function beforeWork(call: Call, startedAt: number): Promise<void> {
  const { metricsFile } = outsideOf(call);
  if (metricsFile === undefined) return;
  const outputs = outputsOf(call, settingsOrNothing(call));
  await outputs.check(metricsFile, 'metrics');
  const { readMetrics, writeMetrics } = await import('../../../setup/compose.ts');
  // What cannot be written now cannot be written at the end either, and is said then.
  const { cwd } = call.surroundings;
  const started = startedMetrics(await readMetrics(metricsFile, cwd), metricsFile, startedAt);
  await writeMetrics(metricsFile, started, outputs, cwd);
}

/** Sentences about what could not be written or told, and about other batches. */
export async function afterWork(call: Call, facts: RunFacts): Promise<readonly string[]> {
  if (!isWorking(call.command)) return [];
  const { metricsFile, notify, on } = outsideOf(call);
  const doubts = await doubtsOfLedger(call);
  const said = [...otherDoubtLines(doubts ?? [], facts.batch?.id, call)];
  const isWanted = on === 'always' || isProblem(facts.exitCode);
  if (metricsFile === undefined && (notify === undefined || !isWanted)) return said;
  const { sendNotice } = await import('../../../setup/compose.ts');
  if (metricsFile !== undefined) {
    const ledgerDoubts = doubts === undefined ? undefined : doubtRows(doubts);
    const problem = await metricsProblem(call, metricsText(facts, { path: metricsFile, ledgerDoubts }), {
      metricsFile,
      failure: facts.error?.message,
    });
    if (problem !== undefined) said.push(problem);
  }
  if (notify !== undefined && isWanted) {
    const problem = await sendNotice(notify, noticeText(facts, call.surroundings.host), call.surroundings);
    if (problem !== undefined)
      said.push(`Nobody was told: ${notify.shown}: ${problem}. payfile doctor checks it.`);
  }
  return said;
}

/** A sentence; undefined when the metrics are written, or the call said so when it ended. */
async function metricsProblem(
  call: Call,
  text: string,
  { metricsFile, failure }: { readonly metricsFile: string; readonly failure: string | undefined },
): Promise<string | undefined> {
  const { writeMetrics } = await import('../../../setup/compose.ts');
  const guard = outputsOf(call, settingsOrNothing(call));
  try {
    const problem = await writeMetrics(metricsFile, text, guard, call.surroundings.cwd);
    if (problem === undefined) return undefined;
    return `The metrics file ${metricsFile} could not be written: ${problem}.`;
  } catch (error) {
    if (!(error instanceof ReportUnwritable)) throw error;
    return failure?.includes(error.message) === true ? undefined : error.message;
  }
}

/** Flags over configuration; a configuration that cannot be read still leaves the flags. */
export function outsideOf(call: Call): Outside {
  const { flags } = call;
  const configured = settingsOrNothing(call);
  const to = flags.notify ?? configured?.notify.to;
  return {
    metricsFile: flags.metricsFile ?? configured?.metricsFile,
    notify: to === undefined ? undefined : notifyTargetOf(to),
    on: configured?.notify.on ?? 'problem',
  };
}

/** Of the whole ledger, whatever became of the command; undefined when it cannot be opened. Changes nothing. */
async function doubtsOfLedger(call: Call): Promise<readonly Doubts[] | undefined> {
  const settings = settingsOrNothing(call);
  if (settings === undefined || !existsSync(settings.ledgerPath)) return undefined;
  const { compose } = await import('../../../setup/compose.ts');
  const parts = compose(settings, { log: { write: () => undefined }, ...call.surroundings });
  try {
    return await (await parts.ledger({ readOnly: true })).openDoubts();
  } catch {
    return undefined;
  } finally {
    await parts.close().catch(() => undefined);
  }
}

function settingsOrNothing(call: Call) {
  try {
    return settingsOf(call);
  } catch {
    return undefined;
  }
}

/**
 * Rows of any batch whose outcome is not known, told by every command that a person or cron looks at: a batch that
 * nobody runs any more would never tell of itself.
 */

/** A cron mail stays short; `status` names all of them. */
const LINES_MAX = 2;

/** One line a batch, without the one that the command was about. */
export function otherDoubtLines(
  all: readonly Doubts[],
  batchId: string | undefined,
  call: Pick<Call, 'flags'>,
): readonly string[] {
  const others = all.filter((doubts) => doubts.batchId !== batchId);
  const shown = others.length > LINES_MAX ? LINES_MAX - 1 : LINES_MAX;
  const lines = others.slice(0, shown).map((doubts) => stepsText([doubtsStep(doubts)], placeOf(call)));
  const left = others.length - lines.length;
  return left === 0
    ? lines
    : [...lines, `… and ${left} more batches have rows in doubt: ${typed(call, command('doctor'))}`];
}

/** How many rows of the ledger, over all batches. */
export function doubtRows(all: readonly Doubts[]): number {
  return all.reduce((sum, { inDoubt, leftInFlight }) => sum + inDoubt + leftInFlight, 0);
}
