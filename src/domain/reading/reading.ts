/**
 * The reading of a file: all that a person said of it. It is kept under a name, and used again for every file with the
 * same headers, in whatever order.
 */
import { createHash } from 'node:crypto';
import { ownColumns } from '../reporting/report-columns.ts';
import type { CellEdit } from '../rows/cell-edit.ts';
import { COMMENTS_COLUMN, columnLetters, isSameHeader, signsIn } from '../rows/column-names.ts';
import { isWithoutHeader } from '../rows/no-header.ts';
import { foldText } from '../text/fold.ts';
import { type Answer, headersOf, isAskedEachTime, type Said, withNewer } from './answer.ts';

/** What is kept. Corrections of single cells are of one file and are never kept. */
export interface Reading {
  readonly name: string;
  /** As written in the file that it was saved from, without columns of ours. */
  readonly headers: readonly string[];
  readonly answers: readonly Said[];
}

/** What a call says of a file, and what is known from before. */
export interface ReadingAsked {
  /** Said now. They are stronger than those of a kept reading. */
  readonly answers: readonly Said[];
  readonly edits: readonly CellEdit[];
  /** All that are kept. */
  readonly kept: readonly Reading[];
  /** The kept one to use, whatever the headers; undefined: that of the same headers. */
  readonly use?: string | undefined;
  /** Kept answers that the file contradicts: they do not count. */
  readonly doubted?: readonly Said[];
}

export const NOTHING_SAID: ReadingAsked = { answers: [], edits: [], kept: [] };

/** The same for the same headers in any order, however they are spaced, accented and capitalised. */
export function headerFingerprint(headers: readonly string[]): string {
  const folded = keptHeaders(headers).map((header) => (foldText(header) || header.trim()) + signsIn(header));
  return createHash('sha256').update(JSON.stringify(folded.sort()), 'utf8').digest('hex');
}

/** What is fingerprinted and kept: no columns without a header, and none that we put there ourselves. */
export function keptHeaders(headers: readonly string[]): readonly string[] {
  return ownColumns(headers).flatMap((at) => {
    const header = headers[at]?.trim() ?? '';
    const isOurs = header === '' || header === COMMENTS_COLUMN || isWithoutHeader(header);
    return isOurs ? [] : [header];
  });
}

/** The file has no header line, so its columns are called by their letters. */
export function isByLetter(headers: readonly string[]): boolean {
  return headers.length > 0 && headers.every((header, at) => header === columnLetters(at));
}

/** The kept reading of these headers, if there is one. */
export function readingFor(
  headers: readonly string[],
  { kept, use }: Pick<ReadingAsked, 'kept' | 'use'>,
): Reading | undefined {
  if (use !== undefined) return kept.find(({ name }) => name === use);
  // All files without a header line look alike.
  if (kept.length === 0 || isByLetter(headers)) return undefined;
  const fingerprint = headerFingerprint(headers);
  return kept.find(
    (reading) =>
      headerFingerprint(reading.headers) === fingerprint &&
      (!isByPlace(reading) || hasSamePlaces(reading.headers, headers)),
  );
}

/** Of two columns with one header it names one by its letter, which is another column once columns are moved. */
const isByPlace = ({ headers, answers }: Reading): boolean =>
  answers
    .flatMap(headersOf)
    .some((named) => /^[A-Z]{1,2}$/.test(named) && !headers.some((header) => isSameHeader(header, named)));

const hasSamePlaces = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((header, at) => isSameHeader(header, other[at] ?? ''));

/** What counts for a file: what is kept, without what is asked each time, and what is said now. */
export function answersFor(
  reading: Reading | undefined,
  { answers: said, doubted = [] }: Pick<ReadingAsked, 'answers' | 'doubted'>,
): readonly Said[] {
  const kept = (reading?.answers ?? []).filter(
    (answer) => !isAskedEachTime(answer) && !doubted.includes(answer),
  );
  return withNewer(kept, said);
}

/** What a kept reading left out, which is proposed and not applied. */
export function proposedBy(reading: Reading | undefined): readonly Answer[] {
  return (reading?.answers ?? []).filter(isAskedEachTime);
}

/** Says what is wrong with a name for a reading; undefined when it is good. */
export function readingNameFault(name: string): string | undefined {
  return /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,59}$/u.test(name)
    ? undefined
    : 'a name of 1 to 60 letters, digits, spaces, dots and dashes, beginning with a letter or digit';
}
