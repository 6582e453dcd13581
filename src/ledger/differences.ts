/**
 * How the people, accounts and amounts of two batches differ, by the index of who each of them pays. Only what is listed is
 * read again.
 */
import {
  type AmountJump,
  type ChangedRow,
  type Difference,
  type HolderChange,
  holderOf,
  isJump,
  type Listed,
  type NewAccount,
  otherHolder,
} from '../domain/batches/batch-changes.ts';
import type { Payout } from '../domain/payouts/payout.ts';
import { maskOf } from '../domain/text/sensitive.ts';
import type { ReportLedger } from '../ports/ledger/reports.ts';
import type { LedgerParts } from './parts.ts';
import {
  type Account,
  agreedIn,
  type Pair,
  type PairSaid,
  type Payee,
  type Payees,
  pairUp,
  payeesIn,
  payeesOf,
} from './payees.ts';
import { payoutsByIds } from './payouts.ts';
import { batchNumber, IN_FILE } from './rows.ts';
import { numberOf, q } from './sql.ts';

const ROWS_MAX = 250_000;
const LISTED_MAX = 1_000;

/** `difference` of the port: undefined when one of the two has too many rows. */
export function differing(parts: LedgerParts): Pick<ReportLedger, 'difference'> {
  return {
    async difference(id, previous, { jumpPercent, again }) {
      for (const batch of [id, previous.batch]) {
        if (batch === undefined) continue;
        const count = await parts.read.get(
          q`SELECT count(*) AS n FROM payouts WHERE batch = ${batchNumber(batch)} AND ${IN_FILE}`,
        );
        if (numberOf(count?.['n']) > ROWS_MAX) return undefined;
      }
      // Somebody whose payment of then waits still is not new.
      const known = await payeesOf(parts, previous);
      const before = agreedIn(known);
      const now = await payeesOf(parts, { batch: id });
      const pairs = await pairUp(parts, now, before, again);
      const added = aloneIn(now, { without: known, paired: pairs.map((pair) => pair.now) });
      const missing = aloneIn(before, { without: now, paired: pairs.map((pair) => pair.before) });
      return {
        newAccounts: await listed(parts, inFileOrder(pairs, now), newAccount),
        newHolders: await listed(parts, newHolders(now, before), holderChange),
        added: await listed(parts, added, changedRow),
        missing: await listed(parts, missing, changedRow),
        jumps: await listed(parts, jumpsIn(now, before, jumpPercent), amountJump),
        totals: totalsIn(now, before),
      };
    },
  };
}

/** One payment, or two that are compared. */
interface Found {
  readonly now: Payee;
  readonly before?: Payee;
}

/** All are counted; the first are read and listed, by row. */
async function listed<Each extends Found, Item extends { readonly row: number }>(
  parts: LedgerParts,
  all: readonly Each[],
  itemOf: (found: Each, now: Payout, before: Payout) => Item | undefined,
): Promise<Listed<Item>> {
  const some = all.slice(0, LISTED_MAX);
  const idsOf = ({ now, before = now }: Found) => [now.id, before.id];
  const payouts = await payoutsByIds(parts, some.flatMap(idsOf));
  const list = some.flatMap((found) => {
    const [now, before] = idsOf(found).map((id) => payouts.get(id));
    return (now && before && itemOf(found, now, before)) ?? [];
  });
  return { count: all.length, list: list.sort((one, other) => one.row - other.row) };
}

function inFileOrder(pairs: readonly PairSaid[], { rows }: Payees): readonly PairSaid[] {
  const byRow = Map.groupBy(pairs, ({ now }) => now);
  return rows.flatMap((row) => byRow.get(row) ?? []);
}

