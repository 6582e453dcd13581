/**
 * A look-up that shows another id than the one that was asked for. A second id of the transfer is kept. A third one, or that
 * of another row, is a difference.
 */
import { describe, expect, it } from 'vitest';
import { asTransferId, type BatchId } from '../../src/domain/payouts/instruction.ts';
import { reasonOf } from '../../src/domain/reporting/reason.ts';
import { reissue } from '../../src/use-cases/decide/reissue.ts';
import { resolveDoubt } from '../../src/use-cases/decide/resolve-doubt.ts';
import { endBatch } from '../../src/use-cases/report/batch-end.ts';
import { settleSent } from '../../src/use-cases/settle/settle-sent.ts';
import { someRows } from '../builders/payout-file.ts';
import { aWorkplace, HOLDER, lookUpsShow, readingPorts, type Workplace } from '../builders/workplace.ts';

const MINUTE = 60_000;
const row2 = { kind: 'rows', rows: ['2'] } as const;
const ben = { by: 'ben', evidence: undefined };
const EVIDENCE = { by: 'ben', evidence: 'their desk says that nobody was paid' };

/** Two rows that are settled, and were looked at. */
async function settledRows() {
  const place = await aWorkplace();
  const batch = await place.approved(someRows(2), 'may');
  await place.send(batch);
  await place.settle(batch);
  return { place, batch };
}

/** A day later: what one look says, and how it ends. */
async function look(place: Workplace, batch: BatchId) {
  place.clock.advance(25 * 60 * MINUTE);
  const request = { holder: HOLDER, deadlineMs: 0 };
  const settled = await settleSent(await place.batch(batch), request, place.world);
  return { settled, end: await endBatch(settled.batch, settled, readingPorts(place)) };
}

describe('another id than the one that was asked for', () => {
  it('is kept as a second id of the payout, and no other row may have it', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(2));
    place.service.turns.push('accept', 'lose_after');
    await place.send(batch);
    lookUpsShow(place, ({ id }) => (id === 'tr-1' ? { id: asTransferId('tx-900') } : {}));
    await place.settle(batch, MINUTE);
    const [first, second] = [await place.row(batch, 2), await place.row(batch, 3)];
    expect(first.state).toMatchObject({ status: 'settled', transferId: 'tr-1', otherId: 'tx-900' });
    expect((await place.ledger.payoutOfTransfer(asTransferId('tx-900')))?.id).toBe(first.id);
    const paid = { kind: 'paid', transferId: 'tx-900', by: 'ben', evidence: 'I think so' } as const;
    const ruled = await resolveDoubt(second, paid, place.world);
    expect(ruled.kind === 'refused' && ruled.reason).toMatch(/already belongs to row 2/);
    expect((await place.ledger.verify()).problems).toEqual([]);
  });

  it('proves nothing where another row has it: the row stays on its way, and is named', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(2), 'may');
    await place.send(batch);
    lookUpsShow(place, ({ id }) => (id === 'tr-2' ? { id: asTransferId('tr-1') } : {}));
    await place.settle(batch, MINUTE);
    expect(await place.stand(batch)).toEqual({ settled: 1, accepted: 1 });
    expect(reasonOf(await place.row(batch, 3), [])).toContain('transfer tr-1 belongs to row 2 of batch may');
  });

  it('makes a settled row differ where another row has it, until the service shows its own transfer again', async () => {
    const { place, batch } = await settledRows();
    const undo = lookUpsShow(place, ({ id }) => (id === 'tr-1' ? { id: asTransferId('tr-2') } : {}));
    for (const isNew of [true, false]) {
      const { settled, end } = await look(place, batch);
      expect([settled.changed, end.exitCode]).toEqual([isNew ? 1 : 0, 3]);
      expect(end.attention).toMatchObject([{ row: 2, status: 'settled', differs: true }]);
      expect(end.attention[0]?.reason).toContain('transfer tr-2 belongs to row 3 of batch may');
    }
    expect(place.told.filter(({ kind }) => kind === 'warning')).toHaveLength(1);
    undo();
    expect((await look(place, batch)).end).toMatchObject({ exitCode: 0, attention: [] });
  });

  it.each(['Failed', 'Reversed'])(
    'is not believed with “%s” after a look under the first id',
    async (status) => {
      const { place, batch } = await settledRows();
      lookUpsShow(place, ({ id }) => (id === 'tr-1' ? { id: asTransferId('tx-900'), status } : {}));
      for (const _ of [1, 2]) {
        const { end } = await look(place, batch);
        expect(end).toMatchObject({ exitCode: 3, attention: [{ row: 2, status: 'settled', differs: true }] });
        expect(end.attention[0]?.reason).toContain('the service shows another id, “tx-900”');
      }
      expect((await reissue(batch, row2, ben, place.world)).done).toEqual([]);
      expect((await reissue(batch, row2, EVIDENCE, place.world)).done).toEqual([2]);
    },
  );

  it('makes the row differ when it is the third one', async () => {
    const { place, batch } = await settledRows();
    const undo = lookUpsShow(place, ({ id }) => (id === 'tr-1' ? { id: asTransferId('tx-900') } : {}));
    expect((await look(place, batch)).end.exitCode).toBe(0);
    undo();
    lookUpsShow(place, ({ id }) => (id === 'tr-1' ? { id: asTransferId('tx-901') } : {}));
    const { end } = await look(place, batch);
    expect(end.exitCode).toBe(3);
    expect(end.attention[0]?.reason).toContain('id: the service shows another id, “tx-901”');
  });

  it('leaves unclear what came back, and holds what would be paid in its place', async () => {
    const { place, batch } = await settledRows();
    const undo = lookUpsShow(place, ({ id }) => (id === 'tr-1' ? { status: 'Reversed' } : {}));
    await look(place, batch);
    place.clock.advance(25 * 60 * MINUTE);
    await reissue(batch, row2, ben, place.world);
    await place.agree(batch);
    undo();
    lookUpsShow(place, ({ id }) => (id === 'tr-1' ? { id: asTransferId('tx-900'), status: 'Reversed' } : {}));
    await place.send(batch);
    expect(await place.stand(batch)).toEqual({ settled: 1, held: 1 });
    expect(place.service.book).toHaveLength(2);
  });

  it('is refused to a new transfer as well: whoever has it in doubt pauses the batch', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1, accountChanges: 'warn' } });
    const first = await place.approved(someRows(1), 'may');
    await place.send(first);
    // Its second id is what the service will call the next transfer.
    lookUpsShow(place, ({ id }) => (id === 'tr-1' ? { id: asTransferId('tr-2') } : {}));
    await place.settle(first, MINUTE);
    const next = await place.approved(someRows(2).slice(1), 'june');
    expect((await place.send(next)).stop).toMatchObject({ kind: 'paused' });
    expect(await place.stand(next)).toEqual({ in_doubt: 1 });
  });
});
