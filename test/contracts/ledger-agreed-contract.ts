/** What every ledger promises about agreeing to exactly what was seen, about one row in two instructions, and about the canary. */
import { expect } from 'vitest';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import { NotReplaceable } from '../../src/ports/ledger/moves.ts';
import {
  all,
  batchOf,
  eventsTo,
  importOf,
  moved,
  moveOf,
  only,
  row,
  sealOf,
  walkedTo,
} from '../builders/ledger-batches.ts';
import { anEvent, NOW } from '../builders/payouts.ts';
import { it } from './chosen-tests.ts';

export function agreedContract(ledger: () => Ledger): void {
  it('moves a payout only as it stood at an entry of the journal, where that is asked', async () => {
    const id = await batchOf(ledger(), [row(1), row(2)]);
    const first = await walkedTo(ledger(), await only(ledger(), id, 2), 'quoted');
    const unchangedSince = await ledger().lastEntry();
    const second = await walkedTo(ledger(), await only(ledger(), id, 3), 'quoted');
    const approve = [first, second].flatMap((payout) => eventsTo('approved', payout, ledger()).slice(1));
    const moves = [first, second].flatMap((payout, index) => {
      const event = approve[index];
      return event === undefined ? [] : [moveOf(payout, event, { unchangedSince })];
    });
    const kinds = (await Promise.all(moves.map((move) => ledger().record(move)))).map(({ kind }) => kind);
    expect(kinds).toEqual(['recorded', 'stale']);
    expect((await only(ledger(), id, 3)).state.status).toBe('quoted');
  });

  it('takes a row that keeps its place in a revision for unchanged, and one that joins for new', async () => {
    const id = await batchOf(ledger(), [row(1)], 'may');
    const kept = await walkedTo(ledger(), await only(ledger(), id, 2), 'quoted');
    const unchangedSince = await ledger().lastEntry();
    const importId = await importOf(ledger(), [row(2), row(1)]);
    await ledger().revise(id, importId, { at: NOW, by: 'ama', seal: await sealOf(ledger(), importId) });
    const [joined] = (await all(ledger(), id)).filter((payout) => payout.id !== kept.id);
    if (joined === undefined) throw new TypeError('the second row joined');
    const [price, approve] = eventsTo('approved', joined, ledger());
    const own = eventsTo('approved', kept, ledger())[1];
    if (price === undefined || approve === undefined || own === undefined) throw new TypeError('two events');
    expect(await ledger().record(moveOf(joined, price, { unchangedSince }))).toEqual({ kind: 'stale' });
    expect(await ledger().record(moveOf(kept, own, { unchangedSince }))).toMatchObject({
      kind: 'recorded',
    });
  });

  it('names what lives in the place of a payout, in whatever batch, until it has ended unpaid', async () => {
    const failed = await walkedTo(
      ledger(),
      await only(ledger(), await batchOf(ledger(), [row(1)]), 2),
      'failed',
    );
    const redo = () => batchOf(ledger(), [row(1, { replaces: failed.id })]);
    const [one, other] = [await only(ledger(), await redo(), 2), await only(ledger(), await redo(), 2)];
    expect(await ledger().livingRelative(other.id)).toBeUndefined();
    const sending = await walkedTo(ledger(), one, 'sending');
    expect(await ledger().livingRelative(other.id)).toMatchObject({ payoutId: one.id, status: 'sending' });
    expect(await ledger().livingRelative(failed.id)).toMatchObject({ payoutId: one.id });
    expect(await ledger().livingRelative(one.id)).toBeUndefined();
    const refuse = eventsTo('refused', sending, ledger()).at(-1);
    if (refuse === undefined) throw new TypeError('refuse is the last event');
    await moved(ledger(), sending, refuse);
    expect(await ledger().livingRelative(other.id)).toBeUndefined();
    await moved(ledger(), failed, { kind: 'settle', serviceStatus: 'Finished', discrepancies: [], at: NOW });
    expect(await ledger().livingRelative(other.id)).toMatchObject({ payoutId: failed.id, status: 'settled' });
  });

  it('tells all payments of a row over all batches, and which of them turned out paid', async () => {
    const may = await batchOf(ledger(), [row(1), row(2)], 'may');
    const failed = await walkedTo(ledger(), await only(ledger(), may, 2), 'failed');
    const redo = await batchOf(ledger(), [row(7, { replaces: failed.id })], 'redo');
    const again = await only(ledger(), redo, 8);
    const third = await ledger().addReplacement(failed.id, 'ben', NOW);
    // A row that is replaced in its own batch alone is in no family of several batches.
    const other = await walkedTo(ledger(), await only(ledger(), may, 3), 'failed');
    await ledger().addReplacement(other.id, 'ben', NOW);
    const told = async () =>
      (await ledger().family(again.id)).map(({ payoutId, batchName, rowNumber, status, ...is }) => [
        ...[payoutId, batchName, rowNumber, status],
        ...[is.isCurrent, is.isIncident],
      ]);
    expect(await told()).toEqual([
      [failed.id, 'may', 2, 'failed', false, false],
      [again.id, 'redo', 8, 'planned', true, false],
      [third.id, 'may', 2, 'planned', true, false],
    ]);
    const family = await ledger().family(failed.id);
    expect(await ledger().familiesAcross(may)).toEqual([family]);
    expect(await ledger().familiesAcross(redo)).toEqual([family]);
    expect(await ledger().familiesAcross()).toContainEqual(family);
    expect(await ledger().familiesAcross(await batchOf(ledger(), [row(9)]))).toEqual([]);
    await ledger().note(may, 'incident', { payout: failed.id, row: 2, what: 'paid after all' }, NOW);
    await moved(ledger(), again, anEvent('cancel'));
    expect(await told()).toEqual([
      [failed.id, 'may', 2, 'failed', false, true],
      [again.id, 'redo', 8, 'canceled', true, false],
      [third.id, 'may', 2, 'planned', true, false],
    ]);
  });

  it('gives a payment the place of its row back from a withdrawn replacement, and from no other', async () => {
    const may = await batchOf(ledger(), [row(1)], 'may');
    const failed = await walkedTo(ledger(), await only(ledger(), may, 2), 'failed');
    const again = await ledger().addReplacement(failed.id, 'ben', NOW);
    await ledger().putBack(failed.id, NOW);
    expect((await only(ledger(), may, 2)).id).toBe(again.id);
    await moved(ledger(), again, anEvent('cancel'));
    await ledger().putBack(failed.id, NOW);
    await ledger().putBack(again.id, NOW);
    expect((await only(ledger(), may, 2)).id).toBe(failed.id);
    expect(await ledger().counts(may)).toMatchObject({ failed: 1, canceled: 0 });
    expect((await ledger().verify()).problems).toEqual([]);
  });

  it('does not plan a row again beside another payment of it that lives, in whatever batch', async () => {
    const may = await batchOf(ledger(), [row(1)]);
    const failed = await walkedTo(ledger(), await only(ledger(), may, 2), 'failed');
    const redo = await batchOf(ledger(), [row(1, { replaces: failed.id })]);
    const sending = await walkedTo(ledger(), await only(ledger(), redo, 2), 'sending');
    await expect(ledger().addReplacement(failed.id, 'ben', NOW)).rejects.toThrow(NotReplaceable);
    const refuse = eventsTo('refused', sending, ledger()).at(-1);
    if (refuse === undefined) throw new TypeError('refuse is the last event');
    await moved(ledger(), sending, refuse);
    expect(await ledger().addReplacement(failed.id, 'ben', NOW)).toMatchObject({
      state: { status: 'planned' },
    });
  });

  it('names the payouts of a batch that began to be sent after an entry, the first one first', async () => {
    const id = await batchOf(ledger(), [row(1), row(2), row(3), row(4), row(5)]);
    const elsewhere = await batchOf(ledger(), [row(6)]);
    const begun = async (since: number, limit = 10) =>
      (await ledger().begunSince(id, since, limit)).map(({ rowNumber }) => rowNumber);
    await walkedTo(ledger(), await only(ledger(), id, 4), 'settled');
    const since = await ledger().lastEntry();
    expect(await begun(since)).toEqual([]);
    await walkedTo(ledger(), await only(ledger(), elsewhere, 7), 'settled');
    await walkedTo(ledger(), await only(ledger(), id, 6), 'in_doubt');
    const back = await walkedTo(ledger(), await only(ledger(), id, 2), 'sending');
    await moved(ledger(), back, { kind: 'not_sent', phase: 'connect', reason: 'no route', at: NOW });
    const failed = await walkedTo(ledger(), await only(ledger(), id, 3), 'failed');
    expect(await begun(since)).toEqual([6, 3]);
    expect(await begun(since, 1)).toEqual([6]);
    expect(await ledger().countBegun(id, since)).toBe(2);
    expect(await begun(0)).toEqual([4, 6, 3]);
    await ledger().addReplacement(failed.id, 'ben', NOW);
    expect(await begun(since)).toEqual([6]);
  });
}
