/** A row that failed and that a file of its own paid again: shown as paid again, not paid a third time, counted once. */
import { describe, expect, it } from 'vitest';
import { shownSteps, shownText } from '../../src/domain/next-steps/command.ts';
import type { BatchId, PayoutId } from '../../src/domain/payouts/instruction.ts';
import type { ReportLine } from '../../src/domain/reporting/report-line.ts';
import type { ReportSink } from '../../src/ports/outputs.ts';
import { decideRows, type RowDecision } from '../../src/use-cases/decide/decide-rows.ts';
import { cancelUnsent, releaseHeld } from '../../src/use-cases/decide/release-held.ts';
import { endBatch } from '../../src/use-cases/report/batch-end.ts';
import { stateOf } from '../../src/use-cases/report/batch-view.ts';
import { overviewOf } from '../../src/use-cases/report/overview.ts';
import { reportPeriod } from '../../src/use-cases/report/report-period.ts';
import { aRow } from '../builders/payout-file.ts';
import { utcDays } from '../builders/utc-days.ts';
import { aWorkplace, readingPorts, type Workplace } from '../builders/workplace.ts';

const HOUR = 3_600_000;
const ben = { by: 'ben', reason: 'left' };
const all = { kind: 'all' } as const;

/** Row 2 settles, row 3 is refused. */
async function aMay() {
  const place = await aWorkplace({ policy: { concurrency: 1 } });
  const may = await place.approved([aRow(1), aRow(2)], 'may');
  place.service.turns.push('accept', { refuse: 'closed' });
  await place.send(may);
  place.service.statusOf = () => 'Finished';
  await place.settle(may);
  expect(await place.stand(may)).toEqual({ settled: 1, failed: 1 });
  return { place, may, failed: await place.row(may, 3) };
}

/** The row of its own file, agreed to. */
const redoOf = (place: Workplace, replaces: PayoutId, name = 'redo') =>
  place.approved([aRow(2, { replaces })], name);

async function paidAgain() {
  const { place, may, failed } = await aMay();
  const redo = await redoOf(place, failed.id);
  await place.send(redo);
  await place.settle(redo);
  expect(await place.stand(redo)).toEqual({ settled: 1 });
  return { place, may, redo, failed };
}

const reissueRow: RowDecision & { by: string } = { kind: 'reissue', by: 'ben', evidence: undefined };

async function reissued(place: Workplace, may: BatchId, rows?: string) {
  const choice = rows === undefined ? all : ({ kind: 'rows', rows: [rows] } as const);
  const { done, refused, exitCode } = await decideRows(
    await place.batch(may),
    choice,
    reissueRow,
    place.world,
  );
  return { done, exitCode, why: refused[0]?.status };
}

/** Every line of a report over the days of both batches. */
async function daysOf(place: Workplace, from = '2026-05-25', to = '2026-05-25') {
  const period = utcDays(from, to);
  if (period === undefined) throw new TypeError('these are days');
  const lines: ReportLine[] = [];
  const sink: ReportSink = {
    begin: async () => undefined,
    write: async (page) => void lines.push(...page),
    end: async () => undefined,
    abort: async () => undefined,
  };
  const header = { environment: 'sandbox', madeAt: place.clock.now(), reissueAfterMs: 0 } as const;
  const reported = await reportPeriod(place.ledger, { period, sink, header });
  return { reported, lines };
}

