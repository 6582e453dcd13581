/**
 * The end of every command that works on a batch: reports written, what it came to, what to look at, what to
 * type next, and the exit code.
 *
 * --json: {schemaVersion, command, environment, batch: {id, name, digest, revision}, outcome, exitCode,
 * sentence, totals, ties, parts, attention, reports: [{path, problem}], next, andThen, …} and what the command adds. With exit
 * code 73 there is `error: {code, message, next, andThen}` too.
 */

import { type Batch, batchLabel, type StatusCounts } from '../../../domain/batches/batch.ts';
import type { PayoutId } from '../../../domain/payouts/instruction.ts';
import type { Payout, Status } from '../../../domain/payouts/payout.ts';
import { hoursMs } from '../../../domain/policy.ts';
import { reasonOf } from '../../../domain/reporting/report-line.ts';
import { type Command, nextSteps, type Place, stepsText } from '../../../domain/steps/command.ts';
import { type Commands, commandsFor, incidentStep, nextStepOf } from '../../../domain/steps/next-step.ts';
import { printable } from '../../../domain/text/printable.ts';
import type { Reported } from '../../../use-cases/report/report-batch.ts';
import { type Call, type Steps, tellSteps, typedSteps } from '../call.ts';
import { EXIT, type ExitCode, strongest } from '../exit-code.ts';
import { nextCommand } from '../next-command.ts';
import type { Opened } from '../open-parts.ts';
import { type WrittenReport, writeReports } from '../write-reports.ts';
import { type Attention, printOutcome, totalsJson } from './outcome.ts';
import { stripe } from './plan.ts';

export interface BatchEnd {
  readonly batch: Batch;
  /** What applies besides what the rows say. */
  readonly codes: readonly ExitCode[];
  /** The word for programs, where it is not the rows' own. */
  readonly outcome?: string | undefined;
  /** False: reports are written and the code is found, but the table is not shown. */
  readonly hasTable?: boolean | undefined;
  /** A sentence of the command's own, shown above what to do next. */
  readonly sentence?: string | undefined;
  readonly next?: Command | undefined;
  /** With words that a person has to fill in. */
  readonly andThen?: Command | undefined;
  /** Overrides the rows' code: a batch that was finished before is 0 whatever it came to then. */
  readonly isDoneBefore?: boolean | undefined;
  readonly json?: Readonly<Record<string, unknown>> | undefined;
}

const TO_LOOK_AT: readonly Status[] = ['in_doubt', 'sending', 'failed', 'returned', 'held'];
const SHOWN_MAX = 20;

export async function showBatchEnd(end: BatchEnd, opened: Opened, call: Call): Promise<ExitCode> {
  const { terminal } = call;
  const ledger = await opened.ledger();
  const batch = (await ledger.batch(end.batch.id)) ?? end.batch;
  const { environment } = ledger.identity;
  const { reported, reports } = await writeReports(batch, opened, call);
  const { outcome, totals } = reported;
  const isUnwritten = reports.some(({ problem }) => problem !== undefined);
  const exitCode = strongest([
    ...end.codes,
    // What was done before is no news, but an incident or a doubt stays one.
    ...(end.isDoneBefore === true && outcome.exitCode !== EXIT.inDoubt ? [] : [outcome.exitCode]),
    ...(isUnwritten ? [EXIT.reportUnwritable] : []),
  ]);
  const { attention, attentionLeft } = await attentionOf(batch, opened, {
    counts: totals.counts,
    discrepant: reported.discrepant,
    incidents: reported.incidents,
  });
  opened.progress.clear();
  if (end.hasTable !== false) {
    const title = `Batch ${batchLabel(batch)}`;
    const shown = { title, stripe: stripe(environment, terminal), outcome, totals, attention };
    terminal.result(printOutcome({ ...shown, attentionLeft }, terminal));
  }
  if (reported.discrepant.length > 0 && terminal.isQuiet) {
    const rows = reported.discrepant.map(({ rowNumber }) => rowNumber).join(', ');
    terminal.print(
      `Batch ${batchLabel(batch)}: the service describes row ${rows} otherwise than asked; see the report.`,
    );
  }
  for (const { path, problem } of reports) {
    if (problem === undefined) terminal.result(`Report: ${path}`);
    else terminal.talk(problem);
  }
  if (end.sentence !== undefined) terminal.talk(end.sentence);
  const seen = { attention, call, opened, counts: totals.counts, reports };
  const next = end.next ?? (await nextCommand(exitCode, batch, seen));
  const steps = typedSteps(call, nextSteps(next, end.andThen));
  tellSteps(steps, terminal);
  terminal.answer({
    schemaVersion: 1,
    command: call.command,
    environment,
    batch: batchJson(batch),
    outcome: end.outcome ?? outcome.word,
    exitCode,
    sentence: end.sentence ?? outcome.sentence,
    counts: totals.counts,
    totals: totalsJson(totals),
    ties: totals.ties,
    parts: totals.parts,
    attention,
    reports,
    ...steps,
    ...unwrittenJson(exitCode, reports, steps),
    ...end.json,
  });
  return exitCode;
}

