/**
 * Who is paid by a batch, as one index in memory: for each row digests of its account, its reference and its person. Two of
 * them are paired by person: for the difference of two batches, and for rows whose person was paid to another account.
 *
 * Units:   a digest is 53 bits, 0 where there is nothing to digest; salted by the ledger, so that nobody can look for an
 *          account that has the digest of another. A column takes 8 bytes a row: a million rows are compared in memory.
 */
import { createHash } from 'node:crypto';
import type { MovedAccount } from '../domain/batches/batch-changes.ts';
import type { PaidBefore } from '../domain/batches/paid-before.ts';
import type { CurrencyCode } from '../domain/money/currency.ts';
import { compareNames } from '../domain/names/name-check.ts';
import { accountMark } from '../domain/payouts/concern.ts';
import { WAITING } from '../domain/payouts/payout.ts';
import { foldWords } from '../domain/text/fold.ts';
import type { LedgerParts } from './parts.ts';
import { turnOfOthers } from './payouts.ts';
import type { Route } from './routes.ts';
import { batchNumber, IN_FILE, payoutNumber } from './rows.ts';
import { AGREED } from './schema.ts';
import { ids, jsonText, numberOf, type Query, q, type Row } from './sql.ts';

/** Rows of one side, in file order; a row is its place in each of the lists. */
export interface Payees {
  readonly id: number[];
  /** Not in it: nobody has agreed to it. */
  readonly waits: boolean[];
  readonly account: number[];
  readonly reference: number[];
  /** As the file writes the person. */
  readonly written: number[];
  /** As the file, or else the request, writes the person. */
  readonly called: number[];
  /** As the service named the account's holder. */
  readonly holder: number[];
  readonly minor: bigint[];
  readonly currency: CurrencyCode[];
  /** How many rows an account has. */
  readonly rowsOf: Map<number, number>;
}
export type Column = 'account' | 'reference' | 'called';

const STATE = q`${jsonText('state', 'pricing', 'wireName')} AS sent, ${jsonText('state', 'pricing', 'nameCheck', 'resolved')} AS holder`;

/** Withdrawn and unreadable rows are nobody's payment; of the batch before, only what was agreed to is. */
export async function payeesOf(
  { read: sql, routes, identity }: LedgerParts,
  { batch, without, also }: PaidBefore,
  counted: 'agreed' | 'all',
): Promise<Payees> {
  const payees: Payees = {
    ...{ id: [], waits: [], account: [], reference: [], written: [], called: [], holder: [] },
    ...{ minor: [], currency: [], rowsOf: new Map() },
  };
  const left = new Set(without.map(payoutNumber));
  const others = new Set(also.map(payoutNumber));
  const waiting = counted === 'agreed' ? q`` : q`OR status IN ('planned','held','quoted')`;
  const rowsOf = (which: Query) =>
    sql.each(q`SELECT id, status, route, account, minor, reference_key, name, ${STATE} FROM payouts
      WHERE ${which} AND route IS NOT NULL AND (status IN ${AGREED} ${waiting}) ORDER BY position, id`);
  const keep = async (found: AsyncIterable<readonly Row[]>, isKept: (id: number) => boolean) => {
    for await (const rows of found) {
      await routes.load(sql, rows);
      for (const row of rows)
        if (isKept(numberOf(row['id'])))
          addPayee(payees, row, routes.byId(Number(row['route'])), identity.salt);
    }
  };
  if (others.size > 0) await keep(rowsOf(q`id IN ${ids([...others])}`), () => true);
  // One that counts besides may be one of the batch.
  if (batch !== undefined)
    await keep(
      rowsOf(q`batch = ${batchNumber(batch)} AND ${IN_FILE}`),
      (id) => !left.has(id) && !others.has(id),
    );
  return payees;
}

function addPayee(payees: Payees, row: Row, route: Route, salt: string): void {
  const person = (text: unknown) => {
    const words = typeof text === 'string' ? [...foldWords(text)].sort().join(' ') : '';
    return words === '' ? 0 : digestOf(salt, [route.iso, words]);
  };
  const account = accountDigest(salt, route, String(row['account']));
  const reference = row['reference_key'];
  const written = person(row['name']);
  payees.id.push(numberOf(row['id']));
  payees.waits.push((WAITING as readonly unknown[]).includes(row['status']));
  payees.account.push(account);
  payees.reference.push(reference instanceof Uint8Array ? numberIn(reference) : 0);
  payees.written.push(written);
  payees.called.push(written === 0 ? person(row['sent']) : written);
  payees.holder.push(person(row['holder']));
  payees.minor.push((row['minor'] as bigint | null) ?? 0n);
  payees.currency.push(route.currency as CurrencyCode);
  payees.rowsOf.set(account, (payees.rowsOf.get(account) ?? 0) + 1);
}

/** Of the account as people mean it, in its currency. */
export function accountDigest(
  salt: string,
  { iso, institutionName, currency }: Route,
  account: string,
): number {
  return digestOf(salt, [accountMark({ destinationIso: iso, institutionName }, account), currency]);
}

function digestOf(salt: string, texts: readonly string[]): number {
  return numberIn(
    createHash('sha256')
      .update(`${salt}${JSON.stringify(texts)}`)
      .digest(),
  );
}

