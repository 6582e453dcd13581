/**
 * The journal as an accountant imports it: what each entry says in words and accounts, and the same entries summed by
 * day, account and currency. An entry is a pair of one debit and one credit line.
 *
 * Debits and credits of a day are summed apart and never set off against each other, so that a day shows all that went
 * through an account.
 * Units:   `minor` counts minor units of the currency beside it; days are those of UTC.
 */
import type { CurrencyCode } from '../money/currency.ts';
import type { Money } from '../money/money.ts';
import { pricingIn } from '../payouts/payout.ts';
import { printable } from '../text/printable.ts';
import { type Timestamp, timestampOf } from '../timestamp.ts';
import { ACCOUNT_ROLES, type AccountRole, BOOKING_WORDS, type Booking, type SentPayout } from './booking.ts';
import { withoutAccount } from './hidden-accounts.ts';
import { type BookedSum, bookedSums } from './journal-checks.ts';
import { GROUP_OF, type Group } from './status-words.ts';
import { type Mutable, Tallies } from './tallies.ts';

interface Account {
  readonly code: string;
  readonly name: string;
  readonly what: string;
}

/** Until a bookkeeper writes others. */
export const ACCOUNTS_USED: Readonly<Record<AccountRole, Account>> = {
  owed: {
    code: '2100',
    name: 'Payments owed',
    what: 'What was owed and is paid now: salaries, suppliers, other payables.',
  },
  paying: {
    code: '1010',
    name: 'Account at the payment service',
    what: 'Payments and their fees leave it when the service finishes them; returns come back to it.',
  },
  fees: { code: '6800', name: 'Transfer fees', what: 'The fee that was quoted for each payment.' },
  on_its_way: {
    code: '1090',
    name: 'Payments on their way',
    what: 'From the day of sending to the day of finishing; also the other side of a payment in doubt.',
  },
  suspense: {
    code: '1999',
    name: 'Suspense, outcome not known',
    what: 'The money may have moved. The day of the answer or of the ruling books it out.',
  },
};

const UNPRICED = 'debit unknown';

export function kindText({ kind, isPriced }: Pick<Booking, 'kind' | 'isPriced'>): string {
  return isPriced ? BOOKING_WORDS[kind] : `${BOOKING_WORDS[kind]}, ${UNPRICED}`;
}

/** A pair, and whose payment it is. */
export interface Entry extends Booking {
  readonly group: Group;
  readonly row: number;
  readonly name: string;
  readonly reference: string;
  readonly transferId: string;
  readonly batch: string;
}

export const SIDES = ['debit', 'credit'] as const;
export type Side = (typeof SIDES)[number];

export function entryOf({ payout, batch }: SentPayout, booking: Booking): Entry {
  const { instruction, state, rowNumber } = payout;
  const owner = pricingIn(state)?.nameCheck.resolved;
  // A journal goes to people who see no accounts.
  const hidden = (text: string) => (instruction === undefined ? text : withoutAccount(text, instruction));
  return {
    ...booking,
    group: GROUP_OF[state.status],
    row: rowNumber,
    name: hidden(instruction?.name ?? printable(owner ?? '')),
    reference: hidden(instruction?.reference ?? ''),
    transferId: 'transferId' in state ? printable(state.transferId ?? '') : '',
    batch: batch === undefined ? '' : batch.name,
  };
}

/** All entries that are alike but for the payment and the day. */
export interface KindSum extends Pick<Booking, 'kind' | 'debit' | 'credit' | 'isPriced'> {
  readonly currency: CurrencyCode;
  readonly group: Group;
  readonly count: number;
  readonly minor: bigint;
}

/** One side of one account on one day. */
export interface DaySum {
  readonly day: Timestamp;
  readonly role: AccountRole;
  readonly side: Side;
  readonly money: Money;
  /** How many entries it sums up. */
  readonly entries: number;
  readonly isPriced: boolean;
}

type DayDraft = Mutable<Omit<DaySum, 'money'>> & { readonly currency: CurrencyCode; minor: bigint };

const DAY_MS = 86_400_000;

/** Counts entries in flat memory: a line per kind, and one per day, account and currency. */
export class JournalSums {
  readonly #kinds = new Map<string, Mutable<KindSum>>();
  readonly #days = new Tallies<DayDraft>();

  add(entry: Entry): void {
    const { kind, debit, credit, isPriced, money, group } = entry;
    const about = { kind, debit, credit, isPriced, group, currency: money.currency };
    const key = Object.values(about).join(' ');
    const sum = this.#kinds.get(key) ?? { ...about, count: 0, minor: 0n };
    sum.count += 1;
    sum.minor += money.minor;
    this.#kinds.set(key, sum);
    for (const side of SIDES) this.#addToDay(entry, side);
  }

  perKind(): readonly KindSum[] {
    return [...this.#kinds.values()];
  }

  /** For the checks beside the journal. */
  perCurrency(): readonly BookedSum[] {
    return bookedSums(this.#kinds.values());
  }

  /** By day, then currency, then account, its debits first. */
  perDay(): readonly DaySum[] {
    return this.#days.all().map(({ currency, minor, ...sum }) => ({ ...sum, money: { minor, currency } }));
  }

  #addToDay({ at, isPriced, money, ...roles }: Entry, side: Side): void {
    const { currency, minor } = money;
    const day = timestampOf(at - (at % DAY_MS));
    const role = roles[side];
    // In the order in which they are shown.
    const places = [isPriced ? 0 : 1, ACCOUNT_ROLES.indexOf(role), SIDES.indexOf(side)];
    const key = `${day.toString().padStart(16, '0')} ${currency} ${places.join(' ')}`;
    const sum = this.#days.of(key, () => ({ day, role, side, currency, isPriced, entries: 0, minor: 0n }));
    sum.entries += 1;
    sum.minor += minor;
  }
}

/** Why a line is not in the currency that pays; empty where it is. */
export function dayNote({ isPriced }: DaySum): string {
  return isPriced ? '' : `${UNPRICED}: as asked for`;
}
