/** Each sample file has the rows and faults that it promises. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { FIXED_ACCOUNTS } from '../../src/sandbox/accounts.ts';
import { notesOf } from '../../src/use-cases/intake/read-pass.ts';
import { readWhole } from './read-corpus.ts';

const sample = (name: string) =>
  readWhole(fileURLToPath(new URL(`../../samples/${name}`, import.meta.url)), new Map());

it('payroll.xlsx: 24 people with the names that the sandbox has, except one with a longer name', async () => {
  const { rows } = await sample('payroll.xlsx');
  const differing = rows.flatMap((read) => {
    if (read.kind !== 'valid' || read.holds.length > 0) return ['a row that cannot be paid'];
    const { account, name } = read.instruction;
    const holder = FIXED_ACCOUNTS.find((each) => each.account === account.reveal())?.name;
    return holder === name ? [] : [`${name} for ${holder}`];
  });
  expect(rows).toHaveLength(24);
  expect(differing).toEqual(['Kwame Owusu for Kwame Owusu-Ansah']);
});

it('suppliers.csv: twelve rows that can be paid', async () => {
  const { rows } = await sample('suppliers.csv');
  expect(rows.map(({ kind }) => kind)).toEqual(Array.from({ length: 12 }, () => 'valid'));
});

it('every-fault.csv: one good row, and every other row has a fault of its own', async () => {
  const { rows } = await sample('every-fault.csv');
  const sound = rows.filter(
    (read) => read.kind === 'valid' && read.holds.length === 0 && notesOf(read).length === 0,
  );
  expect(sound.map(({ row }) => row.cells.at(-1))).toEqual(['nothing: this row can be paid']);
  const kinds = rows.flatMap((read) =>
    read.kind === 'invalid'
      ? read.issues.map(({ kind }) => kind)
      : [...read.holds.map(({ concern }) => concern.kind), ...notesOf(read)],
  );
  expect(new Set(kinds).size).toBeGreaterThanOrEqual(30);
});
