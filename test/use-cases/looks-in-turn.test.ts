/** Looks that hang, or take long, keep no other row from being asked, and a look that the end cut off is a look. */
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../src/domain/reporting/exit-code.ts';
import { plusMs } from '../../src/domain/timestamp.ts';
import { endBatch } from '../../src/use-cases/report/batch-end.ts';
import { summaryOf } from '../../src/use-cases/report/batch-view.ts';
import { settleBatch } from '../../src/use-cases/settle/settle-batch.ts';
import { settleSent } from '../../src/use-cases/settle/settle-sent.ts';
import { lookUpsHang, patientWorld, sleepThrough, whileTimePasses } from '../builders/passing-time.ts';
import { someRows } from '../builders/payout-file.ts';
import { aWorkplace, HOLDER, KEPT, readingPorts, type Workplace } from '../builders/workplace.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** The first so many are settled, the others on their way; all are due. */
async function aBatch(settled: number, onTheirWay: number) {
  const place = await aWorkplace({ policy: { concurrency: 8 } });
  const batch = await place.approved(someRows(settled + onTheirWay), 'may');
  await place.send(batch);
  place.service.statusOf = (id) => (Number(id.slice(3)) <= settled ? 'Finished' : 'Processing');
  if (settled > 0) await place.settle(batch, MINUTE);
  place.clock.advance(settled > 0 ? DAY : MINUTE);
  return { place, batch };
}

type Batch = Awaited<ReturnType<typeof aBatch>>;

async function settledFor({ place, batch }: Batch, deadlineMs: number, signal?: AbortSignal) {
  const options = { deadline: plusMs(place.clock.now(), deadlineMs), watchReturnsMs: 14 * DAY, signal };
  return whileTimePasses(place, () => settleBatch(batch, patientWorld(place, deadlineMs), options));
}

const askedAfter = (asked: ReadonlyMap<number, number>, transfer: number) =>
  [...asked.keys()].filter((each) => each > transfer).length;

describe('where looks hang', () => {
  it.each([
    [8, 30_000],
    [16, 30_000],
    [24, MINUTE],
    [80, 6 * MINUTE],
  ])('%d rows at the head, all others are asked within %d ms', async (count, deadlineMs) => {
    const known = await aBatch(0, count + 44);
    const asked = lookUpsHang(known.place, (transfer) => transfer <= count);
    await settledFor(known, deadlineMs);
    expect(askedAfter(asked, count)).toBe(44);
  });

  it('settled rows keep no row that is on its way from being asked', async () => {
    const known = await aBatch(80, 20);
    const asked = lookUpsHang(known.place, (transfer) => transfer <= 80);
    await settledFor(known, MINUTE);
    expect(askedAfter(asked, 80)).toBe(20);
  });

  it('rows on their way keep no settled row from being asked', async () => {
    const known = await aBatch(20, 80);
    const asked = lookUpsHang(known.place, (transfer) => transfer > 20);
    const { watch } = await settledFor(known, MINUTE);
    expect(asked.size - askedAfter(asked, 20)).toBe(20);
    expect(watch).toEqual({ due: 20, unanswered: 0, notFound: 0, unclear: 0, notReached: 0 });
  });

  it('rows that did not answer in the last run hold half of the places at most, and come last', async () => {
    const known = await aBatch(0, 60);
    const { place } = known;
    const isHanging = (transfer: number) => transfer <= 16;
    lookUpsHang(place, isHanging);
    await settledFor(known, 25_000);
    place.clock.advance(MINUTE);
    let [open, most] = [0, 0];
    const { transaction } = place.service;
    place.service.transaction = async (id, signal) => {
      if (!isHanging(Number(id.slice(3)))) return transaction(id, signal);
      open += 1;
      most = Math.max(most, open);
      return transaction(id, signal).finally(() => {
        open -= 1;
      });
    };
    await settledFor(known, MINUTE);
    expect(most).toBe(4);
  });

  it('a final row that was given up is asked once more, for longer, so that a slow service answers', async () => {
    const known = await aBatch(2, 0);
    const { place } = known;
    const { transaction } = place.service;
    place.service.transaction = async (id, signal) => {
      await sleepThrough(place, 25_000, signal ?? KEPT);
      return transaction(id, signal);
    };
    expect((await settledFor(known, 2 * MINUTE)).watch).toEqual({
      ...{ due: 2, unanswered: 0, notFound: 0, unclear: 0, notReached: 0 },
    });
  });
});

