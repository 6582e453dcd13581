/**
 * Routes: the few hundred ways that a ledger's payments take (source, destination, institution, currency), each written
 * once. All of them are read at once and kept; a route never changes.
 */
import type { Instruction } from '../domain/payouts/instruction.ts';
import type { Commit } from './chain.ts';
import { nextIds } from './schema.ts';
import { columns, numberOf, q, type Row, type Sql, type Table } from './sql.ts';

const NAMES = [
  ...(['sourceId', 'sourceName', 'destinationId', 'iso', 'destinationName'] as const),
  ...(['institutionId', 'institutionName', 'currency'] as const),
];
type Name = (typeof NAMES)[number];
export type Route = Readonly<Record<Name, string>>;

const columnOf = (name: Name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const COLUMNS = NAMES.map(columnOf);
const TABLE: Table = {
  name: 'routes',
  columns: columns(['id', ...COLUMNS.map((column) => `${column}:text`)].join(' ')),
};

export class Routes {
  readonly #byId = new Map<number, Route>();
  readonly #idByKey = new Map<string, number>();
  /** Of each institution, the instruction that was seen last: most rows go the same few ways. */
  readonly #last = new Map<string, { readonly instruction: Instruction; readonly id: number }>();

  /** So that `byId` knows the routes of these rows. */
  async load(sql: Sql, rows: readonly Row[]): Promise<void> {
    const isKnown = ({ route }: Row) =>
      route === null || route === undefined || this.#byId.has(Number(route));
    if (!rows.every(isKnown)) await this.#loadAll(sql);
  }

  byId(id: number): Route {
    const route = this.#byId.get(id);
    if (route === undefined) throw new RangeError(`The ledger has no route ${id}`);
    return route;
  }

  /** Without asking the database. */
  known(instruction: Instruction): number | undefined {
    const last = this.#last.get(instruction.institutionId);
    if (last !== undefined && NAMES.every((name) => said(last.instruction, name) === said(instruction, name)))
      return last.id;
    const id = this.#idByKey.get(keyOf(routeOf(instruction)));
    if (id !== undefined) this.#last.set(instruction.institutionId, { instruction, id });
    return id;
  }

  /** By whichever `sql`; undefined: the ledger has no such route. */
  async find(sql: Sql, instruction: Instruction): Promise<number | undefined> {
    const known = this.known(instruction);
    if (known !== undefined) return known;
    await this.#loadAll(sql);
    return this.known(instruction);
  }

  /** Inside a commit; a route that is new goes into the journal of the batch. */
  async idIn(
    commit: Commit,
    instruction: Instruction,
    { batch, at }: { batch: number; at: number },
  ): Promise<number> {
    const known = await this.find(commit.sql, instruction);
    if (known !== undefined) return known;
    const route = routeOf(instruction);
    const id = await nextIds(commit.sql, 'routes', 1);
    await commit.sql.add(TABLE, [[id, ...NAMES.map((name) => route[name])]]);
    const body = JSON.stringify({ v: 1, id, ...route });
    commit.add({ batch, payout: null, at, kind: 'route', body });
    this.#byId.set(id, route);
    this.#idByKey.set(keyOf(route), id);
    return id;
  }

  async #loadAll(sql: Sql): Promise<void> {
    for (const row of await sql.all(q`SELECT * FROM routes`)) {
      const route = routeOfRow(row);
      this.#byId.set(numberOf(row['id']), route);
      this.#idByKey.set(keyOf(route), numberOf(row['id']));
    }
  }

  /** After a commit, or a part of it, that came to nothing: what was written in it is not there. */
  forget(): void {
    this.#byId.clear();
    this.#idByKey.clear();
    this.#last.clear();
  }
}

const routeWith = (textOf: (name: Name) => string) =>
  Object.fromEntries(NAMES.map((name) => [name, textOf(name)])) as Route;
export const routeOfRow = (row: Row) => routeWith((name) => String(row[columnOf(name)]));
const routeOf = (instruction: Instruction) => routeWith((name) => said(instruction, name));
const keyOf = (route: Route) => JSON.stringify(Object.values(route));

function said(instruction: Instruction, name: Name): string {
  if (name === 'iso') return instruction.destinationIso;
  return name === 'currency' ? instruction.amount.currency : instruction[name];
}
