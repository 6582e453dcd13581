/**
 * Keeps what a person typed for a wrong cell, beside the file: for one row, or for every row with the same wrong value.
 */
import { counted } from '../../../domain/text/printable.ts';
import { timestampOf } from '../../../domain/timestamp.ts';
import { download } from '../reports/made-file.ts';
import type { Form } from '../server/form.ts';
import { type Answer, see, type Visit } from '../server/route.ts';
import type { Edit, KeptFile } from './kept-files.ts';
import { beingPlanned, lookAt, pathOf, say, withFile } from './looking.ts';
import { alikeKey, columnOf, type FoundRows, type WrongRow } from './rows.ts';

const TEXT_MAX = 500;
const EDITS_MAX = 10_000;

interface Typed {
  readonly row: number;
  readonly column: number;
  readonly text: string;
  /** As it stands in the file. */
  readonly was: string;
}

export async function mendRow(visit: Visit): Promise<Answer> {
  return withFile(visit, async (file) => {
    const form = await visit.form();
    const looked = await lookAt(file, visit);
    const rows = `${pathOf(file)}/rows`;
    if (looked.kind !== 'rows') return see(rows, 'The file is being read. Nothing was kept; try again.');
    const row = looked.checked.wrongRows.find((each) => String(each.row) === visit.part('row'));
    if (row === undefined) return see(rows, 'There is nothing to mend in this row. Nothing was kept.');
    const typed = typedIn(form, row, { file, looked });
    if (typed.length + file.edits.length > EDITS_MAX)
      return see(rows, `At most ${EDITS_MAX} cells can be corrected here. Correct the rest in the file.`);
    if (typed.length === 0) return see(`${rows}${queryOf(form)}`, 'Nothing was changed.');
    if (!say(file, visit, (now) => ({ edits: withTyped(now, typed, visit) }))) return beingPlanned(file);
    return see(`${rows}${queryOf(form)}`, `${counted(typed.length, 'cell')} kept.`);
  });
}

interface Before {
  readonly file: KeptFile;
  readonly looked: FoundRows;
}

function typedIn(form: Form, row: WrongRow, before: Before): readonly Typed[] {
  const alike = form.text('alike');
  return [...new Set(row.issues.map(columnOf))].flatMap((column) => {
    if (column === undefined || (alike !== '' && alike !== String(column))) return [];
    const [text] = form.all(`cell-${column}`);
    if (text === undefined || text.length > TEXT_MAX) return [];
    const rows = alike === '' ? [row] : sameValue(row, column, before.looked.checked.wrongRows);
    return rows.flatMap((each) => {
      const { was, now } = cellOf(each, column, before);
      return now === text ? [] : [{ row: each.row, column, text, was }];
    });
  });
}

function sameValue(row: WrongRow, column: number, all: readonly WrongRow[]): readonly WrongRow[] {
  const issue = row.issues.find((each) => columnOf(each) === column);
  const key = issue && alikeKey(row, issue);
  if (key === undefined) return [row];
  return all.filter((each) => each.issues.some((other) => alikeKey(each, other) === key));
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
  const edits = new Map(file.edits.map((edit) => [keyOf(edit), edit]));
  for (const each of typed) {
    edits.delete(keyOf(each));
    if (each.text !== each.was)
      edits.set(keyOf(each), { ...each, by: person.id, at: timestampOf(desk.now()) });
  }
  return [...edits.values()];
}

function keyOf({ row, column }: Pick<Edit, 'row' | 'column'>): string {
  return `${row}:${column}`;
}

/** Back to where the person was. */
function queryOf(form: Form): string {
  const query = new URLSearchParams();
  for (const name of ['kind', 'after'])
    if (form.text(name) !== '' && form.text(name) !== '0') query.set(name, form.text(name));
  return query.size === 0 ? '' : `?${query}`;
}

export async function undoEdit(visit: Visit): Promise<Answer> {
  return withFile(visit, async (file) => {
    const form = await visit.form();
    const key = `${form.text('row')}:${form.text('column')}`;
    const left = ({ edits }: KeptFile) => edits.filter((edit) => keyOf(edit) !== key);
    if (!say(file, visit, (now) => ({ edits: left(now) }))) return beingPlanned(file);
    return see(`${pathOf(file)}/rows`, 'The cell is as it was in the file.');
  });
}

export async function corrected(visit: Visit): Promise<Answer> {
  return withFile(visit, async (file, { payfile, signal }) =>
    download(visit, 'xlsx', async (to) => {
      await payfile.writeCorrected(file.path, to, { ...file.reading, edits: file.edits, signal });
      return `${file.name.replace(/\.\w{1,5}$/, '')}-corrected`;
    }),
  );
}
