/**
 * Generated workbooks, read by the program and by exceljs' own reader (the one that loads a whole workbook): every cell
 * of every row is the same, hidden rows are the same. `SOAK=1` makes many more, from a new seed.
 */
import ExcelJS from 'exceljs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildZip, workbookParts, type ZipPart } from './build-zip.ts';
import { type ReadFile, readBytes } from './read-file.ts';

const IS_SOAK = process.env.SOAK === '1';
const RUNS = IS_SOAK ? { numRuns: 5_000 } : { numRuns: 25, seed: 20_260_531 };
const TIMEOUT = { timeout: IS_SOAK ? 600_000 : 60_000 };

const HEADER = ['Reference', 'Country', 'Institution', 'Account', 'Amount', 'Name', 'Note', 'Department'];
const LETTERS = 'ABCDEFGH';
const STYLES: readonly string[] = [
  'General',
  '0.00',
  '#,##0.00',
  '@',
  '0%',
  '0000000000',
  'dd/mm/yyyy',
  'yyyy-mm-dd hh:mm:ss',
];
const FIRST_DATE = 6;

/** exceljs finds a sheet only by the name `sheet1.xml` of its part. */
function asExceljsNamesThem(parts: readonly ZipPart[]): ZipPart[] {
  const renamed = (text: string) => text.replace(/anything(\d)/g, (_, at) => `sheet${Number(at) + 1}`);
  return parts.map((part) => ({ ...part, name: renamed(part.name), content: renamed(String(part.content)) }));
}

async function byExceljs(bytes: Buffer, sheet: string): Promise<ExcelJS.Worksheet> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(bytes as unknown as ExcelJS.Buffer);
  const found = book.getWorksheet(sheet);
  if (found === undefined) throw new Error(`exceljs does not find the sheet ${sheet}`);
  return found;
}

/** What exceljs read in a cell, as the text that the program gives for such a value. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return `number ${value}`;
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (value instanceof Date)
    return value.toISOString().slice(0, 19).replace('T', ' ').replace(' 00:00:00', '');
  if (typeof value !== 'object') return String(value);
  if ('error' in value) return String(value.error);
  if ('richText' in value && Array.isArray(value.richText))
    return value.richText.map((run: { text: string }) => run.text).join('');
  if ('text' in value) return textOf(value.text);
  return '';
}

const theirText = (cell: ExcelJS.Cell): string =>
  textOf(cell.type === ExcelJS.ValueType.Formula ? cell.result : cell.value);

/** The program's text, in the same words. */
function ourText(text: string, kinds: readonly string[]): string {
  if (!kinds.includes('number')) return text;
  const value = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
  return `number ${value}`;
}

/** Numbers are the same to the fifteen digits that spreadsheet programs show. */
function isSame(mine: string, other: string): boolean {
  const [one, two] = [mine, other].map((text) =>
    text.startsWith('number ') ? Number(text.slice(7)) : Number.NaN,
  );
  if (one === undefined || two === undefined || Number.isNaN(one) || Number.isNaN(two)) return mine === other;
  return Math.abs(one - two) <= 1e-14 * Math.abs(two);
}

function differences({ rows }: ReadFile, theirs: ExcelJS.Worksheet): string[] {
  const found: string[] = [];
  const ours = new Map(rows.map((row) => [row.rowNumber, row]));
  const last = Math.max(theirs.rowCount, rows.at(-1)?.rowNumber ?? 0);
  for (let rowNumber = 2; rowNumber <= last; rowNumber += 1) {
    const row = ours.get(rowNumber);
    for (const [column, letter] of [...LETTERS].entries()) {
      const kinds = (row?.marks ?? []).filter((mark) => mark.column === column).map(({ kind }) => kind);
      const mine = ourText(row?.cells[column] ?? '', kinds);
      const other = theirText(theirs.getCell(rowNumber, column + 1));
      // A row with spaces alone is blank.
      if (!isSame(mine, other) && !(row === undefined && other.trim() === ''))
        found.push(`${letter}${rowNumber}: ours ${JSON.stringify(mine)}, theirs ${JSON.stringify(other)}`);
    }
    const isHidden = row?.marks?.some((mark) => mark.kind === 'hidden' && mark.column === -1) ?? false;
    if (row !== undefined && isHidden !== theirs.getRow(rowNumber).hidden)
      found.push(`row ${rowNumber}: ours ${isHidden ? 'hidden' : 'visible'}`);
  }
  return found;
}

