/** The public names have docstrings, the page of the library is made from them, and their examples are compiled and run. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { createPayfile, PayfileError } from '../../src/index.ts';
import { openOffice } from '../builders/office.ts';
import { EXAMPLES } from '../examples/docstrings.ts';
import { apiPage, EXIT_CODES, examplesProgram } from './api-page.ts';
import { type PublicApi, readApi } from './read-api.ts';

const ROOT = join(import.meta.dirname, '../..');
/** For hosts of ours, and no method. */
const NOT_SHOWN = ['call', 'environment'];

let api: PublicApi;
beforeAll(async () => {
  api = await readApi();
});
const methods = () => api.groups.flatMap((group) => group.methods);

it('has a docstring for every public name, group and method', () => {
  const groups = api.groups.filter(({ name }) => name !== '' && name !== 'others');
  const without = [...api.names, ...groups, ...methods()].filter(({ doc }) => doc.text === '');
  expect(without.map(({ name }) => name)).toEqual([]);
  const inputs = methods().flatMap(({ name, inputs: of }) => of.map((input) => ({ name, input })));
  expect(
    inputs.filter(({ input }) => input.text === '').map(({ name, input }) => `${name} ${input.name}`),
  ).toEqual([]);
});

it('has an example for every method and every function', () => {
  const functions = api.names.filter(({ kind }) => kind === 'function');
  const without = [...methods(), ...functions].filter(
    ({ name, doc }) => doc.example === undefined && !NOT_SHOWN.includes(name),
  );
  expect(without.map(({ name }) => name)).toEqual([]);
});

it('names errors that a program can import, and exit codes that there are', () => {
  const errors = api.names.filter(({ kind }) => kind === 'error').map(({ name }) => name);
  for (const { name, doc, operation } of methods()) {
    expect(
      doc.errors.filter((error) => !errors.includes(error)),
      name,
    ).toEqual([]);
    expect(
      doc.exitCodes.filter((code) => !EXIT_CODES.includes(code)),
      name,
    ).toEqual([]);
    // Without one of its own an operation ends with 0.
    if (operation !== undefined) expect(doc.exitCodes.length > 0, name).toBe(operation.exit !== undefined);
  }
});

it('has one base class for all errors that it documents', async () => {
  const errors = api.names.filter(({ kind, name }) => kind === 'error' && name !== 'PayfileError');
  const library: Readonly<Record<string, unknown>> = await import('../../src/index.ts');
  const bases = errors.map(({ name }) => [
    name,
    (library[name] as typeof Error).prototype instanceof PayfileError,
  ]);
  expect(bases).toEqual(errors.map(({ name }) => [name, true]));
  expect(errors.length).toBeGreaterThan(10);
});

// After a change of a docstring: npx vitest run --config test/vitest.config.ts test/api -u
it('makes the page of the library and the program of the examples from the docstrings', async () => {
  await expect(apiPage(api)).toMatchFileSnapshot(join(ROOT, 'src/guide/api.md'));
  await expect(examplesProgram(api)).toMatchFileSnapshot(join(ROOT, 'test/examples/docstrings.ts'));
});

it('has examples of the ten that pay a batch in the sandbox, one after the other', async () => {
  const office = openOffice();
  cpSync(join(ROOT, 'samples'), office.at('samples'), { recursive: true });
  const said: unknown[] = [];
  const { log } = console;
  const before = process.cwd();
  process.chdir(office.folder);
  const payfile = createPayfile({
    sandbox: true,
    ledger: office.at('ledger.db'),
    actor: 'ada',
    source: 'GB',
  });
  console.log = (...words: unknown[]) => said.push(words);
  try {
    for (const name of [
      'check',
      'plan',
      'approve',
      'send',
      'settle',
      'run',
      'report',
      'status',
      'explain',
      'close',
    ] as const)
      await EXAMPLES[name](payfile);
  } finally {
    console.log = log;
    process.chdir(before);
    await payfile.close();
    office.close();
  }
  expect(said).toContainEqual(['approved', 12]);
  expect(said).toContainEqual(['on_its_way', 12]);
  expect(said).toContainEqual(['already_done', 0, []]);
}, 90_000);
