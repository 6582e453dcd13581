/**
 * One payout as a statement is compared with it: small, because all payouts of a batch are held at once.
 */

import { decimalsOf } from '../money/currency.ts';
import { debitOf } from '../money/decimal.ts';
import { formatDecimal, type Money } from '../money/money.ts';
import type { BatchId, PayoutId } from '../payouts/instruction.ts';
import type { FailedBasis, Payout, PayoutState, Status } from '../payouts/payout.ts';
import { type Window, windowOf } from './attempt-window.ts';
import { plainest, type StatementLine } from './line.ts';

export interface StatementEntry {
  readonly payoutId: PayoutId;
  readonly batchId: BatchId;
  readonly rowNumber: number;
  /** False for an instruction that another one has replaced. */
  readonly isCurrent: boolean;
  readonly status: Status;
  readonly basis: FailedBasis | undefined;
  readonly isIncident: boolean;
  readonly tag: string;
  readonly transferId: string | undefined;
  readonly amount: Money;
  /** By the quote, in the source currency. */
  readonly debit: Money | undefined;
  /** Letters and digits only. */
  readonly account: string;
  /** What people are shown of it. */
  readonly accountShown: string;
  /** When the transfer was, or may have been, made; undefined when it was never sent. */
  readonly window: Window | undefined;
}

const SENT: readonly Status[] = ['sending', 'in_doubt', 'accepted', 'settled', 'failed', 'returned'];

/** undefined for a payout that never had a tag: no statement can show it. */
export function entryOf(payout: Payout, isCurrent: boolean): StatementEntry | undefined {
  const { state, instruction } = payout;
  if (instruction === undefined || !('tag' in state)) return undefined;
  const { quote } = state.pricing;
  return {
    payoutId: payout.id,
    batchId: payout.batchId,
    rowNumber: payout.rowNumber,
    isCurrent,
    status: state.status,
    basis: state.status === 'failed' ? state.basis : undefined,
    isIncident: state.status === 'settled' && state.incident,
    tag: state.tag,
    transferId: 'transferId' in state ? state.transferId : undefined,
    amount: instruction.amount,
    debit: quote === undefined ? undefined : debitOf(instruction.amount, quote),
    account: foldedAccount(instruction.account.reveal()),
    accountShown: String(instruction.account),
    window: SENT.includes(state.status) ? sentWindow(state) : undefined,
  };
}

export function foldedAccount(account: string): string {
  return account.replace(/[^0-9A-Za-z]/g, '').toUpperCase();
}

function sentWindow(state: PayoutState): Window | undefined {
  if (state.status === 'in_doubt') return windowOf(state.evidence);
  if (state.status === 'sending') return windowOf({ startedAt: state.startedAt, endedAt: state.startedAt });
  const sentAt = 'sentAt' in state ? state.sentAt : undefined;
  return sentAt === undefined ? undefined : windowOf({ startedAt: sentAt, endedAt: sentAt });
}

/** Keys under which a line with this account and amount is looked up: amount and the end of the account. */
export const ACCOUNT_END = 3;

export function accountKey(amount: string, account: string): string {
  return `${amount}\n${account.slice(-ACCOUNT_END)}`;
}

export function plainAmount(money: Money): string {
  return plainest(formatDecimal(money));
}

/** The amount asked for, or within 1 % the debit by the quote; the currency has to agree where it is written. */
export function amountFits(entry: StatementEntry, line: StatementLine): boolean {
  const { amount, debit } = entry;
  const isIn = (money: Money) => line.currency === undefined || line.currency === money.currency;
  const shown = ({ currency }: Money) => (decimalsOf(currency) === 3 ? allReadings(line) : line.amounts);
  if (isIn(amount) && shown(amount).includes(plainAmount(amount))) return true;
  if (debit === undefined || !isIn(debit)) return false;
  return shown(debit).some((text) => isNear(text, debit, 1n));
}

/** Whether a bank that writes every amount with three decimals may mean it: enough to leave a row in doubt. */
export function amountMayFit(entry: StatementEntry, line: StatementLine): boolean {
  return amountFits(entry, { ...line, amounts: allReadings(line) });
}

export function allReadings({ amounts, otherAmounts }: StatementLine): readonly string[] {
  return otherAmounts.length === 0 ? amounts : [...amounts, ...otherAmounts];
}

/** Fees and the rate of the day move a debit further than a match may; so much may still be this payment. */
export const FAR_PERCENT = 10n;

export function isNearDebit({ debit }: StatementEntry, line: StatementLine): boolean {
  const { currency } = line;
  if (debit === undefined || (currency !== undefined && currency !== debit.currency)) return false;
  return allReadings(line).some((text) => isNear(text, debit, FAR_PERCENT));
}

/** The line's currency is written, and nothing that is known of the payment is in it. */
export function isIncomparable({ amount, debit }: StatementEntry, { currency }: StatementLine): boolean {
  return currency !== undefined && currency !== amount.currency && currency !== debit?.currency;
}

/**
 * At most half of the payment, in whichever currency the line may be: a fee can be so small, and a second payment
 * cannot, however far its rate has moved.
 */
export function isFarBelow({ amount, debit }: StatementEntry, line: StatementLine): boolean {
  const { currency } = line;
  const amounts = allReadings(line);
  if (amounts.length === 0 || (currency === undefined && debit === undefined)) return false;
  const moneys = [amount, debit].filter((money) => money !== undefined);
  const mayBe = moneys.filter((money) => currency === undefined || currency === money.currency);
  const isHalf = (text: string, money: Money) => {
    const [seen, whole] = scaled(text, formatDecimal(money));
    return seen * 2n <= whole;
  };
  return mayBe.length > 0 && mayBe.every((money) => amounts.every((text) => isHalf(text, money)));
}

function isNear(text: string, debit: Money, percent: bigint): boolean {
  const [seen, expected] = scaled(text, formatDecimal(debit));
  const apart = seen > expected ? seen - expected : expected - seen;
  return apart * 100n <= expected * percent;
}

/** Two plain decimals as whole numbers of the smaller place. */
function scaled(one: string, other: string): readonly [bigint, bigint] {
  const [oneWhole = '', oneFraction = ''] = one.split('.');
  const [otherWhole = '', otherFraction = ''] = other.split('.');
  const places = Math.max(oneFraction.length, otherFraction.length);
  const whole = (digits: string, fraction: string) => BigInt(digits + fraction.padEnd(places, '0'));
  return [whole(oneWhole, oneFraction), whole(otherWhole, otherFraction)];
}
