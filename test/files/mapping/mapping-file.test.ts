/** The file of saved mappings: whole or not at all, for its owner only, and never half understood. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asInstitutionId } from '../../../src/domain/rows/directory.ts';
import type { Mapping } from '../../../src/domain/rows/mapping.ts';
import { timestampOf } from '../../../src/domain/timestamp.ts';
import { createMappingFile } from '../../../src/files/mapping-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-mappings-'));
  path = join(folder, 'payfile', 'mappings.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

const ACME: Mapping = {
  name: 'acme',
  headers: ['Who', 'House', 'Nº'],
  columns: new Map([
    ['name', 'Who'],
    ['institution', 'House'],
  ]),
  values: [
    {
      environment: 'live',
      country: 'GH',
      written: 'GCB "old"',
      institutionId: asInstitutionId('68'),
      institutionName: 'GCB Bank',
    },
  ],
  savedAt: timestampOf(Date.UTC(2026, 4, 27)),
  savedBy: [{ by: 'ada' }],
};

function write(text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

describe('saved mappings', () => {
  it('come back as they were, sorted by name, and the newer takes the place of the older', async () => {
    const store = createMappingFile(path);
    expect(await store.all()).toEqual([]);
    await store.save({ ...ACME, name: 'zeta' });
    await store.save({ ...ACME, values: [] });
    await store.save(ACME);
    expect(await createMappingFile(path).all()).toEqual([ACME, { ...ACME, name: 'zeta' }]);
  });

  it('are for their owner only, and nothing else is left in the folder', async () => {
    await createMappingFile(path).save(ACME);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(path))).toEqual(['mappings.json']);
  });

  it('are forgotten by name, and only those', async () => {
    const store = createMappingFile(path);
    await store.save(ACME);
    expect(await store.forget('acmee')).toBe(false);
    expect(await store.forget('acme')).toBe(true);
    expect(await store.all()).toEqual([]);
  });

  it.each([
    ['no JSON', '{"schemaVersion":1', /cannot be understood/],
    ['a newer version', '{"schemaVersion":2,"mappings":[]}', /version 2 is not known/],
    ['a list', '[]', /the file is no object/],
    ['an unknown field', fileWith('columns', { account_number: 'A' }), /no field “account_number”/],
    ['a header that is no text', fileWith('columns', { account: 7 }), /column of account is no text/],
    ['a value without a service', fileWith('values', [{ country: 'GH' }]), /neither live nor of the sandbox/],
    ['a name twice', twice(), /two mappings share a name/],
  ])('are refused as a whole when the file has %s, saying what to do', async (_, text, expected) => {
    write(text);
    const reading = createMappingFile(path).all();
    await expect(reading).rejects.toMatchObject({ code: 'mappings_unusable' });
    await expect(reading).rejects.toThrow(expected);
    await expect(reading).rejects.toThrow(/Mend it, or move it away/);
  });

  it('of a damaged file are not overwritten by a new one', async () => {
    write('{');
    await expect(createMappingFile(path).save(ACME)).rejects.toMatchObject({ code: 'mappings_unusable' });
    expect(readFileSync(path, 'utf8')).toBe('{');
  });
});

function one(): Record<string, unknown> {
  return {
    name: 'a',
    headers: ['A'],
    columns: { account: 'A' },
    values: [],
    savedAt: '2026-05-27T00:00:00Z',
    savedBy: [{ by: 'ada' }],
  };
}

function fileWith(key: string, value: unknown): string {
  return JSON.stringify({ schemaVersion: 1, mappings: [{ ...one(), [key]: value }] });
}

function twice(): string {
  return JSON.stringify({ schemaVersion: 1, mappings: [one(), one()] });
}
