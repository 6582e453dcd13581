/**
 * What a ledger promises about payouts that are looked for by other ways than their place in a file: by tag, and after
 * they were replaced.
 */
import { expect } from 'vitest';
import { asTag, type PayoutId } from '../../src/domain/payouts/instruction.ts';
import type { Payout } from '../../src/domain/payouts/payout.ts';
import type { PayoutEvent } from '../../src/domain/payouts/payout-event.ts';
import { advance } from '../../src/domain/payouts/payout-machine.ts';
import { type Timestamp, timestampOf } from '../../src/domain/timestamp.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import { batchOf, later, only, row, walkedTo } from '../builders/ledger-batches.ts';
import { NOW } from '../builders/payouts.ts';
import { it } from './chosen-tests.ts';

const DUE = timestampOf(NOW + 60_000);
const LOOK = { at: NOW, times: 1 };

export function watchContract(ledger: () => Ledger): void {
  const ended = async (n: number, goal: 'failed' | 'returned'): Promise<Payout> => {
    const batch = await batchOf(ledger(), [row(n)]);
    const payout = await walkedTo(ledger(), await only(ledger(), batch, n + 1), goal);
    await ledger().schedule(payout.id, DUE, LOOK);
    return { ...payout, look: LOOK };
  };
  const failed = (n: number) => ended(n, 'failed');
  const replaced = ({ batchId }: Payout, dueBy = DUE, after?: Payout) =>
    ledger().replacedTransfers(batchId, { dueBy, after: after?.id, limit: 10 });

  it('finds a payout by its tag, before and after it was replaced', async () => {
    const payout = await failed(1);
    const tag = 'tag' in payout.state ? payout.state.tag : asTag('');
    expect(await ledger().payoutOfTag(tag)).toStrictEqual(payout);
    expect(await ledger().findPayouts(payout.batchId, tag.toLowerCase())).toStrictEqual([payout]);
    await ledger().addReplacement(payout.id, 'ama', later(1));
    expect((await ledger().payoutOfTag(tag))?.id).toBe(payout.id);
    expect(await ledger().findPayouts(payout.batchId, tag)).toEqual([]);
    expect(await ledger().payoutOfTag(asTag('PF-ZZZZZZZZ'))).toBeUndefined();
  });

  it('[E12] gives what ended and was replaced when it is due, in its own batch, and no other', async () => {
    const payout = await failed(1);
    const other = await failed(2);
    const returned = await ended(3, 'returned');
    expect(await replaced(payout)).toEqual([]);
    await ledger().addReplacement(payout.id, 'ama', later(1));
    expect(await replaced(payout)).toStrictEqual([payout]);
    expect(await replaced(payout, timestampOf(DUE - 1))).toEqual([]);
    expect(await replaced(payout, DUE, payout)).toEqual([]);
    expect(await replaced(other)).toEqual([]);
    expect(await replaced(returned)).toEqual([]);
    await ledger().addReplacement(returned.id, 'ama', later(1));
    expect(await replaced(returned)).toStrictEqual([returned]);
  });

  it('gives rows by the time of their next look, page by page, replaced ones too, and silent ones alone', async () => {
    const batch = await batchOf(ledger(), [row(1), row(2), row(3), row(4), row(5)]);
    const at = (dueAt: number) => timestampOf(NOW + dueAt);
    const rows: Payout[] = [];
    for (const goal of ['settled', 'accepted', 'failed', 'returned', 'accepted'] as const)
      rows.push(await walkedTo(ledger(), await only(ledger(), batch, rows.length + 2), goal));
    const silent = { ...LOOK, nothing: 'said "nothing": timeout' };
    const times = [3, 1, 2, 2] as const;
    for (const [index, dueAt] of times.entries()) {
      const id = rows[index]?.id;
      if (id !== undefined)
        await ledger().schedule(id, at(dueAt), index === 1 || index === 3 ? silent : LOOK);
    }
    await ledger().addReplacement(rows[2]?.id as PayoutId, 'ama', later(1));
    const page = async (isSilent: boolean, after: Parameters<Ledger['scheduled']>[1]['after'], limit = 10) =>
      ledger().scheduled(batch, { isSilent, after, limit });
    const shown = (found: Awaited<ReturnType<typeof page>>) =>
      found.map(({ payout, dueAt }) => [payout.rowNumber, dueAt - NOW]);
    const first = await page(false, { dueAt: at(0) }, 2);
    const [, last] = first;
    expect(shown(first)).toEqual([
      [3, 1],
      [4, 2],
    ]);
    expect(last?.payout).toStrictEqual({ ...rows[2], look: LOOK });
    expect(shown(await page(false, { dueAt: at(2), id: last?.payout.id as PayoutId }))).toEqual([
      [5, 2],
      [2, 3],
    ]);
    expect(shown(await page(false, { dueAt: at(2) }))).toEqual([[2, 3]]);
    expect(shown(await page(true, { dueAt: at(0) }))).toEqual([
      [3, 1],
      [5, 2],
    ]);
    const other = await batchOf(ledger(), [row(9)]);
    expect(await ledger().scheduled(other, { isSilent: false, after: { dueAt: at(0) }, limit: 9 })).toEqual(
      [],
    );
  });

  it('gives no replaced payout that the service never had', async () => {
    const batch = await batchOf(ledger(), [row(1)]);
    const refused = await walkedTo(ledger(), await only(ledger(), batch, 2), 'refused');
    await ledger().schedule(refused.id, DUE, LOOK);
    await ledger().addReplacement(refused.id, 'ama', later(1));
    expect(await replaced(refused)).toEqual([]);
  });

  const DAY_MS = 24 * 3_600_000;
  const onItsWay = async (n: number) => {
    const batch = await batchOf(ledger(), [row(n), row(n + 1)]);
    const payout = await walkedTo(ledger(), await only(ledger(), batch, n + 1), 'accepted');
    return { batch, payout, late: timestampOf(NOW + DAY_MS + 60_000) };
  };
  const lookOf = async ({ id }: Payout) => (await ledger().payout(id))?.look;

  it('marks a row that takes too long and was never asked about, and the other rows not', async () => {
    const { batch, payout, late } = await onItsWay(1);
    await ledger().markLate(batch, timestampOf(NOW + DAY_MS / 2));
    expect(await lookOf(payout)).toBeUndefined();
    await ledger().markLate(batch, late);
    expect(await lookOf(payout)).toEqual({ at: late, times: 0, concern: 'late' });
    expect((await ledger().besideStatus(batch, { limit: 10 })).payouts.map(({ id }) => id)).toEqual([
      payout.id,
    ]);
    expect((await ledger().verify(batch)).problems).toEqual([]);
  });

  it('marks a row that takes too long, and keeps what the last look showed and when the next one is due', async () => {
    const { batch, payout, late } = await onItsWay(1);
    const shown = { at: NOW, times: 3, nothing: 'timeout' };
    await ledger().schedule(payout.id, timestampOf(late + 1), shown);
    await ledger().markLate(batch, late);
    expect(await lookOf(payout)).toEqual({ ...shown, concern: 'late' });
    const due = async (by: number) =>
      (
        await ledger().page(batch, {
          ...{ statuses: ['accepted'], after: undefined, limit: 10 },
          dueBy: timestampOf(by),
        })
      ).payouts.length;
    expect([await due(late), await due(late + 1)]).toEqual([0, 1]);
    expect((await ledger().verify(batch)).problems).toEqual([]);
  });

  it('marks no row as late that has a reason already, or is not on its way any more', async () => {
    const { batch, payout, late } = await onItsWay(1);
    const missing = {
      at: NOW,
      times: 3,
      nothing: 'unknown',
      missingSince: NOW,
      concern: 'missing',
    } as const;
    await ledger().schedule(payout.id, DUE, missing);
    const settled = await walkedTo(ledger(), await only(ledger(), batch, 3), 'settled');
    await ledger().markLate(batch, late);
    expect(await lookOf(payout)).toEqual(missing);
    expect(await lookOf(settled)).toBeUndefined();
  });

  it('knows of a family that its incident came back after it was noted, and lets it be paid again', async () => {
    const moved = async (payout: Payout, event: PayoutEvent): Promise<Payout> => {
      const recorded = await ledger().record({ before: payout, event, after: advance(payout, event) });
      if (recorded.kind !== 'recorded') throw new TypeError(recorded.kind);
      return recorded.payout;
    };
    const seen = (kind: 'settle' | 'return', serviceStatus: string, at: Timestamp) =>
      ({ kind, serviceStatus, discrepancies: [], at }) as const;
    const back = await ended(1, 'returned');
    const again = await ledger().addReplacement(back.id, 'ama', later(1));
    const standing = async (id: PayoutId) =>
      (await ledger().family(id)).map(({ isIncident, wasIncident }) => [isIncident, wasIncident]);
    const relative = async () => (await ledger().livingRelative(again.id))?.payoutId;
    const paid = await moved(back, seen('settle', 'Finished', later(2)));
    await ledger().note(back.batchId, 'incident', { payout: back.id, row: 2, what: 'paid' }, later(2));
    const none = [false, false];
    expect([await standing(again.id), await relative()]).toEqual([[[true, false], none], back.id]);
    await moved(paid, seen('return', 'Reversed', later(3)));
    expect([await standing(again.id), await relative()]).toEqual([[[false, true], none], undefined]);
    await ledger().note(back.batchId, 'incident', { payout: back.id, row: 2, what: 'a statement' }, later(4));
    expect([await standing(again.id), await relative()]).toEqual([[[true, false], none], back.id]);
  });
}
