/**
 * The mappings remembered on this machine, as a file is read with them, and the text of one institution name
 * that a person has to decide on.
 */

import type { UnknownInstitution } from '../application/unknown-institutions.ts';
import { rowsText } from '../domain/counted.ts';
import type { Institution } from '../domain/country.ts';
import type { AcceptedValue, Mapping } from '../domain/mapping.ts';
import { printable } from '../domain/printable.ts';
import type { Opened } from './open-parts.ts';

/** With the values of this environment only: the ids of the sandbox are its own. */
export async function savedMappings({
  parts,
  settings,
}: Pick<Opened, 'parts' | 'settings'>): Promise<readonly Mapping[]> {
  const { environment } = settings;
  const all = await (await parts.mappings()).all();
  return all.map((mapping) => ({
    ...mapping,
    values: mapping.values.filter((value) => value.environment === environment),
  }));
}

export function acceptedValue(
  { country, written }: Pick<UnknownInstitution, 'country' | 'written'>,
  { id, name }: Institution,
  environment: AcceptedValue['environment'],
): AcceptedValue {
  return { environment, country: country.iso, written, institutionId: id, institutionName: name };
}

/** `“GCB” in Ghana (3 rows, first on row 5)` */
export function unknownText({ country, written, rows, firstRow }: UnknownInstitution): string {
  return `“${printable(written)}” in ${printable(country.name)} (${rowsText(rows)}, first on row ${firstRow})`;
}

export function institutionText({ name, id }: Institution): string {
  return `${printable(name)} (id ${id})`;
}

export function unknownJson({ country, written, rows, firstRow, suggestions }: UnknownInstitution) {
  return {
    country: { iso: country.iso, name: country.name },
    written,
    rows,
    firstRow,
    suggestions: suggestions.map(({ id, name }) => ({ id, name })),
  };
}
