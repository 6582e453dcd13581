/**
 * A newer file for a batch of which a row is to be paid again: the row stands for the payment that was sent, so that the
 * newer file must keep it. The service's own book is the judge.
 */
import { describe, expect, it } from 'vitest';
import { commandText } from '../../src/domain/next-steps/command.ts';
import { commandsFor, nextStepOf } from '../../src/domain/next-steps/next-step.ts';
import { asTransferId } from '../../src/domain/payouts/instruction.ts';
import type { Payout } from '../../src/domain/payouts/payout.ts';
import { reissue } from '../../src/use-cases/decide/reissue.ts';
import { cancelUnsent, releaseHeld } from '../../src/use-cases/decide/release-held.ts';
import { raiseIncident } from '../../src/use-cases/settle/raise-incident.ts';
import { moved, walkedTo } from '../builders/ledger-batches.ts';
import { ledgerWith } from '../builders/ledger-with.ts';
import { aRow, someRows } from '../builders/payout-file.ts';
import { anEvent, aReason } from '../builders/payouts.ts';
import { aWorkplace, type Workplace } from '../builders/workplace.ts';

const HOUR = 3_600_000;
const OLD = someRows(3);
const row3 = { kind: 'rows', rows: ['3'] } as const;
const ben = { by: 'ben', evidence: 'their desk says so' };

const NEWER = {
  'leaves the row out': [aRow(1), aRow(3)],
  'has another amount for it': [aRow(1), aRow(2, { amount: '1210.00' }), aRow(3)],
  'pays another account for it': [aRow(1), aRow(2, { account: '0244999002' }), aRow(3)],
  'pays another person for it': [aRow(1), aRow(2, { name: 'Kofi Boateng' }), aRow(3)],
};

/** Row 3 of three was called so by the service. */
async function endedAs(word: 'Failed' | 'Returned' = 'Failed') {
  const place = await aWorkplace({ policy: { concurrency: 1 } });
  const may = await place.approved(OLD, 'may');
  place.service.statusOf = (id) => (id === 'tr-2' ? word : 'Finished');
  await place.send(may);
  await place.settle(may, HOUR);
  return { place, may };
}

/** And it is to be paid again. */
async function paidAgain(word: 'Failed' | 'Returned' = 'Failed') {
  const { place, may } = await endedAs(word);
  expect((await reissue(may, row3, ben, place.world)).done).toEqual([3]);
  return { place, may };
}

const WENT_OUT = {
  'was turned away, which the service may have carried out': async (
    { ledger }: Workplace,
    payout: Payout,
  ) => {
    const sending = await walkedTo(ledger, payout, 'sending');
    await moved(ledger, sending, anEvent('turn_away'), anEvent('unapprove'));
  },
  'was turned away and withdrawn': async ({ ledger }: Workplace, payout: Payout) => {
    const sending = await walkedTo(ledger, payout, 'sending');
    await moved(ledger, sending, anEvent('turn_away'), anEvent('cancel'));
  },
  'was turned away, withdrawn and planned again': async ({ ledger, clock }: Workplace, payout: Payout) => {
    const sending = await walkedTo(ledger, payout, 'sending');
    const { id } = await moved(ledger, sending, anEvent('turn_away'), anEvent('cancel'));
    await ledger.addReplacement(id, 'ben', clock.now());
  },
  'is held because a statement shows it': async ({ ledger, clock }: Workplace, payout: Payout) => {
    const reasons = [aReason({ kind: 'maybe_paid', evidence: 'statement may.csv, line 3' })];
    await moved(ledger, payout, { kind: 'hold', reasons, pricing: undefined, at: clock.now() });
  },
  'was noted as paid after all': async ({ ledger, clock }: Workplace, { id, batchId }: Payout) => {
    await ledger.note(batchId, 'incident', { payout: id, row: 3, what: 'a statement shows it' }, clock.now());
  },
};

