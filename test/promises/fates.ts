/**
 * The tables of promises: what users rely on, one row for each thing. People edit the JSON files by hand.
 *
 * `tables/` lists words that the program knows. `prose/` lists what README and the guides promise, by heading.
 * A fate is one of:
 *   kept            it stands
 *   changed by 30   it stands, and issue 30 changes what it does
 *   dropped by 34   it stands until issue 34 is done, and is gone then
 *   added by 29     it is not there until issue 29 is done, and stands then
 * An issue adds its number to DONE in its last commit, and rows for what is new. A row that no text drops is kept.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export const DONE: readonly number[] = [29];

interface Fated {
  readonly fate: string;
}

/** A word that the program knows. `on` names the commands of a flag. */
export interface WordRow extends Fated {
  readonly word: string;
  readonly on?: string;
  readonly default?: unknown;
  readonly variable?: string;
  readonly flag?: string;
}

/** A promised sentence. `shown` names test files below `test/`, each with a test's title behind ` › ` if one shows it. */
export interface PromiseRow extends Fated {
  readonly promise: string;
  readonly shown?: string;
}

type Table<Row> = Readonly<Record<string, readonly Row[]>>;

function readTables<Row>(folder: 'tables' | 'prose'): ReadonlyMap<string, Table<Row>> {
  const paths = globSync(join(import.meta.dirname, folder, '*.json')).sort();
  return new Map(
    paths.map((path) => [basename(path, '.json'), JSON.parse(readFileSync(path, 'utf8')) as Table<Row>]),
  );
}

/** Rows by kind: `flags`, `settings`, `states` … */
export function wordTables(): Table<WordRow> {
  return Object.assign({}, ...readTables<WordRow>('tables').values());
}

/** Tables of README and of each guide, with rows by the heading that they stand under. */
export const proseTables = () => readTables<PromiseRow>('prose');

export const FATE = /^kept$|^changed by \d\d(, \d\d)*$|^(dropped|added) by \d\d$/;

/** Whether the program has it today. */
export function stands({ fate }: Fated): boolean {
  const isDone = DONE.includes(Number(/\d+$/.exec(fate)?.[0]));
  if (fate.startsWith('dropped')) return !isDone;
  if (fate.startsWith('added')) return isDone;
  return true;
}
