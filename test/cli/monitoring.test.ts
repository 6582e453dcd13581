/** What a monitor, a pager and a cron mail are told of a run: true, short, and without account numbers. */
import { expect, it } from 'vitest';
import { metricsText, startedMetrics } from '../../src/cli/monitoring/metrics-text.ts';
import { noticeText } from '../../src/cli/monitoring/notice.ts';
import {
  type CallEnd,
  QUIET_LINES_MAX,
  runFacts,
  type Summary,
  shortOutputOf,
} from '../../src/cli/monitoring/run-facts.ts';
import { createWorkerMetrics } from '../../src/cli/monitoring/worker-metrics.ts';
import { wordingIn } from '../../src/cli/show/blocks.ts';
import type { StatusCounts } from '../../src/domain/batches/batch.ts';
import { parseCurrency } from '../../src/domain/money/currency.ts';
import { command } from '../../src/domain/next-steps/command.ts';
import { asBatchId } from '../../src/domain/payouts/instruction.ts';
import { STATUSES } from '../../src/domain/payouts/payout.ts';
import { isProblem } from '../../src/domain/reporting/exit-code.ts';
import { textOf } from '../../src/domain/text/message.ts';
import { attentionLine, toLookAt } from '../../src/operations/call-summary.ts';
import { otherDoubts } from '../../src/operations/outcome-blocks.ts';
import type { OpenDoubts } from '../../src/ports/ledger/batches.ts';

const ended: CallEnd = {
  command: 'run',
  isSandbox: false,
  exitCode: 5,
  startedAt: Date.UTC(2026, 4, 25, 6, 15),
  endedAt: Date.UTC(2026, 4, 25, 6, 16, 30, 250),
};
const attention = Array.from({ length: 12 }, (_, at) => ({
  row: at + 2,
  status: 'in_doubt',
  reason: `The request went out and no answer came.\n${'x'.repeat(300)}`,
}));
const none = Object.fromEntries(STATUSES.map((status) => [status, 0])) as StatusCounts;
const GHS = parseCurrency('GHS');
const answer: Summary = {
  batch: { id: asBatchId('7'), name: 'pay"roll\\may\nbad' },
  outcome: 'in_doubt',
  sentence: 'Row for account 1011130024501 is in doubt.',
  totals: {
    counts: { ...none, settled: 20, in_doubt: 2, sending: 1 },
    differing: 1,
    byStatus: [
      { currency: GHS, status: 'settled', count: 20, minor: 125050n },
      { currency: GHS, status: 'in_doubt', count: 3, minor: 3000n },
      { currency: undefined, status: 'invalid', count: 1, minor: 0n },
    ],
  },
  // Twelve are listed, and three more are only counted.
  toLookAt: toLookAt(attention.map(attentionLine), 3),
  steps: { next: command('explain', ['7', 2]) },
};

const PLACE = {
  path: '/var/lib/node_exporter/payroll.prom',
  ledger: { doubts: 4, held: 2, differing: 1, oldestOnItsWay: 1_779_000_000_000 },
  before: '',
};
const UNREAD = { doubts: undefined, held: undefined, differing: undefined, oldestOnItsWay: undefined };

