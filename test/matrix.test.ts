/** Every fault that has to be survived is tied to a test, or says why it is not. */
import { expect, it } from 'vitest';
import { ROWS, taggedTests, tiedRows } from './matrix/matrix.ts';

const tests = taggedTests();

it('has a row for each number, and no test carries a number without a row', () => {
  const counts = { N: 28, H: 17, E: 16, T: 12, L: 39, B: 12, F: 32 };
  const ids = Object.entries(counts).flatMap(([letter, count]) =>
    Array.from({ length: count }, (_, index) => `${letter}${index + 1}`),
  );
  expect(Object.keys(ROWS).sort()).toEqual(ids.sort());
  const unknown = tests.flatMap(({ file, tags }) =>
    tags.filter((tag) => !(tag in ROWS)).map((tag) => `${file}: ${tag}`),
  );
  expect(unknown).toEqual([]);
});

it('ties each row to a test, or says why it is left out', () => {
  const open = tiedRows(tests).filter(
    ({ leftOut, tests: tied }) => leftOut === undefined && tied.length === 0,
  );
  expect(open.map(({ id }) => id)).toEqual([]);
});
