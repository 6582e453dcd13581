/**
 * Rounds of a fleet, drawn from a seed: what happens to workers, to whoever asks, to the server and to the way there. The
 * same seed draws the same rounds.
 */
import type { Random } from '../builders/random.ts';
import type { Blow, Label, When } from '../kill/plan.ts';

/** When: so many rows of the batch executed, so many milliseconds after it was asked for, or when somebody leads. */
export type Moment =
  | { readonly kind: 'rows'; readonly rows: number }
  | { readonly kind: 'ms'; readonly ms: number }
  | { readonly kind: 'led' };

export type Fault =
  | { readonly kind: 'kill' | 'end'; readonly workers: readonly number[]; readonly at: Moment }
  | { readonly kind: 'kill_leader'; readonly at: Moment }
  | { readonly kind: 'stop'; readonly workers: readonly number[]; readonly at: Moment; readonly ms: number }
  | { readonly kind: 'kill_asker' | 'end_asker'; readonly at: Moment }
  | { readonly kind: 'kill_server'; readonly at: Moment; readonly ms: number }
  | { readonly kind: 'cut_commit'; readonly at: Moment }
  | { readonly kind: 'partition'; readonly at: Moment; readonly ms: number };

export interface FleetRound {
  readonly rows: number;
  readonly faults: readonly Fault[];
  /** A worker that is started anew, with this. */
  readonly blow: { readonly worker: number; readonly blow: Blow } | undefined;
  /** Workers that are gone are started again while the batch is under way. */
  readonly isRestarted: boolean;
}

/** workers: killed and stopped. server: killed, and started again. network: cut and partitioned. */
export type Kind = 'workers' | 'server' | 'network';

const PLACES: readonly (readonly [Label, When])[] = [
  ['HAND_OUT', 'before'],
  ['HAND_OUT', 'after'],
  ['J2', 'after'],
  ['J3', 'after'],
  ['J4', 'before'],
  ['J4', 'after'],
  ['WRITE', 'before'],
  ['WRITE', 'within'],
  ['WRITE', 'after'],
  ['RESPONSE', 'before'],
  ['RESPONSE', 'after'],
  ['J5', 'before'],
  ['J5', 'after'],
  ['J6', 'before'],
  ['J6', 'after'],
  ['RECOVER', 'before'],
  ['RECOVER', 'after'],
];
const ONCE: readonly Label[] = ['HAND_OUT', 'RECOVER'];

export function drawFleetRound(random: Random, kind: Kind, workers: number): FleetRound {
  const rows = random.between(40, 80);
  const base = { rows, blow: undefined, isRestarted: random.chance(0.7) };
  if (kind === 'server') return { ...base, isRestarted: true, faults: [serverFault(random, rows)] };
  if (kind === 'network') return { ...base, faults: [networkFault(random, rows)] };
  if (random.chance(0.3)) return { ...base, ...blown(random, rows, workers) };
  const faults = [workerFault(random, rows, workers)];
  if (random.chance(0.2)) faults.push(workerFault(random, rows, workers));
  // Whoever asks goes on by itself when nobody is there for half a minute: rare, because it takes so long.
  return { ...base, faults, isRestarted: base.isRestarted || random.chance(0.7) };
}

function momentOf(random: Random, rows: number): Moment {
  const at = random.next();
  if (at < 0.1) return { kind: 'ms', ms: random.between(300, 3_000) };
  if (at < 0.2) return { kind: 'led' };
  return { kind: 'rows', rows: random.between(1, Math.floor(rows * 0.9)) };
}

function workerFault(random: Random, rows: number, workers: number): Fault {
  const at = momentOf(random, rows);
  const one = random.below(workers);
  const two = [one, (one + 1 + random.below(workers - 1)) % workers];
  const kind = random.next();
  if (kind < 0.3) return { kind: 'kill', workers: [one], at };
  if (kind < 0.38) return { kind: 'kill', workers: two, at };
  if (kind < 0.5) return { kind: 'kill_leader', at };
  if (kind < 0.6) return { kind: 'kill_asker', at };
  if (kind < 0.65) return { kind: 'end_asker', at };
  if (kind < 0.75) return { kind: 'end', workers: [one], at };
  const stopped = random.chance(0.25) ? two : [one];
  return { kind: 'stop', workers: stopped, at, ms: stopMs(random) };
}

function stopMs(random: Random): number {
  const length = random.next();
  if (length < 0.7) return random.between(1_000, 3_000);
  return length < 0.95 ? random.between(12_000, 17_000) : random.between(20_000, 30_000);
}

function blown(random: Random, rows: number, workers: number): Pick<FleetRound, 'blow' | 'faults'> {
  const [label, when] = random.pick(PLACES);
  const nth = ONCE.includes(label) ? 1 : random.between(1, Math.max(1, Math.floor(rows / workers / 2)));
  const worker = random.below(workers);
  // Something to recover is left by another one.
  const faults: readonly Fault[] =
    label === 'RECOVER'
      ? [
          {
            kind: 'kill',
            workers: [(worker + 1) % workers],
            at: { kind: 'rows', rows: random.between(5, 30) },
          },
        ]
      : [];
  return { blow: { worker, blow: { kind: 'boundary', label, when, nth } }, faults };
}

function serverFault(random: Random, rows: number): Fault {
  const length = random.next();
  const ms = length < 0.7 ? random.between(500, 4_000) : random.between(4_000, 20_000);
  return { kind: 'kill_server', at: momentOf(random, rows), ms };
}

function networkFault(random: Random, rows: number): Fault {
  const at: Moment = { kind: 'rows', rows: random.between(1, Math.floor(rows * 0.6)) };
  return random.chance(0.4)
    ? { kind: 'cut_commit', at }
    : { kind: 'partition', at, ms: random.between(12_000, 20_000) };
}
