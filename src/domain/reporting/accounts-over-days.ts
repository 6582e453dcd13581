/**
 * What a month is for the books: per account and currency the opening balance, what was booked, and the closing balance;
 * and the payments that are open at its end, which add up to the closing balances of their accounts.
 *
 * Units:   `minor` and all sums count minor units of the currency beside them; debits count up, credits down.
 */
import type { CurrencyCode } from '../money/currency.ts';
import { formatDecimal, type Money } from '../money/money.ts';
import { formatTimestamp, type Timestamp } from '../timestamp.ts';
import type { Booking, SentPayout, Standing } from './booking.ts';
import { whoseOf } from './journal.ts';
import {
  ACCOUNT_ROLES,
  type AccountMovement,
  type AccountRole,
  type BookedFor,
  JournalAccounts,
} from './journal-accounts.ts';
import type { Period } from './period.ts';
import { type Mutable, Tallies } from './tallies.ts';

/** At the end of the days: a payment on its way, one whose outcome is not known, or one of which a part is not shown. */
export interface OpenItem {
  readonly batch: string;
  readonly row: number;
  readonly reference: string;
  readonly name: string;
  readonly tag: string;
  readonly status: Standing['status'];
  readonly since: Timestamp;
  /** Not debited yet, as far as is known: a liability, so it counts up here. */
  readonly money: Money;
  /** What is in suspense: of a payment in doubt the whole, of another the part that is not shown. */
  readonly inSuspense: bigint;
}

export interface OpenItems {
  /** At most 10,000 of them, the oldest first. */
  readonly listed: readonly OpenItem[];
  readonly sums: readonly OpenSum[];
}

export interface OpenSum {
  readonly currency: CurrencyCode;
  readonly count: number;
  readonly minor: bigint;
  readonly inSuspense: bigint;
}

const LISTED_MAX = 10_000;

/** Counts payment after payment in flat memory. */
export class AccountsOverDays {
  readonly #period: Period;
  readonly #used: JournalAccounts;
  readonly #accounts = new Tallies<Mutable<Omit<AccountMovement, 'closing'>>>();
  readonly #sums = new Tallies<Mutable<OpenSum>>();
  readonly #listed: OpenItem[] = [];

  constructor(period: Period, used = new JournalAccounts()) {
    this.#period = period;
    this.#used = used;
  }

  add(sent: SentPayout, bookings: readonly Booking[], standing: Standing): void {
    const { startsAt, endsAt } = this.#period;
    const until = bookings.filter(({ at }) => at < endsAt);
    for (const { at, debit, credit, money } of until) {
      const { minor, currency } = money;
      const of = { batch: sent.batch?.name ?? '', currency };
      const [to, from] = [this.#account(debit, of), this.#account(credit, of)];
      if (at < startsAt) {
        to.opening += minor;
        from.opening -= minor;
      } else {
        to.debit += minor;
        from.credit += minor;
      }
    }
    this.#addOpen(sent, until, standing);
  }

  /** By currency, then in the order of the accounts, each account of the books by itself. Accounts on which nothing ever happened are left out. */
  movements(): readonly AccountMovement[] {
    return this.#accounts
      .all()
      .map((account) => ({ ...account, closing: account.opening + account.debit - account.credit }));
  }

  openItems(): OpenItems {
    const listed = this.#listed.toSorted((one, other) => one.since - other.since || one.row - other.row);
    return { listed, sums: this.#sums.all() };
  }

  #account(role: AccountRole, of: BookedFor) {
    const none = { opening: 0n, debit: 0n, credit: 0n };
    const { code, name } = this.#used.of(role, of);
    const { currency } = of;
    const key = `${currency} ${ACCOUNT_ROLES.indexOf(role)} ${code} ${name}`;
    return this.#accounts.of(key, () => ({ role, account: { code, name }, currency, ...none }));
  }

  #addOpen(sent: SentPayout, until: readonly Booking[], { status, at }: Standing): void {
    const last = until.at(-1);
    const [minor, inSuspense] = [-netOf(until, 'on_its_way'), netOf(until, 'suspense')];
    if (last === undefined || (minor === 0n && inSuspense === 0n)) return;
    const { currency } = last.money;
    const sum = this.#sums.of(currency, () => ({ currency, count: 0, minor: 0n, inSuspense: 0n }));
    sum.count += 1;
    sum.minor += minor;
    sum.inSuspense += inSuspense;
    if (this.#listed.length === LISTED_MAX) return;
    const { batch, row, reference, name, tag } = whoseOf(sent);
    const money = { minor, currency };
    this.#listed.push({ batch, row, reference, name, tag, status, since: at, money, inSuspense });
  }
}

function netOf(bookings: readonly Booking[], role: AccountRole): bigint {
  return bookings.reduce((sum, { debit, credit, money: { minor } }) => {
    if (debit === role) return sum + minor;
    return credit === role ? sum - minor : sum;
  }, 0n);
}

/** What was paid and what it cost in the days, and what is on its way at their end; by currency. */
export function spentAndOpen(accounts: readonly AccountMovement[]): {
  readonly spent: readonly Money[];
  readonly open: readonly Money[];
} {
  const sumOf = (roles: readonly AccountRole[], minorOf: (account: AccountMovement) => bigint) => {
    const currencies = [...new Set(accounts.map(({ currency }) => currency))];
    return currencies.flatMap((currency) => {
      const mine = accounts.filter(
        (account) => account.currency === currency && roles.includes(account.role),
      );
      const minor = mine.reduce((sum, account) => sum + minorOf(account), 0n);
      return minor === 0n ? [] : [{ minor, currency }];
    });
  };
  return {
    spent: sumOf(['paying'], ({ debit, credit }) => credit - debit),
    open: sumOf(['on_its_way'], ({ closing }) => -closing),
  };
}

/** For programs; `account` is the role of the account in the books, beside its code and name. */
export function accountsJson(accounts: readonly AccountMovement[]) {
  return accounts.map(({ role, account: { code, name }, currency, ...sums }) => {
    const text = (minor: bigint) => formatDecimal({ minor, currency });
    const { opening, debit, credit, closing } = sums;
    return {
      ...{ account: role, code, name, currency, opening: text(opening), debit: text(debit) },
      ...{ credit: text(credit), closing: text(closing) },
    };
  });
}

/** `more`: how many are not listed. */
export function openItemsJson({ listed, sums }: OpenItems) {
  const count = sums.reduce((all, sum) => all + sum.count, 0);
  return {
    count,
    more: count - listed.length,
    sums: sums.map(({ currency, count: payments, minor, inSuspense }) => ({
      ...{ currency, count: payments, amount: formatDecimal({ minor, currency }) },
      inSuspense: formatDecimal({ minor: inSuspense, currency }),
    })),
    items: listed.map(({ batch, row, reference, tag, status, since, money, inSuspense }) => ({
      ...{ batch, row, reference, tag, status, since: formatTimestamp(since), currency: money.currency },
      ...{ amount: formatDecimal(money), inSuspense: formatDecimal({ ...money, minor: inSuspense }) },
    })),
  };
}
