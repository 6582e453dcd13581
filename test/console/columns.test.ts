/** A file whose columns nobody knows by name: the page shows its first rows, and a person says what they hold. */
import ExcelJS from 'exceljs';
import { expect, it } from 'vitest';
import { type AConsole, aConsole, type Visitor } from './a-console.ts';

const OWN = [
  'Salaires mai;;;;',
  ';;;;',
  'Où;Par qui;No;Combien;À qui',
  'Ghana;GCB Bank;1011130024576;5.00;Ama',
  'Ghana;GCB Bnak;1011130024577;6.00;Ben',
];
const FIELDS = {
  'field-0': 'country',
  'field-1': 'institution',
  'field-2': 'account',
  'field-3': 'amount',
  'field-4': 'name',
};
/** What a person at a page cannot type. */
const FLAG = / --[a-z]/;

async function brought(ada: Visitor, content: string | Uint8Array, name = 'mai.csv'): Promise<string> {
  return (await ada.upload('/uploads', name, content)).headers.get('location') ?? '';
}

async function leadsTo({ idle }: AConsole, ada: Visitor, at: string): Promise<string | null> {
  await ada.page(at);
  await idle();
  return (await ada.get(at)).headers.get('location');
}

const checkedRow = (page: string) => /name="headerRow" value="(\d+)" checked/.exec(page)?.[1];

it('leads from a file without a known name to its first rows, and on to what is wrong in it', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const at = await brought(ada, OWN.join('\n'));
  expect(await leadsTo(all, ada, at)).toBe(`${at}/columns`);
  const page = await ada.page(`${at}/columns`);
  expect(page).toContain('Salaires mai');
  expect([checkedRow(page), FLAG.test(page), page.includes('1011130024576')]).toEqual(['3', false, false]);
  expect(page).toContain('<label for="field-3">Combien</label>');
  const said = await ada.post(`${at}/columns`, { ...FIELDS, headerRow: '3', shownRow: '3' });
  expect(said.headers.get('location')).toBe(at);
  expect(await leadsTo(all, ada, at)).toBeNull();
  expect(await ada.page(at)).toContain('Mend the 1 row');
});

it('takes the names from the row that a person chooses, and forgets what was said of another', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const at = await brought(
    ada,
    ['Payroll;Team;Site;Boss;', ...OWN.slice(2)].join('\n').replaceAll('À qui', ''),
  );
  await leadsTo(all, ada, at);
  expect(checkedRow(await ada.page(`${at}/columns`))).toBe('1');
  const other = await ada.post(`${at}/columns`, { 'field-0': 'country', headerRow: '2', shownRow: '1' });
  expect(other.headers.get('location')).toBe(`${at}/columns`);
  const page = await ada.page(`${at}/columns`);
  expect([checkedRow(page), page.includes('<label for="field-3">Combien</label>')]).toEqual(['2', true]);
  const late = await ada.post(`${at}/columns`, { ...FIELDS, headerRow: '1', shownRow: '1' });
  expect(late.headers.get('location')).toBe(at);
  expect(all.desk.files.waiting('ada')[0]?.reading).toMatchObject({ headerRow: 2, answers: [] });
});

it('keeps what was said of some columns while others are still needed', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const at = await brought(ada, OWN.join('\n'));
  await leadsTo(all, ada, at);
  const some = await ada.post(`${at}/columns`, { 'field-0': 'country', headerRow: '3', shownRow: '3' });
  expect(some.headers.get('location')).toBe(`${at}/columns`);
  const page = await ada.page(`${at}/columns`);
  expect(page).toContain('Still needed: Institution, Account, Amount.');
  expect(page).toMatch(
    /id="field-0"[^>]*>(?:<option value="[^"]*">[^<]*<\/option>\s*)*<option value="country" selected/,
  );
});

it('asks first for the sheet of a workbook in which no name is known', async () => {
  const book = new ExcelJS.Workbook();
  for (const name of ['Avril', 'Mai']) book.addWorksheet(name).addRows(OWN.map((line) => line.split(';')));
  const all = aConsole();
  const ada = all.visitor();
  const at = await brought(ada, new Uint8Array(await book.xlsx.writeBuffer()), 'mai.xlsx');
  expect(await leadsTo(all, ada, at)).toBe(`${at}/columns`);
  const page = await ada.page(`${at}/columns`);
  expect([page.includes('<option value="Mai">'), FLAG.test(page)]).toEqual([true, false]);
  await ada.post(`${at}/columns`, { sheet: 'Mai', take: 'sheet' });
  expect(checkedRow(await ada.page(`${at}/columns`))).toBe('3');
  await ada.post(`${at}/columns`, { ...FIELDS, sheet: 'Mai', headerRow: '3', shownRow: '3' });
  expect(await leadsTo(all, ada, at)).toBeNull();
});

it('names no flag on any page of a file that is refused, or of rows to mend', async () => {
  const head = 'Country,Bank,Account,Amount,Source';
  const row = 'Ghana,GCB Bank,1011130024576';
  const files = [
    'hello',
    'a;b\n1;2\n',
    'Country,Bank,Amount,Net pay,Who\nGhana,GCB Bank,10.00,9.00,Ama\n',
    'Country,Bank,Account,First name,First name,Amount\n',
    'Country,Bank,Account,Amount\n1,2\n',
    Uint8Array.from([...Buffer.from(`${head}\n`), 0xe9, 0x0a]),
    Uint8Array.from(Buffer.from(`${head}\n${row},1.00,\n`, 'utf16le')),
    `${head}\n${row},1.250,\n${row},,\n,,,5.00,\nnote,,,,\n`,
    `${head}\n${row},"1.250,00",GB\n${row},2.500,GB\n${row},"1,250.00",GB\n`,
  ];
  const all = aConsole();
  const ada = all.visitor();
  for (const [index, content] of files.entries()) {
    const at = await brought(ada, content, `f${index}.csv`);
    await leadsTo(all, ada, at);
    for (const path of [at, `${at}/columns`, `${at}/rows`, `${at}/plan`]) {
      const text = await ada.page(path);
      expect([path, / --[a-z].{0,60}/.exec(text)?.[0]]).toEqual([path, undefined]);
    }
  }
});

it('offers the first rows also where the row of names that is taken is not as wide as the rows below', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const rows = ['Country,Bank,Account,Amount', ...OWN.slice(2).map((line) => line.replaceAll(';', ','))];
  const at = await brought(ada, rows.join('\n'));
  expect(await leadsTo(all, ada, at)).toBeNull();
  const refused = await ada.page(at);
  expect(refused).toContain('A row of another width may pay a wrong account');
  expect(refused).toContain(`href="${at}/columns"`);
  const page = await ada.page(`${at}/columns`);
  expect(page).toContain('<details open><summary>Which row holds the names of the columns?');
  expect(page).toContain('À qui');
  await ada.post(`${at}/columns`, { headerRow: '2', shownRow: '1', take: 'row' });
  expect(checkedRow(await ada.page(`${at}/columns`))).toBe('2');
  await ada.post(`${at}/columns`, { ...FIELDS, headerRow: '2', shownRow: '2' });
  expect(await leadsTo(all, ada, at)).toBeNull();
  expect(await ada.page(at)).toContain('header found on row 2');
});
