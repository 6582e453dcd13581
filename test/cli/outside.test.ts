/** What a monitor, a pager and a cron mail are told of a run: true, short, and without account numbers. */
import { expect, it } from 'vitest';
import { metricsText } from '../../src/cli/metrics-text.ts';
import { noticeText } from '../../src/cli/notice.ts';
import { QUIET_LINES_MAX, quietDigest } from '../../src/cli/quiet-digest.ts';
import { type AnswerDocument, type Ended, runFacts } from '../../src/cli/run-facts.ts';

const ended: Ended = {
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
const answer: AnswerDocument = {
  batch: { id: '7', name: 'pay"roll\\may\nbad', digest: 'd' },
  outcome: 'in_doubt',
  sentence: 'Row for account 1011130024501 is in doubt.',
  counts: { settled: 20, in_doubt: 2, sending: 1, failed: 0 },
  totals: [
    { currency: 'GHS', status: 'settled', count: 20, amount: '1250.50', minorUnits: '125050' },
    { currency: 'GHS', status: 'in_doubt', count: 3, amount: '30.00', minorUnits: '3000' },
    { currency: null, status: 'invalid', count: 1, amount: null, minorUnits: null },
  ],
  attention,
  next: 'payfile explain 7 2',
};

it('writes metrics that Prometheus reads, with batch, rows, money and doubts', () => {
  expect(metricsText(runFacts(answer, ended))).toBe(
    `# HELP payfile_last_run_timestamp_seconds When the last call ended, since 1970.
# TYPE payfile_last_run_timestamp_seconds gauge
payfile_last_run_timestamp_seconds 1779689790.250
# HELP payfile_last_run_duration_seconds How long the last call took.
# TYPE payfile_last_run_duration_seconds gauge
payfile_last_run_duration_seconds 90.250
# HELP payfile_last_run_exit_code Exit code of the last call; 0 is done, 5 needs a person, see the README.
# TYPE payfile_last_run_exit_code gauge
payfile_last_run_exit_code 5
# HELP payfile_last_run_info What the last call was and what it came to; always 1.
# TYPE payfile_last_run_info gauge
payfile_last_run_info{command="run",environment="live",outcome="in_doubt"} 1
# HELP payfile_batch_info The batch that the other batch metrics are about; always 1.
# TYPE payfile_batch_info gauge
payfile_batch_info{batch="7",name="pay\\"roll\\\\may\\nbad"} 1
# HELP payfile_batch_doubts Rows whose outcome is not known: a person must look.
# TYPE payfile_batch_doubts gauge
payfile_batch_doubts 3
# HELP payfile_batch_rows Rows of the batch in each status; currency is empty where none is known.
# TYPE payfile_batch_rows gauge
payfile_batch_rows{status="settled",currency="GHS"} 20
payfile_batch_rows{status="in_doubt",currency="GHS"} 3
payfile_batch_rows{status="invalid",currency=""} 1
# HELP payfile_batch_amount Money of the batch in each status, in units of the currency.
# TYPE payfile_batch_amount gauge
payfile_batch_amount{status="settled",currency="GHS"} 1250.50
payfile_batch_amount{status="in_doubt",currency="GHS"} 30.00
`,
  );
});

it('writes metrics of a call that never reached a batch, with its reason and without made-up zeros', () => {
  const text = metricsText(
    runFacts({ error: { code: 'batch_busy', message: 'busy' } }, { ...ended, exitCode: 75 }),
  );
  expect(text).toContain('payfile_last_run_exit_code 75\n');
  expect(text).toContain('outcome="batch_busy"');
  expect(text).not.toContain('payfile_batch');
});

it('tells a pager what happened and what to type, and no account number', () => {
  const notice = JSON.parse(noticeText(runFacts(answer, ended), 'pay-1'));
  expect(notice).toEqual({
    schemaVersion: 1,
    command: 'run',
    environment: 'live',
    exitCode: 5,
    needsAttention: true,
    outcome: 'in_doubt',
    sentence: 'Row for account …4501 is in doubt.',
    next: 'payfile explain 7 2',
    batch: { id: '7', name: 'pay"roll\\may\nbad' },
    counts: { settled: 20, in_doubt: 2, sending: 1, failed: 0 },
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
  const digest = quietDigest(answer, runFacts(answer, ended));
  const lines = [...(digest?.results ?? []), ...(digest?.talk ?? [])];
  expect(lines.length).toBeLessThanOrEqual(QUIET_LINES_MAX);
  expect(lines[0]).toBe('payfile run batch pay"roll\\may bad (live), exit 5');
  expect(lines[1]).toBe('23 rows: 20 settled, 2 in doubt, 1 sending');
  expect(lines[2]).toMatch(/^Row 2 in_doubt: The request went out and no answer came\. x+…$/);
  expect(lines.at(-3)).toBe('… and 5 more.');
  expect(lines.at(-1)).toBe('Next: payfile explain 7 2');
  for (const line of lines) expect(line).not.toContain('\n');
});
