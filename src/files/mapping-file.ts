/**
 * Mappings in a small JSON file of the user. It is written to a temporary file and renamed, so that it is never half written.
 *
 * Errors:  MappingsUnusable naming the file and what to do.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { asInstitutionId } from '../domain/rows/directory.ts';
import { type AcceptedValue, type Mapping, mappingNameFault, type Saver } from '../domain/rows/mapping.ts';
import { FIELDS, type Field } from '../domain/rows/row.ts';
import { formatTimestamp, timestampOf } from '../domain/timestamp.ts';
import { type MappingStore, MappingsUnusable } from '../ports/row-source.ts';

const LONGEST_FILE = 8 * 1024 * 1024;

export function createMappingFile(path: string): MappingStore {
  const all = async () => {
    const text = await read(path);
    return text === undefined ? [] : understood(text, path);
  };
  return {
    place: path,
    all,
    async save(mapping) {
      const others = (await all()).filter(({ name }) => name !== mapping.name);
      await write(path, [...others, mapping]);
    },
    async forget(name) {
      const before = await all();
      const after = before.filter((mapping) => mapping.name !== name);
      if (after.length === before.length) return false;
      await write(path, after);
      return true;
    },
  };
}

async function read(path: string): Promise<string | undefined> {
  try {
    const text = await readFile(path, 'utf8');
    if (text.length <= LONGEST_FILE) return text;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw unusable(path, `cannot be read (${codeOf(error)})`, error);
  }
  throw unusable(path, 'is larger than any list of mappings', undefined);
}

function understood(text: string, path: string): readonly Mapping[] {
  try {
    return mappingsFromJson(JSON.parse(text));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw unusable(path, `cannot be understood: ${why}`, error);
  }
}

async function write(path: string, mappings: readonly Mapping[]): Promise<void> {
  const sorted = [...mappings].sort((one, other) => (one.name < other.name ? -1 : 1));
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(mappingsToJson(sorted), undefined, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new MappingsUnusable(`The mappings cannot be kept in ${path} (${codeOf(error)}).`, {
      cause: error,
    });
  }
}

function unusable(path: string, why: string, cause: unknown): MappingsUnusable {
  return new MappingsUnusable(
    `The file of saved mappings, ${path}, ${why}. Mend it, or move it away to go on without mappings.`,
    { cause },
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

/**
 * Mappings as JSON, and back. Whatever is not as we wrote it is refused: half a mapping would pay wrong accounts.
 *
 * Errors:  TypeError naming what is wrong, for the message of mapping-file.ts.
 */

const VERSION = 1;

function mappingsToJson(mappings: readonly Mapping[]): unknown {
  return { schemaVersion: VERSION, mappings: mappings.map(mappingToJson) };
}

/** One mapping, also for `payfile mapping show --json`. */
function mappingToJson({
  name,
  headers,
  columns,
  values,
  savedAt,
  savedBy,
}: Mapping): Readonly<Record<string, unknown>> {
  return {
    name,
    savedAt: formatTimestamp(savedAt),
    savedBy,
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

function mappingsFromJson(json: unknown): readonly Mapping[] {
  const { schemaVersion, mappings } = record(json, 'the file');
  if (schemaVersion !== VERSION) throw new TypeError(`version ${String(schemaVersion)} is not known here`);
  const all = list(mappings, 'mappings').map(mappingFromJson);
  if (new Set(all.map(({ name }) => name)).size !== all.length)
    throw new TypeError('two mappings share a name');
  return all;
}

function mappingFromJson(json: unknown): Mapping {
  const { name, headers, columns, values, savedAt, savedBy } = record(json, 'a mapping');
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
    savedBy: list(savedBy, 'savedBy').map(saverFromJson),
  };
}

function saverFromJson(json: unknown): Saver {
  const { by, cameWith } = record(json, 'who saved it');
  const saver = { by: text(by, 'who saved it') };
  return cameWith === undefined ? saver : { ...saver, cameWith: text(cameWith, 'a passkey') };
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
