/** The ledger on PostgreSQL keeps all promises of the port. */
import { ledgerContract } from '../contracts/ledger-contract.ts';
import { partsContract } from '../contracts/ledger-parts-contract.ts';
import { aPostgres } from './a-postgres.ts';
import { ledgerAt, processesAt } from './contract-ledgers.ts';

const server = aPostgres();

ledgerContract('PostgreSQL', () => ledgerAt(server.place()));
partsContract('PostgreSQL', () => processesAt(server.place()));
