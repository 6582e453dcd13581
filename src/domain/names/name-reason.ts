/**
 * The reason of a name check in words for whoever approves: what differs, and on which side it stands.
 */

import type { NameRead } from './name-words.ts';
import { orderOf, type Pair, type Pairing } from './pairing.ts';
import { COMPANY_SMALL_WORDS, GENERATIONS, TITLES_OR_NAMES } from './titles.ts';

export interface Comparison {
  readonly result: 'match' | 'close_match' | 'no_match';
  readonly reason: string;
}

/** The name in the file and the name of the account. */
export interface Sides {
  readonly left: NameRead;
  readonly right: NameRead;
}

/** `“Ama Serwaa”` */
export function listed(words: readonly string[]): string {
  return `“${words.map(shown).join(' ')}”`;
}

export function orderText(order: ReturnType<typeof orderOf>): string[] {
  return order === 'turned' ? ['family name first'] : [];
}

export function pairText({ kind, left: one, right: other }: Pair, left: NameRead, right: NameRead): string {
  const [written, resolved] = [left.words[one] ?? '', right.words[other] ?? ''];
  const [short, long] = written.length <= resolved.length ? [written, resolved] : [resolved, written];
  switch (kind) {
    case 'known':
    case 'alike':
      return `${listed([written])} and ${listed([resolved])} are spelt differently`;
    case 'short':
      return `${listed([short])} may be short for ${listed([long])}`;
    case 'cut':
      return `${listed([short])} may be ${listed([long])} cut off`;
    default:
      return `${listed([short])} is only the initial of ${listed([long])}`;
  }
}

/** What stands on one side only: `middle name “Serwaa” only in the account`. */
export function extraText({ left, right }: Sides, pairing: Pairing): string {
  const { leftOver, rightOver } = pairing;
  const [extra, { words, isCompany }, side] =
    leftOver.length > 0 ? [leftOver, left, 'file'] : [rightOver, right, 'account'];
  const found = extra.map((at) => words[at] ?? '');
  const isMoved = orderOf(pairing) !== 'same';
  const place = isMoved && !isCompany && extra.length === 1 ? 'the name' : placeOf(extra, words, isCompany);
  return `${place} ${listed(found)} only in the ${side}`;
}

function placeOf(extra: readonly number[], words: readonly string[], isCompany: boolean): string {
  const [first = 0] = extra;
  const word = words[first] ?? '';
  if (isCompany || extra.length > 1) return extra.length > 1 ? 'the words' : 'the word';
  if (/^[a-z]$/.test(word)) return 'the initial';
  if (first === 0) return TITLES_OR_NAMES.has(word) ? 'title or first name' : 'first name';
  if (isGeneration(word)) return 'father and son may share the rest:';
  return first === words.length - 1 ? 'last name' : 'middle name';
}

/** Both sides have what the other lacks: `another last name: “Mensah” is not “Owusu”`. */
export function unlikeText({ left, right }: Sides, { pairs, leftOver, rightOver }: Pairing): string {
  if (pairs.length === 0) return 'no name in common';
  const unlike = `${wordsAt(left, leftOver)} is not ${wordsAt(right, rightOver)}`;
  const generation = [left.words[leftOver[0] ?? 0], right.words[rightOver[0] ?? 0]];
  if (generation.every((word) => isGeneration(word ?? ''))) return `${unlike}: father and son`;
  const ends = [
    ['first', leftOver[0] === 0 && rightOver[0] === 0],
    ['last', leftOver.at(-1) === left.words.length - 1 && rightOver.at(-1) === right.words.length - 1],
  ] as const;
  const place =
    leftOver.length === 1 && rightOver.length === 1 ? ends.find(([, fits]) => fits)?.[0] : undefined;
  return place === undefined || left.isCompany || right.isCompany
    ? unlike
    : `another ${place} name: ${unlike}`;
}

/** `“dos” only in the file`, `“da” is not “de”`. */
export function smallWordsText(left: NameRead, right: NameRead): string[] {
  const [one, other] = [left.smallWords, right.smallWords].map((words) => [...words].sort());
  if (one === undefined || other === undefined || one.join(' ') === other.join(' ')) return [];
  if (other.length === 0) return [`${listed(one)} only in the file`];
  if (one.length === 0) return [`${listed(other)} only in the account`];
  return [`${listed(one)} is not ${listed(other)}`];
}

function isGeneration(word: string): boolean {
  return GENERATIONS.get(word) === word;
}

function wordsAt({ words }: NameRead, positions: readonly number[]): string {
  return listed(positions.map((at) => words[at] ?? ''));
}

function shown(word: string): string {
  return COMPANY_SMALL_WORDS.has(word)
    ? word
    : word.replace(/(^|\/)[a-z]/g, (letter) => letter.toUpperCase());
}
