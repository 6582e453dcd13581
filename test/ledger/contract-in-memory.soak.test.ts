/** The ledger keeps the promises of the port in memory too, where every day the use cases work with it. */
import { ledgerContract } from '../contracts/ledger-contract.ts';
import { ledgerAt } from './contract-ledgers.ts';

ledgerContract('SQLite in memory', () => ledgerAt(':memory:'));
