/**
 * The amount of a statement line: a number, a sign and a currency that can be read exactly, or nothing at all. A text that
 * is only nearly a number (`2E4`, `20k`, `1,200*`) may be any amount.
 *
 * Grammar: around the number stand at most one sign (or brackets), one currency and one mark of debit or credit. The
 *          currency is a code or sign that means one currency alone, and the same one as the column says.
 */
import { type CurrencyCode, parseCurrency } from '../money/currency.ts';
import { amountParts, currenciesNamed } from '../money/currency-words.ts';
import { readAmount } from '../money/read-amount.ts';
import type { Direction, Sign } from './direction.ts';

export interface AmountCell {
  /** A plain decimal without trailing zeros; empty when the cell cannot be read exactly. */
  readonly amounts: readonly string[];
  /** `27.5` for `27,500`: what the text means in a currency of three decimals, and hardly in another. */
  readonly otherAmounts: readonly string[];
  readonly sign: Sign;
  /** Undefined: neither the cell nor its column names one. */
  readonly currency: CurrencyCode | undefined;
  /** What a mark beside the number says, such as DR or CR. */
  readonly marked: Direction | undefined;
}

interface CellFacts {
  /** Of the column of currencies; empty where there is none. */
  readonly currencyText: string;
  /** A number of a workbook: its mark is a decimal point. */
  readonly isNumber: boolean;
  /** What the number format of a workbook writes beside the number. */
  readonly formatWords: string;
}

const MINUS = /^[-\u2212]$/;
const ANY_DASH = /[-\u2010-\u2015\u2212]/;
const MARKS: ReadonlyMap<string, Direction> = new Map([
  ...['dr', 's', 'd'].map((mark) => [mark, 'out'] as const),
  ...['cr', 'h', 'c'].map((mark) => [mark, 'in'] as const),
]);

export function readAmountCell(text: string, { currencyText, isNumber, formatWords }: CellFacts): AmountCell {
  const parts = amountParts(text);
  const format = formatWords.replace(/[()+\-\u2212]/g, ' ');
  const beside =
    parts && marksIn([...tokensOf(parts.before, 'before'), ...tokensOf(`${parts.after} ${format}`, 'after')]);
  const currency = beside && currencyOf(beside.currencies, currencyText);
  const numbers = parts && numbersOf(parts.number, isNumber);
  if (beside === undefined || currency === undefined || numbers === undefined)
    return {
      ...{ amounts: [], otherAmounts: [], currency: undefined, marked: undefined },
      sign: ANY_DASH.test(text) ? 'minus' : 'none',
    };
  return { ...numbers, sign: beside.sign, currency: currency ?? undefined, marked: beside.marked };
}

interface Token {
  readonly text: string;
  readonly place: 'before' | 'after';
}

function tokensOf(text: string, place: Token['place']): readonly Token[] {
  return (text.match(/[()+\-\u2212]|[^\s()+\-\u2212]+/g) ?? []).map((token) => ({ text: token, place }));
}

interface Marks {
  readonly sign: Sign;
  readonly currencies: readonly (readonly CurrencyCode[])[];
  readonly marked: Direction | undefined;
}

/** undefined: a mark is not known, or stands in the wrong place or twice. */
function marksIn(tokens: readonly Token[]): Marks | undefined {
  const signs: Sign[] = [];
  const brackets: string[] = [];
  const directions: Direction[] = [];
  const currencies: (readonly CurrencyCode[])[] = [];
  for (const token of tokens) {
    const { text } = token;
    const direction = directionOfMark(token);
    const named = currenciesOfMark(token);
    if (text === '+') signs.push('plus');
    else if (MINUS.test(text)) signs.push('minus');
    else if (text === '(' || text === ')') brackets.push(text + token.place);
    else if (direction !== undefined) directions.push(direction);
    else if (named !== undefined) currencies.push(named);
    else return undefined;
  }
  const isBracketed = brackets.join() === '(before,)after';
  if (brackets.length > 0 && !isBracketed) return undefined;
  if (isBracketed) signs.push('minus');
  if (signs.length > 1 || directions.length > 1) return undefined;
  return { sign: signs[0] ?? 'none', currencies, marked: directions[0] };
}

/** One letter is a mark only behind the number. */
function directionOfMark({ text, place }: Token): Direction | undefined {
  const mark = text.toLowerCase().replace(/\.$/, '');
  return mark.length > 1 || place === 'after' ? MARKS.get(mark) : undefined;
}

/** One letter is a currency only ahead of the number: `K20` is kwacha, `20k` may be thousands. */
function currenciesOfMark({ text, place }: Token): readonly CurrencyCode[] | undefined {
  return place === 'after' && /^\p{L}$/u.test(text) ? undefined : currenciesNamed(text);
}

/** null: none is named. undefined: two are named, or it may be one of several. */
function currencyOf(
  named: readonly (readonly CurrencyCode[])[],
  columnText: string,
): CurrencyCode | null | undefined {
  const ofColumn = parseCurrency(columnText);
  const all = [...named, ...(columnText === '' ? [] : [ofColumn ? [ofColumn] : currenciesNamed(columnText)])];
  const [first] = all;
  if (all.length === 0) return null;
  const common = (first ?? []).filter((code) => all.every((each) => each?.includes(code)));
  return common.length === 1 ? common[0] : undefined;
}

function numbersOf(
  number: string,
  isNumber: boolean,
): Pick<AmountCell, 'amounts' | 'otherAmounts'> | undefined {
  const reading = readAmount(number);
  if (reading.kind === 'wrong') return undefined;
  if (reading.kind === 'one_way') return { amounts: [withoutTrailingZeros(reading.plain)], otherAmounts: [] };
  const asDecimal = withoutTrailingZeros(reading.asDecimal);
  const { asThousands } = reading;
  // Without complete groups of thousands the mark can only be a decimal mark.
  return isNumber || asThousands === undefined
    ? { amounts: [asDecimal], otherAmounts: [] }
    : { amounts: [asThousands], otherAmounts: [asDecimal] };
}

/** `1200.50` and `1200.5` are one amount: no zeros at the end of decimals. */
export function withoutTrailingZeros(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/0+$/, '').replace(/\.$/, '') : decimal;
}
