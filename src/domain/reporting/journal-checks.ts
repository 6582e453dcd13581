/**
 * The checks of the Journal. Per currency: the payments and fees that it books are those of the report's lines, of
 * payments that were paid again since, and of those that were found unpaid afterwards. Per account: what was booked, on
 * other days too, comes to what the states of the ledger's payments say.
 *
 * Units:   `minor` and all other sums count minor units of the currency beside them; debits count up, credits down.
 */
import type { CurrencyCode } from '../money/currency.ts';
import { formatMoney } from '../money/money.ts';
import type { Balance, BookedTotal } from './booked-totals.ts';
import type { Booking } from './booking.ts';
import type { ControlTotals } from './control-totals.ts';
import type { AccountMovement, AccountRole } from './journal-accounts.ts';
import { type Mutable, Tallies } from './tallies.ts';

/** The opening of an account is what payfile booked before, and not the balance of the books. */
export const BOOKED_TITLE = 'What payfile booked, without the rest of your books';

/** What the accounts are for, whatever a bookkeeper calls them. */
export const ACCOUNT_USES: Readonly<Record<AccountRole, string>> = {
  owed: 'Owed to the payees',
  paying: 'The account that pays',
  fees: 'Fees of transfers',
  fx_difference: 'Exchange differences',
  on_its_way: 'On its way',
  suspense: 'In suspense',
  lost: 'Lost',
};

/** The Journal's debits in one currency; credits are the same by making. */
export interface BookedSum {
  readonly currency: CurrencyCode;
  readonly minor: bigint;
  /** Of payments and their fees whose debit is known. */
  readonly takenMinor: bigint;
  /** Debits minus credits. */
  readonly accounts: ReadonlyMap<AccountRole, bigint>;
}

type KindSum = Pick<Booking, 'kind' | 'debit' | 'credit' | 'isPriced'> &
  Pick<BookedSum, 'currency' | 'minor'>;

/** Sums up per currency what the pairs of each kind come to. */
export function bookedSums(pairs: Iterable<KindSum>): readonly BookedSum[] {
  const sums = new Tallies<Mutable<BookedSum> & { readonly accounts: Map<AccountRole, bigint> }>();
  for (const { kind, isPriced, debit, credit, currency, minor } of pairs) {
    const sum = sums.of(currency, () => ({ currency, minor: 0n, takenMinor: 0n, accounts: new Map() }));
    sum.accounts.set(debit, (sum.accounts.get(debit) ?? 0n) + minor);
    sum.accounts.set(credit, (sum.accounts.get(credit) ?? 0n) - minor);
    sum.minor += minor;
    if (isPriced && (kind === 'payment' || kind === 'fee')) sum.takenMinor += minor;
  }
  return sums.all();
}

/** Of one currency: what was taken, by the lines of the report and by the ledger, beside the Journal's payments and fees. */
export interface TakenCheck {
  readonly currency: CurrencyCode;
  /** All debits of the Journal, and so all its credits. */
  readonly debits: bigint;
  readonly rows: bigint;
  readonly earlier: bigint;
  readonly unpaid: bigint;
  readonly journal: bigint;
  /** By how much the Journal has less. */
  readonly gap: bigint;
}

export interface AccountCheck extends Balance {
  /** The opening balance of the days. */
  readonly before: bigint;
  readonly inDays: bigint;
  /** By how much what was booked is more than what the ledger comes to. */
  readonly gap: bigint;
}

export interface JournalChecks {
  readonly taken: readonly TakenCheck[];
  readonly accounts: readonly AccountCheck[];
  /** One sentence per place where Journal and ledger part. */
  readonly parts: readonly string[];
}

export function journalChecks(
  { costs, accounts: overDays = [] }: Pick<ControlTotals, 'costs' | 'accounts'>,
  sums: readonly BookedSum[],
  booked: BookedTotal,
): JournalChecks {
  const currencies = new Set([...sums, ...costs, ...booked.taken].map(({ currency }) => currency));
  const taken = [...currencies].sort().map((currency) => takenCheck(currency, { costs, sums, booked }));
  const accounts = accountChecks(sums, booked, overDays);
  return { taken, accounts, parts: [...taken.flatMap(takenParts), ...accounts.flatMap(accountParts)] };
}

interface Sources extends Pick<ControlTotals, 'costs'> {
  readonly sums: readonly BookedSum[];
  readonly booked: BookedTotal;
}

function takenCheck(currency: CurrencyCode, { costs, sums, booked }: Sources): TakenCheck {
  const sum = sums.find((each) => each.currency === currency);
  const taken = booked.taken.find((each) => each.currency === currency);
  const mine = costs.filter((cost) => cost.currency === currency);
  const rows = mine.reduce((all, { daysMinor }) => all + daysMinor, 0n);
  const { earlier, unpaid } = taken ?? { earlier: 0n, unpaid: 0n };
  const journal = sum?.takenMinor ?? 0n;
  const gap = rows + earlier + unpaid - journal;
  return { currency, debits: sum?.minor ?? 0n, rows, earlier, unpaid, journal, gap };
}

/** Accounts that nothing was ever booked to and that hold nothing are left out. */
function accountChecks(
  sums: readonly BookedSum[],
  { balances }: BookedTotal,
  overDays: readonly AccountMovement[],
): readonly AccountCheck[] {
  const found = new Tallies<Balance & { before: bigint; inDays: bigint }>();
  const of = (about: Balance) =>
    found.of(`${about.currency} ${about.role}`, () => ({ ...about, before: 0n, inDays: 0n }));
  for (const balance of balances) of(balance);
  for (const { role, currency, opening } of overDays)
    of({ role, currency, later: 0n, ledger: 0n }).before += opening;
  for (const { currency, accounts } of sums)
    for (const [role, inDays] of accounts) of({ role, currency, later: 0n, ledger: 0n }).inDays = inDays;
  return found.all().map((each) => ({ ...each, gap: each.before + each.inDays + each.later - each.ledger }));
}

function takenParts({ currency, journal, gap }: TakenCheck): readonly string[] {
  if (gap === 0n) return [];
  const [wanted, booked] = [journal + gap, journal].map((minor) => formatMoney({ minor, currency }));
  return [`Journal, payments and fees in ${currency}: the payments have ${wanted}, the Journal ${booked}.`];
}

function accountParts({ role, currency, ledger, gap }: AccountCheck): readonly string[] {
  if (gap === 0n) return [];
  const [wanted, booked] = [ledger, ledger + gap].map((minor) => formatMoney({ minor, currency }));
  return [`Journal, ${ACCOUNT_USES[role]}: the ledger comes to ${wanted}, the Journal to ${booked}.`];
}
