/** Sending: nothing twice, nothing lost, and a doubt is called a doubt. The service's own book is the judge. */
import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { PayoutEvent } from '../../src/domain/payouts/payout-event.ts';
import { asInstitutionId } from '../../src/domain/rows/directory.ts';
import { LedgerError } from '../../src/ports/ledger/errors.ts';
import { CredentialsRefused } from '../../src/ports/payment-service.ts';
import { recoverBatch } from '../../src/use-cases/send/recover-batch.ts';
import { ledgerWith } from '../builders/ledger-with.ts';
import { aRow, someRows } from '../builders/payout-file.ts';
import { anEvent } from '../builders/payouts.ts';
import { turnsOfTheLoop, until } from '../builders/until.ts';
import { aWorkplace, HOLDER, recordIn, type Workplace, workplaceOn } from '../builders/workplace.ts';

const sendsOf = ({ service }: Workplace) => service.calls.filter((call) => call.startsWith('send ')).length;
const accountsOf = ({ service }: Workplace) => service.book.map(({ account }) => account);

const estimateAt = (rate: string) =>
  ({ kind: 'answered', answer: { rate, fee: '1.02', speedSeconds: 30 } }) as const;

describe('the intent', () => {
  it('is durable before the request leaves', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(5));
    const stood: string[] = [];
    place.service.beforeSend = async (order) => {
      const all = await place.payouts(batch);
      const row = all.find((one) => one.instruction?.account.reveal() === order.account.reveal());
      stood.push(`${row?.state.status} ${row?.attempts}`);
    };
    await place.send(batch);
    expect(stood).toEqual(['sending 1', 'sending 1', 'sending 1', 'sending 1', 'sending 1']);
    expect(await place.stand(batch)).toEqual({ accepted: 5 });
  });

  it('puts the tag in front of the note and the exact amount on the wire', async () => {
    const place = await aWorkplace();
    await place.send(await place.approved([aRow(1, { amount: '1200.5' })]));
    expect(place.service.book).toMatchObject([{ amount: '1200.50', name: 'AMA MENSAH' }]);
    expect(place.service.book[0]?.note).toMatch(/^PF-[0-9A-Z]{8} May salary$/);
  });
});

describe('a ledger that cannot be written', () => {
  const full = (
    at: 'begin_attempt' | 'accept',
    place: Workplace,
    emergencies: PayoutEvent[] = [],
  ): Workplace => {
    const { ledger } = place;
    const broken = ledgerWith(ledger, {
      emergency: (_id, _attempt, event) => void emergencies.push(event),
      record: (move) =>
        move.event.kind === at
          ? Promise.reject(new LedgerError('ledger_unwritable', 'The disk is full.'))
          : ledger.record(move),
    });
    return workplaceOn({ ...place, ledger: broken, policy: place.world.policy });
  };

  it('[L18] sends nothing when the intent cannot be written, and throws the connection away', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(3));
    await expect(full('begin_attempt', place).send(batch)).rejects.toThrow('The disk is full.');
    expect(place.service.calls.slice(-2)).toEqual(['prepare fine', 'discard']);
    expect(sendsOf(place)).toBe(0);
    expect(await place.stand(batch)).toEqual({ approved: 3 });
  });

  it('[L18] puts an outcome that cannot be written into the emergency file, and stops', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(3));
    const emergencies: PayoutEvent[] = [];
    await expect(full('accept', place, emergencies).send(batch)).rejects.toThrow('The disk is full.');
    expect(emergencies).toMatchObject([{ kind: 'accept', transferId: 'tr-1' }]);
    expect(sendsOf(place)).toBe(1);
    expect(await place.stand(batch)).toEqual({ sending: 1, approved: 2 });
  });
});