it('writes metrics that Prometheus reads, with file, batch, rows, money and doubts', () => {
  expect(metricsText(runFacts(answer, ended), PLACE)).toBe(
    `# HELP payfile_run_started_timestamp_seconds When the last call began, since 1970.
# TYPE payfile_run_started_timestamp_seconds gauge
payfile_run_started_timestamp_seconds{file="payroll"} 1779689700.000
# HELP payfile_run_under_way 1 from the start of a call to its end; stays 1 if it was killed.
# TYPE payfile_run_under_way gauge
payfile_run_under_way{file="payroll"} 0
# HELP payfile_last_run_timestamp_seconds When the last call ended, since 1970.
# TYPE payfile_last_run_timestamp_seconds gauge
payfile_last_run_timestamp_seconds{file="payroll",batch="pay\\"roll\\\\may\\nbad"} 1779689790.250
# HELP payfile_last_run_duration_seconds How long the last call took.
# TYPE payfile_last_run_duration_seconds gauge
payfile_last_run_duration_seconds{file="payroll",batch="pay\\"roll\\\\may\\nbad"} 90.250
# HELP payfile_last_run_exit_code Exit code of the last call; 0 is done, 5 needs a person, see the README.
# TYPE payfile_last_run_exit_code gauge
payfile_last_run_exit_code{file="payroll",batch="pay\\"roll\\\\may\\nbad"} 5
# HELP payfile_last_run_info Command and outcome of the last call; always 1.
# TYPE payfile_last_run_info gauge
payfile_last_run_info{file="payroll",batch="pay\\"roll\\\\may\\nbad",command="run",environment="live",outcome="in_doubt"} 1
# HELP payfile_ledger_doubts Rows of all batches of the ledger whose outcome is not known: a person must look.
# TYPE payfile_ledger_doubts gauge
payfile_ledger_doubts{file="payroll"} 4
# HELP payfile_ledger_held Rows of all batches of the ledger that wait for a person.
# TYPE payfile_ledger_held gauge
payfile_ledger_held{file="payroll"} 2
# HELP payfile_ledger_differing Rows of all batches of the ledger that differ from the request: a person must look.
# TYPE payfile_ledger_differing gauge
payfile_ledger_differing{file="payroll"} 1
# HELP payfile_ledger_oldest_on_its_way_timestamp_seconds When the oldest payment on its way was sent, since 1970; 0: none is on its way.
# TYPE payfile_ledger_oldest_on_its_way_timestamp_seconds gauge
payfile_ledger_oldest_on_its_way_timestamp_seconds{file="payroll"} 1779000000.000
# HELP payfile_batch_info The batch that the other batch metrics are about; always 1.
# TYPE payfile_batch_info gauge
payfile_batch_info{file="payroll",batch="pay\\"roll\\\\may\\nbad",id="7"} 1
# HELP payfile_batch_doubts Rows of the batch whose outcome is not known: a person must look.
# TYPE payfile_batch_doubts gauge
payfile_batch_doubts{file="payroll",batch="pay\\"roll\\\\may\\nbad"} 3
# HELP payfile_batch_differing Rows of the batch that differ from the request: a person must look.
# TYPE payfile_batch_differing gauge
payfile_batch_differing{file="payroll",batch="pay\\"roll\\\\may\\nbad"} 1
# HELP payfile_batch_rows Rows of the batch in each status; currency is empty where none is known.
# TYPE payfile_batch_rows gauge
payfile_batch_rows{file="payroll",batch="pay\\"roll\\\\may\\nbad",status="settled",currency="GHS"} 20
payfile_batch_rows{file="payroll",batch="pay\\"roll\\\\may\\nbad",status="in_doubt",currency="GHS"} 3
payfile_batch_rows{file="payroll",batch="pay\\"roll\\\\may\\nbad",status="invalid",currency=""} 1
# HELP payfile_batch_amount Money of the batch in each status, in units of the currency.
# TYPE payfile_batch_amount gauge
payfile_batch_amount{file="payroll",batch="pay\\"roll\\\\may\\nbad",status="settled",currency="GHS"} 1250.50
payfile_batch_amount{file="payroll",batch="pay\\"roll\\\\may\\nbad",status="in_doubt",currency="GHS"} 30.00
`,
  );
});

it('writes metrics of a call that never reached a batch: its reason, the batch as typed, the doubts of the ledger', () => {
  const busy = { error: { code: 'batch_busy', message: 'busy' } };
  const text = metricsText(runFacts(busy, { ...ended, exitCode: 75, batchTyped: 'may' }), PLACE);
  expect(text).toContain('payfile_last_run_exit_code{file="payroll",batch="may"} 75\n');
  expect(text).toContain('outcome="batch_busy"');
  expect(text).toContain('payfile_ledger_doubts{file="payroll"} 4\n');
  expect(text).not.toContain('payfile_batch');
  const unread = metricsText(runFacts(busy, ended), { ...PLACE, ledger: UNREAD });
  expect(unread).not.toContain('payfile_ledger_');
});

