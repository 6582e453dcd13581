/** How SQLite takes rows that are added: as many a statement as pay for it. */
import type { Row, Table, Value } from './sql.ts';

/** Rows a statement where there are very many, of a file that is staged: else there would be too many statements. */
const [TOGETHER, MANY] = [20, 100];

/**
 * What very many rows share is bound once a statement: binding costs the most. It comes first, for only it needs numbers,
 * which SQLite looks through whenever a value is bound.
 */
export function addRows(
  run: (text: string, values: readonly Value[]) => void,
  table: Table,
  rows: readonly Row[],
): void {
  const size = rows.length < MANY ? 1 : TOGETHER;
  const names = Object.keys(table.columns);
  const shared = names.filter((name) => size > 1 && rows.every((row) => row[name] === rows[0]?.[name]));
  const own = names.filter((name) => !shared.includes(name));
  const row = `(${[...shared.map((_, at) => `?${at + 1}`), ...own.map(() => '?')].join()})`;
  const into = `INSERT INTO ${table.name}(${[...shared, ...own].join()})`;
  const text = `${into} VALUES ${Array(size).fill(row).join()}`;
  let at = 0;
  for (; at + size <= rows.length; at += size) {
    const values: Value[] = shared.map((name) => rows[0]?.[name] ?? null);
    for (const each of rows.slice(at, at + size)) for (const name of own) values.push(each[name] ?? null);
    run(text, values);
  }
  if (at < rows.length) addRows(run, table, rows.slice(at));
}
