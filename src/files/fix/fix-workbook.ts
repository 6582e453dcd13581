/**
 * The fix file: the user's own rows in their own columns and in the same places, wrong cells marked, and a last
 * column that says what to fix. It is read again as input; that last column means nothing then.
 *
 * A cell keeps its nature: a number stays a number, an error stays an error. Copied as text, an account that
 * lost its last digits as a number would look like a good one.
 */

import { FIX_COLUMN, inputColumns, WAS_HIDDEN } from '../../domain/reporting/report-columns.ts';
import { columnLetters } from '../../domain/rows/column-names.ts';
import type { WrittenMark, WrittenRow } from '../../domain/rows/row.ts';
import type { FixHeader, FixRow } from '../../ports/outputs.ts';
import type { Begin } from '../report/report-sink.ts';
import { cell } from '../report/xlsx/cells.ts';
import { LOOK, TAB } from '../report/xlsx/styles.ts';
import {
  type Cell,
  type CellStyle,
  type CellValue,
  newWorkbook,
  type Sheet,
  type Workbook,
} from '../report/xlsx/xlsx-workbook.ts';

const LAST_WIDTH = 90;
/** A frozen block taller than this leaves no room to work in. */
const FROZEN_MAX = 12;

interface Open {
  readonly sheet: Sheet;
  readonly header: FixHeader;
  readonly kept: readonly number[];
}

export const fixWorkbook: Begin<FixHeader, FixRow> = (header, file) => {
  const workbook = newWorkbook(file, { title: 'Rows to mend', createdAt: undefined });
  let open: Open | undefined;
  return {
    write: async (rows) => {
      open ??= openSheet(workbook, header, rows);
      for (const row of rows) addFixRow(open, row);
      await open.sheet.drained();
    },
    end: async () => {
      if (open === undefined) throw new TypeError('A fix file has rows');
      const { sheet, kept } = open;
      sheet.filter(`A${header.headerRow}:${columnLetters(kept.length)}${sheet.rowCount()}`);
      sheet.close();
      const name = sheetNameOf(header.sheet);
      const about = name === ABOUT ? 'How to' : ABOUT;
      addAbout(workbook.addSheet({ name: about, widths: [100], frozen: { rows: 0, columns: 0 } }), header);
      await workbook.finish([name, about]);
    },
  };
};

/** Columns are as wide as their first rows need. */
function openSheet(workbook: Workbook, header: FixHeader, first: readonly FixRow[]): Open {
  const kept = inputColumns(header.headers);
  const names = kept.map((at) => header.headers[at] ?? '');
  const widths = kept.map((at, index) => {
    const longest = first.reduce((most, { row }) => Math.max(most, row.cells[at]?.length ?? 0), 0);
    return Math.min(30, Math.max(10, names[index]?.length ?? 0, longest) + 3);
  });
  const sheet = workbook.addSheet({
    name: sheetNameOf(header.sheet),
    widths: [...widths, LAST_WIDTH],
    columnStyle: LOOK.text,
    frozen: { rows: header.headerRow <= FROZEN_MAX ? header.headerRow : 0, columns: 0 },
    tabColor: TAB.look,
  });
  const cells = [...names, FIX_COLUMN].map((value) => cell('header', value));
  sheet.addRowAt(header.headerRow, cells);
  return { sheet, header, kept };
}

