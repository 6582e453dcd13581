/**
 * How the people, accounts and amounts of two batches differ. The rows' keys are hashed into a temporary table on disk,
 * which locks nobody out, and joined there; only what is listed is read back.
 */
import { hash } from 'node:crypto';
import {
  type AmountJump,
  type ChangedRow,
  type Difference,
  isJump,
  type MovedAccount,
  type NewAccount,
  otherHolder,
} from '../../../domain/batches/batch-changes.ts';
import type { CurrencyCode } from '../../../domain/money/currency.ts';
import { compareNames } from '../../../domain/names/name-check.ts';
import { accountMark } from '../../../domain/payouts/concern.ts';
import { asPayoutId, type PayoutId } from '../../../domain/payouts/instruction.ts';
import type { Payout } from '../../../domain/payouts/payout.ts';
import { foldWords } from '../../../domain/text/fold.ts';
import { maskOf } from '../../../domain/text/sensitive.ts';
import type { Payouts } from '../payouts/payouts.ts';
import type { Routes } from '../payouts/stored-payout.ts';
import {
  fileSlices,
  idList,
  numberOf,
  OF_BATCH,
  type Sql,
  yieldToEvents,
} from '../storage/sql-statements.ts';
import { newHoldersIn } from './new-holders.ts';

const ROWS_MAX = 250_000;
const LISTED_MAX = 1_000;
const PAIRS_PAGE = 5_000;
const BILLION = 1_000_000_000n;
const SUM = `sum(minor / ${BILLION}) AS high, sum(minor % ${BILLION}) AS low`;
export const [BEFORE, NOW] = [0, 1] as const;
/** Withdrawn and unreadable rows are nobody's payment; of the batch before, only what was agreed to is. */
const AGREED = "'approved','sending','in_doubt','accepted','settled','failed','returned'";
const COUNTED = [AGREED, `${AGREED},'planned','held','quoted'`] as const;

export interface DifferenceParts {
  readonly sql: Sql;
  /** A statement of its own: a text that names a temporary table is used once. */
  readonly fresh: Sql;
  readonly exec: (text: string) => void;
  readonly routes: Routes;
  readonly payouts: Payouts;
}

/** A batch by its number, and single payments. */
export interface Payments {
  readonly batch: number | undefined;
  /** Of the batch: do not count. */
  readonly without?: readonly PayoutId[] | undefined;
  /** Count besides. */
  readonly also?: readonly PayoutId[] | undefined;
}

interface DifferenceQuestion {
  readonly batch: number;
  readonly previous: Payments;
  readonly jumpPercent: number;
  readonly again: readonly MovedAccount[];
}

let tables = 0;

/** undefined when one of the two has too many rows. */
export async function differenceOf(
  parts: DifferenceParts,
  { batch, previous, jumpPercent, again }: DifferenceQuestion,
): Promise<Difference | undefined> {
  const count = parts.sql(`SELECT count(*) AS n ${OF_BATCH}`);
  if ([batch, previous.batch ?? 0].some((one) => numberOf(count.get(one)?.n) > ROWS_MAX)) return undefined;
  return compared(parts, async (table, pairs) => {
    await fill(parts, table, { ...previous, side: BEFORE });
    await fill(parts, table, { batch, side: NOW });
    index(parts, table);
    await yieldToEvents();
    await pairUp(parts, { table, pairs, again });
    return read({ ...parts, table, pairs, jumpPercent });
  });
}

/** With temporary tables in which the two batches are compared. */
export async function compared<Result>(
  { exec }: DifferenceParts,
  work: (table: string, pairs: string) => Promise<Result>,
): Promise<Result> {
  tables += 1;
  const table = `temp.seen_${tables}`;
  const pairs = `temp.moved_${tables}`;
  try {
    exec(
      `CREATE TEMP TABLE seen_${tables}(id INTEGER PRIMARY KEY, side INTEGER NOT NULL, account TEXT NOT NULL,
         reference TEXT, written TEXT, called TEXT, holder TEXT, minor INTEGER NOT NULL, currency TEXT NOT NULL,
         is_open INTEGER NOT NULL);
       CREATE TEMP TABLE moved_${tables}(now INTEGER PRIMARY KEY, before INTEGER NOT NULL, how TEXT NOT NULL)`,
    );
    return await work(table, pairs);
  } finally {
    exec(`DROP TABLE IF EXISTS ${table}; DROP TABLE IF EXISTS ${pairs}`);
  }
}

/** After a table was filled, which is quicker than before. */
export function index({ exec }: DifferenceParts, table: string): void {
  const name = table.replace('temp.', '');
  for (const column of ['account', 'reference', 'called'])
    exec(`CREATE INDEX temp.${name}_${column} ON ${name}(${column}, side)`);
}