describe('a lost answer', () => {
  it('[N12][H10] leaves the row in doubt, and no later run sends it again', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(4));
    place.service.turns.push('accept', 'lose_after');
    await place.run(batch);
    expect(await place.stand(batch)).toEqual({ settled: 3, in_doubt: 1 });
    for (let again = 0; again < 3; again += 1) await place.run(batch);
    expect(sendsOf(place)).toBe(4);
    expect(new Set(accountsOf(place)).size).toBe(4);
  });

  it('[N28] asks its question only when the last one in flight has ended', async () => {
    const place = await aWorkplace({ policy: { concurrency: 3 } });
    const batch = await place.approved(someRows(6));
    place.service.turns.push('hang', 'lose_after', 'accept');
    const sending = place.send(batch);
    await until(() => place.service.hanging.length === 1 && place.service.book.length === 2);
    await turnsOfTheLoop(50);
    expect(place.service.calls).not.toContain('profile');
    expect(sendsOf(place)).toBe(3);
    place.service.hanging[0]?.answer('accept');
    await sending;
    expect(place.service.calls).toContain('profile');
    expect(await place.stand(batch)).toEqual({ accepted: 5, in_doubt: 1 });
  });

  it('pauses the batch when doubts are more than the limit, and a later run does not lift the pause', async () => {
    const place = await aWorkplace({ policy: { maxInDoubt: 2, concurrency: 1 } });
    const batch = await place.approved(someRows(10));
    place.service.turns.push('accept');
    place.service.script = () => 'lose_after';
    const sent = await place.send(batch);
    expect(sent.stop).toMatchObject({ kind: 'paused' });
    expect(await place.stand(batch)).toEqual({ accepted: 1, in_doubt: 3, approved: 6 });
    place.service.script = () => 'accept';
    expect((await place.send(batch)).stop).toMatchObject({ kind: 'paused' });
    expect(sendsOf(place)).toBe(4);
  });

  it('counts anew after a person lifted the pause, also over several runs', async () => {
    const place = await aWorkplace({ policy: { maxInDoubt: 1, concurrency: 1 } });
    const batch = await place.approved(someRows(8));
    place.service.turns.push('accept', 'lose_after', 'lose_after');
    await place.send(batch);
    place.clock.advance(1_000);
    await place.ledger.resume(batch, 'ben', place.clock.now());
    place.clock.advance(1_000);
    const oneMore = new AbortController();
    place.service.turns.push('lose_after');
    place.service.beforeSend = async () => oneMore.abort();
    expect((await place.send(batch, { signal: oneMore.signal })).stop).toEqual({ kind: 'interrupted' });
    place.service.beforeSend = async () => undefined;
    place.service.turns.push('lose_after');
    expect((await place.send(batch)).stop).toMatchObject({ kind: 'paused' });
    expect(await place.stand(batch)).toMatchObject({ in_doubt: 4 });
  });

  it('does not begin at all when crashes have left more in doubt than the limit', async () => {
    const place = await aWorkplace({ policy: { maxInDoubt: 1, concurrency: 1 } });
    const batch = await place.approved(someRows(5));
    const rows = (await place.payouts(batch)).slice(0, 2);
    for (const before of rows) {
      const event = { ...anEvent('begin_attempt'), at: place.clock.now() };
      await recordIn(place, before, event);
    }
    expect((await place.send(batch)).stop).toMatchObject({ kind: 'paused' });
    expect(sendsOf(place)).toBe(0);
    expect(await place.stand(batch)).toEqual({ in_doubt: 2, approved: 3 });
  });
});

