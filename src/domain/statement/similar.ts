/**
 * Lines of a statement that no row is known by, and that may be a payment in doubt all the same. A bank may cut the
 * narration short, and with it the tag, show our own account in place of the beneficiary's, or book in a currency of
 * its own. While such a line may be the payment, nobody can say that the statement lacks it.
 *
 * Of payouts whose outcome is known only lines that show the beginning of their tag are kept.
 * Limits:  a few lines of each payout.
 */
import { formatDecimal, formatMoney, type Money } from '../money/money.ts';
import type { DateOrder, WrittenDate } from '../text/written-date.ts';
import { dateOf, mayBeBooked } from './date.ts';
import {
  allReadings,
  amountMayFit,
  FAR_PERCENT,
  isIncomparable,
  isNearDebit,
  type StatementEntry,
} from './entry.ts';
import { KeptLines, LINES_KEPT } from './kept.ts';
import type { StatementLine } from './line.ts';

/** Amounts that are up to FAR_PERCENT apart lie no more than BUCKETS_APART buckets from each other. */
const BUCKET = Math.log(1.02);
const BUCKETS_APART = Math.ceil(-Math.log(1 - Number(FAR_PERCENT) / 100) / BUCKET) + 1;
/** So much of a tag is hardly another's by chance: `PF-` and four of its letters. Then no date speaks against it. */
const TELLING_LENGTH = 7;

export type Likeness = 'cut_tag' | 'amount' | 'near_amount' | 'no_amount' | 'other_currency';

export interface SimilarLine {
  readonly line: StatementLine;
  readonly by: Likeness;
}

export class SimilarLines {
  readonly #doubts: StatementEntry[] = [];
  /** Payouts that are not in doubt, by the beginning of their tag. */
  readonly #known = new Map<string, StatementEntry[]>();
  /** Those for which another line is still kept. */
  readonly #open = new Set<StatementEntry>();
  readonly #byAmount = new Map<number, StatementEntry[]>();
  readonly #lines = new KeptLines<SimilarLine>();

  add(entry: StatementEntry): void {
    if (entry.status !== 'in_doubt' && entry.status !== 'sending') {
      put(this.#known, entry.tag.slice(0, TELLING_LENGTH), entry);
      return;
    }
    this.#doubts.push(entry);
    this.#open.add(entry);
    const moneys = [entry.amount, entry.debit].filter((money) => money !== undefined);
    for (const bucket of new Set(moneys.map((money: Money) => bucketOf(formatDecimal(money)))))
      put(this.#byAmount, bucket, entry);
  }

  mayKeep({ cutTags }: StatementLine): boolean {
    return this.#doubts.length > 0 || cutTags.some(isTelling);
  }

  keep(line: StatementLine, order: DateOrder): void {
    const date = dateOf(line, order);
    for (const cut of line.cutTags.filter(isTelling))
      for (const entry of this.#known.get(cut.slice(0, TELLING_LENGTH)) ?? [])
        if (entry.tag.startsWith(cut)) this.#add(entry, { line, by: 'cut_tag' });
    for (const entry of this.#entriesFor(line)) {
      const by = isInTime(entry, line, date) ? likenessOf(entry, line) : undefined;
      if (by !== undefined) this.#add(entry, { line, by });
    }
  }

  linesOf(entry: StatementEntry): readonly SimilarLine[] {
    return this.#lines.of(entry);
  }

  get rowNumbers(): ReadonlySet<number> {
    return this.#lines.rowNumbers;
  }

  #add(entry: StatementEntry, similar: SimilarLine): void {
    const before = this.linesOf(entry);
    // The beginning of its tag says more than lines that are alike by chance.
    const lines = similar.by === 'cut_tag' ? [similar, ...before] : [...before, similar];
    this.#lines.set(entry, lines);
    if (lines.length >= LINES_KEPT) this.#open.delete(entry);
  }

  #entriesFor(line: StatementLine): Iterable<StatementEntry> {
    if (line.cutTags.length > 0) return this.#doubts;
    if (line.amounts.length === 0) return this.#open;
    const found = new Set<StatementEntry>();
    for (const entry of this.#open) if (isIncomparable(entry, line)) found.add(entry);
    for (const amount of allReadings(line)) {
      const bucket = bucketOf(amount);
      for (let near = bucket - BUCKETS_APART; near <= bucket + BUCKETS_APART; near += 1)
        for (const entry of this.#byAmount.get(near) ?? []) found.add(entry);
    }
    return found;
  }
}

/** The sentence goes on: “: it may be this one”. */
export function similarText({ amount, tag }: StatementEntry, { line, by }: SimilarLine): string {
  const untold = 'and nothing that tells whose it is';
  const at = `line ${line.rowNumber}`;
  switch (by) {
    case 'cut_tag': {
      const cut = line.cutTags.find((text) => tag.startsWith(text)) ?? '';
      return `${at} shows the beginning of its tag (${cut})`;
    }
    case 'amount':
      return `${at} shows the same amount ${untold}`;
    case 'near_amount':
      return `${at} shows an amount near its debit ${untold}`;
    case 'no_amount':
      return `${at} shows no amount that can be read ${untold}`;
    case 'other_currency':
      return `${at} is in ${line.currency ?? ''}, which cannot be compared with ${formatMoney(amount)}, ${untold}`;
  }
}

/** Why a line may be the payment; undefined when it cannot be. */
function likenessOf(entry: StatementEntry, line: StatementLine): Likeness | undefined {
  // Whether it went out or came back: what came back had been paid.
  if (line.cutTags.some((cut) => entry.tag.startsWith(cut))) return 'cut_tag';
  // A sign is read by what most lines show: it takes no line away that may be the payment.
  if (line.direction === 'in' && line.isTold) return undefined;
  if (line.amounts.length === 0) return 'no_amount';
  if (isIncomparable(entry, line)) return 'other_currency';
  if (amountMayFit(entry, line)) return 'amount';
  return isNearDebit(entry, line) ? 'near_amount' : undefined;
}

/** A line without a date that can be read may be from any time. */
function isInTime(entry: StatementEntry, { cutTags }: StatementLine, date: WrittenDate | undefined): boolean {
  if (cutTags.some((cut) => isTelling(cut) && entry.tag.startsWith(cut))) return true;
  return mayBeBooked(date, entry.window);
}

function isTelling(cut: string): boolean {
  return cut.length >= TELLING_LENGTH;
}

function put<K>(map: Map<K, StatementEntry[]>, key: K, entry: StatementEntry): void {
  const others = map.get(key);
  if (others === undefined) map.set(key, [entry]);
  else others.push(entry);
}

function bucketOf(decimal: string): number {
  return Math.floor(Math.log(Math.max(Number(decimal), Number.MIN_VALUE)) / BUCKET);
}
