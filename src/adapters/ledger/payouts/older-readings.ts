/**
 * Rows that an earlier version of the program may have read differently (domain/accounts/read-account.ts). They are listed
 * once, when the ledger is opened first, and compared under both readings from then on. Nothing stored is rewritten,
 * because the chain proves it as it was stored.
 */

import { callingCodeOf } from '../../../domain/accounts/phone-number.ts';
import { readName, readReference } from '../../../domain/accounts/read-account.ts';
import type { BatchFile } from '../../../domain/batches/batch.ts';
import { leftOutReason } from '../../../domain/batches/left-out-before.ts';
import type { Instruction } from '../../../domain/payouts/instruction.ts';
import { instructionKeys, invalidRowKey } from '../../../domain/payouts/instruction-keys.ts';
import type { HoldReason, Status } from '../../../domain/payouts/payout.ts';
import { nameColumnsOf } from '../../../domain/rows/column-names.ts';
import { createCellReader, type Field } from '../../../domain/rows/row.ts';
import { Sensitive } from '../../../domain/text/sensitive.ts';
import { numberOf, type Sql } from '../storage/sql-statements.ts';
import { decodeState } from './payout-codec.ts';
import { type InstructionColumns, instructionOf, type Routes } from './stored-payout.ts';

export const OLDER_READINGS = 'CREATE TABLE older_readings(payout INTEGER PRIMARY KEY) STRICT;';

/** Lists more rows than are read differently; each listed row is checked exactly later. */
export const LIST_OLDER_READINGS = `
${OLDER_READINGS}
INSERT INTO older_readings SELECT id FROM payouts WHERE account GLOB '*[^!-~]*' OR account GLOB '*[0-9][.,][0-9]*'
  OR name GLOB '*[^ -~]*' OR name GLOB '*  *' OR reference GLOB '*[^ -~]*';
`;

/** Rows up to this one were read by an earlier version; rows that are read later get higher numbers. */
export const MARK_READ_BEFORE = `
CREATE TABLE read_before(last INTEGER NOT NULL) STRICT;
INSERT INTO read_before SELECT coalesce(max(id), 0) FROM payouts;
`;

const COLUMNS =
  'p.id AS id, p.route AS route, account, minor, reference, name, phone, note, replaces, cells, content_key, payment_key, reference_key';
const LISTED = `SELECT ${COLUMNS} FROM older_readings o JOIN payouts p ON p.id = o.payout WHERE p.route IS NOT NULL`;
const UNSEEN = /[\p{Zs}\p{M}\p{Cf}\p{DI}]/gu;
const IGNORED = /\p{DI}/gu;

type Row = Readonly<Record<string, unknown>>;

/** As a person who sees no invisible character would write it today. */
function withoutInvisible(stored: Instruction): Instruction {
  const { account, name, reference } = stored;
  return {
    ...stored,
    account: new Sensitive(account.reveal().replace(UNSEEN, '')),
    name: name === undefined ? undefined : readName(name.replace(IGNORED, '')),
    reference: reference === undefined ? undefined : readReference(reference.replace(IGNORED, '')).trim(),
  };
}

interface OlderReadingsParts {
  /** A statement of its own for each question: the ledger may be of a version that has no such list. */
  readonly sql: Sql;
  readonly routes: Routes;
}

interface AlsoKeyed {
  readonly id: number;
  readonly isSamePayment: boolean;
  readonly isSameReference: boolean;
}

/** Which rows of the list pay what a new row would pay, if they had been read as they are today. */
export class OlderReadings {
  readonly #parts: OlderReadingsParts;
  #byKey: ReadonlyMap<string, readonly number[]> | undefined;
  #last: unknown;

  constructor(parts: OlderReadingsParts) {
    this.#parts = parts;
  }

  isEmpty(): boolean {
    return this.#keys().size === 0;
  }