describe('a newer file without a row that may have been paid', () => {
  it.each(Object.entries(WENT_OUT))('is refused when the row %s', async (_, happens) => {
    const place = await aWorkplace();
    const { batch } = await place.place(OLD, 'may');
    await happens(place, await place.row(batch.id, 3));
    for (const rows of Object.values(NEWER)) {
      const placed = await place.place(rows, 'may');
      expect(placed).toMatchObject({ kind: 'refused', comparison: { conflictCount: 1 } });
    }
    expect(await place.place([...OLD, aRow(4)], 'may')).toMatchObject({ kind: 'revision' });
  });

  it('is taken when the connection failed before anything of the row was sent', async () => {
    const place = await aWorkplace();
    const { batch } = await place.place(OLD, 'may');
    const sending = await walkedTo(place.ledger, await place.row(batch.id, 3), 'sending');
    await moved(place.ledger, sending, anEvent('not_sent'), anEvent('unapprove'));
    expect(await place.place(NEWER['leaves the row out'], 'may')).toMatchObject({ kind: 'revision' });
  });
});

describe('a newer file after a row was to be paid again', () => {
  describe.each(['Failed', 'Returned'] as const)('whose first payment is %s', (word) => {
    it.each(Object.entries(NEWER))(
      'is refused when it %s, also once the row was withdrawn',
      async (_, rows) => {
        const { place, may } = await paidAgain(word);
        const refused = { kind: 'refused', comparison: { conflictCount: 1 } };
        const before = await place.payouts(may);
        expect(await place.place(rows, 'may')).toMatchObject(refused);
        expect(await place.payouts(may)).toEqual(before);
        await cancelUnsent(may, row3, { by: 'ben', reason: 'not this month' }, place.world);
        expect(await place.place(rows, 'may')).toMatchObject(refused);
        place.service.statusOf = () => 'Finished';
        await place.run(may);
        expect(place.service.book).toHaveLength(3);
      },
    );
  });

  it('goes on with it when it has the same rows in another order, and asks about the first payment', async () => {
    const { place, may } = await paidAgain();
    const again = (await place.row(may, 3)).id;
    expect(await place.place(OLD.toReversed(), 'may')).toMatchObject({ kind: 'revision' });
    expect((await place.row(may, 3)).id).toBe(again);
    place.service.statusOf = () => 'Finished';
    const { sent } = await place.run(may);
    expect(sent).toMatchObject({ incidents: [3] });
    expect(place.service.book).toHaveLength(3);
    expect(await place.stand(may)).toEqual({ settled: 3 });
  });

  it('keeps the row that stands for a payment, of two equal ones', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const twin = aRow(1, { reference: '' });
    const { batch } = await place.place([twin, twin], 'may');
    await place.price(batch.id);
    const held = { by: 'ben', reason: 'both are meant' };
    await releaseHeld(batch.id, row3, held, place.world);
    await place.agree(batch.id);
    place.service.turns.push('accept', { refuse: 'closed' });
    await place.send(batch.id);
    await place.settle(batch.id);
    const failed = (await place.payouts(batch.id)).find(({ state }) => state.status === 'failed');
    const row = { kind: 'rows', rows: [String(failed?.rowNumber)] } as const;
    expect((await reissue(batch.id, row, ben, place.world)).done).toHaveLength(1);
    await cancelUnsent(batch.id, row, held, place.world);
    const placed = await place.place([twin], 'may');
    expect(placed).toMatchObject({ kind: 'refused', comparison: { conflictCount: 1 } });
  });

  it('knows each of two equal rows by its name', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const equal = [aRow(1, { reference: '' }), aRow(1, { reference: '', name: 'Kofi Boateng' })];
    const { batch } = await place.place(equal, 'may');
    await releaseHeld(batch.id, row3, { by: 'ben', reason: 'both are meant' }, place.world);
    await walkedTo(place.ledger, await place.row(batch.id, 3), 'failed');
    expect((await reissue(batch.id, row3, ben, place.world)).done).toEqual([3]);
    expect(await place.place([...equal, aRow(5)], 'may')).toMatchObject({
      kind: 'revision',
      comparison: { unchanged: 2, added: 1, conflictCount: 0 },
    });
  });

  it('says how an invalid one is corrected, which a newer file cannot do', async () => {
    const { place, may } = await paidAgain();
    const { ledger, clock } = place;
    const event = { kind: 'invalidate', issues: [], at: clock.now() } as const;
    const payout = await moved(ledger, await place.row(may, 3), event);
    expect(await place.place(NEWER['pays another account for it'], 'may')).toMatchObject({ kind: 'refused' });
    const batch = await place.batch(may);
    const [step] = nextStepOf(payout, commandsFor({ batch, environment: 'sandbox', reissueAfterMs: HOUR }));
    expect(step?.command && commandText(step.command, { sandbox: true })).toContain(
      'report may --only unpaid --as-input -o may-redo.csv',
    );
  });

  it('of another batch keeps the link to that payment, and may change the rest', async () => {
    const { place, may } = await endedAs();
    place.clock.advance(30 * HOUR);
    const { id: replaces } = await place.row(may, 3);
    const redo = await place.place([aRow(2, { replaces }), aRow(7)], 'redo');
    const dearer = { amount: '1210.00' };
    expect(await place.place([aRow(2, dearer), aRow(7)], 'redo')).toMatchObject({ kind: 'refused' });
    expect(await place.place([aRow(2, { ...dearer, replaces }), aRow(7)], 'redo')).toMatchObject({
      kind: 'revision',
    });
    expect((await place.row(redo.batch.id, 2)).instruction?.replaces).toBe(replaces);
    const withoutColumn = [aRow(2, dearer), aRow(7)];
    expect(await place.place(withoutColumn, 'redo')).toMatchObject({ kind: 'refused' });
  });

  it.each([
    ['the failed payment', false],
    ['the failed payment, which is planned again', true],
  ])(
    'is refused beside its row in the same batch, and names the batch to make: %s',
    async (_, isReissued) => {
      const { place, may } = await (isReissued ? paidAgain() : endedAs());
      place.clock.advance(30 * HOUR);
      const failed = (await place.ledger.payoutOfTransfer(asTransferId('tr-2')))?.id ?? '';
      const beside = aRow(2, { account: '0244999002', reference: '', replaces: failed });
      const before = await place.stand(may);
      const newer = [...OLD.map((row) => ({ ...row, replaces: '' })), beside];
      await expect(place.place(newer, 'may')).rejects.toThrow(
        'Row 5 pays a row of batch may again (payfile_replaces), and this file is of the same batch. Put the unpaid ' +
          'rows into a file of their own, without the other rows, and run it as a batch of its own (batch: ' +
          'may-redo). Nothing was kept of the file and nothing was sent.',
      );
      expect(await place.stand(may)).toEqual(before);
      expect(await place.place([beside], 'may-redo')).toMatchObject({ kind: 'new' });
    },
  );

  it('may leave out what was withdrawn before anything was sent, and planned again', async () => {
    const place = await aWorkplace();
    const { batch } = await place.place(OLD, 'may');
    await cancelUnsent(batch.id, row3, { by: 'ben', reason: 'not this month' }, place.world);
    await reissue(batch.id, row3, ben, place.world);
    expect(await place.place(NEWER['leaves the row out'], 'may')).toMatchObject({ kind: 'revision' });
    expect(await place.stand(batch.id)).toEqual({ planned: 2 });
  });
});

