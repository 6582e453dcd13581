/** The template as spreadsheet programs see it: rules that they accept, lists that are those of the service. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import unzipper from 'unzipper';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCurrency } from '../../src/domain/money/currency.ts';
import {
  asCountryId,
  asInstitutionId,
  createDirectory,
  type Institution,
} from '../../src/domain/rows/directory.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { writeTemplate } from '../../src/files/template/write-template.ts';
import type { TemplateContent } from '../../src/ports/outputs.ts';
import { offersOf } from '../../src/use-cases/intake/template.ts';
import { SANDBOX_LISTS } from '../corpus/read-corpus.ts';

const COUNTRIES = [
  { id: asCountryId('ke'), name: 'Kenya', iso: 'KE', callingCode: '254' },
  { id: asCountryId('ci'), name: "Côte d'Ivoire", iso: 'CI', callingCode: '225' },
  { id: asCountryId('cd'), name: 'Congo', iso: 'CD', callingCode: '243' },
  { id: asCountryId('cg'), name: 'Congo', iso: 'CG', callingCode: '242' },
  { id: asCountryId('fr'), name: 'France', iso: 'FR', callingCode: '33' },
];
const INSTITUTIONS: Readonly<
  Record<string, readonly (readonly [id: string, name: string, currency: string])[]>
> = {
  ke: [
    ['11', 'M-PESA', 'KES'],
    ['12', 'Rural Bank', 'KES'],
    ['13', 'Rural  bank', 'USD'],
  ],
  ci: [['21', 'Wave & Co "CI"', 'XOF']],
  cd: [['31', '=Bank', 'CDF']],
  cg: [['41', 'Bank', 'XAF']],
};

function institution([id, name, code]: readonly [string, string, string]): Institution {
  const currency = parseCurrency(code);
  if (currency === undefined) throw new TypeError(`${code} is no currency`);
  return { id: asInstitutionId(id), name, currency, charges: undefined };
}

async function madeTemplate(countries = COUNTRIES) {
  const paymentService = {
    ...SANDBOX_LISTS,
    institutions: async (id: string) => ({
      kind: 'answered' as const,
      answer: (INSTITUTIONS[id] ?? []).map(institution),
    }),
  };
  const directory = createDirectory(COUNTRIES);
  return offersOf(directory, countries, { paymentService, signal: undefined });
}

let folder: string;
let parts: ReadonlyMap<string, string>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-template-'));
  const { countries } = await madeTemplate();
  const path = join(folder, 'pay.xlsx');
  await writeTemplate(path, {
    environment: 'sandbox',
    madeAt: timestampOf(Date.UTC(2026, 4, 27)),
    countries,
  });
  const { files } = await unzipper.Open.file(path);
  parts = new Map(
    await Promise.all(files.map(async (file) => [file.path, String(await file.buffer())] as const)),
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

const part = (name: string) => parts.get(name) ?? '';
const plain = (xml: string) =>
  xml
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
const attribute = (xml: string, name: string) => plain(new RegExp(` ${name}="([^"]*)"`).exec(xml)?.[1] ?? '');

describe('what a template offers', () => {
  it('stands under a text that finds exactly it: the name, or the id where a name is not enough', async () => {
    const { countries, empty } = await madeTemplate();
    expect(
      countries.map(({ label, institutions }) => [label, ...institutions.map((each) => each.label)]),
    ).toEqual([
      ['CD', '=Bank'],
      ['CG', 'Bank'],
      ["Côte d'Ivoire", 'Wave & Co "CI"'],
      ['Kenya', 'M-PESA', '13', '12'],
    ]);
    expect(empty.map(({ name }) => name)).toEqual(['France']);
  });

  it('is nothing at all where each list is empty, and then the service is at fault', async () => {
    const none = COUNTRIES.filter(({ name }) => name === 'France');
    await expect(madeTemplate(none)).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});

describe('the rules of the template', () => {
  const rules = () => part('xl/worksheets/sheet1.xml').match(/<dataValidation .*?<\/dataValidation>/g) ?? [];

  it('are one a column, over the prepared rows, within the lengths that Excel opens without a repair', () => {
    expect(rules().map((rule) => attribute(rule, 'sqref'))).toEqual(
      [...'ABCDEFGHI'].map((letter) => `${letter}2:${letter}2001`),
    );
    for (const rule of rules()) {
      expect(attribute(rule, 'promptTitle').length).toBeLessThanOrEqual(32);
      expect(attribute(rule, 'errorTitle').length).toBeLessThanOrEqual(32);
      expect(attribute(rule, 'prompt').length).toBeLessThanOrEqual(255);
      expect(attribute(rule, 'error').length).toBeLessThanOrEqual(225);
      expect(/<formula1>(.*?)<\/formula1>/.exec(rule)?.[1]?.length ?? 0).toBeLessThanOrEqual(255);
    }
  });

  it('take their lists from named cells, those of the institutions cut out by country', () => {
    const lists = rules().filter((rule) => attribute(rule, 'type') === 'list');
    expect(lists.map((rule) => plain(/<formula1>(.*?)<\/formula1>/.exec(rule)?.[1] ?? ''))).toEqual([
      'payfile_countries',
      'OFFSET(payfile_institutions_top,MATCH($C2,payfile_institution_country,0),0,' +
        'COUNTIF(payfile_institution_country,$C2),1)',
      'payfile_currencies',
    ]);
    expect(lists.map((rule) => attribute(rule, 'errorStyle'))).toEqual(['warning', 'warning', 'warning']);
    const names = [...part('xl/workbook.xml').matchAll(/<definedName name="(payfile_[^"]*)"[^>]*>([^<]*)</g)];
    expect(Object.fromEntries(names.map(([, name, cells]) => [name, cells]))).toEqual({
      payfile_countries: 'Lists!$A$2:$A$5',
      payfile_country_iso: 'Lists!$B$2:$B$5',
      payfile_currencies: 'Lists!$J$2:$J$6',
      payfile_institutions_top: 'Lists!$E$1',
      payfile_institution_country: 'Lists!$D$2:$D$7',
      payfile_institution_key: 'Lists!$H$2:$H$7',
      payfile_institution_id: 'Lists!$G$2:$G$7',
      payfile_institution_currency: 'Lists!$F$2:$F$7',
    });
  });

  it('[F14] keep accounts, phones and references as text in the whole column', () => {
    const sheet = part('xl/worksheets/sheet1.xml');
    const formats =
      part('xl/styles.xml')
        .match(/<cellXfs.*?<\/cellXfs>/)?.[0]
        .match(/<xf [^>]*/g) ?? [];
    const columns = [...sheet.matchAll(/<col min="(\d+)" max="(\d+)"[^>]* style="(\d+)"/g)];
    const formatOf = (column: number) => {
      const found = columns.find(([, min, max]) => Number(min) <= column && column <= Number(max));
      return attribute(` ${formats[Number(found?.[3])]}`, 'numFmtId');
    };
    for (const column of [1, 5, 8]) expect(formatOf(column), `column ${column}`).toBe('49');
    expect(formatOf(6)).not.toBe('49');
  });

  it('calculate with functions that Excel and LibreOffice both know, and with no stale result', () => {
    const formulas = [...part('xl/worksheets/sheet2.xml').matchAll(/<f>(.*?)<\/f>(<v>)?/g)];
    expect(formulas.length).toBeGreaterThan(6_000);
    const used = new Set(formulas.flatMap(([, formula = '']) => plain(formula).match(/[A-Z]+(?=\()/g) ?? []));
    expect([...used].sort()).toEqual([
      'AND',
      'COUNT',
      'COUNTA',
      'COUNTIF',
      'IF',
      'IFERROR',
      'INDEX',
      'ISNUMBER',
      'ISTEXT',
      'LEN',
      'MATCH',
      'MID',
      'NOT',
      'OR',
      'ROW',
      'SEARCH',
      'SUMIF',
      'SUMPRODUCT',
      'VALUE',
    ]);
    expect(formulas.filter(([, , result]) => result !== undefined)).toEqual([]);
    expect(part('xl/workbook.xml')).toContain('fullCalcOnLoad="1"');
  });

  it('[F15] point at a country or an institution that is not listed, and at an account that lost digits', () => {
    const formulas = [...part('xl/worksheets/sheet2.xml').matchAll(/<f>(.*?)<\/f>/g)].map(
      ([, formula = '']) => plain(formula),
    );
    const [findings = ''] = formulas.filter(
      (formula) => formula.includes('$E2=""') && formula.includes('MID('),
    );
    const label = 'IFERROR(INDEX(payfile_countries,MATCH(Payments!$C2,payfile_country_iso,0)),Payments!$C2)';
    const isCountry = `ISNUMBER(MATCH(${label},payfile_countries,0))`;
    const listed =
      `IFERROR(MATCH(${label}&"|"&Payments!$D2,payfile_institution_key,0),` +
      'MATCH(Payments!$D2&"",payfile_institution_id,0))';
    for (const finding of [
      `IF(AND(Payments!$C2<>"",NOT(${isCountry})),"; the country is not in the list","")`,
      `IF(AND(Payments!$D2<>"",${isCountry},NOT(ISNUMBER(${listed}))),"; the institution is not in the list of the country","")`,
      'IF(ISNUMBER(VALUE(MID(Payments!$E2,SEARCH("E+",Payments!$E2)-1,1))),"; the account has lost digits","")',
    ])
      expect(findings).toContain(finding);
  });

  it('shows amounts in the example with the decimals that their currencies have', async () => {
    const { countries } = await madeTemplate();
    const congo = countries.filter(({ country }) => country.iso === 'CG');
    const shown = (await examplesOf('congo', congo)).map((row) => {
      const cell = row.getCell(6);
      return [row.getCell(7).value, cell.value, cell.numFmt];
    });
    expect(shown).toEqual([['XAF', 1_250, expect.stringMatching(/^#,##0;/)]]);
  });

  it('shows people of the example where they may be at home, and accounts where such are held', async () => {
    const { countries } = await madeTemplate();
    const shown = (await examplesOf('home', countries)).map((row) =>
      [2, 3, 4].map((column) => row.getCell(column).text),
    );
    expect(shown).toEqual([
      ['Ama Mensah', 'CD', '=Bank'],
      ['Joseph Otieno', 'Kenya', 'M-PESA'],
      ['Baobab Supplies', 'CG', 'Bank'],
      ['Traoré et Fils', "Côte d'Ivoire", 'Wave & Co "CI"'],
    ]);
  });

  async function examplesOf(name: string, countries: TemplateContent['countries']) {
    const path = join(folder, `${name}.xlsx`);
    await writeTemplate(path, { environment: 'sandbox', madeAt: timestampOf(0), countries });
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.readFile(path, { ignoreNodes: ['dataValidations'] });
    const found: ExcelJS.Row[] = [];
    workbook.getWorksheet('Example')?.eachRow((row) => {
      if (typeof row.getCell(6).value === 'number') found.push(row);
    });
    return found;
  }

  it('never run a name of the service as a formula', () => {
    expect(part('xl/worksheets/sheet4.xml')).not.toContain('<f>');
    expect(part('xl/sharedStrings.xml')).toContain('=Bank');
  });
});

it('a template leaves a file that is there already as it is', async () => {
  const path = join(folder, 'filled.xlsx');
  writeFileSync(path, 'filled in');
  const content = { environment: 'live' as const, madeAt: timestampOf(0), countries: [] };
  await expect(writeTemplate(path, content)).rejects.toMatchObject({ code: 'report_unwritable' });
});
