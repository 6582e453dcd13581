/**
 * Setting up a machine: creates the ledger, and checks everything that payfile needs.
 */
import { existsSync } from 'node:fs';
import type { Ledger } from '../ports/ledger/ledger.ts';
import type { Check } from '../setup/machine-checks.ts';
import { type DoctorOptions, examine } from './doctor.ts';
import type { Door } from './door.ts';

export interface MachineMethods {
  /** Creates the ledger of the configured service when there is none. */
  init(): Promise<{ readonly identity: Ledger['identity']; readonly isNew: boolean }>;
  /** What is wrong, and how to mend it. Moves no money and changes nothing. */
  doctor(options?: DoctorOptions): Promise<readonly Check[]>;
}

export function machineMethods(door: Door): MachineMethods {
  return {
    async init() {
      door.requireService();
      const isNew = !existsSync(door.settings.ledgerPath);
      const { identity } = await door.ledger({ create: true });
      return { identity, isNew };
    },
    doctor: (options = {}) => examine(door, options),
  };
}
