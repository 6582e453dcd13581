/**
 * Paying a row again: every other payment of the row is asked about just before, wherever it is and however old. The
 * service's own book is the judge.
 */
import { describe, expect, it } from 'vitest';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { reissue } from '../../src/use-cases/decide/reissue.ts';
import { releaseHeld } from '../../src/use-cases/decide/release-held.ts';
import { raiseIncident } from '../../src/use-cases/settle/raise-incident.ts';
import { aRow, someRows } from '../builders/payout-file.ts';
import { aWorkplace, type Workplace } from '../builders/workplace.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const row2 = { kind: 'rows', rows: ['2'] } as const;

/** A row that the service took, and then called by this word, a day ago. */
async function endedAs(word: string) {
  const place = await aWorkplace();
  const batch = await place.approved(someRows(1), 'may');
  place.service.statusOf = () => word;
  await place.send(batch);
  await place.settle(batch, HOUR);
  place.clock.advance(DAY);
  return { place, batch };
}

async function payAgain(place: Workplace, batch: BatchId) {
  const ben = { by: 'ben', evidence: undefined };
  expect((await reissue(batch, row2, ben, place.world)).done).toEqual([2]);
  await place.agree(batch);
  expect(await place.stand(batch)).toEqual({ approved: 1 });
}

async function letGo(place: Workplace, batch: BatchId) {
  await releaseHeld(batch, row2, { by: 'ben', reason: 'their desk says so' }, place.world);
  await place.agree(batch);
}

it.each(['Failed', 'Returned'])(
  'a payment called %s longer ago than it is watched is an incident when it is Finished, and its replacement does not go out',
  async (word) => {
    const { place, batch } = await endedAs(word);
    place.clock.advance(40 * DAY);
    await payAgain(place, batch);
    place.service.statusOf = () => 'Finished';
    expect(await place.send(batch)).toMatchObject({ incidents: [2] });
    expect(place.service.book).toHaveLength(1);
    expect(await place.stand(batch)).toEqual({ settled: 1 });
  },
);

describe('a payment that failed longer ago than it is watched', () => {
  it('lets its replacement go out when it is still failed', async () => {
    const { place, batch } = await endedAs('Failed');
    place.clock.advance(40 * DAY);
    await payAgain(place, batch);
    await place.send(batch);
    expect(place.service.book).toHaveLength(2);
  });
});

describe('a payment that came back', () => {
  it('and is called by another word holds its replacement, until a person lets it go', async () => {
    const { place, batch } = await endedAs('Returned');
    const { transferId } = place.service.book[0] ?? {};
    await payAgain(place, batch);
    place.service.statusOf = () => 'Processing';
    await place.send(batch);
    expect(place.service.book).toHaveLength(1);
    const text = `The service says “Processing”. That is about transfer ${transferId}, an earlier payment of this row`;
    expect((await place.row(batch, 2)).state).toMatchObject({ status: 'held', reasons: [{ text }] });
    await letGo(place, batch);
    await place.send(batch);
    expect(place.service.book).toHaveLength(2);
  });

  it('and whose word changed again is for a person to see again', async () => {
    const { place, batch } = await endedAs('Returned');
    await payAgain(place, batch);
    place.service.statusOf = () => 'Processing';
    await place.send(batch);
    await letGo(place, batch);
    place.service.statusOf = () => 'Archived';
    await place.send(batch);
    expect(place.service.book).toHaveLength(1);
    expect(await place.stand(batch)).toEqual({ held: 1 });
  });

  it('keeps its replacement from going out while nobody can say what became of it', async () => {
    const { place, batch } = await endedAs('Returned');
    await payAgain(place, batch);
    place.service.isUnanswered = () => true;
    expect((await place.send(batch)).stop).toMatchObject({ kind: 'outage' });
    expect(place.service.book).toHaveLength(1);
    expect(await place.stand(batch)).toEqual({ approved: 1 });
  });

  it('lets its replacement go out while it is still called so', async () => {
    const { place, batch } = await endedAs('Returned');
    await payAgain(place, batch);
    await place.send(batch);
    expect(place.service.book).toHaveLength(2);
  });
});

