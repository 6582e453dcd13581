/**
 * Histories of both kinds, in the mixture that every run has: two of three are of an office, one of six has workers.
 */
import { type History, type HistoryKind, type HistoryWorld, runHistory } from './history.ts';
import { runOffice } from './office/office-history.ts';

export interface Played {
  readonly seed: number;
  readonly kind: HistoryKind;
  readonly hasWorkers: boolean;
}

/** What the seed is when many are run. */
export function playedAs(seed: number): Played {
  return { seed, kind: seed % 3 === 0 ? 'wire' : 'office', hasWorkers: Math.floor(seed / 3) % 6 === 0 };
}

export function play(
  { seed, kind, hasWorkers }: Played,
  world: Omit<HistoryWorld, 'hasWorkers'>,
): Promise<History> {
  return (kind === 'office' ? runOffice : runHistory)(seed, { ...world, hasWorkers });
}
