/**
 * Whether a line of a statement is money that went out or that came in: by a column of its own, by a word beside the
 * amount, else by its sign. `open`: it cannot be told, and then it proves neither.
 */

import { foldText } from '../text/fold.ts';
import type { SignRule } from './signs.ts';

export type Direction = 'out' | 'in' | 'open';
export type Sign = 'minus' | 'plus' | 'none';

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

/** What a debit-or-credit column (undefined where there is none) or a mark beside the amount says. */
export function toldBy(side: string | undefined, amountText: string): Direction | undefined {
  if (side !== undefined) {
    if (/^[-\u2212]$/.test(side)) return 'out';
    return side === '+' ? 'in' : (SIDES.get(foldText(side)) ?? 'open');
  }
  const [, mark] =
    /(?<![A-Z])(DR|CR)(?![A-Z])/i.exec(amountText) ?? /\d\s*([SHDC])\s*$/i.exec(amountText) ?? [];
  return mark === undefined ? undefined : SIDES.get(mark.toLowerCase());
}

export function signOf(amountText: string): Sign {
  if (/^\s*\(|^[^\d]*[-\u2212]|[-\u2212]\s*$/.test(amountText)) return 'minus';
  return /^[^\d]*\+|\+\s*$/.test(amountText) ? 'plus' : 'none';
}

interface Facts {
  readonly sign: Sign;
  readonly amounts: readonly string[];
  readonly told: Direction | undefined;
}

export function directionOf(
  { sign, amounts, told }: Facts,
  narration: readonly string[],
  { signs, isList }: { readonly signs: SignRule; readonly isList: boolean },
): { readonly direction: Direction; readonly returnWord: string | undefined } {
  const returned = returnIn(narration);
  const returnWord = returned?.word;
  if (told !== undefined) return { direction: told, returnWord };
  if (signs === 'list') return { direction: isList && returned?.isAhead ? 'open' : 'out', returnWord };
  if (signs === 'unclear' || amounts.length === 0) return { direction: 'open', returnWord };
  return { direction: (sign === 'minus') === (signs === 'minus_pays') ? 'out' : 'in', returnWord };
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
