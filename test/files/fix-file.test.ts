/** The fix file: what was right stays right, what was wrong stays wrong until a person mends it. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatDecimal } from '../../src/domain/money/money.ts';
import { openRows } from '../../src/files/payout-file.ts';
import { openFixSink } from '../../src/files/report/open-report-sink.ts';
import { FileRefused } from '../../src/ports/row-source.ts';
import { createFixFile, type FixWritten } from '../../src/use-cases/intake/fix-file.ts';
import type { ReadOptions, ReadRow } from '../../src/use-cases/intake/read-pass.ts';
import { readRows } from '../../src/use-cases/intake/read-rows.ts';
import { CORPUS, expectations } from '../corpus/expectation.ts';
import { optionsOf, SANDBOX_LISTS } from '../corpus/read-corpus.ts';
import { buildZip, workbookParts } from './build-zip.ts';
import { withFile } from './read-file.ts';

/** SOAK=1 tries every file of the corpus, else every third. */
const IS_SOAK = process.env['SOAK'] === '1';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-fix-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Made {
  readonly rows: readonly ReadRow[];
  readonly written: FixWritten | undefined;
}

/** Reads a file and writes its fix file, as check does. */
async function fixed(options: ReadOptions, path: string): Promise<Made> {
  const fixFile = createFixFile(openFixSink, path, { source: options.open.path });
  let rows: ReadRow[] = [];
  const sink = {
    salt: '',
    begin: fixFile.begin,
    take: async (some: readonly ReadRow[]) => {
      rows.push(...some);
      await fixFile.take(some);
    },
    restart: async () => {
      rows = [];
      await fixFile.restart();
    },
    note: () => undefined,
  };
  try {
    await readRows(openRows, options, sink, { paymentService: SANDBOX_LISTS, tell: () => undefined });
    return { rows, written: await fixFile.finish() };
  } catch (error) {
    await fixFile.abort();
    throw error;
  }
}

/** `3 pays GH|…`, `4 wrong account amount`: what counts of a row. */
function standing({ row, ...read }: ReadRow): string {
  if (read.kind === 'invalid')
    return `${row.rowNumber} wrong ${read.issues.map(({ field }) => field).join(' ')}`;
  const { destinationIso, institutionId, account, amount, reference, name, phone, note } = read.instruction;
  const isHidden = read.holds.some(({ concern }) => concern.kind === 'hidden_row');
  const texts = [reference, name, phone, note].map((text) => text ?? '');
  const money = `${formatDecimal(amount)} ${amount.currency}`;
  return `${row.rowNumber} pays ${[destinationIso, institutionId, account.reveal(), money, ...texts].join('|')}${isHidden ? ' hidden' : ''}`;
}

describe('an unmended fix file', () => {
  it('[F14][F15][F16] has the same wrong cells again and pays the same in all other rows, whatever the damage', async () => {
    const differences: string[] = [];
    let files = 0;
    for (const { file, open } of expectations().filter((_, at) => IS_SOAK || at % 3 === 0)) {
      const options = { ...optionsOf(join(CORPUS, file), open), provesAccounts: false };
      const path = join(folder, `${file}.fix.xlsx`);
      const before = await fixed(options, path).catch((error: unknown) => {
        if (error instanceof FileRefused) return undefined;
        throw error;
      });
      if (before?.written === undefined) continue;
      files += 1;
      const { encoding: _, delimiter: __, ...layout } = options.open;
      const again = await fixed({ ...options, open: { ...layout, path } }, join(folder, 'again.xlsx'));
      const wanted = before.rows.map(standing);
      const got = again.rows.map(standing);
      for (const [at, line] of wanted.entries())
        if (got[at] !== line) differences.push(`${file}: ${line}  became  ${got[at]}`);
    }
    expect(differences).toEqual([]);
    expect(files).toBeGreaterThan(IS_SOAK ? 30 : 10);
  }, 60_000);
});

const HEADER = 'Ref,Payee,Country,Bank,Account number,Net pay,Team';
const GOOD = 'R-1,Yaw Acheampong,Ghana,GCB Bank,0011130024576,120.50,Sales';

function optionsFor(path: string): ReadOptions {
  return optionsOf(path, new Map());
}

async function fixCsv(lines: readonly string[]): Promise<Made & { readonly path: string }> {
  const path = join(folder, 'may.fix.xlsx');
  const made = await withFile(`${lines.join('\n')}\n`, (source) => fixed(optionsFor(source), path));
  return { ...made, path };
}

async function sheetOf(path: string): Promise<ExcelJS.Worksheet> {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.readFile(path);
  const [sheet] = workbook.worksheets;
  if (sheet === undefined) throw new Error('no sheet');
  return sheet;
}

/** Changes a workbook as a person would. */
async function mend(path: string, change: (sheet: ExcelJS.Worksheet) => void, to = path): Promise<string> {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.readFile(path);
  const [sheet] = workbook.worksheets;
  if (sheet === undefined) throw new Error('no sheet');
  change(sheet);
  await workbook.xlsx.writeFile(to);
  return to;
}

