/**
 * `payfile status [BATCH]`: all batches of the ledger, or how one stands. Reads the ledger only; it may be
 * called while a run is going.
 *
 * --json: {batches: [{id, name, status, revision, createdAt, maker, file, counts, outcome}], doubts: [{batchId, name,
 * inDoubt, leftInFlight, firstRow}], exitCode} or,
 * for one, what `report` answers and {pause, approval, status, fileDigest, planDigest, plan, onItsWay}: `fileDigest` is that
 * of the rows as they were read (batch.digest too), `planDigest` what `approve --digest` wants; with `plan` it is
 * null while nothing waits for approval. `onItsWay`: {rows, neverAsked, firstSentAt, lastAskedAt}; null: no row is
 * on its way.
 */

import { type Batch, batchLabel, becameOf } from '../../../domain/batches/batch.ts';
import { beforeResuming, pauseSteps } from '../../../domain/next-steps/batch-steps.ts';
import { command, type NextSteps, nextSteps, stepsText } from '../../../domain/next-steps/command.ts';
import { readAgain, runAgain } from '../../../domain/next-steps/file-commands.ts';
import { EXIT, type ExitCode } from '../../../domain/reporting/exit-code.ts';
import { countText, printable, rowsText } from '../../../domain/text/printable.ts';
import { formatTimestamp, minuteOf } from '../../../domain/timestamp.ts';
import type { BatchState, Payfile } from '../../../payfile.ts';
import { pauseText } from '../../words/why-stopped.ts';
import { type Call, placeOf, tellSteps, typedSteps } from '../call.ts';
import { otherDoubtLines } from '../monitoring/after-work.ts';
import { openParts } from '../open-parts.ts';
import { attentionShown, batchJson, doubtShown, listShown } from '../show/batch.ts';
import { environmentLine, printOutcome, totalsJson } from '../show/outcome.ts';
import { planJson } from '../show/plan.ts';
import { tableWithProse } from '../terminal/table.ts';

export async function status(call: Call): Promise<ExitCode> {
  const { payfile } = await openParts(call);
  const [word] = call.args;
  return word === undefined ? showAll(payfile, call) : showOne(await payfile.status(word), call);
}

async function showAll(payfile: Payfile, call: Call): Promise<ExitCode> {
  const { terminal } = call;
  const { environment, ledgerPath: path, batches: shown, count, doubts } = await payfile.overview();
  const rows = shown.map(({ batch, counts, status: word, outcome }) => [
    batch.id,
    printable(batch.name),
    formatTimestamp(batch.createdAt).slice(0, 10),
    countText(Object.values(counts).reduce((sum, count) => sum + count, 0)),
    standsText(word, counts),
    becameOf(outcome) + (batch.halfRead === undefined ? '' : ' A file was read only in part.'),
  ]);
  const columns = [
    { title: 'Batch' },
    { title: 'Name' },
    { title: 'Made' },
    { title: 'Rows', right: true },
    { title: 'Stands' },
    { title: 'What became of them' },
  ];
  const table = tableWithProse(columns, rows, terminal.tableColumns);
  terminal.print([environmentLine(environment, terminal), ...table].join('\n'));
  if (count === 0) terminal.print(`No batches in ${path} yet.`);
  if (count > shown.length) terminal.print(`… and ${count - shown.length} older ones.`);
  for (const line of otherDoubtLines(doubts, undefined, call)) terminal.print(line);
  terminal.answer({
    command: 'status',
    environment,
    exitCode: EXIT.done,
    ledger: path,
    doubts,
    batches: shown.map(({ batch, counts, status: word, outcome }) => ({
      ...batchJson(batch),
      status: word,
      createdAt: formatTimestamp(batch.createdAt),
      maker: batch.maker,
      file: batch.file.name,
      counts,
      outcome: outcome.word,
    })),
  });
  return EXIT.done;
}