const inXml = (text: string) =>
  text.replace(
    /[&<>"]/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign,
  );

const plainText = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9 +().,/#@-]{0,12}$/),
  fc.constantFrom(
    ' 012 ',
    '0244123456',
    'é ₵ “x”',
    'a\nb',
    '😀',
    '<x>',
    '=1+1',
    'TRUE',
    '#N/A',
    '1E+5',
    '-',
    '٣',
  ),
);
const runs = fc.array(plainText, { minLength: 1, maxLength: 3 });
const whole = fc.nat({ max: 999_999_999 }).map(String);
const number = fc.oneof(
  whole,
  fc.tuple(whole, fc.stringMatching(/^[0-9]{1,4}$/)).map(([before, behind]) => `${before}.${behind}`),
  fc.double({ min: -1e9, max: 1e9, noNaN: true, noDefaultInfinity: true }).map((value) => String(value)),
  fc.constantFrom(
    '0.30000000000000004',
    '1234.5600000000002',
    '4.5E-2',
    '1.2345678901E+11',
    '1e3',
    '-0',
    '-12.50',
    '007',
  ),
);
const day = fc
  .tuple(fc.integer({ min: 61, max: 60_000 }), fc.constantFrom('', '.25', '.5', '.75'))
  .map(([days, time]) => `${days}${time}`);
const error = fc.constantFrom('#N/A', '#REF!', '#DIV/0!', '#VALUE!', '#NAME?');
const formula = fc.constantFrom(
  '',
  '<f>SUM(A1:A2)</f>',
  '<f>IF(B1&gt;2,"a","b")</f>',
  "<f>'My sheet'!A1</f>",
);
const anyStyle = fc.nat({ max: STYLES.length - 1 });
const shared = (inner: string) => ({
  attributes: ' t="s"',
  inner: '<v>SHARED</v>',
  shared: `<si>${inner}</si>`,
});
const t = (text: string) => `<t xml:space="preserve">${inXml(text)}</t>`;
const inRuns = (texts: readonly string[]) => texts.map((text) => `<r><rPr><b/></rPr>${t(text)}</r>`).join('');

interface MadeCell {
  readonly attributes: string;
  readonly inner: string;
  readonly shared?: string;
}
const cell: fc.Arbitrary<MadeCell> = fc.oneof(
  plainText.map((text) => shared(t(text))),
  runs.map((texts) => shared(inRuns(texts))),
  plainText.map((text) => shared(`${t(text)}<rPh sb="0" eb="1"><t>sound</t></rPh><phoneticPr fontId="1"/>`)),
  fc.constantFrom('_x0041_', 'a_x000A_b', '_x005F_x0041_').map((text) => shared(t(text))),
  plainText.map((text) => ({ attributes: ' t="inlineStr"', inner: `<is>${t(text)}</is>` })),
  runs.map((texts) => ({ attributes: ' t="inlineStr"', inner: `<is>${inRuns(texts)}</is>` })),
  fc.tuple(plainText, formula, anyStyle).map(([text, f, style]) => ({
    attributes: ` t="str" s="${style < FIRST_DATE ? style : 0}"`,
    inner: `${f}<v>${inXml(text)}</v>`,
  })),
  fc.tuple(number, formula, fc.nat({ max: FIRST_DATE - 1 })).map(([raw, f, style]) => ({
    attributes: ` s="${style}"`,
    inner: `${f}<v>${raw}</v>`,
  })),
  fc.tuple(day, formula, fc.integer({ min: FIRST_DATE, max: STYLES.length - 1 })).map(([raw, f, style]) => ({
    attributes: ` t="n" s="${style}"`,
    inner: `${f}<v>${raw}</v>`,
  })),
  fc
    .tuple(fc.boolean(), formula)
    .map(([is, f]) => ({ attributes: ' t="b"', inner: `${f}<v>${is ? 1 : 0}</v>` })),
  fc.tuple(error, formula).map(([code, f]) => ({ attributes: ' t="e"', inner: `${f}<v>${code}</v>` })),
  anyStyle.map((style) => ({ attributes: ` s="${style}"`, inner: '' })),
  fc.constantFrom(' t="s"', ' t="str"', ' t="n"').map((type) => ({ attributes: type, inner: '<v/>' })),
  fc.constant({ attributes: '', inner: '<f>A1+1</f>' }),
);

interface MadeRow {
  readonly gap: number;
  readonly attributes: string;
  readonly cells: readonly (MadeCell | undefined)[];
}
const row: fc.Arbitrary<MadeRow> = fc.record({
  gap: fc.constantFrom(1, 1, 1, 2, 5),
  attributes: fc.constantFrom(
    '',
    '',
    ' hidden="1"',
    ' hidden="0"',
    ' ht="20" customHeight="1"',
    ' spans="1:8"',
  ),
  cells: fc.array(fc.option(cell, { nil: undefined, freq: 5 }), { minLength: 1, maxLength: HEADER.length }),
});
const sheets = fc.array(fc.array(row, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 });

