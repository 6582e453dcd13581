/** From an empty template to a file without one issue; readings and fix files on the way, as a person types them. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import ExcelJS from 'exceljs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FIXED_ACCOUNTS } from '../../src/sandbox/accounts.ts';
import { GOOD, type Office, openOffice, payrollCsv } from '../builders/office.ts';

let office: Office;
beforeEach(() => {
  office = openOffice({ PAYFILE_SOURCE: 'GB', CI: 'true' });
});
afterEach(() => office.close());

interface Issue {
  readonly row: number;
  readonly field: string;
  readonly kind: string;
}

const payfile = (...words: string[]) => office.payfile(...words);

const issuesOf = (answer: { readonly [key: string]: unknown }) =>
  (answer['issues'] as readonly Issue[]).map(({ row, field, kind }) => `${row} ${field} ${kind}`);

async function workbookOf(path: string): Promise<ExcelJS.Workbook> {
  const workbook = new ExcelJS.Workbook();
  // Rules of a whole column would be taken apart cell by cell, which takes seconds.
  await workbook.xlsx.readFile(path, { ignoreNodes: ['dataValidations'] });
  return workbook;
}

describe('a template', () => {
  it('[F27] filled in from its own lists loads without one issue, and is never written over', async () => {
    const made = await payfile(
      'template',
      '-o',
      'pay.xlsx',
      '--country',
      'GH, Kenya,SN,ci',
      '--sandbox',
      '--json',
    );
    expect(made.code, made.stderr).toBe(0);
    expect(made.json()['template']).toMatchObject({ path: 'pay.xlsx', empty: [] });
    const path = office.at('pay.xlsx');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    // A new template has no rows to pay.
    expect((await payfile('check', 'pay.xlsx', '--sandbox')).code).toBe(65);
    const workbook = await workbookOf(path);
    expect(workbook.worksheets.map(({ name }) => name)).toEqual(['Payments', 'Check', 'Example', 'Lists']);
    const sheet = workbook.getWorksheet('Payments');
    const lists = workbook.getWorksheet('Lists');
    if (sheet === undefined || lists === undefined) throw new Error('no sheet');
    const listed = new Set<string>();
    lists.eachRow((row) => listed.add(`${row.getCell(4).text}|${row.getCell(5).text}`));
    const countries: Readonly<Record<string, string>> = {
      GH: 'Ghana',
      KE: 'Kenya',
      SN: 'Senegal',
      CI: "Côte d'Ivoire",
    };
    const people = FIXED_ACCOUNTS.filter(({ iso }) => countries[iso] !== undefined);
    for (const [at, person] of people.entries()) {
      const country = countries[person.iso] ?? '';
      expect(listed).toContain(`${country}|${person.institution}`);
      const cells = [`P-${at}`, person.name, country, person.institution, person.account, 1_000 + at];
      for (const [column, value] of cells.entries()) sheet.getCell(at + 2, column + 1).value = value;
    }
    await workbook.xlsx.writeFile(path);
    const checked = await payfile('check', 'pay.xlsx', '--sandbox', '--json');
    expect(issuesOf(checked.json())).toEqual([]);
    expect(checked.json()['notes']).toEqual(['sheet “Payments”', 'header found on row 1']);
    expect(checked.json()['file']).toMatchObject({ rows: people.length, invalid: 0, held: 0, blankRows: 0 });
    const before = readFileSync(path);
    const again = await payfile('template', '-o', 'pay.xlsx', '--sandbox');
    expect(again.code).toBe(73);
    expect(again.stderr).toContain('is there already');
    expect(readFileSync(path).equals(before)).toBe(true);
  }, 30_000);

  it.each([
    [['template', '--sandbox'], /Say where the template goes/],
    [['template', '-o', 'pay.csv', '--sandbox'], /is a workbook, not “pay.csv”/],
    [['template', '-o', 'pay.xlsx', '--country', 'GH,', '--sandbox'], /expected words between commas/],
    [['template', '-o', 'pay.xlsx', '--country', 'Gahna', '--sandbox'], /Did you mean Ghana \(GH\)/],
  ])('%s is refused as usage', async (words, expected) => {
    const ended = await payfile(...words);
    expect(ended.code).toBe(64);
    expect(ended.stderr).toMatch(expected);
    expect(existsSync(office.at('pay.xlsx'))).toBe(false);
  });
});

describe('a reading', () => {
  const FILE = [
    'Acme May;;;;',
    'Who;Where to;House;Number of it;How much',
    `;GH;GCB;${GOOD[0]};100.00`,
    `;GH;gcb;${GOOD[1]};120.50`,
    ';KE;Kay See Bee;0712345678;4000.00',
    '',
  ].join('\n');
  const MAPS = [
    'country=Where to',
    'institution=House',
    'account=Number of it',
    'amount=How much',
    'name=Who',
  ];

  it('[F27] said once is recognised in the next file, whatever its order, and binds only what was said', async () => {
    writeFileSync(office.at('may.csv'), FILE);
    const maps = MAPS.flatMap((map) => ['--map', map]);
    const keep = ['--save-reading', 'acme'];
    const saved = await payfile('check', 'may.csv', '--sandbox', '--json', ...maps, ...keep);
    expect(issuesOf(saved.json())).toEqual([3, 4, 5].map((row) => `${row} institution institution_unknown`));
    expect(saved.json()['questions']).toMatchObject([
      {
        code: 'institution_unknown',
        choices: [{ flags: ["--value 'GH/GCB=GCB Bank'"] }, { flags: [], answers: [] }],
      },
      // Nothing in the list is plainly meant, so this name has a question of its own.
      { code: 'institution_unknown', text: expect.stringContaining('Kay See Bee') },
    ]);
    const values = ['--value', 'GCB=GCB Bank', '--value', 'KE/Kay See Bee=KCB Bank Kenya'];
    const accepted = await payfile('check', 'may.csv', '--sandbox', '--json', ...values, ...keep);
    expect(accepted.code, accepted.stderr).toBe(0);
    expect(accepted.json()['questions']).toEqual([]);
    writeFileSync(
      office.at('june.csv'),
      `how much,number of it,house,who,where to\n99.00,${GOOD[2]},G.C.B.,,Ghana\n`,
    );
    const june = await payfile('plan', 'june.csv', '--sandbox', '--json');
    expect(june.code, june.stderr).toBe(0);
    expect(issuesOf(june.json())).toEqual([]);
    expect(june.stderr).toMatch(/Remembered for files with these columns: /);
    const kept = await payfile('status', '--readings', '--json');
    expect(kept.json()['readings']).toMatchObject([{ name: 'acme', answers: { length: 7 } }]);
    const place = office.at('config/payfile/readings.json');
    writeFileSync(
      place,
      readFileSync(place, 'utf8').replaceAll('"means": "GCB Bank"', '"means": "Gone Bank"'),
    );
    const gone = await payfile('check', 'may.csv', '--sandbox', '--json');
    expect(issuesOf(gone.json())).toEqual([
      '3 institution institution_gone',
      '4 institution institution_gone',
    ]);
    expect((await payfile('status', '--readings')).stdout).toMatch(/acme +7/);
    const refusals = [
      ['check', 'may.csv', '--reading', 'acne'],
      ['check', 'may.csv', '--forget-reading', 'acne'],
      ['check', 'may.csv', '--save-reading', 'a/b'],
    ];
    for (const words of refusals)
      expect((await payfile(...words, '--sandbox')).code, words.join(' ')).toBe(64);
    const forgotten = await payfile('check', 'may.csv', '--sandbox', '--forget-reading', 'acme');
    expect(forgotten.code).toBe(65);
    expect((await payfile('status', '--readings', '--json')).json()['readings']).toEqual([]);
  }, 40_000);
});

describe('a fix file', () => {
  it('written by run, mended and run instead of the old file, pays every row once', async () => {
    writeFileSync(
      office.at('may.csv'),
      payrollCsv([
        [GOOD[0] ?? '', '100.00'],
        [GOOD[1] ?? '', 'half'],
        [GOOD[2] ?? '', '300.00'],
      ]),
    );
    const stopped = await payfile('run', 'may.csv', '--sandbox', '--yes', '--fix-file', '--json');
    expect(stopped.code).toBe(65);
    expect(stopped.json()['fixFile']).toEqual({ path: 'may.fix.xlsx', rows: 1 });
    // Not the next command: the file has to be mended first.
    expect([stopped.json()['next'], stopped.json()['andThen']]).toEqual([
      undefined,
      expect.stringContaining('run may.fix.xlsx'),
    ]);
    const path = office.at('may.fix.xlsx');
    const workbook = await workbookOf(path);
    const sheet = workbook.getWorksheet('Payments');
    if (sheet === undefined) throw new Error('no sheet');
    sheet.getCell('E3').value = 200;
    await workbook.xlsx.writeFile(path);
    const paid = await payfile(
      'run',
      'may.fix.xlsx',
      '--sandbox',
      '--yes',
      '--json',
      '--report',
      'may.csv.report.csv',
    );
    expect(paid.code, paid.stderr).toBe(0);
    expect(paid.json()['counts']).toMatchObject({ settled: 3 });
    expect(readFileSync(office.at('may.csv.report.csv'), 'utf8')).not.toContain('What to fix');
    const book = await payfile('sandbox', '--book', '--json');
    expect(book.json()['entries']).toHaveLength(3);
  }, 40_000);

  it('gets a name of its own each time, and never that of the file that is read', async () => {
    office.file('may.csv', payrollCsv([[GOOD[0] ?? '', 'half']]));
    for (const name of ['may.fix.xlsx', 'may.fix-2.xlsx']) {
      const ended = await payfile('check', 'may.csv', '--sandbox', '--fix-file', '--json');
      expect(ended.json()['fixFile']).toEqual({ path: name, rows: 1 });
    }
    const over = await payfile('check', 'may.fix.xlsx', '--sandbox', '--fix-file', './may.fix.xlsx');
    expect(over.code).toBe(64);
    office.file('good.csv', payrollCsv([[GOOD[0] ?? '', '1.00']]));
    const good = await payfile('plan', 'good.csv', '--sandbox', '--fix-file', 'good.fix.xlsx', '--json');
    expect(good.json()['fixFile']).toBeNull();
    expect(existsSync(office.at('good.fix.xlsx'))).toBe(false);
  }, 40_000);
});

it('[F28] declared totals that differ refuse the file whole: both numbers, the difference, and nothing is placed', async () => {
  writeFileSync(
    office.at('may.csv'),
    payrollCsv([
      [GOOD[0] ?? '', '100.00'],
      [GOOD[1] ?? '', '120.50'],
    ]),
  );
  const wrong = ['--expect-count', '3', '--expect-total', 'GHS=220.00'];
  for (const words of [['plan'], ['run', '--yes']]) {
    const [command = '', ...flags] = words;
    const ended = await payfile(command, 'may.csv', '--sandbox', ...flags, ...wrong);
    expect(ended.code).toBe(65);
    expect(ended.stderr).toContain('The file has 2 rows; expected 3 rows: 1 row missing.');
    expect(ended.stderr).toContain('GHS 220.50; expected GHS 220.00: GHS 0.50 too much.');
  }
  expect((await payfile('status', '--sandbox', '--json')).json()['batches']).toEqual([]);
  expect((await payfile('sandbox', '--book', '--json')).json()['entries']).toEqual([]);
  const checked = await payfile('check', 'may.csv', '--sandbox', '--json', ...wrong);
  expect(checked.code).toBe(65);
  expect(checked.json()['unexpected']).toHaveLength(2);
  const right = ['--expect-count', '2', '--expect-total', 'GHS=220.50'];
  expect((await payfile('check', 'may.csv', '--sandbox', ...right)).code).toBe(0);
}, 40_000);