describe('a way that is closed', () => {
  it('[N1][N3] leaves rows approved when no connection can be made, and stops after the outage time', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(3));
    place.service.prepare = () => 'connect';
    place.service.profileAnswer = { kind: 'unavailable', reason: 'connection refused' };
    const sent = await place.send(batch);
    expect(sent.stop).toMatchObject({ kind: 'outage' });
    expect(await place.stand(batch)).toEqual({ approved: 3 });
    expect(sendsOf(place)).toBe(0);
  });

  it('does not try for ever when the service answers questions but takes no transfer', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(3));
    place.service.prepare = () => 'connect';
    expect((await place.send(batch)).stop).toMatchObject({ kind: 'outage' });
    const tries = place.service.calls.filter((call) => call === 'prepare connect').length;
    expect(tries).toBeLessThan(40);
    expect(await place.stand(batch)).toEqual({ approved: 3 });
  });

  it('sends again what provably never left, under a new attempt', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(2));
    place.service.turns.push('not_sent', 'not_sent');
    await place.send(batch);
    expect((await place.payouts(batch)).map((row) => [row.state.status, row.attempts])).toEqual([
      ['accepted', 2],
      ['accepted', 2],
    ]);
    expect(accountsOf(place).toSorted()).toEqual(['0244123001', '0244123002']);
  });

  it('[T10] stops with nothing sent when the credentials are refused', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(3));
    place.service.prepareTurns.push('credentials');
    await expect(place.send(batch)).rejects.toThrow(CredentialsRefused);
    expect(place.service.book).toHaveLength(0);
    expect((await place.ledger.batch(batch))?.pause).toBeUndefined();
    await place.send(batch);
    expect(place.service.book).toHaveLength(3);
  });
});

describe('being turned away', () => {
  it('does not pause a batch because one token ended while many rows were in flight', async () => {
    const place = await aWorkplace({ policy: { concurrency: 8 } });
    const batch = await place.approved(someRows(20));
    // Ends after two transfers; whoever asks for the profile logs in anew.
    place.service.script = () =>
      place.service.book.length < 2 || place.service.calls.includes('profile') ? 'accept' : 'token_refused';
    expect((await place.send(batch)).stop).toBeUndefined();
    expect(await place.stand(batch)).toEqual({ accepted: 20 });
    expect(place.service.book).toHaveLength(20);
  });

  it('[H4] pauses when a fresh token is refused too', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(3));
    place.service.turns.push('accept');
    place.service.script = () => 'token_refused';
    expect((await place.send(batch)).stop).toMatchObject({ kind: 'paused' });
    expect(await place.stand(batch)).toEqual({ accepted: 1, approved: 2 });
    expect(sendsOf(place)).toBe(3);
  });
});

describe('refusals', () => {
  it('pause the batch when the first three answers are all of them', async () => {
    const place = await aWorkplace({ policy: { concurrency: 64 } });
    const batch = await place.approved(someRows(100));
    place.service.script = ({ account }) => ({ refuse: `no payment instrument for ${account.reveal()}` });
    expect((await place.send(batch)).stop).toMatchObject({ kind: 'paused' });
    expect(await place.stand(batch)).toEqual({ failed: 3, approved: 97 });
    expect((await place.ledger.batch(batch))?.pause?.reason).toContain(
      'the first 3 payments were all refused',
    );
  });

  it('let no fourth row begin before the first three are answered, however far apart their answers are', async () => {
    const place = await aWorkplace({ policy: { concurrency: 64 } });
    const batch = await place.approved(someRows(9));
    place.service.script = () => 'hang';
    const sending = place.send(batch);
    for (const row of [0, 1, 2]) {
      await until(() => place.service.hanging.length >= 3);
      place.service.hanging[row]?.answer({ refuse: `no balance for row ${row}` });
      await turnsOfTheLoop(200);
      expect(place.service.hanging).toHaveLength(3);
    }
    expect((await sending).stop).toMatchObject({ kind: 'paused' });
    expect(await place.stand(batch)).toEqual({ failed: 3, approved: 6 });
  });

  it('set one institution aside after five, while the rest goes on; the next run tries one row first', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const rows = someRows(20).map((row, index) =>
      index < 12 ? { ...row, institution: 'GCB Bank', account: `1234567890${index + 10}` } : row,
    );
    const batch = await place.approved([aRow(50), ...rows]);
    const gcb = asInstitutionId('i-gcb');
    place.service.script = ({ institutionId, account }) =>
      institutionId === gcb ? { refuse: `GCB is down for ${account.reveal()}` } : 'accept';
    const first = await place.send(batch);
    expect(first.stop).toBeUndefined();
    expect(first.setAside).toEqual([gcb]);
    expect(await place.stand(batch)).toEqual({ accepted: 9, failed: 5, approved: 7 });
    const second = await place.send(batch);
    expect(second.setAside).toEqual([gcb]);
    expect(await place.stand(batch)).toEqual({ accepted: 9, failed: 6, approved: 6 });
    place.service.script = () => 'accept';
    expect((await place.send(batch)).setAside).toEqual([]);
    expect(await place.stand(batch)).toEqual({ accepted: 15, failed: 6 });
  });

  it('try an institution that was set aside with one row at a time, whatever the concurrency', async () => {
    const place = await aWorkplace({ policy: { concurrency: 8 } });
    const gcbRows = someRows(20, { institution: 'GCB Bank' }).map((row, index) => ({
      ...row,
      account: `1234567890${index + 10}`,
    }));
    const batch = await place.approved([aRow(50), ...gcbRows]);
    await place.ledger.note(
      batch,
      'institution_set_aside',
      { institution: asInstitutionId('i-gcb') },
      place.clock.now(),
    );
    place.service.turns.push('accept');
    place.service.script = ({ account }) => ({ refuse: `down ${account.reveal()}` });
    await place.send(batch);
    expect(await place.stand(batch)).toEqual({ accepted: 1, failed: 1, approved: 19 });
  });
});

