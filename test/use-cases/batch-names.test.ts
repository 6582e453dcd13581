/** What a batch that begins may be called, wherever its name comes from. */
import { describe, expect, it } from 'vitest';
import type { Batch } from '../../src/domain/batches/batch.ts';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { askRepeats } from '../../src/use-cases/decide/repeats.ts';
import { findBatch } from '../../src/use-cases/find-batch.ts';
import { freeBatchName, requireBatchName } from '../../src/use-cases/intake/batch-name.ts';
import { askWith } from '../../src/use-cases/user-questions.ts';
import { importOf, row } from '../builders/ledger-batches.ts';
import { aRow, someRows } from '../builders/payout-file.ts';
import { aWorkplace, type Workplace } from '../builders/workplace.ts';

const batchOf = async ({ world }: Workplace, id: BatchId): Promise<Batch> => {
  const batch = await world.ledger.batch(id);
  if (batch === undefined) throw new TypeError('no batch');
  return batch;
};

async function answered(name: unknown) {
  const place = await aWorkplace({ policy: { concurrency: 1 } });
  const may = await batchOf(place, await place.approved(someRows(5), 'may'));
  const nameless = await batchOf(place, await place.approved([21, 22, 23, 24, 25].map((n) => aRow(n))));
  const ask = askWith({ repeats: async () => 'again', name_of_batch: async () => name as string });
  const overlaps = [{ batch: may, rows: 5, again: 0 }];
  const question = { batch: nameless, rows: 5, overlaps, said: undefined, by: 'ada', ask };
  const answer = await askRepeats(question, place.world).catch((error: unknown) => error);
  return { answer, name: (await batchOf(place, nameless.id)).name };
}

describe('the name that is asked for when a file repeats a batch', () => {
  it('is taken as it was typed, without the spaces around it', async () => {
    expect(await answered(' june ')).toMatchObject({ answer: { kind: 'released' }, name: 'june' });
  });

  it.each([['may'], [''], [' '], ['a\nb'], ['\u202emay'], ['x'.repeat(101)], [202606], [true]])(
    'is refused as %j, and the batch keeps none',
    async (name) => {
      const { answer, name: kept } = await answered(name);
      expect(answer).toMatchObject({ name: 'RequestRefused' });
      expect(kept).toBeUndefined();
    },
  );
});

describe('a name that is the id of a batch', () => {
  it('is refused, wherever it is given', async () => {
    const place = await aWorkplace();
    const id = await place.approved(someRows(1), 'may');
    const ledger = async () => place.world.ledger;
    const said = `No batch can be called “${id}”, because that is the id of batch may.`;
    await expect(requireBatchName(id, ledger)).rejects.toThrow(said);
    await expect(freeBatchName(id, place.world.ledger)).rejects.toThrow(said);
    await requireBatchName('202605', ledger);
  });

  it('is never given to a later batch as its id', async () => {
    const place = await aWorkplace();
    const first = await place.approved(someRows(1), String(2));
    const second = await place.approved([aRow(7)]);
    expect([first, second]).toEqual(['1', '3']);
    expect((await findBatch('2', place.world.ledger)).id).toBe(first);
  });

  it('is refused at the end too, when that batch was begun while the file was read', async () => {
    const place = await aWorkplace();
    const { ledger } = place.world;
    const begun = await importOf(ledger, [row(1)]);
    await expect(place.place(someRows(1), begun)).rejects.toThrow(
      `No batch can be called “${begun}”, because that is the id of another batch.`,
    );
    expect((await ledger.batches()).map(({ id }) => id)).toEqual([begun]);
    await place.place(someRows(1), '3');
    expect((await ledger.batches()).map(({ id, name }) => [id, name])).toContainEqual(['3', '3']);
  });
});

describe('a name that is written like an id, such as id:1', () => {
  it('is refused, wherever it is given', async () => {
    const place = await aWorkplace();
    const said = 'No batch can be called “id:7”; expected 1 to 100 characters on one line';
    await expect(requireBatchName('id:7', async () => place.world.ledger)).rejects.toThrow(said);
    await expect(freeBatchName('id:7', place.world.ledger)).rejects.toThrow(said);
    await requireBatchName('id:seven', async () => place.world.ledger);
  });
});
