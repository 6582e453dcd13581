/**
 * Finds the payout that each line of a statement is about: by tag, else by transfer id, else by account, amount and
 * time where that fits one payout and one line only.
 *
 * Limits:  ENTRIES_MAX payouts and LOOSE_MAX lines without tag or id are held at once; a statement may have
 *          1,000,000 lines, of which nothing is kept but what fits a payout.
 */
import type { PayoutId } from '../payouts/instruction.ts';
import type { DateOrder } from '../text/written-date.ts';
import { type AlikeLine, AlikeLines } from './alike.ts';
import { dateOf, mayBeBooked } from './date.ts';
import {
  ACCOUNT_END,
  accountKey,
  allReadings,
  amountFits,
  foldedAccount,
  plainAmount,
  type StatementEntry,
} from './entry.ts';
import type { MatchedBy } from './findings.ts';
import type { StatementLine } from './line.ts';
import { familiesOf, type LooseGroup, pairUp } from './pairing.ts';
import { type SimilarLine, SimilarLines } from './similar.ts';

export const ENTRIES_MAX = 250_000;
export const LOOSE_MAX = 250_000;
/** Of a payout with so many lines not all may be here. */
export const LINES_KEPT = 10;
const CANDIDATES_KEPT = 5;
/** Digits of a number that may be a transfer id in the middle of a text. */
const NUMBER_ID_MIN = 6;

export interface MatchedLine {
  readonly line: StatementLine;
  readonly by: MatchedBy;
  /** The payout that has the transfer which this line names beside another payout's tag. */
  readonly idHolder: StatementEntry | undefined;
}

export interface EntryLines {
  readonly matched: readonly MatchedLine[];
  /** Lines that may be about it, or about another payout as well. */
  readonly candidates: readonly StatementLine[];
  /** There are more such lines than payouts that they may be. */
  readonly isOutnumbered: boolean;
  /** Lines that no row is known by, and that may be about it all the same. */
  readonly similar: readonly SimilarLine[];
  /** Lines with its account and amount that are not taken for its own. */
  readonly alike: readonly AlikeLine[];
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
  readonly #outnumbered = new Set<PayoutId>();
  readonly #similar = new SimilarLines();
  readonly #alike = new AlikeLines();
  readonly #loose: StatementLine[] = [];
  #tagsSeen = 0;
  #accountsSeen = 0;
  #placed = 0;

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
    if (this.#placeByTag(line) || this.#placeById(line)) {
      this.#placed += 1;
      return { kind: 'placed' };
    }
    const [tag] = line.tags;
    if (tag !== undefined) return { kind: 'unknown_tag', tag };
    if (this.#similar.mayKeep(line) || this.#candidatesOf(line).length > 0) return { kind: 'loose' };
    return line.ids.length > 0 ? { kind: 'unknown_id', ids: line.ids } : { kind: 'foreign' };
  }

