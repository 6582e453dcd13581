/** Settling: every transfer is looked up until it is final, and a word that changes its mind is taken seriously. */
import { describe, expect, it } from 'vitest';
import { reissue } from '../../src/application/reissue.ts';
import { reportLines } from '../../src/application/report-batch.ts';
import { settleBatch } from '../../src/application/settle-batch.ts';
import type { BatchId } from '../../src/domain/instruction.ts';
import { advance } from '../../src/domain/payout-machine.ts';
import { plusMs } from '../../src/domain/timestamp.ts';
import { someRows } from '../builders/payout-file.ts';
import { aWorkplace, type Workplace } from '../builders/workplace.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

async function sentBatch(rows = 1): Promise<{ place: Workplace; batch: BatchId }> {
  const place = await aWorkplace();
  const batch = await place.approved(someRows(rows), 'may');
  await place.send(batch);
  return { place, batch };
}

describe('a transfer that is on its way', () => {
  it('is asked for when its speed says so, and settles on Finished', async () => {
    const { place, batch } = await sentBatch(3);
    const started = place.clock.now();
    await place.settle(batch);
    expect(await place.stand(batch)).toEqual({ settled: 3 });
    expect(place.clock.now() - started).toBeGreaterThanOrEqual(30_000);
    expect(place.clock.now() - started).toBeLessThan(40_000);
  });

  it('stays on its way at the deadline, which is no failure, and settles in a later run', async () => {
    const { place, batch } = await sentBatch(2);
    place.service.statusOf = () => 'Processing';
    await place.settle(batch, 5 * MINUTE);
    expect(await place.stand(batch)).toEqual({ accepted: 2 });
    expect((await place.row(batch, 2)).state).toMatchObject({ serviceStatus: 'Processing' });
    place.service.statusOf = () => 'Finished';
    await place.settle(batch, 5 * MINUTE);
    expect(await place.stand(batch)).toEqual({ settled: 2 });
  });

  it('is asked for less and less often', async () => {
    const { place, batch } = await sentBatch(1);
    place.service.statusOf = () => 'Processing';
    await place.settle(batch, HOUR);
    const looks = place.service.calls.filter((call) => call.startsWith('transaction')).length;
    expect(looks).toBeGreaterThan(8);
    expect(looks).toBeLessThan(40);
  });

  it('gets one look when it is due even if the deadline is now', async () => {
    const { place, batch } = await sentBatch(3);
    place.clock.advance(MINUTE);
    await place.settle(batch, 0);
    expect(await place.stand(batch)).toEqual({ settled: 3 });
  });

  it('is not waited for when the deadline is now', async () => {
    const { place, batch } = await sentBatch(3);
    const started = place.clock.now();
    await place.settle(batch, 0);
    expect(place.clock.now()).toBe(started);
    expect(await place.stand(batch)).toEqual({ accepted: 3 });
  });

  it('[E9] keeps its state when the service does not answer', async () => {
    const { place, batch } = await sentBatch(1);
    place.service.isUnanswered = () => true;
    await place.settle(batch, 5 * MINUTE);
    expect(await place.stand(batch)).toEqual({ accepted: 1 });
  });

  it('[E9] stays on its way while the service does not know its id yet, and is never sent again', async () => {
    const { place, batch } = await sentBatch(1);
    const { transaction } = place.service;
    place.service.transaction = async () => ({
      kind: 'declined',
      code: '404',
      message: 'no such transaction',
    });
    await place.settle(batch, 20 * MINUTE);
    await place.send(batch);
    expect(await place.stand(batch)).toEqual({ accepted: 1 });
    expect(place.service.book).toHaveLength(1);
    place.service.transaction = transaction;
    await place.settle(batch, 20 * MINUTE);
    expect(await place.stand(batch)).toEqual({ settled: 1 });
  });

  it('ends as returned when the service says that it came back', async () => {
    const { place, batch } = await sentBatch(1);
    place.service.statusOf = () => 'Reversed';
    await place.settle(batch);
    expect(await place.stand(batch)).toEqual({ returned: 1 });
  });

  it('[E11] carries differences into the report and settles all the same', async () => {
    const { place, batch } = await sentBatch(1);
    const { transaction } = place.service;
    place.service.transaction = async (id) => {
      const asked = await transaction(id);
      return asked.kind === 'answered'
        ? { ...asked, answer: { ...asked.answer, receiver: 'KOFI OWUSU' } }
        : asked;
    };
    await place.settle(batch);
    expect((await place.row(batch, 2)).state).toMatchObject({
      status: 'settled',
      discrepancies: ['receiver: the service shows “KOFI OWUSU”, asked was “AMA MENSAH”'],
    });
  });

  it('is let be when someone stops the run, before and while waiting', async () => {
    const { place, batch } = await sentBatch(2);
    const deadline = plusMs(place.clock.now(), HOUR);
    expect(
      (await settleBatch(batch, place.world, { deadline, signal: AbortSignal.abort() })).isInterrupted,
    ).toBe(true);
    const stop = new AbortController();
    const { sleep } = place.clock;
    place.clock.sleep = (ms, signal) => {
      stop.abort(new Error('enough'));
      return sleep(ms, signal);
    };
    const result = await settleBatch(batch, place.world, { deadline, signal: stop.signal });
    expect(result.isInterrupted).toBe(true);
    expect(await place.stand(batch)).toEqual({ accepted: 2 });
  });
});

