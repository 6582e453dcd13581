/** Every form that a workbook may be written in is read as all programs read it, or refused where they differ. */
import { describe, expect, it } from 'vitest';
import { isExternalFormula } from '../../src/files/xlsx/read-cells.ts';
import { buildZip, type WorkbookXml, workbookParts, type ZipPart } from './build-zip.ts';
import { readBytes, refusal } from './read-file.ts';

const AGAIN =
  'Get the file again from whoever made it. Do not open it and save it: a repaired copy may hold other amounts.';

const HEADER = ['Reference', 'Country', 'Institution', 'Account', 'Amount'];
const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const header = `<row>${HEADER.map(text).join('')}</row>`;
/** A row whose amount, in E2, is the given cell. */
const paying = (amount: string, row = '<row>') =>
  `${row}${['A', 'Ghana', 'GCB Bank', '0123'].map(text).join('')}${amount}</row>`;
const book = (data: string, more: Omit<WorkbookXml, 'sheets'> = {}, before = '') =>
  buildZip(workbookParts({ sheets: { May: `${before}<sheetData>${data}</sheetData>` }, ...more }));
const withAmount = (cell: string) =>
  book(header + paying(cell), { sharedStrings: '<si><t>50</t></si><si><t>77</t></si>' });
const amountOf = async (bytes: Buffer) => (await readBytes(bytes)).cells[0]?.[4];

