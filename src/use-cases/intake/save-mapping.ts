/**
 * Saves which column holds what, and which institution a written name means, for files with the same headers. An
 * institution has to be in the list, by its exact name or id; nothing is chosen by likeness.
 *
 * Errors:  RequestRefused for a name, a file or a value that cannot be meant.
 */

import { command, type Flag, plainPath } from '../../domain/next-steps/command.ts';
import { isSameHeader } from '../../domain/rows/column-names.ts';
import { ambiguityText, type Country, codeOf } from '../../domain/rows/directory.ts';
import {
  type AcceptedValue,
  fileHeaders,
  headerFingerprint,
  institutionText,
  type Mapping,
  mappingNameFault,
  recognisedMapping,
  type Saver,
  withSaver,
  withValues,
} from '../../domain/rows/mapping.ts';
import type { Field } from '../../domain/rows/row.ts';
import { foldText } from '../../domain/text/fold.ts';
import { closest, didYouMean } from '../../domain/text/likeness.ts';
import { input, message } from '../../domain/text/message.ts';
import { printable } from '../../domain/text/printable.ts';
import { RequestRefused } from '../../domain/text/request-refused.ts';
import type { MappingStore, OpenRows, OpenRowsOptions } from '../../ports/row-source.ts';
import type { Ports } from '../ports.ts';
import { findUnknownInstitutions, type InstitutionNames, type UnknownInstitution } from './check-file.ts';
import { loadInstitutions } from './read-rows.ts';

const VALUE = input('value');

/** `[COUNTRY/]WRITTEN=INSTITUTION`: what a person says that a written name means. */
export interface WrittenValue {
  readonly written: string;
  readonly institution: string;
  /** As it was typed, for messages. */
  readonly flag: string;
}

interface SaveRequest {
  readonly name: string;
  /** With the mappings that are known. */
  readonly open: OpenRowsOptions;
  readonly values: readonly WrittenValue[];
  /** Where things stand in the file, for the command that is shown. */
  readonly layout: readonly Flag[];
  readonly signal: AbortSignal | undefined;
}

interface SavePorts extends Pick<Ports, 'paymentService' | 'tell'> {
  readonly clock: Pick<Ports['clock'], 'now'>;
  readonly openRows: OpenRows;
  readonly store: MappingStore;
  readonly environment: AcceptedValue['environment'];
  readonly saver: Saver;
}

/** Saving again adds to a mapping. `unknown`: names that still mean nothing. */
export async function saveMapping(
  request: SaveRequest,
  ports: SavePorts,
): Promise<{ readonly mapping: Mapping; readonly unknown: readonly UnknownInstitution[] }> {
  const { name, open, signal } = request;
  const all = await ports.store.all();
  const names = await findUnknownInstitutions(ports.openRows, { open, signal }, ports);
  const before = earlier(request, names, all);
  const said = await accepted(request, names, ports);
  const headers = fileHeaders(names.headers);
  const fresh = { name, headers, columns: columnsOf(names), savedAt: ports.clock.now() };
  const kept = { ...fresh, values: before?.values ?? [], savedBy: before?.savedBy ?? [] };
  const mapping = withSaver(withValues(kept, said), ports.saver);
  await ports.store.save(mapping);
  const isSaid = ({ countryCode, written }: UnknownInstitution) =>
    said.some((value) => value.country === countryCode && isSameHeader(value.written, written));
  return { mapping, unknown: names.unknown.filter((each) => !isSaid(each)) };
}

export function requireMappingName(name: string): void {
  const fault = mappingNameFault(name);
  if (fault === undefined) return;
  throw new RequestRefused(`“${printable(name)}” cannot name a mapping; expected ${fault}.`);
}

