/**
 * Compares two names of people: the same, perhaps the same, or different.
 *
 * The hard cases are relatives. Brothers share the family name and an initial. A son's name may be his grandfather's
 * first name followed by his father's. Half a family may be called Mohammed or Maria.
 */
import type { Comparison } from './name-reason.ts';
import { extraText, listed, orderText, pairText, smallWordsText, unlikeText } from './name-reason.ts';
import { isSameText, type NameRead } from './name-words.ts';
import { orderOf, type Pair, type Pairing, pairUp } from './pairing.ts';
import { withCutWord } from './partial-name.ts';
import { isEthiopian, isFathersName } from './spelling.ts';
import {
  FIRST_NAMES,
  SHARED_FIRST_NAMES,
  TITLES_OF_MEN,
  TITLES_OF_WOMEN,
  TITLES_OR_NAMES,
} from './titles.ts';

interface PeopleFacts {
  readonly left: NameRead;
  readonly right: NameRead;
  readonly pairing: Pairing;
  readonly order: ReturnType<typeof orderOf>;
  /** Words of two letters or more that agree letter for letter. */
  readonly full: readonly string[];
  readonly likely: readonly Pair[];
  readonly initials: readonly Pair[];
  /** In this country the last name is always the father's, so the order of names is never reversed. */
  readonly isFatherLast: boolean;
}

/** ISO codes of countries without family names. */
const FATHER_LAST: ReadonlySet<string> = new Set(['ET', 'ER', 'SO', 'DJ', 'SD', 'MR', 'EG']);

export function judgePeople(left: NameRead, right: NameRead, iso: string | undefined): Comparison {
  const facts = { ...factsOf(left, right), isFatherLast: FATHER_LAST.has(iso ?? '') };
  const { pairing, full } = facts;
  const { leftOver, rightOver } = pairing;
  if (isSameText(left, right) && isWhole(left, right)) return { result: 'match', reason: 'same name' };
  if (leftOver.length > 0 && rightOver.length > 0) return no(unlikeText(facts, pairing));
  if (!hasEnough(facts))
    return no(full.length === 0 ? 'no name in common' : `only ${listed(full)} in common`);
  if (isPerhapsTheFather(facts)) return no(`${extraText(facts, pairing)}: this may be the father`);
  const doubts = doubtsOf(facts);
  if (doubts.length > 0)
    return { result: 'close_match', reason: [...orderText(facts.order), ...doubts].join('; ') };
  return { result: 'match', reason: matchReason(facts) };
}

function factsOf(left: NameRead, right: NameRead): Omit<PeopleFacts, 'isFatherLast'> {
  const pairing = withoutTitles(withCutWord(pairUp(left.words, right.words), left, right), left, right);
  const full = pairing.pairs.flatMap(({ kind, left: at }) => {
    const word = left.words[at] ?? '';
    return kind === 'same' && word.length > 1 ? [word] : [];
  });
  const likely = pairing.pairs.filter(({ kind }) => kind !== 'same' && kind !== 'initial');
  const initials = pairing.pairs.filter(
    ({ kind, left: at }) => kind === 'initial' || (kind === 'same' && left.words[at]?.length === 1),
  );
  return { left, right, pairing, order: orderOf(pairing), full, likely, initials };
}

/** The same letters are the same name where they are two names at least. */
function isWhole(left: NameRead, right: NameRead): boolean {
  return [left, right].some(
    ({ words }) =>
      words.filter((word) => word.length > 1).length >= 2 && words.some((word) => word.length > 2),
  );
}

/** Enough in common for a close match; a shared family name alone is not. */
function hasEnough({ full, likely, initials, pairing }: PeopleFacts): boolean {
  const hasExtra = pairing.leftOver.length + pairing.rightOver.length > 0;
  const [only = ''] = full;
  if (full.length === 0)
    return likely.length >= 2 && likely.some(({ kind }) => kind === 'known') && !hasExtra;
  if (full.length + likely.length >= 2) return true;
  if (hasExtra) return false;
  return initials.length === 0 || (only.length > 2 && orderOf(pairing) !== 'mixed');
}

/** “Musa Ibrahim” beside “Ahmed Musa Ibrahim”: the first name is the person, the rest is the father. */
function isPerhapsTheFather({ left, right, pairing, order, full }: PeopleFacts): boolean {
  const { leftOver, rightOver } = pairing;
  const [extra, longer] = leftOver.length > 0 ? [leftOver, left] : [rightOver, right];
  return (
    extra.length > 0 &&
    order === 'same' &&
    extra.every((at, nth) => at === nth && !TITLES_OR_NAMES.has(longer.words[at] ?? '')) &&
    full.length === pairing.pairs.length &&
    full.every(isFathersName)
  );
}

