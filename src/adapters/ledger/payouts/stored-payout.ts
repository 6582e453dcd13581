/**
 * Columns of the payouts table ↔ Payout. The account is revealed here and nowhere else in the ledger.
 */
import type { CurrencyCode } from '../../../domain/money/currency.ts';
import {
  asBatchId,
  asPayoutId,
  type Instruction,
  type PayoutId,
} from '../../../domain/payouts/instruction.ts';
import type { Payout, PayoutState, Status } from '../../../domain/payouts/payout.ts';
import { asCountryId, asInstitutionId } from '../../../domain/rows/directory.ts';
import { Sensitive } from '../../../domain/text/sensitive.ts';
import { numberOf, type Sql } from '../storage/sql-statements.ts';
import { decodeLook } from './look-codec.ts';
import { decodeState } from './payout-codec.ts';

export const PAYOUT_COLUMNS =
  'id, batch, row_number, status, version, attempts, state, route, account, minor, reference, name, phone, note, replaces, look';

/** Written once with the row; nothing but a rewritten file text ever changes one of these. */
export interface InstructionColumns {
  readonly route: number | bigint | null;
  readonly account: string | null;
  readonly minor: bigint | null;
  readonly reference: string | null;
  readonly name: string | null;
  readonly phone: string | null;
  readonly note: string | null;
  readonly replaces: string | null;
}

export interface PayoutRow extends InstructionColumns {
  readonly id: bigint;
  readonly batch: bigint;
  readonly row_number: bigint;
  readonly status: string;
  readonly version: bigint;
  readonly attempts: bigint;
  readonly state: string;
  readonly look: string | null;
}

export interface RowContent extends InstructionColumns {
  readonly id: number | bigint;
  readonly root: number | bigint;
  readonly cells: string;
  readonly row_key: Uint8Array;
  readonly reference_key: Uint8Array | null;
  readonly payment_key: Uint8Array | null;
}

export const CONTENT_COLUMNS =
  'id, root, cells, row_key, reference_key, payment_key, route, account, minor, reference, name, phone, note, replaces';

/** What the chain proves of a row besides its events. Lengths in front, so that no two rows read the same. */
export function rowText(row: RowContent): string {
  const numbers = `${row.id}\t${row.root}\t${row.route ?? ''}\t${row.minor ?? ''}`;
  const keys = `${row.reference_key === null ? 0 : 1}${row.payment_key === null ? 0 : 1}`;
  const { account, reference, name, phone, note, replaces, cells } = row;
  return `${numbers}\t${keys}${sized(account)}${sized(reference)}${sized(name)}${sized(phone)}${sized(note)}${sized(replaces)}${sized(cells)}\n`;
}

export function rowKeys(row: RowContent): Uint8Array[] {
  return [row.row_key, row.reference_key, row.payment_key].filter((key) => key !== null);
}

function sized(text: string | null): string {
  return text === null ? '\t~' : `\t${text.length}:${text}`;
}

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

/** The few hundred ways that a ledger's payments take: read once, kept. */
export class Routes {
  readonly #sql: Sql;
  readonly #byId = new Map<number, Route>();
  readonly #idByKey = new Map<string, number>();
  readonly #new = new Map<string, number>();
  /** Of each institution, the instruction that was seen last: most rows go the same few ways. */
  readonly #last = new Map<string, { readonly instruction: Instruction; readonly id: number }>();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  byId(id: number): Route {
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    const row = this.#sql('SELECT * FROM routes WHERE id = ?').get(id);
    if (row === undefined) throw new RangeError(`The ledger has no route ${id}`);
    const route = routeOfRow(row);
    this.#byId.set(id, route);
    return route;
  }

  /** Only inside a commit; `added` is told of a route that is new, for the journal. */
  idOf(instruction: Instruction, added: (id: number, route: Route) => void): number {
    const last = this.#last.get(instruction.institutionId);
    if (last !== undefined && isSameRoute(last.instruction, instruction)) return last.id;
    const key = routeKey(instruction);
    const kept = this.#idByKey.get(key);
    if (kept !== undefined) this.#last.set(instruction.institutionId, { instruction, id: kept });
    const known = kept ?? this.#new.get(key);
    if (known !== undefined) return known;
    const route = routeOfInstruction(instruction);
    const values = Object.values(route);
    const columns = ROUTE_COLUMNS.map((column) => `${column} = ?`).join(' AND ');
    const row = this.#sql(`SELECT id FROM routes WHERE ${columns}`).get(...values);
    if (row !== undefined) {
      this.#idByKey.set(key, numberOf(row.id));
      return numberOf(row.id);
    }
    const insert = this.#sql(
      `INSERT INTO routes(${ROUTE_COLUMNS.join(', ')}) VALUES (?,?,?,?,?,?,?,?) RETURNING id`,
    );
    const id = numberOf(insert.get(...values)?.id);
    this.#new.set(key, id);
    added(id, route);
    return id;
  }

  /** Before a caller's part: what an earlier part left unfinished is not to be relied on. */
  forgetNew(): void {
    this.#new.clear();
  }

  /** After a commit that failed: what was written in it is not there. */
  forgetAll(): void {
    this.#new.clear();
    this.#idByKey.clear();
    this.#last.clear();
  }

  /** New routes are remembered only once the caller's part of the commit has gone through. */
  keep(): void {
    for (const [key, id] of this.#new) this.#idByKey.set(key, id);
    this.#new.clear();
  }
}

