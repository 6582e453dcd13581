/**
 * Saves what a person typed for wrong cells, beside the file: all that is typed on a page at once, or one value for every
 * row with the same wrong one. What cannot be saved is kept as it was typed, with the reason at its cell.
 */
import { counted } from '../../domain/text/printable.ts';
import { timestampOf } from '../../domain/timestamp.ts';
import { writeCorrected } from '../../operations/file.ts';
import { download } from '../reports/made-file.ts';
import type { Form } from '../server/form.ts';
import { type Answer, see, seeWhyNot, type Visit } from '../server/route.ts';
import { cellKey, type Draft, type Edit, type KeptFile } from './kept-files.ts';
import { lookAt, pathOf, say, withFile } from './looking.ts';
import { alikeKey, columnOf, columnsOf, type FoundRows, markOf, TEXT_MAX, type WrongRow } from './rows.ts';

const EDITS_MAX = 10_000;

/** A cell, and what was typed there. */
type Cell = Pick<Edit, 'row' | 'column' | 'text'>;

interface Typed extends Cell {
  /** As it stands in the file. */
  readonly was: string;
}

const WHY = {
  reading: 'Not saved: the file was being read. Save it again.',
  planning: 'Not saved: the file was being planned, and this is not in the plan.',
  tooLong: `Not saved: it is longer than ${TEXT_MAX} characters.`,
  tooMany: `Not saved: at most ${EDITS_MAX} cells can be corrected here. Correct the rest in the file.`,
} as const;

export async function mendRows(visit: Visit): Promise<Answer> {
  return withFile(visit, async (file, { desk }) => {
    const form = await visit.form();
    const back = `${pathOf(file)}/rows${queryOf(form)}`;
    const looked = await lookAt(file, visit);
    const cells = typedCells(form);
    if (form.text('check') !== '') desk.files.forgetFound(file.id);
    const keep = (drafts: readonly Cell[], why: string) => {
      if (drafts.length > 0) desk.files.change(file.id, (now) => ({ drafts: withDrafts(now, drafts, why) }));
    };
    const undone = form.text('undo');
    const isOpen = looked.kind === 'rows';
    if (!isOpen) keep(cells, WHY.reading);
    const long = cells.filter(({ text }) => text.length > TEXT_MAX);
    keep(isOpen ? long : [], WHY.tooLong);
    const short = cells.filter(({ text }) => text.length <= TEXT_MAX);
    const all = isOpen ? typedIn(short, alikeIn(form), { file, looked }) : [];
    const isTooMany = all.length + file.edits.length > EDITS_MAX;
    if (isTooMany) keep(short, WHY.tooMany);
    const typed = isTooMany ? [] : all;
    if (typed.length > 0 || undone !== '') {
      const next = (now: KeptFile) => ({
        edits: withTyped(now, typed, visit).filter((edit) => cellKey(edit) !== undone),
        drafts: withoutDrafts(now, typed),
      });
      if (!say(file, visit, next)) {
        keep(short, WHY.planning);
        return seeWhyNot(pathOf(file), 'It is being planned just now. Nothing of this was kept.');
      }
    }
    const left = cells.length === 0 || (isOpen && !isTooMany) ? long.length : cells.length;
    return see(back, saidOf({ saved: typed.length, left, isUndone: undone !== '' }));
  });
}

interface Came {
  readonly saved: number;
  readonly left: number;
  readonly isUndone: boolean;
}

function saidOf({ saved, left, isUndone }: Came): string {
  const said = [
    saved > 0 ? `${counted(saved, 'cell')} saved.` : '',
    left > 0 ? `${counted(left, 'cell')} not saved: see why below.` : '',
    isUndone ? 'The cell is as it was in the file.' : '',
  ].filter((text) => text !== '');
  return said.length === 0 ? 'Nothing was changed.' : said.join(' ');
}

/** The cells in which something else was typed than the page showed. */
function typedCells(form: Form): readonly Cell[] {
  const shown = new Map(
    form
      .text('shown')
      .split(' ')
      .map((each) => [each.slice(0, each.lastIndexOf('-')), each.slice(each.lastIndexOf('-') + 1)]),
  );
  return form.names.flatMap((name) => {
    const cell = cellNamed(name, form);
    if (cell === undefined || shown.get(`${cell.row}-${cell.column}`) === markOf(cell.text)) return [];
    return [cell];
  });
}

