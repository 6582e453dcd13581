/** The new ledger moves payouts on both databases: by one statement where that is plain, by the full rule where it is not. */
import { expect, it } from 'vitest';
import { eventsTo, moved, moveOf, row, walkedTo } from '../builders/ledger-batches.ts';
import { onBoth } from './both-databases.ts';
import { batchIn, payoutAt, payoutsIn } from './new-ledgers.ts';

onBoth((place) => {
  it('moves a payout with its event, and tells its whole story', async () => {
    const opened = await (await place()).open();
    const id = await batchIn(opened, [row(1), row(2)]);
    const [start] = await payoutsIn(opened, id);
    if (start === undefined) throw new TypeError('no row');
    const settled = await walkedTo(opened.ledger, start, 'settled');
    expect(await payoutAt(opened, start.id)).toStrictEqual(settled);
    expect((await opened.ledger.journalOf(start.id)).map(({ kind }) => kind)).toEqual([
      ...['imported', 'price', 'approve', 'begin_attempt', 'accept', 'settle'],
    ]);
  });

  it('lets exactly one of many movers of the same payout win', async () => {
    const opened = await (await place()).open();
    const id = await batchIn(opened, [row(1)]);
    const [start] = await payoutsIn(opened, id);
    if (start === undefined) throw new TypeError('no row');
    const approved = await moved(opened.ledger, start, ...eventsTo('approved', start, opened.ledger));
    const begin = eventsTo('sending', start, opened.ledger).at(-1);
    if (begin === undefined) throw new TypeError('no event');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => opened.ledger.record(moveOf(approved, begin))),
    );
    expect(answers.map(({ kind }) => kind).toSorted()).toEqual(['recorded', ...Array(19).fill('stale')]);
  });
});
