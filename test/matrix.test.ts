/** Every fault that has to be survived has a test that carries its number, and no test carries another. */
import { expect, it } from 'vitest';
import { readMatrix, taggedIn } from './matrix.ts';

it('finds a test for every fault of the matrix, and no number that no fault has', () => {
  const { withoutTest, strays } = readMatrix();
  expect({ withoutTest, strays }).toEqual({ withoutTest: [], strays: [] });
});

it('tells a fault without a test, and a number that there is not', () => {
  // Put together here, so that this file carries no number itself.
  const title = ['N1', 'L31'].map((id) => `[${id}]`).join('');
  const { withoutTest, strays } = readMatrix(taggedIn('a.test.ts', `it('${title} is …');`));
  expect(withoutTest).not.toContain('N1');
  expect(withoutTest).toContain('N2');
  expect(strays).toMatchObject([{ faults: ['N1', 'L31'] }]);
});
