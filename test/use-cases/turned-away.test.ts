/**
 * 429: a row is tried three times in its life, one row at a time, never before the time that the service named. The
 * service's own book is the judge.
 */
import { describe, expect, it } from 'vitest';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { plusMs } from '../../src/domain/timestamp.ts';
import { reissue } from '../../src/use-cases/decide/reissue.ts';
import { cancelUnsent } from '../../src/use-cases/decide/release-held.ts';
import { recoverBatch } from '../../src/use-cases/send/recover-batch.ts';
import { someRows } from '../builders/payout-file.ts';
import { anEvent } from '../builders/payouts.ts';
import { accept, around, lineOf, reconcileWith, told } from '../builders/statement-file.ts';
import { aWorkplace, HOLDER, recordIn, type Workplace, workplaceOn } from '../builders/workplace.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const sendsOf = ({ service }: Workplace) => service.calls.filter((call) => call.startsWith('send '));
const afterLast = ({ service }: Workplace, call: string) =>
  service.calls.slice(service.calls.lastIndexOf(call) + 1);
const within = (place: Workplace, ms: number) => ({
  canary: { rows: undefined, by: undefined, deadline: () => plusMs(place.clock.now(), ms) },
});
const events = async (place: Workplace, batch: BatchId, row: number) =>
  (await place.ledger.journalOf((await place.row(batch, row)).id)).map(({ kind }) => kind);

