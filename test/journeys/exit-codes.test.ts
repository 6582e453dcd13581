/** What a script is told: every exit code, each with the situation that it stands for, in the sandbox. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ANSWER_LOST, GOOD, NEVER_FINISHES, payrollCsv, REFUSED, type Row } from '../builders/office.ts';
import { officesFor } from '../builders/offices.ts';

const office = officesFor({ PAYFILE_SOURCE: 'GB' });
const good = (count: number): Row[] =>
  GOOD.slice(0, count).map((account, index) => [account, `${100 + index}.50`] as const);

describe('a run in the sandbox', () => {
  it('pays every row and ends with 0, totals that tie and the report that was asked for', async () => {
    const { payfile, file, folder } = office();
    file('may.csv', payrollCsv(good(3)));
    const ended = await payfile('run', 'may.csv', '--sandbox', '--yes', '--json', '--report', 'out.csv');
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.json()).toMatchObject({
      schemaVersion: 1,
      command: 'run',
      environment: 'sandbox',
      outcome: 'settled',
      exitCode: 0,
      ties: true,
      counts: { settled: 3 },
      totals: [{ currency: 'GHS', status: 'settled', count: 3, amount: '304.50', minorUnits: '30450' }],
      reports: [{ path: 'out.csv' }],
    });
    expect(readFileSync(join(folder, 'out.csv'), 'utf8')).toContain('payfile_transfer_id');
  });

  it('[B1] sends nothing when the same file is run again, says so, and still writes the report', async () => {
    const { payfile, file, folder } = office();
    file('may.csv', payrollCsv(good(2)));
    await payfile('run', 'may.csv', '--sandbox', '--yes', '--batch', 'may');
    const before = await payfile('sandbox', '--book', '--json');
    const again = await payfile(
      'run',
      'may.csv',
      '--sandbox',
      '--yes',
      '--batch',
      'may',
      '--report',
      'r.json',
    );
    expect(again.code).toBe(0);
    expect(again.stderr).toContain('Nothing to send');
    expect(existsSync(join(folder, 'r.json'))).toBe(true);
    const after = await payfile('sandbox', '--book', '--json');
    expect((before.json()['entries'] as unknown[]).length).toBe(2);
    expect(after.json()['entries']).toHaveLength(2);
  });

  it('stops at 10 without --yes, with the plan on stdout and the next command on stderr', async () => {
    const { payfile, file } = office();
    file('may.csv', payrollCsv(good(2)));
    const ended = await payfile('run', 'may.csv', '--sandbox');
    expect(ended.code).toBe(10);
    expect(ended.stdout).toContain('SANDBOX');
    expect(ended.stdout).toMatch(/GHS\s+2\s+202\.00/);
    expect(ended.stderr).toMatch(/Then: payfile approve may --digest DIGEST --sandbox/);
  });

  it('lists every bad row and ends with 65, nothing sent; the mended file then goes through', async () => {
    const { payfile, file } = office();
    file('may.csv', payrollCsv([...good(2), ['1011130024509', 'half']]));
    const bad = await payfile('run', 'may.csv', '--sandbox', '--yes');
    expect(bad.code).toBe(65);
    expect(bad.stdout).toContain('Row 4, Amount (E): saw “half”; expected');
    expect(bad.stderr).toContain('nothing was sent');
    expect((await payfile('sandbox', '--book')).stdout).toContain('0 transfers. Book: ');
    file('may.csv', payrollCsv([...good(2), ['1011130024509', '50.00']]));
    const mended = await payfile('run', 'may.csv', '--sandbox', '--yes', '--json');
    expect(mended.code, mended.stderr).toBe(0);
    expect(mended.json().counts).toMatchObject({ settled: 3, invalid: 0 });
  });

  it('with --skip-invalid pays the others and ends with 3, saying what was left out', async () => {
    const { payfile, file } = office();
    file('may.csv', payrollCsv([...good(1), ['1011130024509', 'half']]));
    const ended = await payfile('run', 'may.csv', '--sandbox', '--yes', '--skip-invalid');
    expect(ended.code, ended.stderr).toBe(3);
    expect(ended.stdout).toContain('1 row invalid');
    expect(ended.stdout).toContain('1 settled, 1 invalid');
  });

  it('ends with 3 when a row is refused, naming the row and what to do', async () => {
    const { payfile, file } = office();
    file('may.csv', payrollCsv([...good(2), [REFUSED, '70.00']]));
    const ended = await payfile('run', 'may.csv', '--sandbox', '--yes');
    expect(ended.code).toBe(3);
    expect(ended.stdout).toMatch(/Row 4\s+✖ Failed\. The service refused it/);
    expect(ended.stdout).toContain('payfile reissue');
  });

  it('[B10] ends with 5 when an answer is lost, never sends that row again, and takes a ruling', async () => {
    const { payfile, file } = office();
    file('may.csv', payrollCsv([...good(1), [ANSWER_LOST, '70.00']]));
    const run = ['run', 'may.csv', '--sandbox', '--yes', '--batch', 'may', '--json'];
    const first = await payfile(...run);
    expect(first.code).toBe(5);
    expect(first.json().attention).toMatchObject([{ row: 3, status: 'in_doubt' }]);
    const second = await payfile(...run);
    expect(second.code).toBe(5);
    const book = (await payfile('sandbox', '--book', '--json', '--full-accounts')).json();
    const entries = book['entries'] as { id: string; account: string }[];
    const lost = entries.filter(({ account }) => account === ANSWER_LOST);
    expect(lost).toHaveLength(1);
    const paid = ['resolve', 'may', '3', '--paid', lost[0]?.id ?? '', '--sandbox', '--yes'];
    expect((await payfile(...paid)).code).toBe(0);
    const settled = await payfile('settle', 'may', '--sandbox', '--json');
    expect(settled.json()).toMatchObject({ exitCode: 0, counts: { settled: 2 } });
  });

  it('ends with 4 when the deadline comes before the last transfer finishes', async () => {
    const { payfile, file } = office();
    file('may.csv', payrollCsv([[NEVER_FINISHES, '70.00']]));
    const ended = await payfile('run', 'may.csv', '--sandbox', '--yes', '--deadline', '1s');
    expect(ended.code).toBe(4);
    expect(ended.stderr).toMatch(/Next: payfile settle may --sandbox/);
  });

  it('ends with 6 when the service refuses everything, and leaves the rest approved', async () => {
    const { payfile, file } = office();
    file('may.csv', payrollCsv(good(5)));
    const words = ['run', 'may.csv', '--sandbox', '--yes', '--concurrency', '1', '--json'];
    const ended = await payfile(...words, '--scenario', 'no-instrument');
    expect(ended.code, ended.stderr).toBe(6);
    expect(ended.json().counts?.['approved']).toBeGreaterThan(0);
    expect(ended.stderr).toMatch(/Next: payfile resume/);
  });

  it('[L37] ends with 73 when the report cannot be written, and says that all was paid', async () => {
    const { payfile, file } = office();
    file('may.csv', payrollCsv(good(1)));
    const ended = await payfile('run', 'may.csv', '--sandbox', '--yes', '--report', `${'r'.repeat(250)}.csv`);
    expect(ended.code).toBe(73);
    expect(ended.stdout).toContain('1 payment: 1 settled');
  });

  it('prints nothing with --quiet when all went well, and the whole story when not', async () => {
    const { payfile, file } = office();
    file('may.csv', payrollCsv(good(2)));
    const quiet = await payfile('run', 'may.csv', '--sandbox', '--yes', '--quiet');
    expect(quiet).toMatchObject({ code: 0, stdout: '', stderr: '' });
    file('june.csv', payrollCsv([[REFUSED, '70.00', 'J-1']]));
    const loud = await payfile('run', 'june.csv', '--sandbox', '--yes', '--quiet');
    expect(loud.code).toBe(3);
    expect(loud.stdout).toContain('1 failed');
  });
});

it('refuses a file that changes a row which was paid (65), naming what was sent', async () => {
  const { payfile, file } = office();
  const head = 'Reference,Country,Institution,Account,Name,Amount';
  const run = ['run', 'may.csv', '--sandbox', '--yes', '--batch', 'may'];
  file('may.csv', `${head}\nA-1,GH,GCB Bank,${GOOD[0]},,50.00\n`);
  expect((await payfile(...run)).code).toBe(0);
  for (const cells of [',999.00', 'Kofi Somebody,50.00']) {
    file('may.csv', `${head}\nA-1,GH,GCB Bank,${GOOD[0]},${cells}\n`);
    const ended = await payfile(...run);
    expect(ended.code).toBe(65);
    expect(ended.stdout).toMatch(
      /^Row 2 \(A-1\) is not in this file as it was: GHS 50\.00 to ••••\d{4} is settled \(\d{4}-\d\d-\d\d \d\d:\d\d UTC\)\.$/m,
    );
    expect(ended.stderr).toContain('payfile kept and sent nothing from this file.');
    expect(ended.stderr).toContain('Restore these rows in the file');
    expect(ended.stderr).not.toContain('--batch');
  }
});

it('[issue 30, 21] keeps a row withdrawn when cron brings the same file again, and says so (3)', async () => {
  const { payfile, file } = office();
  file('may.csv', payrollCsv(good(3)));
  const cron = ['run', 'may.csv', '--sandbox', '--yes', '--batch', 'may'];
  expect((await payfile('plan', 'may.csv', '--sandbox', '--batch', 'may')).code).toBe(0);
  expect((await payfile('cancel', 'may', '3', '--sandbox', '--reason', 'left the company')).code).toBe(0);
  const first = await payfile(...cron);
  expect(first.code, first.stderr).toBe(3);
  expect(first.stderr).toContain(
    '1 row stays withdrawn, as a person decided. To pay it anyway: payfile reissue may ROW',
  );
  expect((await payfile(...cron)).stderr).toContain('Not all of it was paid: 1 canceled.');
  expect((await payfile('sandbox', '--book', '--json')).json()['entries']).toHaveLength(2);
});

it('[B6] holds rows that were paid without references when the file comes back with references (3)', async () => {
  const { payfile, file } = office();
  const run = (name: string) => payfile('run', `${name}.csv`, '--sandbox', '--yes', '--batch', name);
  const paid = good(2).map(([account, amount]): Row => [account, amount, '']);
  file('may.csv', payrollCsv(paid));
  expect((await run('may')).code).toBe(0);
  file('again.csv', payrollCsv(good(2)));
  expect((await run('again')).code).toBe(3);
  expect((await payfile('sandbox', '--book', '--json')).json()['entries']).toHaveLength(2);
});

describe('what is typed wrong', () => {
  it.each([
    [['valdate'], /Unknown command/],
    [['guide', 'fleet'], /Next: payfile help fleet/],
    [['chek', 'a.csv'], /Did you mean check/],
    [['payroll.csv'], /Next: payfile check payroll.csv/],
    [['run', 'a.csv', '--sandbox', '--repot', 'x'], /Did you mean --report/],
    [['run', 'a.csv', '--password=hunter2'], /PAYFILE_PASSWORD_FILE/],
    [['run', 'a.csv', '--sandbox', '--max-total', 'GHS 100'], /expected CURRENCY=AMOUNT/],
    [['run', 'a.csv', '--sandbox', '--deadline', 'soon'], /expected a time such as/],
    [['run', 'a.csv', '--sandbox', '--report', 'x.doc'], /ends in .csv, .json, .xlsx/],
    [['run', 'a.csv', '--sandbox', '--sand'], /Unknown option/],
    [['run', 'a.csv', '--yes'], /agrees only to sandbox payments.*--max-total CUR=AMOUNT/],
    [['run', 'a.csv'], /needs a name for its period or purpose: --batch NAME/],
    [['plan', 'a.csv'], /needs a name for its period or purpose: --batch NAME/],
    [['run', 'a.csv', '--sandbox', '--batch=-x'], /begin with a letter or digit/],
    [['run', 'a.csv', '--sandbox', '--batch', '../x'], /begin with a letter or digit/],
    [['run', 'a.csv', '--sandbox', '--batch', ''], /expected 1 to 100 characters/],
    [['check', 'a.csv', '--sandbox', '--batch', 'a\nb'], /expected 1 to 100 characters/],
    [['release', 'may', '--all', '--sandbox'], /needs --reason/],
    [['demo', '--names', 'close_match=ok'], /demo/],
  ])('%j is refused with 64 and says what is expected', async (words, said) => {
    const ended = await office().payfile(...words);
    expect(ended.code, ended.stderr).toBe(64);
    expect(ended.stderr).toMatch(said);
    expect(ended.stderr).not.toContain('hunter2');
    expect(ended.stdout).toBe('');
  });

  it('ends with 66 for a file that is not there, and with 65 for one that is no payout file', async () => {
    const { payfile, file } = office();
    expect((await payfile('check', 'nowhere.csv', '--sandbox')).code).toBe(66);
    file('letter.csv', 'Dear all,\nthank you.\n');
    expect((await payfile('check', 'letter.csv', '--sandbox')).code).toBe(65);
  });
});
