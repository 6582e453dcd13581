/**
 * Mappings as JSON, and back. Whatever is not as we wrote it is refused: half a mapping would pay wrong accounts.
 *
 * Errors:  TypeError naming what is wrong, for the message of mapping-file.ts.
 */
import { asInstitutionId } from '../../domain/country.ts';
import { type AcceptedValue, type Mapping, mappingNameFault } from '../../domain/mapping.ts';
import { FIELDS, type Field } from '../../domain/row-issue.ts';
import { formatTimestamp, timestampOf } from '../../domain/timestamp.ts';

const VERSION = 1;

export function mappingsToJson(mappings: readonly Mapping[]): unknown {
  return { schemaVersion: VERSION, mappings: mappings.map(mappingToJson) };
}

/** One mapping, also for `payfile mapping show --json`. */
export function mappingToJson({
  name,
  headers,
  columns,
  values,
  savedAt,
}: Mapping): Readonly<Record<string, unknown>> {
  return {
    name,
    savedAt: formatTimestamp(savedAt),
    headers,
    columns: Object.fromEntries(columns),
    values: values.map(({ environment, country, written, institutionId, institutionName }) => ({
      environment,
      field: 'institution',
      country,
      written,
      institution: { id: institutionId, name: institutionName },
    })),
  };
}

export function mappingsFromJson(json: unknown): readonly Mapping[] {
  const { schemaVersion, mappings } = record(json, 'the file');
  if (schemaVersion !== VERSION) throw new TypeError(`version ${String(schemaVersion)} is not known here`);
  const all = list(mappings, 'mappings').map(mappingFromJson);
  if (new Set(all.map(({ name }) => name)).size !== all.length)
    throw new TypeError('two mappings share a name');
  return all;
}

function mappingFromJson(json: unknown): Mapping {
  const { name, headers, columns, values, savedAt } = record(json, 'a mapping');
  const known = text(name, 'name');
  if (mappingNameFault(known) !== undefined) throw new TypeError('a name that cannot be one');
  const at = Date.parse(text(savedAt, 'savedAt'));
  if (Number.isNaN(at)) throw new TypeError(`savedAt of “${known}” is no time`);
  return {
    name: known,
    headers: list(headers, 'headers').map((header) => text(header, 'headers')),
    columns: columnsFromJson(columns),
    values: list(values, 'values').map(valueFromJson),
    savedAt: timestampOf(at),
  };
}

function columnsFromJson(json: unknown): ReadonlyMap<Field, string> {
  return new Map(
    Object.entries(record(json, 'columns')).map(([written, header]) => {
      const field = FIELDS.find((each) => each === written);
      if (field === undefined) throw new TypeError(`there is no field “${written}”`);
      return [field, text(header, `the column of ${field}`)] as const;
    }),
  );
}

function valueFromJson(json: unknown): AcceptedValue {
  const { environment, field, country, written, institution } = record(json, 'a value');
  if (environment !== 'live' && environment !== 'sandbox')
    throw new TypeError('a value is neither live nor of the sandbox');
  if (field !== 'institution') throw new TypeError('a value of a field that has none');
  const { id, name } = record(institution, 'an institution');
  return {
    environment,
    country: text(country, 'country'),
    written: text(written, 'written'),
    institutionId: asInstitutionId(text(id, 'the id of an institution')),
    institutionName: text(name, 'the name of an institution'),
  };
}

function record(json: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new TypeError(`${what} is no object`);
  return json as Readonly<Record<string, unknown>>;
}

function list(json: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(json)) throw new TypeError(`${what} is no list`);
  return json;
}

function text(json: unknown, what: string): string {
  if (typeof json !== 'string' || json === '') throw new TypeError(`${what} is no text`);
  return json;
}
