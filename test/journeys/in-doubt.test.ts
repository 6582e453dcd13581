/** A night in which many answers were lost: the morning's screen leads from “in doubt” to “settled”. */
import { describe, expect, it } from 'vitest';
import { ANSWER_LOST, GOOD, LOST_UNPAID, payrollCsv } from '../builders/office.ts';
import { officesFor } from '../builders/offices.ts';

const office = officesFor({ PAYFILE_SOURCE: 'GB', PAYFILE_POST_TIMEOUT_MS: '1000' });
const ROWS = 14;

async function aBadNight() {
  const { payfile, file } = office();
  const sandbox = (...words: string[]) => payfile(...words, '--sandbox');
  const lost = Array.from({ length: ROWS }, (_, at): [string, string] => [ANSWER_LOST, `${70 + at}.00`]);
  file(
    'may.csv',
    payrollCsv([...GOOD.slice(0, 2).map((account): [string, string] => [account, '100.50']), ...lost]),
  );
  const words = ['run', 'may.csv', '--yes', '--batch', 'may', '--concurrency', String(ROWS)];
  return { payfile, sandbox, file, ended: await sandbox(...words) };
}

const countIn = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

it('tells of 14 rows in doubt on one screen, with what to get, how to compare and how to go on', async () => {
  const { ended, sandbox } = await aBadNight();
  expect(ended.code, ended.stderr).toBe(5);
  const block = ended.stdout.slice(ended.stdout.indexOf('14 rows in doubt'));
  expect(block.trim().split('\n').length).toBeLessThanOrEqual(20);
  expect(block.split(/\s+/).length).toBeLessThanOrEqual(200);
  expect(block).toMatch(/^14 rows in doubt, GHS 1,071\.00, sent .* UTC: rows 4–17\.$/m);
  expect(block).toMatch(/from \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d/);
  expect(block).toContain('payfile reconcile may --statement FILE --sandbox');
  expect(block).toContain('payfile settle may --sandbox');
  expect(countIn(ended.stderr, /^Warning: /gm)).toBe(4);
  expect(ended.stderr).toContain(
    'Next: payfile explain may 4 --sandbox\nThen: payfile reconcile may --statement FILE',
  );
  expect((await sandbox('status', 'may')).stdout).toContain(block.trim().split('\n')[0]);
  expect((await sandbox('status')).stdout).toContain(
    'Batch may has 14 rows in doubt: payfile status may --sandbox',
  );
}, 60_000);

it('leads from there to a settled batch, by what is shown alone', async () => {
  const { payfile, sandbox, ended, file } = await aBadNight();
  const [, book = ''] = /payfile (sandbox --book -o \S+)/.exec(ended.stdout) ?? [];
  expect((await payfile(...book.split(' '))).code).toBe(0);
  file('early.csv', 'Date,Transfer ID,Amount,Account,Narration\n2026-05-01,x-1,5.00,999,bank charges\n');
  const early = await sandbox('reconcile', 'may', '--statement', 'early.csv');
  expect(early.code).toBe(5);
  expect(early.stdout).toContain('14 rows in doubt');
  expect(early.stderr).not.toContain('payfile report');
  const compared = await sandbox('reconcile', 'may', '--statement', 'statement.csv');
  expect(compared.code, compared.stderr).toBe(10);
  expect(compared.stdout).not.toContain('14 rows in doubt');
  const [, then = ''] = /^Then: payfile (.*)$/m.exec(compared.stderr) ?? [];
  const ruled = await payfile(...then.split(' '));
  expect(ruled.code, ruled.stderr).toBe(0);
  expect(ruled.stderr).toContain('Next: payfile settle may --sandbox');
  expect((await sandbox('settle', 'may')).code).toBe(0);
}, 60_000);

