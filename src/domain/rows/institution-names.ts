/**
 * What a written name of an institution may mean: proposals for a person, and never taken by themselves.
 *
 * Source:  bank codes of the central banks of Nigeria and Kenya, pay bill numbers of M-PESA, codes of Chapa, SWIFT codes, and
 *          names that changed (data/institution-codes.json).
 */
import codes from '../../data/institution-codes.json' with { type: 'json' };
import { foldText, foldWords } from '../text/fold.ts';
import { closest, editDistance } from '../text/likeness.ts';

const NAMES: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(codes).map(([iso, names]) => [
    iso,
    new Map(
      Object.entries(names).flatMap(([name, called]) => called.flatMap(textsOf).map((each) => [each, name])),
    ),
  ]),
);

/** A spreadsheet takes zeros away from the front of a code. */
function textsOf(called: string): readonly string[] {
  const folded = foldText(called);
  return /^0\d+$/.test(folded) ? [folded, folded.replace(/^0+/, '')] : [folded];
}

/** A code or an old name means one institution or none. */
const LIKE_THE_NAME = 0.7;
/** `KCB - Moi Avenue`, `Equity (Westlands)`, `GCB Bank, Osu`: the branch stands behind. */
const BEHIND_THE_NAME = /\s*(?:\s[-–—]\s|[(,/]).*$|\s+branch$/i;

/** At most three, best first. `iso`: of the country; undefined where the service names none. */
export function proposedInstitutions<Item extends { readonly name: string }>(
  written: string,
  institutions: readonly Item[],
  iso: string | undefined,
): readonly Item[] {
  const nameOf = (each: Item) => each.name;
  const meant = NAMES.get(iso ?? '')?.get(foldText(written));
  const known = meant === undefined ? [] : closest(meant, institutions, nameOf, LIKE_THE_NAME).slice(0, 1);
  if (known.length > 0) return known;
  const near = closest(written, institutions, nameOf);
  const bank = written.replace(BEHIND_THE_NAME, '');
  return near.length > 0 || bank === written || bank === ''
    ? near
    : proposedInstitutions(bank, institutions, iso);
}

/**
 * Whether the written name can be bound to the institution together with others, in one go: by its code or old name, its
 * initials, or every word of it that tells banks apart. `Banco BAI` is near `Banco BIC`, and another bank.
 */
export function isPlainlyMeant(written: string, name: string, iso: string | undefined): boolean {
  const bank = written.replace(BEHIND_THE_NAME, '');
  const called = NAMES.get(iso ?? '')?.get(foldText(written)) ?? NAMES.get(iso ?? '')?.get(foldText(bank));
  const words = foldWords(name);
  if (called !== undefined) return isPlainlyMeant(called, name, undefined);
  const initials = [words, words.filter((word) => !SMALL.has(word))].map((some) =>
    some.map((word) => word[0]).join(''),
  );
  if (initials.includes(foldText(bank))) return true;
  const telling = foldWords(bank).filter((word) => word.length >= SHORTEST_TELLING && !GENERIC.has(word));
  return telling.length > 0 && telling.every((word) => words.some((other) => isSameWord(word, other)));
}

function isSameWord(word: string, other: string): boolean {
  return other.startsWith(word) || (word.length >= SHORTEST_MISTYPED && editDistance(word, other) <= 1);
}

const SHORTEST_TELLING = 3;
const SHORTEST_MISTYPED = 5;
const SMALL = new Set(['of', 'for', 'the', 'and', 'de', 'du', 'do', 'da', 'et', 'e', 'pour', 'para']);
const GENERIC = new Set([
  ...[
    'bank',
    'banque',
    'banco',
    'banka',
    'plc',
    'ltd',
    'limited',
    'group',
    'groupe',
    'company',
    'the',
    'for',
    'and',
  ],
  ...['money', 'mobile', 'wallet', 'cash', 'account', 'national', 'commercial'],
]);
