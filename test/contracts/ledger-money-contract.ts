/**
 * The ledger's promises that keep a payment from being made twice: the memory of payments, the guard inside the
 * commit, one living instruction per family.
 */
import { expect } from 'vitest';
import { asTransferId, type BatchId } from '../../src/domain/payouts/instruction.ts';
import type { Payout } from '../../src/domain/payouts/payout.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import { NotReplaceable } from '../../src/ports/ledger/moves.ts';
import {
  again,
  all,
  batchOf,
  eventsTo,
  later,
  moved,
  moveOf,
  only,
  row,
  walkedTo,
} from '../builders/ledger-batches.ts';
import { money, NOW, SENDER } from '../builders/payouts.ts';
import { it } from './chosen-tests.ts';

const LONG_AGO = timestampOf(0);

export function moneyContract(ledger: () => Ledger): void {
  const alone = async (changes: Parameters<typeof row>[1], name?: string): Promise<Payout> =>
    only(ledger(), await batchOf(ledger(), [row(1, changes)], name), 2);
  const begin = (payout: Payout, guardSince = LONG_AGO, guardExcept?: BatchId) => {
    const guard = guardExcept === undefined ? { guardSince } : { guardSince, guardExcept };
    return ledger().record(
      moveOf(payout, { kind: 'begin_attempt', attempt: 1, bodyDigest: 'd', sender: SENDER, at: NOW }, guard),
    );
  };

  it('remembers the same reference, and whether it pays the same', async () => {
    const paid = await walkedTo(ledger(), await alone({}, 'may'), 'settled');
    const same = await alone({});
    const other = await alone({ amount: money('GHS 7.00') });
    const unlike = await alone({ reference: 'X' });
    const pointer = { payoutId: paid.id, batchName: 'may', rowNumber: 2, status: 'settled', at: NOW };
    expect(await ledger().repeatsOf(same.id)).toMatchObject([{ isSamePayment: true, pointer }]);
    expect(await ledger().repeatsOf(other.id)).toMatchObject([{ isSamePayment: false, pointer }]);
    expect(await ledger().repeatsOf(unlike.id)).toEqual([]);
  });

  it('[B6] remembers the same payment for a row without a reference', async () => {
    await walkedTo(ledger(), await alone({}), 'in_doubt');
    const none = await alone({ reference: undefined });
    expect(await ledger().repeatsOf(none.id)).toMatchObject([
      { isSamePayment: true, pointer: { status: 'in_doubt' } },
    ]);
    expect(
      await ledger().repeatsOf((await alone({ reference: undefined, amount: money('GHS 9.00') })).id),
    ).toEqual([]);
  });

  it('remembers nothing that was not agreed to, was refused or came to nothing', async () => {
    await walkedTo(ledger(), await alone({}), 'quoted');
    await walkedTo(ledger(), await alone({}), 'refused');
    await moved(ledger(), await walkedTo(ledger(), await alone({}), 'approved'), {
      kind: 'cancel',
      by: 'ama',
      reason: 'no',
      at: NOW,
    });
    expect(await ledger().repeatsOf((await alone({})).id)).toEqual([]);
  });

  it('lists the newest repeat first', async () => {
    const old = await walkedTo(ledger(), await alone({}), 'accepted');
    const recent = await walkedTo(ledger(), await alone({}), 'accepted', later(1_000));
    const repeats = await ledger().repeatsOf((await alone({})).id);
    expect(repeats.map(({ pointer }) => pointer.payoutId)).toEqual([recent.id, old.id]);
  });

  it('refuses an intent whose payment lives elsewhere, and changes nothing', async () => {
    const paid = await walkedTo(ledger(), await alone({}), 'accepted');
    const second = await walkedTo(ledger(), await alone({}), 'approved');
    expect(await begin(second)).toMatchObject({ kind: 'repeat', repeat: { pointer: { payoutId: paid.id } } });
    expect(await again(ledger(), second.id)).toStrictEqual(second);
    expect((await begin(second, later(1))).kind).toBe('recorded');
  });

  it('lets a repeat of one batch go where a person said so, and no repeat of any other', async () => {
    const may = await walkedTo(ledger(), await alone({}), 'settled');
    const june = await walkedTo(ledger(), await alone({}), 'approved', later(5));
    const elsewhere = await walkedTo(ledger(), await alone({}), 'in_doubt');
    const { batchId } = may;
    const found = await begin(june, LONG_AGO, batchId);
    expect(found).toMatchObject({ kind: 'repeat', repeat: { pointer: { payoutId: elsewhere.id } } });
    await moved(ledger(), elsewhere, {
      kind: 'rule_not_paid',
      ruling: { by: 'ama', evidence: 'statement of May' },
      at: NOW,
    });
    expect((await begin(june, LONG_AGO, batchId)).kind).toBe('recorded');
  });

  it('[L22] sends exactly one of two equal payments that two batches begin at the same moment', async () => {
    const first = await walkedTo(ledger(), await alone({}), 'approved');
    const second = await walkedTo(ledger(), await alone({}), 'approved');
    const answers = await Promise.all([begin(second), begin(first)]);
    expect(answers.map(({ kind }) => kind)).toEqual(['repeat', 'recorded']);
  });

  it('lets only the one approved first go where just one of two equal payments has a reference', async () => {
    const without = await walkedTo(ledger(), await alone({ reference: undefined }), 'approved');
    const with_ = await walkedTo(ledger(), await alone({}), 'approved', later(5));
    expect((await begin(with_)).kind).toBe('repeat');
    expect((await begin(without)).kind).toBe('recorded');
  });

  it('blocks a payment that was given a reference after it was paid without one', async () => {
    await walkedTo(ledger(), await alone({ reference: undefined }), 'settled');
    const renamed = await walkedTo(ledger(), await alone({ reference: 'NEW-1' }), 'approved', later(5));
    expect(await begin(renamed)).toMatchObject({ kind: 'repeat', repeat: { isSamePayment: true } });
  });

  it('blocks a payment under another reference while the outcome of its equal is not known', async () => {
    const unknown = await walkedTo(ledger(), await alone({ reference: 'OLD-1' }), 'in_doubt');
    const renamed = await walkedTo(ledger(), await alone({ reference: 'NEW-1' }), 'approved', later(5));
    expect((await begin(renamed)).kind).toBe('repeat');
    // Another reference on a payment that is known to be paid is another invoice.
    const ruling = { by: 'ama', evidence: 'statement of May' };
    await moved(
      ledger(),
      unknown,
      { kind: 'rule_paid', transferId: asTransferId('tr-ruled'), ruling, at: NOW },
      { kind: 'settle', serviceStatus: 'Finished', discrepancies: [], at: NOW },
    );
    expect((await begin(renamed)).kind).toBe('recorded');
  });

  it('does not stop a row because of its twin that a person let go', async () => {
    const held = {
      status: 'held',
      reasons: [{ kind: 'duplicate_in_file', text: 'like row 2' }],
      releases: [],
      pricing: undefined,
    } as const;
    const twin = { ...row(2, { reference: undefined, account: '0244000001' }), state: held };
    const id = await batchOf(ledger(), [row(1, { reference: undefined }), twin]);
    const kinds = ['duplicate_in_file'] as const;
    const release = { kinds, repeats: [], by: 'ben', reason: 'two bonuses', at: NOW };
    const [first, second] = await all(ledger(), id);
    if (!first || !second) throw new TypeError('Two rows were staged');
    const approved = await walkedTo(ledger(), first, 'approved');
    await walkedTo(ledger(), await moved(ledger(), second, { kind: 'release', release, at: NOW }), 'sending');
    expect((await begin(approved)).kind).toBe('recorded');
  });

  it('names the batches that a new file repeats, most rows first', async () => {
    const may = await batchOf(ledger(), [row(1), row(2), row(3)], 'may');
    for (const payout of await all(ledger(), may)) await walkedTo(ledger(), payout, 'settled');
    const june = await batchOf(ledger(), [row(4)], 'june');
    for (const payout of await all(ledger(), june)) await walkedTo(ledger(), payout, 'accepted');
    const next = await batchOf(ledger(), [row(1), row(2), row(4), row(5)]);
    const overlaps = await ledger().overlaps(next, LONG_AGO);
    expect(overlaps.map(({ batch, rows }) => [batch.name, rows])).toEqual([
      ['may', 2],
      ['june', 1],
    ]);
    expect(await ledger().overlaps(next, later(1))).toEqual([]);
  });

  it('puts a replacement in the place of a failed payment', async () => {
    const id = await batchOf(ledger(), [row(1), row(2)]);
    const failed = await walkedTo(ledger(), await only(ledger(), id, 2), 'failed');
    const fresh = await ledger().addReplacement(failed.id, 'ben', later(9));
    expect(fresh).toMatchObject({
      rowNumber: 2,
      version: 0,
      state: { status: 'planned' },
      instruction: { replaces: failed.id },
    });
    expect((await all(ledger(), id)).map((payout) => payout.id)).toEqual([fresh.id, expect.any(String)]);
    expect(await ledger().replacementsOf(failed.id)).toStrictEqual([fresh]);
    const report = [];
    for await (const page of ledger().reportRows(id)) report.push(...page);
    expect(report.map(({ payout, replaced }) => [payout.id, replaced.map((one) => one.id)])).toEqual([
      [fresh.id, [failed.id]],
      [expect.any(String), []],
    ]);
    expect(await ledger().repeatsOf(fresh.id)).toEqual([]);
    await expect(ledger().addReplacement(failed.id, 'ben', NOW)).rejects.toThrow(NotReplaceable);
    await expect(ledger().addReplacement(fresh.id, 'ben', NOW)).rejects.toThrow(NotReplaceable);
  });

  it('lets at most one instruction of a family live, across batches', async () => {
    const failed = await walkedTo(ledger(), await alone({}), 'failed');
    const fresh = await walkedTo(ledger(), await ledger().addReplacement(failed.id, 'ben', NOW), 'approved');
    const redo = await walkedTo(ledger(), await alone({ replaces: failed.id }), 'quoted');
    const approve = eventsTo('approved', redo, ledger())[1];
    if (approve === undefined) throw new TypeError('approve is the second event');
    expect(await ledger().record(moveOf(redo, approve))).toMatchObject({
      kind: 'taken',
      what: 'root',
      by: { payoutId: fresh.id },
    });
  });

  it('always takes down that a failed payment was paid after all, and lets no replacement begin then', async () => {
    const failed = await walkedTo(ledger(), await alone({}), 'failed');
    const fresh = await walkedTo(ledger(), await ledger().addReplacement(failed.id, 'ben', NOW), 'approved');
    const settled = await moved(ledger(), failed, {
      kind: 'settle',
      serviceStatus: 'Finished',
      discrepancies: [],
      at: NOW,
    });
    expect(settled.state).toMatchObject({ status: 'settled', incident: true });
    expect(await begin(fresh)).toMatchObject({ kind: 'taken', what: 'root', by: { payoutId: failed.id } });
  });

  it('takes down that a failed payment was paid after all even while its replacement is on the wire', async () => {
    const failed = await walkedTo(ledger(), await alone({}), 'failed');
    const fresh = await walkedTo(ledger(), await ledger().addReplacement(failed.id, 'ben', NOW), 'sending');
    await moved(ledger(), failed, { kind: 'settle', serviceStatus: 'Finished', discrepancies: [], at: NOW });
    const accept = eventsTo('accepted', fresh, ledger()).at(-1);
    if (accept === undefined) throw new TypeError('accept is the last event');
    expect((await moved(ledger(), fresh, accept)).state.status).toBe('accepted');
  });
}
