/**
 * What the lines of the benchmarks share. Works take turns, yardstick and ours in every round, so that a busy moment of the
 * machine meets both.
 */
import { rmSync } from 'node:fs';
import type { Result } from './work-result.ts';

export interface Bench {
  readonly folder: string;
  readonly isSmall: boolean;
  /** Does it in a process of its own. */
  readonly work: (name: string, ...given: (string | number)[]) => Result;
  readonly print: (name: string, ratio: number, target: string, isMet: boolean, detail: string) => void;
}

/** With a sandbox that takes so long for each answer; it gets the service as JSON. */
export type WithService = <Found>(
  latencyMs: number,
  use: (service: string) => Found | Promise<Found>,
) => Promise<Found>;

const ROUNDS = 3;

/** Each work once in every round. */
export async function inTurns<Name extends string>(
  works: Readonly<Record<Name, () => Result | Promise<Result>>>,
): Promise<Record<Name, Result[]>> {
  const names = Object.keys(works) as Name[];
  const found = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Result[]>;
  for (let round = 0; round < ROUNDS; round += 1)
    for (const name of names) found[name].push(await works[name]());
  return found;
}

export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** The path, with no ledger there. */
export function anew(path: string): string {
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
  return path;
}
