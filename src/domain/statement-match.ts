/**
 * Finds the payout that each line of a statement is about: by tag, else by transfer id, else by account, amount and
 * time where that fits one payout and one line only.
 *
 * Limits:  ENTRIES_MAX payouts and LOOSE_MAX lines without tag or id are held at once; a statement may have
 *          1,000,000 lines, of which nothing is kept but what fits a payout.
 */
import { BOOKING_MS, mayBeDated } from './attempt-window.ts';
import type { PayoutId } from './instruction.ts';
import {
  ACCOUNT_END,
  accountKey,
  amountFits,
  foldedAccount,
  plainAmount,
  type StatementEntry,
} from './statement-entry.ts';
import type { MatchedBy } from './statement-findings.ts';
import type { StatementLine } from './statement-line.ts';
import { SimilarLines } from './statement-similar.ts';
import { type DateOrder, readDate } from './written-date.ts';

export const ENTRIES_MAX = 250_000;
export const LOOSE_MAX = 250_000;
const LINES_KEPT = 5;

export interface MatchedLine {
  readonly line: StatementLine;
  readonly by: MatchedBy;
  /** The payout that has the transfer which this line names beside another payout's tag. */
  readonly idHolder: StatementEntry | undefined;
}

/** What became of a line at first sight. `unknown_tag`: the caller asks the ledger whose it is. */
export type Placed =
  | { readonly kind: 'placed' }
  | { readonly kind: 'unknown_tag'; readonly tag: string }
  | { readonly kind: 'unknown_id'; readonly ids: readonly string[] }
  | { readonly kind: 'loose' }
  | { readonly kind: 'foreign' };

export class StatementIndex {
  readonly entries: StatementEntry[] = [];
  readonly #byTag = new Map<string, StatementEntry>();
  readonly #byId = new Map<string, StatementEntry>();
  readonly #byAccount = new Map<string, StatementEntry[]>();
  readonly #lines = new Map<PayoutId, MatchedLine[]>();
  readonly #candidates = new Map<PayoutId, StatementLine[]>();
  readonly #similar = new SimilarLines();
  readonly #loose: StatementLine[] = [];
  #tagsSeen = 0;
  #accountsSeen = 0;

  add(entry: StatementEntry): void {
    this.entries.push(entry);
    this.#byTag.set(entry.tag, entry);
    this.#similar.add(entry);
    if (entry.transferId !== undefined) this.#byId.set(entry.transferId, entry);
    const key = accountKey(plainAmount(entry.amount), entry.account);
    const others = this.#byAccount.get(key);
    if (others === undefined) this.#byAccount.set(key, [entry]);
    else others.push(entry);
  }

