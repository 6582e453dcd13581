/** The file of kept readings: whole or not at all, for its owner only, and never half understood. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Reading } from '../../src/domain/reading/reading.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { createReadingFile } from '../../src/files/reading-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-readings-'));
  path = join(folder, 'payfile', 'readings.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

const SAID = { by: 'ada', at: 1 };
const BY = { by: 'ada', at: timestampOf(Date.UTC(2026, 4, 27)) };

const ACME: Reading = {
  name: 'acme',
  headers: ['Who', 'House', 'Nº'],
  answers: [
    { kind: 'map', field: 'name', headers: ['Who'], ...BY },
    { kind: 'set', field: 'country', text: 'GH', ...BY },
    { kind: 'value', field: 'institution', country: 'GH', written: 'GCB "old"', means: 'GCB Bank', ...BY },
    { kind: 'leave_out', header: 'Nº', words: ['Paid'], by: 'eve', cameWith: 'key-1', at: timestampOf(5) },
    { kind: 'skip_zero', ...BY },
  ],
};

function write(text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

describe('kept readings', () => {
  it('come back as they were, sorted by name, and the newer takes the place of the older', async () => {
    const store = createReadingFile(path);
    expect(await store.all()).toEqual([]);
    await store.save({ ...ACME, name: 'zeta' });
    await store.save({ ...ACME, answers: [] });
    await store.save(ACME);
    expect(await createReadingFile(path).all()).toEqual([ACME, { ...ACME, name: 'zeta' }]);
  });

  it('are for their owner only, and nothing else is left in the folder', async () => {
    await createReadingFile(path).save(ACME);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(path))).toEqual(['readings.json']);
  });

  it('are forgotten by name, and only those', async () => {
    const store = createReadingFile(path);
    await store.save(ACME);
    expect(await store.forget('acmee')).toBe(false);
    expect(await store.forget('acme')).toBe(true);
    expect(await store.all()).toEqual([]);
  });

  it.each([
    ['no JSON', '{"schemaVersion":1', /cannot be understood/],
    ['a newer version', '{"schemaVersion":2,"readings":[]}', /schemaVersion/],
    ['a list', '[]', /expected object/],
    [
      'an unknown field',
      fileWith([{ kind: 'map', field: 'account_number', headers: ['A'], ...SAID }]),
      /answers/,
    ],
    [
      'a header that is no text',
      fileWith([{ kind: 'map', field: 'account', headers: [7], ...SAID }]),
      /answers/,
    ],
    ['an answer that nobody gave', fileWith([{ kind: 'skip_zero' }]), /answers/],
    ['a name twice', twice(), /one reading of each name/],
  ])('are refused as a whole when the file has %s, saying what to do', async (_, text, expected) => {
    write(text);
    const reading = createReadingFile(path).all();
    await expect(reading).rejects.toMatchObject({ code: 'readings_unusable' });
    await expect(reading).rejects.toThrow(expected);
    await expect(reading).rejects.toThrow(/Mend it, or move it away/);
  });

  it('of a damaged file are not overwritten by a new one', async () => {
    write('{');
    await expect(createReadingFile(path).save(ACME)).rejects.toMatchObject({ code: 'readings_unusable' });
    expect(readFileSync(path, 'utf8')).toBe('{');
  });
});

function fileWith(answers: readonly object[]): string {
  return JSON.stringify({ schemaVersion: 1, readings: [{ name: 'a', headers: ['A'], answers }] });
}

function twice(): string {
  const one = { name: 'a', headers: ['A'], answers: [] };
  return JSON.stringify({ schemaVersion: 1, readings: [one, one] });
}
