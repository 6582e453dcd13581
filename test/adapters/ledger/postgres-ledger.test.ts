/**
 * The PostgreSQL ledger keeps the promises of the port.
 */
import { openPostgresLedger } from '../../../src/adapters/ledger/postgres/postgres-ledger.ts';
import { timestampOf } from '../../../src/domain/timestamp.ts';
import { ledgerContract } from '../../contracts/ledger-contract.ts';
import { partsContract } from '../../contracts/ledger-parts-contract.ts';
import { aPostgres } from './a-postgres.ts';
import { BINDING } from './ledger-files.ts';

const server = aPostgres();

ledgerContract('PostgreSQL', async () => {
  const clock = { now: () => timestampOf(Date.now()) };
  const place = server.place();
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
});

partsContract('PostgreSQL', async () => {
  let now = Date.now();
  const place = server.place();
  const clock = { now: () => timestampOf(now) };
  const open = () => openPostgresLedger({ place, binding: BINDING, create: true, clock });
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { ledgers: [await open(), await open(), await open()], pass };
});
