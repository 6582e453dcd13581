/**
 * The ledger on PostgreSQL keeps the promises of the port: each statement runs here at least once, with each kind of value
 * that it gets, and so does what many ask at once. contract-on-server.soak.test.ts runs the whole contract.
 */
import { ledgerContract } from '../contracts/ledger-contract.ts';
import { partsContract } from '../contracts/ledger-parts-contract.ts';
import { aPostgres } from './a-postgres.ts';
import { ledgerAt, processesAt } from './contract-ledgers.ts';

const server = aPostgres();

const STATEMENTS = [
  'keeps every row of a file as it was written, in file order',
  'finds a batch by id, by name and by a unique prefix, and never guesses',
  'tells a batch that is called exactly so from one that a person takes for it',
  'finds batches by the bytes of any of their files, where they pay something',
  'refuses values that it could not read again, and keeps nothing of them',
  'keeps remarks about a batch apart by kind',
  'remembers a name let go once, for exactly this account and these two names',
  'counts and sums what a batch holds, beyond what 64 bits hold',
  'gives pages in file order with a cursor that goes on where the last page ended',
  'gives only what is due, and an accepted payout without a schedule at once',
  'finds payouts by row number and by reference, in the current file only',
  'says nothing is there for ids that it never gave out',
  'knows the oldest quote of the payouts in a status',
  'moves a payout with its event, and tells its whole story',
  'lets exactly one of two movers of the same payout win',
  'answers many moves one by one, in order',
  'gives a transfer id to one payout only, and says which one has it',
  'gives a tag to one payout only',
  'goes on with the others when one of many waiting moves is refused',
  '[B9][L21] lets one runner have a batch, names it to the next, and lets go',
  'lets a repeat go that a person saw, and no repeat of any other payment',
  'refuses the intent when a payment that a person saw is in doubt by now',
  '[F22] names the unsent rows above a row of the same file that may be the same, the nearest first',
  'approves equal rows of one file one by one: each repeats those that were approved before it',
  'sends the row that the ledger has, and not what somebody read before',
  'sends nothing of a row %s',
  'names the batches that a new file repeats, most rows first',
  'puts a replacement in the place of a failed payment',
  'moves a payout only as it stood at an entry of the journal, where that is asked',
  'tells all payments of a row over all batches, and which of them turned out paid',
  'names the payouts of a batch that began to be sent after an entry, the first one first',
  'keeps tickets and passkeys in its own journal, oldest first, also when it is opened again',
  'keeps what a passkey signed beside the approval, of each approval',
  'begins no revision with a row that pays a row of the batch again beside it, also without a comparison',
  'keeps unchanged rows with all they went through, whatever their new place',
  'verifies a batch with the newer files that brought its rows',
  'keeps each of equal rows with its own cells, whatever comes before it and whichever was paid',
  'cancels rows that the new file leaves out, and names every row from approved onward that it changes',
  'holds a payment that takes the place of a hidden row, whatever was released before',
  'finds a payout by its tag, before and after it was replaced',
  '[E12] gives what ended and was replaced when it is due, in its own batch, and no other',
  'marks a row that takes too long and was never asked about, and the other rows not',
  'marks a row that takes too long, and keeps what the last look showed and when the next one is due',
  'marks no row as late that has a reason already, or is not on its way any more',
  'knows of a family that its incident came back after it was noted, and lets it be paid again',
  'gives every row of the file once, page by page, of all statuses or some',
  'finds rows by number, by reference and by the beginnings of words of a name, accents or not',
  'finds what nobody would look at by its status: called failed once, or paid otherwise than asked',
  'leads from an incident to the row of the file, also where another payment took its place',
  'gives the batches a page at a time, without what is still being read',
  'tells decisions the newest first, page by page, and loses none between two pages',
  'says who works on a batch, and that nobody does',
  'knows whether a payment of the batch moved since an entry of the journal, whatever was noted',
  'finds the waiting payments that pay another again',
  'gives back after reopening what it held before',
  '[L22] sends exactly one of two equal payments that two batches begin at the same moment',
];

const PARTS = [
  'gives a part to one process, names it to the next, and lets go',
  'shows of a part exactly its payouts, and all parts together are all of them',
  'lets nobody begin a row of a work that was stopped, nor take a part of it',
  'lets another process take a part over only when its holder was silent long enough',
  'lets another process take the whole over only when nobody is at work on a part',
  'lets the holder of a part begin payouts of that part alone',
];

ledgerContract('PostgreSQL', () => ledgerAt(server.place()), STATEMENTS);
partsContract('PostgreSQL', () => processesAt(server.place()), PARTS);
