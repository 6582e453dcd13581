/**
 * Who is paid by a batch, as one index in memory: for each row digests of its account, its reference and its person. Two of
 * them are paired by person: for the difference of two batches, and for waiting rows whose person was paid to another account
 * before, which are held when nobody sees the plan. That is stricter than what a person is shown: a new account next to the
 * old one, under the same name, is held too, because part of a salary could go there.
 * And rows with the reference of a payment that failed or came back, and another account: most likely that payment once more,
 * corrected by hand in a file that does not name it.
 *
 * Units:   a digest is 53 bits, 0 where there is nothing to digest; salted by the ledger, so that nobody can look for an
 *          account that has the digest of another. A row takes about 300 bytes: a million are compared in memory.
 */
import { createHash } from 'node:crypto';
import type { MovedAccount } from '../domain/batches/batch-changes.ts';
import type { PaidBefore } from '../domain/batches/paid-before.ts';
import type { CurrencyCode } from '../domain/money/currency.ts';
import { compareNames } from '../domain/names/name-check.ts';
import { accountMark } from '../domain/payouts/concern.ts';
import { asPayoutId, type BatchId, type Instruction } from '../domain/payouts/instruction.ts';
import { type Payout, type Status, WAITING } from '../domain/payouts/payout.ts';
import { foldWords } from '../domain/text/fold.ts';
import type { PaymentMemory } from '../ports/ledger/payment-memory.ts';
import type { LedgerParts } from './parts.ts';
import { fileSlices, payoutsByIds, turnOfOthers } from './payouts.ts';
import type { Route } from './routes.ts';
import { batchNumber, IN_FILE, payoutNumber } from './rows.ts';
import { by, ids, jsonText, numberOf, type Query, q, type Row, text, thenJoin } from './sql.ts';

export function payeeHistory(parts: LedgerParts): Pick<PaymentMemory, 'movedAccounts' | 'failedBefore'> {
  return {
    movedAccounts: (id, asked) => movedAccounts(parts, id, asked),
    failedBefore: (id, among) => failedBefore(parts, batchNumber(id), among.map(batchNumber)),
  };
}

export interface Payee {
  readonly id: number;
  readonly status: Status;
  /** Of the account as people mean it, in its currency. */
  readonly account: number;
  readonly reference: number;
  /** As the file writes the person. */
  readonly written: number;
  /** As the file, or else the request, writes the person. */
  readonly called: number;
  /** As the service named the account's holder. */
  readonly holder: number;
  readonly minor: bigint;
  readonly currency: CurrencyCode;
}

/** All that one account is paid. */
export interface Account {
  readonly first: Payee;
  rows: number;
  minor: bigint;
}

/** One side of a comparison. */
export interface Payees {
  readonly rows: readonly Payee[];
  readonly accounts: ReadonlyMap<number, Account>;
}

/** Withdrawn and unreadable rows are nobody's payment. */
export async function payeesOf(
  parts: LedgerParts,
  { batch, without = [], also = [] }: Partial<PaidBefore>,
): Promise<Payees> {
  const others = also.map(payoutNumber);
  const left = new Set([...without.map(payoutNumber), ...others]);
  const which = q`status NOT IN ('invalid','canceled')`;
  const rows = others.length === 0 ? [] : await payeesWhere(parts, q`id IN ${ids(others)} AND ${which}`);
  // One that counts besides may be one of the batch.
  if (batch !== undefined)
    for (const row of await payeesWhere(parts, q`batch = ${batchNumber(batch)} AND ${IN_FILE} AND ${which}`))
      if (!left.has(row.id)) rows.push(row);
  return payeesIn(rows);
}

/** Nobody has agreed to its payment. */
export const isWaiting = ({ status }: Pick<Payee, 'status'>): boolean => WAITING.includes(status);

/** Those that somebody agreed to. */
export function agreedIn({ rows }: Payees): Payees {
  return payeesIn(rows.filter((row) => !isWaiting(row)));
}

/** In file order. */
async function payeesWhere({ read: sql, routes, identity }: LedgerParts, which: Query) {
  const sent = q`${jsonText('state', 'pricing', 'wireName')} AS sent, ${jsonText('state', 'pricing', 'nameCheck', 'resolved')} AS holder`;
  const payees: Payee[] = [];
  for await (const rows of sql.each(q`SELECT id, status, route, account, minor, reference_key, name, ${sent}
      FROM payouts WHERE ${which} AND route IS NOT NULL ORDER BY position, id`)) {
    await routes.load(sql, rows);
    for (const row of rows) payees.push(payeeOf(row, routes.byId(Number(row['route'])), identity.salt));
  }
  return payees;
}

