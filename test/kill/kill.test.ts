/**
 * kill -9 at a named boundary, then the same command again. The report has every row once, in one named state. The
 * service's own book has no row twice. Every day it kills around the intent, the bytes and the outcome of a transfer.
 * SOAK=1 kills on both sides of every boundary. soak.ts has more kills.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandPath } from '../builders/command.ts';
import { type Compiled, compile } from './compiled.ts';
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

type Round = readonly [number: number, title: string, blows: readonly Blow[]];
const ROUNDS: readonly Round[] = [
  [
    1,
    '[L1] while the ledger is made and the file imported',
    [at('CREATE', 'before'), at('CREATE', 'after'), at('J0', 'before'), at('J0', 'after')],
  ],
  [
    2,
    '[L2][L3] while names and fees are asked',
    [at('J2', 'before'), at('J2', 'after'), at('J1', 'before'), at('J1', 'after')],
  ],
  [
    3,
    '[L4][L5] at the approval and at the intent',
    [at('J3', 'after'), at('J3', 'before'), at('J4', 'before', 2), at('J4', 'after', 2)],
  ],
  [
    4,
    '[L6] before, within and after the bytes of a transfer',
    [at('WRITE', 'before'), at('WRITE', 'within'), at('WRITE', 'after', 2)],
  ],
  [
    5,
    '[L7][L8] at the answer and at its outcome',
    [at('RESPONSE', 'before'), at('RESPONSE', 'after'), at('J5', 'before'), at('J5', 'after', 2)],
  ],
  [6, '[L9] while transfers end', [at('J6', 'after'), at('J6', 'before')]],
  [
    7,
    '[L10] at the report and at the remembered head',
    [
      at('J8_SYNC', 'before'),
      at('J8_SYNC', 'after'),
      at('J8', 'after'),
      at('J8', 'before'),
      at('J9', 'before', 2),
      at('J9', 'after'),
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
];
/** The boundaries where a transfer is sent and where its outcome is written. */
const EVERY_DAY = [4, 5];

describe('a row is paid at most once and stands once in the report after kill -9', () => {
  it.each(ROUNDS.filter(([number]) => IS_SOAK || EVERY_DAY.includes(number)))(
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
