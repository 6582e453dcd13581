/**
 * Where a row's money goes and comes from: country and institution, found exactly or not at all.
 */
import type { Country, CountryId, Institution } from './country.ts';
import type { Directory, Found } from './directory.ts';
import type { IssueText } from './issue-writer.ts';
import type { Field } from './row-issue.ts';

export type Looked<Item> =
  | { readonly kind: 'found'; readonly item: Item }
  | { readonly kind: 'issue'; readonly issue: IssueText };

const A_COUNTRY = "a country of the service's list, by name, ISO code or id";

export function lookUpCountry(directory: Directory, field: Field, text: string): Looked<Country> {
  if (text === '') return missing(field, A_COUNTRY);
  const found = directory.findCountry(text);
  if (found.kind === 'found') return found;
  return notFound(field, text, found, {
    expected: A_COUNTRY,
    name: (country) => `${country.name} (${country.iso})`,
    otherwise: 'See the names with: payfile countries',
  });
}

/** undefined: the list of the country has not been added to the directory yet. */
export function lookUpInstitution(
  directory: Directory,
  country: Country,
  text: string,
): Looked<Institution> | undefined {
  const expected = `an institution of ${country.name}, by name or id`;
  if (text === '') return missing('institution', expected);
  if (!directory.hasInstitutionsOf(country.id)) return undefined;
  return lookUpListed(directory, country, text, expected);
}

function lookUpListed(
  directory: Directory,
  country: Country,
  text: string,
  expected: string,
): Looked<Institution> {
  const found = directory.findInstitution(country.id, text);
  if (found.kind === 'found') return found;
  return notFound('institution', text, found, {
    expected,
    name: (institution) => `${institution.name} (id ${institution.id})`,
    otherwise: `See the names with: payfile institutions ${country.iso}`,
  });
}

/** Origin of a row: its own cell, else the default; an issue when there is neither. */
export function lookUpSource(
  directory: Directory,
  text: string,
  otherwise: Country | undefined,
): Looked<Country> {
  if (text !== '') return lookUpCountry(directory, 'source', text);
  if (otherwise) return { kind: 'found', item: otherwise };
  return {
    kind: 'issue',
    issue: {
      kind: 'source_missing',
      field: 'source',
      seen: '',
      expected: 'the country that the money comes from',
      suggestion: 'Pass --source COUNTRY, set PAYFILE_SOURCE, or add a column “source”.',
    },
  };
}

interface Wording<Item> {
  readonly expected: string;
  readonly name: (item: Item) => string;
  readonly otherwise: string;
}

function notFound<Item extends { readonly id: CountryId | Institution['id'] }>(
  field: Field,
  seen: string,
  found: Exclude<Found<Item>, { kind: 'found' }>,
  { expected, name, otherwise }: Wording<Item>,
): Looked<never> {
  if (found.kind === 'ambiguous') {
    const names = found.candidates.map((item) => `${name(item)} id ${item.id}`.replace(/\(id [^)]*\) /, ''));
    return {
      kind: 'issue',
      issue: {
        kind: `${field}_ambiguous`,
        field,
        seen,
        expected: `${expected}; more than one goes by this name`,
        suggestion: `Write the id: ${names.join(' or ')}.`,
      },
    };
  }
  const suggestion =
    found.suggestions.length > 0
      ? `Did you mean ${found.suggestions.map(name).join(' or ')}?`
      : `${otherwise}.`;
  const kind = found.since === undefined ? `${field}_unknown` : `${field}_gone`;
  const seenOf = found.since === undefined ? expected : `${expected}; ${found.since}`;
  return { kind: 'issue', issue: { kind, field, seen, expected: seenOf, suggestion } };
}

function missing(field: Field, expected: string): Looked<never> {
  const suggestion = `Fill in the ${field}, or take the row out.`;
  return { kind: 'issue', issue: { kind: `${field}_missing`, field, seen: '', expected, suggestion } };
}