  /** Payouts whose payment or reference is this one's, though the stored key is another. */
  alsoKeyed(payment: Uint8Array | null, reference: Uint8Array | null): readonly AlsoKeyed[] {
    const known = this.#keys();
    const of = (kind: string, key: Uint8Array | null) =>
      key === null ? [] : (known.get(`${kind} ${hex(key)}`) ?? []);
    const [same, named] = [of('payment', payment), of('reference', reference)];
    return [...new Set([...same, ...named])].map((id) => ({
      id,
      isSamePayment: same.includes(id),
      isSameReference: named.includes(id),
    }));
  }

  /** Only a payout that is paid again comes to the list, with the highest id of all. */
  #keys(): ReadonlyMap<string, readonly number[]> {
    const last = this.#parts.sql('SELECT max(payout) AS last FROM older_readings').get()?.last;
    if (this.#byKey !== undefined && this.#last === last) return this.#byKey;
    this.#last = last;
    const found = new Map<string, number[]>();
    const add = (key: string, id: number) => found.set(key, [...(found.get(key) ?? []), id]);
    for (const row of this.#parts.sql(LISTED).all()) {
      const id = numberOf(row.id);
      const keys = keysOf(withoutInvisible(storedInstruction(row, this.#parts.routes)));
      if (row.payment_key !== null && hex(keys.paymentKey) !== hex(row.payment_key as Uint8Array))
        add(`payment ${hex(keys.paymentKey)}`, id);
      const { referenceKey } = keys;
      if (referenceKey !== undefined && hex(referenceKey) !== hexOrNot(row.reference_key))
        add(`reference ${hex(referenceKey)}`, id);
    }
    this.#byKey = found;
    return found;
  }
}

interface OlderMatch {
  readonly batch: number;
  readonly importId: number;
  readonly base: number;
  readonly table: string;
  /** Which rows of the batch a newer file must keep, as SQL about a row of `payouts`. */
  readonly stays: string;
  readonly columns: ReadonlyMap<Field, number>;
}

/** Pairs rows that must stay, and that no row of the import equals, with the row that they are when read as today. */
export function pairOlderReadings({ sql, routes }: OlderReadingsParts, match: OlderMatch): void {
  const { batch, importId, base, table, stays, columns } = match;
  const wanted = new Map<string, number[]>();
  const olds = sql(
    `${LISTED} AND p.batch = ? AND p.position < ? AND p.id NOT IN (SELECT old FROM ${table})
     AND p.id IN (SELECT id FROM payouts WHERE batch = ? AND ${stays})`,
  ).all(batch, base, batch);
  for (const row of olds) {
    const stored = storedInstruction(row, routes);
    const plain = withoutInvisible(stored);
    const cells = JSON.parse(String(row.cells)) as readonly string[];
    const looks = [
      lookOf(row.content_key, readName(stored.name ?? ''), stored.phone),
      lookOf(keysOf(plain).contentKey, plain.name ?? '', plain.phone),
      lookOf(invalidRowKey(cells, columns), undefined, undefined),
    ];
    for (const look of new Set(looks)) wanted.set(look, [...(wanted.get(look) ?? []), numberOf(row.id)]);
  }
  if (wanted.size === 0) return;
  const done = new Set<number>();
  const insert = sql(`INSERT INTO ${table} VALUES (?, ?)`);
  const news = sql(
    `SELECT id, status, content_key, name, phone FROM payouts WHERE batch = ? AND position IS NOT NULL
     AND id NOT IN (SELECT new FROM ${table}) ORDER BY position`,
  ).all(importId);
  for (const row of news) {
    const look =
      row.status === 'invalid'
        ? lookOf(row.content_key, undefined, undefined)
        : lookOf(row.content_key, String(row.name ?? ''), row.phone);
    const old = wanted.get(look)?.find((id) => !done.has(id));
    if (old === undefined) continue;
    done.add(old);
    insert.run(old, numberOf(row.id));
  }
}

interface ReadBeforeMatch extends Omit<OlderMatch, 'columns'> {
  /** Rows of the batch that are asked for again, as SQL: they are not left out. */
  readonly askedAgain: string;
  /** Rows `n` of the import that have no place in the batch yet, as SQL. */
  readonly notPlaced: string;
  readonly before: BatchFile;
  readonly now: BatchFile;
}

/**
 * Rows of an earlier version whose cells say the same today, though they are read as other rows: with another name, or as
 * a payment where there was none. An agreed or withdrawn row stays the row that it was. A row that was invalid or held is
 * returned with what it is now in the import: a person may have paid it another way since, so it must wait for one.
 */
export function pairReadBefore(sql: Sql, match: ReadBeforeMatch): ReadonlyMap<number, HoldReason> {
  const { batch, importId, base, table, stays, askedAgain, notPlaced, before, now } = match;
  const olds = sql(
    `SELECT id, status, state, content_key, cells, ${stays} OR status = 'canceled' AS is_same FROM payouts
     WHERE batch = ? AND position IS NOT NULL AND position < ? AND id <= (SELECT last FROM read_before)
     AND (status IN ('invalid', 'held', 'canceled') OR ${stays}) AND NOT ${askedAgain}
     AND id NOT IN (SELECT old FROM ${table})`,
  ).all(batch, base);
  const leftOut = new Map<number, HoldReason>();
  if (olds.length === 0) return leftOut;
  const wanted = new Map<string, Row[]>();
  const saidBefore = cellsSaid(before, now);
  for (const row of olds) {
    const said = saidBefore(row.cells);
    wanted.set(said, [...(wanted.get(said) ?? []), row]);
  }
  const done = new Set<Row>();
  const insert = sql(`INSERT INTO ${table} VALUES (?, ?)`);
  const saidNow = cellsSaid(now, now);
  const news = sql(
    `SELECT id, status, state, content_key, cells FROM payouts n WHERE batch = ? AND position IS NOT NULL
     AND id NOT IN (SELECT new FROM ${table}) AND ${notPlaced} ORDER BY position`,
  ).all(importId);
  for (const row of news) {
    const found = wanted.get(saidNow(row.cells))?.filter((old) => !done.has(old)) ?? [];
    const same = found.find(
      (old) =>
        old.is_same &&
        hex(old.content_key as Uint8Array) === hex(row.content_key as Uint8Array) &&
        !(isUnsent(old.status) && isHiddenNow(row)),
    );
    const left = found.find((old) => !old.is_same);
    if (same !== undefined) {
      done.add(same);
      insert.run(numberOf(same.id), numberOf(row.id));
    } else if (left !== undefined && row.status === 'planned')
      leftOut.set(
        numberOf(row.id),
        leftOutReason(decodeState(String(left.status) as Status, String(left.state))),
      );
  }
  return leftOut;
}

function isUnsent(status: unknown): boolean {
  return status === 'planned' || status === 'held' || status === 'quoted';
}

/** What was not agreed to yet is not paid where nobody can see it any more. */
function isHiddenNow({ status, state }: Row): boolean {
  return status === 'held' && String(state).includes('"hidden_row"');
}

/** What the cells that hold fields say, under today's rules for columns. */
function cellsSaid({ columns, headers }: BatchFile, now: BatchFile): (cells: unknown) => string {
  // `Nom` was the whole name, and is a part of it beside `Prénom`.
  const own = new Map(columns);
  if (!now.columns.has('name')) own.delete('name');
  const read = createCellReader(own, nameColumnsOf({ columns: own, headers }));
  return (cells) => JSON.stringify(read({ rowNumber: 0, cells: JSON.parse(String(cells)) }).texts);
}

function lookOf(key: unknown, name: string | undefined, phone: unknown): string {
  return JSON.stringify([hex(key as Uint8Array), name ?? null, phone ?? null]);
}

function storedInstruction(row: Row, routes: Routes): Instruction {
  return instructionOf(row as unknown as InstructionColumns, routes.byId(numberOf(row.route)));
}

function keysOf(instruction: Instruction) {
  return instructionKeys(instruction, callingCodeOf(instruction.destinationIso));
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function hexOrNot(bytes: unknown): string | undefined {
  return bytes === null ? undefined : hex(bytes as Uint8Array);
}
