/**
 * What changed since the last batch of the same kind: who is new, who is missing, who is paid to another account, whose
 * amount jumped, and the totals. For whoever approves; it decides nothing.
 *
 * Rows are matched by account; a person by reference, else by the name folded, within a country. Rows are grouped
 * per account, so that somebody who has two rows is compared with both. A new name under an old reference is a new person.
 */

import type { CurrencyCode } from '../money/currency.ts';
import { formatAmount, formatMoney, type Money } from '../money/money.ts';
import { accountMark } from '../payouts/concern.ts';
import type { BatchId, Instruction, PayoutId } from '../payouts/instruction.ts';
import type { HoldReason, PaymentPointer, Payout } from '../payouts/payout.ts';
import { foldWords } from '../text/fold.ts';
import { counted, countText, cutText, printable, rowsText } from '../text/printable.ts';
import { maskOf } from '../text/sensitive.ts';
import { formatTimestamp, type Timestamp } from '../timestamp.ts';
import type { Batch } from './batch.ts';

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
  /** `paid_again`: the row names the payment that it pays again, or has the reference of one that failed. */
  readonly by: 'paid_again' | 'reference' | 'name';
  readonly name: string | undefined;
  /** Whose the account before is, where it is another name than now. */
  readonly holderBefore?: string;
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

/** An account that was paid then too, and belongs to somebody else now. */
export interface HolderChange {
  readonly row: number;
  readonly holder: string;
  readonly holderBefore: string;
}

export interface AmountJump {
  readonly row: number;
  /** How many rows pay the account now; the amounts are of all of them. */
  readonly rows: number;
  readonly name: string | undefined;
  readonly before: Money;
  readonly now: Money;
}

/** All are counted; the first thousand are listed. */
export interface Listed<Item> {
  readonly count: number;
  readonly list: readonly Item[];
}

interface CurrencyChange {
  readonly currency: CurrencyCode;
  readonly rowsBefore: number;
  readonly rows: number;
  readonly before: Money;
  readonly now: Money;
}

export interface Difference {
  readonly newAccounts: Listed<NewAccount>;
  readonly newHolders: Listed<HolderChange>;
  readonly added: Listed<ChangedRow>;
  readonly missing: Listed<ChangedRow>;
  readonly jumps: Listed<AmountJump>;
  readonly totals: readonly CurrencyChange[];
}

