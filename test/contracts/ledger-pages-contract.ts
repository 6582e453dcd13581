/** What every ledger promises to whoever leafs through it: sums that are always right, and pages that leave no row out. */
import { expect } from 'vitest';
import { decisionsOf } from '../../src/domain/batches/decisions.ts';
import { asPayoutId, type BatchId } from '../../src/domain/payouts/instruction.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import type { RowsQuestion } from '../../src/ports/ledger/reports.ts';
import {
  all,
  batchOf,
  eventsTo,
  HOLDER,
  importOf,
  invalidRow,
  later,
  moved,
  only,
  row,
  sealOf,
  walkedTo,
} from '../builders/ledger-batches.ts';
import { anEvent, money, NOW } from '../builders/payouts.ts';
import { it } from './chosen-tests.ts';

export function pagesContract(ledger: () => Ledger): void {
  const paged = async (id: BatchId, question: Partial<RowsQuestion> = {}) => {
    const rows: number[] = [];
    for (let after: number | undefined, pages = 0; pages < 20; pages += 1) {
      const page = await ledger().reportPage(id, { limit: 2, ...question, after });
      rows.push(...page.rows.map(({ payout }) => payout.rowNumber));
      after = page.next;
      if (after === undefined) return rows;
    }
    throw new TypeError('The pages do not end');
  };

  it('keeps the sums of a batch as its rows move, are replaced, revised and left out', async () => {
    const large = row(2, { amount: money('GHS 9000000000000.07') });
    const id = await batchOf(ledger(), [row(1), large, invalidRow(3)]);
    /** As anybody adds them up who reads each payout. */
    const added = async () => {
      const totals = new Map<
        string,
        { status: string; currency: string | undefined; count: number; minor: bigint }
      >();
      for (const {
        state: { status },
        instruction,
      } of await all(ledger(), id)) {
        const { currency, minor } = instruction?.amount ?? { currency: undefined, minor: 0n };
        const before = totals.get(`${status} ${currency}`) ?? { status, currency, count: 0, minor: 0n };
        totals.set(`${status} ${currency}`, {
          ...before,
          count: before.count + 1,
          minor: before.minor + minor,
        });
      }
      return totals;
    };
    const isKept = async () => {
      const totals = await ledger().totals(id);
      expect(new Map(totals.map((one) => [`${one.status} ${one.currency}`, one]))).toEqual(await added());
    };
    await isKept();
    await walkedTo(ledger(), await only(ledger(), id, 2), 'settled');
    const failed = await walkedTo(ledger(), await only(ledger(), id, 3), 'failed');
    await isKept();
    await ledger().addReplacement(failed.id, 'ben', NOW);
    await isKept();
    const importId = await importOf(ledger(), [row(1), large, row(5)]);
    await isKept();
    await ledger().revise(id, importId, { by: 'ama', at: NOW, seal: await sealOf(ledger(), importId) });
    await isKept();
    const left = await importOf(ledger(), [row(8)]);
    await ledger().dropImport(left);
    expect(await ledger().totals(left)).toEqual([]);
    expect((await ledger().totals(id)).map(({ status, count }) => [status, count])).toEqual([
      ['planned', 2],
      ['settled', 1],
    ]);
  });

  it('gives every row of the file once, page by page, of all statuses or some', async () => {
    const id = await batchOf(ledger(), [row(1), row(2), invalidRow(3), row(4), row(5)]);
    await walkedTo(ledger(), await only(ledger(), id, 3), 'quoted');
    await walkedTo(ledger(), await only(ledger(), id, 6), 'failed');
    expect(await paged(id)).toEqual([2, 3, 4, 5, 6]);
    expect(await paged(id, { statuses: ['failed', 'quoted', 'invalid'] })).toEqual([3, 4, 6]);
    expect(await paged(id, { statuses: ['settled'] })).toEqual([]);
    expect(await paged(id, { statuses: [] })).toEqual([]);
    const { rows } = await ledger().reportPage(id, { limit: 10 });
    const report = [];
    for await (const page of ledger().reportRows(id)) report.push(...page);
    expect(rows).toStrictEqual(report);
  });

  it('finds rows by number, by reference and by the beginnings of words of a name, accents or not', async () => {
    const named = (n: number, name: string | undefined, reference = `R-${n}`) => row(n, { name, reference });
    const id = await batchOf(ledger(), [
      named(1, 'Kwame Owusu-Ansah'),
      named(2, 'José Núñez'),
      named(3, 'Ama 100%_sure', 'SAL_9'),
      named(4, undefined, '2'),
      named(5, 'Ama Owusu'),
    ]);
    await walkedTo(ledger(), await only(ledger(), id, 6), 'quoted');
    const found = (search: string, more: Partial<RowsQuestion> = {}) => paged(id, { search, ...more });
    expect(await found('3')).toEqual([3]);
    // A row number and another row's reference: both are meant.
    expect(await found('2')).toEqual([2, 5]);
    expect(await found(' r-1 ')).toEqual([2]);
    expect(await found('jose nun')).toEqual([3]);
    expect(await found('NÚÑEZ')).toEqual([3]);
    expect(await found('owusu')).toEqual([2, 6]);
    expect(await found('owusu ama')).toEqual([6]);
    expect(await found('wusu')).toEqual([]);
    expect(await found('l_9')).toEqual([4]);
    expect(await found('%')).toEqual([]);
    expect(await found('owusu', { statuses: ['quoted'] })).toEqual([6]);
    expect(await found('owusu', { limit: 1 })).toEqual([2, 6]);
  });

  const accepted = async (id: BatchId, rowNumber: number) =>
    walkedTo(ledger(), await only(ledger(), id, rowNumber), 'accepted');

  it('finds what nobody would look at by its status: called failed once, or paid otherwise than asked', async () => {
    const id = await batchOf(ledger(), [row(1), row(2), row(3), row(4)]);
    await walkedTo(ledger(), await only(ledger(), id, 2), 'settled');
    const told = { serviceStatus: 'Failed', discrepancies: [], at: NOW };
    const third = await only(ledger(), id, 3);
    await moved(ledger(), third, ...eventsTo('accepted', third, ledger()), { kind: 'suspect', ...told });
    const fourth = await only(ledger(), id, 4);
    const settle = { ...told, serviceStatus: 'Finished', discrepancies: ['the amount is another'] };
    await moved(ledger(), fourth, ...eventsTo('accepted', fourth, ledger()), { kind: 'settle', ...settle });
    const first = await ledger().besideStatus(id, { limit: 1 });
    const second = await ledger().besideStatus(id, { after: first.next, limit: 1 });
    expect([first, second].map(({ payouts }) => payouts.map(({ rowNumber }) => rowNumber))).toEqual([
      [3],
      [4],
    ]);
    expect(await ledger().besideStatus(id, { after: second.next, limit: 1 })).toEqual({ payouts: [] });
  });

  it('finds what is stuck, with its last look, and no more once it moved on', async () => {
    const id = await batchOf(ledger(), [row(1), row(2), row(3)]);
    const [late, missing, fine] = [await accepted(id, 2), await accepted(id, 3), await accepted(id, 4)];
    const look = { at: NOW, times: 3, nothing: 'it says “"concern":”' };
    await ledger().schedule(late.id, NOW, { ...look, concern: 'late' });
    await ledger().schedule(missing.id, NOW, { ...look, missingSince: NOW, concern: 'missing' });
    await ledger().schedule(fine.id, NOW, look);
    expect((await ledger().payout(fine.id))?.look).toEqual(look);
    const { payouts } = await ledger().besideStatus(id, { limit: 9 });
    expect(payouts.map(({ rowNumber, look }) => [rowNumber, look?.concern])).toEqual([
      [2, 'late'],
      [3, 'missing'],
    ]);
    const settle = { kind: 'settle', serviceStatus: 'Finished', discrepancies: [], at: NOW } as const;
    await moved(ledger(), late, settle);
    await moved(ledger(), missing, settle);
    expect(await ledger().besideStatus(id, { limit: 9 })).toEqual({ payouts: [] });
  });

  it('tells when the first payment that is still on its way was sent', async () => {
    const id = await batchOf(ledger(), [row(1), row(2)]);
    expect(await ledger().oldestOnItsWay(id)).toBeUndefined();
    const payout = await accepted(id, 2);
    const sentAt = payout.state.status === 'accepted' ? payout.state.sentAt : undefined;
    expect(sentAt).toBeDefined();
    expect(await ledger().oldestOnItsWay(id)).toBe(sentAt);
    await moved(ledger(), payout, { kind: 'settle', serviceStatus: 'Finished', discrepancies: [], at: NOW });
    expect(await ledger().oldestOnItsWay(id)).toBeUndefined();
  });

  it('leads from an incident to the row of the file, also where another payment took its place', async () => {
    const id = await batchOf(ledger(), [row(1), row(2), row(3)]);
    const failed = await walkedTo(ledger(), await only(ledger(), id, 3), 'failed');
    await ledger().addReplacement(failed.id, 'ben', NOW);
    const noted = await walkedTo(ledger(), await only(ledger(), id, 4), 'failed');
    const settle = { kind: 'settle', serviceStatus: 'Finished', discrepancies: [], at: NOW } as const;
    await moved(ledger(), failed, settle);
    const found = await ledger().incidents(id, [noted.id, asPayoutId('999')]);
    expect(found.map(({ payout, rowNumber, isCurrent }) => [payout.id, rowNumber, isCurrent])).toEqual([
      [failed.id, 3, false],
      [noted.id, 4, true],
    ]);
    expect(await ledger().incidents(await batchOf(ledger(), [row(9)]), [noted.id])).toEqual([]);
  });

  it('gives the batches a page at a time, without what is still being read', async () => {
    const ids = [];
    for (const n of [1, 2, 3]) ids.unshift(await batchOf(ledger(), [row(n)], `b${n}`));
    await importOf(ledger(), [row(4)]);
    const first = await ledger().batchPage({ limit: 2 });
    const second = await ledger().batchPage({ limit: 2, after: first.next });
    expect([...first.batches, ...second.batches].map(({ id }) => id)).toEqual(ids);
    expect([first.count, second.next]).toEqual([3, undefined]);
  });

  it('tells decisions the newest first, page by page, and loses none between two pages', async () => {
    const id = await batchOf(ledger(), [row(1), row(2), row(3)], 'may');
    await ledger().pause(id, { reason: 'lunch', by: 'ama', at: NOW });
    await moved(ledger(), await only(ledger(), id, 2), anEvent('cancel'));
    await moved(ledger(), await only(ledger(), id, 3), anEvent('cancel'));
    await ledger().resume(id, 'ama', later(1));
    const whole = await ledger().decisions(id, 100);
    const pages = [];
    for (let before: number | undefined; ; ) {
      const page = await ledger().decisionsBefore(id, { before, limit: 2 });
      pages.push(...page.entries);
      expect(page.head).toBe(whole.head);
      before = page.next;
      if (before === undefined) break;
    }
    expect(pages).toEqual(whole.entries.toReversed());
    expect(decisionsOf(pages.toReversed())).toHaveLength(4);
  });

  it('says who works on a batch, and that nobody does', async () => {
    const id = await batchOf(ledger(), [row(1)]);
    expect(await ledger().holderOf(id)).toBeUndefined();
    const lease = await ledger().lease(id, HOLDER);
    expect(await ledger().holderOf(id)).toMatchObject({ holder: HOLDER });
    if (lease.kind === 'leased') await lease.release();
    expect(await ledger().holderOf(id)).toBeUndefined();
  });

  it('knows whether a payment of the batch moved since an entry of the journal, whatever was noted', async () => {
    const id = await batchOf(ledger(), [row(1)]);
    const other = await batchOf(ledger(), [row(2)]);
    const seq = await ledger().lastEntry();
    await ledger().note(id, 'four_eyes', { by: 'ama' }, NOW);
    await walkedTo(ledger(), await only(ledger(), other, 3), 'quoted');
    expect(await ledger().movedSince(id, seq)).toBe(false);
    await walkedTo(ledger(), await only(ledger(), id, 2), 'quoted');
    expect(await ledger().movedSince(id, seq)).toBe(true);
  });

  it('finds the waiting payments that pay another again', async () => {
    const id = await batchOf(ledger(), [row(1), row(2)]);
    await walkedTo(ledger(), await only(ledger(), id, 2), 'quoted');
    const failed = await walkedTo(ledger(), await only(ledger(), id, 3), 'failed');
    const again = await ledger().addReplacement(failed.id, 'ben', NOW);
    expect(await ledger().waitingReplacements(id)).toEqual([]);
    const quoted = await walkedTo(ledger(), again, 'quoted');
    expect(await ledger().waitingReplacements(id)).toEqual([quoted]);
  });
}
