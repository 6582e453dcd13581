/** How long what is final is watched, how often, and what it comes to where the service does not know it any more. */
import { describe, expect, it } from 'vitest';
import { acceptDifference } from '../../src/use-cases/decide/accept-difference.ts';
import { reissue } from '../../src/use-cases/decide/reissue.ts';
import { endBatch } from '../../src/use-cases/report/batch-end.ts';
import { settleSent } from '../../src/use-cases/settle/settle-sent.ts';
import { someRows } from '../builders/payout-file.ts';
import { aWorkplace, HOLDER, lookUpsShow, readingPorts } from '../builders/workplace.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** One settled row, an hour later. */
async function settled() {
  const place = await aWorkplace();
  const id = await place.approved(someRows(1), 'may');
  await place.send(id);
  await place.settle(id);
  expect(await place.stand(id)).toEqual({ settled: 1 });
  place.clock.advance(HOUR);
  const batch = await place.batch(id);
  const look = async (watchReturnsMs?: number) => {
    const done = await settleSent(batch, { holder: HOLDER, deadlineMs: 0, watchReturnsMs }, place.world);
    return { done, end: await endBatch(done.batch, done, readingPorts(place)) };
  };
  const says = (status: string) => {
    place.service.statusOf = () => status;
  };
  return { place, id, batch, look, says };
}

/** One row on its way, an hour later, of which a first look showed nothing new. */
async function onItsWay() {
  const place = await aWorkplace();
  const id = await place.approved(someRows(1), 'may');
  await place.send(id);
  place.service.statusOf = () => 'Processing';
  place.clock.advance(HOUR);
  const batch = await place.batch(id);
  const look = () => settleSent(batch, { holder: HOLDER, deadlineMs: 0, watchReturnsMs: DAY }, place.world);
  expect(await look()).toMatchObject({ isUnchanged: true });
  return { place, look };
}

describe('the watch of a row that somebody has to look at', () => {
  it('goes on after the days of the setting until a suspicion is confirmed', async () => {
    const { place, id, look, says } = await settled();
    place.clock.advance(14 * DAY - 2 * HOUR);
    says('Failed');
    expect((await look()).end.attention).toMatchObject([{ suspected: true }]);
    place.clock.advance(DAY);
    await look();
    expect(await place.stand(id)).toEqual({ returned: 1 });
  });

  it('goes on until a difference ends', async () => {
    const { place, id, look, says } = await settled();
    says('Charged back');
    await look();
    place.clock.advance(15 * DAY);
    says('Reversed');
    await look();
    expect(await place.stand(id)).toEqual({ returned: 1 });
  });

  it.each(['Charged back', 'Failed'])('says that “%s” ended: not that nothing changed', async (word) => {
    const { place, look, says } = await settled();
    says(word);
    await look(DAY);
    place.clock.advance(DAY);
    says('Finished');
    const { done, end } = await look(DAY);
    expect(done).toMatchObject({ isUnchanged: false, changed: 1, hasNewExceptions: false });
    expect(done.changes).toEqual([{ rowNumber: 2, from: 'settled', to: 'settled', differs: [] }]);
    expect(end).toMatchObject({ exitCode: 0, attention: [] });
    place.clock.advance(DAY);
    expect((await look(DAY)).done).toMatchObject({ isUnchanged: true, changes: [] });
  });

  it('says that a row on its way differs, too', async () => {
    const { place, look } = await onItsWay();
    lookUpsShow(place, () => ({ amount: '60.00' }));
    place.clock.advance(HOUR);
    const { isUnchanged, changes } = await look();
    expect(isUnchanged).toBe(false);
    expect(changes).toMatchObject([
      { rowNumber: 2, to: 'accepted', differs: [expect.stringContaining('60.00')] },
    ]);
  });

  it.each([
    ['is not known', 'Mystery'],
    ['takes too long', 'Processing'],
  ])('does not call a row on its way unchanged whose word or time is new: it %s', async (_, word) => {
    const { place, look } = await onItsWay();
    place.service.statusOf = () => word;
    place.clock.advance(word === 'Mystery' ? HOUR : DAY);
    expect(await look()).toMatchObject({ isUnchanged: false });
    place.clock.advance(HOUR);
    expect(await look()).toMatchObject({ isUnchanged: true });
    place.service.isUnanswered = () => true;
    place.clock.advance(HOUR);
    expect(await look()).toMatchObject({ isUnchanged: false });
  });

  it('says that a payment that came back is called so again', async () => {
    const { place, look, says } = await settled();
    for (const [word, differs] of [
      ['Reversed', false],
      ['Processing', true],
      ['Reversed', true],
    ] as const) {
      says(word);
      const { done } = await look(DAY);
      expect(done).toMatchObject({ isUnchanged: false, changed: 1 });
      expect(done.changes[0]?.differs !== undefined).toBe(differs);
      place.clock.advance(DAY);
    }
    expect((await look(DAY)).done).toMatchObject({ isUnchanged: true, changed: 0 });
  });

  it('ends with the days of the setting where a person accepted the difference', async () => {
    const { place, batch, look, says } = await settled();
    says('Charged back');
    await look();
    await acceptDifference({ batch, row: '2', by: 'ben', reason: 'the bank called' }, place.world);
    place.clock.advance(15 * DAY);
    const before = place.service.calls.length;
    expect((await look()).done.watch.due).toBe(0);
    expect(place.service.calls.length).toBe(before);
  });
});

