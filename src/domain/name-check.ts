/**
 * The name check: the account holder's name as the service knows it against the name in the file.
 *
 * Which mistake is worse: calling two people one pays a stranger; calling one person two costs a release. So
 * `match` needs every name to agree, and whatever needs goodwill (an extra name, a lone initial, a spelling)
 * is a `close_match`. One shared family name is never a match.
 * Source:  the four outcomes of payee verification schemes, plus `not_found`.
 */
import { foldWords } from './text-fold.ts';

export type NameResult = 'match' | 'close_match' | 'no_match' | 'not_found' | 'unavailable';

export const NAME_RESULTS = [
  'match',
  'close_match',
  'no_match',
  'not_found',
  'unavailable',
] as const satisfies readonly NameResult[];

export interface NameCheck {
  readonly result: NameResult;
  /** The account holder's name as the service gave it. */
  readonly resolved: string | undefined;
  /** Why, in words: "same names in another order", "only “mensah” in common". */
  readonly reason: string;
}

const TITLES = new Set(
  (
    'mr mrs ms miss mister madam dr doctor prof professor engr eng ing arch barr esq hon rev revd pastor bishop ' +
    'fr father sr sister chief alhaji alhaj alhaja alh hajia hajiya haji mallam sheikh nana togbe oba otunba ' +
    'capt col gen maj lt sgt m mme mlle monsieur madame mademoiselle maitre me senhor senhora sra dona dom exmo'
  ).split(' '),
);
const COMPANY_WORDS = new Set(
  'ltd limited plc inc incorporated llc llp corp corporation company sarl sarlu sasu suarl gie ets lda pty gmbh'.split(
    ' ',
  ),
);
/** Company forms that are also people's names (Maria Sá): read as a form only when both names end in one. */
const AMBIGUOUS_FORMS = new Set('sa sas co sl bv'.split(' '));
const APOSTROPHES = /['’‘ʼʻ`´]/g;

/** What a written and a resolved name have in common. Both non-empty; for the rest see nameCheckOf. */
export function compareNames(written: string, resolved: string): { result: NameResult; reason: string } {
  const [leftWords, rightWords] = [wordsOf(written), wordsOf(resolved)];
  if (leftWords.length === 0 || rightWords.length === 0) {
    return { result: 'no_match', reason: 'no letters to compare' };
  }
  if (leftWords.join('') === rightWords.join('')) return { result: 'match', reason: 'same name' };
  const areCompanies = isCompany(leftWords) && isCompany(rightWords);
  const [left, right] = [namesOf(leftWords, areCompanies), namesOf(rightWords, areCompanies)];
  const isInOrder = left.join('') === right.join('');
  if (!isInOrder && sorted(left).join(' ') !== sorted(right).join(' '))
    return compareParts(pairUp(left, right));
  // “Mr Mensah” and “Chief Mensah” share a family name and nothing else.
  if (left.length < 2 && !areCompanies) {
    return { result: 'close_match', reason: `only “${left.join(' ')}” without titles and company forms` };
  }
  return { result: 'match', reason: isInOrder ? 'same name' : 'same names in another order' };
}

interface Pairing {
  readonly equal: readonly string[];
  readonly initials: readonly string[];
  readonly spellings: readonly [string, string][];
  readonly leftOver: readonly string[];
  readonly rightOver: readonly string[];
}

function compareParts(pairs: Pairing): { result: NameResult; reason: string } {
  const { equal, initials, spellings, leftOver, rightOver } = pairs;
  const full = equal.filter((name) => name.length > 1);
  const hasLeftOvers = leftOver.length > 0 && rightOver.length > 0;
  if (hasLeftOvers || full.length === 0) return { result: 'no_match', reason: noMatchReason(full, pairs) };
  const extra = [...leftOver, ...rightOver];
  if (spellings.length === 0 && extra.length === 0) {
    // Two names in full make a lone initial harmless; one name and an initial fit too many people.
    return full.length >= 2
      ? { result: 'match', reason: `“${initials.join(' ')}” is an initial` }
      : { result: 'close_match', reason: `only “${full.join(' ')}” is written in full` };
  }
  if (full.length + spellings.length + initials.length < 2) {
    return { result: 'no_match', reason: noMatchReason(full, pairs) };
  }
  const reasons = [
    ...spellings.map(([one, other]) => `“${one}” and “${other}” are spelt differently`),
    ...(extra.length > 0 ? [`extra name “${extra.join(' ')}”`] : []),
    ...(initials.length > 0 ? [`“${initials.join(' ')}” is an initial`] : []),
  ];
  return { result: 'close_match', reason: reasons.join('; ') };
}

function noMatchReason(full: readonly string[], { leftOver, rightOver }: Pairing): string {
  if (full.length === 0) return 'no name in common';
  return leftOver.length > 0 && rightOver.length > 0
    ? `“${leftOver.join(' ')}” is not “${rightOver.join(' ')}”`
    : `only “${full.join(' ')}” in common`;
}

/** Folded words; N'Diaye is one word, and S.A.R.L. at the end is sarl. */
function wordsOf(name: string): readonly string[] {
  const words = foldWords(name.replace(APOSTROPHES, ''));
  for (const length of [4, 3, 2]) {
    const tail = words.slice(-length);
    const form = tail.join('');
    if (tail.length === length && form.length === length && isForm(form))
      return [...words.slice(0, -length), form];
  }
  return words;
}

function isForm(word: string): boolean {
  return COMPANY_WORDS.has(word) || AMBIGUOUS_FORMS.has(word);
}

function isCompany(words: readonly string[]): boolean {
  return isForm(words.at(-1) ?? '') || COMPANY_WORDS.has(words[0] ?? '');
}

/** Without titles in front and company forms; never empties a name that has only such words. */
function namesOf(words: readonly string[], areCompanies: boolean): readonly string[] {
  const start = words.findIndex((word) => !TITLES.has(word));
  const withoutTitles = start < 0 ? words : words.slice(start);
  const kept = withoutTitles.filter(
    (word) => !COMPANY_WORDS.has(word) && !(areCompanies && AMBIGUOUS_FORMS.has(word)),
  );
  return kept.length > 0 ? kept : words;
}

function sorted(names: readonly string[]): string[] {
  return [...names].sort();
}

function pairUp(left: readonly string[], right: readonly string[]): Pairing {
  const rightOver = [...right];
  const take = (fits: (name: string) => boolean): string | undefined => {
    const at = rightOver.findIndex(fits);
    return at < 0 ? undefined : rightOver.splice(at, 1)[0];
  };
  const split = (names: readonly string[], pair: (name: string) => boolean) =>
    names.filter((name) => !pair(name));
  const equal: string[] = [];
  const initials: string[] = [];
  const spellings: [string, string][] = [];
  const notEqual = split(
    left,
    (name) => take((other) => other === name) !== undefined && equal.push(name) > 0,
  );
  const notInitial = split(notEqual, (name) => {
    const other = take((candidate) => isInitialOf(name, candidate) || isInitialOf(candidate, name));
    return other !== undefined && initials.push(name.length === 1 ? name : other) > 0;
  });
  const leftOver = split(notInitial, (name) => {
    const other = take((candidate) => isSpellingOf(name, candidate));
    return other !== undefined && spellings.push([name, other]) > 0;
  });
  return { equal, initials, spellings, leftOver, rightOver };
}

function isInitialOf(short: string, long: string): boolean {
  return short.length === 1 && long.length > 1 && long.startsWith(short);
}

/** One letter more, less, other or swapped in a name of five letters or more. */
function isSpellingOf(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length < 5 || long.length - short.length > 1 || short[0] !== long[0]) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  const isSwap =
    short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2);
  if (short.length === long.length) return isSwap || short.slice(at + 1) === long.slice(at + 1);
  return short.slice(at) === long.slice(at + 1);
}
