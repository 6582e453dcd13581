/**
 * `payfile report BATCH`: the reconciliation report; or, with --only unpaid --as-input, a file of the rows
 * that are proven unpaid, ready to be run. Without -o a summary is shown.
 *
 * The exit code says whether the report could be made, not what the batch came to. --json: the summary of
 * show-batch.ts, or {redo: {path, rows, unpaid, leftOut}}.
 */

import { reportBatch, writeRedo } from '../../application/report-batch.ts';
import type { Batch } from '../../domain/batch.ts';
import { rowsText } from '../../domain/counted.ts';
import { pathWord } from '../../domain/shell-word.ts';
import { argument, type Call, shellWord, tellSteps, typed } from '../call.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { findBatch } from '../find-batch.ts';
import { type Opened, openParts } from '../open-parts.ts';
import { printOutcome, totalsJson } from '../print-outcome.ts';
import { batchLabel, stripe } from '../print-plan.ts';
import { attentionOf, batchJson } from '../show-batch.ts';
import { UsageError } from '../usage-error.ts';
import { reportHeader } from '../write-reports.ts';
import { reportOverDays } from './report-over-days.ts';

export async function report(call: Call): Promise<ExitCode> {
  const { flags } = call;
  const isOverDays = flags.from !== undefined || flags.to !== undefined;
  if (isOverDays || call.args[0] === undefined) return reportOverDays(call);
  if ((flags.only !== undefined) !== (flags.asInput === true)) {
    throw new UsageError(
      'Rows proven unpaid are written as a file to run: --only unpaid and --as-input go together.',
      typed(call, `report ${shellWord(argument(call, 0))} --only unpaid --as-input -o redo.xlsx`),
    );
  }
  const opened = await openParts(call);
  const ledger = await opened.ledger({ readOnly: true });
  const batch = await findBatch(argument(call, 0), ledger, call);
  if (flags.asInput === true) return redo(batch, opened, call);
  const header = reportHeader(batch, opened, ledger);
  const ports = { ledger, openSink: opened.parts.openReportSink };
  const path = flags.output ?? (flags.format === undefined ? undefined : '-');
  const target =
    path === undefined
      ? undefined
      : { path, format: flags.format, fullAccounts: flags.fullAccounts === true };
  const reported = await reportBatch(header, ports, { target, signal: call.stopping.signal });
  const { totals, outcome, discrepant, incidents } = reported;
  const { environment } = ledger.identity;
  const { attention, attentionLeft } = await attentionOf(batch, opened, {
    counts: totals.counts,
    discrepant,
    incidents,
  });
  const { terminal } = call;
  const title = `Batch ${batchLabel(batch)}`;
  if (path !== '-') {
    const shown = { title, stripe: stripe(environment, terminal), outcome, totals, attention, attentionLeft };
    terminal.print(printOutcome(shown, terminal));
    if (path !== undefined) terminal.print(`Report: ${path}`);
  }
  // Standard output is the report itself; a second document behind it would spoil both.
  if (path === '-') return EXIT.done;
  const next =
    path === undefined ? typed(call, `report ${shellWord(batchLabel(batch))} -o report.xlsx`) : undefined;
  tellSteps({ next }, terminal);
  terminal.answer({
    schemaVersion: 1,
    command: 'report',
    environment,
    batch: batchJson(batch),
    outcome: outcome.word,
    exitCode: EXIT.done,
    sentence: outcome.sentence,
    totals: totalsJson(totals),
    ties: totals.ties,
    parts: totals.parts,
    attention,
    reports: path === undefined ? [] : [{ path, problem: undefined }],
  });
  return EXIT.done;
}

async function redo(batch: Batch, opened: Opened, call: Call): Promise<ExitCode> {
  const { flags, terminal, stopping } = call;
  const path = flags.output;
  if (path === undefined) throw new UsageError('Say where the file goes: -o redo.xlsx (or .csv).', undefined);
  const ledger = await opened.ledger();
  const header = reportHeader(batch, opened, ledger);
  const ports = { ledger, openSink: opened.parts.openRedoSink };
  const target = { path, format: flags.format };
  const written = await writeRedo(header, ports, { target, signal: stopping.signal });
  const leftOut = Object.fromEntries(written.leftOut);
  if (path !== '-') {
    terminal.print(`${rowsText(written.rows)} proven unpaid: ${path}`);
    for (const [why, count] of written.leftOut)
      terminal.print(`  ${rowsText(count)} left out because ${why}`);
    const next = typed(call, `plan ${pathWord(path)}`);
    terminal.talk('Correct the rows first.');
    tellSteps({ next }, terminal);
  }
  terminal.answer({
    schemaVersion: 1,
    command: 'report',
    environment: ledger.identity.environment,
    batch: batchJson(batch),
    exitCode: EXIT.done,
    redo: { path, rows: written.rows, unpaid: written.unpaid, leftOut },
  });
  return EXIT.done;
}
