/**
 * Checks everything that payfile needs on this machine.
 */
import type { Check } from '../setup/machine-checks.ts';
import { type DoctorOptions, examine } from './doctor.ts';
import type { Door } from './door.ts';

export interface MachineMethods {
  /** Of two outputs with one place the second would replace the first; undefined: each has its own. */
  sameOutputs(outputs: NamedOutputs): Promise<readonly [string, string] | undefined>;
  /** What is wrong, and how to mend it. Moves no money and changes nothing. */
  doctor(options?: DoctorOptions): Promise<readonly Check[]>;
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
    doctor: (options = {}) => examine(door, options),
  };
}
