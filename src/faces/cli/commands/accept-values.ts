/**
 * `--value [COUNTRY/]WRITTEN=INSTITUTION`: what a person says that a written name means. The institution has to
 * be one of the list, by its exact name or id; nothing is ever chosen by likeness.
 */

import type { Country } from '../../../domain/rows/directory.ts';
import type { AcceptedValue } from '../../../domain/rows/mapping.ts';
import { command } from '../../../domain/steps/command.ts';
import { foldText } from '../../../domain/text/fold.ts';
import { printable } from '../../../domain/text/printable.ts';
import type { InstitutionNames } from '../../../use-cases/intake/check-file.ts';
import { loadInstitutions } from '../../../use-cases/intake/read-rows.ts';
import type { World } from '../../../use-cases/world.ts';
import { type Call, UsageError } from '../call.ts';
import type { WrittenValue } from '../words/parse-flags.ts';
import { acceptedValue, institutionText } from './mapping.ts';

export async function acceptValues(
  said: readonly WrittenValue[],
  names: InstitutionNames,
  world: Pick<World, 'paymentService' | 'tell'> & {
    readonly call: Call;
    readonly environment: AcceptedValue['environment'];
  },
): Promise<readonly AcceptedValue[]> {
  const values: AcceptedValue[] = [];
  for (const value of said) {
    for (const { country, written } of meantBy(value, names)) {
      if (!names.directory.hasInstitutionsOf(country.id))
        await loadInstitutions(names.directory, country.id, world, world.call.stopping.signal);
      const institution = institutionNamed(value, country, names);
      refuseListed(written, country, names);
      values.push(acceptedValue({ country, written }, institution, world.environment));
    }
  }
  return values;
}

type Meant = { readonly country: Country; readonly written: string };

/** In which countries: the one named in front, else all in which the file has this name unknown. */
function meantBy(
  { written, flag }: WrittenValue,
  { directory, unknown }: InstitutionNames,
): readonly Meant[] {
  const slash = written.indexOf('/');
  const found = slash > 0 ? directory.findCountry(written.slice(0, slash).trim()) : undefined;
  if (found?.kind === 'found') return [{ country: found.item, written: written.slice(slash + 1).trim() }];
  const folded = foldText(written) || written.trim();
  const inFile = unknown.filter((each) => (foldText(each.written) || each.written.trim()) === folded);
  if (inFile.length > 0) return inFile;
  throw new UsageError(
    `--value is “${printable(flag)}”, but no row of the file has the unknown institution “${printable(written)}”. ` +
      'To remember it all the same, name the country in front: --value "KE/NAME=INSTITUTION".',
  );
}

function institutionNamed({ institution, flag }: WrittenValue, country: Country, names: InstitutionNames) {
  const found = names.directory.findInstitution(country.id, institution);
  if (found.kind === 'found') return found.item;
  const near = found.kind === 'unknown' ? found.suggestions : found.candidates;
  const hint = near.length === 0 ? '' : ` Did you mean ${near.map(institutionText).join(' or ')}?`;
  throw new UsageError(
    `--value is “${printable(flag)}”, but ${printable(country.name)} has no institution “${printable(institution)}”.${hint}`,
    command('institutions', [country.iso]),
  );
}

/** The list decides what its own names mean. */
function refuseListed(written: string, country: Country, { directory }: InstitutionNames): void {
  const found = directory.findInstitution(country.id, written);
  if (written !== '' && found.kind !== 'found') return;
  throw new UsageError(
    written === ''
      ? '--value has no written name before the “=”.'
      : `“${printable(written)}” is the name or id of an institution of ${printable(country.name)} itself; it cannot mean another.`,
  );
}
