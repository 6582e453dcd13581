/**
 * Answers that are less than a name: nothing at all (“OK”), letters hidden (“K*** M*****”), or cut off at the end.
 *
 * Which mistake is worse: if “OK” were read as a name, it would be paid as one. So a text that is not a name is no
 * answer, and a part of a name is a close match at most and is never sent to the service.
 */

import { foldText } from '../text/fold.ts';
import type { NameRead } from './name-words.ts';
import { mostPairs, type Pairing } from './pairing.ts';

const NO_NAMES = new Set(
  (
    'ok okay yes true valid verified success successful found exists active na none nil null undefined unknown ' +
    'notavailable noname name accountname accountholder customer beneficiary accountfound namefound accountexists test'
  ).split(' '),
);
const HIDDEN = /[*•●▪∗✱]|#{2,}|x{3,}/i;
const LETTER = /\p{L}/u;
/** Usual lengths of the fields in which services keep names. */
const CUT_LENGTHS: readonly number[] = [20, 24, 25, 30, 32, 35, 40, 50];
const SHORTEST_CUT = 18;

/** `none`: says nothing about whose account it is; `part`: some letters are hidden. */
export function whyNotWholeName(answer: string): 'none' | 'part' | undefined {
  if (HIDDEN.test(answer) && LETTER.test(answer.replace(/x{3,}/gi, ''))) return 'part';
  return !LETTER.test(answer) || NO_NAMES.has(foldText(answer)) || HIDDEN.test(answer) ? 'none' : undefined;
}

/** Whether the letters that are shown fit the name. Two words have to, or all that the shorter of the two has. */
export function fitsHidden(words: readonly string[], hidden: string): boolean {
  const shown = hidden
    .split(/\s+/)
    .map(visibleEnds)
    .filter(({ start, end }) => start !== '' || end !== '');
  const pairs = mostPairs([...words.keys()], [...shown.keys()], (one, other) => {
    const word = words[one] ?? '';
    const { start = '', end = '' } = shown[other] ?? {};
    return word.startsWith(start) && word.endsWith(end) && word.length >= start.length + end.length;
  });
  return pairs.length >= 2 && pairs.length === Math.min(words.length, shown.length);
}

function visibleEnds(word: string): { readonly start: string; readonly end: string } {
  const marks = word.split(/[*•●▪∗✱]+|#{2,}|x{3,}/i);
  return marks.length === 1
    ? { start: foldText(word), end: '' }
    : { start: foldText(marks[0] ?? ''), end: foldText(marks.at(-1) ?? '') };
}

/** Whether one name ends where a field of a usual length would have cut the other. */
export function isCutOff(one: NameRead, other: NameRead): boolean {
  const [short, long] = one.letters.length <= other.letters.length ? [one, other] : [other, one];
  const { length } = short;
  return (
    short.letters.length < long.letters.length &&
    long.letters.startsWith(short.letters) &&
    // A cut just behind a space leaves one character less.
    CUT_LENGTHS.some((cut) => length === cut || length === cut - 1)
  );
}

/** “OLUWASEUN ADEBAYO OL” has lost the end of a word. */
export function withCutWord(pairing: Pairing, left: NameRead, right: NameRead): Pairing {
  const { pairs, leftOver, rightOver } = pairing;
  for (const one of leftOver) {
    for (const other of rightOver) {
      const isCut =
        isCutWord(left, one, right.words[other] ?? '') || isCutWord(right, other, left.words[one] ?? '');
      if (!isCut) continue;
      return {
        pairs: [...pairs, { kind: 'cut' as const, left: one, right: other }].sort((a, b) => a.left - b.left),
        leftOver: leftOver.filter((at) => at !== one),
        rightOver: rightOver.filter((at) => at !== other),
      };
    }
  }
  return pairing;
}

/** Whether the last word of a long name is the beginning of a word. */
function isCutWord(name: NameRead, at: number, whole: string): boolean {
  const word = name.words[at] ?? '';
  return (
    name.length >= SHORTEST_CUT &&
    at === name.words.length - 1 &&
    name.lastWritten === word &&
    whole.length > word.length &&
    whole.startsWith(word)
  );
}