it('keeps what it could not look at: an alert about rows does not end because the settings cannot be read', () => {
  const before = metricsText(runFacts(answer, ended), PLACE);
  const broken = runFacts({ error: { code: 'config', message: 'config' } }, { ...ended, exitCode: 78 });
  const begun = startedMetrics(before, PLACE.path, ended.startedAt + 86_400_000);
  const after = metricsText(broken, { ...PLACE, ledger: UNREAD, before: begun });
  const linesAbout = (text: string) =>
    text.split('\n').filter((line) => /payfile_(ledger|batch)_/.test(line));
  expect(linesAbout(after)).toEqual(linesAbout(before));
  expect(after).toContain('payfile_last_run_exit_code{file="payroll",batch=""} 78\n');
  expect(after.match(/^payfile_last_run_exit_code/gm)).toHaveLength(1);
});

it('never writes the same series into two metrics files of one folder', () => {
  const seriesOf = (path: string, text: (path: string) => string) =>
    text(path)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.slice(0, line.lastIndexOf(' ')));
  const whole = (path: string) => metricsText(runFacts(answer, ended), { ...PLACE, path });
  const [one, other] = [seriesOf('/m/payroll.prom', whole), seriesOf('/m/suppliers.prom', whole)];
  expect(one.length).toBeGreaterThan(10);
  expect(one.filter((series) => other.includes(series))).toEqual([]);
});

it('shows a run that was killed: its beginning stands beside the end of the one before, once', () => {
  const before = metricsText(runFacts(answer, { ...ended, exitCode: 0 }), PLACE);
  const begun = startedMetrics(before, PLACE.path, ended.startedAt + 86_400_000);
  const again = startedMetrics(begun, PLACE.path, ended.startedAt + 2 * 86_400_000);
  for (const text of [begun, again]) {
    expect(text).toContain('payfile_run_under_way{file="payroll"} 1\n');
    expect(text).toContain('payfile_last_run_timestamp_seconds{file="payroll"');
    expect(text.match(/^payfile_run_started_timestamp_seconds/gm)).toHaveLength(1);
    expect(text.match(/^payfile_run_under_way/gm)).toHaveLength(1);
  }
  expect(begun).toContain('payfile_run_started_timestamp_seconds{file="payroll"} 1779776100.000\n');
  expect(startedMetrics('', PLACE.path, 0)).toContain('payfile_run_under_way{file="payroll"} 1\n');
});

it('tells a pager what happened and what to type, and no account number', () => {
  const notice = JSON.parse(noticeText(runFacts(answer, ended), 'pay-1'));
  expect(notice).toEqual({
    schemaVersion: 1,
    isTest: false,
    command: 'run',
    environment: 'live',
    exitCode: 5,
    needsAttention: true,
    outcome: 'in_doubt',
    sentence: 'Row for account …4501 is in doubt.',
    next: 'payfile explain 7 2',
    andThen: null,
    batch: { id: '7', name: 'pay"roll\\may\nbad' },
    counts: { ...none, settled: 20, in_doubt: 2, sending: 1 },
    differing: 1,
    totals: [
      { status: 'settled', currency: 'GHS', count: 20, amount: '1250.50' },
      { status: 'in_doubt', currency: 'GHS', count: 3, amount: '30.00' },
      { status: 'invalid', currency: '', count: 1, amount: null },
    ],
    error: null,
    host: 'pay-1',
    endedAt: '2026-05-25T06:16:30.250Z',
  });
});

