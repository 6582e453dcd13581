/**
 * What a person found of an amount that the service shows otherwise, and what a bank took by its statement: each is kept
 * once, in the ledger, and the books follow it.
 */
import { describe, expect, it } from 'vitest';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import type { RestFound } from '../../src/domain/payouts/payout.ts';
import type { AccountRole } from '../../src/domain/reporting/journal-accounts.ts';
import { reasonOf } from '../../src/domain/reporting/reason.ts';
import { acceptDifference } from '../../src/use-cases/decide/accept-difference.ts';
import { compareWithStatement } from '../../src/use-cases/reconcile/compare-with-statement.ts';
import { reportPeriod } from '../../src/use-cases/report/report-period.ts';
import { around, type Line, openStatement, sentBatch } from '../builders/statement-file.ts';
import { utcDays } from '../builders/utc-days.ts';
import { lookUpsShow, type Workplace } from '../builders/workplace.ts';

const DAY = 86_400_000;

/** Of two payments of GHS 1,200.00 (GBP 77.42 and a fee of 1.02) the service shows half of the first, a day later. */
async function halved(amount = '600.00') {
  const { place, batch, at } = await sentBatch(['accept', 'accept'], { daysLater: 1 });
  lookUpsShow(place, (_, id) => (id === 'tr-1' ? { amount } : {}));
  await place.settle(batch);
  const says = async (rest: RestFound | undefined, reason = 'their bank says so') => {
    const asked = { batch: await place.batch(batch), row: '2', by: 'ben', reason, rest };
    const answer = await acceptDifference(asked, place.world);
    return 'reason' in answer ? answer.reason : answer.kind;
  };
  return { place, batch, at, says };
}

/** Closing balances of all that is not zero, and the open items, in pence. */
async function booksAt({ ledger, clock }: Workplace, day: number) {
  const to = new Date(day).toISOString().slice(0, 10);
  const period = utcDays('2026-01-01', to);
  if (period === undefined) throw new TypeError('no days');
  const header = { environment: 'sandbox', madeAt: clock.now(), reissueAfterMs: 0 } as const;
  const { totals, openItems } = await reportPeriod(ledger, { period, sink: undefined, header });
  const accounts = (totals.accounts ?? []).filter(({ closing }) => closing !== 0n);
  return {
    accounts: Object.fromEntries(accounts.map(({ role, closing }) => [role, Number(closing)])) as Partial<
      Record<AccountRole, number>
    >,
    open: openItems.listed.map(({ row, inSuspense }) => [row, Number(inSuspense)]),
    differing: totals.differing,
    unaccounted: totals.currencies.map(({ unaccounted }) => Number(unaccounted.minor)),
  };
}

describe('half of an amount that is shown', () => {
  const ALL = { owed: 15_484, fees: 204, paying: -15_688 };
  const SUSPENDED = { ...ALL, owed: 11_613, suspense: 3_871 };

  it('is in suspense, and open, until a person says what became of the rest', async () => {
    const { place, says } = await halved();
    const now = () => booksAt(place, place.clock.now());
    const open = { accounts: SUSPENDED, open: [[2, 3_871]], differing: 1, unaccounted: [60_000] };
    expect(await now()).toEqual(open);
    expect(await says('open')).toBe('ruled');
    expect(await now()).toEqual(open);
    expect(await says('delivered')).toBe('ruled');
    expect(await now()).toEqual({ accounts: ALL, open: [], differing: 0, unaccounted: [0] });
    expect(await says('lost')).toBe('ruled');
    const { suspense: _, ...rest } = SUSPENDED;
    expect(await now()).toEqual({
      ...{ accounts: { ...rest, lost: 3_871 }, open: [], differing: 0 },
      unaccounted: [60_000],
    });
    expect(await says('open')).toBe('ruled');
    expect(await now()).toEqual(open);
    // Then it is only accepted: the alarm ends, and the rest stays where it is.
    expect(await says(undefined)).toBe('ruled');
    expect(await now()).toEqual({ ...open, differing: 0 });
  });

  it('stands in the books of each day as it was known then', async () => {
    const { place, at, says } = await halved();
    place.clock.advance(DAY);
    await says('lost');
    expect((await booksAt(place, at)).accounts).toEqual(ALL);
    expect(await booksAt(place, at + DAY)).toMatchObject({
      accounts: SUSPENDED,
      differing: 1,
      open: [[2, 3_871]],
    });
    expect(await booksAt(place, at + 2 * DAY)).toMatchObject({ differing: 0, open: [] });
  });

  it('is told with who found what, and covers only the amount that was ruled on', async () => {
    const { place, batch, says } = await halved();
    const reason = async () => reasonOf(await place.row(batch, 2), []);
    await says('open');
    expect(await reason()).toMatch(
      /ben said that the missing part is still open on \d{4}-\d\d-\d\d: their bank says so$/,
    );
    await says('delivered');
    expect(await reason()).toMatch(
      /ben said that the missing part is delivered on \d{4}-\d\d-\d\d: their bank says so$/,
    );
    lookUpsShow(place, (_, id) => (id === 'tr-1' ? { amount: '900.00' } : {}));
    place.clock.advance(DAY);
    await place.settle(batch);
    // 300.00 of 1,200.00 is GBP 19.35, rounded down.
    expect(await booksAt(place, place.clock.now())).toMatchObject({
      ...{ accounts: { ...ALL, owed: 13_549, suspense: 1_935 }, differing: 1, unaccounted: [30_000] },
    });
  });

  it('is not said twice, and not of a row of which no amount differs', async () => {
    const { place, batch, says } = await halved();
    await says('delivered');
    expect(await says('delivered')).toBe('Row 2: it was said before that it is delivered.');
    expect(await says(undefined)).toBe('Row 2: this difference was accepted before.');
    lookUpsShow(place, (_, id) => (id === 'tr-1' ? { amount: '1200.00', receiver: 'Somebody Else' } : {}));
    place.clock.advance(DAY);
    await place.settle(batch);
    expect(await says('lost')).toBe(
      'Row 2: the service shows no less than what was asked, so that there is no missing part to rule on.',
    );
    expect((await place.ledger.verify(batch)).problems).toEqual([]);
  });
});