function showOne(state: BatchState, call: Call): ExitCode {
  const { terminal } = call;
  const { batch, environment, outcome, totals, status: word, plan } = state;
  const attention = attentionShown(state, call);
  const stands = standsText(word, totals.counts);
  const title = `Batch ${batchLabel(batch)} ${stands === WAITS ? '' : 'is '}${stands}`;
  const doubt = state.doubt && doubtShown(state.doubt, call);
  const { releaseAll } = listShown(state, call);
  terminal.print(printOutcome({ ...state, title, attention, doubt, releaseAll }, terminal));
  terminal.print(
    `File ${printable(batch.file.name)}, revision ${batch.revision}, made by ${batch.maker} ${minuteOf(batch.createdAt)} UTC`,
  );
  if (batch.approval !== undefined) {
    const { by, at, how, count } = batch.approval;
    terminal.print(
      `Last approved by ${by} ${minuteOf(at)} UTC: ${rowsText(count)} (${how.replaceAll('_', ' ')})`,
    );
  }
  if (plan !== undefined)
    terminal.print(`Waits for approval: ${rowsText(totals.counts.quoted)}, digest ${plan.digest}`);
  if (state.onItsWay !== undefined) terminal.print(onItsWayText(state.onItsWay));
  tellSteps(typedSteps(call, stepsAfter(state)), terminal);
  if (batch.pause !== undefined) {
    terminal.print(
      `PAUSED by ${batch.pause.by} ${minuteOf(batch.pause.at)} UTC: ${printable(pauseText(batch.pause.reason))}`,
    );
    // Resuming forgets how many rows came in doubt: it is the last of the steps above.
    if (doubt === undefined) tellResuming(batch, call);
  }
  for (const line of otherDoubtLines(state.doubts, batch.id, call)) terminal.print(line);
  terminal.answer({
    command: 'status',
    environment,
    exitCode: EXIT.done,
    batch: batchJson(batch),
    status: word,
    outcome: outcome.word,
    sentence: outcome.sentence,
    counts: totals.counts,
    totals: totalsJson(totals),
    ties: totals.ties,
    parts: totals.parts,
    attention,
    pause: batch.pause ?? null,
    approval: batch.approval ?? null,
    fileDigest: batch.digest ?? null,
    planDigest: plan?.digest ?? null,
    onItsWay: onItsWayJson(state.onItsWay),
    plan: plan === undefined ? null : planJson(plan),
  });
  return EXIT.done;
}

function onItsWayText({ rows, firstSentAt, lastAskedAt, neverAsked }: NonNullable<BatchState['onItsWay']>) {
  const sent = firstSentAt === undefined ? '' : `, the first sent at ${minuteOf(firstSentAt)} UTC`;
  const asked =
    lastAskedAt === undefined ? [] : [`payfile last asked for a status at ${minuteOf(lastAskedAt)} UTC.`];
  const never = neverAsked === 0 ? [] : [`payfile has not asked about ${rowsText(neverAsked)} yet.`];
  return [`On its way: ${rowsText(rows)}${sent}.`, ...asked, ...never].join(' ');
}

function onItsWayJson(onItsWay: BatchState['onItsWay']) {
  if (onItsWay === undefined) return null;
  const { firstSentAt, lastAskedAt, ...counts } = onItsWay;
  const [first, last] = [firstSentAt, lastAskedAt].map((at) =>
    at === undefined ? null : formatTimestamp(at),
  );
  return { ...counts, firstSentAt: first, lastAskedAt: last };
}

const WAITS = 'waits for a person';

/** Nothing goes on by itself in a finished batch, but a held row of it is nobody's end. */
function standsText(word: BatchState['status'], { held }: BatchState['totals']['counts']): string {
  return word === 'finished' && held > 0 ? WAITS : word;
}

/** Doubts and pauses say themselves how to go on. */
function stepsAfter({ batch, plan, doubt, totals }: BatchState): NextSteps {
  const unread = readAgain(batch);
  if (unread !== undefined) return nextSteps(unread);
  if (doubt !== undefined || batch.pause !== undefined) return {};
  if (plan !== undefined) return { next: command('approve', [batchLabel(batch)]) };
  if (totals.counts.planned > 0) return nextSteps(runAgain(batch));
  return totals.counts.accepted > 0 ? { next: command('settle', [batchLabel(batch)]) } : {};
}

function tellResuming(batch: Batch, call: Call): void {
  const first = beforeResuming(batch);
  if (first !== undefined) call.terminal.talk(stepsText([first], placeOf(call)));
  tellSteps(typedSteps(call, pauseSteps(batch)), call.terminal);
}