describe('a row that the service turns away', () => {
  it('[H9] costs nothing but time where the limit is lifted in time', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(5));
    place.service.turns.push('accept', 'rate_limited', 'rate_limited');
    place.service.retryAfterMs = 20 * SECOND;
    const startMs = place.clock.monotonicMs();
    expect((await place.send(batch)).stop).toBeUndefined();
    expect(await place.stand(batch)).toEqual({ accepted: 5 });
    expect(place.service.book).toHaveLength(5);
    expect(place.clock.monotonicMs() - startMs).toBeGreaterThanOrEqual(20 * SECOND);
  });

  it('is in doubt after the third time, with the reason, and is sent by no later run', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(1));
    place.service.script = () => 'rate_limited';
    await place.send(batch);
    expect((await place.row(batch, 2)).state).toMatchObject({ status: 'in_doubt', reason: 'turned_away' });
    place.clock.advance(60 * MINUTE);
    await place.run(batch);
    expect(sendsOf(place)).toHaveLength(3);
  });

  it('is sent three times at the most to a service that pays and says 429 all the same, and few others are', async () => {
    const place = await aWorkplace({ policy: { concurrency: 4, maxInDoubt: 2 } });
    const batch = await place.approved(someRows(20));
    place.service.script = () => 'limited_after';
    expect((await place.send(batch)).stop).toMatchObject({ kind: 'paused' });
    const times = Map.groupBy(place.service.book, ({ account }) => account);
    for (const paid of times.values()) expect(paid.length).toBeLessThanOrEqual(3);
    expect(times.size).toBe(3);
    expect(await place.stand(batch)).toEqual({ in_doubt: 3, approved: 17 });
  });

  it('is in doubt when the service pays, says 429, and refuses the second request', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(1));
    place.service.turns.push('limited_after', { refuse: 'a duplicate' });
    await place.send(batch);
    expect((await place.row(batch, 2)).state).toMatchObject({ status: 'in_doubt', reason: 'turned_away' });
    expect(place.service.book).toHaveLength(1);
  });

  it('has its three tries counted in the ledger: other processes and a new approval do not begin to count anew', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(1));
    place.service.script = () => 'rate_limited';
    place.service.retryAfterMs = 10 * MINUTE;
    for (let run = 0; run < 5; run += 1) {
      const next = workplaceOn({ ...place, policy: place.world.policy });
      await next.send(batch);
      place.clock.advance(25 * 60 * MINUTE);
      await next.send(batch);
      await next.agree(batch);
    }
    expect(sendsOf(place)).toHaveLength(3);
    expect(await place.stand(batch)).toEqual({ in_doubt: 1 });
  });

  it('is sent three times at the most to a service that pays and says that the session has ended', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1, maxInDoubt: 9 } });
    const batch = await place.approved(someRows(4));
    const poison = (await place.row(batch, 3)).instruction?.account.reveal();
    place.service.script = ({ account }) => (account.reveal() === poison ? 'token_refused_after' : 'accept');
    for (let run = 0; run < 6; run += 1) {
      await place.send(batch);
      await place.ledger.resume(batch, 'ben', place.clock.now());
      place.clock.advance(20 * MINUTE);
      await place.agree(batch);
    }
    expect(place.service.book.filter(({ account }) => account === poison)).toHaveLength(3);
    expect(await place.stand(batch)).toEqual({ accepted: 3, in_doubt: 1 });
    expect((await place.row(batch, 3)).state).toMatchObject({ status: 'in_doubt', reason: 'turned_away' });
  });

  it('goes again alone when a token was refused, so that a row which ends the session puts no other one in doubt', async () => {
    const place = await aWorkplace({ policy: { concurrency: 8, maxInDoubt: 9 } });
    const batch = await place.approved(someRows(12));
    const poison = (await place.row(batch, 6)).instruction?.account.reveal();
    place.service.turns.push('accept', 'accept', 'accept');
    let onWire = new Set<string>();
    const { send } = place.service;
    // Whoever is on the wire beside the row that ends the session is turned away with it.
    place.service.send = async (order, prepared) => {
      const account = order.account.reveal();
      onWire.add(account);
      await new Promise((resolve) => setTimeout(resolve, 5));
      place.service.script = () =>
        account === poison ? 'token_refused_after' : onWire.has(poison ?? '') ? 'token_refused' : 'accept';
      const outcome = await send(order, prepared);
      setTimeout(() => onWire.delete(account), 1);
      return outcome;
    };
    for (let run = 0; run < 4; run += 1) {
      await place.send(batch);
      await place.ledger.resume(batch, 'ben', place.clock.now());
      onWire = new Set();
    }
    expect(await place.stand(batch)).toEqual({ accepted: 11, in_doubt: 1 });
    expect(place.service.book.filter(({ account }) => account === poison)).toHaveLength(3);
  });

  it('has no new tries when it was withdrawn and is paid again', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(1));
    place.service.script = () => 'limited_after';
    const ben = { by: 'ben', reason: 'let me try later' };
    for (let again = 0; again < 4; again += 1) {
      place.service.retryAfterMs = 10 * MINUTE;
      await place.send(batch);
      place.clock.advance(20 * MINUTE);
      await cancelUnsent(batch, { kind: 'all' }, ben, place.world);
      await reissue(batch, { kind: 'rows', rows: ['2'] }, { ...ben, evidence: undefined }, place.world);
      await place.agree(batch);
    }
    expect(place.service.book).toHaveLength(3);
    expect((await place.row(batch, 2)).state).toMatchObject({ status: 'in_doubt', reason: 'turned_away' });
  });

  it('has its tries counted together, whether by 429 or for its token', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(1));
    place.service.turns.push('limited_after', 'token_refused_after', 'limited_after');
    await place.send(batch);
    expect(place.service.book).toHaveLength(3);
    expect(await place.stand(batch)).toEqual({ in_doubt: 1 });
  });

  it('goes again one at a time, after a question was answered, and before rows that were never tried', async () => {
    const place = await aWorkplace({ policy: { concurrency: 8 } });
    const batch = await place.approved(someRows(12));
    place.service.turns.push('rate_limited', 'rate_limited', 'rate_limited');
    let [onTheWire, most, again] = [0, 0, 0];
    const questions = () => place.service.calls.filter((call) => call === 'profile').length;
    place.service.beforeSend = async ({ attempt }) => {
      if (attempt === 1) return;
      onTheWire += 1;
      most = Math.max(most, onTheWire);
      again += 1;
      expect(questions()).toBe(again);
      await new Promise((resolve) => setTimeout(resolve, 5));
      onTheWire -= 1;
    };
    await place.send(batch);
    expect(await place.stand(batch)).toEqual({ accepted: 12 });
    expect(most).toBe(1);
    expect(again).toBe(3);
    const [first, second, third] = sendsOf(place).slice(0, 3);
    expect(sendsOf(place)[3]).toBe(first);
    expect(sendsOf(place).filter((call) => [first, second, third].includes(call))).toHaveLength(6);
  });

  it('does not go while no question is answered', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(1));
    place.service.turns.push('rate_limited');
    place.service.profileAnswer = { kind: 'unavailable', reason: 'HTTP 503' };
    expect((await place.send(batch)).stop).toEqual({ kind: 'outage', reason: 'HTTP 503' });
    expect(sendsOf(place)).toHaveLength(1);
    expect(await place.stand(batch)).toEqual({ approved: 1 });
  });

  it('has a doubt that covers the time of all its tries: each of them may have been the payment', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(1));
    const began = place.clock.now();
    place.service.turns.push('rate_limited', 'lose_after');
    place.service.retryAfterMs = 4 * MINUTE;
    await place.send(batch);
    expect((await place.row(batch, 2)).state).toMatchObject({
      reason: 'no_answer',
      evidence: { attempt: 2, startedAt: began, endedAt: began + 4 * MINUTE },
    });
  });

  it('has a doubt of that time after a crash as well: the payment of the first try is not “not there”', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(2), 'may');
    const first = place.clock.now();
    place.service.turns.push('accept', 'limited_after');
    place.service.retryAfterMs = 12 * 60 * MINUTE;
    await place.send(batch);
    await place.settle(batch);
    place.clock.advance(3 * DAY);
    const at = place.clock.now();
    await recordIn(place, await place.row(batch, 3), { ...anEvent('begin_attempt'), attempt: 2, at });
    expect(await recoverBatch(batch, HOLDER, place.world)).toBe(1);
    const evidence = { attempt: 2, startedAt: first, endedAt: at };
    expect((await place.row(batch, 3)).state).toMatchObject({ status: 'in_doubt', evidence });
    place.clock.advance(9 * DAY);
    const [shown = {}, paid = {}] = place.service.book.map((executed) => lineOf(executed, first));
    const lines = around(first, [shown, { ...paid, Id: '', Narration: '' }]);
    const found = await reconcileWith(place, batch, [...lines, ...around(at, [])]);
    expect(told(found.findings)).toEqual(['matched 2', 'propose_paid 3']);
    expect(await accept(place, found, 'not_paid')).toEqual([]);
  });

  it('that was tried more than three times is held for a person', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(1));
    const { clock } = place;
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const at = clock.now();
      const evidence = { attempt, phase: 'answer', startedAt: at, endedAt: at, bytesWritten: 5 } as const;
      const begin = { ...anEvent('begin_attempt'), attempt, at };
      const away = { kind: 'turn_away', why: 'rate_limited', evidence, at } as const;
      for (const event of [begin, away]) {
        const before = await place.row(batch, 2);
        await recordIn(place, before, event);
      }
    }
    await place.send(batch);
    expect(sendsOf(place)).toEqual([]);
    expect((await place.row(batch, 2)).state).toMatchObject({
      status: 'held',
      reasons: [{ text: 'The service turned this row away 5 times (HTTP 429), and may have paid it anyway' }],
    });
  });
});

