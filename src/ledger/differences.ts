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
import type { CurrencyCode } from '../domain/money/currency.ts';
import type { Payout } from '../domain/payouts/payout.ts';
import { maskOf } from '../domain/text/sensitive.ts';
import type { ReportLedger } from '../ports/ledger/reports.ts';
import type { LedgerParts } from './parts.ts';
import { type Pair, type Payees, pairUp, payeesOf } from './payees.ts';
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
      const before = await payeesOf(parts, previous, 'agreed');
      const now = await payeesOf(parts, { batch: id, without: [], also: [] }, 'all');
      const pairs = await pairUp(parts, now, before, again);
      return read(
        { parts, now, before, pairs, accounts: [accountsOf(before), accountsOf(now)] },
        jumpPercent,
      );
    },
  };
}

interface Compared {
  readonly parts: LedgerParts;
  readonly now: Payees;
  readonly before: Payees;
  readonly pairs: readonly Pair[];
  readonly accounts: readonly [before: Accounts, now: Accounts];
}

/** By account: the first of its rows, and all that it is paid. */
type Accounts = ReadonlyMap<number, { readonly row: number; readonly minor: bigint }>;

function accountsOf({ account, minor }: Payees): Accounts {
  const accounts = new Map<number, { row: number; minor: bigint }>();
  for (const [row, key] of account.entries()) {
    const known = accounts.get(key) ?? { row, minor: 0n };
    accounts.set(key, known);
    known.minor += minor[row] ?? 0n;
  }
  return accounts;
}

async function read(compared: Compared, jumpPercent: number): Promise<Difference> {
  const { pairs, now, before, accounts } = compared;
  const [had, has] = accounts;
  const paired = (side: Payees, column: 'now' | 'before') =>
    new Set(pairs.map((pair) => side.account[pair[column]]));
  return {
    newAccounts: await newAccountsIn(compared),
    newHolders: await newHoldersIn(compared),
    added: await alone(compared.parts, now, { own: has, other: had, paired: paired(now, 'now') }),
    missing: await alone(compared.parts, before, { own: had, other: has, paired: paired(before, 'before') }),
    jumps: await jumpsIn(compared, jumpPercent),
    totals: totalsIn(now, before),
  };
}

/** All are counted; the first are read and listed, by row. */
async function listed<Found, Item extends { readonly row: number }>(
  parts: LedgerParts,
  all: readonly Found[],
  {
    idsOf,
    itemOf,
  }: {
    idsOf(found: Found): readonly number[];
    itemOf(found: Found, payouts: readonly Payout[]): Item | undefined;
  },
): Promise<Listed<Item>> {
  const some = all.slice(0, LISTED_MAX);
  const payouts = await payoutsByIds(parts, [...new Set(some.flatMap(idsOf))]);
  const list = some.flatMap((found) => {
    const own = idsOf(found).flatMap((id) => payouts.get(id) ?? []);
    return (own.length === idsOf(found).length ? itemOf(found, own) : undefined) ?? [];
  });
  return { count: all.length, list: list.sort((one, other) => one.row - other.row) };
}

function newAccountsIn({ parts, pairs, now, before }: Compared): Promise<Listed<NewAccount>> {
  const all = pairs.toSorted((one, other) => one.now - other.now);
  return listed(parts, all, {
    idsOf: (pair) => [now.id[pair.now] ?? 0, before.id[pair.before] ?? 0],
    itemOf({ how }, [is, was]) {
      const [ours, theirs] = [is?.instruction, was?.instruction];
      if (!is || !was || !ours || !theirs) return undefined;
      const other = otherHolder(is, was);
      return {
        row: is.rowNumber,
        rowBefore: was.rowNumber,
        by: how === 'renamed' ? 'reference' : how,
        name: nameOf(is),
        ...(other === undefined ? {} : { holderBefore: other }),
        account: maskOf(ours.account.reveal()),
        accountBefore: maskOf(theirs.account.reveal()),
        institution: ours.institutionName,
        institutionBefore: theirs.institutionName,
        amount: ours.amount,
        amountBefore: theirs.amount,
      };
    },
  });
}