describe('a row that was paid again by its redo file', () => {
  it('is none to look at, and the next command is not to pay it again', async () => {
    const { place, may } = await paidAgain();
    const state = await stateOf(await place.batch(may), readingPorts(place));
    expect(state.attention).toEqual([]);
    expect(state.attentionLeft).toBe(0);
    expect(state.outcome).toMatchObject({
      exitCode: 3,
      sentence: '2 payments: 1 settled, 1 failed; 1 paid again in another batch',
    });
    const end = await endBatch(await place.batch(may), { codes: [] }, readingPorts(place));
    expect(end.steps.next).toMatchObject({ verb: 'report' });
    const { batches } = await overviewOf(readingPorts(place));
    expect(batches.map(({ outcome }) => outcome.sentence)).toEqual([
      '1 payment: 1 settled',
      '2 payments: 1 settled, 1 failed; 1 paid again in another batch',
    ]);
  });

  it('is refused to whoever wants to pay it once more; of all failed rows it is passed over', async () => {
    const { place, may } = await paidAgain();
    expect(await reissued(place, may, '3')).toEqual({
      done: [],
      exitCode: 64,
      why: 'paid again as row 2 of batch redo, which is settled: paying it once more would pay twice',
    });
    expect(await reissued(place, may)).toMatchObject({ done: [], exitCode: 0 });
    expect(await place.stand(may)).toEqual({ settled: 1, failed: 1 });
    await expect(
      place.ledger.addReplacement((await place.row(may, 3)).id, 'ben', place.clock.now()),
    ).rejects.toThrow('another payment of its row');
  });

  it('has a line for each of its payments in a report over days, and none is to look at', async () => {
    const { place } = await paidAgain();
    const { reported, lines } = await daysOf(place);
    expect(lines.map((line) => [line.batch?.name, line.row, line.status, line.isReplaced])).toEqual([
      ['may', 2, 'settled', false],
      ['may', 3, 'failed', true],
      ['redo', 2, 'settled', false],
    ]);
    expect(lines[1]?.texts).toMatchObject({ reason: 'The service refused it: closed', next_step: '' });
    expect(reported.totals).toMatchObject({ ties: true, linesOut: 3 });
    expect(reported.outcome.sentence).toBe('3 payments: 2 settled, 1 failed');
  });

  it('keeps its own line for days without the other payment', async () => {
    const { place, failed } = await aMay();
    place.clock.advance(72 * HOUR);
    const redo = await redoOf(place, failed.id);
    await place.send(redo);
    await place.settle(redo);
    const first = await daysOf(place);
    expect(first.lines.map(({ batch, status }) => [batch?.name, status])).toEqual([
      ['may', 'settled'],
      ['may', 'failed'],
    ]);
    expect(first.reported.outcome.sentence).toBe('2 payments: 1 settled, 1 failed');
    expect((await daysOf(place, '2026-05-28', '2026-05-28')).lines).toHaveLength(1);
    expect((await daysOf(place, '2026-05-25', '2026-05-28')).lines).toHaveLength(3);
  });
});

describe('a row whose redo file has not paid it', () => {
  it.each([
    ['lose_after', 'in doubt', 'wait until that one has ended unpaid'],
    ['accept', 'on its way', 'wait until that one has ended unpaid'],
    [{ refuse: 'closed' }, 'failed', 'pay that one again instead'],
  ] as const)('cannot be paid again in its own batch while the other one is %o', async (turn, word, why) => {
    const { place, may, failed } = await aMay();
    const redo = await redoOf(place, failed.id);
    place.service.turns.push(turn);
    await place.send(redo);
    const refused = await reissued(place, may, '3');
    expect(refused).toMatchObject({ done: [], exitCode: 10, why: expect.stringContaining(why) });
    expect(refused.why).toContain(`row 2 of batch redo, which is ${word}`);
    const { attention } = await stateOf(await place.batch(may), readingPorts(place));
    expect(attention).toEqual([]);
    const lines = (await daysOf(place)).lines.filter(({ batch }) => batch?.name === 'may');
    // It is to look at in its own batch while the other payment may have been made.
    expect(lines.map(({ row, isReplaced }) => [row, isReplaced])).toEqual([
      [2, false],
      [3, word !== 'in doubt'],
    ]);
  });

  it('is said to wait there while the other one waits, and is free again when that is withdrawn', async () => {
    const { place, may, failed } = await aMay();
    const { batch: redo } = await place.place([aRow(2, { replaces: failed.id })], 'redo');
    const refused = await reissued(place, may, '3');
    expect(refused).toMatchObject({ done: [], exitCode: 10 });
    expect(refused.why).toContain('let that one go on, or withdraw it first');
    const state = await stateOf(await place.batch(may), readingPorts(place));
    expect(state.outcome.sentence).toContain('; 1 taken over by another batch');
    // A payment that was never sent is of no day.
    const { lines } = await daysOf(place);
    expect(lines.map(({ status }) => status)).toEqual(['settled', 'failed']);
    await cancelUnsent(redo.id, all, ben, place.world);
    expect(await reissued(place, may, '3')).toMatchObject({ done: [3], exitCode: 0 });
    expect(await place.stand(may)).toEqual({ settled: 1, planned: 1 });
  });

  it('stays an incident of its own batch when a statement shows its first payment after all', async () => {
    const { place, may, redo, failed } = await paidAgain();
    const body = { payout: failed.id, row: 3, what: 'line 4 of a statement' };
    await place.ledger.note(may, 'incident', body, place.clock.now());
    expect((await reissued(place, may, '3')).why).toContain('incident: line 4 of a statement');
    const { reported, lines } = await daysOf(place);
    expect(lines.map(({ batch, incident }) => [batch?.name, incident])).toEqual([
      ['may', false],
      ['may', true],
      ['redo', false],
    ]);
    expect(reported.outcome.exitCode).toBe(5);
    expect(await place.stand(redo)).toEqual({ settled: 1 });
  });

  it('is not paid again where the other batch notes that its payment was made after all', async () => {
    const { place, may, failed } = await aMay();
    const redo = await redoOf(place, failed.id);
    place.service.turns.push({ refuse: 'closed' });
    await place.send(redo);
    const { id: payout } = await place.row(redo, 2);
    await place.ledger.note(redo, 'incident', { payout, row: 2, what: 'a letter' }, place.clock.now());
    expect(await reissued(place, may, '3')).toMatchObject({
      done: [],
      why: expect.stringContaining('incident: a letter; paying it again would pay twice'),
    });
  });
});

