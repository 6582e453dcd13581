/** What a statement need not show is no difference: payments in another currency, and later ones. */
import { expect, it } from 'vitest';
import { compareByCurrency } from '../../src/domain/statement/comparison.ts';
import { amountLines, statementNotes, sumLines } from '../../src/domain/statement/finding-words.ts';
import { openRows } from '../../src/files/payout-file.ts';
import { reconcileBatches } from '../../src/use-cases/reconcile/reconcile-batches.ts';
import { reconcileEnd } from '../../src/use-cases/reconcile/reconcile-end.ts';
import { type Booking, mt940 } from '../builders/bank-files.ts';
import { around, type Line, reconcileWith, sentBatch, told } from '../builders/statement-file.ts';
import { withFile } from '../files/read-file.ts';

const DAY = 24 * 3_600_000;
type Sent = Awaited<ReturnType<typeof sentBatch>>;

async function exitCodeOf(
  { place, batch }: Sent,
  reconciled: Parameters<typeof reconcileEnd>[0]['reconciled'],
) {
  const batches = [{ batch: await place.batch(batch) }];
  return reconcileEnd({ batches, reconciled, accepted: [], accept: undefined }).exitCode;
}

it('says which payments need the statement of another account, without an alarm', async () => {
  const sent = await sentBatch(['accept', 'lose_before']);
  const lines = around(sent.at, []).map((line) => ({ ...line, Currency: 'EUR' }));
  const found = await reconcileWith(sent.place, sent.batch, lines);
  expect(found.findings).toMatchObject([
    { kind: 'other_currency', text: 'the statement is in EUR' },
    { kind: 'still_in_doubt', text: 'not in the statement, which proves nothing: it is in EUR' },
  ]);
  expect(statementNotes(found)).toContain(
    'The statement is in EUR. 1 payment needs the statement of another account.',
  );
  expect(compareByCurrency(found.findings)).toEqual([]);
  expect(await exitCodeOf(sent, { findings: found.findings.slice(0, 1), keptIncidents: [] })).toBe(0);
});

it('keeps payments after the statement’s last day apart from what nothing explains', async () => {
  const sent = await sentBatch(['accept', 'accept'], { daysLater: 6 });
  const [first = {}] = sent.lines;
  // 1,200.00 becomes 1,190.00, and the second payment has no line by the day after.
  const until = (days: number) => new Date(sent.at + days * DAY).toISOString().slice(0, 10);
  const [before = {}] = around(sent.at, []);
  const lines = [before, { ...first, Amount: '1190.00' }, { ...before, Date: until(1) }];
  const found = await reconcileWith(sent.place, sent.batch, lines);
  expect(told(found.findings)).toEqual(['differs 2', 'not_yet 3']);
  const [compared] = compareByCurrency(found.findings);
  expect(compared).toMatchObject({ open: -1_000n, later: -120_000n, difference: -121_000n });
  expect(compared && amountLines(compared).map(({ why }) => why)).toEqual([
    'not explained',
    'after the statement',
    'not explained: GHS -10.00; after the statement or on its way: GHS -1,200.00',
  ]);
});

it('counts a row with a balance alone as no line of a payment', async () => {
  const sent = await sentBatch(['accept']);
  const [first = {}, ...others] = around(sent.at, sent.lines);
  const opening: Line = { ...first, Amount: '', Narration: 'OPENING BALANCE', Balance: '100.00' };
  const found = await reconcileWith(sent.place, sent.batch, [opening, first, ...others]);
  expect(found.lines).toMatchObject({ foreign: 2, onlyBalance: 1 });
  const { parts } = sumLines(found);
  expect(parts.map(({ what, lines: count }) => `${what} ${count}`)).toEqual([
    'Matched 1',
    'No payment of ours 2',
    'Only a balance 1',
  ]);
  expect(found.otherSums).toEqual([{ what: 'charges', currency: 'GHS', lines: 2, sum: '10.00' }]);
});

it('covers the time from the day after the opening balance on, and not that day', async () => {
  const { place, batch, at } = await sentBatch(['lose_before'], { daysLater: 8 });
  const day = (days: number) => new Date(at + days * DAY).toISOString().slice(0, 10);
  const kindOf = async (opened: number) => {
    const bookings: readonly Booking[] = [{ amount: '-1.00', text: 'coffee', date: day(6) }];
    const bytes = mt940([{ opening: '5.00', closing: '4.00', bookings, from: day(opened), until: day(7) }]);
    const found = await withFile(bytes, async (path) => {
      const options = { open: { path }, fileName: 'bank', map: new Map(), dateOrder: undefined };
      return reconcileBatches([await place.batch(batch)], { openRows, options }, place.world);
    });
    return found.findings[0]?.kind;
  };
  expect(await kindOf(-3)).toBe('propose_not_paid');
  expect(await kindOf(0)).toBe('still_in_doubt');
});
