/**
 * The tables of promises: what users rely on, one row for each thing. People edit the JSON files by hand.
 *
 * `tables/` lists words that the program knows. `prose/` lists what README and the guides promise, by heading.
 * A fate is one of:
 *   kept            the program has it
 *   changed by 30   the program has it, and issue 30 changes its effect
 *   dropped by 34   the program has it until issue 34 is done
 *   added by 29     the program has it from the end of issue 29 on
 * The last commit of an issue adds its number to DONE, and rows for new promises. A row that no text drops is kept.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export const DONE: readonly number[] = [29, 30, 31, 33, 34, 36, 37];

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

/** A promised sentence. `shown` names test files below `test/`. A title behind ` › ` names one test. */
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

/** Tables of README and of each guide, with rows by heading. */
export const proseTables = () => readTables<PromiseRow>('prose');

export const FATE = /^kept$|^changed by \d\d(, \d\d)*$|^(dropped|added) by \d\d$/;

/** Whether the program has it today. */
export function isInProgram({ fate }: Fated): boolean {
  const isDone = DONE.includes(Number(/\d+$/.exec(fate)?.[0]));
  if (fate.startsWith('dropped')) return !isDone;
  if (fate.startsWith('added')) return isDone;
  return true;
}
