/**
 * What is done for this machine: its ledger is made.
 */
import { existsSync } from 'node:fs';
import type { Ledger } from '../ports/ledger/ledger.ts';
import type { Door } from './door.ts';

export interface MachineMethods {
  /** Makes the ledger of the configured service, where there is none. */
  init(): Promise<{ readonly identity: Ledger['identity']; readonly isNew: boolean }>;
}

export function machineMethods(door: Door): MachineMethods {
  return {
    async init() {
      door.requireService();
      const isNew = !existsSync(door.settings.ledgerPath);
      const { identity } = await door.ledger({ create: true });
      return { identity, isNew };
    },
  };
}