describe('a transfer id that comes twice', () => {
  it('[E6] leaves the row in doubt and pauses the batch', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(5));
    place.service.turns.push('accept', 'same_id');
    expect((await place.send(batch)).stop).toMatchObject({ kind: 'paused' });
    expect(await place.stand(batch)).toEqual({ accepted: 1, in_doubt: 1, approved: 3 });
    expect((await place.row(batch, 3)).state).toMatchObject({ reason: 'id_seen_before' });
  });

  it('pauses the batch for good even when someone stops the run at that very moment', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(4));
    place.service.turns.push('accept', 'same_id');
    const stop = new AbortController();
    place.service.beforeSend = async () => {
      if (place.service.book.length === 1) stop.abort();
    };
    await place.send(batch, { signal: stop.signal });
    expect((await place.ledger.batch(batch))?.pause).toBeDefined();
    await place.send(batch);
    expect(sendsOf(place)).toBe(2);
  });
});

describe('an approval', () => {
  it('older than a day goes back to quoted instead of out', async () => {
    const place = await aWorkplace({ policy: { quoteMinutes: 10_000 } });
    const batch = await place.approved(someRows(3));
    place.clock.advance(24 * 3_600_000 + 1);
    await place.send(batch);
    expect(await place.stand(batch)).toEqual({ quoted: 3 });
    expect(sendsOf(place)).toBe(0);
  });

  it('of exactly a day still holds', async () => {
    const place = await aWorkplace({ policy: { quoteMinutes: 10_000 } });
    const batch = await place.approved(someRows(1));
    place.clock.advance(24 * 3_600_000);
    await place.send(batch);
    expect(await place.stand(batch)).toEqual({ accepted: 1 });
  });

  it('[E14] is asked for once more when the rate moved, for that corridor alone', async () => {
    const place = await aWorkplace();
    const kenya = aRow(9, {
      country: 'Kenya',
      institution: 'M-Pesa',
      account: '0712345678',
      amount: '500.00',
    });
    const batch = await place.approved([...someRows(2), kenya]);
    place.clock.advance(31 * 60_000);
    const { estimate } = place.service;
    place.service.estimate = (question, signal) =>
      question.destinationId === 'c-ke' ? estimate(question, signal) : Promise.resolve(estimateAt('15.3'));
    const sent = await place.send(batch);
    // 1200 ÷ 15.5 + 1.02, and 1200 ÷ 15.3 + 1.02.
    const cost = { what: 'cost', was: 'GBP 78.44', now: 'GBP 79.45' };
    expect(sent.moved).toEqual([{ currency: 'GHS', ...cost, rows: 2 }]);
    expect(await place.stand(batch)).toEqual({ quoted: 2, accepted: 1 });
  });

  it('stands when the rate moved less than the budget, or when the quotes are young', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(2));
    place.service.estimateAnswer = estimateAt('15.4');
    place.clock.advance(31 * 60_000);
    await place.send(batch);
    expect(await place.stand(batch)).toEqual({ accepted: 2 });
    const young = await place.approved(
      someRows(2).map((row, at) => ({ ...row, reference: `Y-${at}` })),
      'young',
    );
    place.service.estimateAnswer = estimateAt('1');
    await place.send(young);
    expect(await place.stand(young)).toEqual({ accepted: 2 });
  });

  it('moves nothing when today’s cost cannot be had', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(2));
    place.clock.advance(31 * 60_000);
    place.service.estimateAnswer = { kind: 'unavailable', reason: '503' };
    expect((await place.send(batch)).stop).toMatchObject({ kind: 'outage' });
    expect(await place.stand(batch)).toEqual({ approved: 2 });
  });
});

