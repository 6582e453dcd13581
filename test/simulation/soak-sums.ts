/**
 * What a soak has done so far, in a file: the first seeds of the portions that are finished, and their sum. A soak
 * that was stopped, or whose machine was taken away, goes on from there.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Tally } from './tally.ts';

export interface SoakDone {
  readonly done: readonly number[];
  readonly tally: Tally;
}

export interface SoakSums {
  load(): SoakDone | undefined;
  save(done: SoakDone): void;
}

export function sumsIn(path: string): SoakSums {
  return {
    load: () => (existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as SoakDone) : undefined),
    save: (done) => {
      writeFileSync(`${path}.new`, JSON.stringify(done));
      renameSync(`${path}.new`, path);
    },
  };
}
