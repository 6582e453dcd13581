/**
 * Places of outputs, and the statement of the sandbox.
 */
import { existsSync } from 'node:fs';
import { bookPathOf } from '../setup/places.ts';
import { RequestRefused } from '../use-cases/request-refused.ts';
import type { Door } from './door.ts';
import { writeSandboxStatement } from './sandbox.ts';

export interface MachineMethods {
  /** Of two outputs with one place the second would replace the first; undefined: each has its own. */
  sameOutputs(outputs: NamedOutputs): Promise<readonly [string, string] | undefined>;
  /** In the sandbox: what it executed, as a statement to be compared (csv). Errors: RequestRefused in any other place. */
  sandboxStatement(path: string): Promise<void>;
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
    async sandboxStatement(path) {
      const { environment, ledgerPath } = door.settings;
      if (environment !== 'sandbox' || !existsSync(bookPathOf(ledgerPath)))
        throw new RequestRefused('There is no book of a sandbox here. A bank gives a statement.');
      await writeSandboxStatement(ledgerPath, path, door.parts.clock.now());
    },
  };
}