describe('a failure word', () => {
  it('makes no failure until it has come twice, ten minutes apart', async () => {
    const { place, batch } = await sentBatch(1);
    place.service.statusOf = () => 'Failed';
    await place.settle(batch, 9 * MINUTE);
    expect(await place.stand(batch)).toEqual({ accepted: 1 });
    await place.settle(batch, 9 * MINUTE);
    expect((await place.row(batch, 2)).state).toMatchObject({ status: 'failed', basis: 'service_status' });
  });

  it('that was a mistake does no harm', async () => {
    const { place, batch } = await sentBatch(1);
    place.service.statusOf = () => 'Failed';
    await place.settle(batch, 5 * MINUTE);
    place.service.statusOf = () => 'Processing';
    await place.settle(batch, 10 * MINUTE);
    place.service.statusOf = () => 'Failed';
    await place.settle(batch, 9 * MINUTE);
    expect(await place.stand(batch)).toEqual({ accepted: 1 });
  });
});

describe('a payment that failed and then finished', () => {
  async function failedBatch() {
    const { place, batch } = await sentBatch(1);
    place.service.statusOf = () => 'Failed';
    await place.settle(batch, HOUR);
    expect(await place.stand(batch)).toEqual({ failed: 1 });
    return { place, batch };
  }
  const payAgain = async (place: Workplace, batch: BatchId) => {
    place.clock.advance(25 * HOUR);
    expect(
      await reissue(batch, { kind: 'all' }, { by: 'ben', evidence: undefined }, place.world),
    ).toMatchObject({
      done: [2],
    });
  };

  it('[E12] is an incident that the run names', async () => {
    const { place, batch } = await failedBatch();
    place.clock.advance(HOUR);
    place.service.statusOf = () => 'Finished';
    expect(await place.settle(batch)).toMatchObject({ incidents: [2] });
    expect((await place.row(batch, 2)).state).toMatchObject({ status: 'settled', incident: true });
    expect(await place.ledger.notes(batch, 'incident')).toHaveLength(1);
  });

  it('is watched for fourteen days and not longer', async () => {
    const { place, batch } = await failedBatch();
    place.service.statusOf = () => 'Finished';
    place.clock.advance(15 * 24 * HOUR);
    expect(await place.settle(batch)).toMatchObject({ incidents: [] });
    expect(await place.stand(batch)).toEqual({ failed: 1 });
  });

  it('[E12] is found out just before its replacement would be sent, which then is not', async () => {
    const { place, batch } = await failedBatch();
    await payAgain(place, batch);
    await place.agree(batch);
    expect(await place.stand(batch)).toEqual({ approved: 1 });
    place.service.statusOf = () => 'Finished';
    expect(await place.send(batch)).toMatchObject({ incidents: [2] });
    expect(place.service.book).toHaveLength(1);
    expect(await place.stand(batch)).toEqual({ canceled: 1 });
    expect(await place.ledger.notes(batch, 'incident')).toHaveLength(1);
  });

  it('keeps its replacement from going out while the service cannot say what became of it', async () => {
    const { place, batch } = await failedBatch();
    await payAgain(place, batch);
    await place.agree(batch);
    place.service.isUnanswered = () => true;
    expect((await place.send(batch)).stop).toMatchObject({ kind: 'outage' });
    expect(place.service.book).toHaveLength(1);
    expect(await place.stand(batch)).toEqual({ approved: 1 });
  });

  it('[E12] is found out even after its replacement went out, and both instructions are told', async () => {
    const { place, batch } = await failedBatch();
    await payAgain(place, batch);
    await place.agree(batch);
    await place.send(batch);
    expect(place.service.book).toHaveLength(2);
    place.service.statusOf = (id) => (id === 'tr-1' ? 'Finished' : 'Processing');
    place.clock.advance(HOUR);
    expect(await place.settle(batch, MINUTE)).toMatchObject({ incidents: [2] });
    const replacement = await place.row(batch, 2);
    const first = await place.ledger.payout(replacement.instruction?.replaces ?? replacement.id);
    expect(first?.state).toMatchObject({ status: 'settled', incident: true });
    expect(replacement.state.status).toBe('accepted');
    expect(place.told).toContainEqual(
      expect.objectContaining({ text: expect.stringContaining('may have been paid twice') }),
    );
    const { environment } = place.ledger.identity;
    const found = await place.ledger.batch(batch);
    if (found === undefined) throw new TypeError('it was there');
    const lines = [];
    const header = { batch: found, environment, madeAt: place.clock.now(), reissueAfterMs: 0 };
    for await (const page of reportLines(place.ledger.reportRows(batch), header)) lines.push(...page);
    expect(lines).toMatchObject([{ row: 2, incident: true, status: 'accepted' }]);
    expect(lines[0]?.texts.reason).toMatch(/Earlier instruction .*transfer tr-1.*INCIDENT/);
  });

  it('is watched for fourteen days after it was replaced too, and not longer', async () => {
    const { place, batch } = await failedBatch();
    await payAgain(place, batch);
    await place.agree(batch);
    await place.send(batch);
    await place.settle(batch, MINUTE);
    place.clock.advance(14 * 24 * HOUR);
    place.service.statusOf = () => 'Finished';
    expect(await place.settle(batch)).toMatchObject({ incidents: [] });
  });

  it('lets its replacement go out when it is still failed', async () => {
    const { place, batch } = await failedBatch();
    await payAgain(place, batch);
    await place.agree(batch);
    await place.send(batch);
    expect(place.service.book).toHaveLength(2);
    expect(await place.stand(batch)).toEqual({ accepted: 1 });
  });

  it('can never be paid again afterwards, even if the cancellation was lost in a crash', async () => {
    const { place, batch } = await failedBatch();
    await payAgain(place, batch);
    await place.agree(batch);
    const replacement = await place.row(batch, 2);
    const replaced = await place.ledger.payout(replacement.instruction?.replaces ?? replacement.id);
    if (replaced === undefined) throw new TypeError('it was there');
    const event = {
      kind: 'settle',
      serviceStatus: 'Finished',
      discrepancies: [],
      at: place.clock.now(),
    } as const;
    await place.ledger.record({ before: replaced, event, after: advance(replaced, event) });
    await place.send(batch);
    expect(place.service.book).toHaveLength(1);
    expect((await place.row(batch, 2)).state).toMatchObject({
      status: 'held',
      reasons: [{ kind: 'duplicate_payment' }],
    });
  });
});