describe('the line of a bank', () => {
  const compare = async (place: Workplace, id: BatchId, lines: readonly Line[]) => {
    const options = { open: { path: 'bank.csv' }, map: new Map(), dateOrder: undefined };
    return compareWithStatement(
      [await place.batch(id)],
      { openRows: openStatement(lines), options },
      { by: 'ada', ports: place.world },
    );
  };
  const kept = async (place: Workplace, id: BatchId) =>
    (await place.ledger.notes(id, 'statement_compared')).map(({ body }) =>
      body.figures.map(({ payout: _, ...figures }) => figures),
    );

  it('is kept where it says something new, and the next statement is compared with it', async () => {
    const { place, batch, at } = await sentBatch(['accept', 'accept']);
    const [first, second] = await place.payouts(batch);
    const tagOf = (payout: typeof first) =>
      payout !== undefined && 'tag' in payout.state ? payout.state.tag : '';
    const line = (Amount: string, Narration: string) => ({
      ...{ Date: new Date(at).toISOString().slice(0, 19), Amount, Currency: 'GBP', Narration },
    });
    const lines = around(at, [
      line('78.44', tagOf(first)),
      line('77.42', tagOf(second)),
      line('1.50', `Fee ${tagOf(second)}`),
    ]);
    const compared = await compare(place, batch, lines);
    expect(compared.reconciled.findings.map(({ kind }) => kind)).toEqual(['matched', 'matched']);
    const bank = { currency: 'GBP', whole: '7892', fee: '150' };
    expect(await kept(place, batch)).toEqual([[bank]]);
    const accounts = { owed: 15_484, fees: 252, paying: -15_736 };
    expect((await booksAt(place, place.clock.now())).accounts).toEqual(accounts);
    // The day before, nobody knew.
    expect((await booksAt(place, place.clock.now() - DAY)).accounts).toEqual({
      owed: 15_484,
      fees: 204,
      paying: -15_688,
    });
    await compare(place, batch, lines);
    await compare(place, batch, lines.slice(0, -1).concat(line('2020.00', 'rent')));
    expect(await kept(place, batch)).toEqual([[bank], [], []]);
    await compare(
      place,
      batch,
      lines.map((each) => (each.Amount === '1.50' ? { ...each, Amount: '1.40' } : each)),
    );
    expect(await kept(place, batch)).toEqual([[bank], [], [], [{ ...bank, whole: '7882', fee: '140' }]]);
    expect((await booksAt(place, place.clock.now())).accounts).toEqual({
      ...accounts,
      fees: 242,
      paying: -15_726,
    });
    expect((await place.ledger.verify(batch)).problems).toEqual([]);
  });

  it('that nothing explains is not booked', async () => {
    const { place, batch, at } = await sentBatch(['accept']);
    const [payout] = await place.payouts(batch);
    const tag = payout !== undefined && 'tag' in payout.state ? payout.state.tag : '';
    const line = {
      Date: new Date(at).toISOString().slice(0, 19),
      Amount: '79.00',
      Currency: 'GBP',
      Narration: tag,
    };
    const { reconciled } = await compare(place, batch, around(at, [line]));
    expect(reconciled.findings.map(({ kind }) => kind)).toContain('differs');
    expect(await kept(place, batch)).toEqual([[]]);
  });
});
