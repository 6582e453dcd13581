/** What the service showed of a transfer is kept field by field: silence ends no alarm, and what came back is no payment. */
import { describe, expect, it } from 'vitest';
import { asPayoutId, type BatchId } from '../../src/domain/payouts/instruction.ts';
import { eventWords } from '../../src/domain/reporting/event-words.ts';
import type { Transaction } from '../../src/ports/payment-service.ts';
import { acceptDifference } from '../../src/use-cases/decide/accept-difference.ts';
import { openDecisions } from '../../src/use-cases/decide/open-decisions.ts';
import { reissue } from '../../src/use-cases/decide/reissue.ts';
import { relativesOf } from '../../src/use-cases/decide/relatives.ts';
import { releaseHeld } from '../../src/use-cases/decide/release-held.ts';
import { endBatch } from '../../src/use-cases/report/batch-end.ts';
import { settleSent } from '../../src/use-cases/settle/settle-sent.ts';
import { someRows } from '../builders/payout-file.ts';
import { aWorkplace, HOLDER, lookUpsShow, readingPorts, type Workplace } from '../builders/workplace.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ROW2 = { kind: 'rows', rows: ['2'] } as const;
const BEN = { by: 'ben', evidence: undefined };
const SILENT = { amount: undefined };
const FINISHED = { status: 'Finished', amount: '1200.00' };

type Changes = Partial<Transaction>;

function shows(place: Workplace, changes: Changes, of = 'tr-1'): void {
  lookUpsShow(place, (_, id) => (id === of ? changes : {}));
}

async function look(place: Workplace, batchId: BatchId) {
  const request = { holder: HOLDER, deadlineMs: 0 };
  const settled = await settleSent(await place.batch(batchId), request, place.world);
  const end = await endBatch(settled.batch, settled, readingPorts(place));
  const [total] = end.totals.currencies;
  const sums = [total?.groups.settled, total?.groups.returned, total?.unaccounted].map((sum) => sum?.minor);
  return { settled, end, exitCode: end.exitCode, reason: end.attention[0]?.reason ?? '', sums };
}

/** One row that is settled, unless the service says otherwise at once; then a look a day later for each of the answers. */
async function afterLooks(...answers: readonly Changes[]) {
  const place = await aWorkplace();
  const batch = await place.approved(someRows(1), 'may');
  await place.send(batch);
  await place.settle(batch);
  let last = await look(place, batch);
  for (const changes of answers) {
    shows(place, changes);
    place.clock.advance(DAY);
    last = await look(place, batch);
  }
  return { place, batch, last };
}

async function accept(place: Workplace, batch: BatchId, saw?: readonly string[]) {
  const asked = { batch: await place.batch(batch), row: '2', by: 'ben', reason: 'known', saw };
  return acceptDifference(asked, place.world);
}

describe('a look that does not show the amount', () => {
  it('leaves an incident an incident', async () => {
    const { last } = await afterLooks({ amount: '120000.00' }, SILENT);
    expect(last.exitCode).toBe(5);
  });

  it('leaves what a person accepted as it is', async () => {
    const { place, batch } = await afterLooks({ amount: '60.00' });
    await accept(place, batch);
    for (const changes of [SILENT, { amount: '60.00' }]) {
      shows(place, changes);
      place.clock.advance(DAY);
      expect((await look(place, batch)).exitCode).toBe(0);
    }
  });
});

describe('an amount under a word for returned or failed', () => {
  it.each([
    ['Returned', '1215.81'],
    ['Failed', '120000.00'],
  ])('is not what went out: %s with %s', async (status, amount) => {
    const { last } = await afterLooks({ status, amount });
    expect(last.exitCode).toBe(3);
    expect(last.reason).toContain(`shows another amount: “${amount}”`);
    expect(last.reason).not.toContain('more went out');
  });

  it('is a part that came back also before the service said Finished', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(1), 'may');
    await place.send(batch);
    shows(place, { status: 'Returned', amount: '60.00' });
    place.clock.advance(MINUTE);
    const { end, reason } = await look(place, batch);
    expect(end.totals.currencies[0]?.groups.returned.minor).toBe(6_000n);
    expect(reason).toContain('returned: GHS 60.00 of GHS 1,200.00 came back');
    expect((await reissue(batch, ROW2, BEN, place.world)).done).toEqual([]);
  });
});

