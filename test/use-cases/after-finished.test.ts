/** After Finished: the service contradicts itself, and the row, the batch and the exit code say so. */
import { describe, expect, it } from 'vitest';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import type { Policy } from '../../src/domain/policy.ts';
import { bookingsOf } from '../../src/domain/reporting/booking.ts';
import { reasonOf } from '../../src/domain/reporting/reason.ts';
import type { ReportHeader } from '../../src/domain/reporting/report.ts';
import type { Transaction } from '../../src/ports/payment-service.ts';
import { planOf, planToSee } from '../../src/use-cases/approve/plan-of-batch.ts';
import { acceptDifference } from '../../src/use-cases/decide/accept-difference.ts';
import { reissue } from '../../src/use-cases/decide/reissue.ts';
import { endBatch } from '../../src/use-cases/report/batch-end.ts';
import { lookAt } from '../../src/use-cases/report/look-at-batch.ts';
import { overviewOf } from '../../src/use-cases/report/overview.ts';
import { reportBatch, reportHeader } from '../../src/use-cases/report/report-batch.ts';
import { settleSent } from '../../src/use-cases/settle/settle-sent.ts';
import { someRows } from '../builders/payout-file.ts';
import { aWorkplace, HOLDER, lookUpsShow, readingPorts, type Workplace } from '../builders/workplace.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

async function settledBatch(rows = 1, policy: Partial<Policy> = {}) {
  const place = await aWorkplace({ policy });
  const batch = await place.approved(someRows(rows), 'may');
  await place.send(batch);
  await place.settle(batch);
  expect(await place.stand(batch)).toEqual({ settled: rows });
  place.clock.advance(HOUR);
  return { place, batch };
}

/** The service shows this of the transfer from now on. */
function shows(place: Workplace, changes: Partial<Transaction>, of = 'tr-1'): void {
  lookUpsShow(place, (_, id) => (id === of ? changes : {}));
}

/** `payfile settle`, once, without waiting: what it says and how it ends. */
async function look(place: Workplace, batchId: BatchId) {
  const settled = await settleSent(
    await place.batch(batchId),
    { holder: HOLDER, deadlineMs: 0 },
    place.world,
  );
  return { settled, end: await endBatch(settled.batch, settled, readingPorts(place)) };
}

