/** How SQLite takes rows that are added: as many a statement as pay for it. */
import type { Row, Table, Value } from './sql.ts';

/** Rows a statement where there are very many, of a file that is staged: else there would be too many statements. */
const [TOGETHER, MANY] = [50, 100];

type Run = (text: string, values: readonly Value[]) => void;

export function addRows(run: Run, table: Table, rows: readonly Row[]): void {
  let at = 0;
  if (rows.length >= MANY) at = addMany(run, table, rows);
  const names = Object.keys(table.columns);
  for (; at < rows.length; at += 1)
    run(
      singleText(table, names),
      names.map((name) => rows[at]?.[name] ?? null),
    );
}

const singleTexts = new WeakMap<Table, string>();

function singleText(table: Table, names: readonly string[]): string {
  let text = singleTexts.get(table);
  if (text === undefined) {
    text = `INSERT INTO ${table.name}(${names.join()}) VALUES (${names.map(() => '?').join()})`;
    singleTexts.set(table, text);
  }
  return text;
}

/**
 * Binding a value costs the most. What all rows share is bound once a statement, and what counts up from row to row as well;
 * what none of them has is left out. These come first, for only they need numbers, which SQLite looks through whenever a
 * value is bound. How many of the rows were added.
 */
function addMany(run: Run, table: Table, rows: readonly Row[]): number {
  const columns = Object.keys(table.columns).map((name) => columnOf(name, rows));
  const of = (kind: Column['kind']) => columns.filter((column) => column.kind === kind);
  const [numbered, own] = [[...of('shared'), ...of('counted')], of('own')];
  const words = (place: number) => [
    ...numbered.map(({ kind }, at) => (kind === 'shared' ? `?${at + 1}` : `?${at + 1}+${place}`)),
    ...own.map(() => '?'),
  ];
  const places = Array.from({ length: TOGETHER }, (_, place) => `(${words(place).join()})`);
  const names = [...numbered, ...own].map(({ name }) => name);
  const text = `INSERT INTO ${table.name}(${names.join()}) VALUES ${places.join()}`;
  // One list for all statements, filled by index: a new list grows each time, and iterators make an object a value.
  const values: Value[] = [];
  let at = 0;
  for (; at + TOGETHER <= rows.length; at += TOGETHER) {
    let count = 0;
    for (const column of numbered) values[count++] = column.values[at] ?? null;
    for (let place = at; place < at + TOGETHER; place += 1)
      for (let each = 0; each < own.length; each += 1) values[count++] = own[each]?.values[place] ?? null;
    run(text, values);
  }
  return at;
}

interface Column {
  readonly name: string;
  readonly values: readonly Value[];
  readonly kind: 'empty' | 'shared' | 'counted' | 'own';
}

function columnOf(name: string, rows: readonly Row[]): Column {
  const values = rows.map((row) => row[name] ?? null);
  return { name, values, kind: kindOf(values) };
}

function kindOf(values: readonly Value[]): Column['kind'] {
  const [first = null] = values;
  if (values.every((value) => value === first)) return first === null ? 'empty' : 'shared';
  const counts = typeof first === 'number' && values.every((value, at) => value === first + at);
  return counts ? 'counted' : 'own';
}
