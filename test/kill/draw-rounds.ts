/**
 * Rounds drawn from a seed: the same seed draws the same rounds.
 */
import type { Random } from '../builders/random.ts';
import { type Blow, type Label, PLACES } from './plan.ts';
import type { RoundPlan } from './round.ts';
import { FAULTS } from './service.ts';

const BLOWS_MAX = 8;
/** About what one run does to the world with 25 rows; past the end nothing is hit. */
const EVENTS = 300;
const RUN_MS = 900;
const PER_ROW: readonly Label[] = ['J4', 'WRITE', 'RESPONSE', 'J5', 'J6'];

/** `number` makes the accounts of each round its own. */
export function drawRound(random: Random, number: number, killsMax: number): RoundPlan {
  const upTo = (most: number) => random.between(1, most);
  const rows = 9 + upTo(31);
  const faults = random.chance(0.3) ? upTo(3) : 0;
  const accounts = Array.from({ length: rows }, (_, row) =>
    accountOf(number, row, row < faults ? random : undefined),
  );
  const concurrency = upTo(8);
  const blows: Blow[] = [];
  while (blows.length < Math.min(BLOWS_MAX, killsMax) && (blows.length === 0 || random.chance(0.9))) {
    blows.push(...drawBlows(random, rows));
  }
  return { accounts, concurrency, blows };
}

function drawBlows(random: Random, rows: number): Blow[] {
  const upTo = (most: number) => random.between(1, most);
  const kind = random.next();
  if (kind < 0.15) return [{ kind: 'event', nth: upTo(EVENTS) }];
  if (kind < 0.25) return [{ kind: 'time', ms: 40 + upTo(RUN_MS) }];
  const { label, when } = random.pick(PLACES);
  const nth = PER_ROW.includes(label) && random.chance(0.7) ? upTo(Math.ceil(rows / 4)) : 1;
  const blow: Blow = { kind: 'boundary', label, when, nth };
  // There is something to recover or to rule on only after a row was left on the wire.
  if (label !== 'RECOVER' && label !== 'J7') return [blow];
  return [{ kind: 'boundary', label: 'WRITE', when: 'after', nth: 1 }, blow];
}

/** 13 digits; the last two are below 90 unless a fault is drawn. */
function accountOf(round: number, row: number, fault: Random | undefined): string {
  const ending = fault === undefined ? String(row).padStart(2, '0') : fault.pick(Object.values(FAULTS));
  const body = fault === undefined ? round * 10 : round * 10 + 1 + row;
  return `1${String(body).padStart(10, '0')}${ending}`;
}
