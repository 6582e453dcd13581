/** Places of outputs. */
import type { Door } from './door.ts';

export interface MachineMethods {
  /**
   * Finds two outputs that would be written to one file: the second would replace the first. Undefined: there are none.
   *
   * @example
   * const same = await payfile.sameOutputs({ paths: ['may.xlsx', './may.xlsx'] });
   * console.log(same);
   */
  sameOutputs(outputs: NamedOutputs): Promise<readonly [string, string] | undefined>;
}

/** Files that one call writes. */
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
