/**
 * The journal as an accountant imports it: what each entry says in words and accounts, and the same entries summed by
 * day, account and currency. An entry is a pair of one debit and one credit line.
 *
 * Debits and credits of a day are summed apart and never set off against each other, so that a day shows all that went
 * through an account.
 * Units:   `minor` counts minor units of the currency beside it; days are those of the report's time zone.
 */
import type { CurrencyCode } from '../money/currency.ts';
import type { Money } from '../money/money.ts';
import { type Payout, pricingIn } from '../payouts/payout.ts';
import { printable } from '../text/printable.ts';
import { Sensitive } from '../text/sensitive.ts';
import type { WallClock } from '../time-zone.ts';
import { BOOKING_WORDS, type Booking, type SentPayout, type Standing } from './booking.ts';
import { cellMask, maskedName, withoutAccount } from './hidden-accounts.ts';
import { ACCOUNT_ROLES, type Account, type AccountRole, JournalAccounts } from './journal-accounts.ts';
import { type BookedSum, bookedSums } from './journal-checks.ts';
import { GROUP_OF, type Group } from './status-words.ts';
import { type Mutable, Tallies } from './tallies.ts';

const UNPRICED = 'debit unknown';

export function kindText({ kind, isPriced }: Pick<Booking, 'kind' | 'isPriced'>): string {
  return isPriced ? BOOKING_WORDS[kind] : `${BOOKING_WORDS[kind]}, ${UNPRICED}`;
}

/** Whose payment it is. */
interface Whose {
  readonly group: Group;
  readonly row: number;
  readonly name: string;
  readonly reference: string;
  readonly transferId: string;
  readonly batch: string;
  readonly tag: string;
}

/** A pair, and whose payment it is. */
export interface Entry extends Booking, Whose {
  /** `2026-05-31`. */
  readonly day: string;
  /** Of `foreign`, as quoted. */
  readonly rate: string;
  /** What the asked columns of the file hold, in their order. */
  readonly kept: readonly string[];
}

export const SIDES = ['debit', 'credit'] as const;
export type Side = (typeof SIDES)[number];

interface Seen {
  readonly clock: WallClock;
  /** How the payment stood at the end of the days; undefined: as it stands now. */
  readonly standing?: Standing | undefined;
}

export function entryOf(sent: SentPayout, booking: Booking, { clock, standing }: Seen): Entry {
  const { payout, cells = [] } = sent;
  const isForeign = booking.foreign !== undefined;
  return {
    ...booking,
    ...whoseOf(sent),
    ...(standing && asAt(standing)),
    day: clock.day(booking.at),
    rate: isForeign ? (pricingIn(payout.state)?.quote?.rate ?? '') : '',
    kept: cells.length === 0 ? cells : keptOf(cells, seenOf(payout)),
  };
}

/** What became known later is not in it. */
const asAt = ({ status }: Standing) => ({
  group: GROUP_OF[status],
  ...(status === 'in_doubt' ? { transferId: '' } : {}),
});

/** A journal goes to people who see no accounts. */
const seenOf = ({ instruction }: Payout) => instruction ?? { account: new Sensitive('') };

export function whoseOf({ payout, batch }: SentPayout): Whose {
  const { instruction, state, rowNumber } = payout;
  const owner = pricingIn(state)?.nameCheck.resolved;
  const whose = seenOf(payout);
  return {
    group: GROUP_OF[state.status],
    row: rowNumber,
    name: maskedName(instruction?.name ?? printable(owner ?? ''), whose),
    reference: withoutAccount(instruction?.reference ?? '', whose),
    transferId: 'transferId' in state ? printable(state.transferId ?? '') : '',
    batch: batch === undefined ? '' : batch.name,
    tag: 'tag' in state ? state.tag : '',
  };
}

function keptOf(cells: readonly string[], whose: { readonly account: Sensitive }): readonly string[] {
  const masked = cellMask(whose);
  return cells.map((cell) => masked(cell));
}

/** `Payment: GH-001, Ama Mensah`. */
export function descriptionOf(entry: Entry): string {
  const whose = [entry.reference, entry.name].filter((text) => text !== '').join(', ');
  return `${kindText(entry)}: ${whose === '' ? entry.tag : whose}`;
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
  /** `2026-05-31`. */
  readonly day: string;
  readonly role: AccountRole;
  readonly account: Account;
  readonly side: Side;
  readonly money: Money;
  /** How many entries it sums up. */
  readonly entries: number;
  readonly isPriced: boolean;
}

type DayDraft = Mutable<Omit<DaySum, 'money'>> & { readonly currency: CurrencyCode; minor: bigint };

/** Counts entries in flat memory: a line per kind, and one per day, account and currency. */
export class JournalSums {
  readonly #kinds = new Map<string, Mutable<KindSum>>();
  readonly #days = new Tallies<DayDraft>();
  readonly #accounts: JournalAccounts;

  constructor(accounts = new JournalAccounts()) {
    this.#accounts = accounts;
  }

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

  #addToDay({ day, isPriced, money, batch, ...roles }: Entry, side: Side): void {
    const { currency, minor } = money;
    const role = roles[side];
    const account = this.#accounts.of(role, { batch, currency });
    const place = this.#accounts.placeOf(account);
    // In the order in which they are shown.
    const places = [isPriced ? 0 : 1, ACCOUNT_ROLES.indexOf(role), place, SIDES.indexOf(side)];
    const key = `${day} ${currency} ${places.join(' ')}`;
    const none = { entries: 0, minor: 0n };
    const sum = this.#days.of(key, () => ({ day, role, account, side, currency, isPriced, ...none }));
    sum.entries += 1;
    sum.minor += minor;
  }
}

/** Why a line is not in the currency that pays; empty where it is. */
export function dayNote({ isPriced }: DaySum): string {
  return isPriced ? '' : `${UNPRICED}: as asked for`;
}
