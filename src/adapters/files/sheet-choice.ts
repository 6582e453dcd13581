/**
 * Which sheet of a workbook is meant: the one named, else the only visible one with a recognisable header.
 */
import { FileRefused } from '../../ports/row-source.ts';
import { HEADER_WITHIN, type HeaderChoice, type HeaderRow, likelyHeader } from './header-map.ts';
import type { SheetRow } from './sheet-rows.ts';
import type { SheetPart } from './workbook-parts.ts';

export interface SheetQuestion {
  readonly sheets: readonly SheetPart[];
  /** --sheet */
  readonly wanted: string | undefined;
  readonly choice: HeaderChoice;
  readonly name: string;
  readonly rowsOf: (sheet: SheetPart) => AsyncGenerator<SheetRow[]>;
}

export interface ChosenSheet {
  readonly sheet: SheetPart;
  /** undefined: the sheet was named, or is the only one, and has no recognisable header. */
  readonly header: HeaderRow | undefined;
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
    return { sheet, header: await headerOf(question, sheet), notes: [`sheet “${sheet.name}”`] };
  }
  return chooseByHeader(question);
}

async function chooseByHeader(question: SheetQuestion): Promise<ChosenSheet> {
  const { sheets, name } = question;
  const found: { sheet: SheetPart; header: HeaderRow }[] = [];
  for (const sheet of sheets) {
    const header = await headerOf(question, sheet);
    if (header !== undefined) found.push({ sheet, header });
  }
  const visible = found.filter(({ sheet }) => !sheet.isHidden);
  const [first, second] = visible;
  if (first !== undefined && second !== undefined) {
    throw new FileRefused(
      `${name} has rows to pay in more than one sheet: ${named(visible.map(({ sheet }) => sheet))}. Say which with --sheet.`,
    );
  }
  if (first !== undefined) {
    const hidden = found.filter(({ sheet }) => sheet.isHidden).map(({ sheet }) => sheet);
    const notes = hidden.length === 0 ? [] : [`hidden sheets are not read: ${named(hidden)}`];
    return { ...first, notes: [`sheet “${first.sheet.name}”`, ...notes] };
  }
  const [hidden] = found;
  if (hidden !== undefined) {
    throw new FileRefused(
      `${name}: only the hidden sheet “${hidden.sheet.name}” has a header. If it is meant, say so with --sheet.`,
    );
  }
  const [only] = sheets;
  if (only !== undefined && sheets.length === 1) return { sheet: only, header: undefined, notes: [] };
  throw new FileRefused(
    `${name}: no sheet has a recognisable header in its first ${HEADER_WITHIN} rows. It has: ${named(sheets)}. ` +
      'Name the sheet with --sheet and the header with --header-row.',
  );
}

async function headerOf({ rowsOf, choice }: SheetQuestion, sheet: SheetPart): Promise<HeaderRow | undefined> {
  const rows: HeaderRow[] = [];
  const last = choice.headerRow ?? HEADER_WITHIN;
  for await (const some of rowsOf(sheet)) {
    for (const row of some) if (row.rowNumber <= last) rows.push(row);
    if ((some.at(-1)?.rowNumber ?? 0) >= last) break;
  }
  return likelyHeader(rows, choice);
}

function isAlike(left: string, right: string): boolean {
  return left.trim().toLowerCase() === right.trim().toLowerCase();
}

function named(sheets: readonly SheetPart[]): string {
  return sheets.map((sheet) => `“${sheet.name}”${sheet.isHidden ? ' (hidden)' : ''}`).join(', ');
}
