/**
 * A row that the service turned away has gone out, whatever became of it since. Statements, reports and its story say so.
 * The service's own book is the judge.
 */
import { describe, expect, it } from 'vitest';
import { reissue } from '../../src/use-cases/decide/reissue.ts';
import { cancelUnsent, releaseHeld } from '../../src/use-cases/decide/release-held.ts';
import { explainPayout } from '../../src/use-cases/report/explain-payout.ts';
import { rowsOf } from '../../src/use-cases/report/look-at-batch.ts';
import { reportBatch, reportHeader } from '../../src/use-cases/report/report-batch.ts';
import { someRows } from '../builders/payout-file.ts';
import { accept, around, lineOf, reconcileWith, told } from '../builders/statement-file.ts';
import { aWorkplace, readingPorts, type Workplace } from '../builders/workplace.ts';

const DAY = 24 * 3_600_000;
const ROW_3 = { kind: 'rows', rows: ['3'] } as const;
const BY_HAND = { by: 'ben', reason: 'paid by hand' };
const TURNED_AWAY = 'The service turned it away once, and may have paid it anyway.';

/** Row 2 is settled. Row 3 was executed and answered 429; it is approved, and is not sent again for 12 hours. */
async function triedBatch() {
  const place = await aWorkplace({ policy: { concurrency: 1, outageWaitMs: 0 } });
  const batch = await place.approved(someRows(2), 'may');
  const at = place.clock.now();
  place.service.turns.push('accept', 'limited_after');
  place.service.retryAfterMs = DAY / 2;
  await place.send(batch);
  await place.settle(batch);
  expect(await place.stand(batch)).toEqual({ settled: 1, approved: 1 });
  return { place, batch, at };
}

/** A week later, a statement of everything that the service executed. */
async function compared({ place, batch, at }: Awaited<ReturnType<typeof triedBatch>>, isNarrated = true) {
  place.clock.advance(8 * DAY);
  const lines = place.service.book.map((executed, nth) =>
    lineOf(executed, at, nth === 0 || isNarrated ? {} : { Id: '', Narration: '' }),
  );
  return reconcileWith(place, batch, around(at, lines));
}

const executionsOfRow3 = ({ service }: Workplace) =>
  service.book.filter(({ account }) => account === '0244123002').length;

async function reasonOfRow3(place: Workplace, batch: Awaited<ReturnType<typeof triedBatch>>['batch']) {
  const { lines } = await rowsOf(await place.batch(batch), readingPorts(place));
  return lines.find(({ row }) => row === 3)?.texts.reason;
}