describe('a row that was planned again before its redo file paid it', () => {
  it('is to be withdrawn, and its month has what was sent', async () => {
    const { place, may, failed } = await aMay();
    expect(await reissued(place, may, '3')).toMatchObject({ done: [3] });
    const redo = await redoOf(place, failed.id);
    // All rows of the files are one person's: the account looks new beside the one of row 2.
    await releaseHeld(redo, all, ben, place.world);
    await place.agree(redo);
    await place.send(redo);
    await place.settle(redo);
    expect([await place.stand(may), await place.stand(redo)]).toEqual([
      { settled: 1, planned: 1 },
      { settled: 1 },
    ]);
    const { lines, reported } = await daysOf(place);
    expect(lines.map(({ batch, row }) => [batch?.name, row])).toEqual([
      ['may', 2],
      ['may', 3],
      ['redo', 2],
    ]);
    expect(reported.totals.ties).toBe(true);
    await place.agree(may);
    const { attention } = await stateOf(await place.batch(may), readingPorts(place));
    expect(attention).toMatchObject([
      { row: 3, reason: expect.stringContaining('Another payment of this row is settled') },
    ]);
    expect(shownText(shownSteps(attention[0]?.steps ?? [], {}))).toBe(
      'Withdraw this one: payfile cancel may 3 --reason TEXT',
    );
    await cancelUnsent(may, { kind: 'rows', rows: ['3'] }, ben, place.world);
    const after = await stateOf(await place.batch(may), readingPorts(place));
    expect(after.attention).toEqual([]);
    expect(await reissued(place, may, '3')).toMatchObject({ done: [], exitCode: 64 });
    expect(place.service.book).toHaveLength(2);
  });
});

describe('twenty rows and more that were paid again', () => {
  it('do not hide the ones that were not', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1, maxInDoubt: 1 } });
    const rows = Array.from({ length: 25 }, (_, at) => aRow(at + 1));
    const may = await place.approved(rows, 'may');
    place.service.turns.push('accept', ...rows.slice(1).map(() => ({ refuse: 'closed' }) as const));
    for (let sends = 0; sends < 25; sends += 1) {
      await place.ledger.resume(may, 'ben', place.clock.now());
      await place.send(may);
    }
    place.service.statusOf = () => 'Finished';
    await place.settle(may);
    expect(await place.stand(may)).toEqual({ settled: 1, failed: 24 });
    const failed = (await place.payouts(may)).filter(({ state }) => state.status === 'failed');
    const again = failed.slice(0, 22).map(({ id, rowNumber }) => aRow(rowNumber - 1, { replaces: id }));
    place.service.turns.length = 0;
    const redo = await place.approved(again, 'redo');
    await place.send(redo);
    await place.settle(redo);
    expect(await place.stand(redo)).toEqual({ settled: 22 });
    const { attention, attentionLeft, outcome } = await stateOf(await place.batch(may), readingPorts(place));
    expect(attention.map(({ row }) => row)).toEqual([25, 26]);
    expect(shownText(shownSteps(attention[0]?.steps ?? [], {}))).toContain('payfile reissue may 25');
    expect(attentionLeft).toBe(0);
    expect(outcome.sentence).toContain('24 failed; 22 paid again in another batch');
    expect(await reissued(place, may)).toMatchObject({ done: [25, 26], exitCode: 0 });
  });
});