function newAccount({ by }: PairSaid, now: Payout, before: Payout): NewAccount | undefined {
  const [ours, theirs] = [now.instruction, before.instruction];
  if (ours === undefined || theirs === undefined) return undefined;
  const other = otherHolder(now, before);
  return {
    row: now.rowNumber,
    rowBefore: before.rowNumber,
    by,
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

/**
 * Accounts that both pay and that belong to somebody else now, as the service named their holders then and now. Names count
 * as they are folded: another order of the words, or other capitals, is the same holder.
 */
function newHolders(now: Payees, before: Payees): readonly Pair[] {
  const isNamed = ({ holder }: Payee) => holder !== 0;
  const theirs = Map.groupBy(before.rows.filter(isNamed), ({ account }) => account);
  const seen = new Map<string, Pair>();
  for (const row of now.rows.filter(isNamed)) {
    const others = theirs.get(row.account) ?? [];
    const last = others.at(-1);
    const key = `${row.account} ${row.holder}`;
    if (last === undefined || seen.has(key) || others.some(({ holder }) => holder === row.holder)) continue;
    seen.set(key, { now: row, before: last });
  }
  return [...seen.values()];
}

function holderChange(_: Pair, now: Payout, before: Payout): HolderChange | undefined {
  const [holder, holderBefore] = [holderOf(now), holderOf(before)];
  if (holder === undefined || holderBefore === undefined) return undefined;
  return { row: now.rowNumber, holder, holderBefore };
}

interface Summed extends Found {
  readonly minor: bigint;
}

/** Accounts that only one side pays, but for those whose person is on the other side under another account. */
function aloneIn(
  { accounts }: Payees,
  { without, paired }: { readonly without: Payees; readonly paired: readonly Payee[] },
): readonly Summed[] {
  const isPaired = new Set(paired.map(({ account }) => account));
  const isAlone = (account: number) => !without.accounts.has(account) && !isPaired.has(account);
  return [...accounts].flatMap(([account, { first, minor }]) =>
    isAlone(account) ? [{ now: first, minor }] : [],
  );
}

function changedRow({ now: { currency }, minor }: Summed, payout: Payout): ChangedRow {
  const { rowNumber: row, instruction } = payout;
  return { row, name: nameOf(payout), reference: instruction?.reference, amount: { minor, currency } };
}

interface Jumped extends Summed {
  readonly rows: number;
  readonly was: bigint;
}

/** A held row counts only where the plan pays no other row of its account. */
function jumpsIn(now: Payees, before: Payees, percent: number): readonly Jumped[] {
  const paid = payeesIn(now.rows.filter(({ status }) => status !== 'held'));
  return [...now.accounts].flatMap(([account, all]) => {
    const { first, rows, minor } = paid.accounts.get(account) ?? all;
    const was = before.accounts.get(account)?.minor;
    return was !== undefined && isJump(was, minor, percent) ? [{ now: first, rows, minor, was }] : [];
  });
}

function amountJump({ now: { currency }, rows, minor, was }: Jumped, payout: Payout): AmountJump {
  const money = (amount: bigint) => ({ minor: amount, currency });
  return { row: payout.rowNumber, rows, name: nameOf(payout), before: money(was), now: money(minor) };
}

function totalsIn(...sides: readonly [now: Payees, before: Payees]): Difference['totals'] {
  const [is, was] = sides.map(({ accounts }) =>
    Map.groupBy(accounts.values(), ({ first }) => first.currency),
  );
  const sumOf = (accounts: readonly Account[] = []) => ({
    rows: accounts.reduce((sum, { rows }) => sum + rows, 0),
    minor: accounts.reduce((sum, { minor }) => sum + minor, 0n),
  });
  return [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])].sort().map((currency) => {
    const [now, before] = [sumOf(is?.get(currency)), sumOf(was?.get(currency))];
    return {
      ...{ currency, rowsBefore: before.rows, rows: now.rows },
      ...{ before: { minor: before.minor, currency }, now: { minor: now.minor, currency } },
    };
  });
}

function nameOf({ instruction, state }: Payout): string | undefined {
  const sent = 'pricing' in state ? state.pricing?.wireName : undefined;
  return instruction?.name ?? (sent === '' ? undefined : sent);
}
