/** How `settle` ends: a row that came back is told before rows that are on their way or could not be asked. */
import { describe, expect, it } from 'vitest';
import type { Transaction } from '../../src/ports/payment-service.ts';
import { reissue } from '../../src/use-cases/decide/reissue.ts';
import { endBatch } from '../../src/use-cases/report/batch-end.ts';
import { explainPayout } from '../../src/use-cases/report/explain-payout.ts';
import { settleSent } from '../../src/use-cases/settle/settle-sent.ts';
import { someRows } from '../builders/payout-file.ts';
import { aWorkplace, HOLDER, readingPorts } from '../builders/workplace.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type Shown = Partial<Transaction> | 'silent';

/** Sent rows; `shows` says what the service shows of each transfer. */
async function sent(rows: number) {
  const place = await aWorkplace();
  const id = await place.approved(someRows(rows), 'may');
  await place.send(id);
  const { transaction } = place.service;
  const shown = new Map<string, Shown>();
  place.service.transaction = async (transfer, signal) => {
    const asked = await transaction(transfer, signal);
    const change = shown.get(transfer) ?? {};
    if (change === 'silent') return { kind: 'unavailable', reason: 'the service answered 503' };
    return asked.kind === 'answered' ? { kind: 'answered', answer: { ...asked.answer, ...change } } : asked;
  };
  const shows = (transfer: string, change: Shown) => void shown.set(transfer, change);
  const look = async (watchReturnsMs?: number) => {
    const settled = await settleSent(
      await place.batch(id),
      { holder: HOLDER, deadlineMs: 0, watchReturnsMs },
      place.world,
    );
    return { settled, end: await endBatch(settled.batch, settled, readingPorts(place)) };
  };
  return { place, id, shows, look };
}

it('names what lets the approved rows go out, and not itself once more', async () => {
  const place = await aWorkplace();
  const batch = await place.approved(someRows(2), 'june');
  const next = async () => {
    const request = { holder: HOLDER, deadlineMs: 0 };
    const settled = await settleSent(await place.batch(batch), request, place.world);
    const { exitCode, steps } = await endBatch(settled.batch, settled, readingPorts(place));
    return { exitCode, verb: steps.next?.verb };
  };
  expect(await next()).toEqual({ exitCode: 6, verb: 'send' });
  await place.ledger.pause(batch, { reason: 'funds are low', by: 'ben', at: place.clock.now() });
  expect(await next()).toEqual({ exitCode: 6, verb: 'resume' });
});

describe('a payment that came back', () => {
  it('ends settle with 3 while another row is on its way, and with 4 on later days', async () => {
    const { place, id, shows, look } = await sent(2);
    shows('tr-1', { status: 'Reversed' });
    shows('tr-2', { status: 'Processing' });
    place.clock.advance(HOUR);
    const first = await look(14 * DAY);
    expect(await place.stand(id)).toEqual({ accepted: 1, returned: 1 });
    expect(first.end).toMatchObject({
      exitCode: 3,
      steps: { next: { verb: 'report' }, andThen: { verb: 'settle' } },
    });
    place.clock.advance(DAY);
    expect((await look(14 * DAY)).end).toMatchObject({ exitCode: 4, steps: { next: { verb: 'settle' } } });
  });

  it('comes before rows that could not be asked, and so does an incident', async () => {
    const { place, shows, look } = await sent(3);
    place.clock.advance(HOUR);
    await look();
    place.clock.advance(DAY);
    shows('tr-1', { status: 'Reversed' });
    shows('tr-2', 'silent');
    const back = await look(14 * DAY);
    expect(back.settled.unseen).toBe(1);
    expect(back.end).toMatchObject({
      exitCode: 3,
      steps: { next: { verb: 'report' }, andThen: { verb: 'settle' } },
    });
    place.clock.advance(DAY);
    expect((await look(14 * DAY)).end).toMatchObject({ exitCode: 69, steps: { next: { verb: 'settle' } } });
    place.clock.advance(DAY);
    shows('tr-1', { status: 'Finished' });
    expect((await look(14 * DAY)).end).toMatchObject({
      exitCode: 5,
      steps: { next: { verb: 'explain' }, andThen: { verb: 'settle' } },
    });
  });
});

it('a new difference of a row on its way ends settle with 3 once', async () => {
  const { place, shows, look } = await sent(2);
  shows('tr-1', { status: 'Processing', amount: '1' });
  shows('tr-2', { status: 'Processing' });
  place.clock.advance(HOUR);
  const codes = [(await look()).end.exitCode];
  place.clock.advance(HOUR);
  codes.push((await look()).end.exitCode);
  expect(codes).toEqual([3, 4]);
});

