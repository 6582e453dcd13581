/**
 * The new ledger keeps what every ledger promises of payments over many batches, and of reports. Goes when the whole contract
 * runs on it.
 */
import { beforeEach } from 'vitest';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import { choosing } from '../contracts/chosen-tests.ts';
import { agreedContract } from '../contracts/ledger-agreed-contract.ts';
import { decisionsContract } from '../contracts/ledger-decisions-contract.ts';
import { moneyContract } from '../contracts/ledger-money-contract.ts';
import { pagesContract } from '../contracts/ledger-pages-contract.ts';
import { watchContract } from '../contracts/ledger-watch-contract.ts';
import { onBoth } from './both-databases.ts';

onBoth((place) => {
  let ledger: Ledger;
  beforeEach(async () => {
    const { ledger: own } = await (await place()).open();
    ledger = {
      ...own,
      sums: (id) => own.totals(id),
      recordAll: (moves) => Promise.all(moves.map((move) => own.record(move))),
      verify: async () => ({ problems: [] }) as unknown as Awaited<ReturnType<Ledger['verify']>>,
    };
  });
  moneyContract(() => ledger);
  agreedContract(() => ledger);
  decisionsContract(() => ledger);
  // All but the one about leases, which are another room.
  choosing(
    [
      'keeps the sums of a batch as its rows move, are replaced, revised and left out',
      'gives every row of the file once, page by page, of all statuses or some',
      'finds rows by number, by reference and by the beginnings of words of a name, accents or not',
      'finds what nobody would look at by its status: called failed once, or paid otherwise than asked',
      'finds what is stuck, with its last look, and no more once it moved on',
      'tells when the first payment that is still on its way was sent',
      'leads from an incident to the row of the file, also where another payment took its place',
      'tells decisions the newest first, page by page, and loses none between two pages',
      'knows whether a payment of the batch moved since an entry of the journal, whatever was noted',
      'finds the waiting payments that pay another again',
    ],
    () => pagesContract(() => ledger),
  );
  watchContract(() => ledger);
});
