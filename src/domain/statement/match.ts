/**
 * Finds the payout that each line of a statement is about. A tag or a transfer id names it; account, amount and date
 * only suggest it and never prove it; if account and amount both differ, a tag or id proves nothing either. A line
 * that names one payout may belong to another one, because an id may be the bank's own number. The
 * statement is read twice: once for the lines that name a payout, once when it is known which payouts still lack a line.
 *
 * Limits:  SENT_MAX payouts that were sent and UNSENT_MAX others are held at once, and a few lines of each.
 */

import type { PayoutId } from '../payouts/instruction.ts';
import { isUnsent } from '../payouts/payout.ts';
import type { DateOrder, WrittenDate } from '../text/written-date.ts';
import { WallClock } from '../time-zone.ts';
import { dateOf, isLater, mayBeBooked } from './dates.ts';
import {
  ACCOUNT_END,
  accountKey,
  foldedAccount,
  isAccountOf,
  isCalledUnpaid,
  isDoubt,
  putEntry,
  type StatementEntry,
} from './entry.ts';
import {
  allReadings,
  amountFits,
  isContrary,
  isContraryToTag,
  isShownWhole,
  plainAmount,
} from './figures.ts';
import { type HintLine, StatementHints } from './hints.ts';
import { outOfCapitals, type StatementLine } from './line.ts';
import type { MatchedLine } from './matched-line.ts';
import type { PaidElsewhere } from './paid-elsewhere.ts';
import { PaymentTotals, partsOfSum } from './totals.ts';

export const SENT_MAX = 250_000;
/** They have hardly any lines: a million take half a gigabyte. */
export const UNSENT_MAX = 1_000_000;
/** Of a payout with so many lines not all may be here. */
export const LINES_KEPT = 10;
const CANDIDATES_KEPT = 5;
/** Digits of a number that may be a transfer id in the middle of a text. */
const NUMBER_ID_MIN = 6;

export interface EntryLines {
  /** Lines that name it, or the only one with its account and amount at its time. */
  readonly matched: readonly MatchedLine[];
  /** Lines with its tag or its transfer id, and with the account and the amount of something else. */
  readonly contrary: readonly MatchedLine[];
  /** Lines that may be about it, or about another payout as well. */
  readonly candidates: readonly StatementLine[];
  /** There are more such lines than payouts that they may be. */
  readonly isOutnumbered: boolean;
  readonly hints: readonly HintLine[];
}

interface Kept {
  readonly named: MatchedLine[];
  readonly contrary: MatchedLine[];
  /** By account, amount and date: of this payout alone, and of others as well. */
  readonly alone: StatementLine[];
  readonly shared: StatementLine[];
  isOutnumbered: boolean;
}

interface IndexOptions {
  readonly seeksUnsent?: boolean;
  readonly elsewhere?: PaidElsewhere;
  readonly timeZone?: string;
}

export class StatementIndex {
  readonly entries: StatementEntry[] = [];
  readonly #kept = new Map<PayoutId, Kept>();
  readonly #byTag = new Map<string, StatementEntry>();
  readonly #byId = new Map<string, StatementEntry>();
  /** By the transfer id in small letters; `several` where two ids differ in nothing else. */
  readonly #bySmallId = new Map<string, StatementEntry | 'several'>();
  readonly #byAccount = new Map<string, StatementEntry[]>();
  readonly #hints = new StatementHints();
  /** How many lines fit exactly the same payouts. */
  readonly #sharing = new Map<string, number>();
  /** Numbers of lines that are rows', and may be told beside another row. */
  readonly #placed = new Set<number>();
  readonly #seeksUnsent: boolean;
  readonly #elsewhere: PaidElsewhere | undefined;
  /** Cuts the days of which a bank may book a total. */
  readonly #clock: WallClock;
  /** Of payments that no line names; known after the first reading. */
  #totals: PaymentTotals | undefined;
  #unsent = 0;
  #hasTurnedAway = false;

  /** `seeksUnsent`: another ledger may have sent what is unsent here, under the same tags or others. */
  constructor({ seeksUnsent = false, elsewhere, timeZone }: IndexOptions = {}) {
    this.#clock = new WallClock(timeZone);
    this.#seeksUnsent = seeksUnsent;
    this.#elsewhere = elsewhere;
  }

