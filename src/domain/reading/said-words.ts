/**
 * A directory that also knows what a person said that written words mean.
 *
 * The list decides first: a text that is the name of an institution means that one. If a person said otherwise, the row is
 * asked about. A meaning that is no longer in the list is not used, and the row says so.
 */
import type { Country, CountryId, Directory, Found } from '../rows/directory.ts';
import { printable } from '../text/printable.ts';
import { formatTimestamp } from '../timestamp.ts';
import { type Said, wordKey } from './answer.ts';

type SaidWord = Extract<Said, { kind: 'value' }>;

export function withSaidWords(directory: Directory, answers: readonly Said[]): Directory {
  const words = answers.filter((answer) => answer.kind === 'value');
  const ofCountries = new Map(
    words.flatMap((word) => (word.field === 'country' ? [[wordKey(word.written), word] as const] : [])),
  );
  const ofInstitutions = words.filter(({ field }) => field === 'institution');
  if (ofCountries.size + ofInstitutions.length === 0) return directory;
  const findCountry = (written: string): Found<Country> => {
    const listed = directory.findCountry(written);
    const word = ofCountries.get(wordKey(written));
    return word === undefined
      ? listed
      : meant(listed, directory.findCountry(word.means), { word, where: 'The service' });
  };
  return {
    ...directory,
    findCountry,
    findInstitution(countryId: CountryId, written: string) {
      const listed = directory.findInstitution(countryId, written);
      const country = directory.countryById(countryId);
      const word = country && wordFor(country, written, ofInstitutions, directory);
      if (word === undefined || !directory.hasInstitutionsOf(countryId)) return listed;
      const now = directory.findInstitution(countryId, word.means);
      return meant(listed, now, { word, where: printable(country?.name ?? '') });
    },
  };
}

/** What was said of this country alone is stronger. */
function wordFor(
  { id }: Country,
  written: string,
  words: readonly SaidWord[],
  directory: Directory,
): SaidWord | undefined {
  const key = wordKey(written);
  const isHere = ({ country }: SaidWord) => {
    const found = country === undefined ? undefined : directory.findCountry(country);
    return found?.kind === 'found' && found.item.id === id;
  };
  const said = words
    .flatMap((word) => inItsCountry(word, directory))
    .filter((word) => wordKey(word.written) === key);
  // What is said now stands behind what is remembered, in whatever spelling of the country.
  return said.findLast(isHere) ?? said.findLast(({ country }) => country === undefined);
}

/** `GH/GCB` is GCB in Ghana, or a name with a slash. The last is the likelier one. */
export function inItsCountry(word: SaidWord, directory: Directory): readonly SaidWord[] {
  const slash = word.country === undefined ? word.written.indexOf('/') : -1;
  const country = word.written.slice(0, Math.max(0, slash)).trim();
  if (country === '' || directory.findCountry(country).kind !== 'found') return [word];
  return [word, { ...word, country, written: word.written.slice(slash + 1).trim() }];
}

interface Meaning {
  readonly word: SaidWord;
  /** Whose list it is. */
  readonly where: string;
}

function meant<Item extends { readonly id: string }>(
  listed: Found<Item>,
  now: Found<Item>,
  { word, where }: Meaning,
): Found<Item> {
  if (now.kind !== 'found') {
    const { by, at, means } = word;
    const since = `${printable(by)} said on ${formatTimestamp(at).slice(0, 10)} that it means ${printable(means)}, which ${where} does not list now`;
    return { kind: 'unknown', suggestions: listed.kind === 'unknown' ? listed.suggestions : [], since };
  }
  if (listed.kind === 'found' && listed.item.id !== now.item.id)
    return { kind: 'ambiguous', candidates: [listed.item, now.item] };
  return now;
}

/** The same answers with the name of each institution in place of its id: another one may have the id later. */
export function withNamesForIds(answers: readonly Said[], directory: Directory): readonly Said[] {
  return answers.map((answer) => {
    if (answer.kind !== 'value' || answer.field !== 'institution') return answer;
    for (const { id } of directory.countries) {
      const found = directory.hasInstitutionsOf(id) ? directory.findInstitution(id, answer.means) : undefined;
      if (found?.kind !== 'found') continue;
      const named = directory.findInstitution(id, found.item.name);
      // Of two with one name, only the id says which.
      return named.kind === 'found' ? { ...answer, means: found.item.name } : answer;
    }
    return answer;
  });
}

/** `Accra=Ghana` means a country, because no institution is called Ghana. */
export function asCountryWord(answer: Said, directory: Directory): Said {
  const isOpen = answer.kind === 'value' && answer.field === 'institution' && answer.country === undefined;
  const isCountry =
    isOpen && /\p{L}{3}/u.test(answer.means) && directory.findCountry(answer.means).kind === 'found';
  return isCountry ? { ...answer, field: 'country' } : answer;
}
