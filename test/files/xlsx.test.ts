/** A workbook gives what a person sees in its cells, says what they cannot see, or is refused. */
import { hash, randomBytes } from 'node:crypto';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { openRows } from '../../src/files/payout-file.ts';
import { isDateFormat } from '../../src/files/xlsx/number-format.ts';
import { dateText, numberText } from '../../src/files/xlsx/read-cells.ts';
import { buildZip, type WorkbookXml, workbookParts } from './build-zip.ts';
import { readBytes, refusal, withFile } from './read-file.ts';

const HEADER = ['Reference', 'Country', 'Institution', 'Account', 'Amount'];
const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const row = (...cells: readonly string[]) => `<row>${cells.join('')}</row>`;
const header = row(...HEADER.map(text));
const sheetData = (...rows: readonly string[]) => `<sheetData>${rows.join('')}</sheetData>`;
const payRow = (account: string, amount: string) =>
  row(text('A'), text('Ghana'), text('GCB Bank'), account, amount);
const workbook = (xml: WorkbookXml) => buildZip(workbookParts(xml));
const oneSheet = (inner: string, more: Omit<WorkbookXml, 'sheets'> = {}) =>
  workbook({ sheets: { May: inner }, ...more });

const ORDINARY = oneSheet(sheetData(header, payRow(text('0123'), '<c><v>10.5</v></c>')));

async function accountAndAmount(bytes: Buffer) {
  const { rows } = await readBytes(bytes);
  const [first] = rows;
  return { texts: first?.cells.slice(3), marks: first?.marks ?? [] };
}

describe('cells of a workbook', () => {
  const STYLES =
    '<numFmts><numFmt numFmtId="164" formatCode="0000000000"/><numFmt numFmtId="165" formatCode="dd/mm/yyyy"/></numFmts>' +
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="49"/></cellXfs>';
  const CASES: readonly (readonly [string, string, string, readonly string[]])[] = [
    [
      'text as it stands, spaces and all',
      '<c t="inlineStr"><is><t xml:space="preserve"> 012 </t></is></c>',
      ' 012 ',
      [],
    ],
    [
      'an inline text in several runs, whole',
      '<c t="inlineStr"><is><r><t>0244</t></r><r><t>123456</t></r></is></c>',
      '0244123456',
      [],
    ],
    ['a shared text in several runs, without its pronunciation', '<c t="s"><v>1</v></c>', '0244123456', []],
    ['an inline text with an escaped character', '<c t="inlineStr"><is><t>_x0041_</t></is></c>', 'A', []],
    ['a result with an escaped character', '<c t="str"><v>_x0041_</v></c>', 'A', []],
    ['an escaped sign, resolved once', '<c t="str"><v>a&amp;amp;b</v></c>', 'a&amp;b', []],
    ['a formula with a shared text', '<c t="s"><f>A1</f><v>0</v></c>', 'x', ['formula']],
    ['a shared text with an escaped character', '<c t="s"><v>2</v></c>', 'a\nb_x', []],
    ['a number with its leading zeros shown', '<c s="1"><v>244123456</v></c>', '0244123456', ['number']],
    ['a long number without an exponent', '<c><v>1.2345678901E+11</v></c>', '123456789010', ['number']],
    ['a number stored as text', '<c t="str" s="3"><v>0244123456</v></c>', '0244123456', []],
    ['a date as its calendar day', '<c s="2"><v>46173</v></c>', '2026-05-31', ['date']],
    ['an ISO date, which is no number', '<c t="d"><v>2026-05-31</v></c>', '2026-05-31', ['date']],
    ['TRUE, which is no number', '<c t="b"><v>1</v></c>', 'TRUE', ['boolean']],
    ['an error', '<c t="e"><v>#REF!</v></c>', '#REF!', ['error_value']],
    ['a formula with its last result', '<c><f>B1*2</f><v>12.5</v></c>', '12.5', ['formula', 'number']],
    ['a formula whose result is TRUE', '<c t="b"><f>A1=A1</f><v>1</v></c>', 'TRUE', ['formula', 'boolean']],
    ['a formula that failed', '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>', '#DIV/0!', ['formula', 'error_value']],
    ['a formula that was never calculated', '<c><f>B1*2</f></c>', '', ['formula_without_value']],
    ['an empty cell with a style', '<c s="1"/>', '', []],
  ];
  it.each(CASES)('%s', async (_, cell, expected, marks) => {
    const sharedStrings =
      '<si><t>x</t></si><si><r><t>0244</t></r><r><t>123456</t></r><rPh><t>zero</t></rPh></si><si><t>a_x000A_b_x005F_x</t></si>';
    const bytes = oneSheet(sheetData(header, payRow(cell, text('10'))), { styles: STYLES, sharedStrings });
    const read = await accountAndAmount(bytes);
    expect(read.texts?.[0]).toBe(expected);
    expect(read.marks.map((mark) => mark.kind)).toEqual(marks);
  });

  const NUMBERS: readonly (readonly [raw: string, format: string, shown: string])[] = [
    ['0.30000000000000004', 'General', '0.3'],
    ['1234.5600000000002', '0.00', '1234.56'],
    ['1.005', '0.00', '1.005'],
    ['99999.9999999999999', 'General', '100000'],
    ['0.00099999999999999999', 'General', '0.001'],
    ['4.5E-2', 'General', '0.045'],
    ['1E+15', 'General', '1000000000000000'],
    ['12345678901234567', 'General', '12345678901234567'],
    ['-0', 'General', '0'],
    ['-12.50', 'General', '-12.5'],
    ['7', '00000', '00007'],
    ['7.5', '00000', '7.5'],
    ['1250', '#,##0.00', '1250'],
    ['1E+999', 'General', '1E+999'],
    ['abc', 'General', 'abc'],
  ];
  it.each(NUMBERS)('%s in the format %s is shown as %s', (raw, format, shown) => {
    expect(numberText(raw, format)).toBe(shown);
  });

  const DATES: readonly (readonly [serial: string, is1904: boolean, shown: string])[] = [
    ['1', false, '1900-01-01'],
    ['59', false, '1900-02-28'],
    ['60', false, '1900-02-29'],
    ['61', false, '1900-03-01'],
    ['46173', false, '2026-05-31'],
    ['46173.354166666666', false, '2026-05-31 08:30:00'],
    ['0', true, '1904-01-01'],
    ['44711', true, '2026-05-31'],
  ];
  it.each(DATES)('day %s (from 1904: %s) is %s in every time zone', (serial, is1904, shown) => {
    expect(dateText(serial, is1904)).toBe(shown);
  });

  it.each([
    ['General', false],
    ['0.00', false],
    ['"days" 0', false],
    ['[$GHS] #,##0.00', false],
    ['[Red]-0.00', false],
    ['0.00E+00', false],
    ['\\d0', false],
    ['yyyy-mm-dd', true],
    ['d. mmm', true],
    ['[h]:mm', true],
  ])('the format %s shows a date: %s', (format, expected) => {
    expect(isDateFormat(format)).toBe(expected);
  });
});