describe('a settled row', () => {
  const DAY = 24 * HOUR;
  const looks = (place: Workplace) =>
    place.service.calls.filter((call) => call.startsWith('transaction')).length;
  const watch = (place: Workplace, batch: BatchId, watchReturnsMs: number | undefined) =>
    settleBatch(batch, place.world, { deadline: place.clock.now(), watchReturnsMs });

  it('[E10] that comes back days later is found by those who watch for it, and told as a change', async () => {
    const { place, batch } = await sentBatch(2);
    await place.settle(batch);
    place.clock.advance(3 * DAY);
    place.service.statusOf = (id) => (id === 'tr-1' ? 'Reversed' : 'Finished');
    expect(await watch(place, batch, undefined)).toMatchObject({ changes: [] });
    expect((await watch(place, batch, 14 * DAY)).changes).toEqual([
      { rowNumber: 2, from: 'settled', to: 'returned' },
    ]);
    expect(await place.stand(batch)).toEqual({ settled: 1, returned: 1 });
    expect((await watch(place, batch, 14 * DAY)).changes).toEqual([]);
  });

  it('[E10] stays settled when its word merely goes backwards', async () => {
    const { place, batch } = await sentBatch(1);
    await place.settle(batch);
    place.clock.advance(DAY);
    place.service.statusOf = () => 'Processing';
    expect((await watch(place, batch, 14 * DAY)).changes).toEqual([]);
    expect(await place.stand(batch)).toEqual({ settled: 1 });
  });

  it('is looked at less and less often, and no more when it is too old', async () => {
    const { place, batch } = await sentBatch(1);
    await place.settle(batch);
    const lookedIn = async (days: number) => {
      const before = looks(place);
      for (let hour = 0; hour < days * 24; hour += 1) {
        place.clock.advance(HOUR);
        await watch(place, batch, 14 * DAY);
      }
      return looks(place) - before;
    };
    const first = await lookedIn(1);
    await lookedIn(3);
    const fifth = await lookedIn(1);
    expect(first).toBeGreaterThan(4);
    expect(first).toBeLessThan(24);
    expect(fifth).toBeLessThan(first);
    await lookedIn(1);
    place.clock.advance(14 * DAY);
    expect(await lookedIn(2)).toBe(0);
  });
});
