/**
 * Waiting rows whose person was paid to another account before: held when nobody sees the plan. Stricter than what a person
 * is shown: a new account next to the old one, under the same name, is held too, because part of a salary could go there.
 * And rows with the reference of a payment that failed or came back, and another account: most likely that payment once more,
 * corrected by hand in a file that does not name it.
 */
import type { MovedAccount } from '../domain/batches/batch-changes.ts';
import type { PaidBefore } from '../domain/batches/paid-before.ts';
import { compareNames } from '../domain/names/name-check.ts';
import { asPayoutId, type BatchId } from '../domain/payouts/instruction.ts';
import type { PaymentMemory } from '../ports/ledger/payment-memory.ts';
import type { LedgerParts } from './parts.ts';
import { accountDigest, type Pair, type Payees, pairUp, payeesOf } from './payees.ts';
import { turnOfOthers } from './payouts.ts';
import { batchNumber, IN_FILE } from './rows.ts';
import { by, ids, q, type Row, type Sql } from './sql.ts';

/** A name with more accounts than this is not one person's. */
const ACCOUNTS_OF_A_PERSON = 3;

type Own = Pick<PaymentMemory, 'movedAccounts' | 'failedBefore'>;

export function followingAccounts(parts: LedgerParts): Own {
  return {
    movedAccounts: (id, asked) => movedAccountsOf(parts, id, asked),
    failedBefore: (id, among) => failedReferencesOf(parts, batchNumber(id), among.map(batchNumber)),
  };
}

/**
 * Looked for in the newest of the earlier batches that paid the person. Whoever is not in a batch is looked for in the one
 * before it: a person who was left out last month is not new this month. A batch of a kind that was never approved before
 * has nothing to be compared with.
 */
async function movedAccountsOf(
  parts: LedgerParts,
  batch: BatchId,
  { earlier, again }: { readonly earlier: readonly PaidBefore[]; readonly again: readonly MovedAccount[] },
): Promise<readonly MovedAccount[]> {
  if (earlier.length === 0) return [];
  const now = await payeesOf(parts, { batch, without: [], also: [] }, 'all');
  const found = new Map<number, number>();
  const namesakes = new Map<number, number>();
  /** Rows whose person was not met yet. */
  const open = new Set(now.id.keys());
  for (const previous of earlier) {
    if (open.size === 0) break;
    const before = await payeesOf(parts, previous, 'agreed');
    // Not in a whole batch, where a reference may only count the rows: the single payments are compared for themselves.
    const pairs = await pairUp(parts, now, before, previous.batch === undefined ? again : []);
    const isCertain = certaintyOf(now, before);
    const moved = pairs.filter((pair) => open.has(pair.now) && now.waits[pair.now] && isCertain(pair));
    for (const pair of moved) found.set(pair.now, before.id[pair.before] ?? 0);
    for (const [row, other] of namesakesOf(now, before, open))
      if (!namesakes.has(row)) namesakes.set(row, other);
    for (const row of open) if (before.rowsOf.has(now.account[row] ?? 0)) open.delete(row);
    for (const pair of moved) open.delete(pair.now);
    await turnOfOthers();
  }
  // An account that any of the batches paid is not new.
  for (const [row, before] of namesakes) if (open.has(row)) found.set(row, before);
  return [...found]
    .map(([row, before]) => ({ now: now.id[row] ?? 0, before }))
    .sort((one, other) => one.now - other.now)
    .map((pair) => ({ payoutId: asPayoutId(String(pair.now)), before: asPayoutId(String(pair.before)) }));
}

/**
 * Pairs that are one person for certain enough to hold a row. Where only a reference says so, it may merely count the rows:
 * the old account is then still paid now, under a reference that was there before, or the new one is that of somebody who
 * was paid before and has no row more.
 */
function certaintyOf(now: Payees, before: Payees): (pair: Pair) => boolean {
  const references = new Set(before.reference);
  references.delete(0);
  const stayed = new Set(now.account.filter((_, row) => references.has(now.reference[row] ?? 0)));
  return ({ now: row, before: other, how }) => {
    if (how !== 'reference') return true;
    const [name, account] = [now.called[row] ?? 0, now.account[row] ?? 0];
    if (name !== 0 && name === before.called[other]) return true;
    const rowsBefore = before.rowsOf.get(account);
    const hasNoRowMore = rowsBefore !== undefined && rowsBefore >= (now.rowsOf.get(account) ?? 0);
    return !stayed.has(before.account[other] ?? 0) && !hasNoRowMore;
  };
}