function payeeOf(row: Row, { iso, institutionName, currency }: Route, salt: string): Payee {
  const digestOf = (...texts: readonly string[]) =>
    numberIn(
      createHash('sha256')
        .update(`${salt}${JSON.stringify(texts)}`)
        .digest(),
    );
  const person = (name: unknown) => {
    const words = typeof name === 'string' ? [...foldWords(name)].sort().join(' ') : '';
    return words === '' ? 0 : digestOf(iso, words);
  };
  const { reference_key: reference } = row;
  const written = person(row['name']);
  return {
    id: numberOf(row['id']),
    status: row['status'] as Status,
    account: digestOf(
      accountMark({ destinationIso: iso, institutionName }, String(row['account'])),
      currency,
    ),
    reference: reference instanceof Uint8Array ? numberIn(reference) : 0,
    written,
    called: written === 0 ? person(row['sent']) : written,
    holder: person(row['holder']),
    minor: (row['minor'] as bigint | null) ?? 0n,
    currency: currency as CurrencyCode,
  };
}

/** Never 0. */
function numberIn(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return (view.getUint32(0) & 0x1fffff) * 2 ** 32 + view.getUint32(4) || 1;
}

export function payeesIn(rows: readonly Payee[]): Payees {
  const accounts = new Map<number, Account>();
  for (const row of rows) {
    const account = accounts.get(row.account) ?? { first: row, rows: 0, minor: 0n };
    accounts.set(row.account, account);
    account.rows += 1;
    account.minor += row.minor;
  }
  return { rows, accounts };
}

/** A row, and the row of the same person before. */
export interface Pair {
  readonly now: Payee;
  readonly before: Payee;
}
export interface PairSaid extends Pair {
  readonly by: 'paid_again' | 'reference' | 'name';
}

/**
 * The same person with another account: first where a row pays another one again, which several rows may say of the same
 * one (`again`); then by a reference that stands once on each side, unless the written names are two persons', or both
 * accounts are paid on both sides (references that only count the rows have moved on by one); then by a name that stands
 * once among those whose account is new or gone.
 */
export async function pairUp(
  parts: LedgerParts,
  now: Payees,
  before: Payees,
  again: readonly MovedAccount[],
): Promise<readonly PairSaid[]> {
  const pairs: PairSaid[] = [];
  const isPaired = new Set<Payee>();
  const add = (by: PairSaid['by'], found: readonly Pair[]) => {
    for (const pair of found) {
      pairs.push({ ...pair, by });
      isPaired.add(pair.now).add(pair.before);
    }
  };
  add('paid_again', pairedAgain(now, before, again));
  const byReference = pairedBy('reference', now.rows, before.rows).filter(
    (pair) =>
      !(isPaired.has(pair.now) || isPaired.has(pair.before) || pair.now.account === pair.before.account) &&
      !(before.accounts.has(pair.now.account) && now.accounts.has(pair.before.account)),
  );
  add('reference', await withoutStrangers(parts, byReference));
  const isNew = (row: Payee) => !before.accounts.has(row.account) && !isPaired.has(row);
  const isGone = (row: Payee) => !now.accounts.has(row.account) && !isPaired.has(row);
  add('name', pairedBy('called', now.rows.filter(isNew), before.rows.filter(isGone)));
  return pairs;
}

function pairedAgain(now: Payees, before: Payees, again: readonly MovedAccount[]): readonly Pair[] {
  if (again.length === 0) return [];
  const [ours, theirs] = [now, before].map(({ rows }) => new Map(rows.map((row) => [row.id, row])));
  return again.flatMap((moved): readonly Pair[] => {
    const row = ours?.get(payoutNumber(moved.payoutId));
    const other = theirs?.get(payoutNumber(moved.before));
    const isMoved = row !== undefined && other !== undefined && row.account !== other.account;
    return isMoved ? [{ now: row, before: other }] : [];
  });
}

/** By a value that stands once on each side. */
function pairedBy(
  column: 'reference' | 'called',
  now: readonly Payee[],
  before: readonly Payee[],
): readonly Pair[] {
  const [ours, theirs] = [onceIn(now, column), onceIn(before, column)];
  return [...ours].flatMap(([value, row]) => {
    const other = theirs.get(value);
    return row === undefined || other === undefined ? [] : [{ now: row, before: other }];
  });
}

/** The row of each value; undefined where several have it. */
function onceIn(rows: readonly Payee[], column: 'reference' | 'called'): Map<number, Payee | undefined> {
  const found = new Map<number, Payee | undefined>();
  for (const row of rows)
    if (row[column] !== 0) found.set(row[column], found.has(row[column]) ? undefined : row);
  return found;
}