export interface BatchChanges {
  readonly previous: {
    readonly id: BatchId;
    readonly name: string;
    readonly createdAt: Timestamp;
  };
  /** It pays rows of that batch again, and is compared with their payments alone. */
  readonly paysAgain: boolean;
  /** That it does is not said by its file: its rows have references of payments that failed. */
  readonly isByReference?: boolean;
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

/** `payroll-2026-05` and `Payroll-2026-04` are of one kind: numbers and months are ignored. */
function nameStem(name: string): string {
  return name
    .toLowerCase()
    .replace(/\d+/g, '#')
    .split(/(\p{L}+)/u)
    .map((part) => (MONTH.test(part) ? '#' : part))
    .join('');
}

/** Whose account it is, as the service says. */
export function holderOf(payout: Payout | undefined): string | undefined {
  return payout !== undefined && 'pricing' in payout.state
    ? payout.state.pricing?.nameCheck.resolved
    : undefined;
}

/** Whose account was paid before, where neither the file nor the account of now says the same name. */
export function otherHolder(now: Payout, before: Payout): string | undefined {
  const [is, was] = [now.instruction?.name ?? holderOf(now), holderOf(before)];
  return was === undefined || (is !== undefined && wordsOf(is) === wordsOf(was)) ? undefined : was;
}

function wordsOf(name: string): string {
  return [...foldWords(name)].sort().join(' ');
}

/** Why a row waits: its person was paid elsewhere before. The pointer is where that payment stands. */
export function accountChangedReason(
  now: Instruction,
  before: Instruction,
  pointer: PaymentPointer,
  holder: string | undefined,
): HoldReason {
  const at = ({ account, institutionName }: Instruction) =>
    `${maskOf(account.reveal())} at ${institutionName}`;
  const place = `row ${pointer.rowNumber} of batch ${pointer.batchName}`;
  const whose = holder === undefined ? '' : `, which belongs to “${shortName(holder)}”,`;
  const markOf = (instruction: Instruction) => accountMark(instruction, instruction.account.reveal());
  return {
    concern: { kind: 'other_account', from: markOf(before), to: markOf(now) },
    text: `The account is new for this person: ${at(before)}${whose} before (${place}), ${at(now)} now`,
    pointer,
  };
}

/** The newest earlier batch of the same name stem, else of the same file's. `earlier` comes newest first. */
export function lastOfSameKind(
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

/**
 * What changed since the last batch, in words: the first of each kind, or all of it. Who is paid to a new account is
 * always named: a changed account is how salaries are stolen, and a name that is cut from the list is not noticed.
 */

const CURRENCIES_SHOWN = 2;
const ACCOUNTS_SHOWN = 20;
/** Characters of a name; the whole name stands in the file. */
const LONGEST = 60;

/** For a page. */
interface ChangesTold {
  readonly since: string;
  readonly totals: readonly CurrencyChange[];
  /** Kinds that there are. */
  readonly groups: readonly Group[];
}

interface Group {
  readonly title: string;
  /** Many of them are named in the short form too; of any other kind one is. */
  readonly isAlarming: boolean;
  readonly texts: readonly string[];
  /** How many are not listed. */
  readonly left: number;
}

function changesTold(changes: BatchChanges): ChangesTold {
  const { difference, jumpPercent } = changes;
  if (difference === undefined) {
    const since = `${sinceText(changes)} too many rows to compare one by one.`;
    return { since, totals: [], groups: [] };
  }
  const { newAccounts, newHolders, added, missing, jumps, totals } = difference;
  const people = ({ count }: Listed<unknown>, adjective = '') =>
    `${countText(count)} ${adjective}beneficiar${count === 1 ? 'y' : 'ies'}`;
  const accounts = newAccounts.count === 1 ? 'a new account' : 'new accounts';
  const owners = counted(newHolders.count, 'account belongs', 'accounts belong');
  const amounts = counted(jumps.count, 'amount');
  return {
    since: sinceText(changes),
    totals,
    groups: [
      ...groupOf(newAccounts, accountText, `${people(newAccounts)} with ${accounts}`, true),
      ...groupOf(newHolders, holderText, `${owners} to somebody else now`, true),
      ...groupOf(jumps, jumpText, `${amounts} moved by over ${jumpPercent} %`),
      ...groupOf(added, rowText, people(added, 'new ')),
      ...groupOf(missing, (row) => `${rowText(row)}, in that batch`, people(missing, 'missing ')),
    ],
  };
}

function groupOf<Item>(
  { count, list }: Listed<Item>,
  textOf: (item: Item) => string,
  title: string,
  isAlarming = false,
): readonly Group[] {
  return count === 0 ? [] : [{ title, isAlarming, texts: list.map(textOf), left: count - list.length }];
}

/** Whole names; whoever shows the lines decides about the width. */
export function shortChanges(changes: BatchChanges): {
  readonly lines: readonly string[];
  readonly isWhole: boolean;
} {
  const { since, totals, groups } = changesTold(changes);
  const hidden = totals.length - CURRENCIES_SHOWN;
  const isAlike = changes.difference !== undefined && groups.length === 0;
  const lines = [
    ...totals.slice(0, CURRENCIES_SHOWN).map(totalText),
    ...(hidden > 0 ? [`… and ${hidden} more ${hidden === 1 ? 'currency' : 'currencies'}`] : []),
    ...groups.flatMap(shortLines),
    ...(isAlike ? ['the same beneficiaries, accounts and about the same amounts'] : []),
  ];
  const isShown = (group: Group) => countOf(group) <= (group.isAlarming ? ACCOUNTS_SHOWN : 1);
  return {
    lines: [since, ...lines.map((line) => `  ${line}`)],
    isWhole: hidden <= 0 && groups.every(isShown),
  };
}

function countOf({ texts, left }: Group): number {
  return texts.length + left;
}

/** One is written after its title, several below it. */
function shortLines(group: Group): readonly string[] {
  const [first = ''] = group.texts;
  const count = countOf(group);
  if (!group.isAlarming || count === 1) return [`${titleOf(group)}: ${first}${count > 1 ? ', …' : ''}`];
  const shown = group.texts.slice(0, ACCOUNTS_SHOWN);
  const left = count - shown.length;
  const rest = left > 0 ? [`… and ${countText(left)} more: ask for all changes`] : [];
  return [`${titleOf(group)}:`, ...[...shown, ...rest].map((text) => `  ${text}`)];
}

function titleOf({ title, isAlarming }: Group): string {
  return isAlarming ? `! ${title}` : title;
}

/** Every listed row. */
export function allChanges(changes: BatchChanges): readonly string[] {
  const { since, totals, groups } = changesTold(changes);
  const lines = groups.flatMap((group) => [
    `  ${titleOf(group)}:`,
    ...group.texts.map((text) => `    ${text}`),
    ...(group.left > 0 ? [`    … and ${countText(group.left)} more`] : []),
  ]);
  return [since, ...totals.map((total) => `  ${totalText(total)}`), ...lines];
}

function sinceText({ previous, paysAgain, isByReference }: BatchChanges): string {
  const day = formatTimestamp(previous.createdAt).slice(0, 10);
  const batch = `batch ${printable(previous.name)} of ${day}`;
  if (isByReference === true)
    return `Compared with payments of ${batch} that failed and have the references of its rows:`;
  return paysAgain ? `Compared with the rows of ${batch} that it pays again:` : `Since ${batch}:`;
}

function totalText({ currency, rows, rowsBefore, before, now }: CurrencyChange): string {
  const amounts = `${formatAmount(before)} → ${formatAmount(now)}${percentText(before.minor, now.minor)}`;
  const counts = rowsBefore === rows ? rowsText(rows) : `${countText(rowsBefore)} → ${rowsText(rows)}`;
  return `${currency} ${amounts}, ${counts}`;
}

function accountText(change: NewAccount): string {
  const { row, name, account, accountBefore, institution, institutionBefore, amount, amountBefore } = change;
  const where = institution === institutionBefore ? '' : `, ${cutText(printable(institution), LONGEST)}`;
  const isSame = amount.minor === amountBefore.minor && amount.currency === amountBefore.currency;
  const sum = isSame ? formatMoney(amount) : `${formatMoney(amountBefore)} → ${formatMoney(amount)}`;
  const was =
    change.holderBefore === undefined ? '' : `; the account before: ${shortName(change.holderBefore)}`;
  return `row ${row} ${accountBefore} → ${account}${where}, ${sum}${named(name)}${was}`;
}

function holderText({ row, holder, holderBefore }: HolderChange): string {
  return `row ${row} “${shortName(holder)}”, was “${shortName(holderBefore)}”`;
}

function jumpText({ row, rows, name, before, now }: AmountJump): string {
  const others = rows > 1 ? ` with ${counted(rows - 1, 'more row')} to the same account,` : '';
  const moved = `${formatMoney(before)} → ${formatAmount(now)}`;
  return `row ${row}${others} ${moved}${percentText(before.minor, now.minor)}${named(name)}`;
}

function rowText({ row, name, amount }: ChangedRow): string {
  return `row ${row} ${formatMoney(amount)}${named(name)}`;
}

function named(name: string | undefined): string {
  return name === undefined ? '' : `, ${shortName(name)}`;
}

function shortName(name: string): string {
  return cutText(printable(name), LONGEST);
}

/** ` (+12.5 %)`; nothing where there was nothing before. */
function percentText(before: bigint, now: bigint): string {
  if (before === 0n || before === now) return '';
  const thousandths = ((now - before) * 1_000n) / before;
  const sign = now < before ? '−' : '+';
  const size = thousandths < 0n ? -thousandths : thousandths;
  return ` (${sign}${size / 10n}.${size % 10n} %)`;
}