/** Rows to an account that was not paid before, under a name that was; each with the first payment of that name. */
function namesakesOf(now: Payees, before: Payees, open: ReadonlySet<number>): ReadonlyMap<number, number> {
  const people = new Map<number, { id: number; readonly accounts: Set<number> }>();
  for (const [row, name] of before.called.entries()) {
    if (name === 0) continue;
    const id = before.id[row] ?? 0;
    const person = people.get(name) ?? { id, accounts: new Set() };
    people.set(name, person);
    person.id = Math.min(person.id, id);
    person.accounts.add(before.account[row] ?? 0);
  }
  const found = new Map<number, number>();
  for (const row of open) {
    const person = people.get(now.called[row] ?? 0);
    const isNew = !before.rowsOf.has(now.account[row] ?? 0);
    if (now.waits[row] && isNew && person !== undefined && person.accounts.size <= ACCOUNTS_OF_A_PERSON)
      found.set(row, person.id);
  }
  return found;
}

const COLUMNS = q`id, batch, root, route, account, name, reference_key`;

/** `among`: the batches whose payments failed. */
async function failedReferencesOf(
  { read: sql, routes, identity }: LedgerParts,
  batch: number,
  among: readonly number[],
): Promise<readonly MovedAccount[]> {
  const ended = await sql.all(q`SELECT ${COLUMNS} FROM payouts WHERE batch IN ${ids(among)} AND ${IN_FILE}
    AND status IN ('failed','returned') AND reference_key IS NOT NULL ORDER BY id DESC`);
  const keyOf = ({ reference_key }: Row) => Buffer.from(reference_key as Uint8Array).toString('latin1');
  const failed = Map.groupBy(ended, keyOf);
  if (failed.size === 0) return [];
  await routes.load(sql, ended);
  const accountOf = (row: Row) =>
    accountDigest(identity.salt, routes.byId(Number(row['route'])), String(row['account']));
  const isOther = (row: Row, before: Row) =>
    isOtherPerson(row, before, routes.byId(Number(row['route'])).iso);
  const found: MovedAccount[] = [];
  // A row that names the payment is found by that.
  const all =
    sql.each(q`SELECT ${COLUMNS} FROM payouts WHERE batch = ${batch} AND ${IN_FILE} AND replaces IS NULL
    AND reference_key IS NOT NULL AND status NOT IN ('invalid','canceled') ORDER BY position`);
  for await (const rows of all) {
    await routes.load(sql, rows);
    for (const row of rows) {
      // The newest that is this person's and was not paid since.
      for (const before of failed.get(keyOf(row)) ?? []) {
        if (isOther(row, before) || (await isDone(sql, batch, row, before))) continue;
        if (accountOf(row) !== accountOf(before))
          found.push({ payoutId: asPayoutId(String(row['id'])), before: asPayoutId(String(before['id'])) });
        break;
      }
    }
  }
  return found;
}

/** Paid since then, or the account was paid under this reference before, which may only count the rows of a file. */
async function isDone(sql: Sql, batch: number, row: Row, before: Row): Promise<boolean> {
  const { root = null, id = null, reference_key = null } = before;
  const { route = null, account = null } = row;
  const done = await sql.get(q`SELECT 1 AS it FROM payouts WHERE living_root = ${root} UNION ALL
    SELECT 1 FROM payouts ${by('payouts_reference')} WHERE reference_key = ${reference_key} AND remembered IS NOT NULL
      AND memory_at > 0 AND batch <> ${batch} AND (id > ${id} OR (route = ${route} AND account = ${account})) LIMIT 1`);
  return done !== undefined;
}

/** A new name under an old reference is a new person's; the name of the account proves nothing. */
function isOtherPerson({ name }: Row, before: Row, iso: Parameters<typeof compareNames>[2]): boolean {
  if (typeof name !== 'string' || typeof before['name'] !== 'string') return false;
  return compareNames(before['name'], name, iso).result === 'no_match';
}