/**
 * Accounts that both pay and that belong to somebody else now, as the service named their holders then and now. Names count
 * as they are folded: another order of the words, or other capitals, is the same holder.
 */
function newHoldersIn({ parts, now, before }: Compared): Promise<Listed<HolderChange>> {
  const theirs = new Map<number, Map<number, number>>();
  for (const [row, holder] of before.holder.entries()) {
    if (holder === 0) continue;
    const account = before.account[row] ?? 0;
    theirs.set(account, (theirs.get(account) ?? new Map()).set(holder, row));
  }
  const seen = new Map<string, readonly [now: number, before: number]>();
  for (const [row, holder] of now.holder.entries()) {
    const account = now.account[row] ?? 0;
    const holders = theirs.get(account);
    const key = `${account} ${holder}`;
    if (holder === 0 || holders === undefined || holders.has(holder) || seen.has(key)) continue;
    seen.set(key, [now.id[row] ?? 0, before.id[Math.max(...holders.values())] ?? 0]);
  }
  return listed(parts, [...seen.values()], {
    idsOf: (pair) => pair,
    itemOf(_, [is, was]) {
      const [holder, holderBefore] = [holderOf(is), holderOf(was)];
      if (!is || holder === undefined || holderBefore === undefined) return undefined;
      return { row: is.rowNumber, holder, holderBefore };
    },
  });
}

interface Side {
  readonly own: Accounts;
  readonly other: Accounts;
  readonly paired: ReadonlySet<number | undefined>;
}

/** Accounts that only one side pays, but for those whose person is on the other side under another account. */
function alone(
  parts: LedgerParts,
  payees: Payees,
  { own, other, paired }: Side,
): Promise<Listed<ChangedRow>> {
  const all = [...own].filter(([account]) => !other.has(account) && !paired.has(account));
  return listed(parts, all, {
    idsOf: ([, { row }]) => [payees.id[row] ?? 0],
    itemOf: ([, { row, minor }], [payout]) =>
      payout && {
        row: payout.rowNumber,
        name: nameOf(payout),
        reference: payout.instruction?.reference,
        amount: { minor, currency: payees.currency[row] as CurrencyCode },
      },
  });
}

function jumpsIn(
  { parts, now, accounts: [had, has] }: Compared,
  percent: number,
): Promise<Listed<AmountJump>> {
  const all = [...has].flatMap(([account, is]) => {
    const was = had.get(account);
    return was !== undefined && isJump(was.minor, is.minor, percent) ? [{ ...is, was: was.minor }] : [];
  });
  return listed(parts, all, {
    idsOf: ({ row }) => [now.id[row] ?? 0],
    itemOf({ row, minor, was }, [payout]) {
      const money = (amount: bigint) => ({ minor: amount, currency: now.currency[row] as CurrencyCode });
      return payout && { row: payout.rowNumber, name: nameOf(payout), before: money(was), now: money(minor) };
    },
  });
}

function totalsIn(now: Payees, before: Payees): Difference['totals'] {
  const sumsOf = ({ currency, minor }: Payees) => {
    const sums = new Map<CurrencyCode, { rows: number; minor: bigint }>();
    for (const [row, code] of currency.entries()) {
      const sum = sums.get(code) ?? { rows: 0, minor: 0n };
      sums.set(code, sum);
      sum.rows += 1;
      sum.minor += minor[row] ?? 0n;
    }
    return sums;
  };
  const [is, was] = [sumsOf(now), sumsOf(before)];
  return [...new Set([...was.keys(), ...is.keys()])].sort().map((currency) => {
    const money = (sum: { minor: bigint } | undefined) => ({ minor: sum?.minor ?? 0n, currency });
    const [ours, theirs] = [is.get(currency), was.get(currency)];
    const rows = { rowsBefore: theirs?.rows ?? 0, rows: ours?.rows ?? 0 };
    return { currency, ...rows, before: money(theirs), now: money(ours) };
  });
}

function nameOf({ instruction, state }: Payout): string | undefined {
  const sent = 'pricing' in state ? state.pricing?.wireName : undefined;
  return instruction?.name ?? (sent === '' ? undefined : sent);
}
