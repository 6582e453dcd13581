/** What a file is: a new batch, the next revision, the same as before, or a change of what was agreed to. */
import { describe, expect, it } from 'vitest';
import { conflictText } from '../../src/domain/batches/revision-conflict.ts';
import { FileRefused } from '../../src/ports/row-source.ts';
import { reissue } from '../../src/use-cases/decide/reissue.ts';
import { cancelUnsent } from '../../src/use-cases/decide/release-held.ts';
import { aRow, type FileRow, someRows } from '../builders/payout-file.ts';
import { aWorkplace, type Workplace } from '../builders/workplace.ts';

const changed = (rows: readonly FileRow[], at: number, changes: FileRow) =>
  rows.map((row, index) => (index === at ? { ...row, ...changes } : row));

async function finished(place: Workplace, rows: readonly FileRow[], name: string) {
  const batch = await place.approved(rows, name);
  await place.run(batch);
  return batch;
}

describe('the same rows again', () => {
  it('[B1][B2] are a batch that is finished, and nothing is sent', async () => {
    const place = await aWorkplace();
    const batch = await finished(place, someRows(4), 'may');
    expect(await place.place(someRows(4), 'may')).toMatchObject({ kind: 'finished', batch: { id: batch } });
    expect(await place.place(someRows(4).toReversed(), 'may')).toMatchObject({ kind: 'finished' });
    expect(place.service.book).toHaveLength(4);
    expect(await place.ledger.batches()).toHaveLength(1);
  });

  it('go on where the last run stopped', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(4), 'may');
    await place.send(batch, { signal: AbortSignal.abort() });
    expect(await place.place(someRows(4), 'may')).toMatchObject({ kind: 'revision', batch: { id: batch } });
    expect(await place.stand(batch)).toEqual({ approved: 4 });
    await place.run(batch);
    expect(place.service.book).toHaveLength(4);
  });

  it('show the service’s words where it gives no name, and can be paid once the name is written', async () => {
    const place = await aWorkplace();
    const words = { kind: 'declined', code: '61', message: 'No names for 0244123002 today' } as const;
    place.service.nameAnswer = words;
    const { batch } = await place.place([aRow(1), aRow(2, { name: '' })], 'may');
    await place.price(batch.id);
    expect((await place.row(batch.id, 3)).state).toMatchObject({
      status: 'invalid',
      issues: [
        { expected: expect.stringMatching(/none for this account: No names for •+3002 today \(code 61\)$/) },
      ],
    });
    await place.place([aRow(1), aRow(2)], 'may');
    await place.price(batch.id);
    expect(await place.stand(batch.id)).toEqual({ held: 2 });
  });

  it('keep the row that pays a failed one again, though the service gives no name for it any more', async () => {
    const place = await aWorkplace();
    const rows = [aRow(1, { name: '' })];
    place.service.script = () => ({ refuse: 'closed' });
    const batch = await finished(place, rows, 'may');
    place.clock.advance(25 * 3_600_000);
    await reissue(batch, { kind: 'rows', rows: ['2'] }, { by: 'ama', evidence: undefined }, place.world);
    place.service.nameAnswer = { kind: 'declined', code: '61', message: 'not today' };
    await place.price(batch);
    expect(await place.stand(batch)).toMatchObject({ invalid: 1 });
    expect(await place.place(rows, 'may')).toMatchObject({ kind: 'revision', comparison: { unchanged: 1 } });
  });

  it('[B6][B1] under another name are a new batch whose rows are held as repeats', async () => {
    const place = await aWorkplace();
    await finished(place, someRows(3), 'may');
    const june = await place.place(someRows(3), 'june');
    expect(june).toMatchObject({ kind: 'new', overlaps: [{ rows: 3 }] });
    await place.run(june.batch.id);
    expect(await place.stand(june.batch.id)).toEqual({ held: 3 });
    expect(place.service.book).toHaveLength(3);
  });

  it('go out under a new name when a person let that batch be repeated', async () => {
    const place = await aWorkplace();
    const may = await finished(place, someRows(3), 'may');
    place.clock.advance(24 * 3_600_000);
    const june = await place.place(someRows(3), 'june');
    await place.run(june.batch.id, { newPeriod: { of: may, by: 'ada' } });
    expect(await place.stand(june.batch.id)).toEqual({ settled: 3 });
    expect(place.service.book).toHaveLength(6);
  });

  it('[issue 30, 21] keep a row withdrawn that a person withdrew, and count it', async () => {
    const place = await aWorkplace();
    const { batch } = await place.place(someRows(3), 'may');
    const row3 = { kind: 'rows', rows: ['3'] } as const;
    await cancelUnsent(batch.id, row3, { by: 'ben', reason: 'left the company' }, place.world);
    expect(await place.place(someRows(3), 'may')).toMatchObject({
      kind: 'revision',
      comparison: { unchanged: 3, staysCanceled: 1 },
    });
    await place.run(batch.id);
    expect(await place.stand(batch.id)).toEqual({ settled: 2, canceled: 1 });
    expect((await place.place(someRows(4), 'may')).kind).toBe('revision');
    await place.run(batch.id);
    expect(await place.stand(batch.id)).toEqual({ settled: 3, canceled: 1 });
    const again = { by: 'ben', evidence: undefined };
    expect((await reissue(batch.id, row3, again, place.world)).done).toEqual([3]);
    await place.run(batch.id);
    expect(await place.stand(batch.id)).toEqual({ settled: 4 });
  });
});