describe('the same payment in two batches', () => {
  it('goes out once: the second is held at the last moment', async () => {
    const place = await aWorkplace();
    const one = (await place.place(someRows(3), 'one')).batch.id;
    const other = (await place.place(someRows(3), 'other')).batch.id;
    await place.price(one);
    await place.price(other);
    await place.agree(one);
    place.clock.advance(1);
    await place.agree(other);
    await place.send(other);
    await place.send(one);
    await place.send(other);
    expect(place.service.book).toHaveLength(3);
    expect([await place.stand(one), await place.stand(other)]).toEqual([{ accepted: 3 }, { held: 3 }]);
    expect((await place.row(other, 2)).state).toMatchObject({
      reasons: [{ concern: { kind: 'repeat' }, pointer: { batchName: 'one', rowNumber: 2 } }],
    });
  });
});

describe('stopping', () => {
  it('starts nothing when it was asked for before', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(3));
    expect((await place.send(batch, { signal: AbortSignal.abort() })).stop).toEqual({ kind: 'interrupted' });
    expect(sendsOf(place)).toBe(0);
  });

  it('leaves nothing behind on a signal that outlives it', async () => {
    const place = await aWorkplace();
    const { signal } = new AbortController();
    for (const name of ['may', 'june']) await place.send(await place.approved(someRows(3), name), { signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('waits for what is in flight and records it', async () => {
    const place = await aWorkplace({ policy: { concurrency: 2 } });
    const batch = await place.approved(someRows(6));
    place.service.script = () => 'hang';
    const stop = new AbortController();
    const sending = place.send(batch, { signal: stop.signal });
    await until(() => place.service.hanging.length === 2);
    stop.abort();
    for (const { answer } of place.service.hanging) answer('accept');
    expect((await sending).stop).toEqual({ kind: 'interrupted' });
    expect(await place.stand(batch)).toEqual({ accepted: 2, approved: 4 });
  });

  it('ends the waiting for a service that does not come back', async () => {
    const place = await aWorkplace({ policy: { outageWaitMs: 10 * 60_000 } });
    const batch = await place.approved(someRows(2));
    const stop = new AbortController();
    place.service.prepare = () => 'connect';
    place.service.profile = async () => {
      stop.abort();
      return { kind: 'unavailable', reason: 'down' };
    };
    expect((await place.send(batch, { signal: stop.signal })).stop).toEqual({ kind: 'interrupted' });
    expect(await place.stand(batch)).toEqual({ approved: 2 });
  });

  it('sends nothing more once the lease is lost', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(4));
    const lost = new AbortController();
    place.service.beforeSend = async () => lost.abort(new Error('It was taken over.'));
    const sent = await place.send(batch, { leaseLost: lost.signal });
    expect(sent.stop).toEqual({ kind: 'lease_lost', reason: 'It was taken over.' });
    expect(place.service.book).toHaveLength(1);
  });

  it('sees a pause from another terminal between two rows', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(6));
    place.service.beforeSend = async () => {
      place.clock.advance(300);
      if (place.service.book.length === 2)
        await place.ledger.pause(batch, { reason: 'wait for the boss', by: 'ben', at: place.clock.now() });
    };
    expect((await place.send(batch)).stop).toEqual({ kind: 'paused', reason: 'wait for the boss' });
    expect(place.service.book).toHaveLength(3);
  });

  it('[N13] keeps a late acceptance of a row that another process had put in doubt meanwhile', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(1));
    place.service.script = () => 'hang';
    const sending = place.send(batch);
    await until(() => place.service.hanging.length === 1);
    expect(await recoverBatch(batch, HOLDER, place.world)).toBe(1);
    expect(await place.stand(batch)).toEqual({ in_doubt: 1 });
    place.service.hanging[0]?.answer('accept');
    await sending;
    expect(await place.stand(batch)).toEqual({ accepted: 1 });
  });
});

