/**
 * kill -9 at every named boundary, then the same command again: every row ends once in the report, in one named
 * state, and the service's own book has no row twice. SOAK=1 kills on both sides of each boundary; every day it is
 * one side where the other is as good. What more there is to kill is in soak.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandPath } from '../builders/command.ts';
import { randomOf } from '../builders/random.ts';
import { type Compiled, compile } from './compiled.ts';
import { drawRound } from './draw-rounds.ts';
import type { Blow, Label, When } from './plan.ts';
import { playRound } from './round.ts';
import { type Service, startService } from './service.ts';

let compiled: Compiled;
let service: Service;
beforeAll(async () => {
  compiled = compile(commandPath());
  service = await startService();
});
afterAll(() => {
  service?.close();
  compiled?.remove();
});

const at = (label: Label, when: When, nth = 1): Blow => ({ kind: 'boundary', label, when, nth });
const IS_SOAK = process.env['SOAK'] === '1';
/** Of blows that are as good as each other, the last one; in the soak all. */
const oneOf = (...blows: readonly Blow[]) => (IS_SOAK ? blows : blows.slice(-1));
const accounts = (round: number, rows = 10) =>
  Array.from(
    { length: rows },
    (_, row) => `1${String(round).padStart(10, '0')}${String(row).padStart(2, '0')}`,
  );

async function survives(round: number, blows: readonly Blow[]) {
  const result = await playRound({ accounts: accounts(round), concurrency: 3, blows }, compiled, service);
  expect(result.violations).toEqual([]);
  return result;
}

const named = (blows: readonly Blow[]) =>
  blows.flatMap((blow) => (blow.kind === 'boundary' ? [`${blow.label} ${blow.when}`] : []));

describe('a row is paid at most once and stands once in the report after kill -9', () => {
  it.each<[number, string, readonly Blow[]]>([
    [
      1,
      '[L1] while the ledger is made and the file imported',
      [
        ...oneOf(at('CREATE', 'before'), at('CREATE', 'after')),
        ...oneOf(at('J0', 'after'), at('J0', 'before')),
      ],
    ],
    [
      2,
      '[L2][L3] while names and fees are asked',
      [...oneOf(at('J2', 'before'), at('J2', 'after')), ...oneOf(at('J1', 'after'), at('J1', 'before'))],
    ],
    [
      3,
      '[L4][L5] at the approval and at the intent',
      [...oneOf(at('J3', 'after'), at('J3', 'before')), at('J4', 'before', 2), at('J4', 'after', 2)],
    ],
    [
      4,
      '[L6] before, within and after the bytes of a transfer',
      [at('WRITE', 'before'), at('WRITE', 'within'), at('WRITE', 'after', 2)],
    ],
    [
      5,
      '[L7][L8] at the answer and at its outcome',
      [...oneOf(at('RESPONSE', 'before'), at('RESPONSE', 'after')), at('J5', 'before'), at('J5', 'after', 2)],
    ],
    [6, '[L9] while transfers end', oneOf(at('J6', 'after'), at('J6', 'before'))],
    [
      7,
      '[L10] at the report and at the remembered head',
      [
        ...oneOf(at('J8_SYNC', 'before'), at('J8_SYNC', 'after')),
        ...oneOf(at('J8', 'after'), at('J8', 'before')),
        ...oneOf(at('J9', 'before', 2), at('J9', 'after')),
      ],
    ],
    [
      8,
      '[L11] in recovery, again and again',
      [
        at('WRITE', 'after'),
        at('RECOVER', 'before'),
        at('RECOVER', 'before'),
        at('RECOVER', 'after'),
        at('J4', 'after'),
        at('RECOVER', 'after'),
      ],
    ],
    [
      9,
      'while a person rules on a row in doubt',
      [at('WRITE', 'after'), at('WRITE', 'after', 2), at('J7', 'before'), at('J7', 'after')],
    ],
  ])(
    '%i: %s',
    async (round, _title, blows) => {
      const { deaths, doubts } = await survives(round, blows);
      expect(deaths).toEqual(named(blows));
      const onTheWire = blows.filter(
        (blow) => blow.kind === 'boundary' && AFTER_INTENT.test(`${blow.label} ${blow.when}`),
      );
      if (onTheWire.length === 0) expect(doubts).toBe(0);
    },
    120_000,
  );
});

/** A row may have been sent when a process dies there; anywhere else none may be in doubt for it. */
const AFTER_INTENT = /^(J4 after|WRITE|RESPONSE|J5|J6)/;

it('[L14] survives blows at moments that nobody chose, as an out-of-memory kill gives', async () => {
  for (const number of IS_SOAK ? [1, 2] : [1]) {
    const plan = drawRound(randomOf(77 + number), number, 3);
    const result = await playRound(plan, compiled, service);
    expect(result.violations).toEqual([]);
    expect(result.deaths.length).toBeGreaterThan(0);
  }
}, 120_000);
