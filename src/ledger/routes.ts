/**
 * Routes: the few hundred ways that a ledger's payments take (source, destination, institution, currency), each written
 * once. All of them are read at once and kept; a route never changes.
 */
import type { Instruction } from '../domain/payouts/instruction.ts';
import type { Commit } from './chain.ts';
import { nextIds } from './schema.ts';
import { columns, numberOf, q, type Row, type Sql, type Table, text } from './sql.ts';

export interface Route {
  readonly sourceId: string;
  readonly sourceName: string;
  readonly destinationId: string;
  readonly iso: string;
  readonly destinationName: string;
  readonly institutionId: string;
  readonly institutionName: string;
  readonly currency: string;
}

const COLUMNS = text(
  'source_id, source_name, destination_id, iso, destination_name, institution_id, institution_name, currency',
);

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
    if (last !== undefined && isSameRoute(last.instruction, instruction)) return last.id;
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
    const values = [id, ...Object.values(route)];
    const named = Object.keys(TABLE.columns).map((column, place) => [column, values[place]] as const);
    await commit.sql.add(TABLE, [Object.fromEntries(named)]);
    const body = JSON.stringify({ v: 1, id, ...route });
    commit.add({ batch, payout: null, at, kind: 'route', body });
    this.#byId.set(id, route);
    this.#idByKey.set(keyOf(route), id);
    return id;
  }

  async #loadAll(sql: Sql): Promise<void> {
    for (const row of await sql.all(q`SELECT id, ${COLUMNS} FROM routes`)) {
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

const TABLE: Table = {
  name: 'routes',
  columns: columns(`id source_id:text source_name:text destination_id:text iso:text destination_name:text
    institution_id:text institution_name:text currency:text`),
};

export function routeOfRow(row: Row): Route {
  return {
    sourceId: String(row['source_id']),
    sourceName: String(row['source_name']),
    destinationId: String(row['destination_id']),
    iso: String(row['iso']),
    destinationName: String(row['destination_name']),
    institutionId: String(row['institution_id']),
    institutionName: String(row['institution_name']),
    currency: String(row['currency']),
  };
}

function routeOf(instruction: Instruction): Route {
  return {
    sourceId: instruction.sourceId,
    sourceName: instruction.sourceName,
    destinationId: instruction.destinationId,
    iso: instruction.destinationIso,
    destinationName: instruction.destinationName,
    institutionId: instruction.institutionId,
    institutionName: instruction.institutionName,
    currency: instruction.amount.currency,
  };
}

const keyOf = (route: Route) => JSON.stringify(Object.values(route));

function isSameRoute(one: Instruction, other: Instruction): boolean {
  return (
    one.sourceId === other.sourceId &&
    one.sourceName === other.sourceName &&
    one.destinationId === other.destinationId &&
    one.destinationIso === other.destinationIso &&
    one.destinationName === other.destinationName &&
    one.institutionId === other.institutionId &&
    one.institutionName === other.institutionName &&
    one.amount.currency === other.amount.currency
  );
}