interface Side extends Payments {
  readonly side: 0 | 1;
}

export async function fill(
  { sql, fresh, routes }: DifferenceParts,
  table: string,
  { batch, side, without, also = [] }: Side,
): Promise<void> {
  const columns = `SELECT id, route, account, minor, reference_key, name, json_extract(state, '$.pricing.wireName') AS sent,
    json_extract(state, '$.pricing.nameCheck.resolved') AS holder`;
  const counts = `AND status IN (${COUNTED[side]}) AND route IS NOT NULL`;
  const part = (at: number) => `json_extract(value, '$[${at}]')`;
  // One that counts besides may be one of the batch.
  const insert = fresh(
    `INSERT OR IGNORE INTO ${table} SELECT CAST(${part(0)} AS INTEGER), ${side}, ${part(1)}, ${part(2)}, ${part(3)}, ${part(4)},
     ${part(5)}, CAST(${part(6)} AS INTEGER), ${part(7)}, 1 FROM json_each(?)`,
  );
  const keep = (rows: readonly Record<string, unknown>[]) =>
    insert.run(JSON.stringify(rows.map((row) => keysOf(row, routes))));
  if (also.length > 0)
    keep(
      sql(`${columns} FROM payouts WHERE id IN (SELECT value FROM json_each(?)) ${counts}`).all(idList(also)),
    );
  if (batch === undefined) return;
  const slice = sql(
    `${columns} ${OF_BATCH} AND position >= ?2 AND position <= ?3 ${counts}
     AND id NOT IN (SELECT value FROM json_each(?4))`,
  );
  for await (const [from, to] of fileSlices(sql, batch, { rows: PAIRS_PAGE }))
    keep(slice.all(batch, from, to, idList(without)));
}

function keysOf(row: Record<string, unknown>, routes: Routes): readonly (string | null)[] {
  const route = routes.byId(numberOf(row.route));
  const person = (text: unknown) => {
    const words = typeof text === 'string' ? [...foldWords(text)].sort().join(' ') : '';
    return words === '' ? null : keyOf([route.iso, words]);
  };
  const reference = row.reference_key as Uint8Array | null;
  const written = person(row.name);
  return [
    String(row.id),
    accountKeyOf(route, String(row.account)),
    reference === null ? null : Buffer.from(reference).toString('hex'),
    written,
    written ?? person(row.sent),
    person(row.holder),
    String(row.minor),
    route.currency,
  ];
}

export function accountKeyOf(route: ReturnType<Routes['byId']>, account: string): string {
  const { iso, institutionName, currency } = route;
  return keyOf([accountMark({ destinationIso: iso, institutionName }, account), currency]);
}

function keyOf(texts: readonly string[]): string {
  return hash('sha256', JSON.stringify(texts)).slice(0, 24);
}

/** What pairs are found in, and where they are kept. `again`: rows that pay another payment again, which is known. */
interface Pairing {
  readonly table: string;
  readonly pairs: string;
  readonly again: readonly MovedAccount[];
}

/**
 * The same person with another account: first where a row pays another one again, which several rows may say of the same
 * one; then by a reference that stands once on each side, unless the written names are two persons', or both accounts are
 * paid on both sides (references that only count the rows have moved on by one); then by a name that stands once among
 * those whose account is new or gone.
 */
export async function pairUp(parts: DifferenceParts, { table, pairs, again }: Pairing): Promise<void> {
  const known = again.map(({ payoutId, before }) => [Number(payoutId), Number(before)]);
  if (known.length > 0) parts.fresh(paidAgainSql(table, pairs)).run(JSON.stringify(known));
  parts.exec(byReferenceSql(table, pairs));
  await dropStrangers(parts, pairs);
  parts.exec(byNameSql(table, pairs));
}

// Grouped, because comparing row by row would take the square of the rows that share a name.
const onceSql = (table: string, column: string, side: 0 | 1, where = '') =>
  `SELECT ${column} AS who, min(id) AS id FROM ${table} s WHERE side = ${side} AND ${column} IS NOT NULL ${where}
   GROUP BY ${column} HAVING count(*) = 1`;

const paidSql = (table: string, row: string, side: 0 | 1) =>
  `EXISTS (SELECT 1 FROM ${table} x WHERE x.account = ${row}.account AND x.side = ${side})`;

