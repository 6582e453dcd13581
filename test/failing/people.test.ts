/** n-th failure loops over what people decide: every fault at one moment after another, until a run completes. */
import { expect, it } from 'vitest';
import { INSTRUMENTS, playAll } from './histories.ts';
import { PEOPLE } from './people-scenarios.ts';

let histories = 0;
let struck = 0;

it.each(PEOPLE.map((scenario) => [scenario.name, scenario] as const))(
  'pays no row twice and loses none, whatever fails and whenever: %s',
  async (_, scenario) => {
    const played = await playAll(scenario);
    histories += played.histories;
    struck += played.struck;
    expect(played.complaints.slice(0, 5)).toEqual([]);
  },
  process.env['SOAK'] === '1' ? 600_000 : 60_000,
);

it('has played enough histories for that to mean something', () => {
  console.log(`${PEOPLE.length} scenarios × ${INSTRUMENTS.length} instruments: ${histories} histories`);
  expect(struck).toBeGreaterThan(PEOPLE.length * INSTRUMENTS.length * 1.5);
});