describe('a look that learned nothing', () => {
  it('says when the next look is due where no row was due, and not that nothing changed', async () => {
    const { place, look } = await sent(2);
    place.clock.advance(HOUR);
    await look();
    const { settled, end } = await look(14 * DAY);
    expect(settled.isUnchanged).toBe(false);
    expect(settled.notShown).toEqual({ count: 0, rows: [] });
    const dueAt = settled.nextLook?.dueAt ?? place.clock.now();
    expect(dueAt > place.clock.now()).toBe(true);
    // It is the very time: a look a moment before finds nothing, and one at that time does.
    place.clock.advance(dueAt - place.clock.now() - 1);
    expect((await look(14 * DAY)).settled.nextLook).toEqual({ dueAt });
    place.clock.advance(1);
    expect((await look(14 * DAY)).settled.nextLook).toBeUndefined();
    expect(end.exitCode).toBe(0);
  });

  it('names the rows that could not be asked, with the time at which each is due, and later ones again', async () => {
    const { place, shows, look } = await sent(2);
    place.clock.advance(HOUR);
    await look();
    place.clock.advance(DAY);
    shows('tr-1', 'silent');
    const first = await look(14 * DAY);
    expect(first.end.exitCode).toBe(69);
    const { settled, end } = await look(14 * DAY);
    expect(settled).toMatchObject({ isUnchanged: false, notShown: { count: 1, rows: [{ rowNumber: 2 }] } });
    expect(settled.notShown).toEqual(first.settled.notShown);
    const dueAt = settled.notShown?.rows[0]?.dueAt ?? place.clock.now();
    expect(dueAt - place.clock.now()).toBeGreaterThan(0);
    expect(dueAt - place.clock.now()).toBeLessThanOrEqual(6 * MINUTE);
    expect(settled.nextLook).toEqual({ dueAt });
    expect(end.exitCode).toBe(4);
  });

  it('names rows that nobody asked because the run was stopped as due now, and rows on their way too', async () => {
    const { place, id, shows, look } = await sent(3);
    shows('tr-3', 'silent');
    place.clock.advance(HOUR);
    const onItsWay = (await look()).settled.notShown;
    expect(onItsWay).toMatchObject({ count: 1, rows: [{ rowNumber: 4 }] });
    place.clock.advance(DAY);
    const stopped = {
      holder: HOLDER,
      deadlineMs: HOUR,
      watchReturnsMs: 14 * DAY,
      signal: AbortSignal.abort(),
    };
    const { notShown } = await settleSent(await place.batch(id), stopped, place.world);
    expect(notShown?.count).toBe(3);
    expect(notShown?.rows).toEqual([2, 3, 4].map((rowNumber) => ({ rowNumber, dueAt: undefined })));
  });

  it('is an outage where the service is silent before any row was asked', async () => {
    const { place, id, look } = await sent(1);
    Object.assign(place.world, {
      silence: { ended: () => 'the service gave no answer for 2 minutes', lookUntil: () => undefined },
    });
    place.clock.advance(HOUR);
    const { settled, end } = await look(14 * DAY);
    expect(await place.stand(id)).toEqual({ accepted: 1 });
    expect(settled).toMatchObject({ isUnanswered: true, isUnchanged: false });
    expect(end.exitCode).toBe(69);
  });
});

it('a watch ends with 10 while a row waits for its approval, and says how to go on', async () => {
  const { place, id, shows, look } = await sent(3);
  shows('tr-1', { status: 'Reversed' });
  shows('tr-2', { status: 'Reversed' });
  place.clock.advance(HOUR);
  await look(14 * DAY);
  place.clock.advance(2 * DAY);
  await look(14 * DAY);
  await reissue(id, { kind: 'rows', rows: ['2'] }, { by: 'ben', evidence: undefined }, place.world);
  // Its name and fee are asked by a run of the file.
  const planned = await look(14 * DAY);
  expect(planned.end).toMatchObject({
    exitCode: 10,
    steps: { next: { verb: 'run', words: ['pay.csv'], flags: [['--batch', 'may']] } },
  });
  await place.price(id);
  expect(await place.stand(id)).toEqual({ quoted: 1, returned: 1, settled: 1 });
  place.clock.advance(DAY);
  expect((await look(14 * DAY)).end).toMatchObject({ exitCode: 10, steps: { next: { verb: 'approve' } } });
});

it('explain does not say Finished where the last word is another', async () => {
  const { place, id, shows, look } = await sent(1);
  place.clock.advance(HOUR);
  await look();
  place.clock.advance(DAY);
  shows('tr-1', { status: 'Failed' });
  await look();
  const { sentence } = await explainPayout(await place.row(id, 2), place.world);
  expect(sentence).toBe('The service said Finished once, and its last answer differs.');
});
