/**
 * Which sheet of a workbook is meant: the one named, else the only visible one with a recognisable header.
 */
import { input, said } from '../../domain/text/message.ts';
import { FileRefused } from '../../ports/row-source.ts';
import { HEADER_WITHIN, type HeaderChoice, type HeaderRow, likelyHeader } from '../header-map.ts';
import { isTallAmong, mayBeMerged, withMergedCells } from '../tall-headers.ts';
import type { SheetFacts, SheetRow } from './sheet-rows.ts';
import type { SheetPart } from './workbook-parts.ts';

export interface SheetReading {
  readonly rows: AsyncGenerator<SheetRow[]>;
  readonly facts: SheetFacts;
}

export function sheetNote({ name }: Pick<SheetPart, 'name'>): string {
  return `sheet “${name}”`;
}

interface SheetQuestion {
  readonly sheets: readonly SheetPart[];
  /** --sheet */
  readonly wanted: string | undefined;
  readonly choice: HeaderChoice;
  readonly name: string;
  readonly rowsOf: (sheet: SheetPart) => SheetReading;
}

interface ChosenSheet {
  readonly sheet: SheetPart;
  /** undefined: the sheet was named, or is the only one, and has no recognisable header. */
  readonly header: HeaderRow | undefined;
  /** The first ones. */
  readonly rows: readonly HeaderRow[];
  readonly notes: readonly string[];
}

export async function chooseSheet(question: SheetQuestion): Promise<ChosenSheet> {
  const { sheets, wanted, name } = question;
  if (sheets.length === 0) throw new FileRefused(`${name} has no sheet with cells: there is nothing to pay.`);
  if (wanted !== undefined) {
    const sheet =
      sheets.find((each) => each.name === wanted) ?? sheets.find((each) => isAlike(each.name, wanted));
    if (sheet === undefined)
      throw new FileRefused(`${name} has no sheet “${wanted}”. It has: ${named(sheets)}.`);
    if (sheets.filter((each) => each.name === sheet.name).length > 1)
      throw new FileRefused(`${name} has more than one sheet “${sheet.name}”. Give them different names.`);
    return { sheet, ...(await headerOf(question, sheet)), notes: [sheetNote(sheet)] };
  }
  return chooseByHeader(question);
}

async function chooseByHeader(question: SheetQuestion): Promise<ChosenSheet> {
  const { sheets, name } = question;
  const which = { sheets: sheets.map((each) => each.name) };
  const found: { sheet: SheetPart; header: HeaderRow; rows: readonly HeaderRow[] }[] = [];
  for (const sheet of sheets) {
    const { header, rows } = await headerOf(question, sheet);
    if (header !== undefined) found.push({ sheet, header, rows });
  }
  const visible = found.filter(({ sheet }) => !sheet.isHidden);
  const [first, second] = visible;
  if (first !== undefined && second !== undefined) {
    const what = `${name} has rows to pay in more than one sheet: ${named(visible.map(({ sheet }) => sheet))}.`;
    throw new FileRefused(said`${what} Say which with ${input('sheet')}.`, {
      ...which,
      onPage: `${what} Choose one.`,
    });
  }
  if (first !== undefined) {
    const hidden = found.filter(({ sheet }) => sheet.isHidden).map(({ sheet }) => sheet);
    const notes = hidden.length === 0 ? [] : [`hidden sheets are not read: ${named(hidden)}`];
    return { ...first, notes: [sheetNote(first.sheet), ...notes] };
  }
  const [hidden] = found;
  if (hidden !== undefined) {
    const what = `${name}: only the hidden sheet “${hidden.sheet.name}” has a header.`;
    throw new FileRefused(said`${what} If it is meant, say so with ${input('sheet')}.`, {
      ...which,
      onPage: `${what} Choose it, if it is meant.`,
    });
  }
  const [only] = sheets;
  if (only !== undefined && sheets.length === 1)
    return { sheet: only, header: undefined, rows: [], notes: [] };
  const what = `${name}: no sheet has a recognisable header in its first ${HEADER_WITHIN} rows. It has: ${named(sheets)}.`;
  throw new FileRefused(
    said`${what} Name the sheet with ${input('sheet')} and the header with ${input('headerRow')}.`,
    {
      ...which,
      onPage: `${what} Choose the sheet first, then the row with the names of the columns.`,
    },
  );
}

async function headerOf(
  { rowsOf, choice }: SheetQuestion,
  sheet: SheetPart,
): Promise<Pick<ChosenSheet, 'header' | 'rows'>> {
  const rows: HeaderRow[] = [];
  const last = choice.headerRow ?? HEADER_WITHIN;
  for await (const some of rowsOf(sheet).rows) {
    for (const row of some) if (row.rowNumber <= last) rows.push(row);
    if ((some.at(-1)?.rowNumber ?? 0) >= last) break;
  }
  const header = likelyHeader(rows, choice, () => true);
  if (header === undefined || !(header.isTall === true || mayBeMerged(header, rows))) return { header, rows };
  // A sheet names its merged cells behind its rows.
  const { rows: all, facts } = rowsOf(sheet);
  for await (const _some of all);
  const found = likelyHeader(rows, choice, isTallAmong(facts.merges));
  return { header: found && withMergedCells(found, rows, facts.merges), rows };
}

function isAlike(left: string, right: string): boolean {
  return left.trim().toLowerCase() === right.trim().toLowerCase();
}

function named(sheets: readonly SheetPart[]): string {
  return sheets.map((sheet) => `“${sheet.name}”${sheet.isHidden ? ' (hidden)' : ''}`).join(', ');
}
