/** The SQLite ledger keeps the promises of the port in memory too, where every day the use cases work with it. */
import { ledgerContract } from '../../contracts/ledger-contract.ts';
import { openAt } from './ledger-files.ts';

ledgerContract('SQLite in memory', async () => {
  const ledger = await openAt(':memory:');
  return { ledger, reopen: async () => undefined, end: () => ledger.close() };
});
