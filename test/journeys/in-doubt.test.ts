/** A night in which many answers were lost: the morning's screen leads from “in doubt” to “settled”. */
import { expect, it } from 'vitest';
import { ANSWER_LOST, GOOD, payrollCsv } from '../builders/office.ts';
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
