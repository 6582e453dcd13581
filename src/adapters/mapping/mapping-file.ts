/**
 * Mappings in one small JSON file of the user's own, written whole beside it and then put in its place.
 *
 * Errors:  MappingsUnusable naming the file and what to do.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Mapping } from '../../domain/mapping.ts';
import { type MappingStore, MappingsUnusable } from '../../ports/mapping-store.ts';
import { mappingsFromJson, mappingsToJson } from './mapping-json.ts';

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