export async function mappingNamed(name: string, store: MappingStore): Promise<Mapping> {
  const all = await store.all();
  const found = all.find((each) => each.name === name);
  if (found !== undefined) return found;
  const near = closest(name, all, (each) => each.name);
  const hint = didYouMean(near.map((each) => `“${each.name}”`));
  const [first] = near;
  throw new RequestRefused(
    `There is no mapping “${printable(name)}”.${hint}`,
    command('mapping', first === undefined ? ['list'] : ['show', first.name]),
  );
}

/** Two mappings of the same headers would contradict each other. */
function earlier(
  { name, open, layout }: SaveRequest,
  { headers }: InstitutionNames,
  all: readonly Mapping[],
): Mapping | undefined {
  const known = recognisedMapping(headers, all);
  if (known !== undefined && known.name !== name) {
    throw new RequestRefused(
      `Files with these columns are known already, as “${known.name}”. Save them under that name, or forget it first`,
      command('mapping', ['save', known.name, plainPath(open.path)], layout),
      undefined,
      command('mapping', ['forget', known.name]),
    );
  }
  const named = all.find((mapping) => mapping.name === name);
  if (named !== undefined && headerFingerprint(named.headers) !== headerFingerprint(headers)) {
    throw new RequestRefused(
      `“${name}” is a mapping of files with other columns: ${named.headers.map(printable).join(', ')}. Choose another name.`,
      command('mapping', ['show', name]),
    );
  }
  return named;
}

/** Which payout a row replaces is our own column, and found by its own name. */
function columnsOf({ headers, columns }: InstitutionNames): ReadonlyMap<Field, string> {
  return new Map(
    [...columns]
      .filter(([field]) => field !== 'replaces')
      .map(([field, index]) => [field, headers[index] ?? ''] as const),
  );
}

async function accepted(
  { values, signal }: SaveRequest,
  names: InstitutionNames,
  ports: SavePorts,
): Promise<readonly AcceptedValue[]> {
  const all: AcceptedValue[] = [];
  for (const value of values) {
    for (const { country, written } of meantBy(value, names)) {
      if (!names.directory.hasInstitutionsOf(country.id))
        await loadInstitutions(names.directory, country.id, ports, signal);
      const { id: institutionId, name: institutionName } = institutionNamed(value, country, names);
      refuseListed(written, country, names);
      const { environment } = ports;
      const code = codeOf(names.directory, country);
      all.push({ environment, country: code, written, institutionId, institutionName });
    }
  }
  return all;
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
  if (found?.kind === 'ambiguous')
    throw new RequestRefused(
      message(
        'country_ambiguous',
      )`${VALUE} is “${printable(flag)}”, and its country ${ambiguityText(found, directory)}`,
    );
  throw new RequestRefused(
    message(
      'written_not_in_file',
    )`${VALUE} is “${printable(flag)}”, but no row of the file has the unknown institution “${printable(written)}”. To remember it anyway, name the country in front: ${input('value', '"KE/NAME=INSTITUTION"')}.`,
  );
}

function institutionNamed({ institution, flag }: WrittenValue, country: Country, names: InstitutionNames) {
  const found = names.directory.findInstitution(country.id, institution);
  if (found.kind === 'found') return found.item;
  const near = found.kind === 'unknown' ? found.suggestions : found.candidates;
  const hint = didYouMean(near.map(institutionText));
  throw new RequestRefused(
    message(
      'institution_unknown',
    )`${VALUE} is “${printable(flag)}”, but ${printable(country.name)} has no institution “${printable(institution)}”.${hint}`,
    command('institutions', [codeOf(names.directory, country)]),
  );
}

/** The list decides what its own names mean. */
function refuseListed(written: string, country: Country, { directory }: InstitutionNames): void {
  const found = directory.findInstitution(country.id, written);
  if (written !== '' && found.kind !== 'found') return;
  throw new RequestRefused(
    written === ''
      ? message('written_missing')`${VALUE} has no written name before the “=”.`
      : `“${printable(written)}” is the name or id of an institution of ${printable(country.name)} itself; it cannot mean another.`,
  );
}
