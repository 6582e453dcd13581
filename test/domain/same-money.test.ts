/** Rows that look like one payment made twice are named to whoever checks the file; nothing is held for it. */
import { expect, it } from 'vitest';
import { createSameMoneyFinder } from '../../src/domain/rows/repeats-in-file.ts';

const keyOf = (text: string) => Buffer.alloc(16, text);

function notesOf(rows: readonly (readonly [payment: string, reference: string | undefined])[]) {
  const finder = createSameMoneyFinder();
  rows.forEach(([payment, reference], at) => {
    const referenceKey = reference === undefined ? undefined : keyOf(reference);
    finder.look(at + 2, { paymentKey: keyOf(payment), referenceKey });
  });
  return finder.notes();
}

it.each([
  ['two', ['a', 'b', 'a'], ['Rows 2 and 4: same account and amount, other references']],
  ['three', ['a', 'a', 'a'], ['Rows 2, 3 and 4: same account and amount, other references']],
  ['none', ['a', 'b', 'c'], []],
])('names the rows of a group: %s', (_, payments, notes) => {
  expect(notesOf(payments.map((payment, at) => [payment, `r${at}`]))).toEqual(notes);
});

it('leaves rows without a reference to the rule that holds them', () => {
  expect(
    notesOf([
      ['a', undefined],
      ['a', 'r'],
      ['a', undefined],
    ]),
  ).toEqual([]);
});

it('names twenty groups and ten rows of each, and counts the rest', () => {
  const many = Array.from({ length: 25 }, (_, at) => `p${at}`).flatMap(
    (name) => Array(12).fill(name) as string[],
  );
  const notes = notesOf(many.map((payment, at) => [payment, `r${at}`]));
  expect(notes).toHaveLength(21);
  expect(notes[0]).toBe(
    'Rows 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 rows more: same account and amount, other references',
  );
  expect(notes[20]).toBe('55 more rows pay an account and amount of another row');
});
