/**
 * Whether a line of a statement is money that went out or that came in: by a column of its own, by a mark beside the
 * amount, else by its sign. Which sign a payment has is never guessed: without signs, or with a minus throughout, the
 * statement is a list of payments; else the person says it.
 *
 * `open`: the direction is not known, and the line proves neither.
 */

import { foldText } from '../text/fold.ts';
import { counted } from '../text/printable.ts';

export type Direction = 'out' | 'in' | 'open';
export type Sign = 'minus' | 'plus' | 'none';

/** What the person says: the sign of a payment. */
export type Payments = 'minus' | 'plus';

/** Whatever else somebody answers says nothing of payments. */
export function isPayments(answer: unknown): answer is Payments {
  return answer === 'minus' || answer === 'plus';
}

/** `list`: every line is a payment, as far as its amount says. */
export type SignRule = 'list' | 'minus_pays' | 'plus_pays';

export function signRuleOf(payments: Payments | undefined): SignRule {
  if (payments === 'minus') return 'minus_pays';
  return payments === 'plus' ? 'plus_pays' : 'list';
}

const SIDES: ReadonlyMap<string, Direction> = new Map([
  ...['s', 'soll', 'd', 'dr', 'dt', 'db', 'debit', 'debito', 'dbit', 'lastschrift', 'belastung'].map(
    (word) => [word, 'out'] as const,
  ),
  // RD: a debit that is taken back.
  ...['h', 'haben', 'c', 'cr', 'ct', 'credit', 'credito', 'crdt', 'gutschrift', 'rd'].map(
    (word) => [word, 'in'] as const,
  ),
]);

const TAG_HEAD = /(?<![0-9A-Z])PF-/i;
const RETURN_WORD =
  /(?<![\p{L}\d])(returned|return|rtn|rtd|ret|reversal|reversed|rev|rvsl|refund(?:ed)?|reject(?:ed|ion)?|rjct|recalled|recall|unpaid|chargeback|retour(?:né|nee|née)?|rejet(?:é|ée)?|remboursement|extourne|contre-?passation|annulation|impayé|devolu(?:ção|çao|cao)|devolvid[oa]|estorn(?:o|ado)|anulação|rück(?:gabe|überweisung|buchung|lastschrift|läufer|ruf)|rueck(?:gabe|ueberweisung|buchung|lastschrift|laeufer|ruf)|retoure|storn(?:o|ierung|iert))(?![\p{L}\d])/iu;

/** What a debit-or-credit column says; undefined where there is none, and the mark beside the amount counts. */
export function directionOfSide(
  side: string | undefined,
  marked: Direction | undefined,
): Direction | undefined {
  if (side === undefined) return marked;
  if (/^[-\u2212]$/.test(side)) return 'out';
  return side === '+' ? 'in' : (SIDES.get(foldText(side)) ?? 'open');
}

interface DirectionFacts {
  readonly sign: Sign;
  readonly amounts: readonly string[];
  readonly told: Direction | undefined;
  readonly narration: readonly string[];
}

/** `hasCameIn`: the statement has a place of its own for money that came in. */
export function directionOf(
  { sign, amounts, told, narration }: DirectionFacts,
  rule: SignRule,
  hasCameIn: boolean,
): { readonly direction: Direction; readonly returnWord: string | undefined } {
  const returned = returnIn(narration);
  const returnWord = returned?.word;
  if (told !== undefined) return { direction: told, returnWord };
  if (rule === 'list') return { direction: !hasCameIn && returned?.isAhead ? 'open' : 'out', returnWord };
  if (amounts.length === 0) return { direction: 'open', returnWord };
  return { direction: (sign === 'minus') === (rule === 'minus_pays') ? 'out' : 'in', returnWord };
}

/** What stands behind a tag is the payment's own note; what stands ahead of it is the bank's. */
function returnIn(
  narration: readonly string[],
): { readonly word: string; readonly isAhead: boolean } | undefined {
  for (const text of narration) {
    const found = RETURN_WORD.exec(text);
    const [, word] = found ?? [];
    if (found === null || word === undefined) continue;
    const tagAt = TAG_HEAD.exec(text)?.index;
    return { word, isAhead: tagAt === undefined ? found.index <= text.search(/\S/) : found.index < tagAt };
  }
  return undefined;
}

interface SignedLines {
  readonly count: number;
  /** `line 4: -1,200.00`: the first of them. */
  readonly example: string;
}

/** Amounts whose direction nothing but their sign can tell. */
export interface SignsSeen {
  readonly minus: SignedLines;
  readonly others: SignedLines;
}

/** Counts the signs of a statement, to know whether a person has to say what they mean. */
export class SignCounter {
  readonly #minus = { count: 0, example: '' };
  readonly #others = { count: 0, example: '' };
  #hasPlus = false;

  add(line: {
    readonly rowNumber: number;
    readonly amountText: string;
    readonly amounts: readonly string[];
    readonly sign: Sign;
    readonly isDirectionWritten: boolean;
  }): void {
    if (line.isDirectionWritten || line.amounts.every((amount) => Number(amount) === 0)) return;
    const seen = line.sign === 'minus' ? this.#minus : this.#others;
    if (seen.count === 0) seen.example = `line ${line.rowNumber}: ${line.amountText}`;
    seen.count += 1;
    this.#hasPlus ||= line.sign === 'plus';
  }

  /** What leaves it open which lines are payments; undefined where nothing does. A plus is not written into a list of payments. */
  result(): SignsSeen | undefined {
    const isMixed = this.#minus.count > 0 && this.#others.count > 0;
    return isMixed || this.#hasPlus ? { minus: { ...this.#minus }, others: { ...this.#others } } : undefined;
  }
}

/** `3 amounts have a minus (line 4: -1,200.00), 2 have none (line 9: 45.00)`. */
export function signsText({ minus, others }: SignsSeen): string {
  const part = ({ count, example }: SignedLines, what: string) =>
    count === 0 ? [] : [`${counted(count, 'amount has', 'amounts have')} ${what} (${example})`];
  return [...part(minus, 'a minus'), ...part(others, 'a plus or no sign')].join(', ');
}