  add(entry: StatementEntry): void {
    this.entries.push(entry);
    if (isUnsent(entry)) this.#unsent += 1;
    this.#hasTurnedAway ||= isUnsent(entry) && entry.turnedAway > 0;
    this.#byTag.set(entry.tag, entry);
    if (entry.transferId !== undefined) this.#addId(entry.transferId, entry);
    putEntry(this.#byAccount, accountKey(plainAmount(entry.amount), entry.account), entry);
    this.#hints.add(entry);
  }

  get isOverfull(): boolean {
    return this.entries.length - this.#unsent > SENT_MAX || this.#unsent > UNSENT_MAX;
  }

  /** The line with a tag that lost its dash or its end, if only one payment can be meant. */
  restoreTag(line: StatementLine): StatementLine {
    const { tags, looseTags, cutTags } = line;
    if (tags.length > 0 || looseTags.length + cutTags.length === 0) return line;
    const known = looseTags.filter((tag) => this.#byTag.has(tag));
    if (known.length > 0) return { ...line, tags: known };
    const begun = cutTags.map((cut) => this.#hints.begunBy(cut));
    const [meant, other] = new Set(begun.flat());
    if (meant === undefined || other !== undefined || isCalledUnpaid(meant) || !amountFits(meant, line))
      return line;
    return { ...line, tags: [meant.tag], restoredTag: meant.tag };
  }

  /** The first reading: keeps a line with its payout where it names one. False where it names none. */
  placeNamed(line: StatementLine): boolean {
    this.#elsewhere?.placeNamed(line);
    const entries = this.#namedBy(line);
    const by = line.tags.some((tag) => this.#byTag.has(tag)) ? 'tag' : 'transfer_id';
    const isAgainst = by === 'tag' ? isContraryToTag : isContrary;
    const parts = entries.length > 1 ? partsOfSum(entries, line) : undefined;
    for (const entry of entries) {
      const kept = this.#of(entry);
      const part = parts?.get(entry);
      const idHolder = part === undefined ? this.#otherHolder(entry, line) : undefined;
      const matched = { line, by, idHolder, part } as const;
      // A line with the tags of several rows proves nothing of those in doubt.
      if (entries.length > 1 && isDoubt(entry)) this.#share(entry, line);
      else if (entries.length === 1 && isAgainst(entry, line)) {
        // It costs nothing to hold what another ledger may have sent.
        const isHeld = this.#seeksUnsent && isUnsent(entry);
        keep(isHeld ? kept.named : kept.contrary, matched, LINES_KEPT);
        this.placeUnsent(line);
      } else keep(kept.named, matched, LINES_KEPT);
    }
    return entries.length > 0;
  }

  /**
   * Places a line with the account and amount of an unsent row that may have been paid: by another ledger, or by a try
   * that was turned away, at whose time the line has to be. False: there is no such row. `order`: of its dates, once known.
   */
  placeUnsent(line: StatementLine, order?: DateOrder): boolean {
    const seeksTries = order !== undefined && this.#hasTurnedAway;
    if (line.direction === 'in' || !(this.#seeksUnsent || seeksTries)) return false;
    const isInTime = ({ window }: StatementEntry) =>
      seeksTries && window !== undefined && mayBeBooked(dateOf(line, order), window);
    const unsent = this.#alikeTo(line).filter(
      (entry) => isUnsent(entry) && (this.#seeksUnsent || isInTime(entry)),
    );
    const by = line.account?.isMasked === true ? 'masked_account' : 'account';
    for (const entry of unsent) keep(this.#of(entry).named, { line, by, idHolder: undefined }, LINES_KEPT);
    if (unsent.length > 0) this.#placed.add(line.rowNumber);
    return unsent.length > 0;
  }

  /** The second reading, of a line that names a row of this batch. False: it names none. */
  hintNamed(line: StatementLine, order: DateOrder): boolean {
    const named = this.#namedBy(line);
    if (named.length === 0) return false;
    this.hintBeside(line, order, named);
    if (this.isHinted(line)) this.#placed.add(line.rowNumber);
    return true;
  }

  /** Whether account and amount are a row's. */
  isLikeARow(line: StatementLine): boolean {
    return this.#alikeTo(line).length > 0;
  }

  /** The second reading, of a line that names no payout. undefined: no row is about it for certain, nor perhaps. */
  placeLoose(line: StatementLine, order: DateOrder): 'row' | 'elsewhere' | undefined {
    const date = dateOf(line, order);
    const mayBeUnsent = this.placeUnsent(line, order);
    const alike = this.#alikeTo(line).filter(({ window }) => window !== undefined);
    const isInTime = (entry: StatementEntry) => entry.window !== undefined && mayBeBooked(date, entry.window);
    const mayBe = alike.filter((entry) => isInTime(entry) && !this.#hasLine(entry));
    const taker = this.#elsewhere?.takerOf(line, mayBe, date);
    const own = taker && this.#byTag.get(taker.tag);
    const fitting = own === undefined ? mayBe : [own];
    const [first, second] = fitting;
    const isElsewhere = taker !== undefined && own === undefined;
    for (const entry of alike) {
      const later = entry.window !== undefined && isLater(date, entry.window);
      // Another row may have the line; what is in doubt may have been booked late all the same.
      const isHint = first === undefined ? later || isInTime(entry) : later && isDoubt(entry);
      if (isHint) this.#hints.byAccount(entry, line, later);
    }
    this.#hints.byTag(line, date);
    if (first === undefined) this.#hints.byAmount(line, date, { hasLine: this.#hasLine });
    else if (second === undefined && !isElsewhere) keep(this.#of(first).alone, line, LINES_KEPT);
    else if (!isElsewhere) this.#shareAmong(fitting, line);
    this.#hints.byAccountAlone(line, date, fitting);
    if (first === undefined && !mayBeUnsent && alike.length === 0 && this.#placeTotal(line, date))
      return 'row';
    if (isElsewhere) return mayBeUnsent ? 'row' : 'elsewhere';
    if (first !== undefined) this.#placed.add(line.rowNumber);
    return first !== undefined || mayBeUnsent ? 'row' : undefined;
  }

  /** A bank may book a batch, or a day of it, in one line. */
  #placeTotal(line: StatementLine, date: WrittenDate | undefined): boolean {
    this.#totals ??= new PaymentTotals(
      this.entries.filter((entry) => !this.#hasLine(entry)),
      this.#clock,
    );
    const parts = this.#totals.partsOf(line, date);
    if (parts === undefined) return false;
    this.#placed.add(line.rowNumber);
    for (const [entry, part] of parts)
      if (isDoubt(entry)) this.#hints.byTotal(entry, line);
      else keep(this.#of(entry).named, { line, by: 'total', idHolder: undefined, part }, LINES_KEPT);
    return true;
  }

  /**
   * A line that names payments, or has a tag of nobody, may be another row's all the same. An id may be the bank's own
   * number, so it takes no line away from a row in doubt. A tag does, unless the line shows that row's account and amount,
   * and not those of the payment with the tag. `named`: none where the tag is nobody's, or proves nothing.
   */
  hintBeside(line: StatementLine, order: DateOrder, named: readonly StatementEntry[]): void {
    const isTagged = line.tags.length > 0;
    const isWhole = named.some((entry) => isShownWhole(entry, line));
    if (isWhole && isTagged) return;
    const date = dateOf(line, order);
    // A row that has a line of its own, and is not in doubt, needs no other.
    const mayBe = (entry: StatementEntry) =>
      !named.includes(entry) && (isDoubt(entry) || (!isWhole && !this.#hasLine(entry)));
    for (const entry of this.#alikeTo(line).filter(mayBe)) {
      const { window } = entry;
      const later = window !== undefined && isLater(date, window);
      const isInTime = window !== undefined && mayBeBooked(date, window);
      if (isInTime || (later && isDoubt(entry))) this.#hints.byAccount(entry, line, later);
    }
    if (!isTagged && !isWhole) {
      const told = 'and only the id of another payment';
      this.#hints.byTag(line, date);
      this.#hints.byAmount(line, date, { hasLine: this.#hasLine, told });
    }
    // Another ledger may have made a payment in doubt again; a tag without an amount that can be read may be damaged.
    const isDamaged = named.length === 0 && (this.#seeksUnsent || line.amounts.length === 0);
    if (isTagged && isDamaged) this.#hints.byAmount(line, date, { hasLine: this.#hasLine });
    const isTheirs = isWhole || (isTagged && named.some((entry) => !isContrary(entry, line)));
    if (!isTheirs) this.#hints.byAccountAlone(line, date, named);
  }

  linesOf(entry: StatementEntry): EntryLines {
    const { named, contrary, alone, shared, isOutnumbered } = this.#of(entry);
    const hints = this.#hints.of(entry);
    const [only, second] = [...alone, ...shared];
    const isTotal = named.length > 0 && named.every(({ by }) => by === 'total');
    if (isTotal && alone.length > 0) {
      const own = alone.map((line) => ({ line, by: 'account', idHolder: undefined }) as const);
      return { matched: [...named, ...own], contrary, candidates: shared, isOutnumbered, hints };
    }
    if (named.length > 0 || only === undefined)
      return { matched: named, contrary, candidates: shared, isOutnumbered, hints };
    if (second !== undefined || shared.length > 0) {
      const isTwice = alone.filter(({ direction }) => direction !== 'in').length > 1;
      const candidates = [...shared, ...alone].slice(0, CANDIDATES_KEPT);
      return { matched: [], contrary, candidates, isOutnumbered: isOutnumbered || isTwice, hints };
    }
    const by = only.account?.isMasked === true ? 'masked_account' : 'account';
    const matched = [{ line: only, by, idHolder: this.#otherHolder(entry, only) } as const];
    return { matched, contrary, candidates: [], isOutnumbered, hints };
  }

  /** Numbers of lines that are no row's, and may be told beside one. */
  get hintedRows(): ReadonlySet<number> {
    return this.#hints.rows.difference(this.#placed);
  }

  isHinted({ rowNumber }: StatementLine): boolean {
    return this.#hints.rows.has(rowNumber);
  }

  #addId(id: string, entry: StatementEntry): void {
    this.#byId.set(id, entry);
    const small = id.toLowerCase();
    this.#bySmallId.set(small, this.#bySmallId.has(small) ? 'several' : entry);
  }

  /** The one whose transfer id it is, as it is or in capitals. */
  #holderOf(id: string): StatementEntry | undefined {
    const small = outOfCapitals(id);
    const holder = small === undefined ? undefined : this.#bySmallId.get(small);
    return this.#byId.get(id) ?? (holder === 'several' ? undefined : holder);
  }

  #of({ payoutId }: StatementEntry): Kept {
    const before = this.#kept.get(payoutId);
    if (before !== undefined) return before;
    const kept = { named: [], contrary: [], alone: [], shared: [], isOutnumbered: false };
    this.#kept.set(payoutId, kept);
    return kept;
  }

  readonly #hasLine = (entry: StatementEntry): boolean => this.#of(entry).named.length > 0;

  #share(entry: StatementEntry, line: StatementLine): void {
    keep(this.#of(entry).shared, line, CANDIDATES_KEPT);
  }

  #shareAmong(entries: readonly StatementEntry[], line: StatementLine): void {
    const key = entries.map(({ payoutId }) => payoutId).join(',');
    const count = (this.#sharing.get(key) ?? 0) + (line.direction === 'in' ? 0 : 1);
    this.#sharing.set(key, count);
    for (const entry of entries) {
      this.#share(entry, line);
      this.#of(entry).isOutnumbered ||= count > entries.length;
    }
  }

  #alikeTo(line: StatementLine): readonly StatementEntry[] {
    const { account } = line;
    if (account === undefined || account.text.length < ACCOUNT_END) return [];
    const shown = foldedAccount(account.text);
    const found = new Set<StatementEntry>();
    for (const amount of allReadings(line)) {
      for (const entry of this.#byAccount.get(accountKey(amount, shown)) ?? []) {
        if (isAccountOf(entry, account) && amountFits(entry, line)) found.add(entry);
      }
    }
    return [...found];
  }

  /** All whose tag it has, else the one whose transfer id it has in a column or in its narration. */
  #namedBy(line: StatementLine): readonly StatementEntry[] {
    const tagged = line.tags.map((tag) => this.#byTag.get(tag)).filter((entry) => entry !== undefined);
    if (tagged.length > 0) return tagged;
    // In capitals it may be another id, and a number alone may be a year or an invoice's.
    const isIdOf = (id: string, entry: StatementEntry) => {
      const isSure = id === entry.transferId && (/\D/.test(id) || line.ids.includes(id));
      return isSure || (id.length >= NUMBER_ID_MIN && amountFits(entry, line));
    };
    const holders: StatementEntry[] = [];
    for (const id of line.tags.length > 0 ? line.ids : [...line.ids, ...line.words]) {
      const entry = this.#holderOf(id);
      if (entry !== undefined && isIdOf(id, entry)) holders.push(entry);
    }
    const holder = holders.find((entry) => !isContrary(entry, line)) ?? holders[0];
    return holder === undefined ? [] : [holder];
  }

  #otherHolder(entry: StatementEntry, { ids, words }: StatementLine): StatementEntry | undefined {
    const names = [...ids, ...words.filter((word) => /\D/.test(word))];
    return names.map((id) => this.#holderOf(id)).find((holder) => holder !== undefined && holder !== entry);
  }
}

function keep<Kind>(kept: Kind[], one: Kind, most: number): void {
  if (kept.length < most) kept.push(one);
}