describe('a workbook', () => {
  it('marks rows that nobody can see, and every row when a column in use is hidden', async () => {
    const hidden = `<row hidden="1">${payRow(text('1'), text('1')).slice('<row>'.length)}`;
    const { rows } = await readBytes(oneSheet(sheetData(header, payRow(text('1'), text('1')), hidden)));
    expect(rows.map((each) => each.marks)).toEqual([undefined, [{ column: -1, kind: 'hidden' }]]);
    const columns = '<cols><col min="4" max="4" hidden="1"/><col min="9" max="9" hidden="1"/></cols>';
    const second = await readBytes(oneSheet(columns + sheetData(header, payRow(text('1'), text('1')))));
    expect(second.rows[0]?.marks).toEqual([{ column: 3, kind: 'hidden', isWholeColumn: true }]);
  });

  it('names a hidden column in use that changes neither whom nor how much a row pays, and marks no row for it', async () => {
    const columns = '<cols><col min="1" max="1" hidden="1"/></cols>';
    const { rows, source } = await readBytes(
      oneSheet(columns + sheetData(header, payRow(text('1'), text('1')))),
    );
    expect(rows[0]?.marks).toBeUndefined();
    expect(source.notes).toContain('column A “Reference” is hidden in the sheet');
  });

  it('of our own keeps its leading quotes, because our workbooks are written without any', async () => {
    const own = sheetData(
      row(...[...HEADER, 'payfile_row', 'Note'].map(text)),
      row(...['A', 'Ghana', 'B', '1', '2', '2', "'=x"].map(text)),
    );
    expect((await readBytes(oneSheet(own))).cells[0]?.at(-1)).toBe("'=x");
  });

  it('is read again from the start when it is asked for its rows again', async () => {
    await withFile(ORDINARY, async (path) => {
      const { openRows } = await import('../../src/files/payout-file.ts');
      const source = await openRows({ path });
      for (const _ of [1, 2]) for await (const rows of source.rows()) expect(rows).toHaveLength(1);
      await source.close();
    });
  });
});

describe('the sheet', () => {
  const pay = sheetData(header, payRow(text('1'), text('1')));

  it('that is named and not there is refused with those that are', async () => {
    expect(await refusal(workbook({ sheets: { Pay: pay } }), { sheet: 'Juni' })).toContain('“Pay”');
  });
});

