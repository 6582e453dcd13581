/** Cells that show another amount, account or text than they hold; and files that take minutes to read a single cell. */
import { describe, expect, it } from 'vitest';
import { createCellReader } from '../../src/domain/rows/row.ts';
import { cellFault } from '../../src/domain/rows/validate-cells.ts';
import { numberFormat } from '../../src/files/xlsx/number-format.ts';
import { isExternalFormula } from '../../src/files/xlsx/read-cells.ts';
import { buildZip, workbookParts } from './build-zip.ts';
import { readBytes } from './read-file.ts';

const HEADER = ['reference', 'country', 'institution', 'account', 'amount'];
const text = (value: string, style = 0) =>
  `<c s="${style}" t="inlineStr"><is><t xml:space="preserve">${value}</t></is></c>`;
const header = `<row>${HEADER.map((each) => text(each)).join('')}</row>`;

/** A workbook of one payment whose account has this number format. */
function withAccountShownAs(
  format: string,
  account: string,
): Promise<{ rows: readonly { marks?: unknown }[] }> {
  const code = format.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  const styles =
    `<numFmts><numFmt numFmtId="164" formatCode="${code}"/></numFmts>` +
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs>';
  const paying = `<row>${text('A')}${text('Ghana')}${text('GCB Bank')}${account}${text('5')}</row>`;
  const sheets = { May: `<sheetData>${header}${paying}</sheetData>` };
  return readBytes(buildZip(workbookParts({ sheets, styles })));
}

describe('a number whose format writes digits beside it', () => {
  // What LibreOffice shows for 1250 stands behind each.
  it.each([
    ['0[$0-409]', '12500'],
    ['[$5]0', '51250'],
    ['0.00[$5]', '1250.005'],
    ['0" x10"', '1250 x10'],
    ['0"\'000"', "1250'000"],
    ['0"e3"', '1250e3'],
    ['"2 × "0', '2 × 1250'],
    ['0"²"', '1250²'],
    ['0:00', '12:50'],
    ['0"$"00', '12$50'],
    ['0"·"00', '12·50'],
    ['0.00"·"0', '1250.00·0'],
  ])('[F18] %s shows another one: %s', (code) => {
    expect(numberFormat(code).isScaled).toBe(true);
  });

  it.each([
    '0"k"',
    '0 "mille"',
    '0" lakh"',
    '"("0")"',
    '0"0"',
    '"1"000',
    '0.0"."0',
    '#\\,##',
    '[>9]0,;0',
    '"off"',
  ])('[F18] %s shows another one', (code) => {
    expect(numberFormat(code).isScaled || numberFormat(code).picture !== undefined).toBe(true);
  });

  it.each([
    '[$GHS] #,##0.00',
    '#,##0.00 [$€-407]',
    '#,##0.00_);(#,##0.00)',
    "#'##0.00",
    '#\\ ###\\ ##0.00',
    '##\\,##\\,##0.00',
    '_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)',
    '0.00',
    '# ##0.00',
    '_-* #,##0.00 _F_-',
    '#,##0.00" FCFA"',
    '#,##0"/-"',
    '"KSh" #,##0',
    '"K"#,##0.00',
    '[$GH₵-464] #,##0.00',
    '[Red][<0]0;0',
  ])('[F18] %s shows the number that is there', (code) => {
    expect(numberFormat(code)).toMatchObject({ isScaled: false, showsNothing: false });
  });
});

describe('a text whose format makes another text of it', () => {
  // What LibreOffice shows for the text 0244000001 stands behind each.
  it.each([
    ['@"0"', '02440000010'],
    ['"9"@', '90244000001'],
    ['0;0;0;"0244999999"', '0244999999'],
    ['[<5]"a"@', 'a0244000001'],
    ['0@', '00244000001'],
  ])('[F18] as %s does, is not paid: %s', async (format) => {
    const { rows } = await withAccountShownAs(format, text('0244000001', 1));
    expect(rows[0]?.marks).toEqual([{ column: 3, kind: 'shown_text' }]);
  });

  it.each([';;;', 'General;General;General;'])(
    '[F18] %s shows nothing, and the row is hidden',
    async (format) => {
      const { rows } = await withAccountShownAs(format, text('0244000001', 1));
      expect(rows[0]?.marks).toEqual([{ column: 3, kind: 'hidden' }]);
    },
  );

  it.each(['@', '0.00', '"x"', '0;0;0;@', '0;;;@" "', '_(* #,##0_);_(* (#,##0);_(* "-"??_);_(@_)'])(
    '[F18] %s shows it as it is',
    async (format) => {
      const { rows } = await withAccountShownAs(format, text('0244000001', 1));
      expect(rows[0]?.marks).toBeUndefined();
    },
  );

  it('[F18] is an issue in every column that is used', () => {
    const columns = new Map([['name', 0] as const]);
    const marks = [{ column: 0, kind: 'shown_text' } as const];
    const cells = createCellReader(columns)({ rowNumber: 2, cells: ['Ama'], marks });
    expect(cellFault(cells, 'name')).toMatchObject({ kind: 'cell_shown_otherwise', seen: 'Ama' });
  });
});

describe('a number that is shown as a percentage', () => {
  const percent = '<numFmts><numFmt numFmtId="164" formatCode="0%"/></numFmts>';
  it.each([
    [
      'by its named style alone',
      '<cellStyleXfs><xf/><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf xfId="1"/></cellXfs>',
    ],
    [
      'by a format that stands behind the cells',
      `<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs>${percent}`,
    ],
    [
      'whatever a format for conditions says',
      `${percent}<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs>` +
        '<dxfs><dxf><numFmt numFmtId="164" formatCode="0"/></dxf></dxfs>',
    ],
  ])('[F18] %s is read as one', async (_, styles) => {
    const paying = `<row>${text('A')}${text('Ghana')}${text('GCB Bank')}${text('0123')}<c s="1"><v>0.45</v></c></row>`;
    const sheets = { May: `<sheetData>${header}${paying}</sheetData>` };
    const { rows } = await readBytes(buildZip(workbookParts({ sheets, styles })));
    expect(rows[0]?.cells[4]).toBe('45%');
  });
});

describe('one cell made to be read for minutes', () => {
  const QUICK_MS = 4_000;
  const took = async (work: () => unknown): Promise<number> => {
    const start = performance.now();
    await work();
    return performance.now() - start;
  };

  it.each([
    ['quotes', `[${"'".repeat(300_000)}x`],
    ['letters', `[${'a'.repeat(300_000)}`],
    ['names of files', `[${'.xlsx'.repeat(60_000)}`],
  ])('[F7] by a formula of %s is read at once', async (_, formula) => {
    expect(await took(() => isExternalFormula(formula, []))).toBeLessThan(QUICK_MS);
  });

  it('[F7] by a header of brackets is found to be no amount at once', async () => {
    const csv = Buffer.from(`country,institution,account,${'('.repeat(200_000)}\nGhana,GCB Bank,1,5\n`);
    const read = async () =>
      expect([...(await readBytes(csv)).source.columns.keys()]).not.toContain('amount');
    expect(await took(read)).toBeLessThan(QUICK_MS);
  });

  it("still finds another file behind quotes that belong to its name or to a table's", () => {
    const path = "'C:\\it''s!\\[o.xlsx]May'!A1";
    for (const formula of [path, `Table1['[odd]]*${path}`, `'Bob''s'!A1+${path}`, `Table1[it''s]*${path}`])
      expect(isExternalFormula(formula, [])).toBe(true);
    expect(isExternalFormula("'Bob''s'!A1/'May 1'!B2", [])).toBe(false);
  });
});
