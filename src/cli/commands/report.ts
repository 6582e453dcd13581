/**
 * `payfile report BATCH`: the reconciliation report; or, with --only unpaid --as-input, a file of the rows
 * that failed or came back, ready to be run. Without -o a summary is shown.
 *
 * The exit code says whether the report could be made, not what the batch came to. --json: the summary of
 * show/batch.ts, or {redo: {path, rows, unpaid, leftOut}, andThen}.
 */

import { batchLabel } from '../../domain/batches/batch.ts';
import { type Command, command, type Flag, nextSteps, plainPath } from '../../domain/next-steps/command.ts';
import { reportCommand } from '../../domain/next-steps/file-commands.ts';
import { REHEARSED } from '../../domain/next-steps/pay-again.ts';
import { takenJson, totalsJson } from '../../domain/reporting/control-totals.ts';
import { unaccountedJson } from '../../domain/reporting/currency-totals.ts';
import { EXIT, type ExitCode } from '../../domain/reporting/exit-code.ts';
import { type BatchShare, shareLines } from '../../domain/reporting/left-out.ts';
import { type Period, periodOf } from '../../domain/reporting/period.ts';
import { counted, rowsText } from '../../domain/text/printable.ts';
import { batchJson } from '../../operations/batch-json.ts';
import { outcomeBlocks } from '../../operations/outcome-blocks.ts';
import { attentionJson } from '../../operations/status.ts';
import type { Payfile, PeriodReport } from '../../payfile.ts';
import { argument, type Call, placeOf, tellSteps, typedSteps, UsageError } from '../call.ts';
import { openParts } from '../open-parts.ts';
import { draw, wordingIn } from '../show/blocks.ts';

export async function report(call: Call): Promise<ExitCode> {
  const { flags } = call;
  const isOverDays = flags.from !== undefined || flags.to !== undefined;
  if (isOverDays || call.args[0] === undefined) return reportOverDays(call);
  if ((flags.only !== undefined) !== (flags.asInput === true)) {
    throw new UsageError(
      'Rows proven unpaid are written as a file to run: --only unpaid and --as-input go together.',
      redoCommand(call),
    );
  }
  if (flags.include !== undefined && flags.asInput !== true)
    throw new UsageError('--include goes with --only unpaid --as-input.', redoCommand(call));
  const { payfile } = await openParts(call);
  if (flags.asInput === true) return redo(payfile, call);
  const { format, fullAccounts, output: path = format === undefined ? undefined : '-' } = flags;
  const { signal } = call.stopping;
  const summary = await payfile.report(argument(call, 0), path, { format, fullAccounts, signal });
  const { batch, environment } = summary;
  const { terminal } = call;
  const place = placeOf(call);
  const title = `Batch ${batchLabel(batch)}`;
  if (path !== '-') {
    const listedBy = command('status', [batchLabel(batch)]);
    for (const block of outcomeBlocks({ ...summary, title, listedBy })) draw(block, place, 'print', terminal);
    if (path !== undefined) terminal.print(`Report: ${path}`);
  }
  // Standard output is the report itself; a second document behind it would spoil both.
  if (path === '-') return EXIT.done;
  const next = path === undefined ? reportCommand(batch) : undefined;
  tellSteps(typedSteps(call, nextSteps(next)), terminal);
  terminal.answer({
    command: 'report',
    environment,
    batch: batchJson(batch),
    ...summaryJson(summary),
    attention: attentionJson(summary.attention, wordingIn(place)),
    reports: reportsJson(path),
  });
  return EXIT.done;
}

function redoCommand(call: Call): Command {
  const canceled: readonly Flag[] = call.flags.include === undefined ? [] : [['--include', 'canceled']];
  const flags: readonly Flag[] = [['--only', 'unpaid'], ['--as-input'], ...canceled, ['-o', 'redo.xlsx']];
  return command('report', [argument(call, 0)], flags);
}

function summaryJson({ outcome, totals }: Pick<PeriodReport, 'outcome' | 'totals'>) {
  return {
    outcome: outcome.word,
    exitCode: EXIT.done,
    sentence: outcome.sentence,
    totals: totalsJson(totals),
    ...unaccountedJson(totals),
    staysTaken: takenJson(totals),
    ties: totals.ties,
    parts: totals.parts,
  };
}

function reportsJson(path: string | undefined) {
  return path === undefined ? [] : [{ path, problem: undefined }];
}