describe('a payment that was shown as paid while its replacement is about to be sent', () => {
  it('keeps the replacement from being begun, although nobody looked again', async () => {
    const { place, may } = await paidAgain();
    await place.agree(may);
    const first = (await place.ledger.payoutOfTransfer(asTransferId('tr-2')))?.id;
    const body = { payout: first ?? '', row: 3, what: 'the statement shows it' };
    // Between the look at the first payment and the intent of the second.
    const { prepareSend } = place.service;
    place.service.prepareSend = async (signal) => {
      await place.ledger.note(may, 'incident', body as never, place.clock.now());
      return prepareSend(signal);
    };
    await place.send(may);
    expect(place.service.book).toHaveLength(3);
    const { state } = await place.row(may, 3);
    expect(state).toMatchObject({ status: 'held', reasons: [{ concern: { kind: 'same_row' } }] });
  });

  it('withdraws the replacement although another process moves it just then', async () => {
    const { place, may } = await paidAgain();
    await place.agree(may);
    const first = await place.ledger.payoutOfTransfer(asTransferId('tr-2'));
    if (first === undefined) throw new TypeError('No payout has tr-2');
    let moves = 0;
    const record: typeof place.ledger.record = async (move) => {
      moves += 1;
      if (moves === 1) await moved(place.ledger, await place.row(may, 3), anEvent('hold'));
      return place.ledger.record(move);
    };
    const ledger = ledgerWith(place.ledger, { record });
    await raiseIncident(first, 'the statement shows it', { ...place.world, ledger });
    expect(moves).toBe(2);
    expect(place.service.book).toHaveLength(3);
    expect(await place.stand(may)).toEqual({ settled: 2, failed: 1 });
  });
});
