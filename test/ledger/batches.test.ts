/** The new ledger keeps what every ledger promises of batches, their files and the people who sign. Goes when the whole contract runs on it. */
import { beforeEach } from 'vitest';
import { choosing } from '../contracts/chosen-tests.ts';
import { importContract } from '../contracts/ledger-import-contract.ts';
import { peopleContract } from '../contracts/ledger-people-contract.ts';
import { revisionContract } from '../contracts/ledger-revision-contract.ts';
import { onBoth } from './both-databases.ts';
import type { Opened, Place } from './new-ledgers.ts';

onBoth((place) => {
  let at: Place;
  let opened: Opened;
  beforeEach(async () => {
    at = await place();
    opened = await at.open();
  });
  const ledger = () => opened.ledger;
  importContract(ledger);
  peopleContract(ledger, async () => (await at.open()).ledger);
  choosing(
    [
      'begins no revision with a row that pays a row of the batch again beside it, also without a comparison',
      'cancels rows that the new file leaves out, and names every row from approved onward that it changes',
      'keeps a row withdrawn that comes again, and counts it; pays one anew that a newer file left out',
      'matches equal rows one to one, those already paid first',
      '[F24] lets the hold of a hidden row go once the file shows it, and holds one that was hidden since',
      'does not hold a row again that a person let go although it is hidden',
      'does nothing when a revision that was finished is asked for again',
    ],
    () => revisionContract(ledger),
  );
});
