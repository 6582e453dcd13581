/** While an acceptance is being written down, the next row may begin: its intent never gets there before the acceptance. */
import { expect, it } from 'vitest';
import { LedgerError } from '../../src/ports/ledger/errors.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import type { Move } from '../../src/ports/ledger/moves.ts';
import { ledgerWith } from '../builders/ledger-with.ts';
import { someRows } from '../builders/payout-file.ts';
import { turnsOfTheLoop, until } from '../builders/until.ts';
import { aWorkplace, type Workplace, workplaceOn } from '../builders/workplace.ts';

const ENOUGH = 3;

/** Acceptances after the first ones are written only when `held` lets them. `open`: intents without an outcome that was handed over. */
function slowly(place: Workplace, held: () => Promise<void>) {
  const seen = { asked: [] as string[], openMax: 0, unwritten: 0, begunMeanwhile: 0 };
  let [open, accepted] = [0, 0];
  const record = async (move: Move) => {
    seen.asked.push(move.event.kind);
    if (move.event.kind === 'begin_attempt') {
      open += 1;
      seen.openMax = Math.max(seen.openMax, open);
      if (seen.unwritten > 0) seen.begunMeanwhile += 1;
    }
    if (move.event.kind !== 'accept') return place.ledger.record(move);
    [open, accepted] = [open - 1, accepted + 1];
    seen.unwritten += 1;
    if (accepted > ENOUGH) await held();
    const recorded = await place.ledger.record(move);
    seen.unwritten -= 1;
    return recorded;
  };
  return { seen, slow: recordingBy(place, record) };
}

const recordingBy = (place: Workplace, record: Ledger['record']): Workplace =>
  workplaceOn({ ...place, ledger: ledgerWith(place.ledger, { record }), policy: place.world.policy });

const aMoment = () => turnsOfTheLoop(50);

it('begins the next row while an acceptance is written, and never has more intents open than places', async () => {
  const place = await aWorkplace({ policy: { concurrency: 2 } });
  const batch = await place.approved(someRows(12));
  const { seen, slow } = slowly(place, aMoment);
  await slow.send(batch);
  expect(seen.begunMeanwhile).toBeGreaterThan(0);
  expect(seen.openMax).toBe(2);
  expect(await place.stand(batch)).toEqual({ accepted: 12 });
});

it('writes down as many as it has in flight, and no more: a slow disk holds the sending back', async () => {
  const place = await aWorkplace({ policy: { concurrency: 2 } });
  const batch = await place.approved(someRows(12));
  const release: (() => void)[] = [];
  const held = () =>
    new Promise<void>((resolve) => {
      release.push(resolve);
    });
  const { seen, slow } = slowly(place, held);
  const sending = slow.send(batch);
  await until(() => release.length === 4);
  await aMoment();
  // The first ones were seen through; then two places, and two more whose answers are there.
  expect(place.service.book).toHaveLength(ENOUGH + 4);
  expect(seen.unwritten).toBe(4);
  const allSent = sending.then(() => true);
  while (!(await Promise.race([allSent, aMoment()]))) for (const go of release.splice(0)) go();
  expect(await place.stand(batch)).toEqual({ accepted: 12 });
});

it('sees each row through where one at a time was asked for', async () => {
  const place = await aWorkplace({ policy: { concurrency: 1 } });
  const batch = await place.approved(someRows(8));
  const { seen, slow } = slowly(place, aMoment);
  await slow.send(batch);
  expect(seen.begunMeanwhile).toBe(0);
  expect(await place.stand(batch)).toEqual({ accepted: 8 });
});

it.each([2, 4, 8])(
  'puts no more rows in doubt than places where each answer names the same transfer: %d',
  async (concurrency) => {
    const place = await aWorkplace({ policy: { concurrency } });
    const batch = await place.approved(someRows(40));
    place.service.script = () => (place.service.book.length < ENOUGH + 1 ? 'accept' : 'same_id');
    expect((await place.send(batch)).stop?.kind).toBe('paused');
    expect((await place.stand(batch)).in_doubt).toBeLessThanOrEqual(concurrency);
  },
);

it('sends nothing of an intent that was written when an acceptance could not be', async () => {
  const place = await aWorkplace({ policy: { concurrency: 2 } });
  const batch = await place.approved(someRows(12));
  const disk = new LedgerError('ledger_unwritable', 'The disk is full.');
  let [accepted, isFull, sent] = [0, false, 0];
  const record = async (move: Move) => {
    if (move.event.kind === 'begin_attempt' && accepted > ENOUGH) while (!isFull) await aMoment();
    if (move.event.kind === 'accept') accepted += 1;
    if (move.event.kind !== 'accept' || accepted <= ENOUGH || isFull) return place.ledger.record(move);
    await aMoment();
    [isFull, sent] = [true, place.service.book.length];
    throw disk;
  };
  await expect(recordingBy(place, record).send(batch)).rejects.toBe(disk);
  expect(place.service.book).toHaveLength(sent);
  const { approved, sending = 0, accepted: kept = 0 } = await place.stand(batch);
  // A place each, whose acceptance was not written.
  expect([approved, sending + kept]).toEqual([12 - sent, sent]);
  expect([1, 2]).toContain(sending);
});