async function redo(payfile: Payfile, call: Call): Promise<ExitCode> {
  const { flags, terminal, stopping } = call;
  const { output: path, format, include } = flags;
  if (path === undefined) throw new UsageError('Say where the file goes: -o redo.xlsx (or .csv).', undefined);
  const { signal } = stopping;
  const written = await payfile.writeUnpaid(argument(call, 0), path, { format, include, signal });
  const leftOut = Object.fromEntries(written.leftOut);
  const isEmpty = written.rows === 0;
  // The rows are corrected first. With a name of its own, the file is never taken for one of another batch.
  const plan = command('plan', [plainPath(path)], [['--batch', written.batchName]]);
  const steps = typedSteps(call, isEmpty || path === '-' ? {} : { andThen: plan });
  if (path !== '-') {
    terminal.print(
      isEmpty
        ? `Nothing to pay again: ${path} has no rows.`
        : `${rowsText(written.rows)} proven unpaid: ${path}`,
    );
    for (const [why, count] of written.leftOut) terminal.print(`  ${rowsText(count)} left out: ${why}`);
    if (!isEmpty) terminal.talk('Correct the rows first, and keep the column payfile_replaces.');
    if (!isEmpty && written.environment === 'sandbox') terminal.talk(REHEARSED);
    tellSteps(steps, terminal);
  }
  terminal.answer({
    command: 'report',
    environment: written.environment,
    batch: batchJson(written.batch),
    exitCode: EXIT.done,
    redo: { path, rows: written.rows, unpaid: written.unpaid, leftOut },
    ...steps,
  });
  return EXIT.done;
}

/**
 * `payfile report --from DAY --to DAY`: what was paid in these days, over all batches of the ledger. Rows whose
 * payment was sent, settled, returned or ended then, each once, as it stands now. Days are those of UTC.
 *
 * --json: {period: {from, to}, batches: [{id, name, rows, allRows, leftOut: [{why, by, count, rows}]}], outcome, sentence,
 * totals, ties, parts, reports}; `by` names the batch that stands for the rows.
 */

const BATCHES_SHOWN = 50;

async function reportOverDays(call: Call): Promise<ExitCode> {
  const period = askedFor(call);
  const { flags, terminal, stopping } = call;
  const { output: path = flags.format === undefined ? undefined : '-', format } = flags;
  const { payfile } = await openParts(call);
  const { fullAccounts } = flags;
  const { signal } = stopping;
  const reported = await payfile.reportPeriod(period, path, { format, fullAccounts, signal });
  if (path === '-') return EXIT.done;
  const { environment, totals, outcome, batches } = reported;
  const title = `Payments from ${period.from} to ${period.to}, both days included (UTC)`;
  const attention = { attention: [], attentionLeft: 0 };
  for (const block of outcomeBlocks({ title, environment, outcome, totals, ...attention }))
    draw(block, placeOf(call), 'print', terminal);
  for (const line of batchLines(reported)) terminal.print(line);
  if (path !== undefined) terminal.print(`Report: ${path}`);
  else {
    tellSteps(typedSteps(call, nextSteps(overDays(period.from, period.to, 'payments.xlsx'))), terminal);
  }
  terminal.answer({
    command: 'report',
    environment,
    period: { from: period.from, to: period.to },
    batches: batches.map((share) => shareJson(share)),
    ...summaryJson(reported),
    reports: reportsJson(path),
  });
  return EXIT.done;
}

function askedFor(call: Call): Period {
  const { from, to, only, asInput } = call.flags;
  const [batch] = call.args;
  const example = overDays('2026-05-01', '2026-05-31', 'may.xlsx');
  if (from === undefined && to === undefined)
    throw new UsageError('Say which batch, or which days: --from DAY --to DAY.', example);
  if (batch !== undefined) {
    const message = 'A report is about one batch or, with --from and --to, about all of them; not both.';
    throw new UsageError(message, command('report', [batch]));
  }
  if (from === undefined || to === undefined)
    throw new UsageError('--from and --to go together: the first and the last day.', example);
  if (only !== undefined || asInput === true)
    throw new UsageError('Rows to be paid again come from one batch: name it.', command('status'));
  const period = periodOf(from, to);
  if (period === undefined) throw new UsageError(`--from ${from} is after --to ${to}.`, example);
  return period;
}

function overDays(from: string, to: string, path: string): Command {
  return command(
    'report',
    [],
    [
      ['--from', from],
      ['--to', to],
      ['-o', path],
    ],
  );
}

function shareJson({ batch, allRows, rows, leftOut }: BatchShare) {
  const left = leftOut.map(({ why, by, ...rest }) => ({ why, by: by?.batchName, ...rest }));
  return { id: batch.id, name: batch.name, rows, allRows, leftOut: left };
}

function batchLines({ batches, totals }: Pick<PeriodReport, 'batches' | 'totals'>): string[] {
  if (totals.linesOut === 0) return ['No payment was sent, settled, returned or ended in these days.'];
  const lines = batches
    .slice(0, BATCHES_SHOWN)
    .flatMap(shareLines)
    .map((line) => `  ${line}`);
  const left = batches.length - BATCHES_SHOWN;
  return [
    '',
    ...lines,
    ...(left > 0 ? [`  … and ${counted(left, 'batch', 'batches')} more, in the report.`] : []),
  ];
}
