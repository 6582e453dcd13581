/** Days are cut in the zone that the ledger keeps: in reports over days, in the journal and for the limit of a day. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CurrencyCode } from '../../src/domain/money/currency.ts';
import { overLimitSentence } from '../../src/domain/plan/limits.ts';
import { otherZoneTexts } from '../../src/domain/reporting/report-title.ts';
import { openReportSink } from '../../src/files/report/open-report-sink.ts';
import { approveBatch } from '../../src/use-cases/approve/approve-batch.ts';
import { reportDays } from '../../src/use-cases/report/asked-report.ts';
import { aRow, someRows } from '../builders/payout-file.ts';
import { aWorkplace, readingPorts, type Workplace } from '../builders/workplace.ts';

const folder = mkdtempSync(join(tmpdir(), 'payfile-zones-'));

/** Half past ten in the evening of 31 May in UTC. */
const LATE = Date.parse('2026-05-31T22:30:00Z');

async function paidLate(timeZone: string): Promise<Workplace> {
  const place = await aWorkplace({ timeZone });
  place.clock.advance(LATE - place.clock.now());
  const batch = await place.approved(someRows(1), 'may');
  await place.send(batch);
  await place.settle(batch, 60_000);
  place.clock.advance(40 * 86_400_000);
  return place;
}

const sumOf = (counts: object) => Object.values(counts).reduce((sum, count) => sum + count, 0);

async function paymentsOf(place: Workplace, from: string, to: string, timeZone?: string) {
  const { world } = place;
  const ports = {
    ...readingPorts({ world: { ...world, policy: { ...world.policy, ...(timeZone && { timeZone }) } } }),
    openSink: openReportSink,
    openRedoSink: async () => Promise.reject(new TypeError('No such file')),
    note: async () => undefined,
  };
  const path = join(folder, `${place.ledger.identity.timeZone}-${from}-${timeZone}.csv`.replaceAll('/', '-'));
  const format = 'journal';
  const file = { path, isReplaced: true, isNoted: false, format } as const;
  const made = await reportDays({ from, to }, file, ports);
  const days = readFileSync(path, 'utf8')
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split(',')[0]);
  return { rows: sumOf(made.totals.counts), days: [...new Set(days)], says: otherZoneTexts(made) };
}

it.each([
  ['UTC', [1, ['2026-05-31']], [0, []]],
  ['Africa/Dakar', [1, ['2026-05-31']], [0, []]],
  ['America/New_York', [1, ['2026-05-31']], [0, []]],
  ['Africa/Nairobi', [0, []], [1, ['2026-06-01']]],
])('books a payment of 22:30 UTC on the day that it has in %s', async (zone, may, june) => {
  const place = await paidLate(zone);
  const [of5, of6] = [
    await paymentsOf(place, '2026-05-01', '2026-05-31'),
    await paymentsOf(place, '2026-06-01', '2026-06-30'),
  ];
  expect([of5.rows, of5.days]).toEqual(may);
  expect([of6.rows, of6.days]).toEqual(june);
  expect(of5.says).toEqual([]);
});

it('makes a report in another zone, which says so', async () => {
  const place = await paidLate('Africa/Nairobi');
  const made = await paymentsOf(place, '2026-05-01', '2026-05-31', 'Europe/Lisbon');
  expect([made.rows, made.days]).toEqual([1, ['2026-05-31']]);
  expect(made.says).toEqual([
    'Days are those of Europe/Lisbon. Other reports of this ledger have the days of Africa/Nairobi.',
  ]);
});

it('begins the limit of a day at midnight of the ledger', async () => {
  const limits = { batchMax: [], rowMax: [], dayMax: [{ minor: 200_000n, currency: 'GHS' as CurrencyCode }] };
  const place = await aWorkplace({ timeZone: 'Africa/Nairobi', policy: { limits } });
  let rows = 0;
  const toNext = async (at: string, name: string) => {
    rows += 1;
    place.clock.advance(Date.parse(at) - place.clock.now());
    const { batch } = await place.place([aRow(rows, { name: '' })], name);
    await place.price(batch.id);
    const agreed = await approveBatch(
      batch.id,
      { by: 'ben', how: 'library', digest: undefined },
      place.world,
    );
    if (agreed.kind === 'over_limit') return overLimitSentence(agreed);
    await place.send(batch.id);
    return agreed.kind;
  };
  // 23:30, 23:50 and 00:10 in Nairobi, all of one day in UTC.
  expect(await toNext('2026-06-02T20:30:00Z', 'one')).toBe('approved');
  expect(await toNext('2026-06-02T20:50:00Z', 'two')).toContain('the limit for a day is GHS 2,000.00');
  expect(await toNext('2026-06-02T21:10:00Z', 'three')).toBe('approved');
});