describe('[issue 30, 1] an account that is corrected before the plan is agreed to', () => {
  it.each([
    ['GCB Bank', '0244123456', '233244123456'],
    ['GCB Bank', 'john.doe1', 'johndoe1'],
    ['GCB Bank', 'Ama_K1', 'AMA_K1'],
    ['GCB Bank', '12_34_567890', '1234567890'],
    ['MTN Mobile Money', '+233244123456', '0244123456'],
  ])('at %s from %s to %s: the corrected one alone is paid', async (institution, wrong, right) => {
    const place = await aWorkplace();
    const rows = (account: string) => [aRow(1, { institution, account }), aRow(2)];
    const first = await place.place(rows(wrong), 'may');
    await place.price(first.batch.id);
    const again = await place.place(rows(right), 'may');
    expect(again).toMatchObject({ kind: 'revision', comparison: { added: 1, removed: 1, unchanged: 1 } });
    await place.run(first.batch.id);
    expect(place.service.book.map(({ account }) => account).toSorted()).toEqual(
      [right, '0244123002'].toSorted(),
    );
  });

  it('is refused once the wrong one was agreed to', async () => {
    const place = await aWorkplace();
    await place.approved([aRow(1, { institution: 'GCB Bank', account: 'john.doe1' })], 'may');
    const again = await place.place([aRow(1, { institution: 'GCB Bank', account: 'johndoe1' })], 'may');
    expect(again.kind).toBe('refused');
  });
});

describe('one row mended', () => {
  it('is a revision: the other rows keep what they have, the mended one is paid', async () => {
    const place = await aWorkplace();
    const bad = changed(someRows(4), 2, { amount: '12OO' });
    const first = await place.place(bad, 'may');
    await place.price(first.batch.id);
    expect(await place.stand(first.batch.id)).toEqual({ quoted: 3, invalid: 1 });
    const again = await place.place(someRows(4), 'may');
    expect(again).toMatchObject({
      kind: 'revision',
      batch: { id: first.batch.id },
      comparison: { unchanged: 3, added: 1 },
    });
    await place.run(first.batch.id);
    expect(await place.stand(first.batch.id)).toEqual({ settled: 4 });
    expect(place.service.book).toHaveLength(4);
  });

  it('is a revision too when the others were paid already, and pays none of them again', async () => {
    const place = await aWorkplace();
    const bad = changed(someRows(4), 2, { amount: '12OO' });
    const first = await place.place(bad, 'may');
    await place.run(first.batch.id, { skipInvalid: true });
    expect(await place.stand(first.batch.id)).toEqual({ settled: 3, invalid: 1 });
    const mended = await place.place(someRows(4), 'may');
    expect(mended.kind).toBe('revision');
    await place.run(first.batch.id);
    expect(await place.stand(first.batch.id)).toEqual({ settled: 4 });
    expect(place.service.book.map(({ account }) => account).toSorted()).toEqual(
      [1, 2, 3, 4].map((number) => `024412300${number}`),
    );
  });

  it('[B4] adds rows that need an approval of their own', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(3), 'may');
    expect(await place.place(someRows(4), 'may')).toMatchObject({
      kind: 'revision',
      comparison: { added: 1 },
    });
    await place.price(batch);
    expect(await place.stand(batch)).toEqual({ approved: 3, quoted: 1 });
  });
});