function paidAgainSql(table: string, pairs: string): string {
  return `
INSERT INTO ${pairs} SELECT n.id, b.id, 'paid_again' FROM json_each(?) again
  JOIN ${table} n ON n.id = CAST(json_extract(again.value, '$[0]') AS INTEGER) AND n.side = ${NOW}
  JOIN ${table} b ON b.id = CAST(json_extract(again.value, '$[1]') AS INTEGER) AND b.side = ${BEFORE}
  WHERE n.account <> b.account`;
}

function byReferenceSql(table: string, pairs: string): string {
  return `
INSERT INTO ${pairs} WITH ours AS (${onceSql(table, 'reference', NOW)}), theirs AS (${onceSql(table, 'reference', BEFORE)})
  SELECT n.id, b.id, CASE WHEN n.written <> b.written THEN 'renamed' ELSE 'reference' END
  FROM ours JOIN theirs ON theirs.who = ours.who
  JOIN ${table} n ON n.id = ours.id JOIN ${table} b ON b.id = theirs.id
  WHERE n.id NOT IN (SELECT now FROM ${pairs}) AND b.id NOT IN (SELECT before FROM ${pairs})
    AND n.account <> b.account AND NOT (${paidSql(table, 'n', BEFORE)} AND ${paidSql(table, 'b', NOW)})`;
}

/** A name written otherwise (an initial more), or in another country, is the same person's; a new name is a new person's. */
async function dropStrangers({ fresh, routes }: DifferenceParts, pairs: string): Promise<void> {
  const page = fresh(
    `SELECT p.now, our.name AS ours, their.name AS theirs, our.route FROM ${pairs} p
     JOIN payouts our ON our.id = p.now JOIN payouts their ON their.id = p.before
     WHERE p.how = 'renamed' AND p.now > ? ORDER BY p.now LIMIT ${PAIRS_PAGE}`,
  );
  const drop = fresh(`DELETE FROM ${pairs} WHERE now = ?`);
  for (let after = 0; ; ) {
    const rows = page.all(after);
    for (const { now, ours, theirs, route } of rows) {
      const { result } = compareNames(String(theirs), String(ours), routes.byId(numberOf(route)).iso);
      if (result === 'no_match') drop.run(numberOf(now));
    }
    if (rows.length < PAIRS_PAGE) return;
    after = numberOf(rows.at(-1)?.now);
    await yieldToEvents();
  }
}

function byNameSql(table: string, pairs: string): string {
  const loose = (side: 0 | 1, column: 'now' | 'before') =>
    onceSql(
      table,
      'called',
      side,
      `AND NOT ${paidSql(table, 's', side === NOW ? BEFORE : NOW)} AND s.id NOT IN (SELECT ${column} FROM ${pairs})`,
    );
  return `
INSERT INTO ${pairs} WITH ours AS (${loose(NOW, 'now')}), theirs AS (${loose(BEFORE, 'before')})
  SELECT ours.id, theirs.id, 'name' FROM ours JOIN theirs ON theirs.who = ours.who`;
}

interface Reading extends DifferenceParts {
  readonly table: string;
  readonly pairs: string;
  readonly jumpPercent: number;
}

async function read(reading: Reading): Promise<Difference> {
  return {
    newAccounts: await newAccountsIn(reading),
    newHolders: newHoldersIn(reading, LISTED_MAX),
    added: alone(reading, NOW),
    missing: alone(reading, BEFORE),
    jumps: await jumpsIn(reading),
    totals: totalsIn(reading),
  };
}

async function newAccountsIn({ fresh, pairs, payouts }: Reading) {
  const page = fresh(
    `SELECT p.now, p.before, p.how FROM ${pairs} p
     WHERE p.now > ? ORDER BY p.now LIMIT ${PAIRS_PAGE}`,
  );
  const list: NewAccount[] = [];
  let count = 0;
  for (let after = 0; ; ) {
    const rows = page.all(after);
    for (const row of rows) {
      count += 1;
      const found = list.length < LISTED_MAX ? newAccountOf(row, payouts) : undefined;
      if (found !== undefined) list.push(found);
    }
    if (rows.length < PAIRS_PAGE) return { count, list };
    after = numberOf(rows.at(-1)?.now);
    await yieldToEvents();
  }
}

function newAccountOf(row: Record<string, unknown>, payouts: Payouts): NewAccount | undefined {
  const [now, before] = [payoutAt(payouts, row.now), payoutAt(payouts, row.before)];
  const [ours, theirs] = [now?.instruction, before?.instruction];
  if (now === undefined || before === undefined || ours === undefined || theirs === undefined)
    return undefined;
  const other = otherHolder(now, before);
  return {
    row: now.rowNumber,
    rowBefore: before.rowNumber,
    by: row.how === 'name' || row.how === 'paid_again' ? row.how : 'reference',
    name: nameOf(now),
    ...(other === undefined ? {} : { holderBefore: other }),
    account: maskOf(ours.account.reveal()),
    accountBefore: maskOf(theirs.account.reveal()),
    institution: ours.institutionName,
    institutionBefore: theirs.institutionName,
    amount: ours.amount,
    amountBefore: theirs.amount,
  };
}

