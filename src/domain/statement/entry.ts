/**
 * The facts of one payout that a statement is compared with, and which amounts may be its payment. Small, because all
 * payouts of a batch are in memory at once.
 */
import { decimalsOf } from '../money/currency.ts';
import { debitOf, isWithinPercent, percentOf } from '../money/decimal.ts';
import { formatDecimal, type Money } from '../money/money.ts';
import { type Window, windowOf } from '../payouts/attempt.ts';
import type { BatchId, PayoutId } from '../payouts/instruction.ts';
import { tagOf } from '../payouts/narration.ts';
import {
  type FailedBasis,
  isUnsent,
  type Payout,
  type PayoutState,
  pricingIn,
  type Status,
  sentAtOf,
} from '../payouts/payout.ts';
import type { TurnedAwayTries } from '../payouts/turned-away.ts';
import { withoutTrailingZeros } from './amount-cell.ts';
import { outOfCapitals, type StatementLine, type WrittenAccountText } from './line.ts';

export interface StatementEntry {
  readonly payoutId: PayoutId;
  readonly batchId: BatchId;
  readonly rowNumber: number;
  /** The newest payout of the row: this one, or the one that has replaced it. */
  readonly newest: PayoutId;
  readonly status: Status;
  readonly basis: FailedBasis | undefined;
  readonly isIncident: boolean;
  /** How often the service turned it away. Counted only if it waits or was withdrawn: it may have been paid. */
  readonly turnedAway: number;
  /** Of a row that is not approved: what it had then, or what another life of this ledger would have given it. */
  readonly tag: string;
  readonly transferId: string | undefined;
  readonly amount: Money;
  /** By the quote, in the source currency. */
  readonly debit: Money | undefined;
  /** The debit without its fee, which a bank may book by itself. */
  readonly principal: Money | undefined;
  /** Letters and digits only. */
  readonly account: string;
  /** What people are shown of it. */
  readonly accountShown: string;
  /** When the transfer was, or may have been, made; undefined when no request went out. */
  readonly window: Window | undefined;
}

const SENT: readonly Status[] = ['sending', 'in_doubt', 'accepted', 'settled', 'failed', 'returned'];

interface EntryFacts {
  readonly ledgerId: string;
  readonly newest?: PayoutId;
  /** Another life of this ledger may have sent what is unsent here. */
  readonly seeksUnsent?: boolean;
  readonly tries: TurnedAwayTries | undefined;
}

/** undefined for a payout that never had a tag: no statement can show it. */
export function entryOf(
  payout: Payout,
  { ledgerId, newest = payout.id, seeksUnsent = false, tries }: EntryFacts,
): StatementEntry | undefined {
  const { state, instruction } = payout;
  if (instruction === undefined) return undefined;
  const mayBeShown = tries !== undefined || (seeksUnsent && isUnsent(state));
  const unsentTag = mayBeShown ? tagOf(ledgerId, payout.id) : undefined;
  const tag = 'tag' in state ? state.tag : unsentTag;
  if (tag === undefined) return undefined;
  const quote = pricingIn(state)?.quote;
  return {
    payoutId: payout.id,
    batchId: payout.batchId,
    rowNumber: payout.rowNumber,
    newest,
    status: state.status,
    basis: state.status === 'failed' ? state.basis : undefined,
    isIncident: state.status === 'settled' && state.incident,
    turnedAway: tries?.times ?? 0,
    tag,
    transferId: 'transferId' in state ? state.transferId : undefined,
    amount: instruction.amount,
    debit: quote === undefined ? undefined : debitOf(instruction.amount, quote),
    principal: quote === undefined ? undefined : debitOf(instruction.amount, { ...quote, fee: '0' }),
    account: foldedAccount(instruction.account.reveal()),
    accountShown: String(instruction.account),
    window: SENT.includes(state.status) ? sentWindow(state) : tries?.window,
  };
}

function sentWindow(state: PayoutState): Window | undefined {
  if (state.status === 'in_doubt') return windowOf(state.evidence);
  const sentAt = sentAtOf(state);
  return sentAt === undefined ? undefined : windowOf({ startedAt: sentAt, endedAt: sentAt });
}

export function isDoubt({ status }: StatementEntry): boolean {
  return status === 'in_doubt' || status === 'sending';
}

/** Failed, withdrawn, or waiting to be sent: no line is expected for it. */
export function isCalledUnpaid(entry: StatementEntry): boolean {
  return entry.status === 'failed' || entry.status === 'canceled' || isUnsent(entry);
}

export function foldedAccount(account: string): string {
  return account.replace(/[^0-9A-Za-z]/g, '').toUpperCase();
}

/** Keys under which a line with this account and amount is looked up: amount and the end of the account. */
export const ACCOUNT_END = 3;

export function accountKey(amount: string, account: string): string {
  return `${amount}\n${account.slice(-ACCOUNT_END)}`;
}

export function putEntry(map: Map<string, StatementEntry[]>, key: string, entry: StatementEntry): void {
  const others = map.get(key);
  if (others === undefined) map.set(key, [entry]);
  else others.push(entry);
}

/** A wallet number may be written with or without its country code: the last nine digits decide. */
export function isSameAccount(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  const digits = short.replace(/^0+/, '');
  return (
    digits.length >= 9 && /^\d+$/.test(short) && long.endsWith(digits) && long.length - digits.length <= 5
  );
}

/** Whether the line shows the row's account, as far as it shows it. */
export function isAccountOf(entry: StatementEntry, { text, isMasked }: WrittenAccountText): boolean {
  const shown = foldedAccount(text);
  return isMasked ? entry.account.endsWith(shown) : isSameAccount(entry.account, shown);
}

