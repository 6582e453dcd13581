/**
 * A process that dies in the middle of a revision leaves rows in places of two files. Whatever file comes next,
 * also the old one again, brings them in order.
 */
import { afterEach, expect, it } from 'vitest';
import { someRows } from '../../builders/payout-file.ts';
import { twoProcesses } from './two-processes.ts';

const ROWS = 8;
/** Every commit in the soak. */
const STEP = process.env['SOAK'] === '1' ? 1 : 3;
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** The turns of a process that dies before its commit of this number; `died` is told then. */
function dyingAt(commit: number, died: () => void) {
  let commits = 0;
  return (run: () => void) => {
    commits += 1;
    if (commits < commit) setImmediate(run);
    else died();
  };
}

it('is repaired by the old file as by the new one, at any commit of the revision', async () => {
  const old = someRows(ROWS);
  const fresh = [...someRows(ROWS).toReversed().slice(0, 5), ...someRows(2, { note: 'June' })];
  let halves = 0;
  for (let commit = 1; commit <= 24; commit += STEP) {
    const { place, batch, other, remove } = await twoProcesses(old);
    ends.push(remove);
    await new Promise<void>((died, failed) => {
      const { theirPlace } = other({ later: dyingAt(commit, died) });
      theirPlace.place(fresh, 'may').then(() => died(), failed);
    });
    const again = await place.place(old, 'may');
    expect(again.kind).toBe('revision');
    if ('comparison' in again && again.comparison.isHalfRevised) halves += 1;
    const rows = (await place.payouts(batch.id)).map(({ rowNumber, instruction }) => [
      rowNumber,
      instruction?.reference,
    ]);
    expect(rows).toEqual(old.map((row, index) => [index + 2, row.reference]));
  }
  // The loop is worth something only if some of the deaths were in the middle.
  expect(halves).toBeGreaterThan(STEP === 1 ? 1 : 0);
});
