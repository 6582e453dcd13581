/**
 * How the ledger speaks with a database: questions that answer by promise, and statements written once for SQLite and
 * PostgreSQL. Where the two differ, the difference is a fragment with a name, defined below and nowhere else.
 *
 * Units:   whole numbers come back as bigint, bytes as Uint8Array.
 * Errors:  LedgerError where the storage is at fault; Refused where a unique index defends a payment.
 */
import { LedgerError } from '../ports/ledger/errors.ts';

export type Value = null | number | bigint | string | Uint8Array;
export type Row = Readonly<Record<string, Value>>;
export type Dialect = 'sqlite' | 'pg';

export interface Sql {
  readonly dialect: Dialect;
  get(query: Query): Promise<Row | undefined>;
  all(query: Query): Promise<readonly Row[]>;
  /** Rows changed. */
  run(query: Query): Promise<number>;
  /** Adds rows, each with its values in the order of the columns, by the fastest way there is. Inside a commit only. */
  add(table: Table, rows: readonly (readonly Value[])[]): Promise<void>;
  /** Rows of one moment, a block at a time; a block may be kept as long as somebody thinks about it. Outside a commit. */
  each(query: Query): AsyncIterable<readonly Row[]>;
}

/** A connection that writes, and others that read. Only the writer (writer.ts) calls the methods between `begin` and `rollback`. */
export interface Database {
  /** What was committed. Each question is of a moment of its own. */
  readonly read: Sql;
  /**
   * One statement by a connection of its own, which no other question keeps waiting: a sign of life. undefined: nothing can hang.
   */
  readonly pulse?: Sql['run'];
  /** All that `work` asks is of one moment, on a connection of its own. */
  still<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Of a moment when no commit is under way that began earlier: entries of the journal come in the order of their numbers. */
  settled<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /**
   * `alone` keeps every other writer away until the commit; `beside` those alone that work alone. In a file every writer
   * is alone. Errors: Busy, when the turn was not to be had.
   */
  begin(how: How): Promise<Begun>;
  savepoint(word: keyof typeof SAVEPOINT): Promise<void>;
  /** One statement that a unique index may refuse. Refused: nothing of it was done, and the commit goes on. */
  guarded<T>(statement: () => Promise<T>): Promise<T | Refused>;
  /** Durable when it resolves. `isUnknown` of the error: nobody can say whether it happened. */
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Writes tables anew, so that no text that was erased is left in their files. False: a reader keeps the log of before. */
  scrub(): Promise<boolean>;
  /** Whether what is written now would still be there for others: not where the file was taken away. Errors: LedgerError. */
  requireInPlace(): void;
  /** Of the chains that this process extends beside others; 0: nobody writes beside it. */
  readonly shard: number;
  /** Whether the connection that writes is there no more; it does not come back. */
  readonly isLost: boolean;
  close(): Promise<void>;
}

/** What `savepoint` says to a database. */
export const SAVEPOINT = {
  set: 'SAVEPOINT part',
  keep: 'RELEASE part',
  undo: 'ROLLBACK TO part; RELEASE part',
} as const;

export type How = 'alone' | 'beside';

export interface Begun {
  readonly sql: Sql;
  /** Of this commit. On a server drawn, so that commits lie side by side. */
  readonly number: number;
}

/** Which unique index defended a payment. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly index: string;
  constructor(index: string, cause: unknown) {
    super(`the index ${index} refused it`, { cause });
    this.index = index;
  }
}

/** For `catch`: anything else goes on. */
export function refusedOnly(error: unknown): Refused {
  if (error instanceof Refused) return error;
  throw error;
}

/** Somebody else writes; to be tried again soon. */
export class Busy extends LedgerError {
  constructor(message: string, cause: unknown) {
    super('ledger_busy', message, { cause });
  }
}

/** A failure of the storage: the whole commit is lost, and not one statement. */
export class StorageError extends LedgerError {
  /** Nothing may be written any more: the disk failed, or the connection is gone. */
  readonly isFinal: boolean;
  /** Whether its commit happened is not known. */
  readonly isUnknown: boolean;
  constructor(
    code: LedgerError['code'],
    message: string,
    { isFinal = false, isUnknown = false, ...options }: StorageOptions = {},
  ) {
    super(code, message, options);
    this.isFinal = isFinal;
    this.isUnknown = isUnknown;
  }
}

interface StorageOptions {
  readonly isFinal?: boolean;
  readonly isUnknown?: boolean;
  readonly cause?: unknown;
  readonly guide?: 'server';
}