/** Accounts that only one side pays, but for those whose person is on the other side under another account. */
function alone({ fresh, table, pairs, payouts }: Reading, side: 0 | 1) {
  const column = side === NOW ? 'now' : 'before';
  const groups = `SELECT account, currency, min(id) AS id, ${SUM} FROM ${table} s WHERE side = ${side}
    AND NOT EXISTS (SELECT 1 FROM ${table} x WHERE x.account = s.account AND x.side = ${1 - side})
    AND account NOT IN (SELECT m.account FROM ${pairs} p JOIN ${table} m ON m.id = p.${column})
    GROUP BY account, currency`;
  const count = numberOf(fresh(`SELECT count(*) AS n FROM (${groups})`).get()?.n);
  const list = fresh(`${groups} ORDER BY id LIMIT ${LISTED_MAX}`)
    .all()
    .flatMap((group): ChangedRow[] => {
      const payout = payoutAt(payouts, group.id);
      if (payout === undefined) return [];
      const { rowNumber: row, instruction } = payout;
      const amount = { minor: sumOf(group), currency: group.currency as CurrencyCode };
      return [{ row, name: nameOf(payout), reference: instruction?.reference, amount }];
    });
  return { count, list: list.sort((one, other) => one.row - other.row) };
}

async function jumpsIn({ fresh, table, payouts, jumpPercent }: Reading) {
  const page = fresh(
    `SELECT n.account AS account, n.currency AS currency, min(n.id) AS id, ${sums('n')},
       (SELECT sum(b.minor / ${BILLION}) FROM ${table} b WHERE b.account = n.account AND b.side = 0) AS high_before,
       (SELECT sum(b.minor % ${BILLION}) FROM ${table} b WHERE b.account = n.account AND b.side = 0) AS low_before
     FROM ${table} n WHERE n.side = 1 AND n.account > ? GROUP BY n.account, n.currency ORDER BY n.account LIMIT ${PAIRS_PAGE}`,
  );
  const list: AmountJump[] = [];
  let count = 0;
  for (let after = ''; ; ) {
    const rows = page.all(after);
    for (const row of rows) {
      if (row.high_before === null) continue;
      const before = (row.high_before as bigint) * BILLION + (row.low_before as bigint);
      const now = sumOf(row);
      if (!isJump(before, now, jumpPercent)) continue;
      count += 1;
      const payout = list.length < LISTED_MAX ? payoutAt(payouts, row.id) : undefined;
      if (payout === undefined) continue;
      const currency = row.currency as CurrencyCode;
      const money = (minor: bigint) => ({ minor, currency });
      list.push({ row: payout.rowNumber, name: nameOf(payout), before: money(before), now: money(now) });
    }
    if (rows.length < PAIRS_PAGE) break;
    after = String(rows.at(-1)?.account);
    await yieldToEvents();
  }
  return { count, list: list.sort((one, other) => one.row - other.row) };
}

const sums = (row: string) => SUM.replaceAll('minor', `${row}.minor`);

function totalsIn({ fresh, table }: Reading): Difference['totals'] {
  const rows = fresh(
    `SELECT currency, side, count(*) AS n, ${SUM} FROM ${table} GROUP BY 1, 2 ORDER BY 1`,
  ).all();
  const currencies = [...new Set(rows.map((row) => row.currency as CurrencyCode))];
  return currencies.map((currency) => {
    const on = (side: 0 | 1) => rows.find((row) => row.currency === currency && Number(row.side) === side);
    const money = (side: 0 | 1) => ({ minor: sumOf(on(side)), currency });
    const count = (side: 0 | 1) => numberOf(on(side)?.n ?? 0);
    return { currency, rowsBefore: count(BEFORE), rows: count(NOW), before: money(BEFORE), now: money(NOW) };
  });
}

function sumOf(row: Record<string, unknown> | undefined): bigint {
  return row === undefined ? 0n : (row.high as bigint) * BILLION + (row.low as bigint);
}

function payoutAt(payouts: Payouts, id: unknown): Payout | undefined {
  return payouts.byId(asPayoutId(String(id)));
}

function nameOf({ instruction, state }: Payout): string | undefined {
  const sent = 'pricing' in state ? state.pricing?.wireName : undefined;
  return instruction?.name ?? (sent === '' ? undefined : sent);
}