describe('a row that was turned away and is approved', () => {
  it.each<[string, boolean]>([
    ['its tag', true],
    ['its account, amount and date alone', false],
  ])('is held and not paid again if a statement shows %s', async (_, isNarrated) => {
    const tried = await triedBatch();
    const { place, batch } = tried;
    const found = await compared(tried, isNarrated);
    expect(told(found.findings)).toEqual(['matched 2', 'theirs_only']);
    expect(found.findings[1]?.text).toContain('the service turned it away once, and may have paid it anyway');
    expect(await accept(place, found)).toMatchObject([{ outcome: 'noted' }]);
    await place.agree(batch);
    await place.run(batch);
    expect(await place.stand(batch)).toEqual({ settled: 1, held: 1 });
    expect(executionsOfRow3(place)).toBe(1);
  });

  it('says in reports and in its story that it may have been paid', async () => {
    const { place, batch } = await triedBatch();
    const reason = `${TURNED_AWAY} Approved by ben.`;
    expect(await reasonOfRow3(place, batch)).toBe(reason);
    expect(await explainPayout(await place.row(batch, 3), place.world)).toMatchObject({
      sentence: 'Someone agreed to exactly this payment.',
      reason,
    });
    const lines: string[] = [];
    const write = async (page: readonly { readonly texts: { readonly reason: string } }[]) => {
      lines.push(...page.map(({ texts }) => texts.reason));
    };
    const sink = {
      begin: async () => undefined,
      write,
      end: async () => undefined,
      abort: async () => undefined,
    };
    const ports = { ledger: place.ledger, openSink: async () => sink };
    const target = { path: 'may.csv', format: 'csv', fullAccounts: false } as const;
    await reportBatch(await reportHeader(await place.batch(batch), place.world), ports, { target });
    expect(lines[1]).toBe(reason);
  });

  it('says it once where it is held for that, and says it again after a release', async () => {
    const tried = await triedBatch();
    const { place, batch } = tried;
    await accept(place, await compared(tried));
    expect(await reasonOfRow3(place, batch)).toMatch(/^A statement shows it as paid already/);
    const release = { by: 'ben', reason: 'the bank says no', mayBePaid: true };
    await releaseHeld(batch, ROW_3, release, place.world);
    expect(await reasonOfRow3(place, batch)).toBe(`${TURNED_AWAY} Written down; not priced yet.`);
  });

  it('says nothing of that if no byte of it went out', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1, outageWaitMs: 0 } });
    const batch = await place.approved(someRows(2), 'may');
    place.service.turns.push('accept');
    place.service.script = () => 'not_sent';
    await place.send(batch);
    expect(await place.row(batch, 3)).toMatchObject({ state: { status: 'approved' } });
    expect((await place.row(batch, 3)).attempts).toBeGreaterThan(0);
    expect(await reasonOfRow3(place, batch)).toBe('Approved by ben, not sent yet.');
  });
});

describe('a row that was turned away and then withdrawn', () => {
  async function withdrawn() {
    const tried = await triedBatch();
    await cancelUnsent(tried.batch, ROW_3, BY_HAND, tried.place.world);
    return tried;
  }

  it('is an incident if a statement shows its tag, and is not paid again', async () => {
    const tried = await withdrawn();
    const { place, batch } = tried;
    const found = await compared(tried);
    expect(told(found.findings)).toEqual(['matched 2', 'incident 3']);
    expect(await accept(place, found)).toMatchObject([{ outcome: 'noted' }]);
    const { refused } = await reissue(batch, ROW_3, { by: 'ben', evidence: undefined }, place.world);
    expect(refused[0]?.status).toContain('withdrawn, but the statement shows it as paid');
    await place.run(batch);
    expect(executionsOfRow3(place)).toBe(1);
  });

  it('withdraws its replacement too, once a statement shows its tag', async () => {
    const tried = await withdrawn();
    const { place, batch } = tried;
    await reissue(batch, ROW_3, { by: 'ben', evidence: undefined }, place.world);
    await place.agree(batch);
    await accept(place, await compared(tried));
    expect((await place.row(batch, 3)).state.status).toBe('canceled');
  });

  it('is for a person to look at if account, amount and date alone suggest it', async () => {
    const tried = await withdrawn();
    const found = await compared(tried, false);
    expect(told(found.findings)).toEqual(['matched 2', 'unclear 3']);
    expect(await accept(tried.place, found)).toEqual([]);
  });

  it('says in reports and in its story that it may have been paid', async () => {
    const { place, batch } = await withdrawn();
    const reason = `${TURNED_AWAY} Withdrawn by ben: paid by hand`;
    expect(await reasonOfRow3(place, batch)).toBe(reason);
    const story = await explainPayout(await place.row(batch, 3), place.world);
    expect(story).toMatchObject({ sentence: 'A person withdrew it.', reason });
  });

  it('says so of an earlier payment of its row', async () => {
    const { place, batch } = await withdrawn();
    await reissue(batch, ROW_3, { by: 'ben', evidence: undefined }, place.world);
    expect(await reasonOfRow3(place, batch)).toContain(`The first attempt (canceled): ${TURNED_AWAY}`);
    const { earlier } = await explainPayout(await place.row(batch, 3), place.world);
    expect(earlier[0]).toMatchObject({ sentence: 'A person withdrew it.' });
  });
});