describe('merged cells among the rows of a workbook', () => {
  const merged = (rows: number, ...refs: readonly string[]) =>
    oneSheet(
      `${sheetData(header, ...Array.from({ length: rows }, (_, at) => payRow(text(hash('sha256', `${at}`)), text('1'))))}` +
        `<mergeCells>${refs.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`,
    );
  const marksOf = async (bytes: Buffer, readings = 1) =>
    withFile(bytes, async (path) => {
      const source = await openRows({ path });
      const found: { row: number; marks: unknown }[][] = [];
      const again: (boolean | undefined)[] = [];
      try {
        for (let count = 0; count < readings; count += 1) {
          const some: { row: number; marks: unknown }[] = [];
          for await (const rows of source.rows())
            for (const { rowNumber, marks } of rows)
              if (marks !== undefined) some.push({ row: rowNumber, marks });
          found.push(some);
          again.push(source.mustReadAgain?.());
        }
        return { found, again };
      } finally {
        await source.close();
      }
    });
  const mark = (column: number, words: string) => ({ column, kind: 'merged', words });

  it('are marked, all of them', async () => {
    expect(await marksOf(merged(3, 'B3:B4', 'D2:E2'))).toEqual({
      found: [
        [
          { row: 2, marks: [mark(3, 'D2:E2'), mark(4, 'D2:E2')] },
          { row: 3, marks: [mark(1, 'B3:B4')] },
          { row: 4, marks: [mark(1, 'B3:B4')] },
        ],
      ],
      again: [false],
    });
  });

  it('of a long sheet are known only behind its rows, so that these are read again', async () => {
    const { found, again } = await marksOf(merged(10_000, 'B3:B4'), 2);
    expect([found.map((some) => some.length), again]).toEqual([
      [0, 2],
      [true, false],
    ]);
  });

  it('do no harm above the header or below the last row', async () => {
    expect(await marksOf(merged(3, 'A1:E1', 'A7:E7'))).toEqual({ found: [[]], again: [false] });
  });

  it('refuse a statement, with all of them named', async () => {
    const words = {
      named: (each: string) => (each === 'Account' ? 'account' : undefined),
      expected: 'account',
    };
    expect(await refusal(merged(3, 'B3:B4', 'D2:E2'), { words, headerRow: 1 })).toContain(
      'B3:B4, D2:E2 are merged',
    );
  });
});

describe('a workbook that cannot be trusted is refused whole', () => {
  const parts = workbookParts({ sheets: { May: sheetData(header, payRow(text('1'), text('1'))) } });
  const sheetPart = 'xl/worksheets/anything0.xml';
  const withSheet = (content: string) =>
    buildZip(parts.map((part) => (part.name === sheetPart ? { ...part, content } : part)));
  const changed = (change: Partial<(typeof parts)[number]>) =>
    buildZip(parts.map((part) => (part.name === sheetPart ? { ...part, ...change } : part)));

  const BAD: readonly (readonly [string, Buffer, string])[] = [
    ['an entity of its own', withSheet('<worksheet>&a;</worksheet>'), 'XML is damaged'],
    [
      'rows out of order',
      withSheet(`<worksheet>${sheetData('<row r="2"/>', '<row r="1"/>')}</worksheet>`),
      'out of order',
    ],
    [
      'a text that is not there',
      withSheet(`<worksheet>${sheetData(header, payRow('<c t="s"><v>9</v></c>', text('1')))}</worksheet>`),
      'does not have',
    ],
    ['an unusual packing', changed({ method: 14 }), 'unusual'],
    [
      'too many parts',
      buildZip(Array.from({ length: 2_001 }, (_, index) => ({ name: `p${index}`, content: '' }))),
      '2001',
    ],
    ['no sheet', workbook({ sheets: {} }), 'nothing to pay'],
  ];
  it.each(BAD)('%s', async (_, bytes, part) => {
    expect(await refusal(bytes)).toContain(part);
  });
});

describe('a large workbook, whose sheet is read by another thread', () => {
  /** A picture that does not shrink makes the file large. */
  const picture = { name: 'xl/media/image1.png', content: randomBytes(1_100_000) };
  const rows = Array.from({ length: 2_600 }, (_, at) =>
    payRow(text(`02440${at}`), at % 50 === 7 ? '<c><f>B1*2</f><v>12.5</v></c>' : '<c><v>10.5</v></c>'),
  );
  const both = (inner: string) => {
    const parts = workbookParts({ sheets: { May: inner } });
    return [buildZip(parts), buildZip([...parts, picture])] as const;
  };

  it('has the same rows, marks and notes as a small one', async () => {
    const columns = '<cols><col min="1" max="1" hidden="1"/></cols>';
    const merges = '<mergeCells><mergeCell ref="A5:A9"/></mergeCells>';
    const [small, large] = both(`${columns}${sheetData(header, ...rows)}${merges}`);
    let answers = 0;
    const listen = (thread: Worker) =>
      thread.on('message', () => {
        answers += 1;
      });
    process.on('worker', listen);
    const here = await readBytes(small);
    expect(answers).toBe(0);
    const there = await readBytes(large);
    expect(answers).toBeGreaterThan(3);
    process.off('worker', listen);
    expect(here.rows).toHaveLength(rows.length);
    expect(there.rows).toEqual(here.rows);
    expect(there.source.notes).toEqual(here.source.notes);
    expect(there.source.mustReadAgain?.()).toBe(here.source.mustReadAgain?.());
  });

  it('is refused with the same words behind thousands of rows, and can be left before its end', async () => {
    const twice = '<c t="inlineStr"><is><t>1</t></is><v>2</v></c>';
    const [small, large] = both(sheetData(header, ...rows, payRow(text('0123'), twice)));
    expect(await refusal(large)).toBe(await refusal(small));
    await withFile(large, async (path) => {
      const source = await openRows({ path });
      for await (const chunk of source.rows()) {
        expect(chunk).toHaveLength(1_000);
        break;
      }
      await source.close();
    });
  });
});
