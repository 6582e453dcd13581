/**
 * `payfile status [BATCH]`: all batches of the ledger, or how one stands. Reads the ledger only; it may be
 * called while a run is going.
 *
 * --json: {batches: [{id, name, status, revision, createdAt, maker, file, counts, outcome}], doubts: [{batchId, name,
 * inDoubt, leftInFlight, firstRow}], exitCode} or,
 * for one, what `report` answers and {pause, approval, status, fileDigest, planDigest, plan}: `fileDigest` is that
 * of the rows as they were read (batch.digest too), `planDigest` what `approve --digest` wants; with `plan` it is
 * null while nothing waits for approval.
 */

import {
  type Batch,
  batchLabel,
  batchOutcome,
  batchStatus,
  isPausedForStatement,
} from '../../../domain/batches/batch.ts';
import { command, nextSteps } from '../../../domain/steps/command.ts';
import { countText, printable, rowsText } from '../../../domain/text/printable.ts';
import { formatTimestamp, minuteOf } from '../../../domain/timestamp.ts';
import type { Ledger } from '../../../ports/ledger/ledger.ts';
import { planOf } from '../../../use-cases/approve/plan.ts';
import { findBatch } from '../../../use-cases/find-batch.ts';
import { reportBatch } from '../../../use-cases/report/report-batch.ts';
import { notedIncidents } from '../../../use-cases/settle/raise-incident.ts';
import { type Call, tellSteps, typed, typedSteps } from '../call.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type Opened, openParts } from '../open-parts.ts';
import { otherDoubtLines } from '../outside/after-work.ts';
import { attentionOf, batchJson } from '../show/batch.ts';
import { printOutcome, totalsJson } from '../show/outcome.ts';
import { planJson, stripe } from '../show/plan.ts';
import { tableWithProse } from '../terminal/table.ts';
import { reportHeader } from '../write-reports.ts';

const BATCHES_SHOWN = 50;

export async function status(call: Call): Promise<ExitCode> {
  const opened = await openParts(call);
  const ledger = await opened.ledger({ readOnly: opened.settings.environment === 'live' });
  const [word] = call.args;
  if (word === undefined) return showAll(ledger, opened, call);
  return showOne(await findBatch(word, ledger), { ledger, opened, call });
}

async function showAll(ledger: Ledger, opened: Opened, call: Call): Promise<ExitCode> {
  const { terminal } = call;
  const { environment, path } = ledger.identity;
  // What is still being read, or was left behind by a process that died, is no batch.
  const batches = (await ledger.batches()).filter(({ isImporting }) => !isImporting);
  const shown = await Promise.all(
    batches.slice(0, BATCHES_SHOWN).map(async (batch) => {
      const counts = await ledger.counts(batch.id);
      const outcome = batchOutcome(counts, await incidentsOf(batch, opened, ledger));
      return { batch, counts, word: batchStatus(batch, counts), outcome };
    }),
  );
  const rows = shown.map(({ batch, counts, word, outcome }) => [
    batch.id,
    printable(batch.name ?? ''),
    formatTimestamp(batch.createdAt).slice(0, 10),
    countText(Object.values(counts).reduce((sum, count) => sum + count, 0)),
    word,
    outcome.sentence.replace(/^[^:]*: /, ''),
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
  terminal.print([stripe(environment, terminal), ...table].join('\n'));
  if (batches.length === 0) terminal.print(`No batches in ${path} yet.`);
  if (batches.length > BATCHES_SHOWN) terminal.print(`… and ${batches.length - BATCHES_SHOWN} older ones.`);
  const doubts = await ledger.openDoubts();
  for (const line of otherDoubtLines(doubts, undefined, call)) terminal.print(line);
  terminal.answer({
    schemaVersion: 1,
    command: 'status',
    environment,
    exitCode: EXIT.done,
    ledger: path,
    doubts,
    batches: shown.map(({ batch, counts, word, outcome }) => ({
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

/** Rows are counted only where there is something to count: a batch may have a million. */
async function incidentsOf(batch: Batch, opened: Opened, ledger: Ledger): Promise<number> {
  const noted = await notedIncidents(batch.id, { ledger });
  if (noted.size === 0 && !(await ledger.hasIncident(batch.id))) return 0;
  const ports = { ledger, openSink: opened.parts.openReportSink };
  const { totals } = await reportBatch(reportHeader(batch, opened, ledger), ports, { target: undefined });
  return totals.incidents;
}

async function showOne(
  batch: Batch,
  { ledger, opened, call }: { readonly ledger: Ledger; readonly opened: Opened; readonly call: Call },
): Promise<ExitCode> {
  const { terminal } = call;
  const { environment } = ledger.identity;
  const header = reportHeader(batch, opened, ledger);
  const ports = { ledger, openSink: opened.parts.openReportSink };
  const { totals, outcome, discrepant, incidents } = await reportBatch(header, ports, { target: undefined });
  const word = batchStatus(batch, totals.counts);
  const { attention, attentionLeft } = await attentionOf(batch, opened, {
    counts: totals.counts,
    discrepant,
    incidents,
  });
  const plan = totals.counts.quoted === 0 ? undefined : await planOf(batch.id, { ledger });
  const title = `Batch ${batchLabel(batch)} is ${word}`;
  const shown = { title, stripe: stripe(environment, terminal), outcome, totals, attention, attentionLeft };
  terminal.print(printOutcome(shown, terminal));
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
  if (batch.pause !== undefined) {
    terminal.print(
      `PAUSED by ${batch.pause.by} ${minuteOf(batch.pause.at)} UTC: ${printable(batch.pause.reason)}`,
    );
    tellResuming(batch, call);
  }
  for (const line of otherDoubtLines(await ledger.openDoubts(), batch.id, call)) terminal.print(line);
  terminal.answer({
    schemaVersion: 1,
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
    plan: plan === undefined ? null : planJson(plan),
  });
  return EXIT.done;
}

/** A pause that waits for a statement is never lifted by a command that is ready to be pasted. */
function tellResuming(batch: Batch, call: Call): void {
  const label = batchLabel(batch);
  const resume = command('resume', [label]);
  const isFree = !isPausedForStatement(batch);
  if (!isFree)
    call.terminal.talk(
      `Compare it with a statement first. Only if nothing more was paid: ${typed(call, resume)}`,
    );
  const compare = command('reconcile', [label], [['--statement', { fillIn: 'FILE' }]]);
  tellSteps(typedSteps(call, nextSteps(isFree ? resume : compare)), call.terminal);
}