/** Columns with their kinds, in the order of their values. */
export interface Table {
  readonly name: string;
  readonly columns: Readonly<Record<string, Kind>>;
}
export type Kind = 'bigint' | 'text' | 'bytea';

/** `id name:text key:bytea`: whole numbers where nothing is said. */
export function columns(words: string): Table['columns'] {
  return Object.fromEntries(
    words
      .trim()
      .split(/\s+/)
      .map((word) => {
        const [name = '', kind = 'bigint'] = word.split(':');
        return [name, kind as Kind];
      }),
  );
}

/** A text with its values; `\0` stands where a value goes. */
interface Rendered {
  readonly text: string;
  readonly values: readonly unknown[];
}
export type Fragment = (dialect: Dialect) => Rendered;
type Part = Value | Query | Fragment;

/** A text of which each piece is added once: statements that begin alike share it, and are found again by their pieces. */
class Wording {
  readonly text: string;
  readonly #dialect: Dialect;
  readonly #values: number;
  readonly #next = new Map<string, Wording>();

  constructor(dialect: Dialect, text = '', values = 0) {
    this.#dialect = dialect;
    this.text = text;
    this.#values = values;
  }

  /** `\0` in the piece is the place of a value. */
  followedBy(piece: string): Wording {
    let next = this.#next.get(piece);
    if (next === undefined) {
      let values = this.#values;
      const placed = piece.replaceAll('\0', () => {
        values++;
        return this.#dialect === 'pg' ? `$${values}` : '?';
      });
      next = new Wording(this.#dialect, this.text + placed, values);
      this.#next.set(piece, next);
    }
    return next;
  }
}
const beginnings = { sqlite: new Wording('sqlite'), pg: new Wording('pg') };

export class Query {
  readonly #strings: readonly string[];
  readonly #parts: readonly Part[];

  constructor(strings: readonly string[], parts: readonly Part[]) {
    this.#strings = strings;
    this.#parts = parts;
  }

  render(dialect: Dialect): Rendered {
    const values: unknown[] = [];
    const { text } = this.#after(beginnings[dialect], dialect, values);
    return { text, values };
  }

