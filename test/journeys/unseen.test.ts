/** Characters that nobody can see do not get to a terminal, a page or a log as they are. JSON keeps them exactly. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { GOOD } from '../builders/office.ts';
import { officesFor } from '../builders/offices.ts';

const office = officesFor({ PAYFILE_SOURCE: 'GB' });
const HEADER = 'Dep\u200bt';
const CELL = 'Sa\u00adles\u3164';
const REASON = 'left\ufffethe\u{e0041}company\u2066\ue000';
const RAW = /[\p{DI}\p{Co}\p{NChar}]/v;

it('shows each in what a person reads: terminal, page, workbook, CSV and log', async () => {
  const { file, payfile, at } = office();
  const name = file(
    'may\u2800\u200b.csv',
    `Reference,Country,Institution,Account,Amount,${HEADER}\n${GOOD.map(
      (account, row) => `R-${row},GH,GCB Bank,${account},1000.00,${CELL}`,
    ).join('\n')}\n`,
  );
  const said = [
    await payfile(
      'plan',
      name,
      '--batch',
      'may',
      '--sandbox',
      '--log-file',
      'log.json',
      '--log-level',
      'debug',
    ),
    await payfile('cancel', 'may', '2', '--reason', REASON, '--sandbox'),
    await payfile('explain', 'may', '2', '--sandbox'),
    await payfile('status', 'may', '--sandbox'),
    await payfile('plan', `${name}\u200b`, '--batch', 'june', '--sandbox'),
  ];
  expect(said.map(({ code }) => code)).toEqual([0, 0, 0, 0, 66]);
  expect(said[2]?.stdout).toContain('left�the�company��');
  for (const { stdout, stderr } of said) expect(stdout + stderr).not.toMatch(RAW);
  const reports = ['may.html', 'may.csv', 'may.json'];
  for (const report of reports)
    expect((await payfile('report', 'may', '-o', report, '--sandbox')).code).toBe(0);
  for (const report of [...reports, 'log.json']) {
    const text = readFileSync(at(report), 'utf8').replace(/^\ufeff/, '');
    expect([report, RAW.test(text)]).toEqual([report, false]);
  }
  const json = JSON.parse(readFileSync(at('may.json'), 'utf8')) as {
    readonly rows: readonly { readonly original: Readonly<Record<string, string>> }[];
  };
  expect(json.rows[0]?.original[HEADER]).toBe(CELL);
});

it('refuses an amount that JSON numbers do not count, and adds up the greatest ones exactly', async () => {
  const { file, payfile } = office();
  const rows = (amount: string) =>
    `Reference,Country,Institution,Account,Amount\n${Array.from(
      { length: 1_500 },
      (_, row) => `R-${row},GH,GCB Bank,10111300${20_000 + row},${amount}`,
    ).join('\n')}\n`;
  const name = file('may.csv', rows('90071992547409.92'));
  const check = await payfile('check', name, '--sandbox', '--json');
  expect(check.code, check.stderr).toBe(0);
  // 1,500 times 90,071,992,547,409.92; in minor units beyond 64 bits.
  expect(check.stdout).toContain('"135107988821114880.00"');
  const above = await payfile('check', file('june.csv', rows('90071992547409.93')), '--sandbox');
  expect(above.code).toBe(65);
  expect(above.stdout + above.stderr).toContain('at most GHS 90,071,992,547,409.92');
});