describe('a wait that the service asks for', () => {
  /** One row turned away with this wait, and one that was never tried. */
  async function limited(retryAfterMs: number, deadlineMs = 15 * MINUTE) {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(2), 'may');
    place.service.turns.push('rate_limited');
    place.service.retryAfterMs = retryAfterMs;
    const sent = await place.send(batch, within(place, deadlineMs));
    return { place, batch, sent };
  }

  it('of more than five minutes stops the sending and is kept; of five it is waited for', async () => {
    const { place, batch, sent } = await limited(301 * SECOND);
    expect(sent.stop).toEqual({ kind: 'limited', until: Date.UTC(2026, 4, 25, 6, 5, 1) });
    expect(await place.stand(batch)).toEqual({ approved: 2 });
    const short = await limited(300 * SECOND);
    expect(short.sent.stop).toBeUndefined();
    expect(await short.place.stand(short.batch)).toEqual({ accepted: 2 });
  });

  it('of more than the deadline stops the sending at once', async () => {
    const { place, sent } = await limited(16 * SECOND, 15 * SECOND);
    expect(sent.stop).toMatchObject({ kind: 'limited' });
    expect(place.clock.monotonicMs()).toBeLessThan(1 * SECOND);
  });

  it('again and again, without anything getting through, ends with the deadline', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(2));
    place.service.script = () => 'rate_limited';
    place.service.retryAfterMs = 10 * SECOND;
    const sent = await place.send(batch, within(place, 15 * SECOND));
    expect(sent.stop).toMatchObject({ kind: 'limited' });
    expect(place.clock.monotonicMs()).toBeLessThan(15 * SECOND);
    expect(sendsOf(place)).toHaveLength(2);
  });

  it('binds the next run, which sends nothing while the rest is too long and waits where it is not', async () => {
    const { place, batch } = await limited(10 * MINUTE);
    place.clock.advance(4 * MINUTE);
    const next = workplaceOn({ ...place, policy: place.world.policy });
    expect((await next.send(batch)).stop).toEqual({ kind: 'limited', until: Date.UTC(2026, 4, 25, 6, 10) });
    expect(sendsOf(place)).toHaveLength(1);
    place.clock.advance(2 * MINUTE);
    place.service.beforeSend = async () =>
      expect(place.clock.now()).toBeGreaterThanOrEqual(Date.UTC(2026, 4, 25, 6, 10));
    expect((await next.send(batch)).stop).toBeUndefined();
    expect(await place.stand(batch)).toEqual({ accepted: 2 });
  });

  it('binds every batch of the ledger, since they all go to this service', async () => {
    const { place } = await limited(10 * MINUTE);
    place.service.names.set('0244123003', 'Kofi Owusu');
    const other = await place.approved(someRows(3, { name: 'Kofi Owusu' }).slice(2), 'june');
    expect((await place.send(other)).stop).toMatchObject({ kind: 'limited' });
    expect(sendsOf(place)).toHaveLength(1);
  });

  it('is never longer than was asked for, also when the clock is set back by a year', async () => {
    const { place, batch } = await limited(10 * MINUTE);
    place.clock.advance(-365 * 24 * 60 * MINUTE);
    const { stop } = await place.send(batch);
    expect(stop).toEqual({ kind: 'limited', until: plusMs(place.clock.now(), 10 * MINUTE) });
  });

  it('ends a run without a look at what is on its way: the service asked to be left alone', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(2));
    place.service.turns.push('accept', 'rate_limited');
    place.service.retryAfterMs = 60 * MINUTE;
    expect((await place.run(batch)).sent?.stop).toMatchObject({ kind: 'limited' });
    expect(afterLast(place, sendsOf(place).at(-1) ?? '')).toEqual([]);
    expect(await place.stand(batch)).toEqual({ accepted: 1, approved: 1 });
  });

  it('is written down with the row itself, so that no kill forgets it', async () => {
    const { place, batch } = await limited(10 * MINUTE);
    expect(await events(place, batch, 2)).toContain('turn_away');
    const [entry] = (await place.ledger.journalOf((await place.row(batch, 2)).id)).slice(-1);
    expect(entry?.body).toMatchObject({ until: Date.UTC(2026, 4, 25, 6, 10) });
  });

  it('is ended by a person who stops the run', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(1));
    const stop = new AbortController();
    place.service.turns.push('rate_limited');
    place.service.retryAfterMs = 4 * MINUTE;
    const sleep = place.clock.sleep;
    place.world.clock.sleep = (ms, signal) => {
      if (ms > MINUTE) stop.abort();
      return sleep(ms, signal);
    };
    expect((await place.send(batch, { signal: stop.signal })).stop).toEqual({ kind: 'interrupted' });
    expect(sendsOf(place)).toHaveLength(1);
  });
});
