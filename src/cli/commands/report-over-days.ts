/**
 * `payfile report --from DAY --to DAY`: what was paid in these days, over all batches of the ledger. Rows whose
 * payment was sent, settled, returned or ended then, each once, as it stands now. Days are those of UTC.
 *
 * --json: {period: {from, to}, batches: [{id, name, rows}], outcome, sentence, totals, ties, parts, reports}.
 */

import { type PeriodReported, reportPeriod } from '../../application/report-period.ts';
import { counted, rowsText } from '../../domain/counted.ts';
import { type Period, periodOf } from '../../domain/period.ts';
import { hoursMs } from '../../domain/policy.ts';
import { formatOfName } from '../../domain/report-format.ts';
import { type Call, shellWord, tellSteps, typed } from '../call.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { openParts } from '../open-parts.ts';
import { printOutcome, totalsJson } from '../print-outcome.ts';
import { batchLabel, stripe } from '../print-plan.ts';
import { UsageError } from '../usage-error.ts';

const BATCHES_SHOWN = 50;

export async function reportOverDays(call: Call): Promise<ExitCode> {
  const period = askedFor(call);
  const { flags, terminal, stopping } = call;
  const { output: path = flags.format === undefined ? undefined : '-', format } = flags;
  refuseOneBatchFormats(path, call);
  const { parts, settings, ...opened } = await openParts(call);
  const ledger = await opened.ledger({ readOnly: true });
  const { environment } = ledger.identity;
  const target = path === undefined ? undefined : { path, format, fullAccounts: flags.fullAccounts === true };
  const sink = target === undefined ? undefined : await parts.openReportSink(target);
  const reissueAfterMs = hoursMs(settings.policy.reissueAfterHours);
  const header = { environment, madeAt: parts.clock.now(), reissueAfterMs };
  const reported = await reportPeriod(ledger, { period, sink, header, signal: stopping.signal });
  if (path === '-') return EXIT.done;
  const { totals, outcome, batches } = reported;
  const title = `Payments from ${period.from} to ${period.to}, both days included (UTC)`;
  const attention = { attention: [], attentionLeft: 0 };
  terminal.print(
    printOutcome({ title, stripe: stripe(environment, terminal), outcome, totals, ...attention }, terminal),
  );
  for (const line of batchLines(reported)) terminal.print(line);
  if (path !== undefined) terminal.print(`Report: ${path}`);
  else {
    const next = typed(call, `report --from ${period.from} --to ${period.to} -o payments.xlsx`);
    tellSteps({ next }, terminal);
  }
  terminal.answer({
    schemaVersion: 1,
    command: 'report',
    environment,
    period: { from: period.from, to: period.to },
    batches: batches.map(({ batch, rows }) => ({ id: batch.id, name: batch.name ?? null, rows })),
    outcome: outcome.word,
    exitCode: EXIT.done,
    sentence: outcome.sentence,
    totals: totalsJson(totals),
    ties: totals.ties,
    parts: totals.parts,
    reports: path === undefined ? [] : [{ path, problem: undefined }],
  });
  return EXIT.done;
}

function askedFor(call: Call): Period {
  const { from, to, only, asInput } = call.flags;
  const [batch] = call.args;
  const example = typed(call, 'report --from 2026-05-01 --to 2026-05-31 -o may.xlsx');
  if (from === undefined && to === undefined)
    throw new UsageError('Say which batch, or which days: --from DAY --to DAY.', example);
  if (batch !== undefined) {
    const message = 'A report is about one batch or, with --from and --to, about all of them; not both.';
    throw new UsageError(message, typed(call, `report ${shellWord(batch)}`));
  }
  if (from === undefined || to === undefined)
    throw new UsageError('--from and --to go together: the first and the last day.', example);
  if (only !== undefined || asInput === true)
    throw new UsageError('Rows to be paid again come from one batch: name it.', typed(call, 'status'));
  const period = periodOf(from, to);
  if (period === undefined) throw new UsageError(`--from ${from} is after --to ${to}.`, example);
  return period;
}

/** Before anything is read: some formats have room for one batch only. */
function refuseOneBatchFormats(path: string | undefined, call: Call): void {
  const format = call.flags.format ?? (path === undefined ? undefined : formatOfName(path));
  if (format !== 'html' && format !== 'pain002') return;
  throw new UsageError(
    `A ${format} report is about one batch; over days it is .csv, .json or .xlsx.`,
    typed(call, 'status'),
  );
}

function batchLines({ batches, totals }: PeriodReported): string[] {
  if (totals.linesOut === 0) return ['No batch of this ledger has a payment in these days.'];
  const lines = batches
    .slice(0, BATCHES_SHOWN)
    .map(({ batch, rows }) => `  Batch ${batchLabel(batch)}: ${rowsText(rows)}`);
  const left = batches.length - BATCHES_SHOWN;
  return [
    '',
    ...lines,
    ...(left > 0 ? [`  … and ${counted(left, 'batch', 'batches')} more, in the report.`] : []),
  ];
}