/** A report that is not there is all that is wrong: programs are told so as of any other failure. */
function unwrittenJson(exitCode: ExitCode, reports: readonly WrittenReport[], steps: Steps) {
  const message = reports.find(({ problem }) => problem !== undefined)?.problem;
  if (exitCode !== EXIT.reportUnwritable || message === undefined) return {};
  return { error: { code: 'report_unwritable', message, ...steps } };
}

export function batchJson(batch: Batch): Readonly<Record<string, unknown>> {
  return { id: batch.id, name: batch.name ?? null, digest: batch.digest ?? null, revision: batch.revision };
}

/** The first rows that a person has to look at, most pressing first, and how many more there are. */
export async function attentionOf(
  batch: Batch,
  opened: Opened,
  seen: Pick<Reported, 'discrepant' | 'incidents'> & { readonly counts: StatusCounts },
): Promise<{ readonly attention: readonly Attention[]; readonly attentionLeft: number }> {
  const ledger = await opened.ledger();
  const { environment } = ledger.identity;
  const { reissueAfterHours } = opened.settings.policy;
  const { place } = opened;
  const commands = commandsFor({ batch, environment, reissueAfterMs: hoursMs(reissueAfterHours) });
  const found: Attention[] = seen.incidents.map(({ rowNumber: row, payout, noted }) => {
    const loud = noted === undefined ? '' : `INCIDENT: ${printable(noted)}. `;
    const { status } = payout.state;
    return {
      row,
      status,
      reason: loud + reasonOf(payout, []),
      nextStep: stepsText(incidentStep(row, commands), place),
    };
  });
  const isLoud = new Set<PayoutId>(seen.incidents.map(({ payout }) => payout.id));
  // Paid, but not as asked: nobody would look at a settled row otherwise.
  const paidOtherwise = seen.discrepant.filter(
    ({ id, state }) => !TO_LOOK_AT.includes(state.status) && !isLoud.has(id),
  );
  for (const status of TO_LOOK_AT) {
    const room = SHOWN_MAX - found.length;
    // By gravity: behind what may have been paid, before what was not.
    if (status === 'failed')
      found.push(...paidOtherwise.slice(0, room).map((payout) => lookAt(payout, commands, place)));
    if (found.length >= SHOWN_MAX) break;
    const question = { statuses: [status], after: undefined, limit: SHOWN_MAX - found.length };
    const { payouts } = await ledger.page(batch.id, question);
    for (const payout of payouts) if (!isLoud.has(payout.id)) found.push(lookAt(payout, commands, place));
  }
  const others = seen.incidents.filter(({ payout }) => !TO_LOOK_AT.includes(payout.state.status)).length;
  const all = TO_LOOK_AT.reduce((sum, status) => sum + seen.counts[status], paidOtherwise.length + others);
  return { attention: found, attentionLeft: Math.max(0, all - found.length) };
}

function lookAt(payout: Payout, commands: Commands, place: Place): Attention {
  const { status } = payout.state;
  const row = payout.rowNumber;
  const differs = TO_LOOK_AT.includes(status) ? {} : { differs: true as const };
  const nextStep = stepsText(nextStepOf(payout, commands), place);
  return { row, status, ...differs, reason: reasonOf(payout, []), nextStep };
}