describe('a cell', () => {
  it.each([
    ['a number before its own text', '<c t="inlineStr"><v>50</v><is><t>50</t></is></c>'],
    ['a number behind its own text', '<c t="inlineStr"><is><t>50</t></is><v>50</v></c>'],
    ['a number and a text', '<c><v>50</v><is><t>50</t></is></c>'],
    ['a shared text and its own', '<c t="s"><is><t>50</t></is><v>1</v></c>'],
    ['two numbers', '<c><v>5</v><v>0</v></c>'],
    ['two numbers, the second one empty', '<c><v>5</v><v/></c>'],
    ['a number within a number', '<c><v>5<v>0</v></v></c>'],
    ['a text within a number', '<c t="inlineStr"><v>5<t>0</t></v></c>'],
    ['a cell within a cell', '<c><v>5</v><c><v>0</v></c></c>'],
    ['bare text beside its number', '<c>5<v>0</v></c>'],
    ['two texts', '<c t="inlineStr"><is><t>5</t></is><is><t>0</t></is></c>'],
    ['two texts in one', '<c t="inlineStr"><is><t>5</t><t>0</t></is></c>'],
    ['a text beside its runs', '<c t="inlineStr"><is><t>5</t><r><t>0</t></r></is></c>'],
    ['two texts in one run', '<c t="inlineStr"><is><r><t>5</t><t>0</t></r></is></c>'],
    ['a number within a formula', '<c><f>A1<v>5</v></f><v>0</v></c>'],
  ])('with %s is refused, because programs show the one or the other', async (_, cell) => {
    expect(await refusal(withAmount(cell))).toBe(
      `payouts.csv, sheet “May”: cell E2 has two values, and programs differ on which of them they show. ${AGAIN}`,
    );
  });

  it.each([...'ABCDE'].map((letter, at) => [letter, at] as const))(
    'with two values is refused in column %s as in every other',
    async (letter, at) => {
      const two = '<c t="inlineStr"><v>5</v><is><t>5</t></is></c>';
      const cells = HEADER.map((_, column) => (column === at ? two : text('7')));
      expect(await refusal(book(`${header}<row>${cells.join('')}</row>`))).toContain(
        `cell ${letter}2 has two`,
      );
    },
  );

  it('with two values is refused in a column without a meaning, and in the header', async () => {
    const two = '<c t="inlineStr"><v>5</v><is><t>5</t></is></c>';
    expect(await refusal(book(header + paying(text('5') + two)))).toContain('cell F2 has two values');
    expect(await refusal(book(header.replace('</row>', `${two}</row>`) + paying(text('5'))))).toContain(
      'cell F1',
    );
  });

  it.each([
    ['its text in runs', '<c t="inlineStr"><is><r><rPr><b/></rPr><t>5</t></r><r><t>0</t></r></is></c>'],
    [
      'its text and how it is pronounced',
      '<c t="inlineStr"><is><t>50</t><rPh sb="0" eb="1"><t>9</t></rPh></is></c>',
    ],
    ['its text and an empty number', '<c t="inlineStr"><v/><is><t>50</t></is></c>'],
    ['its text where the number of others is', '<c t="inlineStr"><v>50</v></c>'],
    ['an empty text beside its runs', '<c t="inlineStr"><is><t/><r><t>50</t></r></is></c>'],
    ['a number and what a program keeps for itself', '<c><v>50</v><extLst><ext><v>7</v></ext></extLst></c>'],
    ['a number in two pieces', '<c><v>5<!-- 7 --><![CDATA[0]]></v></c>'],
    ['a shared text', '<c t="s"><v>0</v></c>'],
  ])('with %s has that one value', async (_, cell) => {
    expect(await amountOf(withAmount(cell))).toBe('50');
  });

  it.each([
    ['an empty shared text', '<c t="s"><v/></c>'],
    ['an empty shared text behind a formula', '<c t="s"><f>A1</f><v></v></c>'],
    ['an empty number', '<c><v/></c>'],
    ['an empty yes or no', '<c t="b"><v/></c>'],
    ['an empty text', '<c t="inlineStr"><is><t/></is></c>'],
    ['no text', '<c t="inlineStr"/>'],
  ])('with %s is blank', async (_, cell) => {
    expect(await amountOf(withAmount(cell))).toBe('');
  });

  it.each([
    ['a shared text that is no number', '<c t="s"><v>1st</v></c>', 'cell E2 points at a text'],
    ['half a shared text', '<c t="s"><v>0.9</v></c>', 'cell E2 points at a text'],
    ['a text of its own and the kind of a number', '<c><is><t>50</t></is></c>', 'cell E2 has a text where'],
    ['a kind that is none', '<c t="S"><v>1</v></c>', 'unknown kind “S”'],
    ['two formulas', '<c><f>A1</f><f>A2</f><v>5</v></c>', 'cell E2 has two formulas'],
    ['an address of another kind', '<c r="R2C5"><v>5</v></c>', 'the address “R2C5”'],
    ['an address beyond the last column', '<c r="XFE2"><v>5</v></c>', 'the address “XFE2”'],
    ['an address without a row', '<c r="E"><v>5</v></c>', 'the address “E”'],
    ['an address of another row', '<c r="E3"><v>5</v></c>', 'cell E3 stands inside of row 2'],
    ['an address twice', '<c r="E2"><v>5</v></c><c r="E2"><v>6</v></c>', 'out of order at E2'],
    ['an element of another program', '<c><z:x xmlns:z="urn:z"/><v>5</v></c>', 'an element “z:x”'],
  ])('with %s is refused', async (_, cell, part) => {
    expect(await refusal(withAmount(cell))).toContain(part);
  });
});

describe('a shared text', () => {
  const shared = (strings: string) =>
    book(header + paying('<c t="s"><v>1</v></c>'), { sharedStrings: strings });
  it.each([
    ['twice', '<t>5</t><t>0</t>'],
    ['whole and in runs', '<t>5</t><r><t>0</t></r>'],
    ['with a text within it', '<t>5</t><si><t>0</t></si>'],
  ])('that is written %s is refused', async (_, inner) => {
    expect(await refusal(shared(`<si><t>x</t></si><si>${inner}</si>`))).toContain(
      'two texts as its shared text 1',
    );
  });

  it('counts from nought in the order of the part, whatever count the part declares', async () => {
    expect(await amountOf(shared('<si/><si><t>50</t></si><si><t>7</t></si>'))).toBe('50');
  });
});