const ABOUT = 'About this file';
const WRONG_FILL = { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FFFECACA' } } as const;
const WRONG_SIDE = { style: 'thin', color: { argb: 'FFB91C1C' } } as const;
const WRONG: CellStyle = {
  fill: WRONG_FILL,
  border: { left: WRONG_SIDE, right: WRONG_SIDE, top: WRONG_SIDE, bottom: WRONG_SIDE },
};
const TO_FIX_STYLE: CellStyle = { ...LOOK.words, fill: WRONG_FILL };

/** Can be paid, but look at it. */
const DOUBTFUL: CellStyle = {
  fill: { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FFFEF3C7' } },
};

function addFixRow({ sheet, header, kept }: Open, { row, issues, remarks, lookAt }: FixRow): void {
  const wrong = new Set(issues.flatMap((issue) => issue.columnLetter?.split('+') ?? []));
  const amount = header.columns.get('amount');
  const doubtful = new Set(lookAt.map((field) => header.columns.get(field)));
  const cells = kept.map((at): Cell => {
    if (!wrong.has(columnLetters(at))) {
      const written = cellAsWritten(row, at);
      return doubtful.has(at) ? { ...written, style: { ...written.style, ...DOUBTFUL } } : written;
    }
    const { value, style } = wrongCell(row, at, at === amount);
    return { value, style: { ...style, ...WRONG } };
  });
  const isHidden = row.marks?.some(({ kind }) => kind === 'hidden') === true;
  // A hidden row can be neither corrected nor decided on, so the fix file shows it. It stays held until its text is cleared.
  const shown = isHidden ? [`${WAS_HIDDEN}: take it out, or clear this cell if it is meant to be paid`] : [];
  const text = fixText(issues, [...shown, ...remarks]);
  const style = issues.length > 0 || isHidden ? TO_FIX_STYLE : LOOK.words;
  cells.push({ value: text === '' ? undefined : text, style: text === '' ? LOOK.plain : style });
  const lines = text.split('\n').reduce((sum, line) => sum + Math.ceil(line.length / LAST_WIDTH), 0);
  sheet.addRowAt(row.rowNumber, cells, lines);
}

function fixText(issues: FixRow['issues'], remarks: readonly string[]): string {
  const lines = issues.map(({ column, field, seen, expected, suggestion }) => {
    const what = seen.trim() === '' ? 'empty' : `“${seen}”`;
    const advice = suggestion === undefined ? '' : ` ${suggestion.replace(/([^.?!])$/, '$1.')}`;
    return `${column ?? field}: ${what}; expected ${expected}.${advice}`;
  });
  return [...lines, ...remarks.map((remark) => `Look at: ${remark}.`)].join('\n');
}

/** The name that it had, so that --sheet finds it again, without what a sheet's name may not hold. */
function sheetNameOf(name: string | undefined): string {
  const clean = (name ?? '')
    .replace(/[*?:\\/[\]]/g, ' ')
    .replace(/^'+|'+$/g, '')
    .slice(0, 31)
    .trim();
  return clean === '' || clean.toLowerCase() === 'history' ? 'Payments' : clean;
}

function addAbout(sheet: Sheet, { fileName }: FixHeader): void {
  sheet.addRow([cell('bold', `All rows of ${fileName}, to be mended`)]);
  for (const line of [
    'Red cells cannot be paid as written; the last column says what is expected. Nothing else was changed.',
    'Mend the red cells, save, and use this file in the place of the old one.',
    `The column “${FIX_COLUMN}” may stay: it is not read, but for rows that were hidden: they wait until it is cleared.`,
    'Rows keep their places, so that row numbers in messages fit both files.',
  ])
    sheet.addRow([cell('plain', line)]);
  sheet.close();
}

/**
 * One cell as it was written → the same in a new workbook, of the same nature.
 *
 * A wrong cell must stay wrong until a person mends it, and be ready for what is typed into it: text, so that a
 * spreadsheet keeps leading zeros, or a number where it is an amount. Where its nature cannot be copied for
 * certain (a date, a formula that was never calculated, a number whose format shows something else) it becomes
 * `#N/A`.
 */

type Kind = WrittenMark['kind'];

const GENERAL_STYLE: CellStyle = { ...LOOK.text, numFmt: 'General', alignment: { vertical: 'top' } };
const DATE_STYLE: CellStyle = { ...LOOK.text, numFmt: 'yyyy-mm-dd' };
const DATE_TIME_STYLE: CellStyle = { ...LOOK.text, numFmt: 'yyyy-mm-dd hh:mm:ss' };
const DAMAGED = { error: '#N/A' };
/** Where the value came from; it says nothing about the value itself. */
const ORIGINS: ReadonlySet<Kind> = new Set<Kind>(['formula', 'hidden']);

function cellAsWritten(row: WrittenRow, column: number): Cell {
  const text = row.cells[column] ?? '';
  const kinds = kindsOf(row, column);
  const kind = kinds.includes('number') ? 'number' : kinds[0];
  // A sign of money beside the number counts once the institution is known, and must still be there then.
  const words = row.marks?.find((mark) => mark.column === column && mark.kind === 'shown_words')?.words;
  const number = words === undefined ? undefined : numberCell(text);
  if (number !== undefined && words !== undefined)
    return words.includes('"')
      ? { value: DAMAGED, style: GENERAL_STYLE }
      : { ...number, style: { ...GENERAL_STYLE, numFmt: `"${words} "General` } };
  return (kind === undefined ? undefined : sameNature(text, kind)) ?? textCell(text);
}

/** `isAmount`: what is typed into the cell should become a number. */
function wrongCell(row: WrittenRow, column: number, isAmount: boolean): Cell {
  const text = row.cells[column] ?? '';
  const [kind, ...others] = kindsOf(row, column);
  const style = isAmount ? GENERAL_STYLE : LOOK.text;
  if (kind === undefined) return { value: textCell(text).value, style };
  return { value: others.length === 0 ? wrongValue(text, kind) : DAMAGED, style };
}

function wrongValue(text: string, kind: Kind): CellValue {
  const value = Number.parseFloat(text);
  if (kind === 'number' && String(value) === text) return value;
  if (kind === 'boolean') return text.toUpperCase() === 'TRUE';
  return kind === 'error_value' ? { error: text } : DAMAGED;
}

function kindsOf({ marks }: WrittenRow, column: number): readonly Kind[] {
  return (marks ?? [])
    .filter((mark) => mark.column === column && !ORIGINS.has(mark.kind))
    .map(({ kind }) => kind);
}

function sameNature(text: string, kind: Kind): Cell | undefined {
  switch (kind) {
    case 'number':
      return numberCell(text);
    case 'date':
      return dateCell(text);
    case 'boolean':
      return { value: text.toUpperCase() === 'TRUE', style: GENERAL_STYLE };
    case 'error_value':
      return { value: { error: text }, style: GENERAL_STYLE };
    default:
      return undefined;
  }
}

function textCell(text: string): Cell {
  return cell('text', text === '' ? undefined : escaped(text));
}

/** As workbooks write what XML cannot hold, and what looks like such an escape: nothing is lost on the way. */
function escaped(text: string): string {
  return text.replace(
    /_(?=x[0-9A-Fa-f]{4}_)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g,
    (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );
}

/** A number that shows the same text, with the same digits. */
function numberCell(text: string): Cell | undefined {
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) return undefined;
  const value = Number.parseFloat(text);
  if (String(value) === text) return { value, style: GENERAL_STYLE };
  // A format of zeros shows leading ones.
  const hasZeros = /^0\d+$/.test(text) && Number.isSafeInteger(value);
  return hasZeros ? { value, style: { ...GENERAL_STYLE, numFmt: '0'.repeat(text.length) } } : undefined;
}

function dateCell(text: string): Cell | undefined {
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?))?$/.exec(text) ?? [];
  const at = new Date(`${day}T${time ?? '00:00'}Z`);
  if (day === undefined || Number.isNaN(at.getTime())) return undefined;
  return { value: at, style: time === undefined ? DATE_STYLE : DATE_TIME_STYLE };
}
