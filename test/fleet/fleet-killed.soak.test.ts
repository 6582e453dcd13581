/**
 * Workers that are killed and stopped while they pay: no row twice, none lost, and no more rows in doubt than were in
 * flight. Every day two rounds; some hundreds, drawn, are in soak.ts.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commandPath } from '../builders/command.ts';
import { type Compiled, compile } from '../kill/compiled.ts';
import type { FleetRound } from './draw-faults.ts';
import { judgeSite, playFleetRound } from './round.ts';
import { Site } from './site.ts';

let compiled: Compiled;
let site: Site;
beforeAll(async () => {
  compiled = compile(commandPath());
  site = await Site.open(compiled, { workers: 2, latencyMs: 20 });
});
afterAll(async () => {
  await site?.close({ keep: false });
  compiled?.remove();
});

const ROUND: FleetRound = { rows: 40, faults: [], blow: undefined, isRestarted: true };

it.each<[number, string, Partial<FleetRound>]>([
  [
    1,
    'a worker is stopped for two seconds, and whoever asked is killed',
    {
      faults: [
        { kind: 'stop', workers: [0], at: { kind: 'rows', rows: 10 }, ms: 2_000 },
        { kind: 'kill_asker', at: { kind: 'rows', rows: 15 } },
      ],
    },
  ],
  [
    2,
    'a worker dies between an intent and its bytes',
    { blow: { worker: 1, blow: { kind: 'boundary', label: 'J4', when: 'after', nth: 3 } } },
  ],
])(
  'every row is paid at most once and none is lost: round %i, %s',
  async (number, _what, faults) => {
    const { violations, happened } = await playFleetRound({ ...ROUND, ...faults }, number, site);
    expect(violations).toEqual([]);
    expect(happened).not.toEqual([]);
    expect(judgeSite(site)).toEqual([]);
    expect((await site.office.start(['verify']).ended).code).toBe(0);
  },
  200_000,
);