describe('a row that was Finished', () => {
  it('is called returned after the second failure word, ten minutes after the first', async () => {
    const { place, batch } = await settledBatch(2);
    shows(place, { status: 'Failed' });
    const first = await look(place, batch);
    expect(first.end).toMatchObject({ exitCode: 3, totals: { counts: { settled: 2 } } });
    expect(first.end.attention).toMatchObject([
      { row: 2, status: 'settled', differs: true, suspected: true },
    ]);
    expect(first.settled.isUnchanged).toBe(false);
    place.clock.advance(10 * MINUTE);
    const second = await look(place, batch);
    expect(second.settled.changes).toEqual([{ rowNumber: 2, from: 'settled', to: 'returned' }]);
    expect(second.end).toMatchObject({ exitCode: 3, totals: { counts: { settled: 1, returned: 1 } } });
    expect((await place.row(batch, 2)).state).toMatchObject({
      status: 'returned',
      basis: 'failed_after_finished',
      serviceStatus: 'Failed',
    });
  });

  it('stays settled, and differs until the failure word is taken back', async () => {
    const { place, batch } = await settledBatch();
    shows(place, { status: 'Failed' });
    expect((await look(place, batch)).end.exitCode).toBe(3);
    shows(place, { status: 'Finished' });
    place.clock.advance(11 * MINUTE);
    expect((await look(place, batch)).end).toMatchObject({ exitCode: 0, attention: [] });
  });

  it('differs by a word that is not known, which is told once with the setting that names it', async () => {
    const { place, batch } = await settledBatch();
    shows(place, { status: 'Charged back' });
    const first = await look(place, batch);
    expect(first.end).toMatchObject({ exitCode: 3, totals: { counts: { settled: 1 } } });
    expect(first.end.attention).toMatchObject([
      {
        row: 2,
        differs: true,
        reason: expect.stringContaining('the service says “Charged back” after Finished'),
      },
    ]);
    place.clock.advance(DAY);
    expect((await look(place, batch)).end.exitCode).toBe(3);
    const texts = place.told.flatMap((each) => (each.kind === 'warning' ? each.text : []));
    expect(texts.filter((text) => text.includes('Charged back'))).toEqual([
      'Row 2: the service says “Charged back” after Finished. If the word means paid, add it to statuses.finished.',
    ]);
  });

  it('is counted with the others that have its unknown word: one warning for a batch and word', async () => {
    const { place, batch } = await settledBatch(12);
    const warnings = () => place.told.flatMap((each) => (each.kind === 'warning' ? each.text : []));
    for (let at = 1; at <= 12; at += 1) shows(place, { status: 'Archived' }, `tr-${at}`);
    expect((await look(place, batch)).settled.changed).toBe(12);
    expect(warnings()).toEqual([
      '12 rows, the first is row 2: the service says “Archived” after Finished. If the word means paid, add it to statuses.finished.',
    ]);
    for (const status of ['Finished', 'ARCHIVED', 'Closing', 'Archived']) {
      place.clock.advance(DAY);
      shows(place, { status });
      await look(place, batch);
    }
    expect(warnings().slice(1)).toEqual([expect.stringMatching(/^Row 2: the service says “Closing”/)]);
    // Another amount beside a known word is told.
    place.clock.advance(DAY);
    shows(place, { status: 'Archived', amount: '60.00' });
    await look(place, batch);
    expect(warnings().slice(2)).toEqual([expect.stringMatching(/^Row 2 differs .*“Archived”.*shows 60\.00/)]);
  });

  it('agrees when its new word is among those that mean paid', async () => {
    const { place, batch } = await settledBatch(1, { finishedWords: ['Closed'] });
    shows(place, { status: 'closed' });
    expect((await look(place, batch)).end).toMatchObject({ exitCode: 0, attention: [] });
  });

  it('is watched for 14 days, and for as long as the setting says', async () => {
    for (const [policy, days, to] of [
      [{}, 13, 'returned'],
      [{}, 15, 'settled'],
      [{ watchDays: 30 }, 29, 'returned'],
    ] as const) {
      const { place, batch } = await settledBatch(1, policy);
      place.clock.advance(days * DAY);
      shows(place, { status: 'Reversed' });
      await look(place, batch);
      expect(await place.stand(batch)).toEqual({ [to]: 1 });
    }
  });

  it('differs when another receiver is called returned, and is not payable again', async () => {
    const { place, batch } = await settledBatch();
    shows(place, { status: 'Returned', receiver: 'KOFI BOATENG' });
    expect((await look(place, batch)).end.exitCode).toBe(3);
    place.clock.advance(HOUR);
    expect((await look(place, batch)).end).toMatchObject({ exitCode: 3, totals: { counts: { settled: 1 } } });
  });
});

