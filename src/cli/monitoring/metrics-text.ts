/**
 * The metrics file, in the text format that Prometheus and its node exporter's textfile collector read.
 *
 * Names, units and types follow Prometheus: base units, `_seconds`, gauges for what may fall. Amounts are in units of
 * their currency. Every series says by `file` which metrics file it is from, so that two files of one folder never hold
 * the same series. What a call could not look at stays as the call before wrote it: otherwise an alert would end while
 * its reason is still there.
 * Source:  https://prometheus.io/docs/instrumenting/exposition_formats/
 */
import { basename } from 'node:path';
import type { RunFacts } from './run-facts.ts';

type Labels = Readonly<Record<string, string>>;
export type Sample = readonly [labels: Labels, value: string];

const STARTED = 'payfile_run_started_timestamp_seconds';
const UNDER_WAY = 'payfile_run_under_way';

/** Rows of the whole ledger; undefined where it could not be read. */
export interface LedgerRows {
  /** Their outcome is not known. */
  readonly doubts: number | undefined;
  readonly held: number | undefined;
  /** They differ from what was asked, and nobody accepted that. */
  readonly differing: number | undefined;
  /** When the first of those on their way was sent, in milliseconds; 0: none is on its way. */
  readonly oldestOnItsWay: number | undefined;
}

interface MetricsPlace {
  /** The metrics file. */
  readonly path: string;
  readonly ledger: LedgerRows;
  /** What the metrics file says until now. */
  readonly before: string;
}

export function metricsText(facts: RunFacts, { path, ledger, before }: MetricsPlace): string {
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
    ...lastRun.map(([name, help, value]) => family(name, help, [[{ file, batch }, value]])),
    family('payfile_last_run_info', 'What the last call was and what it came to; always 1.', [
      [{ file, batch, command, environment, outcome: facts.error?.code ?? outcome ?? 'none' }, '1'],
    ]),
    ...ledgerFamilies(ledger, { file, before }),
    ...(facts.counts === undefined
      ? [linesAbout('payfile_batch_', before)]
      : batchFamilies(facts, { file, batch })),
  ].join('');
}

function linesAbout(prefix: string, before: string): string {
  return linesWhere(before, (line) => line.replace(/^# (HELP|TYPE) /, '').startsWith(prefix));
}

function linesWhere(text: string, isKept: (line: string) => boolean): string {
  const lines = text.split('\n').filter((line) => line !== '' && isKept(line));
  return lines.map((line) => `${line}\n`).join('');
}

function ledgerFamilies(
  { doubts, held, differing, oldestOnItsWay }: LedgerRows,
  { file, before }: { readonly file: string; readonly before: string },
): readonly string[] {
  const orBefore = (name: string, help: string, value: string | undefined) =>
    value === undefined ? linesAbout(name, before) : family(name, help, [[{ file }, value]]);
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
      'Rows of all batches of the ledger that differ from what was asked: a person must look.',
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
 * What stands in the file while a run is under way: what the last one left, and when this one began. A process that is
 * killed leaves it so.
 */
export function startedMetrics(before: string, path: string, startedAt: number): string {
  const kept = linesWhere(before, (line) => !line.includes(STARTED) && !line.includes(UNDER_WAY));
  return startedText(path, startedAt, '1') + kept;
}

function startedText(path: string, startedAt: number, underWay: '0' | '1'): string {
  const file = fileLabel(path);
  return [
    family(STARTED, 'When the last call began, since 1970.', [[{ file }, seconds(startedAt)]]),
    family(UNDER_WAY, '1 from the beginning of a call to its end, also when it was killed.', [
      [{ file }, underWay],
    ]),
  ].join('');
}

function batchFamilies(facts: RunFacts, labels: Labels): readonly string[] {
  const { batch, counts, doubts, differing, totals } = facts;
  if (batch === undefined || counts === undefined) return [];
  const money = totals.flatMap(({ status, currency, amount }): Sample[] =>
    amount === undefined ? [] : [[{ ...labels, status, currency }, amount]],
  );
  return [
    family('payfile_batch_info', 'The batch that the other batch metrics are about; always 1.', [
      [{ ...labels, id: batch.id }, '1'],
    ]),
    family('payfile_batch_doubts', 'Rows of the batch whose outcome is not known: a person must look.', [
      [labels, doubts.toString()],
    ]),
    family(
      'payfile_batch_differing',
      'Rows of the batch that differ from what was asked: a person must look.',
      [[labels, differing.toString()]],
    ),
    family(
      'payfile_batch_rows',
      'Rows of the batch in each status; currency is empty where none is known.',
      totals.map(({ status, currency, count }) => [{ ...labels, status, currency }, count.toString()]),
    ),
    family('payfile_batch_amount', 'Money of the batch in each status, in units of the currency.', money),
  ];
}

export function fileLabel(path: string): string {
  return basename(path).replace(/\.prom$/, '');
}

/** What only grows while a process lives is called `…_total`. */
export function family(name: string, help: string, samples: readonly Sample[]): string {
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
