/**
 * Answers that come after the patience for them has run out: the row is in doubt first, durably, and an
 * acceptance of the same attempt ends the doubt. The service's own book is the judge.
 */
import { describe, expect, it } from 'vitest';
import type { PayoutEvent } from '../../src/domain/payouts/payout-event.ts';
import { advance } from '../../src/domain/payouts/payout-machine.ts';
import { LedgerError } from '../../src/ports/ledger/errors.ts';
import { ledgerWith } from '../builders/ledger-with.ts';
import { someRows } from '../builders/payout-file.ts';
import { until } from '../builders/until.ts';
import { aWorkplace, type Workplace, workplaceOn } from '../builders/workplace.ts';

const sendsOf = ({ service }: Workplace) => service.calls.filter((call) => call.startsWith('send ')).length;
const isWaiting = ({ told }: Workplace) =>
  told.some((event) => event.kind === 'waiting' && /late/.test(event.reason));

/** A batch of which one row's answer is late; resolves when the run waits for it. */
async function oneLate(rows = 4, options: Parameters<Workplace['send']>[1] = {}) {
  const place = await aWorkplace();
  const batch = await place.approved(someRows(rows));
  place.service.turns.push('accept', 'late');
  const sending = place.send(batch, options);
  await until(() => isWaiting(place));
  return { place, batch, sending };
}

