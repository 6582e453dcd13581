/**
 * An open database as the ledger uses it: prepared statements that answer at once. node:sqlite is one as it is;
 * adapters/ledger/postgres/ makes one of a server.
 *
 * Units:   whole numbers come back as bigint, bytes as Uint8Array.
 */

export type SqlValue = null | number | bigint | string | NodeJS.ArrayBufferView;
export type StoredValue = null | number | bigint | string | Uint8Array;
export type StoredRow = Record<string, StoredValue>;

export interface Statement {
  get(...values: SqlValue[]): StoredRow | undefined;
  all(...values: SqlValue[]): StoredRow[];
  run(...values: SqlValue[]): { readonly changes: number | bigint };
  iterate(...values: SqlValue[]): Iterable<StoredRow>;
  /** Rows as arrays from now on, which are lighter. */
  setReturnArrays(isOn: boolean): void;
}

export interface Database {
  prepare(text: string): Statement;
  /** Statements without values; `BEGIN IMMEDIATE` keeps every other writer away until the commit. */
  exec(text: string): void;
  /** Adds rows to a table, all in one go; undefined: nothing is faster than INSERT. Inside a commit. */
  addRows?(table: string, columns: readonly string[], rows: Iterable<readonly SqlValue[]>): void;
  readonly isTransaction: boolean;
  /** The server broke off, or is gone. */
  readonly isLost?: boolean;
  /** It has no file of its own. */
  readonly isServer?: true;
  /** Reads when no write of others is under way that began before; undefined: they never are. */
  settled?<T>(read: () => T): T;
  close(): void;
}
