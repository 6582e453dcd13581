/**
 * The parts of a workbook around its sheets: which sheets there are, the shared strings, the number formats.
 */
import { printable } from '../../domain/printable.ts';
import { FileRefused } from '../../ports/row-source.ts';
import { builtinFormat } from './cell-text.ts';
import { readXml } from './xml-events.ts';
import type { ZipArchive } from './zip-entries.ts';

export interface Workbook {
  readonly sheets: readonly SheetPart[];
  readonly sharedStrings: readonly string[];
  /** Number format by style index. */
  readonly formats: readonly string[];
  /** Dates count from 1904, as old Macintosh workbooks do. */
  readonly is1904: boolean;
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
  const path = root.find((relation) => relation.type === 'officeDocument')?.path ?? 'xl/workbook.xml';
  if (!zip.names.has(path) || !/\.xml$/i.test(path) || !path.startsWith('xl/')) throw notAWorkbook(zip, name);
  const relations = await readRelations(zip, path, name);
  const partOf = (type: string) =>
    relations.find((relation) => relation.type === type && zip.names.has(relation.path))?.path;
  const { sheets, is1904, isUncalculated } = await readSheetList(zip, path, relations, name);
  const styles = relations.find((relation) => relation.type === 'styles')?.path;
  const strings = partOf('sharedStrings');
  return {
    sheets,
    is1904,
    isUncalculated,
    formats: styles === undefined ? [] : await readFormats(zip, styles, name),
    sharedStrings: strings === undefined ? [] : await readSharedStrings(zip, strings, name),
  };
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

async function readRelations(zip: ZipArchive, of: string, name: string): Promise<readonly Relation[]> {
  const slash = of.lastIndexOf('/');
  const folder = of.slice(0, slash + 1);
  const path = `${folder}_rels/${of.slice(slash + 1)}.rels`;
  const relations: Relation[] = [];
  if (!zip.names.has(path)) return relations;
  await readWhole(zip, path, name, {
    open: (element, { Id = '', Type = '', Target = '', TargetMode }) => {
      if (element !== 'Relationship' || TargetMode === 'External') return;
      relations.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), path: resolved(folder, Target) });
    },
  });
  return relations;
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
  await readWhole(zip, path, name, {
    open: (element, attributes) => {
      if (element === 'workbookPr') is1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '');
      if (element === 'calcPr') isUncalculated = /^(?:1|true)$/.test(attributes.fullCalcOnLoad ?? '');
      if (element !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => /:id$/.test(key))?.[1];
      const relation = relations.find((each) => each.id === id);
      if (relation?.type !== 'worksheet') return;
      const { name: sheetName = '', state = 'visible' } = attributes;
      if (sheets.length === MOST_SHEETS)
        throw new FileRefused(`${name} has more than ${MOST_SHEETS} sheets. Keep those that are to be paid.`);
      sheets.push({ name: sheetName, path: relation.path, isHidden: state !== 'visible' });
    },
  });
  return { sheets, is1904, isUncalculated };
}

async function readFormats(zip: ZipArchive, path: string, name: string): Promise<readonly string[]> {
  const own = new Map<number, string>();
  const formats: string[] = [];
  let isInCells = false;
  await readWhole(zip, path, name, {
    open: (element, { numFmtId = '0', formatCode = '' }) => {
      if (element === 'numFmt') own.set(Number.parseInt(numFmtId, 10), formatCode);
      if (element === 'cellXfs') isInCells = true;
      if (element !== 'xf' || !isInCells) return;
      const id = Number.parseInt(numFmtId, 10);
      formats.push(own.get(id) ?? builtinFormat(id));
    },
    close: (element) => {
      if (element === 'cellXfs') isInCells = false;
    },
  });
  return formats;
}

async function readSharedStrings(zip: ZipArchive, path: string, name: string): Promise<readonly string[]> {
  const strings: string[] = [];
  let current = '';
  let isInText = false;
  let isInReading = false;
  await readWhole(zip, path, name, {
    open: (element) => {
      if (element === 'si') current = '';
      // rPh holds how a word is pronounced, not what is written.
      if (element === 'rPh') isInReading = true;
      if (element === 't') isInText = !isInReading;
    },
    text: (text) => {
      if (isInText) current += text;
    },
    close: (element) => {
      if (element === 't') isInText = false;
      if (element === 'rPh') isInReading = false;
      if (element === 'si') strings.push(current);
    },
  });
  return strings;
}

interface SomeHandlers {
  readonly open: (element: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text?: (text: string) => void;
  readonly close?: (element: string) => void;
}

async function readWhole(zip: ZipArchive, path: string, name: string, handlers: SomeHandlers): Promise<void> {
  const nothing = () => {};
  const all = { text: nothing, close: nothing, ...handlers };
  for await (const _chunk of readXml(zip.read(path), all, `${name}, ${path}`));
}
