/**
 * A file that a person calls a new period of a batch: it pays each row of that batch once more, also one that another
 * batch had to pay again. Nothing else is let go with it.
 */
import { describe, expect, it } from 'vitest';
import type { BatchId, PayoutId } from '../../src/domain/payouts/instruction.ts';
import { reissue } from '../../src/use-cases/decide/reissue.ts';
import { releaseHeld } from '../../src/use-cases/decide/release-held.ts';
import { askRepeats } from '../../src/use-cases/decide/repeats.ts';
import { askWith } from '../../src/use-cases/user-questions.ts';
import { aRow, type FileRow } from '../builders/payout-file.ts';
import { aWorkplace, type Workplace } from '../builders/workplace.ts';

const DAY = 24 * 3_600_000;
const rows = [1, 2, 3, 4, 5].map((number) => aRow(number));
const received = (place: Workplace, account: string) =>
  place.service.book.filter((entry) => entry.account === account).length;
const account = (number: number) => `024412300${number}`;

/** May: rows 2 to 5 settle, row 6 is refused. */
async function aMay() {
  const place = await aWorkplace({ policy: { concurrency: 1 } });
  const may = await place.approved(rows, 'may');
  place.service.turns.push('accept', 'accept', 'accept', 'accept', { refuse: 'closed' });
  await place.run(may);
  expect(await place.stand(may)).toEqual({ settled: 4, failed: 1 });
  const failed = await place.row(may, 6);
  const again = (replaces: PayoutId, name: string, ...more: readonly FileRow[]) =>
    place.approved([aRow(5, { replaces }), ...more], name);
  return { place, may, failed, again };
}

/** The same with row 6 paid by the batch `may-redo`, together with the rows that are given. */
async function paidAgain(...more: readonly FileRow[]) {
  const { again, ...began } = await aMay();
  const redo = await again(began.failed.id, 'may-redo', ...more);
  await began.place.run(redo);
  expect(await began.place.stand(redo)).toEqual({ settled: 1 + more.length });
  return { ...began, redo };
}

async function said(place: Workplace, file: readonly FileRow[], name: string, of: BatchId) {
  place.clock.advance(DAY);
  const { batch } = await place.place(file, name);
  await place.run(batch.id, { newPeriod: { of, by: 'ada' } });
  return batch.id;
}

it('pays the row that another batch paid again, as it pays the others', async () => {
  const { place, may } = await paidAgain();
  expect(await place.stand(await said(place, rows, 'june', may))).toEqual({ settled: 5 });
  expect([1, 2, 3, 4, 5].map((number) => received(place, account(number)))).toEqual([2, 2, 2, 2, 2]);
});

it('pays it also where the redo file failed and its row was planned again', async () => {
  const { place, may, failed, again } = await aMay();
  place.service.turns.push({ refuse: 'closed' });
  const redo = await again(failed.id, 'may-redo');
  await place.run(redo);
  await reissue(redo, { kind: 'all' }, { by: 'ben', evidence: 'wrote so' }, place.world);
  await place.run(redo);
  expect(await place.stand(redo)).toEqual({ settled: 1 });
  expect(await place.stand(await said(place, rows, 'june', may))).toEqual({ settled: 5 });
});

it('asks about all of them at once, also where many were paid again, and says how many these are', async () => {
  const { place, may } = await paidAgain();
  place.clock.advance(DAY);
  const { batch, ...placed } = await place.place(rows, 'june');
  if (placed.kind !== 'new') throw new TypeError(placed.kind);
  const asked: unknown[] = [];
  const ask = askWith({
    repeats: async ({ repeats }) => {
      asked.push({ of: repeats.of.name, repeated: repeats.repeated, again: repeats.again });
      return 'again';
    },
  });
  const question = { batch, rows: 5, overlaps: placed.overlaps, said: undefined, by: 'ada', ask };
  expect(await askRepeats(question, place.world)).toEqual({
    kind: 'released',
    newPeriod: { of: may, by: 'ada' },
  });
  expect(asked).toEqual([{ of: 'may', repeated: 5, again: 1 }]);
});

it('lets a row go that was held before the person said so', async () => {
  const { place, may } = await paidAgain();
  place.clock.advance(DAY);
  const { batch } = await place.place(rows, 'june');
  await place.run(batch.id);
  expect(await place.stand(batch.id)).toEqual({ held: 5 });
  const question = { batch, rows: 5, overlaps: [], said: 'may', by: 'ada', ask: undefined };
  await askRepeats(question, place.world);
  await place.run(batch.id, { newPeriod: { of: may, by: 'ada' } });
  expect(await place.stand(batch.id)).toEqual({ settled: 5 });
});