export function plainAmount(money: Money): string {
  return withoutTrailingZeros(formatDecimal(money));
}

/** A debit may be so many percent away from the quote and still be taken for the payment's. */
const DEBIT_PERCENT = 1;
/** Fees and the rate of the day move a debit further; up to this, it may still be this payment. */
const FAR_PERCENT = 10;

/** The amount asked for, or nearly the debit by the quote; the currency has to agree where it is written. */
export function amountFits(entry: StatementEntry, line: StatementLine): boolean {
  const { amount, debit } = entry;
  const isIn = (money: Money) => line.currency === undefined || line.currency === money.currency;
  const shown = ({ currency }: Money) => (decimalsOf(currency) === 3 ? allReadings(line) : line.amounts);
  if (isIn(amount) && shown(amount).includes(plainAmount(amount))) return true;
  return (
    debit !== undefined && isIn(debit) && shown(debit).some((text) => isNear(text, debit, DEBIT_PERCENT))
  );
}

export function allReadings({ amounts, otherAmounts }: StatementLine): readonly string[] {
  return otherAmounts.length === 0 ? amounts : [...amounts, ...otherAmounts];
}

/**
 * Why the amount may be this payment's, however it is read: enough to leave a row in doubt, never to rule on it.
 * undefined when it cannot be.
 */
export function mayBeAmount(entry: StatementEntry, line: StatementLine): string | undefined {
  const { amount, debit } = entry;
  const { currency } = line;
  const readings = allReadings(line);
  if (readings.length === 0) return 'shows no amount that can be read';
  if (currency !== undefined && currency !== amount.currency && currency !== debit?.currency)
    return `is in ${currency}, which cannot be compared with ${amount.currency}`;
  if (amountFits(entry, { ...line, amounts: readings })) return 'shows the same amount';
  const isDebit = debit !== undefined && (currency === undefined || currency === debit.currency);
  if (!isDebit) return undefined;
  if (readings.some((text) => isNear(text, debit, FAR_PERCENT))) return 'shows an amount near its debit';
  return readings.some((text) => isNearWithoutFee(text, entry))
    ? 'shows an amount near its debit without the fee'
    : undefined;
}

/** From the principal to the debit, and as far as the rate of the day moves them: a bank may book a part of the fee. */
function isNearWithoutFee(text: string, { principal, debit }: StatementEntry): boolean {
  if (principal === undefined || debit === undefined) return false;
  return percentOf(text, principal) >= 100 - FAR_PERCENT && percentOf(text, debit) <= 100 + FAR_PERCENT;
}

/** A row in doubt with its amounts as plain numbers, for a first look. */
export interface RoughDoubt {
  readonly entry: StatementEntry;
  readonly amount: number;
  readonly principal: number;
  readonly debit: number;
}

/** A quick look before the exact one: most lines have an amount that is far from the doubt's. */
export function isFarFrom(
  { entry, amount, principal, debit }: RoughDoubt,
  { currency }: StatementLine,
  readings: readonly number[],
): boolean {
  if (readings.length === 0) return false;
  const isDebit = currency === undefined || currency === entry.debit?.currency;
  if (!isDebit && currency !== entry.amount.currency) return false;
  for (const reading of readings) {
    if (reading === amount) return false;
    const isAbove = reading * 100 >= principal * (100 - FAR_PERCENT - 1);
    if (isDebit && isAbove && reading * 100 <= debit * (100 + FAR_PERCENT + 1)) return false;
  }
  return true;
}

/**
 * Whether account and amount both speak against the row. An account that is not shown, and an amount that a fee or the
 * rate of the day may have moved, speak against nothing.
 */
export function isContrary(entry: StatementEntry, line: StatementLine): boolean {
  const { account, currency } = line;
  if (account === undefined || account.text.length < ACCOUNT_END || isAccountOf(entry, account)) return false;
  const { amount } = entry;
  const isNearAmount =
    (currency === undefined || currency === amount.currency) &&
    allReadings(line).some((text) => isNear(text, amount, FAR_PERCENT));
  return !isNearAmount && mayBeAmount(entry, line) === undefined;
}

/** A line with the row's tag and its transfer id belongs to the row, whatever else it shows. */
export function isContraryToTag(entry: StatementEntry, line: StatementLine): boolean {
  const { transferId } = entry;
  if (!isContrary(entry, line)) return false;
  const isIt = (id: string) => id === transferId || outOfCapitals(id) === transferId?.toLowerCase();
  return transferId === undefined || ![...line.ids, ...line.words].some(isIt);
}

/** Whether the line shows the account and the amount of the payment that it names. */
export function isShownWhole(entry: StatementEntry, line: StatementLine): boolean {
  const { account } = line;
  if (account === undefined || account.text.length < ACCOUNT_END) return false;
  return isAccountOf(entry, account) && amountFits(entry, line);
}

/**
 * At most half of the payment, in whichever currency the line may be: a fee can be so small, and a second payment
 * cannot, however far its rate has moved.
 */
export function isFarBelow({ amount, debit }: StatementEntry, line: StatementLine): boolean {
  const { currency } = line;
  const readings = allReadings(line);
  if (readings.length === 0 || (currency === undefined && debit === undefined)) return false;
  const moneys = [amount, debit].filter((money) => money !== undefined);
  const mayBe = moneys.filter((money) => currency === undefined || currency === money.currency);
  return mayBe.length > 0 && mayBe.every((money) => readings.every((text) => percentOf(text, money) <= 50));
}

function isNear(text: string, money: Money, percent: number): boolean {
  return isWithinPercent(text, formatDecimal(money), percent);
}