describe('a late acceptance', () => {
  it('[N13] ends the doubt of a row that was already written down as in doubt', async () => {
    const { place, batch, sending } = await oneLate();
    expect(await place.stand(batch)).toEqual({ accepted: 3, in_doubt: 1 });
    place.service.late[0]?.answer(true);
    expect(await sending).toMatchObject({ clearedLate: 1, doubts: 1, stop: undefined });
    expect(await place.stand(batch)).toEqual({ accepted: 4 });
    expect(sendsOf(place)).toBe(4);
    expect(place.told).toContainEqual({
      kind: 'warning',
      text: 'late answers came for 1 row in doubt: the service has accepted the payment after all',
    });
  });

  it('[N13] is what ends the doubt: without one the row stays in doubt, and is sent by no later run', async () => {
    const { place, batch, sending } = await oneLate();
    place.service.late[0]?.answer(false);
    expect(await sending).toMatchObject({ clearedLate: 0, doubts: 1 });
    await place.run(batch);
    expect(await place.stand(batch)).toEqual({ settled: 3, in_doubt: 1 });
    expect(sendsOf(place)).toBe(4);
  });

  it('is settled by the same run', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(3));
    place.service.turns.push('accept', 'late');
    const run = place.run(batch);
    await until(() => isWaiting(place));
    place.service.late[0]?.answer(true);
    expect((await run).sent).toMatchObject({ clearedLate: 1 });
    expect(await place.stand(batch)).toEqual({ settled: 3 });
  });

  it('does not hold up the other rows, nor un-count a doubt that paused the batch', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1, maxInDoubt: 1 } });
    const batch = await place.approved(someRows(8));
    place.service.turns.push('accept', 'late', 'accept', 'late');
    const sending = place.send(batch);
    await until(() => isWaiting(place));
    expect(await place.stand(batch)).toEqual({ accepted: 2, in_doubt: 2, approved: 4 });
    for (const { answer } of place.service.late) answer(true);
    expect(await sending).toMatchObject({ stop: { kind: 'paused' }, clearedLate: 2, doubts: 2 });
    expect(await place.stand(batch)).toEqual({ accepted: 4, approved: 4 });
    expect((await place.ledger.batch(batch))?.pause?.reason).toBe(
      '2 payments are in doubt since the last resume',
    );
  });

  it('is not waited for once a person stops the run', async () => {
    const stop = new AbortController();
    const { place, batch, sending } = await oneLate(2, { signal: stop.signal });
    stop.abort();
    expect(await sending).toMatchObject({ clearedLate: 0 });
    expect(await place.stand(batch)).toEqual({ accepted: 1, in_doubt: 1 });
  });

  it('comes to no run that has ended: its connection is closed, and that is written down', async () => {
    const stop = new AbortController();
    const { place, batch, sending } = await oneLate(2, { signal: stop.signal });
    stop.abort();
    await sending;
    expect(await place.ledger.notes(batch, 'attempt_closed')).toMatchObject([{ body: { attempt: 1 } }]);
    place.service.late[0]?.answer(true);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await place.stand(batch)).toEqual({ accepted: 1, in_doubt: 1 });
  });

  it('[E6] that names the transfer of another row clears nothing and pauses the batch', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(2));
    place.service.turns.push('accept', 'late_same_id');
    const sending = place.send(batch);
    await until(() => isWaiting(place));
    place.service.late[0]?.answer(true);
    expect(await sending).toMatchObject({ clearedLate: 0 });
    expect(await place.stand(batch)).toEqual({ accepted: 1, in_doubt: 1 });
    expect((await place.ledger.batch(batch))?.pause?.reason).toMatch(/another row already has/);
  });

  it('that a person ruled out as not paid meanwhile is told and kept in the journal, and changes nothing', async () => {
    const { place, batch, sending } = await oneLate(2);
    const doubtful = (await place.payouts(batch)).find(({ state }) => state.status === 'in_doubt');
    if (doubtful === undefined) throw new Error('no row is in doubt');
    const ruling = { by: 'ben', evidence: 'ticket 7' };
    const event: PayoutEvent = { kind: 'rule_not_paid', ruling, at: place.clock.now() };
    await place.ledger.record({ before: doubtful, event, after: advance(doubtful, event) });
    place.service.late[0]?.answer(true);
    expect(await sending).toMatchObject({ clearedLate: 0 });
    expect(await place.stand(batch)).toEqual({ accepted: 1, failed: 1 });
    const notes = await place.ledger.notes(batch, 'late_acceptance_not_applied');
    expect(notes).toMatchObject([
      { body: { row: doubtful.rowNumber, transferId: 'tr-2', status: 'failed' } },
    ]);
    expect(await place.ledger.notes(batch, 'incident')).toHaveLength(1);
    expect(place.told).toContainEqual({
      kind: 'warning',
      text: `Row ${doubtful.rowNumber}: failed, but the service accepted it late as tr-2. A person must look.`,
    });
  });

  it('that cannot be recorded goes to the emergency file, and the run fails', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(2));
    const emergencies: PayoutEvent[] = [];
    let isFull = false;
    const { ledger } = place;
    const broken = ledgerWith(ledger, {
      emergency: (_id, _attempt, event) => void emergencies.push(event),
      record: (move) =>
        isFull
          ? Promise.reject(new LedgerError('ledger_unwritable', 'The disk is full.'))
          : ledger.record(move),
    });
    const full = workplaceOn({ ...place, ledger: broken, policy: place.world.policy });
    place.service.turns.push('accept', 'late');
    const sending = full.send(batch);
    await until(() => isWaiting(full));
    isFull = true;
    place.service.late[0]?.answer(true);
    await expect(sending).rejects.toThrow('The disk is full.');
    expect(emergencies).toMatchObject([{ kind: 'accept', transferId: 'tr-2', evidence: { attempt: 1 } }]);
    expect(await place.stand(batch)).toEqual({ accepted: 1, in_doubt: 1 });
  });

  it('is kept also when the ledger fails for another row in the very moment in which it arrives', async () => {
    const place = await aWorkplace({ policy: { concurrency: 2 } });
    const batch = await place.approved(someRows(2));
    const { ledger } = place;
    const slow = ledgerWith(ledger, {
      // The read before the write is slow, as on a busy machine.
      payout: async (id) => {
        await new Promise((resolve) => setTimeout(resolve, 30));
        return ledger.payout(id);
      },
      emergency: () => undefined,
      record: (move) => {
        if (move.event.kind !== 'accept' || move.before.state.status !== 'sending')
          return ledger.record(move);
        place.service.late[0]?.answer(true);
        return Promise.reject(new LedgerError('ledger_unwritable', 'The disk is full.'));
      },
    });
    const failing = workplaceOn({ ...place, ledger: slow, policy: place.world.policy });
    place.service.turns.push('late', 'accept');
    await expect(failing.send(batch)).rejects.toThrow('The disk is full.');
    expect(await place.stand(batch)).toEqual({ accepted: 1, sending: 1 });
  });
});
