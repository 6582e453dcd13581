/** A service that says nothing: how long it is waited for, in every stage, and what is never cut off. */
import { expect, it } from 'vitest';
import { plusMs } from '../../src/domain/timestamp.ts';
import { findBatch } from '../../src/use-cases/find-batch.ts';
import type { Ports } from '../../src/use-cases/ports.ts';
import { type RunOptions, runBatch } from '../../src/use-cases/run.ts';
import { sendBatch } from '../../src/use-cases/send/send-batch.ts';
import { settleBatch } from '../../src/use-cases/settle/settle-batch.ts';
import {
  lookUpsHang,
  patientWorld,
  sleepThrough,
  TRIES_MS,
  whileTimePasses,
} from '../builders/passing-time.ts';
import { someRows } from '../builders/payout-file.ts';
import { aWorkplace, HOLDER, KEPT, type Workplace } from '../builders/workplace.ts';

const PATIENCE_MS = 20_000;

type Question =
  | 'countries'
  | 'institutions'
  | 'accountName'
  | 'estimate'
  | 'rate'
  | 'transaction'
  | 'profile';

/** The question hangs until the client gives up; on our clock. */
function hanging(place: Workplace, question: Question, from = 1): void {
  const { service } = place;
  const real = service[question].bind(service) as (...given: unknown[]) => Promise<unknown>;
  let asked = 0;
  const hang = async (...given: unknown[]) => {
    asked += 1;
    if (asked < from) return real(...given);
    await sleepThrough(place, TRIES_MS, given.at(-1) as AbortSignal);
    return { kind: 'unavailable', reason: 'timeout' };
  };
  Object.assign(service, { [question]: hang });
}

const runOn = async (place: Workplace, world: Ports, batchId: string) => {
  const asked: RunOptions = {
    consent: async () => ({ kind: 'agreed', how: 'library' }),
    skipInvalid: false,
    ceilings: undefined,
    deadlineMs: 0,
    holder: HOLDER,
  };
  return runBatch(await findBatch(batchId, place.ledger), asked, world);
};

it.each<Question>(['countries', 'accountName', 'estimate'])(
  'waits once for the length of the deadline when %s hangs, sends nothing, and leaves every row planned',
  async (question) => {
    const place = await aWorkplace();
    const { batch } = await place.place(someRows(50), 'may');
    hanging(place, question);
    const world = patientWorld(place, PATIENCE_MS);
    const began = place.clock.monotonicMs();
    const run = await runOn(place, world, batch.id).catch((error: unknown) => String(error));
    expect(place.clock.monotonicMs() - began).toBeLessThan(PATIENCE_MS + 2_000);
    if (typeof run === 'string') expect(run).toContain('no usable answer for 20 s');
    else expect(run.silence).toContain('no usable answer for 20 s');
    expect(await place.stand(batch.id)).toEqual({ planned: 50 });
    expect(place.service.book).toEqual([]);
  },
);

it('does not cut work that goes on: each answer takes long, and all come', async () => {
  const place = await aWorkplace({ policy: { concurrency: 1 } });
  const { batch } = await place.place(someRows(5), 'may');
  const { accountName } = place.service;
  place.service.accountName = async (question, signal) => {
    await sleepThrough(place, PATIENCE_MS - 2_000, signal as AbortSignal);
    return accountName(question, signal);
  };
  const world = patientWorld(place, PATIENCE_MS);
  const run = await runOn(place, world, batch.id);
  expect(place.clock.monotonicMs()).toBeGreaterThan(3 * PATIENCE_MS);
  expect(run.silence).toBeUndefined();
  expect(place.service.book).toHaveLength(5);
});

it.each<Question>(['institutions', 'estimate'])(
  'stops before the first transfer when %s hangs just before sending, and the rows stay approved',
  async (question) => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(5), 'may');
    place.clock.advance(31 * 60_000);
    hanging(place, question);
    const world = patientWorld(place, PATIENCE_MS);
    const began = place.clock.monotonicMs();
    const sent = await sendBatch(batch, world, { holder: HOLDER, leaseLost: KEPT });
    expect(place.clock.monotonicMs() - began).toBeLessThan(PATIENCE_MS + 2_000);
    expect(sent.stop).toMatchObject({ kind: 'outage' });
    expect(await place.stand(batch)).toEqual({ approved: 5 });
  },
);

it('stops when the probe after a doubt hangs, with the doubt in the ledger and the rest approved', async () => {
  const place = await aWorkplace({ policy: { concurrency: 1 } });
  const batch = await place.approved(someRows(5), 'may');
  place.service.turns.push('accept', 'lose_after');
  hanging(place, 'profile');
  const world = patientWorld(place, PATIENCE_MS);
  const began = place.clock.monotonicMs();
  const sent = await sendBatch(batch, world, { holder: HOLDER, leaseLost: KEPT });
  expect(place.clock.monotonicMs() - began).toBeLessThan(PATIENCE_MS + 2_000);
  expect(sent.stop).toMatchObject({ kind: 'outage' });
  expect(await place.stand(batch)).toEqual({ accepted: 1, in_doubt: 1, approved: 3 });
});