it('keeps a cron mail within fifteen lines, the counts first and the next command last', () => {
  const digest = shortOutputOf(answer, runFacts(answer, ended));
  const lines = [...(digest?.results ?? []), ...(digest?.talk ?? [])];
  expect(lines.length).toBeLessThanOrEqual(QUIET_LINES_MAX);
  expect(lines[0]).toBe('payfile run batch pay"roll\\may bad (live), exit 5');
  expect(lines[1]).toBe('23 rows: 1 sending, 2 in doubt, 20 settled');
  expect(lines[2]).toMatch(/^Row 2 in_doubt: The request went out and no answer came\. x+…$/);
  expect(lines.at(-3)).toBe('… and 10 more.');
  expect(lines.at(-1)).toBe('Next: payfile explain 7 2');
  for (const line of lines) expect(line).not.toContain('\n');
});

it('[L18] says what broke a run off, right above the next command, however short the mail has to be', () => {
  const full =
    'The ledger /srv/ledger.db cannot be written: the disk is full. Nothing was written. Make room.';
  const document = {
    ...answer,
    sentence: full,
    error: { code: 'ledger_unwritable', message: full },
    steps: { next: command('doctor') },
  };
  const facts = runFacts(document, { ...ended, exitCode: 78 });
  const digest = shortOutputOf(document, facts);
  expect(digest?.talk).toEqual([full, 'Next: payfile doctor']);
  expect(metricsText(facts, PLACE)).toContain('outcome="ledger_unwritable"');
});

it('pages for what needs somebody: not for money on its way, nor for a batch that another process runs', () => {
  const codes = [0, 1, 3, 4, 5, 6, 10, 64, 65, 66, 69, 73, 75, 77, 78, 130, 143] as const;
  expect(codes.filter((code) => !isProblem(code))).toEqual([0, 4, 75]);
});

it('names two other batches with rows in doubt at the most, with the command that does something about each', () => {
  const linesOf = (...given: Parameters<typeof otherDoubts>) =>
    otherDoubts(...given).map((pieces) => textOf(pieces, wordingIn({ sandbox: true })));
  const of = (batchId: string, more: Partial<OpenDoubts>): OpenDoubts => ({
    batchId: asBatchId(batchId),
    name: batchId,
    inDoubt: 0,
    leftInFlight: 0,
    firstRow: undefined,
    ...more,
  });
  const doubts = [
    of('3', { inDoubt: 2, firstRow: 7 }),
    of('2', { name: 'april pay', leftInFlight: 1 }),
    of('1', { inDoubt: 1, firstRow: 2 }),
  ];
  expect(linesOf(doubts, '1')).toEqual([
    'Batch 3 has 2 rows in doubt: payfile status 3 --sandbox',
    "Batch april pay has 1 row on the wire when its process ended, and nobody looked since: payfile settle 'april pay' --sandbox",
  ]);
  expect(linesOf(doubts, undefined)).toEqual([
    'Batch 3 has 2 rows in doubt: payfile status 3 --sandbox',
    '… and 2 more batches have rows in doubt: payfile doctor --sandbox',
  ]);
  expect(linesOf(doubts.slice(2), '1')).toEqual([]);
});

it('writes the jobs of a worker from its first sign of life on, each queue from zero', () => {
  const worker = createWorkerMetrics({ path: PLACE.path, now: () => 0 });
  const lanes = { all: 4, own: 2 };
  const queues = ['send', 'settle'] as const;
  const seen = { kind: 'seen', worker: { host: 'pay-1', pid: 1, user: 'payfile', queues, lanes } } as const;
  worker.hear({ kind: 'worker', event: seen });
  const written = worker.text(true);
  expect(written).toContain('payfile_worker_jobs_taken_total{file="payroll",queue="send"} 0\n');
  expect(written).toContain('# TYPE payfile_worker_jobs_taken_total counter\n');
  expect(worker.text(false)).toContain('payfile_worker_at_work{file="payroll"} 0\n');
});
