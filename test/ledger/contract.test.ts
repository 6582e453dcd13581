/** The ledger in a file keeps all promises of the port. */
import { ledgerContract } from '../contracts/ledger-contract.ts';
import { partsContract } from '../contracts/ledger-parts-contract.ts';
import { ledgerAt, newFile, processesAt } from './contract-ledgers.ts';

ledgerContract('SQLite in a file', () => ledgerAt(newFile()));
partsContract('SQLite', () => processesAt(newFile()));
