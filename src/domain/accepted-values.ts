/**
 * A directory that also knows what a person said that written names mean.
 *
 * The list decides first: a text that names an institution itself means that one, and where a person said
 * otherwise the row is asked about. An accepted institution that left the list, or goes by another name now,
 * is said to be so and binds nothing.
 */
import type { Country, CountryId, Institution } from './country.ts';
import type { Directory, Found } from './directory.ts';
import type { AcceptedValue } from './mapping.ts';
import { foldText } from './text-fold.ts';

/** `values`: of the environment that the directory is of. */
export function withAcceptedValues(
  directory: Directory,
  { name, values }: { readonly name: string; readonly values: readonly AcceptedValue[] },
): Directory {
  if (values.length === 0) return directory;
  const accepted = new Map<string, AcceptedValue>();
  for (const value of values) {
    const found = directory.findCountry(value.country);
    if (found.kind === 'found') accepted.set(keyOf(found.item, value.written), value);
  }
  return {
    ...directory,
    findInstitution(countryId: CountryId, written: string) {
      const found = directory.findInstitution(countryId, written);
      const country = directory.countryById(countryId);
      const value = country && accepted.get(keyOf(country, written));
      if (value === undefined || !directory.hasInstitutionsOf(countryId)) return found;
      return meant(found, directory.findInstitution(countryId, value.institutionId), { value, name });
    },
  };
}

function meant(
  listed: Found<Institution>,
  now: Found<Institution>,
  { value, name }: { readonly value: AcceptedValue; readonly name: string },
): Found<Institution> {
  const was = `the mapping “${name}” takes it for ${value.institutionName} (id ${value.institutionId})`;
  const suggestions = listed.kind === 'unknown' ? listed.suggestions : [];
  if (now.kind !== 'found' || now.item.id !== value.institutionId)
    return { kind: 'unknown', suggestions, since: `${was}, which the service no longer lists` };
  if (foldText(now.item.name) !== foldText(value.institutionName))
    return { kind: 'unknown', suggestions: [now.item], since: `${was}, which is now ${now.item.name}` };
  if (listed.kind === 'found' && listed.item.id !== now.item.id)
    return { kind: 'ambiguous', candidates: [listed.item, now.item] };
  return now;
}

function keyOf(country: Country, written: string): string {
  return `${country.id}\n${foldText(written) || written.trim()}`;
}