const NAMES_AT_ONCE = 1_000;

async function withoutStrangers(parts: LedgerParts, pairs: readonly Pair[]): Promise<readonly Pair[]> {
  const isRenamed = ({ now, before }: Pair) =>
    now.written !== 0 && before.written !== 0 && now.written !== before.written;
  const renamed = pairs.filter(isRenamed);
  const strangers = new Set<Pair>();
  for (let at = 0; at < renamed.length; at += NAMES_AT_ONCE) {
    const some = renamed.slice(at, at + NAMES_AT_ONCE);
    const payouts = await payoutsByIds(
      parts,
      some.flatMap(({ now, before }) => [now.id, before.id]),
    );
    for (const pair of some)
      if (areStrangers(payouts.get(pair.now.id)?.instruction, payouts.get(pair.before.id)?.instruction))
        strangers.add(pair);
    await turnOfOthers();
  }
  return pairs.filter((pair) => !strangers.has(pair));
}

/**
 * Two persons by what the files write: a name written otherwise (an initial more), or in another country, is the same
 * person's; a new name is a new person's. The name of the account proves nothing.
 */
function areStrangers(now: Instruction | undefined, before: Instruction | undefined): boolean {
  if (now?.name === undefined || before?.name === undefined) return false;
  return compareNames(before.name, now.name, now.destinationIso).result === 'no_match';
}

/** A name with more accounts than this is not one person's. */
const ACCOUNTS_OF_A_PERSON = 3;

/**
 * Looked for in the newest of the earlier batches that paid the person. Whoever is not in a batch is looked for in the one
 * before it: a person who was left out last month is not new this month. In batches of other kinds a person is looked for by
 * the written name: references and accounts there are of other people's rows. An account that such a batch paid since then
 * under this name is known.
 */
async function movedAccounts(
  parts: LedgerParts,
  batch: BatchId,
  { earlier, again }: Parameters<PaymentMemory['movedAccounts']>[1],
): Promise<readonly MovedAccount[]> {
  if (earlier.length === 0) return [];
  const now = await payeesOf(parts, { batch });
  const found = new Map<Payee, Payee>();
  const namesakes = new Map<Payee, Payee>();
  /** Rows whose person was not met yet. */
  const open = new Set(now.rows);
  /** By account and written name: the newest payment of a batch of another kind. */
  const paidElsewhere = new Map<string, number>();
  for (const previous of earlier) {
    if (open.size === 0 && found.size === 0) break;
    const before = agreedIn(await payeesOf(parts, previous));
    // Not in a whole batch, where a reference may only count the rows: the single payments are compared for themselves.
    const isOther = previous.isOtherKind === true;
    const pairs = isOther ? [] : await pairUp(parts, now, before, previous.batch === undefined ? again : []);
    const isCertain = certaintyOf(now, before);
    const moved = pairs.filter((pair) => open.has(pair.now) && isWaiting(pair.now) && isCertain(pair));
    for (const pair of moved) found.set(pair.now, pair.before);
    for (const pair of namesakesOf(open, before))
      if (!namesakes.has(pair.now)) namesakes.set(pair.now, pair.before);
    if (isOther) notePaid(before, paidElsewhere);
    for (const row of open)
      if (isOther ? paidElsewhere.has(personAt(row)) : before.accounts.has(row.account)) open.delete(row);
    for (const pair of moved) open.delete(pair.now);
    await turnOfOthers();
  }
  // An account that any of the batches paid is not new.
  for (const [row, before] of namesakes) if (open.has(row)) found.set(row, before);
  for (const [row, before] of found)
    if ((paidElsewhere.get(personAt(row)) ?? 0) > before.id) found.delete(row);
  const idOf = ({ id }: Payee) => asPayoutId(String(id));
  const inOrder = [...found].sort(([one], [other]) => one.id - other.id);
  return inOrder.map(([row, before]) => ({ payoutId: idOf(row), before: idOf(before) }));
}

const personAt = ({ account, written }: Payee) => `${account} ${written}`;

function notePaid({ rows }: Payees, paid: Map<string, number>): void {
  for (const row of rows)
    if (row.written !== 0 && (row.status === 'settled' || row.status === 'accepted'))
      paid.set(personAt(row), Math.max(row.id, paid.get(personAt(row)) ?? 0));
}

/**
 * Pairs that are one person for certain enough to hold a row. Names that the service gave prove nothing: in a file without
 * names, namesakes would be one person. Where only a reference says so, it may merely count the rows:
 * the old account is then still paid now, under a reference that was there before, or the new one is that of somebody who
 * was paid before and has no row more.
 */
