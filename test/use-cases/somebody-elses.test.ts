/** Looking up a transfer and being shown somebody else's: it proves nothing. A second name of one's own is kept. */
import { describe, expect, it } from 'vitest';
import { asTransferId } from '../../src/domain/payouts/instruction.ts';
import { reasonOf } from '../../src/domain/reporting/report-line.ts';
import type { Transaction } from '../../src/ports/payment-service.ts';
import { resolveDoubt } from '../../src/use-cases/decide/resolve-doubt.ts';
import { someRows } from '../builders/payout-file.ts';
import { aWorkplace, type Workplace } from '../builders/workplace.ts';

const MINUTE = 60_000;
/** Another amount, receiver and institution than any row of the file has. */
const ANOTHERS = { amount: '77.00', receiver: 'KOFI BOATENG', institution: 'GCB Bank' };

function shows(place: Workplace, change: (seen: Transaction) => Partial<Transaction>) {
  const { transaction } = place.service;
  place.service.transaction = async (id, signal) => {
    const asked = await transaction(id, signal);
    return asked.kind === 'answered'
      ? { ...asked, answer: { ...asked.answer, ...change(asked.answer) } }
      : asked;
  };
  return () => {
    place.service.transaction = transaction;
  };
}

describe('an answer in which amount, receiver and institution are all shown and all differ', () => {
  it('settles nothing: the row stays on its way, and is named with what is shown', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(1));
    await place.send(batch);
    const undo = shows(place, () => ANOTHERS);
    await place.settle(batch, MINUTE);
    const row = await place.row(batch, 2);
    expect(row.state).toMatchObject({ status: 'accepted', serviceStatus: undefined });
    expect(reasonOf(row, [])).toMatch(
      /^The service has it, but shows somebody else’s payment for it\. What the service shows differs .+ 77\.00/,
    );
    const looks = (await place.ledger.journalOf(row.id)).filter(({ kind }) => kind === 'progress');
    expect(looks, 'the same answer is written down once').toHaveLength(1);
    undo();
    place.clock.advance(10 * MINUTE);
    await place.settle(batch, MINUTE);
    expect((await place.row(batch, 2)).state).toMatchObject({ status: 'settled', discrepancies: [] });
    expect((await place.ledger.verify()).problems).toEqual([]);
  });

  it('fails nothing and returns nothing either', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(1));
    await place.send(batch);
    const undo = shows(place, () => ({ ...ANOTHERS, status: 'Declined' }));
    await place.settle(batch, 60 * MINUTE);
    expect(await place.stand(batch)).toEqual({ accepted: 1 });
    undo();
    place.clock.advance(10 * MINUTE);
    await place.settle(batch, MINUTE);
    shows(place, () => ({ ...ANOTHERS, status: 'Returned' }));
    place.clock.advance(60 * MINUTE);
    const { settleBatch } = await import('../../src/use-cases/settle/settle-batch.ts');
    await settleBatch(batch, place.world, { deadline: place.clock.now(), watchReturnsMs: 24 * 60 * MINUTE });
    expect(await place.stand(batch)).toEqual({ settled: 1 });
  });

  it('does not make a failure paid', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(1));
    await place.send(batch);
    place.service.statusOf = () => 'Declined';
    await place.settle(batch, 60 * MINUTE);
    expect(await place.stand(batch)).toEqual({ failed: 1 });
    shows(place, () => ({ ...ANOTHERS, status: 'Finished' }));
    place.clock.advance(60 * MINUTE);
    expect((await place.settle(batch, MINUTE)).incidents).toEqual([]);
    expect(await place.stand(batch)).toEqual({ failed: 1 });
  });

  it('does not prove the first transfer of a ledger', async () => {
    const place = await aWorkplace({ environment: 'live' });
    const batch = await place.approved(someRows(3));
    shows(place, () => ANOTHERS);
    expect((await place.send(batch)).stop).toEqual({
      kind: 'paused',
      reason: 'the first transfer (row 2) is shown by the service as somebody else’s payment',
    });
    expect(place.service.book).toHaveLength(1);
  });

  it.each(['amount', 'receiver', 'institution'] as const)(
    'is none where the %s is not shown: what is missing differs from nothing',
    async (missing) => {
      const place = await aWorkplace();
      const batch = await place.approved(someRows(1));
      await place.send(batch);
      shows(place, () => ({ ...ANOTHERS, [missing]: undefined }));
      await place.settle(batch, MINUTE);
      expect(await place.stand(batch)).toEqual({ settled: 1 });
    },
  );
});

describe('another id than the one that was asked for', () => {
  it('is kept as a second name of the payout, and no other row may have it', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(2));
    place.service.turns.push('accept', 'lose_after');
    await place.send(batch);
    shows(place, ({ id }) => (id === 'tr-1' ? { id: asTransferId('tx-900') } : {}));
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
    shows(place, ({ id }) => (id === 'tr-2' ? { id: asTransferId('tr-1') } : {}));
    await place.settle(batch, MINUTE);
    expect(await place.stand(batch)).toEqual({ settled: 1, accepted: 1 });
    expect(reasonOf(await place.row(batch, 3), [])).toContain(
      'it is transfer tr-1, which row 2 of batch may has',
    );
  });

  it('is refused to a new transfer as well: whoever has it in doubt pauses the batch', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1, accountChanges: 'warn' } });
    const first = await place.approved(someRows(1), 'may');
    await place.send(first);
    // Its second name is what the service will call the next transfer.
    shows(place, ({ id }) => (id === 'tr-1' ? { id: asTransferId('tr-2') } : {}));
    await place.settle(first, MINUTE);
    const next = await place.approved(someRows(2).slice(1), 'june');
    expect((await place.send(next)).stop).toMatchObject({ kind: 'paused' });
    expect(await place.stand(next)).toEqual({ in_doubt: 1 });
  });
});
