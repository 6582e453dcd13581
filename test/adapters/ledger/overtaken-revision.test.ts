/**
 * A process that stands still in the middle of a revision (a laptop's lid, SIGSTOP) may find, when it goes on, that
 * another one took the batch over and revised it too. It must change no more of it.
 */
import { afterEach, expect, it } from 'vitest';
import { someRows } from '../../builders/payout-file.ts';
import { twoProcesses } from './two-processes.ts';

/** Every commit in the soak. */
const STEP = process.env['SOAK'] === '1' ? 1 : 3;
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** The turns of a process that stands still before its commit of this number, until told to go on. */
function standingStillAt(commit: number) {
  const stands = Promise.withResolvers<void>();
  let commits = 0;
  let goOn = () => stands.resolve();
  const later = (run: () => void) => {
    commits += 1;
    if (commits !== commit) return void setImmediate(run);
    goOn = () => void setImmediate(run);
    stands.resolve();
  };
  return { later, stands: stands.promise, goOn: () => goOn() };
}

it('[T6] leaves the batch as whoever took it over made it, at whatever commit it stood still', async () => {
  const old = someRows(8);
  const fresh = [...someRows(8).toReversed().slice(0, 5), ...someRows(2, { note: 'June' })];
  let refusals = 0;
  for (let commit = 1; commit <= 16; commit += STEP) {
    const { ledger, clock, place, batch, other, remove } = await twoProcesses(old);
    ends.push(remove);
    const { later, stands, goOn } = standingStillAt(commit);
    // It sends no sign of life while it stands still.
    const { theirs, theirPlace } = other({ later, every: () => () => undefined });
    const placing = theirPlace.place(fresh, 'may').then(
      ({ kind }) => kind,
      (error: { code?: string }) => error.code,
    );
    await Promise.race([stands, placing]);
    clock.advance(60_000);
    const overtaking = await place.place([...old.slice(1), ...someRows(1, { note: 'July' })], 'may');
    goOn();
    const ended = await placing;
    const rows = (await place.payouts(batch.id)).map(({ rowNumber }) => rowNumber);
    if (ended === 'ledger_busy') refusals += 1;
    expect({ commit, overtaking: overtaking.kind, rows }).toEqual({
      ...{ commit, overtaking: 'revision' },
      // Whose file it is now: of seven rows where the sleeper came last in good order, else of eight.
      rows: Array.from(
        { length: ended === 'revision' && rows.length === 7 ? 7 : 8 },
        (_, index) => index + 2,
      ),
    });
    expect((await ledger.verify()).problems).toEqual([]);
    await theirs.close();
  }
  expect(refusals).toBeGreaterThan(STEP === 1 ? 3 : 1);
});
