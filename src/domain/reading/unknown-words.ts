/** Written names of institutions that the lists of the service do not have, each once, with what they may mean. */

import { type Country, codeOf, type Directory, type Institution } from '../rows/directory.ts';
import { isPlainlyMeant } from '../rows/institution-names.ts';
import { input, type Piece, said } from '../text/message.ts';
import { printable, rowsText } from '../text/printable.ts';
import { wordKey } from './answer.ts';
import type { Question } from './question.ts';

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

/** Where nothing is plainly meant, a person has to name the institution. */
function howToSay(unknown: readonly UnknownInstitution[]): readonly Piece[] {
  const none = unknown.find(
    ({ written, suggestions: [first], country }) =>
      first === undefined || !isPlainlyMeant(written, first.name, country.iso),
  );
  if (none === undefined) return [];
  const { written, suggestions } = none;
  const near = suggestions.map(({ name }) => printable(name)).join(' or ');
  const perhaps = near === '' ? '' : ` “${printable(written)}” may be ${near}, or another one.`;
  return [`${perhaps} Say it with `, input('value', '"WRITTEN=INSTITUTION"'), '.'];
}

const SHOWN = 20;

/** One question for all of them. It stops no other row, as wrong cells do not. */
export function askUnknown(unknown: readonly UnknownInstitution[]): readonly Question[] {
  if (unknown.length === 0) return [];
  const shown = unknown.slice(0, SHOWN);
  const named = shown.map(
    ({ written, country, rows }) => `“${printable(written)}” (${printable(country.name)}, ${rowsText(rows)})`,
  );
  const more = unknown.length > shown.length ? ' …' : '';
  const known = unknown.flatMap(({ suggestions: [first], ...each }) =>
    first !== undefined && isPlainlyMeant(each.written, first.name, each.country.iso)
      ? [{ ...each, first }]
      : [],
  );
  const uses = known
    .slice(0, SHOWN)
    .map(({ written, first }) => `${printable(first.name)} for “${printable(written)}”`);
  const accept = {
    label: said`Use ${uses.join(', ')}${known.length > SHOWN ? ' …' : ''}`,
    answers: known.map(({ written, countryCode: country, first: { name: means } }) => ({
      ...({ kind: 'value', field: 'institution' } as const),
      ...{ written, means, country },
    })),
  };
  return [
    {
      code: 'institution_unknown',
      text: said`The service does not list ${named.join(', ')}${more}. ${unknown.length === 1 ? 'What does it mean?' : 'What do they mean?'}${howToSay(unknown)}`,
      headers: [],
      isOffer: true,
      choices: [
        ...(known.length === 0 ? [] : [accept]),
        { label: said`Something else: leave these rows as they are`, answers: [] },
      ],
    },
  ];
}
