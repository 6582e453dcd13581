/**
 * Lines of a statement that nothing ties to a payout for certain, and that may be about it all the same. While there is
 * one, nobody can say that the statement lacks a payment in doubt.
 */
import type { PayoutId } from '../payouts/instruction.ts';
import type { WrittenDate } from '../text/written-date.ts';
import { isLater, mayBeBooked } from './dates.ts';
import { ACCOUNT_END, foldedAccount, isAccountOf, isDoubt, putEntry, type StatementEntry } from './entry.ts';
import { allReadings, isFarFrom, mayBeAmount, plainAmount, type RoughDoubt } from './figures.ts';
import type { StatementLine } from './line.ts';

const HINTS_KEPT = 3;
/** So much of a tag is hardly another's by chance: `PF-` and four of its letters. Then no date speaks against it. */
const TELLING_LENGTH = 7;

export interface HintLine {
  readonly line: StatementLine;
  /** What suggests it; `account`: with the amount. */
  readonly by: 'tag_beginning' | 'account' | 'account_alone' | 'amount';
  /** The sentence goes on from `line 8 `. */
  readonly why: string;
  /** It is too late for the payout by any bank's rules. */
  readonly isLater: boolean;
}

export class StatementHints {
  readonly #byPayout = new Map<PayoutId, HintLine[]>();
  readonly #byTagHead = new Map<string, StatementEntry[]>();
  readonly #doubts: RoughDoubt[] = [];
  readonly #doubtsByAccountEnd = new Map<string, StatementEntry[]>();
  /** Numbers of the lines that are kept here. */
  readonly rows = new Set<number>();

  add(entry: StatementEntry): void {
    putEntry(this.#byTagHead, entry.tag.slice(0, TELLING_LENGTH), entry);
    if (!isDoubt(entry)) return;
    putEntry(this.#doubtsByAccountEnd, entry.account.slice(-ACCOUNT_END), entry);
    const numberOf = (money: StatementEntry['debit']) =>
      money === undefined ? Number.NaN : Number(plainAmount(money));
    const { amount, principal, debit } = entry;
    this.#doubts.push({
      entry,
      amount: numberOf(amount),
      principal: numberOf(principal),
      debit: numberOf(debit),
    });
  }

  of({ payoutId }: StatementEntry): readonly HintLine[] {
    return this.#byPayout.get(payoutId) ?? [];
  }

  /** The payments whose tag begins so; none for a beginning that many may have. */
  begunBy(cut: string): readonly StatementEntry[] {
    const known = this.#byTagHead.get(cut.slice(0, TELLING_LENGTH)) ?? [];
    return known.filter(({ tag }) => tag.startsWith(cut));
  }

  /** The line is the total of payments with this row in doubt among them. */
  byTotal(entry: StatementEntry, line: StatementLine): void {
    const why = 'shows the total of payments with this one among them';
    this.#keep(entry, { line, by: 'amount', why, isLater: false });
  }

  /** A bank may cut the narration short, and with it the tag. */
  byTag(line: StatementLine, date: WrittenDate | undefined): void {
    for (const cut of line.cutTags) {
      const isTelling = cut.length >= TELLING_LENGTH;
      const known = this.#byTagHead.get(cut.slice(0, TELLING_LENGTH)) ?? [];
      for (const entry of isTelling ? known : this.#doubts.map((doubt) => doubt.entry)) {
        const isInTime = entry.window !== undefined && mayBeBooked(date, entry.window);
        const why = `shows the beginning of its tag (${cut})`;
        if (entry.tag.startsWith(cut) && (isTelling || isInTime))
          this.#keep(entry, { line, by: 'tag_beginning', why, isLater: false });
      }
    }
  }

  /** A bank may show our own account in place of the beneficiary's, or book in a currency of its own. */
  byAmount(
    line: StatementLine,
    date: WrittenDate | undefined,
    {
      hasLine,
      told = 'and does not say whose it is',
    }: { readonly hasLine: (entry: StatementEntry) => boolean; readonly told?: string },
  ): void {
    // A column or a mark says that it came in. A sign alone takes no line away that may be the payment.
    if (line.direction === 'in' && line.isDirectionWritten) return;
    const readings = allReadings(line).map(Number);
    for (const doubt of this.#doubts) {
      const { entry } = doubt;
      if (hasLine(entry) || this.of(entry).length >= HINTS_KEPT || isFarFrom(doubt, line, readings)) continue;
      if (entry.window === undefined || !mayBeBooked(date, entry.window)) continue;
      const why = mayBeAmount(entry, line);
      if (why !== undefined)
        this.#keep(entry, { ...{ line, by: 'amount', isLater: false }, why: `${why} ${told}` });
    }
  }

  byAccount(entry: StatementEntry, line: StatementLine, later: boolean): void {
    const why = `has its account and amount${whenText(line, later)}`;
    this.#keep(entry, { line, by: 'account', why, isLater: later });
  }

  /**
   * A bank may book at another rate, without the fee, or late, and may call the payment money that came in. So each line
   * with the account of a row in doubt may be its payment, from the request on. `but`: rows whose line it is for certain,
   * or that have it by their amount as well.
   */
  byAccountAlone(line: StatementLine, date: WrittenDate | undefined, but: readonly StatementEntry[]): void {
    const { account, amountText } = line;
    if (account === undefined || account.text.length < ACCOUNT_END) return;
    const end = foldedAccount(account.text).slice(-ACCOUNT_END);
    for (const entry of this.#doubtsByAccountEnd.get(end) ?? []) {
      const { window } = entry;
      if (window === undefined || but.includes(entry) || !isAccountOf(entry, account)) continue;
      const later = isLater(date, window);
      if (!later && !mayBeBooked(date, window)) continue;
      if (this.of(entry).some((hint) => hint.line.rowNumber === line.rowNumber)) continue;
      const what = amountText === '' ? 'its account' : `its account and ${amountText}`;
      this.#keep(entry, {
        ...{ line, by: 'account_alone', isLater: later },
        why: `has ${what}${whenText(line, later)}`,
      });
    }
  }

  /** A few of each kind, so that none hides another. */
  #keep(entry: StatementEntry, hint: HintLine): void {
    const hints = this.#byPayout.get(entry.payoutId) ?? [];
    const alike = hints.filter(({ by }) => by === hint.by);
    const isKnown = alike.some(({ line }) => line.rowNumber === hint.line.rowNumber);
    if (isKnown || alike.length >= HINTS_KEPT) return;
    this.#byPayout.set(entry.payoutId, [...hints, hint]);
    this.rows.add(hint.line.rowNumber);
  }
}

function whenText({ direction }: StatementLine, later: boolean): string {
  return `${direction === 'in' ? ', coming in' : ''}, ${later ? 'later' : 'at its time'}`;
}
