/**
 * The parts of a workbook around its sheets: which sheets there are, the shared strings, the number formats.
 */
import { printable } from '../../domain/text/printable.ts';
import { FileRefused } from '../../ports/row-source.ts';
import { FROM_ITS_MAKER } from '../opened-file.ts';
import { readXml } from '../xml-events.ts';
import { builtinFormat, type CellMeaning, RichText, strikes } from './read-cells.ts';
import type { ZipArchive } from './zip-entries.ts';

export interface Workbook extends CellMeaning {
  readonly sheets: readonly SheetPart[];
  /** Whoever wrote it left its formulas to be calculated by the program that opens it next. */
  readonly isUncalculated: boolean;
}

export interface SheetPart {
  readonly name: string;
  readonly path: string;
  readonly isHidden: boolean;
}

interface Relation {
  readonly id: string;
  /** Last part of the type's address: `worksheet`, `styles`. */
  readonly type: string;
  readonly path: string;
}

export async function readWorkbook(zip: ZipArchive, name: string): Promise<Workbook> {
  const root = await readRelations(zip, '', name);
  const path = pathOf(root, 'officeDocument', name) ?? 'xl/workbook.xml';
  if (!zip.names.has(path) || !/\.xml$/i.test(path)) throw notAWorkbook(zip, name);
  const relations = await readRelations(zip, path, name);
  const { sheets, is1904, isUncalculated, isWorkbook } = await readSheetList(zip, path, relations, name);
  if (!isWorkbook) throw notAWorkbook(zip, name);
  const styles = pathOf(relations, 'styles', name);
  // Without its styles nobody knows whether 0.45 was shown as 45 %.
  if (styles !== undefined && !zip.names.has(styles)) throw noStyles(styles, name);
  const strings = pathOf(relations, 'sharedStrings', name);
  return {
    sheets,
    is1904,
    isUncalculated,
    ...(styles === undefined ? NO_STYLES : await readStyles(zip, styles, name)),
    // Without the part that is named, a cell that points at one of its texts refuses the file.
    ...(strings === undefined || !zip.names.has(strings)
      ? NO_STRINGS
      : await readSharedStrings(zip, strings, name)),
  };
}

/** The part that a workbook has one of at the most. */
function pathOf(relations: readonly Relation[], type: string, name: string): string | undefined {
  const [path, other] = new Set(relations.flatMap((each) => (each.type === type ? [each.path] : [])));
  if (other !== undefined)
    throw ambiguous(name, `has two parts where one belongs, “${printable(`${path}” and “${other}`)}”`);
  return path;
}

function notAWorkbook({ names }: ZipArchive, name: string): FileRefused {
  const inside = [...names].find((each) => /\.(?:xlsx|xlsm|csv)$/i.test(each));
  if (inside !== undefined && !names.has('xl/workbook.bin')) {
    return new FileRefused(`${name} is a zip archive that holds ${printable(inside)}. Unpack it first.`);
  }
  if (names.has('Index/Document.iwa') || names.has('Index.zip'))
    return new FileRefused(`${name} is an Apple Numbers document. Export it from there to Excel (.xlsx).`);
  const what = names.has('xl/workbook.bin')
    ? 'is a binary workbook (.xlsb)'
    : names.has('mimetype') || names.has('content.xml')
      ? 'is an OpenDocument file (.ods)'
      : names.has('word/document.xml')
        ? 'is a text document'
        : 'is a zip archive but no .xlsx workbook';
  return new FileRefused(
    `${name} ${what}. Open it in a spreadsheet program and save it as .xlsx or as CSV (UTF-8).`,
  );
}

function noStyles(path: string, name: string): FileRefused {
  return new FileRefused(
    `${name} has no part “${printable(path)}”, which says how its numbers and dates are shown: 0.45 may be meant as ` +
      `45%. ${FROM_ITS_MAKER}`,
  );
}

/** Of the workbook for an empty `of`, else of one of its parts. */
export async function readRelations(zip: ZipArchive, of: string, name: string): Promise<readonly Relation[]> {
  const slash = of.lastIndexOf('/');
  const folder = of.slice(0, slash + 1);
  const path = `${folder}_rels/${of.slice(slash + 1)}.rels`;
  const relations: Relation[] = [];
  if (!zip.names.has(path)) return relations;
  await readWhole(zip, path, name, {
    open: (element, { Id = '', Type = '', Target = '', TargetMode }) => {
      if (element !== 'Relationship' || TargetMode === 'External') return;
      // Nothing says which of the two counts.
      if (relations.some((each) => each.id === Id))
        throw ambiguous(name, `names two parts by “${printable(Id)}”`);
      if (relations.length === MOST_RELATIONS)
        throw tooMany(`${MOST_RELATIONS} relations of its parts`, name);
      relations.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), path: resolved(folder, Target) });
    },
  });
  return relations;
}

const MOST_RELATIONS = 10_000;
/** Excel keeps 65,490 at the most. */
const MOST_FORMATS = 70_000;
/** All of them are kept in memory. */
const MOST_TEXTS = 4_000_000;

function tooMany(what: string, name: string): FileRefused {
  return new FileRefused(`${name} has more than ${what}, which no payout file needs. ${FROM_ITS_MAKER}`);
}

function ambiguous(name: string, what: string): FileRefused {
  return new FileRefused(`${name} ${what}, and programs differ on which of them counts. ${FROM_ITS_MAKER}`);
}

