/** Places of outputs. */
import type { Door } from './door.ts';

export interface MachineMethods {
  /** Of two outputs with one place the second would replace the first; undefined: each has its own. */
  sameOutputs(outputs: NamedOutputs): Promise<readonly [string, string] | undefined>;
}

export interface NamedOutputs {
  readonly paths: readonly string[];
  /** Before that of the settings. */
  readonly metricsFile?: string | undefined;
}

export function machineMethods(door: Door): MachineMethods {
  return {
    sameOutputs({ paths, metricsFile = door.settings.metricsFile }) {
      return door.parts.outputs.same(metricsFile === undefined ? paths : [...paths, metricsFile]);
    },
  };
}