/** Never 0. */
function numberIn(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return (view.getUint32(0) & 0x1fffff) * 2 ** 32 + view.getUint32(4) || 1;
}

/** A row, the row of the same person before, and what says so: `renamed` is by reference, under names that are alike. */
export interface Pair {
  readonly now: number;
  readonly before: number;
  readonly how: 'paid_again' | 'reference' | 'renamed' | 'name';
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
): Promise<readonly Pair[]> {
  const known = pairedAgain(now, before, again);
  const byReference = await withoutStrangers(parts, pairedByReference(now, before, known), now, before);
  const certain = [...known, ...byReference];
  return [...certain, ...pairedByName(now, before, certain)];
}

function pairedAgain(now: Payees, before: Payees, again: readonly MovedAccount[]): readonly Pair[] {
  if (again.length === 0) return [];
  const [ours, theirs] = [now, before].map(({ id }) => new Map(id.map((each, row) => [each, row])));
  return again.flatMap((moved): readonly Pair[] => {
    const row = ours?.get(payoutNumber(moved.payoutId));
    const other = theirs?.get(payoutNumber(moved.before));
    if (row === undefined || other === undefined || now.account[row] === before.account[other]) return [];
    return [{ now: row, before: other, how: 'paid_again' }];
  });
}

function pairedByReference(now: Payees, before: Payees, known: readonly Pair[]): readonly Pair[] {
  const { isNow, isBefore } = pairedIn(known);
  const theirs = onceIn(before, 'reference', () => true);
  const pairs: Pair[] = [];
  for (const [reference, row] of onceIn(now, 'reference', () => true)) {
    const other = theirs.get(reference);
    if (row < 0 || other === undefined || other < 0 || isNow(row) || isBefore(other)) continue;
    const [account, accountBefore] = [now.account[row] ?? 0, before.account[other] ?? 0];
    const arePaid = before.rowsOf.has(account) && now.rowsOf.has(accountBefore);
    if (account === accountBefore || arePaid) continue;
    const [name, nameBefore] = [now.written[row] ?? 0, before.written[other] ?? 0];
    const isRenamed = name !== 0 && nameBefore !== 0 && name !== nameBefore;
    pairs.push({ now: row, before: other, how: isRenamed ? 'renamed' : 'reference' });
  }
  return pairs;
}

function pairedByName(now: Payees, before: Payees, known: readonly Pair[]): readonly Pair[] {
  const { isNow, isBefore } = pairedIn(known);
  const isNew = (row: number) => !before.rowsOf.has(now.account[row] ?? 0) && !isNow(row);
  const isGone = (row: number) => !now.rowsOf.has(before.account[row] ?? 0) && !isBefore(row);
  const theirs = onceIn(before, 'called', isGone);
  return [...onceIn(now, 'called', isNew)].flatMap(([name, row]): readonly Pair[] => {
    const other = theirs.get(name) ?? -1;
    return row < 0 || other < 0 ? [] : [{ now: row, before: other, how: 'name' }];
  });
}

function pairedIn(pairs: readonly Pair[]) {
  const [ours, theirs] = [new Set(pairs.map(({ now }) => now)), new Set(pairs.map(({ before }) => before))];
  return { isNow: (row: number) => ours.has(row), isBefore: (row: number) => theirs.has(row) };
}

/** The row of each value; -1 where several have it. */
function onceIn(payees: Payees, column: Column, isAsked: (row: number) => boolean): Map<number, number> {
  const found = new Map<number, number>();
  for (const [row, value] of payees[column].entries())
    if (value !== 0 && isAsked(row)) found.set(value, found.has(value) ? -1 : row);
  return found;
}

const NAMES_AT_ONCE = 1_000;

/** A name written otherwise (an initial more), or in another country, is the same person's; a new name is a new person's. */
async function withoutStrangers(
  { read: sql, routes }: LedgerParts,
  pairs: readonly Pair[],
  now: Payees,
  before: Payees,
): Promise<readonly Pair[]> {
  const renamed = pairs.filter(({ how }) => how === 'renamed');
  const strangers = new Set<Pair>();
  for (let at = 0; at < renamed.length; at += NAMES_AT_ONCE) {
    const some = renamed.slice(at, at + NAMES_AT_ONCE);
    const both = some.flatMap((pair) => [now.id[pair.now] ?? 0, before.id[pair.before] ?? 0]);
    const rows = await sql.all(q`SELECT id, name, route FROM payouts WHERE id IN ${ids(both)}`);
    const byId = new Map(rows.map((row) => [numberOf(row['id']), row]));
    for (const pair of some) {
      const [ours, theirs] = [byId.get(now.id[pair.now] ?? 0), byId.get(before.id[pair.before] ?? 0)];
      if (ours === undefined || theirs === undefined) continue;
      const { iso } = routes.byId(Number(ours['route']));
      const { result } = compareNames(String(theirs['name']), String(ours['name']), iso);
      if (result === 'no_match') strangers.add(pair);
    }
    await turnOfOthers();
  }
  return pairs.filter((pair) => !strangers.has(pair));
}