describe('a part that came back', () => {
  it('is kept when the service shows no amount, or the rest', async () => {
    const part = { status: 'Returned', amount: '60.00' };
    const silent = await afterLooks(part, { status: 'Processing', amount: undefined });
    expect(silent.last.sums).toEqual([114_000n, 6_000n, 0n]);
    const rest = await afterLooks(part, { status: 'Finished', amount: '1140.00' });
    expect(rest.last.sums).toEqual([114_000n, 6_000n, 0n]);
    expect(rest.last.exitCode).toBe(3);
  });

  it('is told anew when the service says Finished with the whole amount', async () => {
    const { last } = await afterLooks({ status: 'Returned', amount: '500.00' }, FINISHED);
    expect(last.settled.isUnchanged).toBe(false);
    expect(last.exitCode).toBe(3);
    expect(last.reason).toContain('status: the service says “Finished” after a part came back');
    expect(last.sums).toEqual([70_000n, 50_000n, 0n]);
  });

  it('is the larger one where the service shows two', async () => {
    const { last } = await afterLooks(
      { status: 'Returned', amount: '500.00' },
      { status: 'Returned', amount: '700.00' },
    );
    expect(last.sums).toEqual([50_000n, 70_000n, 0n]);
    expect(last.reason).toContain(
      'returned: at least GHS 700.00 of GHS 1,200.00 came back; the service showed GHS 500.00, then GHS 700.00',
    );
  });

  it('ends when the whole came back, also after a person accepted the part', async () => {
    const { place, batch } = await afterLooks({ status: 'Returned', amount: '500.00' });
    await accept(place, batch);
    shows(place, { status: 'Returned', amount: '1200.00' });
    place.clock.advance(DAY);
    expect((await look(place, batch)).sums).toEqual([0n, 120_000n, 0n]);
    expect(await place.stand(batch)).toEqual({ returned: 1 });
  });

  it('is a part also near the debit, where the service showed the amount that was asked', async () => {
    const { place, batch } = await afterLooks({ status: 'Returned', amount: '78.00' });
    expect(await place.stand(batch)).toEqual({ settled: 1 });
    place.clock.advance(DAY);
    expect((await reissue(batch, ROW2, BEN, place.world)).done).toEqual([]);
    const debit = await afterLooks({ amount: '78.44' }, { status: 'Returned', amount: '78.44' });
    expect(await debit.place.stand(debit.batch)).toEqual({ returned: 1 });
  });
});

it('does not count an amount that cannot be read', async () => {
  const { last } = await afterLooks({ amount: '120,000.00' });
  expect(last.sums).toEqual([0n, 0n, 120_000n]);
});

it('takes two failure words for one answer that was given twice', async () => {
  const { place, batch } = await afterLooks({ status: 'Failed' }, { status: 'Declined' });
  expect(await place.stand(batch)).toEqual({ returned: 1 });
});

describe('a payment that came back', () => {
  it.each<[string, Changes]>([
    ['Processing', { status: 'Processing' }],
    ['an unknown word', { status: 'Expired' }],
    ['only a part', { status: 'Reversed', amount: '500.00' }],
  ])('is to look at when the service then says: %s', async (_, changes) => {
    const { place, batch, last } = await afterLooks({ status: 'Reversed' }, changes);
    expect(last.settled.isUnchanged).toBe(false);
    expect(last.exitCode).toBe(3);
    expect(last.reason).toContain('the service no longer calls it unpaid. It says “');
    const steps = last.end.attention[0]?.steps.map(({ command }) => [command?.verb, command?.flags]);
    expect(steps).toEqual([['reissue', [['--evidence', { fillIn: 'TEXT' }]]]]);
    place.clock.advance(2 * DAY);
    expect((await reissue(batch, ROW2, BEN, place.world)).done).toEqual([]);
    const told = place.told.flatMap((each) => (each.kind === 'warning' ? each.text : []));
    await look(place, batch);
    expect(told.filter((text) => text.includes('no longer calls'))).toHaveLength(1);
    expect((await reissue(batch, ROW2, { by: 'ben', evidence: 'the bank' }, place.world)).done).toEqual([2]);
  });

  it('may be paid again once the service calls it unpaid again', async () => {
    const reversed = { status: 'Reversed' };
    const { place, batch } = await afterLooks(reversed, { status: 'Processing' }, reversed);
    expect((await reissue(batch, ROW2, BEN, place.world)).done).toEqual([2]);
  });

  it('and was paid again: the row is to look at, and a person may accept it', async () => {
    const { place, batch } = await afterLooks({ status: 'Reversed' });
    place.clock.advance(DAY + HOUR);
    await reissue(batch, ROW2, BEN, place.world);
    await place.agree(batch);
    await place.send(batch);
    place.clock.advance(HOUR);
    expect((await look(place, batch)).exitCode).toBe(0);
    shows(place, { status: 'Processing' });
    place.clock.advance(DAY);
    const { exitCode, reason } = await look(place, batch);
    expect(exitCode).toBe(3);
    expect(reason).toContain('the service no longer calls transfer tr-1 unpaid. It says “Processing”');
    expect(await accept(place, batch)).toMatchObject({ kind: 'ruled' });
    place.clock.advance(DAY);
    expect((await look(place, batch)).exitCode).toBe(0);
    expect((await place.ledger.verify(batch)).problems).toEqual([]);
  });
});

