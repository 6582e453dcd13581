/** Sentences about lines of a statement and the payments that they may be. */
import type { Gap, StatementSpan } from './dates.ts';
import { rowText, type StatementEntry } from './entry.ts';
import type { HintLine } from './hints.ts';
import type { StatementLine } from './line.ts';
import type { MatchedLine } from './matched-line.ts';

export function absentIn(
  { doubt, first, last }: StatementSpan,
  gap: Exclude<Gap, 'begins_after_it'>,
): string {
  if (gap === 'doubt') return `not there, which proves nothing: ${doubt}`;
  return gap === 'ends' ? `not there by ${last}` : `not there from ${first} on`;
}

export function textOfHint({ line, why }: HintLine): string {
  return `line ${line.rowNumber} ${why}`;
}

export function openText(open: readonly MatchedLine[]): string {
  const word = open.find(({ line }) => line.returnWord !== undefined)?.line.returnWord;
  const why = word === undefined ? '' : `: its text speaks of a return (“${word}”)`;
  return `${numbers(open)} may be the payment or its coming back${why}`;
}

/** `line 6 shows 45.00 coming back`, `line 6 shows it as “Failed”`. */
export function backText({ line }: MatchedLine): string {
  const how = line.direction === 'in' ? `${line.amountText} coming back` : `it as “${line.status}”`;
  return `line ${line.rowNumber} shows ${how}`;
}

/** One of two rows has the other's transfer: a ruling may have been wrong. */
export function holderText(holder: StatementEntry): string {
  return `names transfer ${holder.transferId}, which ${rowText(holder)} has: find out which row it paid`;
}

export function numbers(lines: readonly { readonly line: StatementLine }[]): string {
  return lineNumbers(lines.map(({ line }) => line));
}

/** `line 5`, `lines 5, 6`. */
export function lineNumbers(lines: readonly StatementLine[]): string {
  return `line${lines.length === 1 ? '' : 's'} ${lines.map(({ rowNumber }) => rowNumber).join(', ')}`;
}