  /** The row that a line may be about at first sight; undefined for most lines. */
  ownerOf(line: StatementLine): StatementEntry | undefined {
    const tagged = line.tags.map((tag) => this.#byTag.get(tag)).find((entry) => entry !== undefined);
    return tagged ?? this.#namedBy(line) ?? this.#candidatesOf(line)[0];
  }

  /** Whether account and amount are a row's. */
  isLikeARow(line: StatementLine): boolean {
    return this.#candidatesOf(line).length > 0;
  }

  /** Kept until all lines are seen, where it fits a row; `too_many`: there are more of them than can be held. */
  keepLoose(line: StatementLine, order: DateOrder): 'kept' | 'foreign' | 'too_many' {
    if (this.#candidatesOf(line).length === 0) {
      this.#similar.keep(line, order);
      return 'foreign';
    }
    this.#loose.push(line);
    return this.#loose.length <= LOOSE_MAX ? 'kept' : 'too_many';
  }

  linesOf(entry: StatementEntry): readonly MatchedLine[] {
    return this.#lines.get(entry.payoutId) ?? [];
  }

  /** All that was found for it. */
  allOf(entry: StatementEntry): EntryLines {
    return {
      matched: this.linesOf(entry),
      candidates: this.#candidates.get(entry.payoutId) ?? [],
      isOutnumbered: this.#outnumbered.has(entry.payoutId),
      similar: this.#similar.linesOf(entry),
      alike: this.#alike.linesOf(entry),
    };
  }

  /** Numbers of lines that are no row's, and may be told beside one. */
  get hintedRows(): ReadonlySet<number> {
    return new Set([...this.#similar.rowNumbers, ...this.#alike.rowNumbers]);
  }

  /** Lines that are about rows of this batch; known once settleLoose is done. */
  get rowLines(): number {
    return this.#placed;
  }

  /**
   * Matches lines by account, amount and time where it is plain which line is whose; the others stay candidates.
   * Returns the lines that no row is about.
   */
  settleLoose(order: DateOrder): readonly StatementLine[] {
    const foreign: StatementLine[] = [];
    const groups = new Map<string, LooseGroup>();
    for (const line of this.#loose) {
      const alike = this.#candidatesOf(line);
      const entries = alike.filter(
        (entry) => this.linesOf(entry).length === 0 && mayBeBooked(dateOf(line, order), entry.window),
      );
      if (entries.length === 0) {
        this.#similar.keep(line, order);
        for (const entry of alike) this.#alike.keep(entry, line, order);
        foreign.push(line);
        continue;
      }
      this.#placed += 1;
      const isMasked = line.account?.isMasked === true;
      const key = `${isMasked}\n${entries.map(({ payoutId }) => payoutId).join(',')}`;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { lines: [line], entries, isMasked });
      else group.lines.push(line);
    }
    for (const family of familiesOf([...groups.values()])) this.#settleFamily(family, order);
    return foreign;
  }

  #settleFamily(family: readonly LooseGroup[], order: DateOrder): void {
    const pairs = pairUp(family, order);
    if (pairs === undefined) {
      const payoutIds = new Set(family.flatMap(({ entries }) => entries.map(({ payoutId }) => payoutId)));
      const out = family.flatMap(({ lines }) => lines).filter(({ direction }) => direction !== 'in');
      if (out.length > payoutIds.size) for (const payoutId of payoutIds) this.#outnumbered.add(payoutId);
      for (const { entries, lines } of family)
        for (const { payoutId } of entries) this.#addCandidates(payoutId, lines);
      return;
    }
    for (const { entry, line } of pairs) {
      const isMasked = line.account?.isMasked === true;
      if (!isMasked && line.direction === 'out') this.#accountsSeen += 1;
      this.#match(entry, line, isMasked ? 'masked_account' : 'account');
    }
  }

  #candidatesOf(line: StatementLine): readonly StatementEntry[] {
    const { account } = line;
    if (account === undefined || account.text.length < ACCOUNT_END) return [];
    const shown = foldedAccount(account.text);
    const found = new Set<StatementEntry>();
    for (const amount of allReadings(line)) {
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
      // A bank may name in what comes back what it does not name in a payment.
      if (line.direction === 'out') this.#tagsSeen += 1;
      const isDoubt = entry.status === 'in_doubt' || entry.status === 'sending';
      if (entries.length > 1 && isDoubt) this.#addCandidates(entry.payoutId, [line]);
      else this.#match(entry, line, 'tag');
    }
    return entries.length > 0;
  }

  #placeById(line: StatementLine): boolean {
    const entry = this.#namedBy(line);
    if (entry !== undefined) this.#match(entry, line, 'transfer_id');
    return entry !== undefined;
  }

  #namedBy(line: StatementLine): StatementEntry | undefined {
    for (const id of line.ids) {
      const entry = this.#byId.get(id);
      if (entry !== undefined) return entry;
    }
    if (line.tags.length > 0) return undefined;
    const named = line.words.map((word) => ({ word, entry: this.#byId.get(word) }));
    // A number alone may be a year or an invoice's.
    const isId = (word: string, entry: StatementEntry) =>
      /\D/.test(word) || (word.length >= NUMBER_ID_MIN && amountFits(entry, line));
    return named.find(({ word, entry }) => entry !== undefined && isId(word, entry))?.entry;
  }

  #addCandidates(payoutId: PayoutId, lines: readonly StatementLine[]): void {
    const before = this.#candidates.get(payoutId) ?? [];
    this.#candidates.set(payoutId, [...before, ...lines].slice(0, CANDIDATES_KEPT));
  }

  #match(entry: StatementEntry, line: StatementLine, by: MatchedBy): void {
    const words = line.words.filter((word) => /\D/.test(word));
    const holders = [...line.ids, ...words].map((id) => this.#byId.get(id));
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