it('a payment that a person lets go after the service no longer calls the earlier one unpaid is to look at', async () => {
  const { place, batch } = await afterLooks({ status: 'Reversed' });
  place.clock.advance(DAY + HOUR);
  await reissue(batch, ROW2, BEN, place.world);
  await place.agree(batch);
  shows(place, { status: 'Processing' });
  await place.send(batch);
  expect(await place.stand(batch)).toEqual({ held: 1 });
  const [first] = await relativesOf(await place.row(batch, 2), place.world);
  const entry = (await place.ledger.journalOf(first?.id ?? asPayoutId(''))).at(-1);
  expect(entry && eventWords(entry).facts).toEqual(['the service says “Processing”']);
  await releaseHeld(batch, ROW2, { by: 'ben', reason: 'asked them' }, place.world);
  await place.agree(batch);
  await place.send(batch);
  await place.settle(batch);
  expect(await place.stand(batch)).toEqual({ settled: 1 });
  const { exitCode, attention } = await endBatch(
    await place.batch(batch),
    { codes: [] },
    readingPorts(place),
  );
  expect(exitCode).toBe(3);
  expect(attention[0]?.reason).toContain(
    'the service no longer calls transfer tr-1 unpaid. It says “Processing”',
  );
  expect((await place.ledger.verify(batch)).problems).toEqual([]);
});

it('accepts only a difference that was seen, and none that is not confirmed yet', async () => {
  const { place, batch } = await afterLooks({ amount: '60.00' });
  const { state } = await place.row(batch, 2);
  const saw = 'discrepancies' in state ? state.discrepancies : [];
  shows(place, { amount: '120000.00' });
  place.clock.advance(DAY);
  await look(place, batch);
  expect(await accept(place, batch, saw)).toMatchObject({ kind: 'refused', exitCode: 10 });
  const unconfirmed = await afterLooks({ status: 'Failed' });
  expect(await accept(unconfirmed.place, unconfirmed.batch)).toMatchObject({
    kind: 'refused',
    reason: 'Row 2: the service’s word is not confirmed yet; wait for the next look.',
  });
  expect((await look(unconfirmed.place, unconfirmed.batch)).exitCode).toBe(3);
});

it('accepts on a terminal once the row number is typed, and not where a look came in between', async () => {
  const { place, batch } = await afterLooks({ amount: '60.00' });
  const asked = { batch: await place.batch(batch), row: '2', by: 'ben', reason: 'known' };
  expect(await acceptDifference({ ...asked, ask: async () => '3' as never }, place.world)).toMatchObject({
    kind: 'unconfirmed',
  });
  const ask = async () => {
    shows(place, { amount: '120000.00' });
    place.clock.advance(DAY);
    await look(place, batch);
    return '2' as never;
  };
  expect(await acceptDifference({ ...asked, ask }, place.world)).toMatchObject({ kind: 'refused' });
  expect(await acceptDifference({ ...asked, ask: async () => '2' as never }, place.world)).toMatchObject({
    kind: 'ruled',
  });
});

describe('a difference is offered for acceptance', () => {
  const isOffered = async (place: Workplace, batch: BatchId) =>
    (await openDecisions(await place.row(batch, 2), place.world)).accept;

  it.each<[string, boolean, Changes[]]>([
    ['where less went out than was asked', true, [{ status: 'Finished', amount: '60.00' }]],
    ['not while a failure word is not confirmed', false, [{ status: 'Failed' }]],
    [
      'not of a payment that came back and is called otherwise now',
      false,
      [{ status: 'Reversed' }, { status: 'Expired' }],
    ],
  ])('%s: %s', async (_, isExpected, answers) => {
    const { place, batch } = await afterLooks(...answers);
    expect(await isOffered(place, batch)).toBe(isExpected);
    expect((await accept(place, batch)).kind).toBe(isExpected ? 'ruled' : 'refused');
  });
});

it('keeps no text of the service longer than a person reads, and no beginning of an account where it is cut', async () => {
  const long = 'W'.repeat(5_000);
  const place = await aWorkplace();
  const batch = await place.approved(someRows(1), 'may');
  await place.send(batch);
  const account = (await place.row(batch, 2)).instruction?.account.reveal() ?? '';
  const torn = `${'w'.repeat(112)} ${account}${long}`;
  const seen = { status: torn, amount: torn, receiver: torn, institution: torn, destination: torn };
  for (const status of [torn, 'Failed', 'Finished', torn, 'Returned']) {
    shows(place, { ...seen, status });
    place.clock.advance(DAY);
    await place.settle(batch);
    const { state } = await place.row(batch, 2);
    const kept = JSON.stringify({ ...state, pricing: undefined });
    expect(kept.length).toBeLessThan(2_500);
    expect(kept).not.toContain(account.slice(0, 5));
  }
});
