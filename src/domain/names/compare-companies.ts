/**
 * Compares two names of which at least one is a business: the same, perhaps the same, or different.
 *
 * Sister companies share a name and a company form and differ in one word. A person and a company of the same name are
 * two owners.
 */
import type { Comparison } from './name-reason.ts';
import { extraText, listed, pairText, type Sides, unlikeText } from './name-reason.ts';
import { isSameText, type NameRead } from './name-words.ts';
import { orderOf, type Pairing, pairUp } from './pairing.ts';
import { withCutWord } from './partial-name.ts';
import { companyFormOf, PLACES, TRADES } from './titles.ts';

export function judgeCompanies(left: NameRead, right: NameRead): Comparison {
  const pairing = withCutWord(pairUp(left.words, right.words), left, right);
  const { pairs, leftOver, rightOver } = pairing;
  const sides = { left, right };
  const isNamed = left.words.some((word) => companyFormOf(word, true) === undefined);
  if (
    isSameText(left, right) &&
    isNamed &&
    (Math.max(left.words.length, right.words.length) > 1 || left.forms.size > 0)
  )
    return { result: 'match', reason: 'same name' };
  if (leftOver.length > 0 && rightOver.length > 0)
    return { result: 'no_match', reason: unlikeText(sides, pairing) };
  const extra = [
    ...leftOver.map((at) => left.words[at] ?? ''),
    ...rightOver.map((at) => right.words[at] ?? ''),
  ];
  if (!hasEnough(sides, pairing, extra)) {
    const common = pairs.map(({ left: at }) => left.words[at] ?? '');
    return {
      result: 'no_match',
      reason: common.length === 0 ? 'no name in common' : `only ${listed(common)} in common`,
    };
  }
  const unequal = pairs.filter(({ kind }) => kind !== 'same');
  const doubts = [
    ...(orderOf(pairing) === 'same' ? [] : ['words in another order']),
    ...unequal.map((pair) => pairText(pair, left, right)),
    ...(extra.length > 0 ? [extraText(sides, pairing)] : []),
    ...formDoubts(left, right),
  ];
  if (doubts.length > 0) return { result: 'close_match', reason: doubts.join('; ') };
  return {
    result: 'match',
    reason: left.forms.size === right.forms.size ? 'same name' : 'company form left out',
  };
}

/** “Ventures”, “Ghana”, “Ltd” and an initial are in common between thousands. */
function hasEnough({ left, right }: Sides, { pairs }: Pairing, extra: readonly string[]): boolean {
  const isSame = pairs.every(({ kind }) => kind === 'same');
  if (extra.length === 0 && pairs.length >= 2 && isSame) return true;
  const words = pairs.filter(
    ({ left: one, right: other }) => left.words[one]?.length !== 1 && right.words[other]?.length !== 1,
  );
  const telling = words.filter(({ left: one, right: other }) =>
    [left.words[one] ?? '', right.words[other] ?? ''].every(isTelling),
  );
  if (telling.length === 0) return false;
  return words.length >= 2 || (isSame && extra.every((word) => PLACES.has(word)));
}

function isTelling(word: string): boolean {
  return !TRADES.has(word) && !PLACES.has(word) && companyFormOf(word, true) === undefined;
}

/** The form may be left out of the name of a business, not of what might be a person's; two forms are two owners. */
function formDoubts(left: NameRead, right: NameRead): string[] {
  const [one, other] = [left.forms, right.forms];
  if (one.size === 0 && other.size === 0) return [];
  if (one.size === 0 || other.size === 0) {
    if (left.hasTrade && right.hasTrade && left.words.length >= 2) return [];
    const [forms, side] = one.size > 0 ? [one, 'file'] : [other, 'account'];
    return [`${listed([...forms])} only in the ${side}: a company and a person may share the name`];
  }
  const isWithin = (some: ReadonlySet<string>, all: ReadonlySet<string>) =>
    [...some].every((form) => all.has(form));
  if (isWithin(one, other) || isWithin(other, one)) return [];
  return [`${listed([...one])} is not ${listed([...other])}`];
}
