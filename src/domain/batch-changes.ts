/**
 * What changed since the last batch of the same kind: who is new, who is missing, who is paid to another account, whose
 * amount jumped, and what it comes to. For whoever approves; it decides nothing.
 *
 * Rows are matched by account; a person by reference, else by the name folded, within a country. Rows are grouped
 * per account, so that somebody who has two rows is compared with both.
 */
import type { Batch } from './batch.ts';
import type { CurrencyCode } from './currency.ts';
import type { BatchId, Instruction, PayoutId } from './instruction.ts';
import type { Money } from './money.ts';
import type { HoldReason, PaymentPointer } from './payout.ts';
import { maskOf } from './sensitive.ts';
import type { Timestamp } from './timestamp.ts';

export interface ChangedRow {
  readonly row: number;
  readonly name: string | undefined;
  readonly reference: string | undefined;
  /** Of all rows with this account. */
  readonly amount: Money;
}

export interface NewAccount {
  readonly row: number;
  readonly rowBefore: number;
  readonly by: 'reference' | 'name';
  readonly name: string | undefined;
  /** Masked. */
  readonly account: string;
  readonly accountBefore: string;
  readonly institution: string;
  readonly institutionBefore: string;
  readonly amount: Money;
  readonly amountBefore: Money;
}

/** A row that waits, and the last payment of the same person, which went to another account. */
export interface MovedAccount {
  readonly payoutId: PayoutId;
  readonly before: PayoutId;
}

export interface AmountJump {
  readonly row: number;
  readonly name: string | undefined;
  readonly before: Money;
  readonly now: Money;
}

/** All are counted; the first thousand are listed. */
export interface Listed<Item> {
  readonly count: number;
  readonly list: readonly Item[];
}

export interface CurrencyChange {
  readonly currency: CurrencyCode;
  readonly rowsBefore: number;
  readonly rows: number;
  readonly before: Money;
  readonly now: Money;
}

export interface Difference {
  readonly newAccounts: Listed<NewAccount>;
  readonly added: Listed<ChangedRow>;
  readonly missing: Listed<ChangedRow>;
  readonly jumps: Listed<AmountJump>;
  readonly totals: readonly CurrencyChange[];
}

export interface BatchChanges {
  readonly previous: {
    readonly id: BatchId;
    readonly name: string | undefined;
    readonly createdAt: Timestamp;
  };
  /** undefined: one of the two is too large to be compared row by row. */
  readonly difference: Difference | undefined;
  readonly jumpPercent: number;
}

/** Up or down by more than so many percent. */
export function isJump(before: bigint, now: bigint, percent: number): boolean {
  const moved = now > before ? now - before : before - now;
  // Percent may have decimals; money is exact, so both sides are counted in hundredths of a percent.
  return moved * 10_000n > before * BigInt(Math.round(percent * 100));
}

const MONTHS = 'january|february|march|april|may|june|july|august|september|october|november|december';
const MONTH = new RegExp(
  `^(?:${MONTHS}|${MONTHS.split('|')
    .map((month) => month.slice(0, 3))
    .join('|')}|sept)$`,
);

/** `payroll-2026-05` and `Payroll-2026-04` are of one kind: numbers and months fold away. */
export function nameStem(name: string): string {
  return name
    .toLowerCase()
    .replace(/\d+/g, '#')
    .split(/(\p{L}+)/u)
    .map((part) => (MONTH.test(part) ? '#' : part))
    .join('');
}

/** Why a row waits: its person was paid elsewhere before. `place` is where that payment stands. */
export function accountChangedReason(
  now: Instruction,
  before: Instruction,
  pointer: PaymentPointer,
): HoldReason {
  const at = ({ account, institutionName }: Instruction) =>
    `${maskOf(account.reveal())} at ${institutionName}`;
  const place = `row ${pointer.rowNumber} of batch ${pointer.batchName ?? pointer.batchId}`;
  return {
    kind: 'account_changed',
    text: `The account is new for this person: ${at(before)} before (${place}), ${at(now)} now`,
    pointer,
  };
}

/** The newest earlier batch of the same name stem, else of the same file's. `earlier` comes newest first. */
export function sameKind(
  batch: Pick<Batch, 'name' | 'file'>,
  earlier: readonly Batch[],
  by: 'name' | 'file',
): Batch | undefined {
  const stem = (one: Pick<Batch, 'name' | 'file'>) => {
    const text = by === 'name' ? one.name : one.file.name;
    return text === undefined || text === '-' ? undefined : nameStem(text);
  };
  const own = stem(batch);
  return own === undefined ? undefined : earlier.find((other) => stem(other) === own);
}
