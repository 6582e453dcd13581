/**
 * What changed between approval and sending: an institution that is gone or keeps another currency, a rate that moved
 * under a ceiling which knows nothing of it, and the holder of an account.
 */
import { describe, expect, it } from 'vitest';
import { parseCurrency } from '../../src/domain/money/currency.ts';
import type { Institution } from '../../src/domain/rows/directory.ts';
import { approveBatch } from '../../src/use-cases/approve/approve-batch.ts';
import type { Consent } from '../../src/use-cases/approve/ask-consent.ts';
import { recordEvent } from '../../src/use-cases/record-event.ts';
import { aRow, someRows } from '../builders/payout-file.ts';
import { money } from '../builders/payouts.ts';
import { aWorkplace, type Workplace } from '../builders/workplace.ts';

const HOUR = 3_600_000;

describe('an institution that is not what it was when its rows were approved', () => {
  async function approvedWith(change: (list: readonly Institution[]) => readonly Institution[]) {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(2), 'may');
    const { institutions } = place.service;
    place.service.institutions = async (country) => {
      const asked = await institutions(country);
      return asked.kind === 'answered' ? { ...asked, answer: change(asked.answer) } : asked;
    };
    return { place, batch };
  }
  const inDollars = (each: Institution): Institution => ({
    ...each,
    currency: parseCurrency('USD') ?? each.currency,
  });

  it.each([
    [
      'is paid in another currency now',
      (list: readonly Institution[]) => list.map(inDollars),
      /paid in USD now/,
    ],
    [
      'is no longer listed',
      (list: readonly Institution[]) => list.filter(({ name }) => name !== 'MTN Mobile Money'),
      /no longer lists MTN Mobile Money/,
    ],
  ])('and %s: its rows wait for a person, and nothing is sent', async (_, change, text) => {
    const { place, batch } = await approvedWith(change);
    await place.send(batch);
    expect(place.service.book).toEqual([]);
    expect((await place.row(batch, 2)).state).toMatchObject({
      status: 'held',
      reasons: [{ concern: { kind: 'institution' }, text: expect.stringMatching(text) }],
    });
  });

  it('goes on when nothing changed', async () => {
    const { place, batch } = await approvedWith((list) => list);
    await place.send(batch);
    expect(place.service.book).toHaveLength(2);
  });

  it.each([
    ['gives no institutions', 'institutions', { kind: 'unavailable', reason: '503' }],
    ['lists no institutions', 'institutions', { kind: 'answered', answer: [] }],
    ['lists no countries', 'countries', { kind: 'answered', answer: [] }],
  ] as const)(
    'cannot be asked about where the service %s: nothing is sent, and the rows stay approved',
    async (_, list, answer) => {
      const { place, batch } = await approvedWith((same) => same);
      place.service[list] = async () => answer;
      expect((await place.send(batch)).stop).toMatchObject({ kind: 'outage' });
      expect(await place.stand(batch)).toEqual({ approved: 2 });
    },
  );

  it('is asked about once per country and run', async () => {
    const { place, batch } = await approvedWith((list) => list);
    const asked: string[] = [];
    const { institutions } = place.service;
    place.service.institutions = async (country) => {
      asked.push(country);
      return institutions(country);
    };
    await place.send(batch);
    expect(asked).toEqual(['c-gh']);
  });
});

describe('[E14] a rate that moved after approval', () => {
  const ceiling: Consent = async () => ({ kind: 'agreed', how: 'ceiling' });
  const ceilings = [money('GHS 10000.00')];
  const cron = (place: Workplace, batch: Parameters<Workplace['run']>[0]) =>
    place.run(batch, { consent: ceiling, ceilings });

  async function movedBatch() {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(2), 'may');
    place.clock.advance(HOUR);
    place.service.rateAnswer = { kind: 'answered', answer: '14.0' };
    place.service.estimateAnswer = {
      kind: 'answered',
      answer: { rate: '14.0', fee: '1.02', speedSeconds: 30 },
    };
    expect(await cron(place, batch)).toMatchObject({ sent: { moved: [{ what: 'cost', rows: 2 }] } });
    return { place, batch };
  }

  it('is not agreed to by the ceiling of the next scheduled run: a person approves first', async () => {
    const { place, batch } = await movedBatch();
    for (const _ of [1, 2]) {
      place.clock.advance(HOUR);
      expect(await cron(place, batch)).toMatchObject({ notAgreed: { kind: 'not_agreed' } });
    }
    expect(place.service.book).toEqual([]);
    await approveBatch(batch, { by: 'ben', how: 'approve_command', digest: undefined }, place.world);
    await cron(place, batch);
    expect(place.service.book).toHaveLength(2);
  });

  it('still lets a ceiling agree to a batch whose rates never moved', async () => {
    const place = await aWorkplace();
    const { batch } = await place.place(someRows(2), 'may');
    await cron(place, batch.id);
    expect(place.service.book).toHaveLength(2);
  });
});

describe('a country or an institution that has another name than when the file was read', () => {
  const ceiling: Consent = async () => ({ kind: 'agreed', how: 'ceiling' });
  const asked = { consent: ceiling, ceilings: [money('GHS 10000.00')] };
  type Named = { readonly name: string };
  const renamed =
    (names: Readonly<Record<string, string>>) =>
    <List extends { readonly kind: string; readonly answer?: readonly Named[] }>(list: List): List =>
      list.answer === undefined
        ? list
        : { ...list, answer: list.answer.map((one) => ({ ...one, name: names[one.name] ?? one.name })) };

  it.each([
    ['country', { Ghana: 'Niger' }],
    ['institution', { 'MTN Mobile Money': 'GCB Bank', 'GCB Bank': 'MTN Mobile Money' }],
  ])('is agreed to by no ceiling: the %s', async (_, names) => {
    const place = await aWorkplace();
    const { batch } = await place.place(someRows(2), 'may');
    const { countries, institutions } = place.service;
    place.service.countries = async (...given) => renamed(names)(await countries(...given));
    place.service.institutions = async (...given) => renamed(names)(await institutions(...given));
    const [was = '', is = ''] = Object.entries(names)[0] ?? [];
    expect(await place.run(batch.id, asked)).toMatchObject({
      notAgreed: { reason: expect.stringMatching(`Row 2 was read with “${was}”, .+ “${is}” now`) },
    });
    expect(place.service.book).toEqual([]);
    await approveBatch(batch.id, { by: 'ben', how: 'approve_command', digest: undefined }, place.world);
    await place.run(batch.id, asked);
    expect(place.service.book).toHaveLength(2);
  });
});

it('asks again whose account it is when the answer is of yesterday, however late a second row was priced by it', async () => {
  const place = await aWorkplace({ policy: { concurrency: 1, approvalHours: 72 } });
  const { service, clock, world } = place;
  const { estimate } = service;
  service.estimate = async (asked, signal) => {
    if (asked.amount === '1300.00') clock.advance(23 * HOUR);
    return estimate(asked, signal);
  };
  const batch = await place.approved([aRow(1), aRow(1, { reference: 'GH-2', amount: '1300.00' })], 'may');
  expect(service.calls.filter((call) => call.startsWith('name '))).toHaveLength(1);
  const reason = 'It is not owed';
  const first = await place.row(batch, 2);
  await recordEvent(first, { kind: 'cancel', by: 'ama', reason, at: clock.now() }, world);
  service.estimate = estimate;
  service.names.set('0244123001', 'KOFI BOATENG');
  clock.advance(2 * HOUR);
  expect(await place.send(batch)).toMatchObject({ moved: [{ what: 'account holder' }] });
  expect(service.book).toEqual([]);
});
