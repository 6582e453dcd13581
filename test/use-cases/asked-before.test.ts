/** What the service answered before is not asked again: names of the last day, and look-ups before payments are finished. */
import { describe, expect, it } from 'vitest';
import { usualMsOf } from '../../src/domain/payouts/service-status.ts';
import { plusMs } from '../../src/domain/timestamp.ts';
import { planBlocks } from '../../src/operations/plan-blocks.ts';
import { planOf } from '../../src/use-cases/approve/plan-of-batch.ts';
import type { FileRow } from '../builders/payout-file.ts';
import { aRow } from '../builders/payout-file.ts';
import { aWorkplace, type Workplace } from '../builders/workplace.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

const rowsOf = (month: string, count: number, changes: FileRow = {}) =>
  Array.from({ length: count }, (_, index) =>
    aRow(index + 1, { reference: `${month}-${index}`, ...changes }),
  );

const asked = ({ service }: Workplace, kind: string) =>
  service.calls.filter((call) => call.startsWith(kind)).length;

describe('the name of an account', () => {
  /** Three people were paid, and are to be paid again after some time. */
  async function paidAgainAfter(hours: number) {
    const place = await aWorkplace();
    const salaries = await place.approved(rowsOf('may', 3), 'salaries');
    await place.send(salaries);
    place.clock.advance(hours * HOUR);
    const known = asked(place, 'name');
    const { batch } = await place.place(rowsOf('bonus', 3, { amount: '75.00' }), 'bonus');
    await place.price(batch.id);
    return { place, batch: batch.id, names: asked(place, 'name') - known };
  }

  it('is not asked for again on the same day, and keeps the time at which it was', async () => {
    const { place, batch, names } = await paidAgainAfter(20);
    expect(names).toBe(0);
    expect(await place.stand(batch)).toEqual({ quoted: 3 });
    const { state } = await place.row(batch, 2);
    const pricing = 'pricing' in state ? state.pricing : undefined;
    expect(pricing).toMatchObject({ nameCheck: { result: 'match', resolved: 'AMA MENSAH' } });
    expect(place.clock.now() - Number(pricing?.nameCheckedAt)).toBeGreaterThanOrEqual(20 * HOUR);
  });

  it('is asked for again when it is older than the setting allows', async () => {
    expect((await paidAgainAfter(25)).names).toBe(3);
  });

  it('is asked for again before the row is sent, when it has grown too old by then', async () => {
    const { place, batch } = await paidAgainAfter(20);
    await place.agree(batch);
    place.clock.advance(5 * HOUR);
    const known = asked(place, 'name');
    await place.send(batch);
    expect(asked(place, 'name') - known).toBe(3);
    expect(await place.stand(batch)).toEqual({ accepted: 3 });
  });

  it('is asked for again where the file has another one: no row is held for an old answer', async () => {
    const place = await aWorkplace();
    place.service.names.set('0244123001', 'KOFI BOATENG');
    const { batch: first } = await place.place(rowsOf('may', 1), 'salaries');
    await place.price(first.id);
    expect(await place.stand(first.id)).toEqual({ held: 1 });
    place.service.names.set('0244123001', 'AMA MENSAH');
    const { batch: second } = await place.place(rowsOf('bonus', 1, { amount: '75.00' }), 'bonus');
    await place.price(second.id);
    expect(await place.stand(second.id)).toEqual({ quoted: 1 });
  });

  it('is asked for again where the newest answer was that there is no such account', async () => {
    const place = await aWorkplace();
    const pricedAs = async (batch: string) => {
      const placed = await place.place(rowsOf(batch, 1, { note: batch }), batch);
      await place.price(placed.batch.id);
      return place.stand(placed.batch.id);
    };
    expect(await pricedAs('may')).toEqual({ quoted: 1 });
    place.service.names.set('0244123001', undefined);
    place.clock.advance(HOUR);
    // Another name in the file: the service is asked, and knows the account no more.
    const other = await place.place(rowsOf('other', 1, { name: 'Efua Mensah' }), 'other');
    await place.price(other.batch.id);
    expect(await place.stand(other.batch.id)).toEqual({ held: 1 });
    expect(await pricedAs('bonus')).toEqual({ held: 1 });
  });

  it('of another institution says nothing about the account of the same number', async () => {
    const { place } = await paidAgainAfter(1);
    const known = asked(place, 'name');
    const rows = rowsOf('bank', 3, { institution: 'GCB Bank', amount: '50.00' });
    const { batch } = await place.place(rows, 'bank');
    await place.price(batch.id);
    expect(asked(place, 'name') - known).toBe(3);
  });

  it('is shown with its age to whoever approves', async () => {
    const { place, batch } = await paidAgainAfter(20);
    const shown = async (id: typeof batch) =>
      JSON.stringify(
        planBlocks({
          ...{ plan: await planOf(id, place.world), batch: await place.batch(id), environment: 'live' },
        }),
      );
    expect(await shown(batch)).toContain(
      'Some names were asked for earlier, for other payments. The oldest is of 2026-05-25 06:00 UTC.',
    );
    const { batch: fresh } = await place.place(rowsOf('new', 1, { account: '0244999001' }), 'fresh');
    await place.price(fresh.id);
    expect(await shown(fresh.id)).not.toContain('asked for earlier');
  });
});

