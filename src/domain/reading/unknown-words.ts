/** Written names of institutions that the lists of the service do not have, each once, with what they may mean. */

import { fieldOfHeader } from '../rows/column-names.ts';
import {
  type Country,
  codeOf,
  type Directory,
  type Institution,
  institutionLabelOf,
} from '../rows/directory.ts';
import { isPlainlyMeant } from '../rows/institution-names.ts';
import { closest } from '../text/likeness.ts';
import { input, said } from '../text/message.ts';
import { printable, rowsText } from '../text/printable.ts';
import { mayHoldAccount } from '../text/sensitive.ts';
import { wordKey } from './answer.ts';
import type { Look, SeenColumn } from './look.ts';
import type { Choice, Question } from './question.ts';
import { named } from './shown-column.ts';

/** A name of an institution that the service does not list, with proposals. A person chooses. */
export interface UnknownInstitution {
  readonly country: Country;
  /** A text that finds the country and no other. */
  readonly countryCode: string;
  /** As it was written first. */
  readonly written: string;
  readonly firstRow: number;
  readonly rows: number;
  /** Best first. */
  readonly suggestions: readonly Institution[];
}

/** A hostile file could hold a million different names. */
const MOST = 1_000;

/** The same directory, which remembers what it did not find. Say which row asks. */
export function rememberingUnknown(directory: Directory) {
  const found = new Map<string, UnknownInstitution>();
  let row = 0;
  return {
    at(rowNumber: number): void {
      row = rowNumber;
    },
    unknown: (): readonly UnknownInstitution[] => [...found.values()],
    directory: {
      ...directory,
      findInstitution(countryId: Country['id'], written: string) {
        const listed = directory.findInstitution(countryId, written);
        const country =
          listed.kind === 'unknown' && written !== '' ? directory.countryById(countryId) : undefined;
        if (listed.kind !== 'unknown' || country === undefined) return listed;
        const key = `${country.id}\n${wordKey(written)}`;
        const before = found.get(key);
        if (before !== undefined) found.set(key, { ...before, rows: before.rows + 1 });
        else if (found.size < MOST)
          found.set(key, {
            ...{ country, countryCode: codeOf(directory, country), written, firstRow: row, rows: 1 },
            suggestions: listed.suggestions,
          });
        return listed;
      },
    } satisfies Directory,
  };
}

const SHOWN = 20;
const NEAREST = 3;

/** One question for all that plainly mean an institution, and one for each of the others. They stop no other row. */
export function askUnknown(all: readonly UnknownInstitution[], directory: Directory): readonly Question[] {
  // Where an account stands for a bank or beside it, the issue of its row shows it masked, and is enough.
  const unknown = all.filter(({ written }) => !mayHoldAccount(written));
  const plain = unknown.flatMap((each) => {
    const [first] = each.suggestions;
    return first !== undefined && isPlainlyMeant(each.written, first.name, each.country.iso)
      ? [{ ...each, first }]
      : [];
  });
  const unclear = unknown.filter(
    (each) => !plain.some(({ written, country }) => written === each.written && country === each.country),
  );
  return [
    ...(plain.length === 0 ? [] : [askPlain(plain)]),
    ...unclear.slice(0, SHOWN).map((each) => askUnclear(each, directory)),
  ];
}

const shownWord = ({ written, country, rows }: UnknownInstitution) =>
  `“${printable(written)}” (${printable(country.name)}, ${rowsText(rows)})`;

const LEAVE: Choice = { label: said`None of these: leave these rows as they are`, answers: [] };

function askPlain(plain: readonly (UnknownInstitution & { readonly first: Institution })[]): Question {
  const more = plain.length > SHOWN ? ' …' : '';
  const shown = plain.slice(0, SHOWN);
  const uses = shown.map(({ written, first }) => `${printable(first.name)} for “${printable(written)}”`);
  const answers = plain.map(({ written, countryCode: country, first: { name: means } }) => ({
    ...({ kind: 'value', field: 'institution' } as const),
    ...{ written, means, country },
  }));
  return {
    code: 'institution_unknown',
    text: said`The service does not list ${shown.map(shownWord).join(', ')}${more}. ${plain.length === 1 ? 'What does it mean?' : 'What do they mean?'}`,
    headers: [],
    isOffer: true,
    choices: [{ label: said`Use ${uses.join(', ')}${more}`, answers }, LEAVE],
  };
}

/** The whole list to choose from, the nearest names first. */
function askUnclear(word: UnknownInstitution, directory: Directory): Question {
  const { written, country, countryCode, suggestions } = word;
  const all = directory.institutionsOf(country.id);
  const near = [...new Set([...suggestions, ...closest(written, all, ({ name }) => name, 0)])].slice(
    0,
    NEAREST,
  );
  const choices = [...new Set([...near, ...all])].map(
    (institution, at): Choice => ({
      label: said`Use ${printable(institution.name)} for “${printable(written)}”`,
      answers: [
        {
          ...{ kind: 'value', field: 'institution', written, country: countryCode },
          means: institutionLabelOf(directory, country, institution),
        },
      ],
      ...(at < Math.max(near.length, NEAREST) ? {} : { isFurther: true }),
    }),
  );
  return {
    code: 'institution_unknown',
    text: said`The service does not list ${shownWord(word)}. Which institution of ${printable(country.name)} is it?`,
    furtherBy: said`Say any of its list with ${input('value', `"${countryCode}/${printable(written)}=INSTITUTION"`)}.`,
    headers: [],
    isOffer: true,
    isGuess: true,
    choices: [...choices, LEAVE],
  };
}

/** Words of the column of countries that name none, such as towns: which country is each in? */
export function askUnknownCountries(look: Look, directory: Directory): readonly Question[] {
  const column = look.columns.find(({ field, isIgnored }) => field === 'country' && !isIgnored);
  const words = [...(column?.words ?? [])].filter(([word]) => {
    const { kind } = directory.findCountry(word);
    // A header line in the middle of the rows is no row of a country.
    return (
      kind === 'unknown' && word.length > 1 && !mayHoldAccount(word) && fieldOfHeader(word) === undefined
    );
  });
  if (column === undefined) return [];
  return words.slice(0, SHOWN).map(([word, rows], at): Question => {
    const found = directory.findCountry(word);
    const near = found.kind === 'unknown' ? found.suggestions : [];
    const choices = [...new Set([...near, ...directory.countries])].map(
      (country): Choice => ({
        label: said`${printable(country.name)} for “${printable(word)}”`,
        answers: [{ kind: 'value', field: 'country', written: word, means: codeOf(directory, country) }],
        ...(near.includes(country) ? {} : { isFurther: true }),
      }),
    );
    return {
      code: 'country_unknown',
      text: said`“${printable(word)}” in ${named(column.header)} (${rowsText(rows)}) is no country that the service lists. Which country is it in?`,
      furtherBy: said`Say it with ${input('value', `"${printable(word)}=COUNTRY"`)}.`,
      headers: [column.header],
      isOffer: true,
      isGuess: true,
      choices: [...choices, ...(at === 0 ? [sameCountry(column)] : []), LEAVE],
    };
  });
}

const sameCountry = ({ header, name }: SeenColumn): Choice => ({
  label: said`The same country for every row`,
  answers: [
    ...(fieldOfHeader(header) === 'country' ? [{ kind: 'ignore', header: name } as const] : []),
    { kind: 'set', field: 'country', text: '' },
  ],
  asksFor: 'country',
});
