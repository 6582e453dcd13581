/**
 * The metrics file, in the text format of Prometheus and the textfile collector of its node exporter.
 *
 * Names, units and types follow Prometheus: base units, `_seconds`, gauges for values that may fall. Amounts are in
 * units of their currency. The label `file` names the metrics file, so that two files of one folder never have the same
 * series. Values that a call could not read keep their previous text. Otherwise an alert would end too early.
 * Source:  https://prometheus.io/docs/instrumenting/exposition_formats/
 */
import { basename } from 'node:path';
import type { RunFacts } from './run-facts.ts';

type Labels = Readonly<Record<string, string>>;
export type Sample = readonly [labels: Labels, value: string];

const STARTED = 'payfile_run_started_timestamp_seconds';
const UNDER_WAY = 'payfile_run_under_way';

/** Row counts of the whole ledger; undefined if payfile could not read it. */
export interface LedgerRows {
  /** Rows with unknown outcome. */
  readonly doubts: number | undefined;
  readonly held: number | undefined;
  /** Rows that differ from the request, and nobody accepted the difference. */
  readonly differing: number | undefined;
  /** When the oldest payment on its way was sent, in milliseconds; 0: none is on its way. */
  readonly oldestOnItsWay: number | undefined;
}

interface MetricsSources {
  /** The metrics file. */
  readonly path: string;
  readonly ledger: LedgerRows;
  /** Current text of the metrics file. */
  readonly before: string;
}

export function metricsText(facts: RunFacts, { path, ledger, before }: MetricsSources): string {
  const { command, environment, exitCode, outcome, startedAt, endedAt, label: batch } = facts;
  const file = fileLabel(path);
  const code = 'Exit code of the last call; 0 is done, 5 needs a person, see the README.';
  const lastRun = [
    ['payfile_last_run_timestamp_seconds', 'When the last call ended, since 1970.', seconds(endedAt)],
    ['payfile_last_run_duration_seconds', 'How long the last call took.', seconds(endedAt - startedAt)],
    ['payfile_last_run_exit_code', code, exitCode.toString()],
  ] as const;
  return [
    startedText(path, startedAt, '0'),
    ...lastRun.map(([name, help, value]) => metric(name, help, [[{ file, batch }, value]])),
    metric('payfile_last_run_info', 'Command and outcome of the last call; always 1.', [
      [{ file, batch, command, environment, outcome: facts.error?.code ?? outcome ?? 'none' }, '1'],
    ]),
    ...ledgerMetrics(ledger, { file, before }),
    ...(facts.counts === undefined
      ? [linesAbout('payfile_batch_', before)]
      : batchMetrics(facts, { file, batch })),
  ].join('');
}

function linesAbout(prefix: string, before: string): string {
  return linesWhere(before, (line) => line.replace(/^# (HELP|TYPE) /, '').startsWith(prefix));
}

function linesWhere(text: string, isKept: (line: string) => boolean): string {
  const lines = text.split('\n').filter((line) => line !== '' && isKept(line));
  return lines.map((line) => `${line}\n`).join('');
}

function ledgerMetrics(
  { doubts, held, differing, oldestOnItsWay }: LedgerRows,
  { file, before }: { readonly file: string; readonly before: string },
): readonly string[] {
  const orBefore = (name: string, help: string, value: string | undefined) =>
    value === undefined ? linesAbout(name, before) : metric(name, help, [[{ file }, value]]);
  return [
    orBefore(
      'payfile_ledger_doubts',
      'Rows of all batches of the ledger whose outcome is not known: a person must look.',
      doubts?.toString(),
    ),
    orBefore(
      'payfile_ledger_held',
      'Rows of all batches of the ledger that wait for a person.',
      held?.toString(),
    ),
    orBefore(
      'payfile_ledger_differing',
      'Rows of all batches of the ledger that differ from the request: a person must look.',
      differing?.toString(),
    ),
    orBefore(
      'payfile_ledger_oldest_on_its_way_timestamp_seconds',
      'When the oldest payment on its way was sent, since 1970; 0: none is on its way.',
      oldestOnItsWay === undefined ? undefined : seconds(oldestOnItsWay),
    ),
  ];
}

/**
 * Text of the file during a run: the metrics of the last run and the start of this one. A killed process leaves it this
 * way.
 */
export function startedMetrics(before: string, path: string, startedAt: number): string {
  const kept = linesWhere(before, (line) => !line.includes(STARTED) && !line.includes(UNDER_WAY));
  return startedText(path, startedAt, '1') + kept;
}

function startedText(path: string, startedAt: number, underWay: '0' | '1'): string {
  const file = fileLabel(path);
  return [
    metric(STARTED, 'When the last call began, since 1970.', [[{ file }, seconds(startedAt)]]),
    metric(UNDER_WAY, '1 from the start of a call to its end; stays 1 if it was killed.', [
      [{ file }, underWay],
    ]),
  ].join('');
}

function batchMetrics(facts: RunFacts, labels: Labels): readonly string[] {
  const { batch, counts, doubts, differing, totals } = facts;
  if (batch === undefined || counts === undefined) return [];
  const money = totals.flatMap(({ status, currency, amount }): Sample[] =>
    amount === undefined ? [] : [[{ ...labels, status, currency }, amount]],
  );
  return [
    metric('payfile_batch_info', 'The batch that the other batch metrics are about; always 1.', [
      [{ ...labels, id: batch.id }, '1'],
    ]),
    metric('payfile_batch_doubts', 'Rows of the batch whose outcome is not known: a person must look.', [
      [labels, doubts.toString()],
    ]),
    metric('payfile_batch_differing', 'Rows of the batch that differ from the request: a person must look.', [
      [labels, differing.toString()],
    ]),
    metric(
      'payfile_batch_rows',
      'Rows of the batch in each status; currency is empty where none is known.',
      totals.map(({ status, currency, count }) => [{ ...labels, status, currency }, count.toString()]),
    ),
    metric('payfile_batch_amount', 'Money of the batch in each status, in units of the currency.', money),
  ];
}

export function fileLabel(path: string): string {
  return basename(path).replace(/\.prom$/, '');
}

/** A metric named `…_total` is a counter. Others are gauges. */
export function metric(name: string, help: string, samples: readonly Sample[]): string {
  if (samples.length === 0) return '';
  const lines = samples.map(([labels, value]) => `${name}${labelText(labels)} ${value}\n`);
  const type = name.endsWith('_total') ? 'counter' : 'gauge';
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

export function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3);
}