describe('a row that was agreed to and is changed or left out', () => {
  it('[B3] refuses the file and names what was agreed to', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(3), 'may');
    const placed = await place.place(changed(someRows(3), 1, { amount: '1250.00' }), 'may');
    if (placed.kind !== 'refused') throw new TypeError('it is refused');
    expect(placed.comparison.conflicts.map(conflictText)).toEqual([
      'Row 3 (GH-002) is not in this file as it was: GHS 1,200.00 to ••••3002 is approved but not sent (2026-05-25 06:00 UTC).',
    ]);
    expect(await place.stand(batch)).toEqual({ approved: 3 });
    expect(await place.ledger.batches()).toHaveLength(1);
  });

  it('refuses the file that leaves it out', async () => {
    const place = await aWorkplace();
    await place.approved(someRows(3), 'may');
    expect(await place.place(someRows(2), 'may')).toMatchObject({
      kind: 'refused',
      comparison: { conflictCount: 1, conflicts: [{ rowNumber: 4 }] },
    });
  });

  it.each(['lose_after', { refuse: 'closed' }] as const)(
    'refuses it whatever became of the row: %o',
    async (script) => {
      const place = await aWorkplace({ policy: { concurrency: 1 } });
      const batch = await place.approved(someRows(2), 'may');
      place.service.turns.push('accept', script);
      await place.run(batch);
      expect((await place.place(changed(someRows(2), 1, { amount: '1.00' }), 'may')).kind).toBe('refused');
    },
  );

  it('lets go of rows that nobody agreed to', async () => {
    const place = await aWorkplace();
    const { batch } = await place.place(someRows(4), 'may');
    await place.price(batch.id);
    expect(await place.place(someRows(2), 'may')).toMatchObject({
      kind: 'revision',
      comparison: { removed: 2 },
    });
    await place.run(batch.id);
    expect(await place.stand(batch.id)).toEqual({ settled: 2 });
  });
});

describe('a file of other rows', () => {
  it('is a new batch', async () => {
    const place = await aWorkplace();
    await finished(place, someRows(2), 'may');
    const other = await place.place([aRow(8), aRow(9)], 'june');
    expect(other).toMatchObject({ kind: 'new', overlaps: [] });
  });

  it('replaces a plan of the same name that nobody agreed to', async () => {
    const place = await aWorkplace();
    const first = await place.place(someRows(2), 'may');
    const second = await place.place([aRow(8), aRow(9)], 'may');
    expect(second).toMatchObject({ kind: 'revision', batch: { id: first.batch.id } });
    expect((await place.payouts(first.batch.id)).map((row) => row.instruction?.reference)).toEqual([
      'GH-008',
      'GH-009',
    ]);
  });
});

it('refuses a file without rows, and keeps nothing of it', async () => {
  const place = await aWorkplace();
  await expect(place.place([])).rejects.toThrow(FileRefused);
  expect(await place.ledger.batches()).toEqual([]);
});

it('[B5] holds the second of two equal rows and pays the first', async () => {
  const place = await aWorkplace();
  const twice = [aRow(1, { reference: '' }), aRow(1, { reference: '' })];
  const batch = await place.approved(twice, 'may');
  await place.run(batch);
  expect(await place.stand(batch)).toEqual({ settled: 1, held: 1 });
  expect(place.service.book).toHaveLength(1);
});