describe('a row of which the service shows another amount', () => {
  it('counts what is shown, and never ends with 0: less is 3, with what is not accounted for', async () => {
    const { place, batch } = await settledBatch(2);
    shows(place, { amount: '60.00' });
    const { end } = await look(place, batch);
    expect(end).toMatchObject({
      exitCode: 3,
      outcome: {
        word: 'finished_with_exceptions',
        sentence: '2 payments: 2 settled; 1 differs from what was asked',
      },
      totals: { ties: true },
    });
    const [total] = end.totals.currencies;
    expect(total).toMatchObject({
      requested: { count: 2, minor: 240_000n },
      groups: { settled: { count: 2, minor: 126_000n } },
      unaccounted: { count: 1, minor: 114_000n },
    });
    expect((await place.settle(batch)).changes).toEqual([]);
  });

  it('is an incident when more went out than was asked, also before it is settled', async () => {
    for (const status of ['Finished', 'Processing']) {
      const place = await aWorkplace();
      const batch = await place.approved(someRows(2), 'may');
      await place.send(batch);
      shows(place, { amount: '10050.00', status });
      place.clock.advance(MINUTE);
      const { settled, end } = await look(place, batch);
      expect(settled.incidents).toEqual([2]);
      expect(end).toMatchObject({ exitCode: 5, outcome: { word: 'incident' } });
      expect(end.attention[0]).toMatchObject({ row: 2, differs: true, over: true });
      expect(end.attention[0]?.reason).toMatch(/^INCIDENT: more went out than was asked\. /);
      expect(end.steps.next?.words).toEqual(['may', 2]);
      expect(end.totals.currencies[0]?.unaccounted).toEqual({ count: 1, minor: -885_000n });
      // It stays one on every look, and so does the exit code.
      place.clock.advance(HOUR);
      expect((await look(place, batch)).end.exitCode).toBe(5);
    }
  });

  it('is the first to look at when more went out, however many rows differ before it; each page says the same', async () => {
    const { place, batch } = await settledBatch(30);
    for (let at = 1; at < 30; at += 1) shows(place, { amount: '60.00' }, `tr-${at}`);
    shows(place, { amount: '10050.00' }, 'tr-30');
    const { end } = await look(place, batch);
    expect(end).toMatchObject({ exitCode: 5, totals: { differing: 30, over: 1 } });
    expect(end.attention[0]).toMatchObject({ row: 31, over: true });
    expect(end.steps.next?.words).toEqual(['may', 31]);
    const ports = readingPorts(place);
    expect(
      await lookAt(
        await place.batch(batch),
        { user: 'ama', people: { roster: new Map(), user: 'ama' } },
        ports,
      ),
    ).toMatchObject({
      outcome: end.outcome,
      currencies: end.totals.currencies,
      attention: end.attention,
      attentionLeft: end.attentionLeft,
    });
    expect((await overviewOf(ports)).batches).toMatchObject([{ outcome: end.outcome }]);
  });

  it('says how long it is on its way and that it differs, where it does not get on either', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(1), 'may');
    await place.send(batch);
    shows(place, { amount: '60.00', status: 'Processing' });
    place.clock.advance(2 * DAY);
    const { end } = await look(place, batch);
    expect(end).toMatchObject({ exitCode: 3, attention: [{ row: 2, differs: true, stuck: 'late' }] });
    expect(end.attention[0]?.reason).toMatch(
      /It takes too long: .+ UTC\. What the service shows differs from what was asked: amount: the service shows 60\.00/,
    );
  });

  it('agrees when the service shows the debit instead', async () => {
    const { place, batch } = await settledBatch();
    const { state, instruction } = await place.row(batch, 2);
    const quote = 'pricing' in state ? state.pricing?.quote : undefined;
    expect([instruction?.amount.minor, quote?.rate]).toEqual([120_000n, '15.5']);
    shows(place, { amount: '78.44' });
    expect((await look(place, batch)).end.exitCode).toBe(0);
  });

  it('is told nowhere as an alarm once a person accepted it, and stays marked in the report', async () => {
    const { place, batch } = await settledBatch();
    shows(place, { amount: '60.00' });
    await look(place, batch);
    const asked = { batch: await place.batch(batch), row: '2', by: 'ben', reason: 'the bank took its fee' };
    expect(await acceptDifference(asked, place.world)).toMatchObject({ kind: 'ruled', exitCode: 0 });
    place.clock.advance(HOUR);
    const { end } = await look(place, batch);
    expect(end).toMatchObject({ exitCode: 0, attention: [], totals: { differing: 0 } });
    expect(end.totals.currencies[0]?.unaccounted.minor).toBe(114_000n);
    expect(reasonOf(await place.row(batch, 2), [])).toMatch(
      /amount: the service shows 60\.00.+\. ben accepted it on \d{4}-\d\d-\d\d: the bank took its fee$/,
    );
    expect(await acceptDifference(asked, place.world)).toMatchObject({ kind: 'refused', exitCode: 10 });
    // Only what was seen is accepted.
    shows(place, { amount: '50.00' });
    place.clock.advance(HOUR);
    expect((await look(place, batch)).end.exitCode).toBe(3);
  });

  it('cannot be accepted where nothing differs', async () => {
    const { place, batch } = await settledBatch();
    const asked = { batch: await place.batch(batch), row: '2', by: 'ben', reason: 'looks fine' };
    expect(await acceptDifference(asked, place.world)).toMatchObject({
      kind: 'refused',
      reason: 'Row 2: the service shows nothing that differs from what was asked.',
    });
  });
});

it('sends nothing more of the first live batch when its first transfer shows another amount, or failed', async () => {
  for (const [shown, status] of [
    [{ amount: '120000.00' }, 'settled'],
    [{ status: 'Failed' }, 'accepted'],
  ] as const) {
    const place = await aWorkplace({ environment: 'live' });
    const batch = await place.approved(someRows(12), 'may');
    shows(place, shown);
    const { stop } = await place.send(batch);
    expect(stop).toMatchObject({ kind: 'paused' });
    expect(place.service.book).toHaveLength(1);
    expect(await place.stand(batch)).toEqual({ [status]: 1, approved: 11 });
  }
});

it('names no account when the first transfer of a live ledger shows one as its amount', async () => {
  const place = await aWorkplace({ environment: 'live' });
  const batch = await place.approved(someRows(12), 'may');
  const payout = await place.row(batch, 2);
  const account = payout.instruction?.account.reveal() ?? '';
  expect(account).toMatch(/^\d+$/);
  shows(place, { amount: account });
  const { stop } = await place.send(batch);
  expect(stop).toMatchObject({ kind: 'paused' });
  expect(JSON.stringify(stop)).toContain('differs from what was asked: amount: ');
  expect(JSON.stringify(stop)).not.toContain(account);
});