/** Each transfer is answered after so long. */
function slowTransfers(place: Workplace, milliseconds: number): void {
  const { send } = place.service;
  place.service.send = async (order, prepared) => {
    await sleepThrough(place, milliseconds, KEPT);
    return send(order, prepared);
  };
}

it('waits for a transfer that is on the wire, begins no other one, and says at once how long it waits', async () => {
  const place = await aWorkplace({ policy: { concurrency: 1 } });
  const batch = await place.approved(someRows(2), 'may');
  slowTransfers(place, 5 * PATIENCE_MS);
  const began = place.clock.monotonicMs();
  const world = patientWorld(place, PATIENCE_MS);
  const told: (readonly [number, string])[] = [];
  const tell: Ports['tell'] = (event) => {
    if (event.kind === 'waiting') told.push([place.clock.monotonicMs() - began, event.reason]);
  };
  const sent = await sendBatch(batch, { ...world, tell }, { holder: HOLDER, leaseLost: KEPT });
  expect(sent).toMatchObject({ stop: { kind: 'outage' }, isOver: true });
  expect(await place.stand(batch)).toEqual({ accepted: 1, approved: 1 });
  const [[atMs, text] = [0, '']] = told;
  expect(atMs).toBeLessThan(PATIENCE_MS + 1_000);
  expect(text).toBe(
    'the service is silent: it gave no usable answer for 20 s. No new transfer begins; 1 row on the wire is waited for, until 2026-05-25 06:03:20 UTC at the latest',
  );
});

it('has sent all rows, and asks nothing more, where the last one is answered long after the deadline', async () => {
  const place = await aWorkplace({ policy: { concurrency: 1 } });
  const { batch } = await place.place(someRows(1), 'may');
  slowTransfers(place, 5 * PATIENCE_MS);
  const run = await runOn(place, patientWorld(place, PATIENCE_MS), batch.id);
  expect(run.sent?.stop).toBeUndefined();
  expect(run.silence).toBeUndefined();
  expect(await place.stand(batch.id)).toEqual({ accepted: 1 });
  expect(place.service.calls.filter((call) => call.startsWith('transaction'))).toEqual([]);
});

it('goes on while transfers are answered, however slow each of them is', async () => {
  const place = await aWorkplace({ policy: { concurrency: 1 } });
  const batch = await place.approved(someRows(5), 'may');
  slowTransfers(place, PATIENCE_MS - 2_000);
  const sent = await sendBatch(batch, patientWorld(place, PATIENCE_MS), { holder: HOLDER, leaseLost: KEPT });
  expect(sent.stop).toBeUndefined();
  expect(await place.stand(batch)).toEqual({ accepted: 5 });
});

it('begins no transfer once none was answered for as long as the deadline allows, though questions are', async () => {
  const place = await aWorkplace({ policy: { concurrency: 1, maxInDoubt: 100 } });
  const batch = await place.approved(someRows(9), 'may');
  place.service.turns.push('accept', ...Array.from({ length: 8 }, () => 'lose_after' as const));
  const { send } = place.service;
  let begunMs = 0;
  place.service.send = async (order, prepared) => {
    begunMs = place.clock.monotonicMs();
    const outcome = await send(order, prepared);
    // Each lost answer was waited for.
    if (outcome.kind === 'in_doubt') await sleepThrough(place, 15_000, KEPT);
    return outcome;
  };
  const began = place.clock.monotonicMs();
  const sent = await sendBatch(batch, patientWorld(place, PATIENCE_MS), { holder: HOLDER, leaseLost: KEPT });
  expect(sent).toMatchObject({ stop: { kind: 'outage' }, isOver: true });
  expect(begunMs - began).toBeLessThan(PATIENCE_MS + 1_000);
  expect(await place.stand(batch)).toEqual({ accepted: 1, in_doubt: 2, approved: 6 });
});

it('gives the canary up at its deadline, though a look-up is open, and asks nothing more', async () => {
  const place = await aWorkplace({ policy: { concurrency: 1 } });
  const batch = await place.approved(someRows(3), 'may');
  hanging(place, 'transaction', 2);
  const canary = { rows: 1, by: 'ben', deadline: () => plusMs(place.clock.now(), PATIENCE_MS / 2) };
  place.service.statusOf = () => 'Processing';
  const world = patientWorld(place, PATIENCE_MS);
  const began = place.clock.monotonicMs();
  const sent = await whileTimePasses(place, () =>
    sendBatch(batch, world, { holder: HOLDER, leaseLost: KEPT, canary }),
  );
  expect(place.clock.monotonicMs() - began).toBeLessThan(PATIENCE_MS / 2 + 2_000);
  expect(sent).toMatchObject({ stop: { kind: 'canary', row: undefined }, isOver: true });
  expect(await place.stand(batch)).toEqual({ accepted: 1, approved: 2 });
});