it('settled rows that are answered slowly keep no row that is on its way from being asked', async () => {
  const known = await aBatch(500, 20);
  const { place } = known;
  const asked = new Set<number>();
  const { transaction } = place.service;
  place.service.transaction = async (id, signal) => {
    asked.add(Number(id.slice(3)));
    await sleepThrough(place, 2_000, signal ?? KEPT);
    return transaction(id, signal);
  };
  const { watch } = await settledFor(known, MINUTE);
  expect([...asked].filter((transfer) => transfer > 500)).toHaveLength(20);
  expect(watch.notReached).toBeGreaterThan(0);
});

const attention = async (place: Workplace, batch: Batch['batch']) =>
  (await summaryOf(await place.batch(batch), readingPorts(place))).attention;

describe('a look that the end cut off', () => {
  it.each(['deadline', 'Ctrl-C'])('by the %s is kept: the row was asked', async (by) => {
    const known = await aBatch(0, 1);
    const { place, batch } = known;
    lookUpsHang(place, () => true);
    const stop = new AbortController();
    const stopped = sleepThrough(place, 5_000, KEPT).then(() => by === 'Ctrl-C' && stop.abort());
    const began = place.clock.monotonicMs();
    await settledFor(known, by === 'Ctrl-C' ? 15 * MINUTE : 5_000, stop.signal);
    await stopped;
    expect(place.clock.monotonicMs() - began).toBeLessThan(10_000);
    expect((await place.row(batch, 2)).look).toMatchObject({
      times: 1,
      nothing: 'no answer came before the waiting ended',
    });
  });

  it('leaves a final row due, counts it once as not reached, and the next run asks for it', async () => {
    const known = await aBatch(3, 0);
    const { transaction } = known.place.service;
    lookUpsHang(known.place, () => true);
    const cut = { due: 3, unanswered: 0, notFound: 0, unclear: 0, notReached: 3 };
    expect(await settledFor(known, 5_000)).toMatchObject({ watch: cut, isUnanswered: true });
    known.place.service.transaction = transaction;
    expect((await settledFor(known, 0)).watch).toEqual({ ...cut, notReached: 0 });
  });
});

describe('a row on its way for days', () => {
  it('takes too long, though each look was cut off', async () => {
    const known = await aBatch(0, 1);
    const { place, batch } = known;
    lookUpsHang(place, () => true);
    for (let day = 0; day < 3; day += 1) {
      await settledFor(known, 5_000);
      place.clock.advance(DAY);
    }
    expect(await attention(place, batch)).toMatchObject([{ row: 2, stuck: 'late' }]);
  });

  it('takes too long, though its turn never came', async () => {
    const known = await aBatch(0, 20);
    const { place, batch } = known;
    lookUpsHang(place, () => true);
    place.clock.advance(2 * DAY);
    await settledFor(known, 9_000);
    const rows = await attention(place, batch);
    expect(rows).toHaveLength(20);
    expect(rows.at(-1)?.reason).toMatch(
      /^The service has it\. It takes too long: it was sent at .* UTC\. payfile has not asked for its status yet\.$/,
    );
    expect((await place.ledger.verify(batch)).problems).toEqual([]);
  });

  it('is no reason to look where it was sent less than a day ago', async () => {
    const known = await aBatch(0, 20);
    lookUpsHang(known.place, () => true);
    await settledFor(known, 9_000);
    expect(await attention(known.place, known.batch)).toEqual([]);
  });
});

describe('settling without a watch', () => {
  const settled = async ({ place, batch }: Batch) => {
    const request = { holder: HOLDER, deadlineMs: 0 };
    const done = await settleSent(await place.batch(batch), request, place.world);
    return endBatch(done.batch, done, readingPorts(place));
  };

  it.each([
    [0, 3],
    [3, 0],
  ])('ends with 69 where the service answers nothing: %d settled, %d on their way', async (final, way) => {
    const known = await aBatch(final, way);
    known.place.service.isUnanswered = () => true;
    expect(await settled(known)).toMatchObject({
      exitCode: EXIT.serviceUnavailable,
      steps: { next: { verb: 'settle', words: ['may'] } },
    });
  });

  it('ends with 4 where the service does not know a settled transfer, which is asked for again', async () => {
    const known = await aBatch(2, 0);
    known.place.service.transaction = async () => ({ kind: 'declined', code: '404', message: 'unknown' });
    expect(await settled(known)).toMatchObject({ exitCode: EXIT.onItsWay });
  });
});