describe('in the sandbox, the printed commands alone', () => {
  /** Each command that was printed is typed as it stands, with what it leaves open filled in. */
  async function follow(rows: [string, string][]) {
    const { payfile, file } = office();
    file('may.csv', payrollCsv(rows));
    let shown = await payfile('run', 'may.csv', '--yes', '--batch', 'may', '--sandbox');
    const typed = async (pattern: RegExp) => {
      const said = (shown.stdout + shown.stderr).replace(/\s+/g, ' ');
      const [, line] = pattern.exec(said) ?? [];
      if (line === undefined) throw new Error(`nothing to type: ${pattern}\n${said}`);
      const words = line.replace('FILE', 'statement.csv').replace('TEXT', 'asked').split(' ');
      shown = await payfile(...words);
      return shown;
    };
    await typed(/payfile (sandbox --book -o \S+ --sandbox)/);
    shown = await payfile('status', 'may', '--sandbox');
    await typed(/payfile (reconcile may --statement FILE --sandbox)/);
    return { payfile, typed };
  }

  /** Until no answer can come any more, as it was told. */
  async function waited(said: string) {
    const [, from = ''] = /from (\S+ \S+) UTC on/.exec(said) ?? [];
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, Date.parse(`${from}Z`) - Date.now())));
  }

  it('rule one row paid and one not paid, and end', async () => {
    const rows: [string, string][] = [
      [GOOD[0] ?? '', '100.50'],
      [ANSWER_LOST, '66.00'],
      [LOST_UNPAID, '55.00'],
    ];
    const { payfile, typed } = await follow(rows);
    await waited((await payfile('explain', 'may', '4', '--sandbox')).stderr);
    const first = await typed(/Then: payfile (reconcile may --statement statement.csv --accept --sandbox)/);
    expect(first.code).toBe(10);
    expect(first.stdout).toMatch(/^Ruled paid +1 +GHS 66\.00/m);
    expect(first.stdout).toMatch(/^Ruled paid:\n +Row 3/m);
    expect(first.stdout).not.toContain('Proposed: paid');
    const last = await typed(
      /Then: payfile (reconcile may --statement statement.csv --accept not-paid --sandbox)/,
    );
    expect(last.code, last.stdout + last.stderr).toBe(0);
    expect((await typed(/Next: payfile (settle may --sandbox)/)).stdout).toMatch(/2 settled, 1 failed/);
  }, 60_000);

  it('rule a row not paid that is alone in its batch', async () => {
    const { payfile, typed } = await follow([[LOST_UNPAID, '55.00']]);
    const explained = await typed(/Next: payfile (explain may 2 --sandbox)/);
    await waited(explained.stderr);
    const ruled = await typed(
      /payfile (resolve may 2 --not-paid --evidence TEXT --accept not-paid --sandbox)/,
    );
    expect(ruled.code, ruled.stderr).toBe(0);
    expect((await typed(/Next: payfile (reissue may 2 --sandbox)/)).code).toBe(0);
    const { stdout } = await payfile('explain', 'may', '2', '--sandbox');
    expect(stdout).toContain('The first attempt to pay this row, row 2 of batch may: ✖ Failed\n');
    expect(stdout).toContain('planned again, in place of the payment before: by ');
    expect(stdout).toContain('planned again: a new payment of this row took its place\n');
  }, 60_000);
});

it('believes a book only of its own time: a row that came into doubt after it stays in doubt', async () => {
  const { payfile, file } = office();
  const sandbox = (...words: string[]) => payfile(...words, '--sandbox');
  file('may.csv', payrollCsv([[GOOD[0] ?? '', '100.50']]));
  await sandbox('run', 'may.csv', '--yes', '--batch', 'may');
  await sandbox('sandbox', '--book', '-o', 'early.csv');
  file(
    'may.csv',
    payrollCsv([
      [GOOD[0] ?? '', '100.50'],
      [ANSWER_LOST, '66.00'],
    ]),
  );
  await sandbox('run', 'may.csv', '--yes', '--batch', 'may');
  const compared = await sandbox('reconcile', 'may', '--statement', 'early.csv', '--accept', 'not-paid');
  expect(compared.code).toBe(5);
  expect(compared.stdout.replace(/\s+/g, ' ')).toContain('wrote its book before the request had ended');
}, 60_000);