describe('concurrency', () => {
  it('is never more than allowed, and all of it is used', async () => {
    const place = await aWorkplace({ policy: { concurrency: 5 } });
    await place.send(await place.approved(someRows(40)));
    expect(place.service.inFlightMost).toBe(5);
    expect(new Set(accountsOf(place)).size).toBe(40);
  });

  it('sends more rows than a page holds, each once', async () => {
    const place = await aWorkplace({ policy: { concurrency: 16 } });
    const rows = Array.from({ length: 510 }, (_, at) =>
      aRow(at, { account: `024412${String(at).padStart(4, '0')}` }),
    );
    const batch = await place.approved(rows);
    place.service.script = ({ account }) => (account.reveal().endsWith('7') ? 'lose_before' : 'accept');
    await place.ledger.resume(batch, 'ben', place.clock.now());
    const tolerant = { ...place.world.policy, maxInDoubt: 1_000 };
    Object.assign(place.world, { policy: tolerant });
    await place.send(batch);
    expect(await place.stand(batch)).toEqual({ accepted: 459, in_doubt: 51 });
    expect(new Set(accountsOf(place)).size).toBe(459);
  });
});

describe('the first live batch of a ledger', () => {
  it('sends one row and looks it up before going on', async () => {
    const place = await aWorkplace({ environment: 'live' });
    await place.send(await place.approved(someRows(5)));
    const acts = place.service.calls.filter((call) => /^(send|transaction)/.test(call));
    expect(acts.slice(0, 2)).toEqual(['send 0244123001', 'transaction tr-1']);
    expect(place.service.book).toHaveLength(5);
  });

  it('stops after that one row when it cannot be looked up, and sends no other one afterwards', async () => {
    const place = await aWorkplace({ environment: 'live' });
    const batch = await place.approved(someRows(5));
    place.service.isUnanswered = () => true;
    expect((await place.send(batch)).stop).toMatchObject({ kind: 'paused' });
    await place.ledger.resume(batch, 'ben', place.clock.now());
    expect((await place.send(batch)).stop).toMatchObject({ kind: 'paused' });
    expect(place.service.book).toHaveLength(1);
    place.service.isUnanswered = () => false;
    await place.ledger.resume(batch, 'ben', place.clock.now());
    await place.send(batch);
    expect(await place.stand(batch)).toEqual({ settled: 1, accepted: 4 });
  });

  it('tries another row when the first is refused', async () => {
    const place = await aWorkplace({ environment: 'live' });
    const batch = await place.approved(someRows(4));
    place.service.turns.push({ refuse: 'closed' });
    await place.send(batch);
    expect(await place.stand(batch)).toEqual({ failed: 1, settled: 1, accepted: 2 });
  });

  it('needs no proof in the sandbox', async () => {
    const place = await aWorkplace();
    await place.send(await place.approved(someRows(3)));
    expect(place.service.calls.filter((call) => call.startsWith('transaction'))).toEqual([]);
  });
});
