/**
 * What a payment takes from the account that pays, as quoted, and what of it came back.
 *
 * A part that came back is shown in the currency asked. The books have the same share of the principal, rounded down, so
 * that it is never too much. The service keeps the fee, also of a payment that came back whole.
 */
import { debitOf, roundedMoney } from '../money/decimal.ts';
import type { Money } from '../money/money.ts';
import { type Payout, type Pricing, pricingIn, type Status } from '../payouts/payout.ts';
import { cameBack } from '../payouts/shown.ts';
import type { Timestamp } from '../timestamp.ts';
import { BOOKED_GROUPS, GROUP_OF } from './status-words.ts';

/** As quoted; undefined where the quote, or the currency that pays, is not known. */
export function costsOf(
  amount: Money | undefined,
  pricing: Pricing | undefined,
): { readonly fee: Money | undefined; readonly debit: Money | undefined } {
  const quote = pricing?.quote;
  if (quote?.sourceCurrency === undefined || amount === undefined)
    return { fee: undefined, debit: undefined };
  return { fee: roundedMoney(quote.fee, quote.sourceCurrency), debit: debitOf(amount, quote) };
}

export interface Parts {
  readonly principal: Money | undefined;
  readonly fee: Money | undefined;
  /** What the rate when sent adds, or takes off where it is negative; undefined: it is as agreed to. */
  readonly fxDifference: Money | undefined;
  /** All together. */
  readonly whole: Money | undefined;
  readonly isPriced: boolean;
}

/** What a statement showed that a payment took, where its lines explain every difference to what is booked. */
export interface BankFigures {
  /** When it was compared. */
  readonly at: Timestamp;
  /** With the fee. */
  readonly whole: Money;
  readonly feeMinor: bigint;
}

/** Principal and fee come to exactly the debit that was agreed to, and with the difference to the debit when sent. */
export function partsOf(payout: Payout): Parts {
  const { instruction, state } = payout;
  const amount = instruction?.amount;
  const { fee: asQuoted, debit } = costsOf(amount, pricingIn(state));
  if (debit === undefined)
    return { principal: amount, fee: undefined, fxDifference: undefined, whole: amount, isPriced: false };
  const { minor, currency } = debit;
  const fee = asQuoted?.currency === currency && asQuoted.minor <= minor ? asQuoted : undefined;
  const principal = { minor: minor - (fee?.minor ?? 0n), currency };
  const whole = debitWhenSent(payout, debit);
  const fxDifference = whole === debit ? undefined : { minor: whole.minor - minor, currency };
  return { principal, fee, fxDifference, whole, isPriced: true };
}

/** By the quote of the sending, where the one that was agreed to was old by then; else as planned. */
export function debitWhenSent({ instruction, state }: Payout, planned: Money): Money {
  const quote = 'quoteAtSend' in state ? state.quoteAtSend : undefined;
  const debit = quote && instruction && debitOf(instruction.amount, quote);
  return debit?.currency === planned.currency ? debit : planned;
}

/** `back`: in minor units of the currency asked. */
export function partBackIn({ instruction }: Payout, { principal }: Parts, back: bigint): bigint {
  const asked = instruction?.amount.minor ?? 0n;
  return principal === undefined || asked === 0n ? 0n : (principal.minor * back) / asked;
}

/** What came back of a payment, in the currency of the books. */
export function bookedBack(payout: Payout): bigint {
  const { status } = payout.state;
  if (status === 'returned') return partsOf(payout).principal?.minor ?? 0n;
  const back = status === 'settled' || status === 'accepted' ? shownBack(payout) : 0n;
  // Of nearly all payments no part came back, and a report asks for each row.
  return back === 0n ? 0n : partBackIn(payout, partsOf(payout), back);
}

/** In minor units of the currency asked. */
export function shownBack({ state }: Payout): bigint {
  return 'shown' in state ? cameBack(state.shown ?? {}) : 0n;
}

interface Priced {
  readonly status: Status;
  readonly debit: Money | undefined;
  readonly fee: Money | undefined;
  readonly backMinor: bigint;
}

/** What a row took and keeps, as quoted; undefined where nothing was sent, or nothing left. */
export function lineCost({ status, debit, backMinor }: Priced): Money | undefined {
  return isBooked(status) && debit !== undefined ? { ...debit, minor: debit.minor - backMinor } : undefined;
}

export function lineFee({ status, fee }: Priced): Money | undefined {
  return isBooked(status) ? fee : undefined;
}

function isBooked(status: Status): boolean {
  return BOOKED_GROUPS.some((group) => group === GROUP_OF[status]);
}
