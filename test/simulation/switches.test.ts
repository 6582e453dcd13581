/** Each switch of a rule fits the sources, and there are no two of one name. */
import { expect, it } from 'vitest';
import { applyMutation } from '../mutation/named-mutation.ts';
import { SWITCHES } from './switches.ts';

it.each(SWITCHES)('$id can be switched off', (one) => {
  expect(applyMutation(one).length).toBeGreaterThan(0);
  expect(one.off).toMatch(/^[A-Z].*\.$/);
});

it('has each switch once', () => {
  const ids = SWITCHES.map(({ id }) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});