it('a settled row is asked about each day by a job that runs daily at the same minute', async () => {
  const { place, look } = await settled();
  const { transaction } = place.service;
  let asked = 0;
  place.service.transaction = async (id, signal) => {
    asked += 1;
    place.clock.advance(3_000);
    return transaction(id, signal);
  };
  const began = place.clock.now();
  for (let day = 1; day <= 13; day += 1) {
    place.clock.advance(began + day * DAY - place.clock.now());
    await look();
  }
  expect(asked).toBe(13);
});

describe('a settled payment that the service does not know any more', () => {
  const lost = async () => {
    const known = await settled();
    const { transaction } = known.place.service;
    known.place.service.transaction = async () => ({ kind: 'declined', code: '404', message: 'not found' });
    return { ...known, found: () => Object.assign(known.place.service, { transaction }) };
  };

  it('is asked for again after one such answer, and is a difference a day later, until it is shown again', async () => {
    const { place, look, found } = await lost();
    const first = await look(14 * DAY);
    expect(first).toMatchObject({
      done: { watch: { due: 1, notFound: 1, unanswered: 0 }, isUnchanged: false },
      end: { exitCode: 4, attention: [] },
    });
    place.clock.advance(DAY);
    const second = await look(14 * DAY);
    expect(second).toMatchObject({
      done: { isUnchanged: false, changes: [{ rowNumber: 2, from: 'settled', to: 'settled' }] },
      end: { exitCode: 3, attention: [{ row: 2, status: 'settled', differs: true }] },
    });
    expect(second.end.attention[0]?.reason).toContain('the service does not show the transfer any more');
    place.clock.advance(DAY);
    expect((await look()).end).toMatchObject({ exitCode: 3, attention: [{ row: 2 }] });
    found();
    place.clock.advance(HOUR);
    expect((await look()).end).toMatchObject({ exitCode: 0, attention: [] });
  });

  it('ends no batch with 3 any more once a person accepted it, and is counted as not found', async () => {
    const { place, batch, look } = await lost();
    await look();
    place.clock.advance(DAY);
    await look();
    await acceptDifference({ batch, row: '2', by: 'ben', reason: 'their archive is short' }, place.world);
    expect((await endBatch(batch, { codes: [] }, readingPorts(place))).exitCode).toBe(0);
    place.clock.advance(DAY);
    const { done, end } = await look();
    expect(done.watch).toEqual({ due: 1, unanswered: 0, notFound: 1, unclear: 0, notReached: 0 });
    expect(end).toMatchObject({ exitCode: 0, attention: [] });
  });
});

it('a replaced payment that is not found for a day ends a watch with 3', async () => {
  const place = await aWorkplace();
  const id = await place.approved(someRows(1), 'may');
  place.service.statusOf = () => 'Returned';
  await place.send(id);
  await place.settle(id, HOUR);
  place.clock.advance(2 * DAY);

  await reissue(id, { kind: 'rows', rows: ['2'] }, { by: 'ben', evidence: undefined }, place.world);
  await place.agree(id);
  await place.send(id);
  place.service.statusOf = () => 'Finished';
  const { transaction } = place.service;
  place.service.transaction = async (transfer, signal) =>
    transfer === 'tr-1'
      ? { kind: 'declined', code: '404', message: 'not found' }
      : transaction(transfer, signal);
  const watch = { holder: HOLDER, deadlineMs: 0, watchReturnsMs: 14 * DAY };
  const codes: number[] = [];
  for (let day = 0; day < 2; day += 1) {
    place.clock.advance(DAY);
    const done = await settleSent(await place.batch(id), watch, place.world);
    codes.push((await endBatch(done.batch, done, readingPorts(place))).exitCode);
  }
  expect(await place.stand(id)).toEqual({ settled: 1 });
  expect(codes).toEqual([4, 3]);
  const warnings = place.told.flatMap((event) => (event.kind === 'warning' ? [event.text] : []));
  expect(warnings.filter((text) => text.includes('unpaid'))).toEqual([
    expect.stringMatching(/^Row 2: the service no longer calls transfer tr-1 unpaid\. It /),
  ]);
});
