/**
 * One line of a statement, read for matching: the tags and ids in it, when, how much, to which account.
 *
 * Amounts follow the rule of files to pay: a mark with three digits after it is no decimal mark. The other reading is
 * kept beside it, for it may be the payment all the same: it can keep a row in doubt, and proves nothing.
 */
import { createHash } from 'node:crypto';
import type { WrittenRow } from '../rows/row.ts';
import { type AmountCell, readAmountCell } from './amount-cell.ts';
import { type Direction, directionOf, directionOfSide, type Payments, signRuleOf } from './direction.ts';
import type { StatementColumns, StatementField } from './statement-columns.ts';

/** The narration of the last line of the sandbox's own book begins so; its date says until when the book is whole. */
export const WHOLE_BOOK = 'Everything that the sandbox executed until this time';

/** Each sandbox ledger has a book of its own: that of another one says nothing about its payments. */
export function bookEndOf(seed: string): string {
  const mark = createHash('sha256').update(seed).digest('hex').slice(0, 16);
  return `${WHOLE_BOOK} (book ${mark})`;
}

export interface StatementLine extends Omit<AmountCell, 'marked'> {
  readonly rowNumber: number;
  /** Every tag in any cell, each once. */
  readonly tags: readonly string[];
  /** Beginnings of a tag, as a bank leaves them that cuts the narration: `PF-7AJ`, or `PF-` alone. */
  readonly cutTags: readonly string[];
  /** `PF SK7A8K0V`: a tag where a payment has it, else two words. */
  readonly looseTags: readonly string[];
  /** The tag that was found by its beginning. */
  readonly restoredTag?: string;
  /** How many payments the bank booked in this one line; undefined: it does not say so. */
  readonly payments?: number;
  readonly ids: readonly string[];
  readonly bookEnd: string | undefined;
  /** Every text that a bank writes beside the amount. */
  readonly narration: readonly string[];
  /** Words of the narration that may be a transfer id: they are one where a row is known to have it. */
  readonly words: readonly string[];
  /** Of the booking and of the value, where there are both. */
  readonly dateTexts: readonly string[];
  readonly amountText: string;
  readonly direction: Direction;
  /** The direction stands in the line itself, by a column or a word of its own; else it follows from the signs. */
  readonly isDirectionWritten: boolean;
  /** A word of the narration that speaks of a return, be it the bank's or the payment's own. */
  readonly returnWord: string | undefined;
  readonly account: WrittenAccountText | undefined;
  /** Tells two lines apart, and is shown nowhere. */
  readonly receiver: string;
  readonly status: string;
  /** The bank's own reference; empty where there is none. */
  readonly bankReference: string;
  /** The balance after the line, as it is written. */
  readonly balanceText: string;
  /** A plain decimal, with a minus where the account owes; undefined where it cannot be read. */
  readonly balance: string | undefined;
  /** The bank has not booked it: it stands in no balance, and proves nothing. */
  readonly isPending: boolean;
}

/** Letters and digits of an account as the statement shows it; masked ones show their end only. */
export interface WrittenAccountText {
  readonly text: string;
  readonly isMasked: boolean;
}

// Crockford's alphabet without I, L, O and U; a longer word that only begins so is no tag.
const TAG = /(?<![0-9A-Z])PF-([0-9A-HJKMNP-TV-Z]{0,8})(?![0-9A-Z])/gi;
const LOOSE_TAG = /(?<![0-9A-Z])PF[\s._/:]?([0-9A-HJKMNP-TV-Z]{8})(?![0-9A-Z])/gi;
const TAG_LETTERS = 8;
const TAGS_MAX = 10;
const IDS_MAX = 5;
const ID_LENGTH_MAX = 200;
const DATES_MAX = 4;

