/**
 * What a sign means in a statement with one column of amounts. Without signs, or with one sign throughout, it is a
 * list of payments. With both, lines of one sign are payments and the others came back; which is which, the lines
 * of this batch have to show. Where they do not, nothing may be made of any sign.
 *
 * A minus for money that went out is what nearly all statements write. The opposite needs more: most rows that the
 * service calls made, in a statement that begins before them, so that it would show their payment as well. A bank
 * may book a batch as one sum and single returns of it.
 */
import type { PayoutId } from '../payouts/instruction.ts';
import { ZONE_SLACK_MS } from '../text/written-date.ts';
import { dateOf, mayBeBooked } from './date.ts';
import type { StatementEntry } from './entry.ts';
import type { StatementLine } from './line.ts';
import type { StatementSpan } from './span.ts';

/** `list`: every line is a payment, as far as its amount says. */
export type SignRule = 'list' | 'minus_pays' | 'plus_pays' | 'unclear';

type Sign = 'minus' | 'plus';

interface Seen {
  readonly entry: StatementEntry;
  readonly minus: StatementLine[];
  readonly plus: StatementLine[];
}

const LINES_KEPT = 10;
/** A single row may be one that came back. */
const PLUS_ROWS_MIN = 2;

export class SignFinder {
  readonly #seen = new Map<PayoutId, Seen>();
  #minus = 0;
  #plus = 0;
  /** A plus that is written: nobody writes one into a list of payments. */
  #written = 0;

  /** `owner`: the row that the line may be about. */
  add(line: StatementLine, owner: StatementEntry | undefined): void {
    // A column of its own, or a word beside the amount, says what the line is.
    if (line.isTold || line.amounts.every((amount) => Number(amount) === 0)) return;
    if (line.sign === 'minus') this.#minus += 1;
    else this.#plus += 1;
    if (line.sign === 'plus') this.#written += 1;
    if (owner === undefined) return;
    const seen = this.#seen.get(owner.payoutId) ?? { entry: owner, minus: [], plus: [] };
    const lines = line.sign === 'minus' ? seen.minus : seen.plus;
    if (lines.length < LINES_KEPT) lines.push(line);
    this.#seen.set(owner.payoutId, seen);
  }

  /** `rows`: all rows of the batch. */
  result(span: StatementSpan, rows: readonly StatementEntry[]): SignRule {
    if (this.#minus === 0) return this.#written === 0 ? 'list' : 'unclear';
    if (this.#plus === 0) return 'list';
    const votes = { minus: 0, plus: 0 };
    for (const seen of this.#seen.values()) {
      const vote = voteOf(seen, span);
      if (vote !== undefined) votes[vote] += 1;
    }
    if (votes.minus > votes.plus) return 'minus_pays';
    const made = rows.filter(isMade).length;
    const isPlus = votes.minus === 0 && votes.plus >= PLUS_ROWS_MIN && votes.plus * 2 > made;
    return isPlus ? 'plus_pays' : 'unclear';
  }
}

/** Which sign this row's payment has, as far as it tells. */
function voteOf({ entry, minus, plus }: Seen, span: StatementSpan): Sign | undefined {
  const { window } = entry;
  // Account and amount alone tie no line of another month to the row.
  const isIts = (line: StatementLine) => names(line, entry) || mayBeBooked(dateOf(line, span.order), window);
  const [less, more] = [minus.filter(isIts), plus.filter(isIts)];
  if (less.length > 0) return more.length === 0 ? 'minus' : firstOf(less, more, span);
  const isBegun = window !== undefined && span.from + ZONE_SLACK_MS <= window.from;
  if (!isMade(entry) || !isBegun || span.doubt !== undefined) return undefined;
  const isPlain = more.some((line) => {
    const date = dateOf(line, span.order);
    const isInTime = date !== undefined && mayBeBooked(date, window);
    return isInTime && line.sign === 'none' && line.returnWord === undefined;
  });
  return isPlain ? 'plus' : undefined;
}

function isMade({ status }: StatementEntry): boolean {
  return status === 'accepted' || status === 'settled';
}

function names({ tags, ids, words }: StatementLine, { tag, transferId }: StatementEntry): boolean {
  if (tags.includes(tag)) return true;
  return transferId !== undefined && (ids.includes(transferId) || words.includes(transferId));
}

/** What came back was paid before: the sign of the earlier day. */
function firstOf(
  minus: readonly StatementLine[],
  plus: readonly StatementLine[],
  { order, doubt }: StatementSpan,
): Sign | undefined {
  if (doubt !== undefined) return undefined;
  const begins = (lines: readonly StatementLine[]) =>
    Math.min(...lines.map((line) => dateOf(line, order)?.from ?? Number.NaN));
  const [out, back] = [begins(minus), begins(plus)];
  if (out < back) return 'minus';
  return back < out ? 'plus' : undefined;
}

/** The sentence goes on from what it is about: “line 5 may be the payment or its coming back: …”. */
export function signsText(rule: SignRule): string {
  return rule === 'unclear'
    ? 'its amounts have signs, and the lines of this batch do not show which sign a payment has; export columns for debit and credit'
    : 'its text speaks of a return';
}
