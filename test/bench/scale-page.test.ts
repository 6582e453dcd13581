/** The table of the guide is what the simulation finds, and the simulation is near to what was measured. Nothing is timed here. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { rateOf } from './scale-model.ts';
import { comparedPoints, errorText, scaleText } from './scale-page.ts';
import { type Case, type StageUnits, UNITS } from './scale-units.ts';

const GUIDE = readFileSync(new URL('../../src/guide/fleet.md', import.meta.url), 'utf8');
const APART = { cores: 4, isShared: false, networkMs: 0 };

/** Where nothing costs anything but what is named. */
function rateWhere(costs: Partial<StageUnits>, asked: Partial<Case>): number {
  const none = { rowMs: 0, commitMs: 0, serverRowMs: 0, serverCommitMs: 0, requests: 1 };
  const stages = { price: none, send: { ...none, ...costs }, settle: none };
  const units = { ...UNITS, file: stages, server: stages, flushMs: 0, serviceMs: 0 };
  const usual: Case = { on: 'server', stage: 'send', workers: 1, inFlight: 10, latencyMs: 100 };
  return rateOf({ ...usual, ...asked }, units, APART).rate;
}

it('is the table of the guide', () => {
  expect(GUIDE).toContain(`\n${scaleText()}\n`);
  expect(GUIDE.replace(/\s+/g, ' ')).toContain(errorText());
});

it('finds what was measured, half of it within 15 %', () => {
  const errors = comparedPoints().map(({ error }) => Math.abs(error));
  expect(errors.length).toBeGreaterThan(20);
  expect(errors.filter((error) => error <= 0.15).length).toBeGreaterThanOrEqual(errors.length / 2);
});

it('is as fast as the service alone allows, where nothing else costs time', () => {
  expect(rateWhere({}, {})).toBeCloseTo(100, 0);
  expect(rateWhere({}, { workers: 3 })).toBeCloseTo(300, 0);
});

it('is as fast as the busiest part allows, where the service answers at once', () => {
  expect(rateWhere({ rowMs: 2 }, { latencyMs: 0 })).toBeCloseTo(500, -1);
  expect(rateWhere({ rowMs: 2 }, { latencyMs: 0, workers: 4 })).toBeCloseTo(2_000, -2);
  // One connection writes; four cores serve at most four of them.
  expect(rateWhere({ serverRowMs: 2 }, { latencyMs: 0 })).toBeCloseTo(500, -1);
  expect(rateWhere({ serverRowMs: 2 }, { latencyMs: 0, workers: 8 })).toBeCloseTo(2_000, -2);
});