it('does not look the first transfer up for longer than the deadline, and the next run asks for it first', async () => {
  const place = await aWorkplace({ environment: 'live', policy: { concurrency: 1 } });
  const batch = await place.approved(someRows(3), 'may');
  const { transaction } = place.service;
  const world = patientWorld(place, PATIENCE_MS);
  // Answered, late, with what says nothing.
  place.service.transaction = async (_id, signal) => {
    await world.clock.sleep(8_000, signal);
    return { kind: 'declined', code: '404', message: 'unknown' };
  };
  const deadline = () => plusMs(place.clock.now(), PATIENCE_MS);
  const began = place.clock.monotonicMs();
  const canary = { rows: undefined, by: undefined, deadline };
  const sent = await whileTimePasses(place, () =>
    sendBatch(batch, world, { holder: HOLDER, leaseLost: KEPT, canary }),
  );
  expect(place.clock.monotonicMs() - began).toBeLessThan(PATIENCE_MS + 2_000);
  expect(sent.stop).toMatchObject({ kind: 'outage', reason: expect.stringMatching(/first transfer/) });
  expect(await place.stand(batch)).toEqual({ accepted: 1, approved: 2 });
  Object.assign(place.service, { transaction });
  const before = place.service.calls.length;
  await place.send(batch);
  const acts = place.service.calls.slice(before).filter((call) => /^(send|transaction)/.test(call));
  expect(acts[0]).toBe('transaction tr-1');
});

it('ends settling when the looks hang, with what is on its way as it was', async () => {
  const place = await aWorkplace();
  const batch = await place.approved(someRows(3), 'may');
  await place.send(batch);
  place.clock.advance(60_000);
  hanging(place, 'transaction');
  const world = patientWorld(place, PATIENCE_MS);
  const began = place.clock.monotonicMs();
  const deadline = plusMs(place.clock.now(), PATIENCE_MS);
  const settled = await whileTimePasses(place, () => settleBatch(batch, world, { deadline }));
  expect(place.clock.monotonicMs() - began).toBeLessThan(PATIENCE_MS + 1_000);
  expect(settled.incidents).toEqual([]);
  expect(await place.stand(batch)).toEqual({ accepted: 3 });
});

it('gives look-ups up at the deadline of settling, however late they began, and begins none after it', async () => {
  const place = await aWorkplace({ policy: { concurrency: 1 } });
  const batch = await place.approved(someRows(9), 'may');
  await place.send(batch);
  place.clock.advance(60_000);
  const { transaction } = place.service;
  const begun: number[] = [];
  place.service.statusOf = () => 'Processing';
  place.service.transaction = async (id, signal) => {
    begun.push(place.clock.monotonicMs());
    await sleepThrough(place, 7_000, signal ?? KEPT);
    return transaction(id);
  };
  const began = place.clock.monotonicMs();
  const deadline = plusMs(place.clock.now(), PATIENCE_MS);
  await settleBatch(batch, patientWorld(place, PATIENCE_MS), { deadline });
  expect(place.clock.monotonicMs() - began).toBeLessThan(PATIENCE_MS + 1_000);
  expect(begun.length).toBe(3);
  expect(Math.max(...begun) - began).toBeLessThan(PATIENCE_MS);
  expect(await place.stand(batch)).toEqual({ accepted: 9 });
});

it('counts a pause in which nobody asked anything as no silence', async () => {
  const place = await aWorkplace();
  place.service.profileAnswer = { kind: 'unavailable', reason: '503' };
  const world = patientWorld(place, PATIENCE_MS);
  expect((await world.paymentService.profile()).kind).toBe('unavailable');
  place.clock.advance(30 * 60_000);
  expect((await world.paymentService.countries()).kind).toBe('answered');
});

/** The looks for the first so many transfers hang. */
async function asksWhileHanging(count: number) {
  const place = await aWorkplace({ policy: { concurrency: 8 } });
  const batch = await place.approved(someRows(60), 'may');
  await place.send(batch);
  place.clock.advance(60_000);
  place.service.statusOf = () => 'Processing';
  const asked = lookUpsHang(place, (transfer) => transfer <= count);
  const deadline = plusMs(place.clock.now(), 30_000);
  await whileTimePasses(place, () => settleBatch(batch, patientWorld(place, PATIENCE_MS), { deadline }));
  expect(await place.stand(batch)).toEqual({ accepted: 60 });
  return {
    place,
    batch,
    others: [...asked].filter(([transfer]) => transfer > count).map(([, times]) => times),
  };
}

it('asks for all other transfers again and again while the look for one hangs', async () => {
  const { others } = await asksWhileHanging(1);
  expect(others).toHaveLength(59);
  expect(Math.min(...others)).toBeGreaterThan(1);
});

it('asks for all other transfers where as many looks hang as are asked at once', async () => {
  const { others } = await asksWhileHanging(8);
  expect(others).toHaveLength(52);
});

it('keeps of a look that was given up that no answer came', async () => {
  const { place, batch } = await asksWhileHanging(1);
  expect(await place.row(batch, 2)).toMatchObject({
    look: { nothing: expect.stringMatching(/^no answer came within \d+ s$/) },
  });
});