describe('a row with two earlier payments', () => {
  /** The first came back, the second failed, both so long ago that nobody watches them, and a third is approved. */
  async function twoBefore() {
    const { place, batch } = await endedAs('Returned');
    await payAgain(place, batch);
    const first = place.service.book[0]?.transferId;
    const say = (ofFirst: string, ofSecond: string) => {
      place.service.statusOf = (transferId) => (transferId === first ? ofFirst : ofSecond);
    };
    say('Returned', 'Failed');
    await place.send(batch);
    await place.settle(batch, HOUR);
    place.clock.advance(20 * DAY);
    await payAgain(place, batch);
    expect(place.service.book).toHaveLength(2);
    return { place, batch, say };
  }

  it('is not paid again when one is unclear and the other Finished', async () => {
    const { place, batch, say } = await twoBefore();
    say('Archived', 'Finished');
    expect(await place.send(batch)).toMatchObject({ incidents: [2] });
    expect(place.service.book).toHaveLength(2);
    expect(await place.stand(batch)).toEqual({ settled: 1 });
  });

  it('holds for both when both are unclear, and a release of one is none of the other', async () => {
    const { place, batch, say } = await twoBefore();
    say('Archived', 'Failed');
    await place.send(batch);
    await letGo(place, batch);
    say('Archived', 'Archived');
    await place.send(batch);
    expect(place.service.book).toHaveLength(2);
    expect((await place.row(batch, 2)).state).toMatchObject({
      status: 'held',
      reasons: [{ text: expect.stringContaining('says “Archived”. That is about transfer') }],
    });
  });
});

describe('a row that was paid again by another file before', () => {
  /** Row 2 was refused; the batch `redo` paid it again and the service called that failed; `other` pays it once more. */
  async function paidAgainTwice() {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const may = await place.approved([aRow(1, { reference: '' })], 'may');
    place.service.turns.push({ refuse: 'closed' });
    await place.send(may);
    const { id: replaces } = await place.row(may, 2);
    const again = [aRow(1, { reference: '', replaces })];
    const redo = await place.approved(again, 'redo');
    place.service.statusOf = () => 'Failed';
    await place.send(redo);
    await place.settle(redo, HOUR);
    expect(await place.stand(redo)).toEqual({ failed: 1 });
    const other = await place.approved(again, 'other');
    expect(await place.stand(other)).toEqual({ approved: 1 });
    place.clock.advance(DAY - HOUR);
    return { place, redo, other };
  }

  it('is not sent when that other payment turns out Finished', async () => {
    const { place, other } = await paidAgainTwice();
    place.service.statusOf = () => 'Finished';
    expect(await place.send(other)).toMatchObject({ incidents: [2] });
    expect(place.service.book).toHaveLength(1);
    expect(await place.stand(other)).toEqual({ canceled: 1 });
    expect((await place.ledger.verify()).problems).toEqual([]);
  });

  it('is not sent when a statement or a late answer had shown that other payment as paid', async () => {
    const { place, redo, other } = await paidAgainTwice();
    await raiseIncident(await place.row(redo, 2), 'the statement shows it', place.world);
    expect(await place.stand(other), 'withdrawn at once').toEqual({ canceled: 1 });
    await place.send(other);
    expect(place.service.book).toHaveLength(1);
  });

  it('is not sent when that was noted by a process that died before it withdrew anything', async () => {
    const { place, redo, other } = await paidAgainTwice();
    const { id: payout } = await place.row(redo, 2);
    const body = { payout, row: 2, what: 'the statement shows it' };
    await place.ledger.note(redo, 'incident', body, place.clock.now());
    await place.send(other);
    expect(place.service.book).toHaveLength(1);
    expect(await place.stand(other)).toEqual({ canceled: 1 });
  });

  it('is told as perhaps paid twice when it went out before that', async () => {
    const { place, redo, other } = await paidAgainTwice();
    place.clock.advance(HOUR);
    await place.send(other);
    expect(place.service.book).toHaveLength(2);
    await raiseIncident(await place.row(redo, 2), 'the statement shows it', place.world);
    expect(place.told).toContainEqual(
      expect.objectContaining({ text: 'Row 2 was paid again meanwhile: it may have been paid twice.' }),
    );
  });

  it('is sent while all of its other payments are still unpaid', async () => {
    const { place, other } = await paidAgainTwice();
    place.clock.advance(HOUR);
    await place.send(other);
    expect(await place.stand(other)).toEqual({ accepted: 1 });
    expect(place.service.book).toHaveLength(2);
  });

  it('waits for a person while the service called that other payment failed a short time ago', async () => {
    const { place, other } = await paidAgainTwice();
    await place.send(other);
    expect(place.service.book).toHaveLength(1);
    expect((await place.row(other, 2)).state).toMatchObject({
      status: 'held',
      reasons: [
        {
          text: expect.stringMatching(
            /^A short time ago, the service reported “failed” for transfer .*\. payfile trusts that answer from/,
          ),
        },
      ],
    });
    await letGo(place, other);
    await place.send(other);
    expect(place.service.book).toHaveLength(2);
  });

  it('is sent where a person said how it is known that the other payment was not made', async () => {
    const { place, redo, other } = await paidAgainTwice();
    const { id: payout } = await place.row(redo, 2);
    const body = { payout, by: 'ben', evidence: 'their desk wrote it' };
    await place.ledger.note(redo, 'reissue_evidence', body, place.clock.now());
    await place.send(other);
    expect(place.service.book).toHaveLength(2);
  });
});
