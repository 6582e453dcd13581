/** Settling: every transfer is looked up until it is final, and a word that changes its mind is taken seriously. */
import { describe, expect, it } from 'vitest';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { advance } from '../../src/domain/payouts/payout-machine.ts';
import { lineContext, reportLineOf } from '../../src/domain/reporting/report-line.ts';
import { plusMs } from '../../src/domain/timestamp.ts';
import { reissue } from '../../src/use-cases/decide/reissue.ts';
import { cancelUnsent, releaseHeld } from '../../src/use-cases/decide/release-held.ts';
import { settleBatch } from '../../src/use-cases/settle/settle-batch.ts';
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

  it('is asked for at once when it became due while others were looked up', async () => {
    const { place, batch } = await sentBatch(2);
    const [first, second] = [await place.row(batch, 2), await place.row(batch, 3)];
    const started = place.clock.now();
    await place.ledger.schedule(first.id, started, { at: started, times: 1 });
    await place.ledger.schedule(second.id, plusMs(started, 10), { at: started, times: 1 });
    place.service.statusOf = () => {
      place.clock.advance(10);
      return 'Finished';
    };
    await place.settle(batch);
    expect(await place.stand(batch)).toEqual({ settled: 2 });
    expect(place.clock.now() - started).toBe(20);
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

  it('keeps the service’s word without the account that stands in it', async () => {
    const { place, batch } = await sentBatch(1);
    const account = (await place.row(batch, 2)).instruction?.account.reveal() ?? '';
    place.service.statusOf = () => `Credited to ${account}`;
    await place.settle(batch, MINUTE);
    const serviceStatus = `Credited to ••••${account.slice(-4)}`;
    expect((await place.row(batch, 2)).state).toMatchObject({ serviceStatus });
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
    await settleBatch(batch, place.world, { deadline, signal: AbortSignal.abort() });
    const stop = new AbortController();
    const { sleep } = place.clock;
    place.clock.sleep = (ms, signal) => {
      stop.abort(new Error('enough'));
      return sleep(ms, signal);
    };
    await settleBatch(batch, place.world, { deadline, signal: stop.signal });
    expect(place.clock.now()).toBeLessThan(deadline);
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

  it('is asked about again as soon as it can be confirmed, and not minutes later', async () => {
    const { place, batch } = await sentBatch(1);
    place.service.statusOf = () => 'Failed';
    await place.settle(batch, 5 * MINUTE);
    const { state: before } = await place.row(batch, 2);
    const firstAt = before.status === 'accepted' ? (before.suspicion?.firstAt ?? 0) : 0;
    await place.settle(batch, HOUR);
    const { state } = await place.row(batch, 2);
    if (state.status !== 'failed') throw new TypeError(state.status);
    expect(state.at - firstAt).toBeGreaterThanOrEqual(10 * MINUTE);
    expect(state.at - firstAt).toBeLessThan(10 * MINUTE + 1_000);
  });

  it('waits for its second look where the service gave no answer to it', async () => {
    const { place, batch } = await sentBatch(1);
    place.service.statusOf = () => 'Failed';
    await place.settle(batch, 5 * MINUTE);
    place.service.isUnanswered = () => true;
    await place.settle(batch, HOUR);
    const looks = place.service.calls.filter((call) => call.startsWith('transaction')).length;
    expect(looks).toBeLessThan(40);
    expect(await place.stand(batch)).toEqual({ accepted: 1 });
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
    expect(await place.stand(batch)).toEqual({ settled: 1 });
    expect(await place.ledger.notes(batch, 'incident')).toHaveLength(1);
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
    const lines = [];
    const header = {
      batch: await place.batch(batch),
      environment,
      madeAt: place.clock.now(),
      reissueAfterMs: 0,
    };
    for await (const page of place.ledger.reportRows(batch))
      lines.push(...page.map((row) => reportLineOf(row, lineContext(header))));
    expect(lines).toMatchObject([{ row: 2, incident: true, status: 'accepted' }]);
    expect(lines[0]?.texts.reason).toMatch(/The first attempt .*transfer tr-1.*INCIDENT/);
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
      reasons: [
        {
          concern: { kind: 'same_row' },
          text: expect.stringMatching(/^This row was paid after all: row 2 of batch/),
        },
      ],
    });
    // What is paid is no choice of a person's: it can be withdrawn alone.
    const ben = { by: 'ben', reason: 'asked her' };
    const released = await releaseHeld(batch, { kind: 'all' }, ben, place.world);
    expect(released).toMatchObject({ done: [], refused: [{ rowNumber: 2 }] });
    expect((await cancelUnsent(batch, { kind: 'all' }, ben, place.world)).done).toEqual([2]);
  });
});

