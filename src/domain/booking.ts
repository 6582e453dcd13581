/**
 * What a report line means to a bookkeeper: pairs of one debit and one credit, in the currency that pays.
 *
 * A payment whose outcome is not known is booked against a suspense account, never as paid; a row that moved no
 * money is not booked at all. A payment whose debit is not known is booked in the currency it was asked in.
 * Units:   `money` is what the quote said; the service does not show what it took.
 */
import { GROUP_OF, type Group } from './control-totals.ts';
import type { Money } from './money.ts';
import type { ReportLine } from './report-line.ts';
import type { Timestamp } from './timestamp.ts';

export const ACCOUNT_ROLES = ['owed', 'paying', 'fees', 'on_its_way', 'suspense'] as const;
export type AccountRole = (typeof ACCOUNT_ROLES)[number];

export const BOOKING_KINDS = ['payment', 'fee', 'return', 'payment_unpriced', 'return_unpriced'] as const;
export type BookingKind = (typeof BOOKING_KINDS)[number];

export interface Booking {
  readonly kind: BookingKind;
  /** When it was sent, or when it came back. */
  readonly at: Timestamp | undefined;
  readonly debit: AccountRole;
  readonly credit: AccountRole;
  readonly money: Money;
}

/** Groups of rows whose money moved or may have moved. */
export const BOOKED_GROUPS = ['settled', 'on_its_way', 'in_doubt', 'returned'] as const satisfies Group[];
type BookedGroup = (typeof BOOKED_GROUPS)[number];

const SIDES: Readonly<Record<BookedGroup, { readonly debit: AccountRole; readonly credit: AccountRole }>> = {
  settled: { debit: 'owed', credit: 'paying' },
  on_its_way: { debit: 'owed', credit: 'on_its_way' },
  in_doubt: { debit: 'suspense', credit: 'on_its_way' },
  returned: { debit: 'owed', credit: 'paying' },
};

type Booked = Pick<ReportLine, 'status' | 'amount' | 'fee' | 'debit' | 'sentAt' | 'settledAt' | 'returnedAt'>;

/** In the order of writing: the payment, its fee, its return. Nothing of nothing is booked. */
export function bookingsOf(line: Booked): readonly Booking[] {
  const group = bookedGroup(GROUP_OF[line.status]);
  if (group === undefined) return [];
  const { debit, credit } = SIDES[group];
  const { principal, fee, isPriced } = partsOf(line);
  const at = line.sentAt ?? line.settledAt;
  const bookings: Booking[] = [];
  if (principal !== undefined) {
    bookings.push({ kind: isPriced ? 'payment' : 'payment_unpriced', at, debit, credit, money: principal });
  }
  if (fee !== undefined && fee.minor !== 0n) {
    bookings.push({ kind: 'fee', at, debit: debit === 'suspense' ? 'suspense' : 'fees', credit, money: fee });
  }
  if (group === 'returned' && principal !== undefined) {
    const kind = isPriced ? 'return' : 'return_unpriced';
    bookings.push({ kind, at: line.returnedAt ?? at, debit: credit, credit: debit, money: principal });
  }
  return bookings.filter(({ money }) => money.minor !== 0n);
}

function bookedGroup(group: Group): BookedGroup | undefined {
  return BOOKED_GROUPS.find((booked) => booked === group);
}

interface Parts {
  readonly principal: Money | undefined;
  readonly fee: Money | undefined;
  readonly isPriced: boolean;
}

/** Principal and fee come to exactly the debit of the line. */
function partsOf({ amount, fee, debit }: Booked): Parts {
  if (debit === undefined) return { principal: amount, fee: undefined, isPriced: false };
  if (fee === undefined || fee.currency !== debit.currency || fee.minor > debit.minor) {
    return { principal: debit, fee: undefined, isPriced: true };
  }
  const { currency } = debit;
  return { principal: { minor: debit.minor - fee.minor, currency }, fee, isPriced: true };
}