describe('a row', () => {
  const hiddenOf = async (row: string, before: string) => {
    const { rows } = await readBytes(book(header + paying(text('5'), row), {}, before));
    return rows[0]?.marks?.map(({ kind, column }) => `${kind} ${column}`) ?? [];
  };
  const ZERO_HEIGHT = '<sheetFormatPr defaultRowHeight="15" zeroHeight="1"/>';

  it('that is written down is visible, also in a sheet whose other rows are hidden', async () => {
    expect(await hiddenOf('<row>', ZERO_HEIGHT)).toEqual([]);
    expect(await hiddenOf('<row hidden="0">', ZERO_HEIGHT)).toEqual([]);
    expect(await hiddenOf('<row hidden="1">', ZERO_HEIGHT)).toEqual(['hidden -1']);
    expect(await hiddenOf('<row ht="0">', ZERO_HEIGHT)).toEqual(['hidden -1']);
    expect(await hiddenOf('<row hidden="true">', '')).toEqual(['hidden -1']);
  });

  it.each([
    [
      'in a second list of rows',
      `${header}</sheetData><sheetData>${paying(text('5'))}`,
      'more than one place',
    ],
    [
      'of another program',
      `${header}<z:row xmlns:z="urn:z">${paying(text('5')).slice(5, -6)}</z:row>`,
      '“z:row”',
    ],
    ['with cells of another program', header + paying('<z:c xmlns:z="urn:z"><v>5</v></z:c>'), '“z:c”'],
    ['by another default name', header + paying('<c xmlns="urn:z"><v>5</v></c>'), '“:c”'],
    ['with text between its cells', header + paying('5'), 'row 2 has text outside of its cells'],
    ['with the number of another', header + paying(text('5'), '<row r="2nd">'), 'out of order at row 2nd'],
  ])('%s is refused', async (_, data, part) => {
    expect(await refusal(book(data))).toContain(part);
  });
});

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const STRICT = 'http://purl.oclc.org/ooxml/spreadsheetml/main';

describe('a workbook by its namespaces', () => {
  const rows = header + paying('<c s="1"><v>0.45</v></c>');
  const plain = workbookParts({
    sheets: { May: `<sheetData>${rows}</sheetData>` },
    styles: '<cellXfs><xf/><xf numFmtId="10"/></cellXfs>',
  });
  const all = (change: (content: string) => string) =>
    buildZip(plain.map((part) => ({ ...part, content: change(String(part.content)) })));

  it.each([MAIN, STRICT])('with %s is read', async (namespace) => {
    expect(await amountOf(all((xml) => xml.replace(/^<(\w+)/, `<$1 xmlns="${namespace}"`)))).toBe('45%');
  });

  it('with a prefix on every element is read', async () => {
    const prefixed = (xml: string) =>
      xml.replace(/<(\/?)(\w)/g, '<$1x:$2').replace(/^<x:(\w+)/, `<x:$1 xmlns:x="${MAIN}"`);
    expect(await amountOf(all(prefixed))).toBe('45%');
  });
});

const TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${TYPES}/${type}" Target="${target}"/>`;