describe('the first look at the rows of a large batch', () => {
  const ROWS = 250;

  /** Pays all of them; each payment takes so long. How often the service was asked, and when the last row was settled. */
  async function paid(place: Workplace, month: string, { rows = ROWS, takesMs = 100 * SECOND } = {}) {
    const batch = await place.approved(rowsOf(month, rows), month);
    const startedAt = place.clock.now();
    place.service.statusOf = () => (place.clock.now() - startedAt < takesMs ? 'Processing' : 'Finished');
    const known = asked(place, 'transaction');
    await place.send(batch);
    await place.settle(batch);
    expect(await place.stand(batch)).toEqual({ settled: rows });
    return { looks: asked(place, 'transaction') - known, ms: place.clock.now() - startedAt };
  }

  async function afterMay(takesMs?: number) {
    const place = await aWorkplace();
    const may = await paid(place, 'may', { takesMs });
    place.clock.advance(31 * DAY);
    return { place, may };
  }

  it('comes when most payments of the corridor were finished last time, and the last row is waited for as ever', async () => {
    const { place, may } = await afterMay();
    const june = await paid(place, 'june');
    expect(may.looks).toBeGreaterThan(5 * ROWS);
    expect(june.looks).toBeLessThan(may.looks / 2);
    // Half of the 70 s by which it is late, a fifth to either side, and a while for the others.
    expect(june.ms).toBeLessThan((100 + 42 + 5) * SECOND);
    expect(may.ms).toBeLessThan((100 + 42 + 5) * SECOND);
  });

  it('comes as promised in a small batch, of which the last row may be a quick one', async () => {
    const { place } = await afterMay();
    const { ms } = await paid(place, 'bonus', { rows: 20, takesMs: 31 * SECOND });
    expect(ms).toBeLessThan(40 * SECOND);
  });

  it('comes sooner again when payments have become quicker', async () => {
    const { place, may } = await afterMay(200 * SECOND);
    const times = [may.ms];
    for (const month of ['june', 'july', 'august']) {
      times.push((await paid(place, month, { takesMs: 35 * SECOND })).ms);
      place.clock.advance(31 * DAY);
    }
    for (const [index, ms] of times.slice(1).entries()) expect(ms).toBeLessThan(0.9 * (times[index] ?? 0));
  });

  it('comes at half of the time that somebody waits, at the latest', async () => {
    const { place } = await afterMay();
    const june = await place.approved(rowsOf('june', ROWS), 'june');
    const deadline = () => plusMs(place.clock.now(), 80 * SECOND);
    place.service.statusOf = () => 'Finished';
    await place.send(june, { canary: { rows: undefined, by: undefined, deadline } });
    await place.settle(june, 50 * SECOND);
    expect(await place.stand(june)).toEqual({ settled: ROWS });
  });

  it('learns nothing from a batch at which nobody looked for a day', async () => {
    const place = await aWorkplace();
    const may = await place.approved(rowsOf('may', ROWS), 'may');
    await place.send(may);
    place.clock.advance(DAY);
    await place.settle(may);
    const { ms } = await paid(place, 'june', { takesMs: 31 * SECOND });
    expect(ms).toBeLessThan(40 * SECOND);
  });

  it('of a canary comes as promised: the other rows wait for it', async () => {
    const { place } = await afterMay();
    const june = await place.approved(rowsOf('june', ROWS), 'june');
    place.service.statusOf = () => 'Finished';
    const startedAt = place.clock.now();
    const deadline = () => plusMs(place.clock.now(), HOUR);
    await place.send(june, { canary: { rows: 1, by: 'ama', deadline } });
    expect((await place.row(june, 2)).state.status).toBe('settled');
    expect(place.clock.now() - startedAt).toBeLessThan(40 * SECOND);
  });
});

describe('the usual time of a corridor', () => {
  const of = (ms: number, count = 100) => Array.from({ length: count }, () => ms);

  it('is a part of the time by which nineteen of twenty were finished', () => {
    expect(usualMsOf([[...of(1_000, 190), ...of(9_000, 10)]])).toBe(7_200);
    expect(usualMsOf([[...of(1_000, 191), ...of(9_000, 9)]])).toBe(800);
  });

  it('is that of the quickest of the last three batches with enough payments', () => {
    expect(usualMsOf([of(5_000), of(1, 99), of(4_000), of(6_000), of(1_000)])).toBe(3_200);
  });

  it('is not known from fewer than a hundred payments', () => {
    expect(usualMsOf([of(1_000, 99)])).toBeUndefined();
    expect(usualMsOf([])).toBeUndefined();
  });
});

it('a row that a look settled is not looked at again within five minutes', async () => {
  const place = await aWorkplace();
  const batch = await place.approved(rowsOf('may', 3), 'may');
  await place.send(batch);
  await place.settle(batch);
  const known = asked(place, 'transaction');
  place.clock.advance(299 * SECOND);
  await place.settle(batch, 0);
  expect(asked(place, 'transaction')).toBe(known);
  place.clock.advance(2 * SECOND);
  await place.settle(batch, 0);
  expect(asked(place, 'transaction')).toBe(known + 3);
});
