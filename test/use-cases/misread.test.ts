/** Rows that an older program paid 900.50 for a cell that says 900,500: what it left unsent waits for a person. */
import { expect, it } from 'vitest';
import type { Money } from '../../src/domain/money/money.ts';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { approveBatch, approveRows } from '../../src/use-cases/approve/approve-batch.ts';
import { releaseHeld } from '../../src/use-cases/decide/release-held.ts';
import { sendBatch } from '../../src/use-cases/send/send-batch.ts';
import { importOf, row, STYLE_READ, sealOf } from '../builders/ledger-batches.ts';
import { money } from '../builders/payouts.ts';
import { aWorkplace, HOLDER, type Workplace } from '../builders/workplace.ts';

const written = (n: number, text: string, amount: Money) => ({
  ...row(n, { amount }),
  cells: [`R-${n}`, `0244${n}`, text],
});

const ROWS = [
  written(1, '12.500,00', money('GHS 12500.00')),
  written(2, '900,500', money('GHS 900.50')),
  written(3, '27.500', money('GHS 27500.00')),
  written(4, '900,50', money('GHS 900.50')),
];

/** `style`: undefined as an older program leaves it. */
async function batchOf(place: Workplace, style: typeof STYLE_READ | undefined): Promise<BatchId> {
  const id = await importOf(place.ledger, ROWS);
  const seal = await sealOf(place.ledger, id);
  await place.ledger.seal(id, { ...seal, amountStyle: style as typeof STYLE_READ });
  return id;
}

const HELD = {
  status: 'held',
  reasons: [
    {
      kind: 'amount_misread',
      text: 'The cell says “900,500”, which may be 900500; an older version read it as GHS 900.50',
    },
  ],
};

it('are held before a plan of them is shown', async () => {
  const place = await aWorkplace();
  const id = await batchOf(place, undefined);
  await place.price(id);
  expect(await place.stand(id)).toEqual({ held: 1, quoted: 3 });
  expect((await place.row(id, 3)).state).toMatchObject(HELD);
});

it('are held by the approval of a plan that the older program showed', async () => {
  const place = await aWorkplace();
  const id = await batchOf(place, STYLE_READ);
  await place.price(id);
  const old = await asOld(place, id);
  await approveBatch(id, { by: 'ben', how: 'library', digest: undefined }, old);
  expect(await place.stand(id)).toEqual({ held: 1, approved: 3 });
});

it('are not sent, although the older program let somebody approve them', async () => {
  const place = await aWorkplace();
  const id = await batchOf(place, STYLE_READ);
  await place.price(id);
  await approveRows(
    id,
    { by: 'ben', unchangedSince: await place.ledger.lastEntry(), signal: undefined },
    place.world,
  );
  expect(await place.stand(id)).toEqual({ approved: 4 });
  const old = { ...place, world: await asOld(place, id) };

  await sendBatch(id, old.world, { holder: HOLDER, leaseLost: new AbortController().signal });
  expect(await place.stand(id)).toEqual({ held: 1, accepted: 3 });
  expect((await place.row(id, 3)).state).toMatchObject(HELD);
});

it('go on when a person released them', async () => {
  const place = await aWorkplace();
  const id = await batchOf(place, undefined);
  await place.price(id);
  await releaseHeld(id, { kind: 'rows', rows: ['3'] }, { by: 'ama', reason: 'it is 900.50' }, place.world);
  await place.agree(id);
  await place.send(id);
  expect(await place.stand(id)).toEqual({ accepted: 4 });
});

it('are none in a batch that this program read', async () => {
  const place = await aWorkplace();
  const id = await batchOf(place, STYLE_READ);
  await place.agree(id);
  expect(await place.stand(id)).toEqual({ approved: 4 });
});

/** The same world, in which the batch's file has no style, as older programs leave it. */
async function asOld({ world, ledger }: Workplace, id: BatchId): Promise<Workplace['world']> {
  const asked = ledger.batch.bind(ledger);
  const note = ledger.note.bind(ledger);
  const old = async (each: BatchId) => {
    const batch = await asked(each);
    if (batch === undefined || each !== id) return batch;
    const { amountStyle: _style, ...file } = batch.file;
    return { ...batch, file };
  };
  return { ...world, ledger: Object.assign(Object.create(ledger), { batch: old, note }) };
}