function bookOf(all: readonly (readonly MadeRow[])[], is1904: boolean, isZeroHeight: boolean): ZipPart[] {
  const strings: string[] = [];
  const header = HEADER.map(
    (title, at) => `<c r="${LETTERS[at]}1" t="inlineStr"><is><t>${title}</t></is></c>`,
  ).join('');
  const sheetOf = (rows: readonly MadeRow[]) => {
    let rowNumber = 1;
    const made = rows.map(({ gap, attributes, cells }) => {
      rowNumber += gap;
      const inner = cells.map((each, column) => {
        if (each === undefined) return '';
        const content =
          each.shared === undefined ? each.inner : each.inner.replace('SHARED', String(strings.length));
        if (each.shared !== undefined) strings.push(each.shared);
        return `<c r="${LETTERS[column]}${rowNumber}"${each.attributes}>${content}</c>`;
      });
      return `<row r="${rowNumber}"${attributes}>${inner.join('')}</row>`;
    });
    const format = isZeroHeight ? '<sheetFormatPr defaultRowHeight="15" zeroHeight="1"/>' : '';
    // A text that is surely there, so that no sheet is empty.
    const last = `<row r="${rowNumber + 1}"><c r="A${rowNumber + 1}" t="str"><v>end</v></c></row>`;
    return `${format}<sheetData><row r="1">${header}</row>${made.join('')}${last}</sheetData>`;
  };
  const numFmts = STYLES.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`).join('');
  const xfs = STYLES.map((_, at) => `<xf numFmtId="${164 + at}"/>`).join('');
  const made = all.map(sheetOf);
  const parts = workbookParts({
    sheets: Object.fromEntries(made.map((xml, at) => [`S${at}`, xml])),
    sharedStrings: strings.join(''),
    styles: `<numFmts>${numFmts}</numFmts><cellXfs>${xfs}</cellXfs>`,
    is1904,
  });
  return asExceljsNamesThem(parts);
}

describe('a generated workbook', () => {
  it('is read by the program as exceljs reads it: raw XML of every kind of cell', TIMEOUT, async () => {
    await fc.assert(
      fc.asyncProperty(sheets, fc.boolean(), fc.boolean(), async (all, is1904, isZeroHeight) => {
        const bytes = buildZip(bookOf(all, is1904, isZeroHeight));
        for (const at of all.keys()) {
          const name = `S${at}`;
          const read = await readBytes(bytes, { sheet: name });
          expect(differences(read, await byExceljs(bytes, name))).toEqual([]);
        }
      }),
      RUNS,
    );
  });

  const value: fc.Arbitrary<ExcelJS.CellValue> = fc.oneof(
    plainText,
    plainText.map((text) => ({ text: text === '' ? 'x' : text, hyperlink: 'https://example.org' })),
    runs.map((texts) => ({ richText: texts.map((text) => ({ text })) })),
    number.map(Number),
    fc.boolean(),
    day.map((days) => new Date(Date.UTC(1899, 11, 30) + Number(days) * 86_400_000)),
    error.map((code) => ({ error: code }) as ExcelJS.CellErrorValue),
    number.map((result) => ({ formula: 'SUM(A1:A2)', result: Number(result) })),
    plainText.map((result) => ({ formula: 'A1&""', result })),
    fc.constant(null),
  );

  it('is read as exceljs reads it, and as it was filled in: written by exceljs', TIMEOUT, async () => {
    const rows = fc.array(fc.array(value, { minLength: 1, maxLength: HEADER.length }), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(rows, fc.nat({ max: 9 }), async (values, hidden) => {
        const book = new ExcelJS.Workbook();
        const sheet = book.addWorksheet('May');
        sheet.addRow(HEADER);
        for (const each of values) sheet.addRow(each);
        sheet.addRow(['end']);
        if (hidden > 1) sheet.getRow(hidden).hidden = true;
        const bytes = Buffer.from(await book.xlsx.writeBuffer());
        const read = await readBytes(bytes);
        expect(differences(read, await byExceljs(bytes, 'May'))).toEqual([]);
        const filledIn = new Map(values.map((each, at) => [at + 2, each]));
        for (const { rowNumber, cells } of read.rows) {
          const texts = (filledIn.get(rowNumber) ?? []).filter((each) => typeof each === 'string');
          for (const text of texts) expect(cells).toContain(text);
        }
      }),
      RUNS,
    );
  });
});