describe('a settled row', () => {
  const DAY = 24 * HOUR;
  const looks = (place: Workplace) =>
    place.service.calls.filter((call) => call.startsWith('transaction')).length;
  const watch = (place: Workplace, batch: BatchId, watchReturnsMs: number | undefined) =>
    settleBatch(batch, place.world, { deadline: place.clock.now(), watchReturnsMs });

  it('[E10] that comes back days later is found, and told as a change', async () => {
    const { place, batch } = await sentBatch(2);
    await place.settle(batch);
    place.clock.advance(3 * DAY);
    place.service.statusOf = (id) => (id === 'tr-1' ? 'Reversed' : 'Finished');
    expect((await watch(place, batch, undefined)).changes).toEqual([
      { rowNumber: 2, from: 'settled', to: 'returned' },
    ]);
    expect(await place.stand(batch)).toEqual({ settled: 1, returned: 1 });
    expect((await watch(place, batch, 14 * DAY)).changes).toEqual([]);
  });

  it('[E10] stays settled when its word merely goes backwards, and differs once', async () => {
    const { place, batch } = await sentBatch(1);
    await place.settle(batch);
    place.clock.advance(DAY);
    place.service.statusOf = () => 'Processing';
    const differs = ['status: the service says “Processing” after Finished'];
    expect((await watch(place, batch, 14 * DAY)).changes).toEqual([
      { rowNumber: 2, from: 'settled', to: 'settled', differs },
    ]);
    place.clock.advance(DAY);
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

  describe('that could not be asked', () => {
    const returnedWhileAway = async () => {
      const { place, batch } = await sentBatch(3);
      await place.settle(batch);
      place.clock.advance(3 * DAY);
      place.service.statusOf = (id) => (id === 'tr-1' ? 'Reversed' : 'Finished');
      return { place, batch };
    };

    it('[E10] is due again in minutes: a service that was away does not hide a return for a day', async () => {
      const { place, batch } = await returnedWhileAway();
      place.service.isUnanswered = () => true;
      const away = await watch(place, batch, 14 * DAY);
      expect(away).toMatchObject({ changes: [], watch: { due: 3, unanswered: 3, notReached: 0 } });
      place.service.isUnanswered = () => false;
      place.clock.advance(6 * MINUTE);
      const well = await watch(place, batch, 14 * DAY);
      expect(well.changes).toEqual([{ rowNumber: 2, from: 'settled', to: 'returned' }]);
      expect(well.watch).toEqual({ due: 3, unanswered: 0, notFound: 0, unclear: 0, notReached: 0 });
    });

    it('[E10] is due again in minutes too when the service says that it does not know the transfer', async () => {
      const { place, batch } = await returnedWhileAway();
      const { transaction } = place.service;
      place.service.transaction = async () => ({ kind: 'declined', code: '44', message: 'no such' });
      expect((await watch(place, batch, 14 * DAY)).watch).toMatchObject({ unanswered: 0, notFound: 3 });
      place.service.transaction = transaction;
      place.clock.advance(6 * MINUTE);
      expect((await watch(place, batch, 14 * DAY)).changes).toHaveLength(1);
    });

    it('is counted when the deadline came before its turn, and asked the next time', async () => {
      const { place, batch } = await returnedWhileAway();
      const { transaction } = place.service;
      place.service.transaction = (id, signal) => {
        place.clock.advance(MINUTE);
        return transaction(id, signal);
      };
      const world = { ...place.world, policy: { ...place.world.policy, concurrency: 1 } };
      const deadline = plusMs(place.clock.now(), MINUTE + 1);
      const first = await settleBatch(batch, world, { deadline, watchReturnsMs: 14 * DAY });
      expect(first.watch).toEqual({ due: 3, unanswered: 0, notFound: 0, unclear: 0, notReached: 1 });
      const second = await watch(place, batch, 14 * DAY);
      expect(second.watch).toEqual({ due: 1, unanswered: 0, notFound: 0, unclear: 0, notReached: 0 });
      expect([...first.changes, ...second.changes]).toHaveLength(1);
    });

    it('is counted when somebody stops the watch', async () => {
      const { place, batch } = await returnedWhileAway();
      const signal = AbortSignal.abort();
      const deadline = plusMs(place.clock.now(), HOUR);
      const stopped = await settleBatch(batch, place.world, { deadline, watchReturnsMs: 14 * DAY, signal });
      expect(stopped.watch).toEqual({ due: 3, unanswered: 0, notFound: 0, unclear: 0, notReached: 3 });
    });

    it('is asked by the next watch when the first was killed in the middle', async () => {
      const { place, batch } = await returnedWhileAway();
      const { transaction } = place.service;
      place.service.transaction = async () => {
        throw new Error('killed');
      };
      await expect(watch(place, batch, 14 * DAY)).rejects.toThrow('killed');
      place.service.transaction = transaction;
      expect((await watch(place, batch, 14 * DAY)).changes).toHaveLength(1);
    });

    it('[E10] is asked although the clock is set back two days in the middle of the watch', async () => {
      const { place, batch } = await returnedWhileAway();
      const [{ transaction }, { now }] = [place.service, place.clock];
      place.service.transaction = (id, signal) => {
        place.clock.now = () => plusMs(now(), -2 * DAY);
        return transaction(id, signal);
      };
      const world = { ...place.world, policy: { ...place.world.policy, concurrency: 1 } };
      const deadline = plusMs(now(), HOUR);
      const seen = await settleBatch(batch, world, { deadline, watchReturnsMs: 14 * DAY });
      expect(seen).toMatchObject({ changes: [{ rowNumber: 2 }], watch: { due: 3, notReached: 0 } });
      // And goes on being looked at on the clock as it stands now.
      place.service.statusOf = () => 'Reversed';
      place.clock.advance(DAY);
      expect((await watch(place, batch, 14 * DAY)).changes).toHaveLength(2);
    });
  });
});
