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

async function look({ idle }: AConsole, ada: Visitor, at: string): Promise<string> {
  const page = await ada.page(at);
  await idle();
  return page.includes('id="panel"') ? ada.page(at) : page;
}

const checkedRow = (page: string) => /name="headerRow" value="(\d+)" checked/.exec(page)?.[1];

it('leads from a file without a known header to its first rows, and on to what is wrong in it', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const at = await brought(ada, OWN.join('\n'));
  const page = await look(all, ada, at);
  expect(page).toContain('<details id="columns" open>');
  expect(page).toContain('Salaires mai');
  expect([checkedRow(page), FLAG.test(page), page.includes('1011130024576')]).toEqual(['3', false, false]);
  expect(page).toContain('<label for="field-3">Combien</label>');
  const said = await ada.post(`${at}/columns`, { ...FIELDS, headerRow: '3', shownRow: '3' });
  expect(said.headers.get('location')).toBe(at);
  expect(await look(all, ada, at)).toContain('The service does not list “GCB Bnak”');
});

it('takes the header row that a person chooses, and forgets what was said of another', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const at = await brought(
    ada,
    ['Payroll;Team;Site;Boss;', ...OWN.slice(2)].join('\n').replaceAll('À qui', ''),
  );
  expect(checkedRow(await look(all, ada, at))).toBe('1');
  await ada.post(`${at}/columns`, { 'field-0': 'country', headerRow: '2', shownRow: '1' });
  const page = await look(all, ada, at);
  expect([checkedRow(page), page.includes('<label for="field-3">Combien</label>')]).toEqual(['2', true]);
  const late = await ada.post(`${at}/columns`, { ...FIELDS, headerRow: '1', shownRow: '1' });
  expect(late.headers.get('location')).toBe(at);
  expect(all.desk.files.waiting('ada')[0]?.reading).toMatchObject({ headerRow: 2, answers: [] });
});

it('keeps what was said of some columns while others are still asked about', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const at = await brought(ada, OWN.join('\n'));
  await look(all, ada, at);
  await ada.post(`${at}/columns`, { 'field-0': 'country', headerRow: '3', shownRow: '3' });
  const page = await look(all, ada, at);
  expect(page).toContain('questions that only you can answer');
  expect(page).toMatch(
    /id="field-0"[^>]*>(?:<option value="[^"]*">[^<]*<\/option>\s*)*<option value="country" selected/,
  );
});

it('asks first for the sheet of a workbook in which no header is known', async () => {
  const book = new ExcelJS.Workbook();
  for (const name of ['Avril', 'Mai']) book.addWorksheet(name).addRows(OWN.map((line) => line.split(';')));
  const all = aConsole();
  const ada = all.visitor();
  const at = await brought(ada, new Uint8Array(await book.xlsx.writeBuffer()), 'mai.xlsx');
  const page = await look(all, ada, at);
  expect([page.includes('<option value="Mai">'), FLAG.test(page)]).toEqual([true, false]);
  await ada.post(`${at}/columns`, { sheet: 'Mai' });
  expect(checkedRow(await look(all, ada, at))).toBe('3');
  await ada.post(`${at}/columns`, { ...FIELDS, sheet: 'Mai', headerRow: '3', shownRow: '3' });
  expect(await look(all, ada, at)).toContain('Continue without 1 row');
});

it('lets a person say what columns hold, and refuses two for one field', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const own = `Ref,Where,Bank,Account,Team,Amount\nR-1,Ghana,GCB Bank,1011130024576,<b>red,5.00\n`;
  const at = await brought(ada, own);
  const page = await look(all, ada, at);
  expect(page).toContain('There is no column for country');
  expect(page).toContain('<code>&lt;b&gt;red</code>');
  expect(page).toContain('••••4576');
  expect(page).not.toContain('1011130024576');
  const now = { 'field-0': 'reference', 'field-2': 'institution', 'field-3': 'account', 'field-5': 'amount' };
  await ada.post(`${at}/columns`, { ...now, 'field-1': 'country', 'field-4': 'country' });
  expect(await ada.page(at)).toContain('cannot both hold the country');
  await ada.post(`${at}/columns`, { ...now, 'field-1': 'country' });
  expect(await look(all, ada, at)).toContain('Continue with 1 row');
});

it('takes a column out that nobody wants to use, and takes it back', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const file = 'Country,Institution,Account,Amount,Note\nGhana,GCB Bank,1011130024576,5.00,May\n';
  const at = await brought(ada, file);
  await look(all, ada, at);
  const fields = {
    ...{ 'field-0': 'country', 'field-1': 'institution', 'field-2': 'account', 'field-3': 'amount' },
    shownRow: '1',
  };
  await ada.post(`${at}/columns`, fields);
  expect(await look(all, ada, at)).toContain('column “Note” is not used');
  await ada.post(`${at}/columns`, { ...fields, 'field-4': 'note' });
  expect(await look(all, ada, at)).toContain('<td>May</td>');
});

it('takes one country, currency and note for every row', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const at = await brought(ada, 'Institution,Account,Amount\nGCB Bank,1011130024576,5.00\n');
  await look(all, ada, at);
  const fields = { 'field-0': 'institution', 'field-1': 'account', 'field-2': 'amount', shownRow: '1' };
  const same = { 'same-country': 'GH', 'same-currency': 'GHS', 'same-note': 'Salary May' };
  await ada.post(`${at}/columns`, { ...fields, ...same });
  const page = await look(all, ada, at);
  expect(page).toContain('<td>Salary May</td>');
  expect(page).toContain('country: “GH” in every row');
  expect(page).toContain('<option value="GH" selected>Ghana</option>');
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
    expect([index, / --[a-z].{0,60}/.exec(await look(all, ada, at))?.[0]]).toEqual([index, undefined]);
  }
});

it('offers the first rows also where the header row is not as wide as the rows below', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const rows = ['Country,Bank,Account,Amount', ...OWN.slice(2).map((line) => line.replaceAll(';', ','))];
  const at = await brought(ada, rows.join('\n'));
  const refused = await look(all, ada, at);
  expect(refused).toContain('A row of another width may pay a wrong account');
  expect(refused).toContain('<details id="columns" open>');
  expect(refused).toContain('À qui');
  await ada.post(`${at}/columns`, { headerRow: '2', shownRow: '1' });
  expect(checkedRow(await look(all, ada, at))).toBe('2');
  await ada.post(`${at}/columns`, { ...FIELDS, headerRow: '2', shownRow: '2' });
  expect(await look(all, ada, at)).toContain('header found on row 2');
});

it('lets a person choose columns that have no header in the chosen row, as below a header of two rows', async () => {
  const { visitor, idle } = aConsole();
  const ada = visitor();
  const file =
    'Staff,Where,Bank details,,To pay\n,,Bank,Account,\nYaw Boateng,Ghana,GCB Bank,1011130024576,1450\n';
  const at = (await ada.upload('/uploads', 'two-rows.csv', file)).headers.get('location') ?? '';
  const look = async () => {
    await ada.page(at);
    await idle();
    return ada.page(at);
  };
  await look();
  await ada.post(`${at}/columns`, { headerRow: '2', shownRow: '1' });
  expect(await look()).toContain('E (no header)');
  const fields = ['name', 'country', 'institution', 'account', 'amount'];
  const chosen = Object.fromEntries(fields.map((field, column) => [`field-${column}`, field]));
  await ada.post(`${at}/columns`, { headerRow: '2', shownRow: '2', ...chosen });
  expect(await look()).toMatch(/1 row\.[\s\S]*1,450\.00/);
});
