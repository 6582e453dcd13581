/**
 * The ledger's promises about a new file for an old batch: what was decided stays, what was agreed to cannot
 * change, nothing is lost.
 */
import { expect } from 'vitest';
import { decisionsOf } from '../../src/domain/batches/decisions.ts';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { asInstitutionId } from '../../src/domain/rows/directory.ts';
import type { StagedRow } from '../../src/ports/ledger/imports.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import {
  all,
  batchOf,
  importOf,
  invalidRow,
  moved,
  only,
  row,
  STYLE_READ,
  sealOf,
  walkedTo,
} from '../builders/ledger-batches.ts';
import { anEvent, aReason, money, NOW } from '../builders/payouts.ts';
import { it } from './chosen-tests.ts';

export function revisionContract(ledger: () => Ledger): void {
  const revised = async (id: BatchId, rows: readonly StagedRow[]): Promise<BatchId> => {
    const importId = await importOf(ledger(), rows);
    await ledger().revise(id, importId, { by: 'ama', at: NOW, seal: await sealOf(ledger(), importId) });
    return importId;
  };
  const twin = { reference: undefined, account: '0244000001' };
  const states = async (id: BatchId) =>
    (await all(ledger(), id)).map(({ rowNumber, state, instruction }) => [
      rowNumber,
      instruction?.reference,
      state.status,
    ]);

  it('begins no revision with a row that pays a row of the batch again beside it, also without a comparison', async () => {
    const id = await batchOf(ledger(), [row(1), row(2)]);
    const failed = await walkedTo(ledger(), await only(ledger(), id, 2), 'failed');
    const rows = [row(1), row(2), row(3, { replaces: failed.id })];
    const file = { columns: new Map([['replaces', 0] as const]) };
    const importId = await importOf(ledger(), rows, file);
    expect(await ledger().compare(id, importId)).toMatchObject({ conflictCount: 0, paidAgainBeside: [4] });
    const seal = await sealOf(ledger(), importId);
    await expect(ledger().revise(id, importId, { by: 'ama', at: NOW, seal })).rejects.toThrow(
      'changed after',
    );
    expect(await states(id)).toHaveLength(2);
    const plain = await importOf(ledger(), [row(1), row(2)]);
    expect(await ledger().compare(id, plain)).toMatchObject({ isHalfRevised: false, unchanged: 2 });
  });

  it('keeps unchanged rows with all they went through, whatever their new place', async () => {
    const id = await batchOf(ledger(), [row(1), row(2), invalidRow(3)]);
    const paid = await walkedTo(ledger(), await only(ledger(), id, 3), 'settled');
    const moving = { ...row(2), rowNumber: 2, cells: ['R-2', 'other text'] };
    const importId = await importOf(ledger(), [
      moving,
      { ...row(4), rowNumber: 3 },
      { ...row(1), rowNumber: 4 },
    ]);
    expect(await ledger().compare(id, importId)).toEqual({
      isHalfRevised: false,
      unchanged: 2,
      added: 1,
      removed: 1,
      staysCanceled: 0,
      conflicts: [],
      conflictCount: 0,
      paidAgainBeside: [],
    });
    await ledger().revise(id, importId, { by: 'ama', at: NOW, seal: await sealOf(ledger(), importId) });
    expect(await states(id)).toEqual([
      [2, 'R-2', 'settled'],
      [3, 'R-4', 'planned'],
      [4, 'R-1', 'planned'],
    ]);
    expect((await only(ledger(), id, 2)).id).toBe(paid.id);
    const report = [];
    for await (const page of ledger().reportRows(id)) report.push(...page);
    expect(report.map(({ cells }) => cells[1])).toEqual(['other text', '0244000004', '0244000001']);
    const places = report.map(({ position }) => position);
    expect(places).toEqual([...new Set(places)].toSorted((one, other) => one - other));
    expect((await ledger().batches()).map((batch) => [batch.id, batch.revision])).toEqual([[id, 2]]);
    expect(await ledger().batch(importId)).toMatchObject({ mergedInto: id });
  });

  it('cancels rows that the new file leaves out, and names every row from approved onward that it changes', async () => {
    const id = await batchOf(ledger(), [row(1), row(2), row(3)]);
    await walkedTo(ledger(), await only(ledger(), id, 2), 'approved');
    await walkedTo(ledger(), await only(ledger(), id, 3), 'failed');
    const importId = await importOf(ledger(), [row(1, { amount: money('GHS 5.00') })]);
    const compared = await ledger().compare(id, importId);
    expect(compared).toMatchObject({ unchanged: 0, added: 1, removed: 3, conflictCount: 2 });
    expect(compared.conflicts.map(({ rowNumber }) => rowNumber)).toEqual([2, 3]);
    const third = await only(ledger(), id, 4);
    await ledger().dropImport(importId);
    await revised(id, [row(1), row(2)]);
    expect(await ledger().payout(third.id)).toMatchObject({
      state: { status: 'canceled', reason: 'left out of revision 2' },
    });
    expect(await states(id)).toEqual([
      [2, 'R-1', 'approved'],
      [3, 'R-2', 'failed'],
    ]);
  });

  it('tells a row that a newer file does not have from a withdrawal with the same words', async () => {
    const id = await batchOf(ledger(), [row(1), row(2), row(3), row(4)]);
    const typed = { kind: 'cancel', by: 'ada', reason: 'left out of revision 2', at: NOW } as const;
    await moved(ledger(), await only(ledger(), id, 5), typed);
    await revised(id, [row(1), row(2, { amount: money('GHS 977.00'), account: '0244009999' })]);
    const { entries } = await ledger().decisions(id, 100);
    const told = decisionsOf(entries).filter(({ kind }) => kind === 'cancel');
    expect(told.map(({ what, rows, why }) => [what, rows, why])).toEqual([
      ['Withdrawn', [5], 'left out of revision 2'],
      ['Not in the newer file', [3, 4], 'revision 2 of the file does not have this row'],
    ]);
  });

  it('verifies a batch with the newer files that brought its rows', async () => {
    const id = await batchOf(ledger(), [row(1), row(2)]);
    const { entries } = await ledger().verify(id);
    await revised(id, [row(1), row(2), row(3), row(4)]);
    const verified = await ledger().verify(id);
    expect(verified.problems).toEqual([]);
    // The four rows of the newer file as they were read are entries of its own chain.
    expect(verified.entries).toBeGreaterThanOrEqual(entries + 4 + 4);
  });

  it('keeps a row withdrawn that comes again, and counts it; pays one anew that a newer file left out', async () => {
    const id = await batchOf(ledger(), [row(1), row(2), row(3)]);
    await moved(ledger(), await only(ledger(), id, 2), anEvent('cancel'));
    await revised(id, [row(1), row(2)]);
    const again = await importOf(ledger(), [row(1), row(2), row(3)]);
    expect(await ledger().compare(id, again)).toMatchObject({ unchanged: 2, added: 1, staysCanceled: 1 });
    await ledger().dropImport(again);
    await revised(id, [row(1), row(2), row(3)]);
    expect(await states(id)).toEqual([
      [2, 'R-1', 'canceled'],
      [3, 'R-2', 'planned'],
      [4, 'R-3', 'planned'],
    ]);
  });

  it('keeps a row withdrawn that a newer file did not have and the next one has again', async () => {
    const id = await batchOf(ledger(), [row(1), row(2), row(3)]);
    const withdrawn = await only(ledger(), id, 2);
    await moved(ledger(), withdrawn, anEvent('cancel'));
    await revised(id, [row(2), row(3)]);
    const again = await importOf(ledger(), [row(1), row(2), row(3)]);
    expect(await ledger().compare(id, again)).toMatchObject({
      ...{ unchanged: 2, added: 1, removed: 0, staysCanceled: 1 },
    });
    await ledger().dropImport(again);
    await revised(id, [row(1), row(2), row(3)]);
    expect(await states(id)).toEqual([
      [2, 'R-1', 'canceled'],
      [3, 'R-2', 'planned'],
      [4, 'R-3', 'planned'],
    ]);
    expect((await only(ledger(), id, 2)).id).toBe(withdrawn.id);
    expect((await ledger().verify()).problems).toEqual([]);
  });

  it('keeps a row withdrawn whose cells are the same and mean another bank now, or nothing', async () => {
    const cells = ['Ama', '0244000001', 'GCB Bank'];
    const id = await batchOf(ledger(), [{ ...row(1), cells }, row(2)]);
    await moved(ledger(), await only(ledger(), id, 2), anEvent('cancel'));
    const other = { ...row(1, { institutionId: asInstitutionId('i-2') }), cells };
    const importId = await importOf(ledger(), [other, row(2)]);
    expect(await ledger().compare(id, importId)).toMatchObject({ added: 1, removed: 1, staysCanceled: 1 });
    await ledger().dropImport(importId);
    const statuses = async (first: StagedRow) => {
      await revised(id, [first, row(2)]);
      expect((await ledger().verify()).problems).toEqual([]);
      return (await states(id)).map(([, , status]) => status);
    };
    expect(await statuses(other)).toEqual(['canceled', 'planned']);
    expect((await only(ledger(), id, 2)).state).toMatchObject({ by: 'ama', reason: 'left the company' });
    expect(await statuses({ ...invalidRow(1), cells })).toEqual(['invalid', 'planned']);
    expect(await statuses(other)).toEqual(['canceled', 'planned']);
    expect(await statuses({ ...row(1), cells })).toEqual(['canceled', 'planned']);
    expect(await statuses(row(1, { amount: money('GHS 5.00') }))).toEqual(['planned', 'planned']);
  });

  it('pays a withdrawn row as often as somebody asked to pay it again, and no newer file changes that', async () => {
    const id = await batchOf(ledger(), [row(1), row(2)]);
    const withdrawn = await only(ledger(), id, 2);
    await moved(ledger(), withdrawn, anEvent('cancel'));
    const paidAgain = await ledger().addReplacement(withdrawn.id, 'ben', NOW);
    await revised(id, [row(2)]);
    await revised(id, [row(1), row(2)]);
    const [first] = await all(ledger(), id);
    expect([withdrawn.id, paidAgain.id]).not.toContain(first?.id);
    expect(await states(id)).toEqual([
      [2, 'R-1', 'planned'],
      [3, 'R-2', 'planned'],
    ]);
  });

  it('keeps a row withdrawn that a file paid again beside its place, once that file is gone', async () => {
    const id = await batchOf(ledger(), [row(1), row(2)]);
    const withdrawn = await moved(ledger(), await only(ledger(), id, 2), anEvent('cancel'));
    const paysAgain = { ...row(1, { replaces: withdrawn.id }), rowNumber: 4, cells: ['R-1', withdrawn.id] };
    await revised(id, [paysAgain, row(2)]);
    const again = await importOf(ledger(), [row(1), row(2), paysAgain]);
    expect(await ledger().compare(id, again)).toMatchObject({ added: 1, removed: 0, staysCanceled: 1 });
    await ledger().dropImport(again);
    await revised(id, [row(1), row(2)]);
    expect((await only(ledger(), id, 2)).id).toBe(withdrawn.id);
    expect(await states(id)).toEqual([
      [2, 'R-1', 'canceled'],
      [3, 'R-2', 'planned'],
    ]);
    expect((await ledger().verify()).problems).toEqual([]);
  });

  it('keeps a row withdrawn that was to be paid again and was withdrawn once more', async () => {
    const id = await batchOf(ledger(), [row(1), row(2)]);
    const first = await moved(ledger(), await only(ledger(), id, 2), anEvent('cancel'));
    const second = await ledger().addReplacement(first.id, 'ben', NOW);
    await moved(ledger(), second, anEvent('cancel'));
    await revised(id, [row(2)]);
    await revised(id, [row(1), row(2), row(1)]);
    expect((await all(ledger(), id)).map(({ id: payout, state }) => [payout, state.status])).toEqual([
      [second.id, 'canceled'],
      [expect.any(String), 'planned'],
      [expect.any(String), 'planned'],
    ]);
    const third = await ledger().addReplacement(second.id, 'ben', NOW);
    await revised(id, [row(2)]);
    await revised(id, [row(1), row(2)]);
    expect(await states(id)).toEqual([
      [2, 'R-1', 'planned'],
      [3, 'R-2', 'planned'],
    ]);
    expect((await only(ledger(), id, 2)).id).not.toBe(third.id);
  });

  it('keeps a row withdrawn that pays a withdrawn row of its batch again', async () => {
    const id = await batchOf(ledger(), [row(1), row(2)]);
    const first = await moved(ledger(), await only(ledger(), id, 2), anEvent('cancel'));
    const paysAgain = { ...row(1, { replaces: first.id }), cells: ['R-1', first.id] };
    await revised(id, [paysAgain, row(2)]);
    const second = await moved(ledger(), await only(ledger(), id, 2), anEvent('cancel'));
    await revised(id, [row(2)]);
    await revised(id, [paysAgain, row(2)]);
    expect(await only(ledger(), id, 2)).toMatchObject({ id: second.id, state: { status: 'canceled' } });
  });

  it('pays a row anew beside an equal one that has its place back from a withdrawn replacement', async () => {
    const id = await batchOf(ledger(), [row(1)]);
    const failed = await walkedTo(ledger(), await only(ledger(), id, 2), 'failed');
    const again = await ledger().addReplacement(failed.id, 'ben', NOW);
    await moved(ledger(), again, anEvent('cancel'));
    await ledger().putBack(failed.id, NOW);
    await revised(id, [row(1), row(1)]);
    const stands = (await all(ledger(), id)).map(({ state }) => state.status);
    expect(stands).toEqual(['failed', 'planned']);
  });

  it('matches equal rows one to one, those already paid first', async () => {
    const id = await batchOf(ledger(), [row(1, twin), row(2, twin)]);
    const paid = await walkedTo(ledger(), await only(ledger(), id, 3), 'settled');
    const importId = await importOf(ledger(), [row(1, twin)]);
    expect(await ledger().compare(id, importId)).toMatchObject({
      unchanged: 1,
      added: 0,
      removed: 1,
      conflictCount: 0,
    });
    await ledger().revise(id, importId, { by: 'ama', at: NOW, seal: await sealOf(ledger(), importId) });
    expect((await all(ledger(), id)).map((payout) => payout.id)).toEqual([paid.id]);
    await revised(id, [row(1, twin), row(2, twin), row(3, twin)]);
    expect((await all(ledger(), id)).map(({ state }) => state.status)).toEqual([
      'settled',
      'planned',
      'planned',
    ]);
  });

  /** Equal rows: a column of the file's own tells them apart. */
  const invoice = (number: string): StagedRow => ({ ...row(1, twin), cells: ['0244000001', number] });
  const standing = async (id: BatchId) => {
    const found = [];
    for await (const page of ledger().reportRows(id)) found.push(...page);
    return found.map(({ cells, payout }) => [cells[1], payout.state.status]);
  };

  it('keeps each of equal rows with its own cells, whatever comes before it and whichever was paid', async () => {
    const id = await batchOf(ledger(), [invoice('INV-1'), invoice('INV-2'), invoice('INV-3')]);
    const [first, second] = await all(ledger(), id);
    if (first === undefined || second === undefined) throw new RangeError('Three rows were staged');
    await moved(ledger(), first, anEvent('cancel'));
    await walkedTo(ledger(), second, 'settled');
    await revised(id, ['INV-3', 'INV-1', 'INV-4', 'INV-2'].map(invoice));
    expect(await standing(id)).toEqual([
      ['INV-3', 'planned'],
      ['INV-1', 'canceled'],
      ['INV-4', 'planned'],
      ['INV-2', 'settled'],
    ]);
    expect((await ledger().verify()).problems).toEqual([]);
  });

  it('leaves a row with its own cells when an equal one that was paid has other cells now', async () => {
    const id = await batchOf(ledger(), [invoice('INV-1'), invoice('INV-2')]);
    const paid = (await all(ledger(), id))[1];
    if (paid === undefined) throw new RangeError('Two rows were staged');
    await walkedTo(ledger(), paid, 'settled');
    await revised(id, ['INV-1', 'INV-2 (late)'].map(invoice));
    expect(await standing(id)).toEqual([
      ['INV-1', 'planned'],
      ['INV-2 (late)', 'settled'],
    ]);
    // Only one is left: it stands for the money that moved.
    await revised(id, [invoice('INV-1')]);
    expect(await standing(id)).toEqual([['INV-1', 'settled']]);
  });

  const hidden = (n: number): StagedRow => ({
    ...row(n),
    state: {
      status: 'held',
      reasons: [aReason({ kind: 'hidden_row', account: `account of row ${n}` }, 'hidden')],
      releases: [],
      pricing: undefined,
    },
  });

  it('[F24] lets the hold of a hidden row go once the file shows it, and holds one that was hidden since', async () => {
    const id = await batchOf(ledger(), [hidden(1), row(2), row(3)]);
    await walkedTo(ledger(), await only(ledger(), id, 4), 'approved');
    await revised(id, [row(1), hidden(2), hidden(3)]);
    expect(await states(id)).toEqual([
      [2, 'R-1', 'planned'],
      [3, 'R-2', 'held'],
      [4, 'R-3', 'approved'],
    ]);
  });

  it('does not hold a row again that a person let go although it is hidden', async () => {
    const id = await batchOf(ledger(), [hidden(1), hidden(2)]);
    const held = await only(ledger(), id, 2);
    const reasons = held.state.status === 'held' ? held.state.reasons : [];
    const saw = reasons.map(({ concern }) => concern);
    const release = { by: 'ben', reason: 'meant', saw, at: NOW };
    await moved(ledger(), held, { kind: 'release', release, at: NOW });
    await revised(id, [hidden(1), hidden(2), row(3)]);
    expect((await states(id)).map(([, , status]) => status)).toEqual(['planned', 'held', 'planned']);
  });

  it('holds a payment that takes the place of a hidden row, whatever was released before', async () => {
    const id = await batchOf(ledger(), [hidden(1), hidden(2), hidden(3), row(4)]);
    const canceled = await moved(ledger(), await only(ledger(), id, 2), anEvent('cancel'));
    const held = await only(ledger(), id, 3);
    const saw = held.state.status === 'held' ? held.state.reasons.map(({ concern }) => concern) : [];
    const release = { by: 'ben', reason: 'meant', saw, at: NOW };
    await moved(ledger(), held, { kind: 'release', release, at: NOW });
    const failed = await walkedTo(ledger(), await only(ledger(), id, 3), 'failed');
    const shown = await moved(ledger(), await only(ledger(), id, 4), anEvent('cancel'));
    const hiddenSince = await walkedTo(ledger(), await only(ledger(), id, 5), 'failed');
    await revised(id, [hidden(1), hidden(2), row(3), hidden(4), row(5)]);
    const paidAgain = [];
    for (const payout of [canceled, failed, shown, hiddenSince])
      paidAgain.push((await ledger().addReplacement(payout.id, 'ben', NOW)).state);
    expect(paidAgain).toMatchObject([
      { status: 'held', reasons: [{ concern: { kind: 'hidden_row' } }], releases: [] },
      { status: 'held', reasons: [{ concern: { kind: 'hidden_row' } }], releases: [] },
      { status: 'planned' },
      { status: 'held', reasons: [{ concern: { kind: 'hidden_row' } }], releases: [] },
    ]);
    // The same file goes on with it.
    const again = await importOf(ledger(), [hidden(1), hidden(2), row(3), hidden(4), row(5)]);
    expect(await ledger().compare(id, again)).toMatchObject({ conflictCount: 0, unchanged: 5, added: 0 });
    // Neither does paying it again once more forget it.
    const twice = await moved(ledger(), await only(ledger(), id, 2), anEvent('cancel'));
    expect((await ledger().addReplacement(twice.id, 'ben', NOW)).state.status).toBe('held');
    expect((await ledger().verify()).problems).toEqual([]);
  });

  it('takes no file that hides a row which is to be paid again, before the row is withdrawn', async () => {
    const id = await batchOf(ledger(), [row(1), row(2)]);
    const failed = await walkedTo(ledger(), await only(ledger(), id, 2), 'failed');
    const fresh = await ledger().addReplacement(failed.id, 'ben', NOW);
    const hiding = await importOf(ledger(), [hidden(1), row(2)]);
    expect(await ledger().compare(id, hiding)).toMatchObject({ conflictCount: 1 });
    await moved(ledger(), fresh, anEvent('cancel'));
    expect(await ledger().compare(id, hiding)).toMatchObject({ conflictCount: 0, unchanged: 2 });
  });

  it('lets the newest instruction stand for its row in a revision', async () => {
    const id = await batchOf(ledger(), [row(1), row(2)]);
    const failed = await walkedTo(ledger(), await only(ledger(), id, 2), 'failed');
    const fresh = await walkedTo(ledger(), await ledger().addReplacement(failed.id, 'ben', NOW), 'approved');
    await revised(id, [row(2), row(1), row(3)]);
    expect((await all(ledger(), id)).map((payout) => payout.id)).toContain(fresh.id);
    expect(await ledger().counts(id)).toMatchObject({ approved: 1, planned: 2, failed: 0 });
  });

  it('does nothing when a revision that was finished is asked for again', async () => {
    const id = await batchOf(ledger(), [row(1)]);
    const importId = await revised(id, [row(1), row(2)]);
    const before = await all(ledger(), id);
    const seal = {
      fileSha256: 'e'.repeat(64),
      digest: 'never' as never,
      at: NOW,
      amountStyle: STYLE_READ,
    };
    await ledger().revise(id, importId, { by: 'ama', at: NOW, seal });
    expect(await all(ledger(), id)).toStrictEqual(before);
    expect(await ledger().batch(id)).toMatchObject({ revision: 2 });
  });
}