  #after(beginning: Wording, dialect: Dialect, values: unknown[]): Wording {
    let wording = beginning;
    for (let at = 0; at < this.#strings.length; at++) {
      const string = this.#strings[at] ?? '';
      if (string !== '') wording = wording.followedBy(string);
      if (at >= this.#parts.length) break;
      const part = this.#parts[at];
      if (part instanceof Query) wording = part.#after(wording, dialect, values);
      else if (typeof part === 'function') {
        const made = part(dialect);
        wording = wording.followedBy(made.text);
        for (const value of made.values) values.push(value);
      } else {
        wording = wording.followedBy('\0');
        values.push(part);
      }
    }
    return wording;
  }
}

/** q`SELECT … WHERE id = ${id}`: values travel beside the text, fragments become part of it. */
export const q = (strings: TemplateStringsArray, ...parts: readonly Part[]) => new Query(strings, parts);

/** Words that stand in several statements. Never a value. */
export const text = (words: string) => new Query([words], []);

/** For a list of conditions, `joiner` between each. */
export function joined(queries: readonly Query[], joiner: string): Query {
  const strings = queries.map((_, at) => (at === 0 ? '' : joiner));
  return new Query([...strings, ''], queries);
}

const differs = (sqlite: string, pg: string): Fragment => {
  const rendered = { sqlite: { text: sqlite, values: [] }, pg: { text: pg, values: [] } };
  return (dialect) => rendered[dialect];
};

/** A NUL anywhere in a document would keep PostgreSQL from reading any part of it. */
const readable = (column: string) => `replace(${column}, '\\u0000', '\\ufffd')::json`;

/** A part of a stored JSON text, as text; NULL where there is none. */
export const jsonText = (column: string, ...path: string[]) =>
  differs(
    `CAST(json_extract(${column}, '$.${path.join('.')}') AS text)`,
    `(${readable(column)} #>> '{${path.join(',')}}')`,
  );

/** FROM ${jsonList('state', 'r', 'reasons')}: the members of a list in a stored JSON text, each as JSON in `r.value`. */
export const jsonList = (column: string, name: string, ...path: string[]) =>
  differs(
    `json_each(${column}, '$.${path.join('.')}') AS ${name}`,
    `json_array_elements_text(${readable(column)} #> '{${path.join(',')}}') AS ${name}(value)`,
  );

/** Keeps SQLite to one index: its planner would read more. PostgreSQL has no such hint. */
export const by = (index: string) => differs(`INDEXED BY ${index}`, '');

/** FROM a ${thenJoin} b ON …: SQLite reads `a` first, whatever it guesses. */
export const thenJoin = differs('CROSS JOIN', 'JOIN');

/** The number of the next commit; on a server drawn, so that commits lie side by side. */
export const nextCommit = differs(
  '(SELECT coalesce(max(seq), 0) + 1 FROM commits)',
  "nextval('commit_numbers')",
);

/** What a file finds wrong with its own pages and references, in words; a server keeps its own. */
export const damageOfPages = differs(
  `SELECT integrity_check AS said FROM pragma_integrity_check WHERE integrity_check <> 'ok'
   UNION ALL SELECT 'a row of ' || "table" || ' points to nothing' FROM pragma_foreign_key_check`,
  'SELECT 1 AS said WHERE false',
);

/** Commits whose number nobody has. A server counts those that came to nothing, too. */
export const missingCommits = differs(
  'SELECT seq - 1 AS seq FROM commits c WHERE seq > 1 AND NOT EXISTS (SELECT 1 FROM commits b WHERE b.seq = c.seq - 1) LIMIT 100',
  'SELECT 1 AS seq WHERE false',
);

/** x ${like} y: letters of either case are the same. */
export const like = differs('LIKE', 'ILIKE');

/**
 * Rows that are given, as a table: FROM ${given('m', columns('payout status:text'), rows)}. Cut long lists (`inGroups`), so that
 * there are few texts.
 */
export function given(name: string, of: Table['columns'], rows: readonly (readonly Value[])[]): Fragment {
  return (dialect) => {
    const text = givenText(dialect, name, of, rows.length);
    if (dialect === 'sqlite') return { text, values: rows.flat() };
    return { text, values: Object.keys(of).map((_, at) => rows.map((row) => row[at])) };
  };
}

/** By their columns and their number: a handful, each made once. */
const givenTexts = new WeakMap<object, Map<string, string>>();

function givenText(dialect: Dialect, name: string, of: Table['columns'], count: number): string {
  const known = givenTexts.get(of) ?? new Map<string, string>();
  givenTexts.set(of, known);
  const key = `${dialect} ${name} ${dialect === 'pg' ? '' : count}`;
  let text = known.get(key);
  if (text === undefined) {
    text = dialect === 'pg' ? givenArrays(name, of) : givenValues(name, of, count);
    known.set(key, text);
  }
  return text;
}

/** Bound one by one: SQLite would read a JSON text anew for each column (measured: 18 µs a row against 6). */
function givenValues(name: string, of: Table['columns'], count: number): string {
  const names = Object.keys(of);
  const row = `(${names.map(() => '\0').join(',')})`;
  const picks = names.map((column, at) => `column${at + 1} AS ${column}`).join(', ');
  return `(SELECT ${picks} FROM (VALUES ${Array(count).fill(row).join(',')})) AS ${name}`;
}

function givenArrays(name: string, of: Table['columns']): string {
  const arrays = Object.values(of).map((kind) => `\0::${kind}[]`);
  return `unnest(${arrays.join(', ')}) AS ${name}(${Object.keys(of).join(', ')})`;
}

/** Whether this user may delete rows of the table: nobody asks for that right of whoever opens a file. */
export const mayDelete =
  (table: string): Fragment =>
  (dialect) =>
    dialect === 'pg'
      ? { text: "CAST(has_table_privilege(\0::text, 'DELETE') AS int)", values: [table] }
      : { text: '1', values: [] };

/** WHERE id IN ${ids(list)}. */
export const ids =
  (list: readonly (number | bigint | string)[]): Fragment =>
  (dialect) =>
    dialect === 'pg'
      ? { text: '(SELECT unnest(\0::bigint[]))', values: [list.map(String)] }
      : { text: '(SELECT value FROM json_each(\0))', values: [`[${list.join(',')}]`] };

/** Groups of 64, 16, 4 and 1: each statement that is given rows has four texts, and not one for each count. */
export function inGroups<T>(list: readonly T[]): readonly (readonly T[])[] {
  const groups: T[][] = [];
  for (let at = 0; at < list.length; ) {
    const size = GROUPS.find((each) => each <= list.length - at) ?? 1;
    groups.push(list.slice(at, at + size));
    at += size;
  }
  return groups;
}
const GROUPS = [64, 16, 4, 1];

/** A stored whole number that is a count, an id or an instant: well inside what a number holds exactly. */
export function numberOf(value: unknown): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`Not a whole number: ${String(value)}`);
  return number;
}

export const optionalNumber = (value: unknown) =>
  value === null || value === undefined ? undefined : numberOf(value);
