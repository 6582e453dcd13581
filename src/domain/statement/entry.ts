/**
 * The facts of one payout that a statement is compared with. Small, because all payouts of a batch are in memory at once.
 */
import { debitOf } from '../money/decimal.ts';
import type { Money } from '../money/money.ts';
import { type Window, windowOf } from '../payouts/attempt.ts';
import type { BatchId, Instruction, PayoutId, Quote } from '../payouts/instruction.ts';
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
import { type BankFigures, partsOf } from '../reporting/payment-costs.ts';
import type { WrittenAccountText } from './line.ts';

export interface StatementEntry {
  readonly payoutId: PayoutId;
  readonly batchId: BatchId;
  readonly rowNumber: number;
  /** Only where several batches are compared at once. */
  readonly batchName?: string;
  /** For people who have the file: reference and name. */
  readonly payee?: { readonly reference: string; readonly name: string };
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
  /** In the source currency, by the rate when it was sent, else by the quote; undefined if neither is known. */
  readonly debit: Money | undefined;
  /** The debit without its fee, which a bank may book by itself. */
  readonly principal: Money | undefined;
  /** Both by the quote that was agreed to, if the rate moved until it was sent. */
  readonly quoted?: Cost;
  /** In minor units of the debit: what the books have, by an earlier statement where there is one, and the fee as agreed to. */
  readonly booked?: { readonly whole: bigint; readonly fee: bigint; readonly agreedFee: bigint };
  /** Letters and digits only. */
  readonly account: string;
  /** What people are shown of it. */
  readonly accountShown: string;
  /** When the transfer was, or may have been, made; undefined when no request went out. */
  readonly window: Window | undefined;
}

export interface Cost {
  readonly debit: Money;
  readonly principal: Money;
}

const SENT: readonly Status[] = ['sending', 'in_doubt', 'accepted', 'settled', 'failed', 'returned'];

interface EntryFacts {
  readonly ledgerId: string;
  readonly batchName?: string | undefined;
  readonly newest?: PayoutId;
  /** Another life of this ledger may have sent what is unsent here. */
  readonly seeksUnsent?: boolean;
  readonly tries: TurnedAwayTries | undefined;
  /** What the newest statement before showed of it. */
  readonly bank?: BankFigures | undefined;
}

/** undefined for a payout that never had a tag: no statement can show it. */
export function entryOf(
  payout: Payout,
  { ledgerId, batchName, newest = payout.id, seeksUnsent = false, tries, bank }: EntryFacts,
): StatementEntry | undefined {
  const { state, instruction } = payout;
  if (instruction === undefined) return undefined;
  const mayBeShown = tries !== undefined || (seeksUnsent && isUnsent(state));
  const unsentTag = mayBeShown ? tagOf(ledgerId, payout.id) : undefined;
  const tag = 'tag' in state ? state.tag : unsentTag;
  if (tag === undefined) return undefined;
  const quote = pricingIn(state)?.quote;
  const atSend = 'quoteAtSend' in state ? state.quoteAtSend : undefined;
  const cost = costOf(instruction, atSend ?? quote);
  const quoted = atSend && costOf(instruction, quote);
  return {
    payoutId: payout.id,
    batchId: payout.batchId,
    rowNumber: payout.rowNumber,
    ...(batchName === undefined ? {} : { batchName }),
    payee: { reference: instruction.reference ?? '', name: instruction.name ?? '' },
    newest,
    status: state.status,
    basis: state.status === 'failed' ? state.basis : undefined,
    isIncident: state.status === 'settled' && state.incident,
    turnedAway: tries?.times ?? 0,
    tag,
    transferId: 'transferId' in state ? state.transferId : undefined,
    amount: instruction.amount,
    debit: cost?.debit,
    principal: cost?.principal,
    ...(quoted === undefined ? {} : { quoted }),
    ...(cost === undefined ? {} : { booked: bookedOf(payout, cost.debit, bank) }),
    account: foldedAccount(instruction.account.reveal()),
    accountShown: String(instruction.account),
    window: SENT.includes(state.status) ? sentWindow(state) : tries?.window,
  };
}

function bookedOf(payout: Payout, debit: Money, bank: BankFigures | undefined) {
  const agreedFee = partsOf(payout).fee?.minor ?? 0n;
  return bank?.whole.currency === debit.currency
    ? { whole: bank.whole.minor, fee: bank.feeMinor, agreedFee }
    : { whole: debit.minor, fee: agreedFee, agreedFee };
}

function costOf({ amount }: Instruction, quote: Quote | undefined): Cost | undefined {
  const debit = quote && debitOf(amount, quote);
  const principal = quote && debitOf(amount, { ...quote, fee: '0' });
  return debit && principal && { debit, principal };
}

/** `row 4`; `row 4 of payroll-2026-10` where several batches are compared. `word`: as a sentence begins. */
export function rowText(
  { rowNumber, batchName }: Pick<StatementEntry, 'rowNumber' | 'batchName'>,
  word: 'row' | 'Row' = 'row',
): string {
  return batchName === undefined ? `${word} ${rowNumber}` : `${word} ${rowNumber} of ${batchName}`;
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
function isSameAccount(one: string, other: string): boolean {
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