function certaintyOf(now: Payees, before: Payees): (pair: PairSaid) => boolean {
  const references = new Set(before.rows.map(({ reference }) => reference));
  references.delete(0);
  const stayed = new Set(
    now.rows.filter(({ reference }) => references.has(reference)).map(({ account }) => account),
  );
  return ({ now: row, before: other, by: said }) => {
    const isNamed = row.written !== 0 && other.written !== 0;
    if (said === 'name') return isNamed;
    if (said !== 'reference' || isNamed || (row.called !== 0 && row.called === other.called)) return true;
    const rowsBefore = before.accounts.get(row.account)?.rows ?? 0;
    const hasNoRowMore = rowsBefore > 0 && rowsBefore >= (now.accounts.get(row.account)?.rows ?? 0);
    return !stayed.has(other.account) && !hasNoRowMore;
  };
}

/** Rows to an account that was not paid before, under a name of the file that was; each with the first payment of that name. */
function namesakesOf(open: ReadonlySet<Payee>, before: Payees): readonly Pair[] {
  const people = new Map<number, { first: Payee; readonly accounts: Set<number> }>();
  for (const row of before.rows) {
    if (row.written === 0) continue;
    const person = people.get(row.written) ?? { first: row, accounts: new Set() };
    people.set(row.written, person);
    if (row.id < person.first.id) person.first = row;
    person.accounts.add(row.account);
  }
  return [...open].flatMap((row) => {
    const person = people.get(row.written);
    const isNew = isWaiting(row) && !before.accounts.has(row.account);
    return isNew && person !== undefined && person.accounts.size <= ACCOUNTS_OF_A_PERSON
      ? [{ now: row, before: person.first }]
      : [];
  });
}

/**
 * Pairs by reference, the newest payment first, that no payment was made for since then; nor was one made to the account
 * under this reference before, which may only count the rows of a file. A row that names the payment is found by that.
 */
const failedPairs = (batch: number, among: readonly number[]) => q`SELECT me.id AS now, other.id AS before
  FROM payouts me ${thenJoin} payouts other ${by('payouts_reference')}
    ON other.reference_key = me.reference_key AND other.remembered IS NOT NULL
  WHERE me.batch = ${batch} AND me.${IN_FILE} AND me.replaces IS NULL AND me.status NOT IN ('invalid','canceled')
    AND other.batch IN ${ids(among)} AND other.${IN_FILE} AND other.status IN ${UNPAID}
    AND NOT EXISTS (SELECT 1 FROM payouts p WHERE p.living_root = other.root)
    AND NOT EXISTS (SELECT 1 FROM payouts p ${by('payouts_reference')} WHERE p.reference_key = me.reference_key
      AND p.remembered IS NOT NULL AND p.memory_at > 0 AND p.batch <> me.batch
      AND (p.id > other.id OR (p.route = me.route AND p.account = me.account)))`;
const UNPAID = text("('failed','returned')");

/** Of each row the newest failed payment of this person; found where it went to another account. */
async function failedBefore(parts: LedgerParts, batch: number, asked: readonly number[]) {
  const { read: sql } = parts;
  const failed =
    await sql.all(q`SELECT DISTINCT batch FROM payouts WHERE batch IN ${ids(asked)} AND ${IN_FILE}
    AND status IN ${UNPAID} AND reference_key IS NOT NULL`);
  const among = failed.map((row) => numberOf(row['batch']));
  const found = new Map<Payout, Payout | undefined>();
  if (among.length > 0)
    for await (const [from, to] of fileSlices(sql, batch)) {
      const rows = await sql.all(q`${failedPairs(batch, among)}
        AND me.position >= ${from} AND me.position <= ${to} ORDER BY me.position, other.id DESC`);
      const pairs = rows.map(({ now, before }) => [numberOf(now), numberOf(before)] as const);
      const payouts = await payoutsByIds(parts, pairs.flat());
      for (const pair of pairs) {
        const [now, before] = pair.map((id) => payouts.get(id));
        if (!now || !before || found.has(now) || areStrangers(now.instruction, before.instruction)) continue;
        found.set(now, accountOf(now) === accountOf(before) ? undefined : before);
      }
    }
  return [...found].flatMap(([now, before]) => (before ? [{ payoutId: now.id, before: before.id }] : []));
}

function accountOf({ instruction }: Payout): string | undefined {
  return (
    instruction && `${accountMark(instruction, instruction.account.reveal())} ${instruction.amount.currency}`
  );
}
