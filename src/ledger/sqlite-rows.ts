/** How SQLite takes rows that are added, as many a statement as pay for it, and how it gives them. */
import type { Row, Table, Value } from './sql.ts';

/** Rows a statement where there are very many, of a file that is staged: else there would be too many statements. */
const [TOGETHER, MANY] = [50, 100];

type Run = (text: string, values: readonly Value[]) => void;
type Rows = readonly (readonly Value[])[];

export function addRows(run: Run, table: Table, rows: Rows): void {
  let at = rows.length < MANY ? 0 : addMany(run, table, rows);
  if (at === rows.length) return;
  const single = textFor(table, [], 1);
  for (; at < rows.length; at += 1) run(single, rows[at] ?? []);
}

/** How many of the rows were added. */
function addMany(run: Run, table: Table, rows: Rows): number {
  const kinds = Object.keys(table.columns).map((_, column) => kindOf(rows, column));
  const placesOf = (kind: Kind) => kinds.flatMap((each, column) => (each === kind ? column : []));
  const [numbered, own] = [[...placesOf('shared'), ...placesOf('counted')], placesOf('own')];
  const text = textFor(table, kinds, TOGETHER);
  // One list for all statements, filled by index: a new list grows each time, and iterators make an object a value.
  const values: Value[] = [];
  let at = 0;
  for (; at + TOGETHER <= rows.length; at += TOGETHER) {
    let count = 0;
    for (const column of numbered) values[count++] = rows[at]?.[column] ?? null;
    for (let place = at; place < at + TOGETHER; place += 1) {
      const row = rows[place] ?? [];
      for (let each = 0; each < own.length; each += 1) values[count++] = row[own[each] ?? 0] ?? null;
    }
    run(text, values);
  }
  return at;
}

/** Of the values of a column: none has one, all are the same, they count up from row to row, or each is its own. */
type Kind = 'empty' | 'shared' | 'counted' | 'own';

function kindOf(rows: Rows, column: number): Kind {
  const first = rows[0]?.[column] ?? null;
  let isShared = true;
  let counts = typeof first === 'number';
  for (let at = 1; at < rows.length && (isShared || counts); at += 1) {
    const value = rows[at]?.[column];
    isShared &&= value === first;
    counts &&= value === (first as number) + at;
  }
  if (isShared) return first === null ? 'empty' : 'shared';
  return counts ? 'counted' : 'own';
}

/** By table, kinds of its columns and number of rows: a handful, each made once. */
const texts = new WeakMap<Table, Map<string, string>>();

/**
 * Binding a value costs the most. What is shared or counted is bound once, and what is empty is left out. Both come first, for
 * only they need numbers, which SQLite looks through whenever a value is bound. Without `kinds` each value is its own.
 */
function textFor(table: Table, kinds: readonly Kind[], count: number): string {
  const known = texts.get(table) ?? new Map<string, string>();
  texts.set(table, known);
  const key = `${count} ${kinds.join()}`;
  let text = known.get(key);
  if (text === undefined) {
    const named = Object.keys(table.columns).map((name, at) => ({ name, kind: kinds[at] ?? 'own' }));
    const columns = (['shared', 'counted', 'own'] as const).flatMap((wanted) =>
      named.filter(({ kind }) => kind === wanted),
    );
    const word = (kind: Kind, at: number, place: number) => {
      if (kind === 'own') return '?';
      return kind === 'shared' ? `?${at + 1}` : `?${at + 1}+${place}`;
    };
    const rows = Array.from(
      { length: count },
      (_, place) => `(${columns.map(({ kind }, at) => word(kind, at, place)).join()})`,
    );
    text = `INSERT INTO ${table.name}(${columns.map(({ name }) => name).join()}) VALUES ${rows.join()}`;
    known.set(key, text);
  }
  return text;
}

/** A copy of an empty row that is filled: V8 makes a slow object where more than 17 keys are added, and a fast one of JSON. */
export function rowsOf(names: readonly string[]): (values: readonly Value[]) => Row {
  const empty = JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:null`).join()}}`) as Row;
  return (values) => {
    const row: Record<string, Value> = { ...empty };
    for (let at = 0; at < names.length; at += 1) row[names[at] as string] = values[at] as Value;
    return row;
  };
}
