/** Ledgers on PostgreSQL for the contracts. */
import type { ServerPlace } from '../../../src/adapters/ledger/postgres/pg-client.ts';
import { openPostgresLedger } from '../../../src/adapters/ledger/postgres/postgres-ledger.ts';
import { timestampOf } from '../../../src/domain/timestamp.ts';
import type { LedgerUnderTest } from '../../contracts/ledger-contract.ts';
import type { ProcessesUnderTest } from '../../contracts/ledger-parts-contract.ts';
import { BINDING } from './ledger-files.ts';

export async function ledgerAt(place: ServerPlace): Promise<LedgerUnderTest> {
  const clock = { now: () => timestampOf(Date.now()) };
  const open = () => openPostgresLedger({ place, binding: BINDING, create: true, clock });
  let ledger = await open();
  return {
    get ledger() {
      return ledger;
    },
    async reopen() {
      await ledger.close();
      ledger = await open();
      return ledger;
    },
    end: () => ledger.close(),
  };
}

/** Three processes with one clock. */
export async function processesAt(place: ServerPlace): Promise<ProcessesUnderTest> {
  let now = Date.now();
  const clock = { now: () => timestampOf(now) };
  const open = () => openPostgresLedger({ place, binding: BINDING, create: true, clock });
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { ledgers: [await open(), await open(), await open()], pass };
}
