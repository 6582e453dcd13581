/**
 * The metrics file, in the text format that Prometheus and its node exporter's textfile collector read.
 *
 * Names, units and types follow Prometheus: base units, `_seconds`, gauges for what may fall. Amounts are in units of
 * their currency. The file is about one call of payfile; where no batch was reached, the batch's metrics are absent.
 * Source:  https://prometheus.io/docs/instrumenting/exposition_formats/
 */
import type { RunFacts } from './run-facts.ts';

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: string];

export function metricsText(facts: RunFacts): string {
  const { command, environment, exitCode, outcome, startedAt, endedAt } = facts;
  const one = (value: string): Sample[] => [[{}, value]];
  return [
    family(
      'payfile_last_run_timestamp_seconds',
      'When the last call ended, since 1970.',
      one(seconds(endedAt)),
    ),
    family(
      'payfile_last_run_duration_seconds',
      'How long the last call took.',
      one(seconds(endedAt - startedAt)),
    ),
    family(
      'payfile_last_run_exit_code',
      'Exit code of the last call; 0 is done, 5 needs a person, see the README.',
      one(exitCode.toString()),
    ),
    family('payfile_last_run_info', 'What the last call was and what it came to; always 1.', [
      [{ command, environment, outcome: outcome ?? facts.error?.code ?? 'none' }, '1'],
    ]),
    ...batchFamilies(facts),
  ].join('');
}

function batchFamilies({ batch, counts, totals }: RunFacts): readonly string[] {
  if (batch === undefined || counts === undefined) return [];
  const doubts = (counts.get('in_doubt') ?? 0) + (counts.get('sending') ?? 0);
  const money = totals.flatMap(({ status, currency, amount }): Sample[] =>
    amount === undefined ? [] : [[{ status, currency }, amount]],
  );
  return [
    family('payfile_batch_info', 'The batch that the other batch metrics are about; always 1.', [
      [{ batch: batch.id, name: batch.name ?? '' }, '1'],
    ]),
    family('payfile_batch_doubts', 'Rows whose outcome is not known: a person must look.', [
      [{}, doubts.toString()],
    ]),
    family(
      'payfile_batch_rows',
      'Rows of the batch in each status; currency is empty where none is known.',
      totals.map(({ status, currency, count }) => [{ status, currency }, count.toString()]),
    ),
    family('payfile_batch_amount', 'Money of the batch in each status, in units of the currency.', money),
  ];
}

function family(name: string, help: string, samples: readonly Sample[]): string {
  if (samples.length === 0) return '';
  const lines = samples.map(([labels, value]) => `${name}${labelText(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join('')}`;
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3);
}