const WORD_LENGTH_MIN = 4;
/** `TRF:tr-20001`, `Ref/tr-20001/EUR`, `[ID=tr-20001]`. An id itself has hyphens and underscores. */
const BETWEEN_PARTS = /[/\\:=#*&+?![\]{}<>"'“”‘’«»]+/;
/** A short part may be anything. */
const PART_LENGTH_MIN = 6;
const WORDS_MAX = 40;

/** `payments`: what the person says of them; without it the amounts are a list of payments. */
export function readStatementLine(
  { rowNumber, cells, marks }: WrittenRow,
  columns: StatementColumns,
  payments?: Payments,
): StatementLine {
  const all = (field: StatementField) =>
    (columns.at.get(field) ?? []).map((at) => (cells[at] ?? '').trim()).filter((text) => text !== '');
  const one = (field: StatementField) => all(field)[0] ?? '';
  const narration = all('narration');
  const side = columns.at.has('side') ? one('side') : undefined;
  const column = columns.at.has('debit') ? 'debit' : 'amount';
  const [out, credit] = [one(column), one('credit')];
  const isCredit = isNothing(out) && credit !== '';
  const at = columns.at.get(isCredit ? 'credit' : column)?.[0];
  const amountText = isCredit ? credit : isNothing(out) && !/\d/.test(out) ? '' : out;
  // Money in both columns is no amount of one entry.
  const isBoth = !isNothing(out) && !isNothing(credit);
  const { marked, ...amount } = readAmountCell(isBoth ? `${out} / ${credit}` : amountText, {
    currencyText: one('currency') || (columns.currencies.get(at ?? -1) ?? ''),
    ...numberIn(at, marks),
  });
  const isOpen = column === 'debit' && isNothing(out);
  const told = isCredit ? directionOfCredit(amount) : isOpen ? 'open' : directionOfSide(side, marked);
  const hasCameIn = columns.at.has('credit') || columns.at.has('side');
  return {
    rowNumber,
    ...tagsIn(cells),
    ids: all('transfer_id')
      .filter((id) => id.length <= ID_LENGTH_MAX)
      .slice(0, IDS_MAX),
    bookEnd: narration.find((text) => text.startsWith(WHOLE_BOOK)),
    narration,
    words: wordsIn(narration),
    dateTexts: all('date').slice(0, DATES_MAX),
    ...amount,
    amountText,
    ...directionOf({ ...amount, told, narration }, signRuleOf(payments), hasCameIn),
    isDirectionWritten: told !== undefined,
    account: accountOf(one('account')),
    receiver: one('receiver'),
    status: one('status'),
    bankReference: one('bank_reference'),
    balanceText: one('balance'),
    balance: balanceOf(one('balance'), columns.at.get('balance')?.[0], marks),
    isPending: PENDING.has(one('status')),
    ...countOf(one('count')),
  };
}

/** Words of ISO 20022 for entries that are not booked. A dashboard has words of its own. */
const PENDING: ReadonlySet<string> = new Set(['PDNG', 'INFO', 'FUTR']);

function countOf(text: string): Pick<StatementLine, 'payments'> {
  return /^\d{1,9}$/.test(text) ? { payments: Number(text) } : {};
}

/** The mark of a balance says whether the account owes. Its currency is the account's. */
function balanceOf(text: string, at: number | undefined, marks: WrittenRow['marks']): string | undefined {
  if (text === '') return undefined;
  const { amounts, sign, marked } = readAmountCell(text, { currencyText: '', ...numberIn(at, marks) });
  const [amount] = amounts;
  if (amount === undefined) return undefined;
  return (sign === 'minus') !== (marked === 'out') && amount !== '0' ? `-${amount}` : amount;
}

/** Empty, a dash or zero. */
function isNothing(text: string): boolean {
  return /^[-\s0.,]*$/.test(text);
}

/** What a workbook says of a cell. */
function numberIn(at: number | undefined, marks: WrittenRow['marks'] = []) {
  const ofCell = marks.filter(({ column }) => column === at);
  const formatWords = ofCell.find(({ kind }) => kind === 'shown_words')?.words ?? '';
  return { isNumber: ofCell.some(({ kind }) => kind === 'number'), formatWords };
}

/** A negative credit may be a payment. */
function directionOfCredit({ sign }: Pick<AmountCell, 'sign'>): Direction {
  return sign === 'minus' ? 'open' : 'in';
}

/** Words that may be a transfer id, whole and in their parts: long enough, and with a digit. */
function wordsIn(narration: readonly string[]): readonly string[] {
  const words = new Set<string>();
  const add = (word: string, lengthMin: number) => {
    const isLong = word.length >= lengthMin && word.length <= ID_LENGTH_MAX;
    if (isLong && /\d/.test(word) && words.size < WORDS_MAX) words.add(word);
  };
  for (const written of narration.flatMap((text) => text.split(/[\s,;|()]+/))) {
    add(written.replace(/[.:]+$/, ''), WORD_LENGTH_MIN);
    for (const part of written.split(BETWEEN_PARTS)) add(part.replace(/\.+$/, ''), PART_LENGTH_MIN);
  }
  return [...words];
}

/** A bank may write everything in capitals: how else the id may be written. undefined: it has small letters, or none. */
export function outOfCapitals(id: string): string | undefined {
  const small = id.toLowerCase();
  return small === id || id !== id.toUpperCase() ? undefined : small;
}

function tagsIn(cells: readonly string[]): Pick<StatementLine, 'tags' | 'cutTags' | 'looseTags'> {
  const [whole, cut, loose] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const cell of cells) {
    if (!/pf/i.test(cell)) continue;
    for (const [, letters = ''] of cell.matchAll(TAG)) {
      const found = letters.length === TAG_LETTERS ? whole : cut;
      if (found.size < TAGS_MAX) found.add(`PF-${letters.toUpperCase()}`);
    }
    for (const [, letters = ''] of cell.matchAll(LOOSE_TAG))
      if (loose.size < TAGS_MAX) loose.add(`PF-${letters.toUpperCase()}`);
  }
  return { tags: [...whole], cutTags: [...cut], looseTags: [...loose] };
}

function accountOf(written: string): WrittenAccountText | undefined {
  if (written === '') return undefined;
  const isMasked = /[*•xX…]{2,}|\.{3,}|^[*•…]/.test(written);
  const shown = isMasked ? (/[0-9A-Za-z]+$/.exec(written.replace(/[\s-]/g, ''))?.[0] ?? '') : written;
  const text = shown
    .replace(/^[xX]+(?=\d)/, '')
    .replace(/[^0-9A-Za-z]/g, '')
    .toUpperCase();
  return text === '' ? undefined : { text, isMasked };
}
