/** What is saved of a bank's statements is read back as it was, or refused whole. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createBankReadings } from '../../src/files/reading-file.ts';

function aFile() {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'deep', 'banks.json');
  return { path, banks: createBankReadings(path) };
}

it('keeps each bank by its name', async () => {
  const { path, banks } = aFile();
  expect(await banks.find('Zenith')).toBeUndefined();
  const zenith = { columns: { debit: 'Sent', date: 'When' }, dateOrder: 'day', headerRow: 3 } as const;
  await banks.save('Zenith', zenith);
  await banks.save('GTB', { columns: {}, payments: 'minus' });
  expect(await createBankReadings(path).find('Zenith')).toEqual(zenith);
  expect(await banks.find('GTB')).toEqual({ columns: {}, payments: 'minus' });
  expect(await banks.find('toString')).toBeUndefined();
});

it.each([
  ['no JSON', '{'],
  ['another version', '{"schemaVersion":2,"banks":{}}'],
  ['a column that is not known', '{"schemaVersion":1,"banks":{"A":{"columns":{"sum":"X"}}}}'],
  ['a word that is not known', '{"schemaVersion":1,"banks":{"A":{"columns":{},"payments":"both"}}}'],
  ['another choice', '{"schemaVersion":1,"banks":{"A":{"columns":{},"path":"/etc"}}}'],
])('refuses %s, and leaves the file as it is', async (_, text) => {
  const { path, banks } = aFile();
  await banks.save('A', { columns: {} });
  writeFileSync(path, text);
  await expect(banks.find('A')).rejects.toThrow(/cannot be understood\. Mend the file, or move it away/);
  await expect(banks.save('B', { columns: {} })).rejects.toThrow(/cannot be understood/);
  expect(readFileSync(path, 'utf8')).toBe(text);
});