it('gives a report the sums that the service shows before its lines', async () => {
  const { place, batch } = await settledBatch(2);
  shows(place, { amount: '60.00' });
  await look(place, batch);
  let before: ReportHeader['before'];
  const none = async () => undefined;
  const sink = { write: none, end: none, abort: none };
  const openSink = async () => ({
    ...sink,
    begin: async (header: ReportHeader) => {
      before = header.before;
    },
  });
  const ports = { ...place.world, openSink };
  const target = { path: 'may.xml', format: undefined, fullAccounts: false };
  await reportBatch(await reportHeader(await place.batch(batch), ports), ports, { target });
  expect(before?.isAsAsked).toBe(false);
  expect(before?.asked).toMatchObject([{ status: 'settled', count: 2, minor: 240_000n }]);
  expect(before?.shown.reduce((sum, { minor }) => sum + minor, 0n)).toBe(126_000n);
});

describe('a return of a part', () => {
  const back = { status: 'Returned', amount: '60.00' };

  it('keeps the row settled, and books what came back', async () => {
    const { place, batch } = await settledBatch();
    shows(place, back);
    const { end } = await look(place, batch);
    expect(end).toMatchObject({ exitCode: 3, totals: { counts: { settled: 1, returned: 0 }, ties: true } });
    expect(end.totals.currencies[0]).toMatchObject({
      requested: { count: 1, minor: 120_000n },
      groups: { settled: { count: 1, minor: 114_000n }, returned: { count: 0, minor: 6_000n } },
      unaccounted: { count: 0, minor: 0n },
    });
    expect(end.attention[0]?.reason).toContain('returned: GHS 60.00 of GHS 1,200.00 came back');
    const booked = (await Array.fromAsync(place.ledger.sentPayouts(batch))).flat().flatMap(bookingsOf);
    // GBP 77.42 is the payment without its fee.
    expect(booked.at(-1)).toMatchObject({ kind: 'return_of_part', debit: 'paying', money: { minor: 387n } });
  });

  it('is paid again only with evidence', async () => {
    const { place, batch } = await settledBatch();
    shows(place, back);
    await look(place, batch);
    const rows = { kind: 'rows', rows: ['2'] } as const;
    place.clock.advance(2 * DAY);
    const without = await reissue(batch, rows, { by: 'ben', evidence: undefined }, place.world);
    expect(without).toMatchObject({ done: [], refused: [{ rowNumber: 2 }] });
    const again = (evidence: string) => reissue(batch, rows, { by: 'ben', evidence }, place.world);
    const shownPart =
      'GHS 60.00 of GHS 1,200.00 came back, and the beneficiary still has GHS 1,140.00, as far as the service shows';
    for (const evidence of ['the bank says so', 'GHS 60.00 of GHS 1,200.00 came back'])
      expect(await again(evidence)).toMatchObject({
        done: [],
        refused: [{ status: expect.stringContaining(shownPart), isNotYet: true }],
      });
    expect(await again('GHS 1,200.00 came back: statement of 3 June')).toMatchObject({
      done: [2],
      partReturns: [
        { rowNumber: 2, asked: { minor: 120_000n }, back: { minor: 6_000n }, rest: { minor: 114_000n } },
      ],
    });
    expect((await place.ledger.notes(batch, 'reissue_evidence')).map(({ body }) => body.against)).toEqual([
      shownPart,
    ]);
    await place.price(batch);
    const plan = await planOf(batch, place.world);
    const seen = await planToSee(plan, await place.batch(batch), place.world);
    expect(seen.partReturns).toEqual([`row 2 pays GHS 1,200.00 again: ${shownPart}`]);
    await place.agree(batch);
    await place.send(batch);
    expect(place.service.book).toHaveLength(2);
  });
});

it('raises an incident when a returned payment says Finished again after it was paid again', async () => {
  const { place, batch } = await settledBatch();
  shows(place, { status: 'Reversed' });
  await look(place, batch);
  place.clock.advance(25 * HOUR);
  const rows = { kind: 'rows', rows: ['2'] } as const;
  await reissue(batch, rows, { by: 'ben', evidence: undefined }, place.world);
  await place.agree(batch);
  await place.send(batch);
  place.clock.advance(HOUR);
  shows(place, { status: 'Finished' });
  const { settled, end } = await look(place, batch);
  expect(settled.incidents).toEqual([2]);
  expect(end.exitCode).toBe(5);
  expect(place.service.book).toHaveLength(2);
});