/** The fix file of a workbook with these rows. */
async function fixRows(
  lines: readonly (readonly (string | number)[])[],
  change: (sheet: ExcelJS.Worksheet) => void = () => undefined,
): Promise<string> {
  const workbook = new ExcelJS.Workbook();
  const sheet = workbook.addWorksheet('May');
  for (const line of lines) sheet.addRow([...line]);
  change(sheet);
  const source = join(folder, 'may.xlsx');
  await workbook.xlsx.writeFile(source);
  const path = join(folder, 'may.fix.xlsx');
  await fixed(optionsFor(source), path);
  return path;
}

const textsOf = (sheet: ExcelJS.Worksheet, row: number) =>
  Array.from({ length: sheet.columnCount }, (_, at) => sheet.getCell(row, at + 1).text);
const isRed = (cell: ExcelJS.Cell) => cell.fill?.type === 'pattern' && cell.fill.fgColor?.argb === 'FFFECACA';

describe('a fix file', () => {
  it('[F21] keeps the currency that a cell shows beside its number, until the institution is known', async () => {
    const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
    const rowOf = (...cells: readonly string[]) => `<row>${cells.join('')}</row>`;
    const header = rowOf(...['Country', 'Bank', 'Account', 'Amount'].map(text));
    const wrong = rowOf(...['Ghana', 'GCB Bnak', '0011130024576'].map(text), '<c s="1"><v>1500</v></c>');
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="[$USD] 0.00"/></numFmts><cellXfs><xf/><xf numFmtId="164"/></cellXfs>';
    const bytes = buildZip(
      workbookParts({ sheets: { May: `<sheetData>${header}${wrong}</sheetData>` }, styles }),
    );
    const path = join(folder, 'may.fix.xlsx');
    await withFile(bytes, (source) => fixed(optionsFor(source), path));
    await mend(path, (sheet) => {
      sheet.getCell('B2').value = 'GCB Bank';
    });
    const [row] = (await fixed(optionsFor(path), join(folder, 'again.xlsx'))).rows;
    expect(row?.kind === 'invalid' && row.issues.map(({ kind }) => kind)).toEqual(['amount_other_currency']);
  });

  it('has all rows in the same places, the wrong cells red, and says behind each row what to fix', async () => {
    const wrong = 'R-2,Kofi,Ghana,GCB Bnak,0011130024577,12.505,Sales';
    const { path, written } = await fixCsv(['May payroll,,,,,,', HEADER, GOOD, ',,,,,,', wrong]);
    expect(written).toEqual({ path, wrong: 1 });
    const sheet = await sheetOf(path);
    expect(textsOf(sheet, 2)).toEqual([...HEADER.split(','), 'What to fix']);
    expect(textsOf(sheet, 3)).toEqual([...GOOD.split(','), '']);
    expect(textsOf(sheet, 5).slice(0, 7)).toEqual(wrong.split(','));
    expect(sheet.getCell('H5').text).toMatch(/Bank: “GCB Bnak”; expected an institution of Ghana.*GCB Bank/);
    const red = ['A', 'B', 'C', 'D', 'E', 'F', 'G'].filter((letter) => isRed(sheet.getCell(`${letter}5`)));
    expect(red).toEqual(['D', 'F']);
    expect(sheet.getCell('E3').numFmt).toBe('@');
  });

  it('loads without one issue when its red cells are mended, and its last column comes to nothing', async () => {
    const { path } = await fixCsv([
      HEADER,
      GOOD,
      'R-2,Kofi,Ghana,GCB Bank,,half,Sales',
      GOOD.replace('R-1', 'R-3'),
    ]);
    const change = (sheet: ExcelJS.Worksheet) => {
      expect(isRed(sheet.getCell('E3')) && isRed(sheet.getCell('F3'))).toBe(true);
      sheet.getCell('E3').value = '0011130024577';
      sheet.getCell('F3').value = 99.5;
    };
    const mended = await mend(path, change, join(folder, 'mended.xlsx'));
    const { rows, written } = await fixed(optionsFor(mended), join(folder, 'none.fix.xlsx'));
    expect(rows.map(standing).map((line) => line.split('|').slice(2, 4).join(' '))).toEqual([
      '0011130024576 120.50 GHS',
      '0011130024577 99.50 GHS',
      '0011130024576 120.50 GHS',
    ]);
    expect(written).toBeUndefined();
    expect(readdirSync(folder).sort()).toEqual(['may.fix.xlsx', 'mended.xlsx']);
  });

  it('loses a row that a person emptied: what it said of the row is no row', async () => {
    const { path } = await fixCsv([HEADER, GOOD, 'Bank charges,,,,,25,']);
    const change = (sheet: ExcelJS.Worksheet) => {
      expect(isRed(sheet.getCell('F3'))).toBe(true);
      for (const cell of ['A3', 'F3']) sheet.getCell(cell).value = null;
      expect(sheet.getCell('H3').text).toContain('25');
    };
    const mended = await mend(path, change, join(folder, 'mended.xlsx'));
    const { rows, written } = await fixed(optionsFor(mended), join(folder, 'none.fix.xlsx'));
    expect(rows.map(({ kind, row }) => [kind, row.rowNumber])).toEqual([['valid', 2]]);
    expect(written).toBeUndefined();
    const csv = `${HEADER},What to fix\n${GOOD},\n,,,,,,,Ref: “Prepared by”\n`;
    const asCsv = await withFile(csv, (source) => fixed(optionsFor(source), join(folder, 'csv.fix.xlsx')));
    expect(asCsv.rows.map(({ kind }) => kind)).toEqual(['valid']);
  });

  it('of a fix file has one last column, not two', async () => {
    const { path } = await fixCsv([HEADER, GOOD.replace('120.50', 'half')]);
    const second = join(folder, 'second.fix.xlsx');
    await fixed(optionsFor(path), second);
    expect(textsOf(await sheetOf(second), 1)).toEqual([...HEADER.split(','), 'What to fix']);
  });

  it('[F24] shows hidden rows, right or wrong, and they wait until what says so is cleared', async () => {
    const lines = [
      HEADER,
      GOOD,
      GOOD.replace('R-1', 'R-2').replace('120.50', 'half'),
      GOOD.replace('R-1', 'R-3'),
    ];
    const cells = lines.map((line) => line.split(','));
    const path = await fixRows(cells, (sheet) => {
      for (const row of [3, 4]) sheet.getRow(row).hidden = true;
    });
    const made = await sheetOf(path);
    expect(made.name).toBe('May');
    expect([2, 3, 4].map((row) => made.getRow(row).hidden)).toEqual([false, false, false]);
    expect(made.getCell('H3').text).toContain('this row was hidden');
    expect(made.getCell('H4').text).toBe(
      'Look at: this row was hidden or struck through in your file: take it out, or clear this cell if it is meant to be paid.',
    );
    const holdsIn = async (from: string) =>
      (await fixed(optionsFor(from), join(folder, 'again.xlsx'))).rows.map((read) =>
        read.kind === 'valid' ? read.holds.map(({ concern }) => concern.kind) : read.kind,
      );
    expect(await holdsIn(path)).toEqual([[], 'invalid', ['hidden_row']]);
    await mend(path, (sheet) => {
      sheet.getCell('F3').value = 120.5;
      sheet.getCell('H4').value = null;
    });
    expect(await holdsIn(path)).toEqual([[], ['hidden_row'], []]);
  });

  it('says of a row that was hidden that it waits when it is saved as CSV too', async () => {
    const text = `"Look at: this row was hidden or struck through in your file: take it out."`;
    const lines = [`${HEADER},What to fix`, `${GOOD},`, `${GOOD.replace('R-1', 'R-2')},${text}`];
    const { rows } = await withFile(lines.join('\n'), (source) =>
      fixed(optionsFor(source), join(folder, 'x.xlsx')),
    );
    expect(rows.map((read) => (read.kind === 'valid' ? read.holds.length : read.kind))).toEqual([0, 1]);
  });

  it('[F14] marks an account that is paid but looks damaged, as check says it', async () => {
    const path = await fixRows([
      HEADER.split(','),
      ['R-1', 'Ama Mensah', 'Ghana', 'GCB Bank', 1234567890123, 120.5, 'Sales'],
      ['R-2', 'Ama Mensah', 'Ghana', 'GCB Bank', '1234567890124', 'half', 'Sales'],
    ]);
    const made = await sheetOf(path);
    expect(made.getCell('H2').text).toBe(
      'Look at: the account is stored as a number; leading zeros may be lost.',
    );
    const isMarked = (cell: string) => JSON.stringify(made.getCell(cell).fill ?? {}).includes('FFFEF3C7');
    expect([isMarked('E2'), isMarked('F2'), isMarked('E3')]).toEqual([true, false, false]);
  });

  it('[F14] is ready for what is typed into a red cell: text for an account, a number for an amount', async () => {
    const row = ['R-1', '', 'Ghana', 'MTN Mobile Money', 244123456, 'half', 'Sales'];
    const made = await sheetOf(await fixRows([HEADER.split(','), row]));
    expect(made.getCell('E2').value).toBe(244123456);
    expect([isRed(made.getCell('E2')), made.getCell('E2').numFmt]).toEqual([true, '@']);
    expect([isRed(made.getCell('F2')), made.getCell('F2').numFmt ?? 'General']).toEqual([true, 'General']);
  });

  it('that cannot be written leaves nothing behind and says where to put it', async () => {
    const path = join(folder, 'no-such-folder', 'may.fix.xlsx');
    const lines = [HEADER, GOOD.replace('120.50', 'half')].join('\n');
    await expect(withFile(lines, (source) => fixed(optionsFor(source), path))).rejects.toThrow(
      /Cannot write the fix file .*its folder does not exist.*fixFile: FILE/,
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});
