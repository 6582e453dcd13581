/**
 * How the amounts of a file were read, as it is told to people and kept with the batch, with one amount as example.
 */
import type { DecimalMark, StyleInForce } from './amount-style.ts';

export interface StyleRead {
  /** undefined where no amount shows which mark is the decimal mark, or amounts show both equally often. */
  readonly decimal: DecimalMark | undefined;
  /** `any_style`: every amount reads the same in both. `numbers`: all of them are numbers of a spreadsheet. */
  readonly basis: 'declared' | 'proven' | 'mixed' | 'unproven' | 'any_style' | 'numbers';
  readonly example: StyleExample | undefined;
}

export interface StyleExample {
  readonly row: number;
  readonly text: string;
  /** A plain decimal. */
  readonly read: string;
}

/** Keeps the one amount that shows best how the file was read: first of all one that has a second reading. */
export class StyleNotes {
  #example: StyleExample | undefined;
  #telling = -1;
  #hasText = false;

  /** Called for every row: it makes nothing new unless the example becomes a better one. */
  see(row: number, text: string, read: string, isNumber: boolean): void {
    if (!isNumber) this.#hasText = true;
    if (this.#telling === MOST_TELLING) return;
    const telling = isNumber ? 0 : tellingOf(text);
    if (telling <= this.#telling) return;
    this.#telling = telling;
    this.#example = { row, text, read };
  }

  finish(style: StyleInForce | undefined): StyleRead {
    const decimal = style === undefined || style.kind === 'unproven' ? undefined : style.decimal;
    const example = this.#example;
    if (!this.#hasText && example !== undefined) return { decimal: undefined, basis: 'numbers', example };
    return { decimal, basis: style?.kind ?? 'any_style', example };
  }
}

const MOST_TELLING = 3;

function tellingOf(text: string): number {
  if (/^\d{1,3}[.,]\d{3}$/.test(text)) return MOST_TELLING;
  return /[.,]/.test(text) ? 2 : 1;
}

/** `decimal comma, proven by the amounts of the file; row 3: “27,500” is read as 27500` */
export function styleText({ decimal, basis, example }: StyleRead): string {
  const shown =
    example === undefined ? '' : `; row ${example.row}: “${example.text}” is read as ${example.read}`;
  return `${BASIS_TEXT[basis](decimal)}${shown}`;
}

const BASIS_TEXT: Readonly<Record<StyleRead['basis'], (decimal: DecimalMark | undefined) => string>> = {
  declared: (decimal) => `decimal ${decimal}, as declared`,
  proven: (decimal) => `decimal ${decimal}, proven by the amounts of the file`,
  mixed: (decimal) =>
    decimal === undefined
      ? 'decimal points and decimal commas, equally often'
      : `decimal ${decimal}, as most amounts show; some show the other one`,
  unproven: () => 'no amount shows which mark is the decimal mark',
  any_style: () => 'read the same with a decimal point and with a decimal comma',
  numbers: () => 'numbers of the spreadsheet',
};

/** For JSON, where what is not known is null. */
export function styleJson(style: StyleRead | undefined): Readonly<Record<string, unknown>> | null {
  if (style === undefined) return null;
  const { decimal, basis, example } = style;
  return { decimal: decimal ?? null, basis, example: example ?? null };
}