function resolved(folder: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1);
  const parts: string[] = [];
  for (const part of `${folder}${target}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

/** Each is opened to look for a header. */
const MOST_SHEETS = 500;

async function readSheetList(zip: ZipArchive, path: string, relations: readonly Relation[], name: string) {
  const sheets: SheetPart[] = [];
  let is1904 = false;
  let isUncalculated = false;
  let root: string | undefined;
  await readWhole(zip, path, name, {
    open: (element, attributes) => {
      root ??= element;
      if (element === 'workbookPr') is1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '');
      if (element === 'calcPr') isUncalculated = /^(?:1|true)$/.test(attributes.fullCalcOnLoad ?? '');
      if (element !== 'sheet') return;
      const [id, other] = Object.entries(attributes).flatMap(([key, text]) =>
        /:id$/.test(key) ? [text] : [],
      );
      if (other !== undefined)
        throw ambiguous(name, `names a sheet's part by “${printable(`${id}” and “${other}`)}”`);
      const relation = relations.find((each) => each.id === id);
      if (relation?.type !== 'worksheet') return;
      const { name: sheetName = '', state = 'visible' } = attributes;
      if (sheets.length === MOST_SHEETS)
        throw new FileRefused(`${name} has more than ${MOST_SHEETS} sheets. Keep those that are to be paid.`);
      sheets.push({ name: sheetName, path: relation.path, isHidden: state !== 'visible' });
    },
  });
  return { sheets, is1904, isUncalculated, isWorkbook: root === 'workbook' };
}

type Styles = Pick<CellMeaning, 'formats' | 'struckStyles'>;
type Strings = Pick<CellMeaning, 'sharedStrings' | 'struckStrings'>;
const NO_STYLES: Styles = { formats: [], struckStyles: new Set() };
const NO_STRINGS: Strings = { sharedStrings: [], struckStrings: new Set() };

/** A cell's format names its number format and font, or leaves them to the named style that it belongs to. */
interface CellFormat {
  readonly id: number | undefined;
  readonly font: number | undefined;
  readonly styleAt: number;
}

async function readStyles(zip: ZipArchive, path: string, name: string): Promise<Styles> {
  const own = new Map<number, string>();
  const struckFonts = new Set<number>();
  let fonts = 0;
  const lists: Record<'cellStyleXfs' | 'cellXfs', CellFormat[]> = { cellStyleXfs: [], cellXfs: [] };
  let list = '';
  await readWhole(zip, path, name, {
    open: (element, attributes) => {
      const { numFmtId, formatCode = '', xfId = '0', fontId } = attributes;
      if (LISTS_OF_FORMATS.has(element)) list = element;
      const id = numberIn(numFmtId);
      if (element === 'numFmt' && list === 'numFmts') own.set(id ?? 0, formatCode);
      if (element === 'xf' && (list === 'cellStyleXfs' || list === 'cellXfs'))
        lists[list].push({ id, font: numberIn(fontId), styleAt: Number.parseInt(xfId, 10) });
      if (element === 'font' && list === 'fonts') fonts += 1;
      if (list === 'fonts' && strikes(element, attributes)) struckFonts.add(fonts - 1);
      if (Math.max(lists.cellStyleXfs.length, lists.cellXfs.length, own.size) > MOST_FORMATS)
        throw tooMany(`${MOST_FORMATS} cell formats`, name);
    },
    close: (element) => {
      if (element === list) list = '';
    },
  });
  // Only now: their order in the part is fixed, and not every program insists on it.
  const formats = lists.cellXfs.map(({ id, styleAt }) => {
    const used = id ?? lists.cellStyleXfs[styleAt]?.id ?? 0;
    return own.get(used) ?? builtinFormat(used);
  });
  const struck = lists.cellXfs.flatMap(({ font, styleAt }, at) =>
    struckFonts.has(font ?? lists.cellStyleXfs[styleAt]?.font ?? -1) ? [at] : [],
  );
  return { formats, struckStyles: new Set(struck) };
}

function numberIn(attribute: string | undefined): number | undefined {
  return attribute === undefined ? undefined : Number.parseInt(attribute, 10);
}

/** Formats of other lists (`dxfs`) are no cell's own. */
const LISTS_OF_FORMATS: ReadonlySet<string> = new Set(['numFmts', 'fonts', 'cellStyleXfs', 'cellXfs']);

async function readSharedStrings(zip: ZipArchive, path: string, name: string): Promise<Strings> {
  const strings: string[] = [];
  const struckStrings = new Set<number>();
  let current: RichText | undefined;
  const twoTexts = (at: number) => ambiguous(name, `holds two texts as its shared text ${at}`);
  await readWhole(zip, path, name, {
    open: (element, attributes) => {
      if (strikes(element, attributes)) struckStrings.add(strings.length);
      else if (element !== 'si') current?.open(element);
      else if (current === undefined) current = new RichText();
      else throw twoTexts(strings.length);
    },
    text: (text) => current?.add(text),
    close: (element) => {
      if (element !== 'si') current?.close(element);
      else if (current !== undefined) {
        if (current.isTwo) throw twoTexts(strings.length);
        if (strings.length === MOST_TEXTS) throw tooMany(`${MOST_TEXTS} shared texts`, name);
        strings.push(current.text);
        current = undefined;
      }
    },
  });
  return { sharedStrings: strings, struckStrings };
}

interface SomeHandlers {
  readonly open: (element: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text?: (text: string) => void;
  readonly close?: (element: string) => void;
}

export async function readWhole(
  zip: ZipArchive,
  path: string,
  name: string,
  handlers: SomeHandlers,
): Promise<void> {
  const nothing = () => {};
  const all = { text: nothing, close: nothing, ...handlers };
  for await (const _chunk of readXml(zip.read(path), all, `${name}, ${path}`));
}