it('does not pay a row again that was sent just now, however old its batch is', async () => {
  const { place, may, again, failed } = await aMay();
  place.clock.advance(DAY);
  await place.run(await again(failed.id, 'may-redo'));
  const { batch } = await place.place(rows, 'june');
  const question = { batch, rows: 5, overlaps: [], said: 'may', by: 'ada', ask: undefined };
  expect(await askRepeats(question, place.world)).toMatchObject({
    kind: 'too_early',
    of: { id: may },
    why: expect.stringMatching(
      /^A payment of batch may that this file repeats was sent at .* UTC, less than 20 h ago \(the setting repeatHours\)\./,
    ),
  });
  place.clock.advance(DAY);
  expect(await askRepeats(question, place.world)).toMatchObject({ kind: 'released' });
});

it('sends a row that was agreed to before the other batch paid its row again', async () => {
  const { place, may, failed, again } = await aMay();
  place.clock.advance(DAY);
  const { batch } = await place.place(rows, 'june');
  const { ledger, clock } = place;
  await ledger.note(batch.id, 'repeats_released', { of: may, by: 'ada' }, clock.now());
  await place.run(batch.id, {
    newPeriod: { of: may, by: 'ada' },
    consent: async () => ({ kind: 'not_agreed', why: 'canceled', reason: 'later' }),
  });
  await place.run(await again(failed.id, 'may-redo'));
  place.clock.advance(DAY);
  await place.run(batch.id, { newPeriod: { of: may, by: 'ada' } });
  expect(await place.stand(batch.id)).toEqual({ settled: 5 });
});

it('holds a row whose payment was sent just now, whatever was said before', async () => {
  const { place, may, failed, again } = await aMay();
  place.clock.advance(DAY);
  const { batch } = await place.place(rows, 'june');
  await place.run(await again(failed.id, 'may-redo'));
  await place.run(batch.id, { newPeriod: { of: may, by: 'ada' } });
  expect(await place.stand(batch.id)).toEqual({ settled: 4, held: 1 });
  expect(received(place, account(5))).toBe(1);
});

describe('nothing else is let go:', () => {
  it('a payment of the other batch that pays no row of this one again', async () => {
    const bonus = aRow(1, { reference: 'BONUS', amount: '77.00' });
    const { place, may } = await paidAgain(bonus);
    const june = await said(place, [...rows, bonus], 'june', may);
    expect(await place.stand(june)).toEqual({ settled: 5, held: 1 });
    expect(await place.row(june, 7)).toMatchObject({ state: { status: 'held' } });
    expect(received(place, account(1))).toBe(3);
  });

  it('an equal payment that another batch made for no row of this one', async () => {
    const { place, may } = await aMay();
    await place.run(await place.approved([aRow(5)], 'by-hand'));
    const june = await said(place, rows, 'june', may);
    expect(await place.stand(june)).toEqual({ settled: 4, held: 1 });
    expect(received(place, account(5))).toBe(1);
  });

  it('a payment of the batch itself, where only the one that paid its rows again was named', async () => {
    const { place, redo } = await paidAgain();
    const june = await said(place, rows, 'june', redo);
    expect(await place.stand(june)).toEqual({ settled: 1, held: 4 });
  });

  it('a payment that is not known to be made or not', async () => {
    const { place, may, failed, again } = await aMay();
    const redo = await again(failed.id, 'may-redo');
    place.service.turns.push('lose_after');
    await place.send(redo);
    expect(await place.stand(redo)).toEqual({ in_doubt: 1 });
    const june = await said(place, rows, 'june', may);
    expect(await place.stand(june)).toEqual({ settled: 4, held: 1 });
    expect(received(place, account(5))).toBe(1);
  });

  it('the same redo file once more under another name', async () => {
    const { place, may, failed } = await paidAgain();
    const { batch } = await place.place([aRow(5, { replaces: failed.id })], 'may-redo-2');
    await place.run(batch.id, { newPeriod: { of: may, by: 'ada' } });
    expect(received(place, account(5))).toBe(1);
  });

  it('a row of the file itself, of which an equal row was released and another batch paid it', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const twin = aRow(1, { reference: '' });
    const { batch } = await place.place([twin, twin], 'may');
    place.service.turns.push({ refuse: 'closed' });
    await place.run(batch.id);
    expect(await place.stand(batch.id)).toEqual({ failed: 1, held: 1 });
    const { id } = await place.row(batch.id, 2);
    await place.run(await place.approved([{ ...twin, replaces: id }], 'may-redo'));
    await releaseHeld(batch.id, { kind: 'all' }, { by: 'ben', reason: 'both are meant' }, place.world);
    await place.run(batch.id);
    expect(await place.stand(batch.id)).toEqual({ failed: 1, held: 1 });
    expect(received(place, account(1))).toBe(1);
  });
});
