/** The new ledger moves payouts on both databases: by one statement where that is plain, by the full rule where it is not. */
import { expect, it } from 'vitest';
import { asTransferId, type BatchId } from '../../src/domain/payouts/instruction.ts';
import type { Payout } from '../../src/domain/payouts/payout.ts';
import { eventsTo, moved, moveOf, released, row, walkedTo } from '../builders/ledger-batches.ts';
import { evidence, NOW } from '../builders/payouts.ts';
import { onBoth } from './both-databases.ts';
import { batchIn, type Opened, payoutAt, payoutsIn } from './new-ledgers.ts';

type Goal = Parameters<typeof eventsTo>[0];

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

  const steps = async (opened: Opened, payouts: readonly Payout[], goal: Goal) =>
    Promise.all(
      payouts.map((payout) => {
        const event = eventsTo(goal, payout, opened.ledger).at(-1);
        if (event === undefined) throw new TypeError(goal);
        return opened.ledger.record(moveOf(payout, event));
      }),
    );
  const walked = async (opened: Opened, payouts: readonly Payout[], goal: Goal) => {
    const found: Payout[] = [];
    for (const payout of payouts) found.push(await walkedTo(opened.ledger, payout, goal));
    return found;
  };

  it('approves one of two equal payments that are approved in one statement', async () => {
    const opened = await (await place()).open();
    const same = { account: '0244000001', reference: undefined };
    const id = await batchIn(opened, [row(1, same), row(2), row(3, same), row(4)]);
    const quoted = await walked(opened, await payoutsIn(opened, id), 'quoted');
    const answers = await steps(opened, quoted, 'approved');
    expect(answers.map(({ kind }) => kind)).toEqual(['recorded', 'recorded', 'objection', 'recorded']);
  });

  it('gives a transfer to one of two that name it in one statement, by either of its names', async () => {
    const opened = await (await place()).open();
    const id = await batchIn(opened, [row(1), row(2), row(3)]);
    const [one, two, three] = await walked(opened, await payoutsIn(opened, id), 'sending');
    if (!one || !two || !three) throw new TypeError('three rows');
    const first = await moved(opened.ledger, one, ...eventsTo('accepted', one, opened.ledger).slice(-1));
    const at = NOW;
    const other = asTransferId('tr-other');
    const answers = await Promise.all([
      opened.ledger.record(
        moveOf(first, { kind: 'progress', serviceStatus: 'x', discrepancies: [], otherId: other, at }),
      ),
      opened.ledger.record(moveOf(two, { kind: 'accept', transferId: other, evidence: evidence(), at })),
      opened.ledger.record(moveOf(three, { kind: 'accept', transferId: other, evidence: evidence(), at })),
    ]);
    expect(answers.map(({ kind }) => kind)).toEqual(['recorded', 'taken', 'taken']);
    expect(answers[1]).toMatchObject({ what: 'transfer_id', by: { payoutId: one.id } });
  });

  it('sends nothing of a row that somebody edited after the approval, whatever of it', async () => {
    const at = await place();
    const opened = await at.open();
    const changes = [
      "account = '0244999999'",
      'minor = minor + 1',
      "note = 'other'",
      "phone = '1'",
      "state = replace(state, 'Ama Mensah', 'Kofi')",
    ];
    const id = await batchIn(
      opened,
      changes.map((_, n) => row(n + 1)),
    );
    const approved = await walked(opened, await payoutsIn(opened, id), 'approved');
    for (const [n, change] of changes.entries())
      await at.exec(`UPDATE payouts SET ${change} WHERE id = ${approved[n]?.id}`);
    const answers = await steps(opened, approved, 'sending');
    for (const answer of answers)
      expect(answer).toMatchObject({ kind: 'objection', objection: { kind: 'order_differs' } });
    // Also who reads it anew is not bound to send it.
    for (const answer of await steps(opened, await payoutsIn(opened, id), 'sending'))
      expect(answer).toMatchObject({ kind: 'objection', objection: { kind: 'order_differs' } });
  });

  it('sends nothing of a row that its journal does not call approved', async () => {
    const at = await place();
    const opened = await at.open();
    const id = await batchIn(opened, [row(1)]);
    const [approved] = await walked(opened, await payoutsIn(opened, id), 'approved');
    if (approved === undefined) throw new TypeError('no row');
    await at.exec(`DELETE FROM journal WHERE kind = 'approve'`);
    const [answer] = await steps(opened, [approved], 'sending');
    expect(answer).toMatchObject({ kind: 'objection', objection: { kind: 'not_approved' } });
  });

  it('begins under the lease that this process has, and under no other', async () => {
    const at = await place();
    let token: string | null | 'lost' = 'mine';
    const holding = {
      tokenFor: () => token,
      mayBegin: async () => false,
    };
    const opened = await at.open({ holding });
    const free = await at.open();
    const id = await batchIn(free, [row(1), row(2)]);
    const [one, two] = await walked(free, await payoutsIn(free, id), 'approved');
    if (!one || !two) throw new TypeError('two rows');
    expect(await steps(opened, [one], 'sending')).toEqual([{ kind: 'stale' }]);
    await at.exec(
      `INSERT INTO leases(batch, part, token, holder, taken_at, heartbeat_at) VALUES (${id}, -1, 'mine', '{}', 1, 1)`,
    );
    expect(await steps(opened, [one], 'sending')).toMatchObject([{ kind: 'recorded' }]);
    await at.exec('UPDATE leases SET stopped = 1');
    expect(await steps(opened, [two], 'sending')).toEqual([{ kind: 'stale' }]);
    token = 'lost';
    await at.exec('UPDATE leases SET stopped = 0');
    expect(await steps(opened, [two], 'sending')).toEqual([{ kind: 'stale' }]);
  });

  it('[L22] begins one of two equal payments that two processes begin at the same moment', async () => {
    const at = await place();
    const [one, two] = [await at.open(), await at.open()];
    const rows = Array.from({ length: 6 }, (_, n) => row(n + 1));
    const ids = [await batchIn(one, rows, 'may'), await batchIn(one, rows, 'again')];
    const [may, again] = [await payoutsIn(one, ids[0] as BatchId), await payoutsIn(one, ids[1] as BatchId)];
    const first = await walked(one, may, 'approved');
    const second: Payout[] = [];
    for (const [n, payout] of again.entries()) {
      const seen = await released(one.ledger, payout, {
        kind: 'repeat',
        of: may[n]?.id ?? payout.id,
        isUnknown: false,
      });
      second.push(await walkedTo(one.ledger, seen, 'approved'));
    }
    const [begun, other] = await Promise.all([steps(one, first, 'sending'), steps(two, second, 'sending')]);
    for (const [n, answer] of begun.entries())
      expect([answer.kind, other[n]?.kind].toSorted()).toEqual(['objection', 'recorded']);
  });
});