function cellNamed(name: string, form: Form): Cell | undefined {
  const [, row, column] = /^cell-(\d{1,7})-(\d{1,3})$/.exec(name) ?? [];
  const [text] = form.all(name);
  return row === undefined || text === undefined
    ? undefined
    : { row: Number(row), column: Number(column), text };
}

/** Of which the button was pressed. */
function alikeIn(form: Form): Cell | undefined {
  const cell = cellNamed(`cell-${form.text('alike')}`, form);
  return cell === undefined || cell.text.length > TEXT_MAX ? undefined : cell;
}

interface Before {
  readonly file: KeptFile;
  readonly looked: FoundRows;
}

/** `source`: the cell of which the text is put into all rows with the same wrong value, but for those with a text of their own. */
function typedIn(cells: readonly Cell[], source: Cell | undefined, before: Before): readonly Typed[] {
  const rows = before.looked.checked.wrongRows;
  const byRow = new Map(rows.map((each) => [each.row, each]));
  const found = new Map<string, Typed>();
  const take = (row: WrongRow | undefined, { column, text }: Cell) => {
    if (row === undefined || !columnsOf(row).includes(column)) return;
    const cell = { row: row.row, column };
    const { was, now } = cellOf(row, column, before);
    if (now !== text) found.set(cellKey(cell), { ...cell, text, was });
  };
  const first = byRow.get(source?.row ?? 0);
  if (source !== undefined && first !== undefined)
    for (const row of sameValue(first, source.column, rows)) take(row, source);
  for (const cell of cells) take(byRow.get(cell.row), cell);
  return [...found.values()];
}

function sameValue(row: WrongRow, column: number, all: readonly WrongRow[]): readonly WrongRow[] {
  const issue = row.issues.find((each) => columnOf(each) === column);
  const key = issue && alikeKey(row, issue);
  if (key === undefined) return [row];
  return all.filter((each) => each.issues.some((other) => alikeKey(each, other) === key));
}

function withDrafts({ drafts }: KeptFile, cells: readonly Cell[], why: string): KeptFile['drafts'] {
  return new Map<string, Draft>([
    ...drafts,
    ...cells.map((cell) => [cellKey(cell), { text: cell.text, why }] as const),
  ]);
}

function withoutDrafts({ drafts }: KeptFile, cells: readonly Typed[]): KeptFile['drafts'] {
  const saved = new Set(cells.map(cellKey));
  return new Map([...drafts].filter(([key]) => !saved.has(key)));
}

/** As it stands in the file, and with its correction. A large file may have been checked with other corrections. */
function cellOf({ row, cells }: WrongRow, column: number, { file, looked }: Before) {
  const isIt = (edit: Edit) => edit.row === row && edit.column === column;
  const edit = file.edits.find(isIt);
  const was = (edit ?? looked.edits.find(isIt))?.was ?? cells[column] ?? '';
  return { was, now: edit?.text ?? was };
}

/** One correction for each cell; what is put back as it was is none. */
function withTyped(file: KeptFile, typed: readonly Typed[], { desk, person }: Visit): readonly Edit[] {
  const edits = new Map(file.edits.map((edit) => [cellKey(edit), edit]));
  for (const each of typed) {
    edits.delete(cellKey(each));
    if (each.text !== each.was)
      edits.set(cellKey(each), { ...each, by: person.id, at: timestampOf(desk.now()) });
  }
  return [...edits.values()];
}

/** Back to where the person was. */
function queryOf(form: Form): string {
  const query = new URLSearchParams();
  for (const name of ['kind', 'after'])
    if (form.text(name) !== '' && form.text(name) !== '0') query.set(name, form.text(name));
  return query.size === 0 ? '' : `?${query}`;
}

export async function corrected(visit: Visit): Promise<Answer> {
  return withFile(visit, async (file, { payfile, signal }) =>
    download(visit, 'xlsx', async (to) => {
      const asked = { ...file.reading, file: file.path, edits: file.edits, output: to };
      await payfile.call(writeCorrected, asked, { signal });
      return `${file.name.replace(/\.\w{1,5}$/, '')}-corrected`;
    }),
  );
}