  /** How often lines were recognised by tag, and by a whole account number: what the statement is able to show. */
  get shows(): { readonly tags: number; readonly accounts: number } {
    return { tags: this.#tagsSeen, accounts: this.#accountsSeen };
  }

  place(line: StatementLine): Placed {
    if (this.#placeByTag(line)) return { kind: 'placed' };
    for (const id of line.ids) {
      const entry = this.#byId.get(id);
      if (entry === undefined) continue;
      this.#match(entry, line, 'transfer_id');
      return { kind: 'placed' };
    }
    const [tag] = line.tags;
    if (tag !== undefined) return { kind: 'unknown_tag', tag };
    if (this.#candidatesOf(line).length > 0 || this.#similar.mayBe(line)) return { kind: 'loose' };
    return line.ids.length > 0 ? { kind: 'unknown_id', ids: line.ids } : { kind: 'foreign' };
  }

  /** Kept until all lines are seen. False: there are more of them than can be held. */
  keepLoose(line: StatementLine): boolean {
    this.#loose.push(line);
    return this.#loose.length <= LOOSE_MAX;
  }

  linesOf(entry: StatementEntry): readonly MatchedLine[] {
    return this.#lines.get(entry.payoutId) ?? [];
  }

  /** Lines that may be about this payout, or about another one as well. */
  candidatesOf(entry: StatementEntry): readonly StatementLine[] {
    return this.#candidates.get(entry.payoutId) ?? [];
  }

  /** Lines without tag, id or account of any row that show what this payout in doubt would show: its amount. */
  similarTo(entry: StatementEntry): readonly StatementLine[] {
    return this.#similar.linesOf(entry);
  }

  /**
   * Matches lines by account, amount and time. Payouts and lines with the same account and amount form a group: as
   * many lines as payouts, all of which the service has, are matched in order; one payout with one line too, and
   * one with several. Anything else stays a candidate. Returns the lines that no row is about.
   */
  settleLoose(order: DateOrder): readonly StatementLine[] {
    const foreign: StatementLine[] = [];
    const groups = new Map<string, { lines: StatementLine[]; entries: readonly StatementEntry[] }>();
    for (const line of this.#loose) {
      const entries = this.#candidatesOf(line).filter(
        (entry) => this.linesOf(entry).length === 0 && isInTime(entry, line, order),
      );
      if (entries.length === 0) {
        this.#similar.keep(line, (entry) => this.linesOf(entry).length === 0 && isInTime(entry, line, order));
        foreign.push(line);
        continue;
      }
      const masked = line.account?.isMasked === true ? 'masked' : 'whole';
      const key = `${masked}\n${entries.map(({ payoutId }) => payoutId).join(',')}`;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { lines: [line], entries });
      else group.lines.push(line);
    }
    const claims = new Map<PayoutId, number>();
    for (const { entries } of groups.values())
      for (const { payoutId } of entries) claims.set(payoutId, (claims.get(payoutId) ?? 0) + 1);
    for (const group of groups.values()) this.#settleGroup(group, claims);
    return foreign;
  }

  #settleGroup(
    { lines, entries }: { lines: StatementLine[]; entries: readonly StatementEntry[] },
    claims: ReadonlyMap<PayoutId, number>,
  ): void {
    const isAlone = entries.every(({ payoutId }) => claims.get(payoutId) === 1);
    const isSure = entries.every(({ status }) => status === 'accepted' || status === 'settled');
    const isPaired = entries.length === 1 || (isSure && lines.length === entries.length);
    if (!isAlone || !isPaired) {
      for (const { payoutId } of entries) this.#addCandidates(payoutId, lines);
      return;
    }
    for (const [index, line] of lines.entries()) {
      const entry = entries[Math.min(index, entries.length - 1)];
      if (entry === undefined) continue;
      const isMasked = line.account?.isMasked === true;
      if (!isMasked) this.#accountsSeen += 1;
      this.#match(entry, line, isMasked ? 'masked_account' : 'account');
    }
  }

  #candidatesOf(line: StatementLine): readonly StatementEntry[] {
    const { account } = line;
    if (account === undefined || account.text.length < ACCOUNT_END) return [];
    const shown = foldedAccount(account.text);
    const found = new Set<StatementEntry>();
    for (const amount of line.amounts) {
      for (const entry of this.#byAccount.get(accountKey(amount, shown)) ?? []) {
        const isSame = account.isMasked ? entry.account.endsWith(shown) : isSameAccount(entry.account, shown);
        if (isSame && entry.window !== undefined && amountFits(entry, line)) found.add(entry);
      }
    }
    return [...found];
  }

  /** A line with the tags of several rows proves nothing of those in doubt, neither that they were paid nor not. */
  #placeByTag(line: StatementLine): boolean {
    const entries = line.tags.map((tag) => this.#byTag.get(tag)).filter((entry) => entry !== undefined);
    for (const entry of entries) {
      this.#tagsSeen += 1;
      const isDoubt = entry.status === 'in_doubt' || entry.status === 'sending';
      if (entries.length > 1 && isDoubt) this.#addCandidates(entry.payoutId, [line]);
      else this.#match(entry, line, 'tag');
    }
    return entries.length > 0;
  }

  #addCandidates(payoutId: PayoutId, lines: readonly StatementLine[]): void {
    const before = this.#candidates.get(payoutId) ?? [];
    this.#candidates.set(payoutId, [...before, ...lines].slice(0, LINES_KEPT));
  }

  #match(entry: StatementEntry, line: StatementLine, by: MatchedBy): void {
    const holders = line.ids.map((id) => this.#byId.get(id));
    const idHolder = holders.find((holder) => holder !== undefined && holder !== entry);
    const matched = { line, by, idHolder };
    const lines = this.#lines.get(entry.payoutId);
    if (lines === undefined) this.#lines.set(entry.payoutId, [matched]);
    else if (lines.length < LINES_KEPT) lines.push(matched);
  }
}

/** A wallet may stand there with or without its country in front: nine digits at the end are one number. */
function isSameAccount(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  const digits = short.replace(/^0+/, '');
  return (
    digits.length >= 9 && /^\d+$/.test(short) && long.endsWith(digits) && long.length - digits.length <= 5
  );
}

/** A line without a date that can be read may be from any time. */
function isInTime({ window }: StatementEntry, { dateText }: StatementLine, order: DateOrder): boolean {
  if (window === undefined) return false;
  const date = readDate(dateText, order);
  return date === undefined || mayBeDated(date, window, BOOKING_MS);
}