describe('the parts of a workbook', () => {
  const parts = workbookParts({
    sheets: { May: `<sheetData>${header}${paying('<c s="1"><v>0.45</v></c>')}</sheetData>` },
    styles: '<cellXfs><xf/><xf numFmtId="10"/></cellXfs>',
  });
  const changed = (name: string, change: Partial<ZipPart>) =>
    buildZip(parts.map((part) => (part.name === name ? { ...part, ...change } : part)));

  it.each([
    ['workbook.xml', '/'],
    ['book/main.xml', '/book/'],
  ])('may stand anywhere in the archive: %s', async (path, folder) => {
    const rels = path.replace(/([^/]+)$/, '_rels/$1.rels');
    const names = new Map([
      ['xl/workbook.xml', path],
      ['xl/_rels/workbook.xml.rels', rels],
    ]);
    const moved = parts.map((part) => ({
      ...part,
      name: names.get(part.name) ?? part.name.replace(/^xl\//, folder.slice(1)),
      content: String(part.content).replace('Target="xl/workbook.xml"', `Target="${path}"`),
    }));
    expect(await amountOf(buildZip(moved))).toBe('45%');
  });

  it('without the one that says how numbers are shown are refused', async () => {
    expect(await refusal(buildZip(parts.filter(({ name }) => name !== 'xl/styles.xml')))).toBe(
      `payouts.csv has no part “xl/styles.xml”, which says how its numbers and dates are shown: 0.45 may be meant as 45%. ${AGAIN}`,
    );
  });

  it('without a sheet that the list names are refused', async () => {
    expect(await refusal(buildZip(parts.filter(({ name }) => !name.includes('worksheets'))))).toContain(
      'names a part “xl/worksheets/anything0.xml” that is not in it. Get the file again',
    );
  });

  it('with one name for two of them are refused', async () => {
    const two = [1, 2].map((at) => relation('s0', 'worksheet', `worksheets/anything${at}.xml`)).join('');
    expect(
      await refusal(
        changed('xl/_rels/workbook.xml.rels', { content: `<Relationships>${two}</Relationships>` }),
      ),
    ).toContain('names two parts by “s0”, and programs differ');
  });

  it('of which a workbook has one at the most are refused where there are two', async () => {
    for (const type of ['styles', 'sharedStrings']) {
      const two = ['styles.xml', 'other.xml'].map((path, at) => relation(`t${at}`, type, path)).join('');
      expect(
        await refusal(
          changed('xl/_rels/workbook.xml.rels', { content: `<Relationships>${two}</Relationships>` }),
        ),
      ).toContain('two parts where one belongs, “xl/styles.xml” and “xl/other.xml”, and programs differ');
    }
  });

  it('of a text document or a presentation are no workbook', async () => {
    const document = [
      {
        name: '_rels/.rels',
        content: `<Relationships>${relation('w', 'officeDocument', 'word/document.xml')}</Relationships>`,
      },
      { name: 'word/document.xml', content: '<document/>' },
    ];
    expect(await refusal(buildZip(document))).toContain('is a text document');
    expect(await refusal(changed('xl/workbook.xml', { content: '<presentation/>' }))).toContain(
      'no .xlsx workbook',
    );
  });

  it('nested more than 64 levels deep are refused, and 64 are read', async () => {
    const nested = (levels: number) =>
      book(header + paying(text('5')), {}, `${'<a>'.repeat(levels)}${'</a>'.repeat(levels)}`);
    expect(await amountOf(nested(63))).toBe('5');
    expect(await refusal(nested(64))).toContain('nested more than 64 levels deep');
  });
});

describe('a formula', () => {
  const OWN = [{ name: 'May' }, { name: 'payroll.csv' }];
  it.each([
    '[1]May!A1',
    "'[1]My sheet'!A1*2",
    '[1]!Rate',
    '2*[other.xlsx]May!A1',
    "'[other.xlsx]My sheet'!A1",
    "'C:\\pay\\[other.xlsx]May'!A1",
    "'/home/ann/[other.xlsx]May'!A1",
    "'https://example.org/[other.xlsx]May'!A1",
    "'\\\\server\\pay\\[other.xlsx]May'!$A$1",
    "'file:///home/ann/other.ods'#$May.A1",
    "'C:\\pay\\other.xlsx'!Rate",
    'other.xlsx!Rate',
    "VLOOKUP(A2,'C:\\pay\\[It''s mine.xlsx]May'!A:B,2,0)",
    "excel|'C:\\pay\\other.xlsx'!R1C1",
  ])('that names another file takes its value from there: %s', (formula) => {
    expect(isExternalFormula(formula, OWN)).toBe(true);
  });

  it.each([
    'May!A1/2',
    "'My sheet'!A1",
    "'Jan:Mar'!A1",
    "'payroll.csv'!A1",
    'payroll.csv!A1',
    'SUM(Table1[Amount])/12',
    'Table1[[#This Row],[Amount]]*May!A1',
    'Table1[Amount]*May!A1',
    'IF(A1="[1]May!A1",1,2)',
    'A1&"C:\\pay\\[other.xlsx]May\'!"',
    'HYPERLINK("https://example.org/a.xlsx","a")',
    '{1,2;3,4}',
  ])('that names none takes it from here: %s', (formula) => {
    expect(isExternalFormula(formula, OWN)).toBe(false);
  });

  it('with the path of another file marks its cell, and each that shares the formula', async () => {
    const path = "'C:\\pay\\[other.xlsx]May'!A1";
    const { rows } = await readBytes(
      book(
        header +
          paying(`<c><f t="shared" si="0" ref="E2:E3">${path}</f><v>5</v></c>`) +
          paying('<c><f t="shared" si="0"/><v>6</v></c>'),
      ),
    );
    for (const row of rows) expect(row.marks).toContainEqual({ column: 4, kind: 'formula_external' });
  });
});