/** Why two names are not certainly the same; empty for a match. */
function doubtsOf(facts: PeopleFacts): string[] {
  const { left, right, pairing, full, likely, initials, order } = facts;
  const doubts = likely.map((pair) => pairText(pair, left, right));
  if (pairing.leftOver.length + pairing.rightOver.length > 0) doubts.push(extraText(facts, pairing));
  doubts.push(...smallWordsText(left, right));
  if (full.length + likely.length < 2)
    doubts.push(
      initials.length > 0
        ? `only ${listed(full)} is written in full`
        : `only the one name ${listed(full)} on both sides`,
    );
  else if (!full.some((word) => word.length > 2) && likely.length === 0) doubts.push('very short names');
  else if (initials.length > 0 && likely.length === 0) doubts.push(...initialDoubts(facts));
  if (order === 'mixed') doubts.push('names in another order');
  if (order === 'turned' && isPerhapsRelative(facts))
    doubts.push('the same names the other way round may be a relative, such as father and son');
  doubts.push(...titleDoubts(facts));
  return doubts;
}

/** An initial does not matter between full names that few relatives share. */
function initialDoubts({ left, right, pairing, full, initials, order }: PeopleFacts): string[] {
  if (order === 'mixed') return [];
  const doubts: string[] = [];
  const outer = initials.find(({ kind, left: one, right: other }) => {
    const [name, at] = left.words[one]?.length === 1 ? [left, one] : [right, other];
    return kind === 'initial' && (at === 0 || at === name.words.length - 1);
  });
  if (outer !== undefined) doubts.push(pairText(outer, left, right));
  const telling = full.filter((word) => !SHARED_FIRST_NAMES.has(word));
  const isOnlyInitial = pairing.pairs.some(({ kind }) => kind === 'initial');
  if (doubts.length === 0 && isOnlyInitial && telling.length < 2)
    doubts.push(
      `${listed(full.filter((word) => SHARED_FIRST_NAMES.has(word)))} with an initial fits too many people`,
    );
  return doubts;
}

function isPerhapsRelative({ left, right, pairing, isFatherLast }: PeopleFacts): boolean {
  const words = pairing.pairs.map(({ left: one, right: other }) => {
    const [written = '', resolved = ''] = [left.words[one], right.words[other]];
    return written.length >= resolved.length ? written : resolved;
  });
  return isFatherLast || words.every(isFathersName) || words.every((word) => FIRST_NAMES.has(word));
}

/** “Mr Kofi Mensah” and “Mrs Kofi Mensah” are husband and wife. */
function titleDoubts({ left, right }: PeopleFacts): string[] {
  const [one, other] = [left, right].map(({ titles, words }) => [...titles, ...words.slice(0, 1)]);
  const [man, woman] = [TITLES_OF_MEN, TITLES_OF_WOMEN].map((titles) => [
    one?.find((word) => titles.has(word)),
    other?.find((word) => titles.has(word)),
  ]);
  for (const [his, hers] of [
    [man?.[0], woman?.[1]],
    [man?.[1], woman?.[0]],
  ])
    if (his !== undefined && hers !== undefined) return [`${listed([his])} is not ${listed([hers])}`];
  return [];
}

function matchReason({ left, right, order, initials }: PeopleFacts): string {
  const reasons = [
    ...orderText(order),
    ...(initials.some(({ kind }) => kind === 'initial') ? ['a middle name as an initial'] : []),
    ...(left.titles.join() === right.titles.join() && left.words.length === right.words.length
      ? []
      : ['title left out']),
  ];
  return reasons.length === 0 ? 'same name' : reasons.join('; ');
}

/** What is left over in front and is certainly a title: “M.” for monsieur, “Ato” before a name of Ethiopia. */
function withoutTitles(pairing: Pairing, left: NameRead, right: NameRead): Pairing {
  const isName = (at: number, { words }: NameRead) => {
    const [first = ''] = words;
    const isTitle =
      at === 0 &&
      words.length > 2 &&
      (first === 'm' || (first === 'ato' && words.slice(1).some(isEthiopian)));
    return !isTitle;
  };
  return {
    pairs: pairing.pairs,
    leftOver: pairing.leftOver.filter((at) => isName(at, left)),
    rightOver: pairing.rightOver.filter((at) => isName(at, right)),
  };
}

function no(reason: string): Comparison {
  return { result: 'no_match', reason };
}