const ROUTE_COLUMNS = [
  'source_id',
  'source_name',
  'destination_id',
  'iso',
  'destination_name',
  'institution_id',
  'institution_name',
  'currency',
] as const;

export function routeOfRow(row: Record<string, unknown>): Route {
  const [sourceId = '', sourceName = '', destinationId = '', iso = '', destinationName = '', ...rest] =
    ROUTE_COLUMNS.map((column) => String(row[column]));
  const [institutionId = '', institutionName = '', currency = ''] = rest;
  const countries = { sourceId, sourceName, destinationId, iso, destinationName };
  return { ...countries, institutionId, institutionName, currency };
}

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

function routeKey(instruction: Instruction): string {
  const { sourceId, sourceName, destinationId, destinationIso, destinationName } = instruction;
  const { institutionId, institutionName } = instruction;
  const countries = `${sourceId}\0${sourceName}\0${destinationId}\0${destinationIso}\0${destinationName}`;
  return `${countries}\0${institutionId}\0${institutionName}\0${instruction.amount.currency}`;
}

function routeOfInstruction(instruction: Instruction): Route {
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

export function instructionColumns(
  instruction: Instruction | undefined,
  route: number | null,
): InstructionColumns {
  if (instruction === undefined) return NO_INSTRUCTION;
  return {
    route,
    account: instruction.account.reveal(),
    minor: instruction.amount.minor,
    reference: instruction.reference ?? null,
    name: instruction.name ?? null,
    phone: instruction.phone ?? null,
    note: instruction.note ?? null,
    replaces: instruction.replaces ?? null,
  };
}

const NO_INSTRUCTION: InstructionColumns = {
  route: null,
  account: null,
  minor: null,
  reference: null,
  name: null,
  phone: null,
  note: null,
  replaces: null,
};

export function payoutOf(row: PayoutRow, routes: Routes): Payout {
  const status = row.status as Status;
  const instruction = row.route === null ? undefined : instructionOf(row, routes.byId(Number(row.route)));
  const state: PayoutState = decodeState(status, row.state);
  // A row with another state than invalid always has an instruction: stage and the machine see to it.
  return {
    id: asPayoutId(String(row.id)),
    batchId: asBatchId(String(row.batch)),
    rowNumber: Number(row.row_number),
    version: Number(row.version),
    attempts: Number(row.attempts),
    ...(row.look === null ? {} : { look: decodeLook(row.look) }),
    instruction,
    state,
  } as Payout;
}

/** The number behind a payout id; undefined for a text that no ledger gave out. */
export function payoutNumber(id: PayoutId | string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : undefined;
}

function instructionOf(row: InstructionColumns, route: Route): Instruction {
  return {
    sourceId: asCountryId(route.sourceId),
    sourceName: route.sourceName,
    destinationId: asCountryId(route.destinationId),
    destinationIso: route.iso,
    destinationName: route.destinationName,
    institutionId: asInstitutionId(route.institutionId),
    institutionName: route.institutionName,
    account: new Sensitive(row.account ?? ''),
    amount: { minor: row.minor ?? 0n, currency: route.currency as CurrencyCode },
    reference: row.reference ?? undefined,
    name: row.name ?? undefined,
    phone: row.phone ?? undefined,
    note: row.note ?? undefined,
    replaces: row.replaces === null ? undefined : asPayoutId(row.replaces),
  };
}

/**
 * The place of a row in its file, as one number: the revision's range above, the ordinal (from 1) below. A
 * revision gives its rows places in a new range, so that old and new places never meet while it is under way.
 */
const RANGE = 2 ** 32;

export function positionOf(range: number, ordinal: number): number {
  return range * RANGE + ordinal;
}
