/**
 * A process that is killed in the middle of a revision leaves a batch with rows of two files: a row that was corrected
 * stands there as it was and as it is, under the columns of the older file.
 */
import { afterEach, expect, it } from 'vitest';
import type { Batch } from '../../src/domain/batches/batch.ts';
import { shownSteps, shownText } from '../../src/domain/next-steps/command.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import { NotReplaceable } from '../../src/ports/ledger/moves.ts';
import { findPayoutByText } from '../../src/use-cases/decide/choose-payouts.ts';
import { decideRows } from '../../src/use-cases/decide/decide-rows.ts';
import type { Ports } from '../../src/use-cases/ports.ts';
import { stateOf } from '../../src/use-cases/report/batch-view.ts';
import { reportBatch, reportHeader, writeRedo } from '../../src/use-cases/report/report-batch.ts';
import { walkedTo } from '../builders/ledger-batches.ts';
import { aRow, someRows } from '../builders/payout-file.ts';
import { twoProcesses } from './two-processes.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const ROWS = 6;
const OLD = someRows(ROWS);
/** One amount is corrected and one row is new. */
const MENDED = [...someRows(ROWS - 1), aRow(ROWS, { amount: '1250.00' }), aRow(ROWS + 1)];
const COMMITS = Array.from({ length: 14 }, (_, index) => index + 1);

/** The second process dies before its commit of this number, while it reads the corrected file. */
async function killedAt(commit: number, { failing }: { readonly failing?: number } = {}) {
  const { ledger, clock, place, batch, other, remove } = await twoProcesses(OLD);
  ends.push(remove);
  if (failing !== undefined) await walkedTo(ledger, await place.row(batch.id, failing), 'failed');
  await place.price(batch.id);
  const died = Promise.withResolvers<void>();
  let commits = 0;
  const later = (run: () => void) => {
    commits += 1;
    if (commits < commit) setImmediate(run);
    else died.resolve();
  };
  const { theirPlace } = await other({ later, every: () => () => undefined });
  await Promise.race([theirPlace.place(MENDED, 'may'), died.promise]);
  clock.advance(60_000);
  const found = await ledger.batch(batch.id);
  if (found === undefined) throw new TypeError('The batch is gone');
  return { ledger, clock, place, batch: found };
}

/** Nothing is written: whoever opens it has gone too far. */
async function unpaidOf(batch: Batch, ports: Pick<Ports, 'clock' | 'policy'> & { readonly ledger: Ledger }) {
  const openSink = () => Promise.reject(new Error('A file was opened'));
  const target = { path: 'unpaid.csv', format: undefined };
  return writeRedo(
    await reportHeader(batch, ports),
    { ledger: ports.ledger, openSink },
    { target, withCanceled: false },
  );
}

it('approves and sends nothing of a batch that has rows of two files', async () => {
  let halves = 0;
  let doubled = 0;
  for (const commit of COMMITS) {
    const { place, batch } = await killedAt(commit);
    if (batch.halfRead === undefined) continue;
    halves += 1;
    const ofLastRow = (await place.payouts(batch.id)).filter(({ rowNumber }) => rowNumber === ROWS + 1);
    if (ofLastRow.length > 1) {
      doubled += 1;
      for (const text of [String(ROWS + 1), `GH-00${ROWS}`])
        await expect(findPayoutByText(batch, text, place.world)).rejects.toMatchObject({
          message: expect.stringContaining('fits 2 rows (7): a newer file was read only in part.'),
          andThen: { verb: 'plan', words: [{ fillIn: 'FILE' }] },
        });
    }
    const refused = { code: 'batch_half_read', andThen: { verb: 'plan', words: [{ fillIn: 'FILE' }] } };
    await expect(place.agree(batch.id)).rejects.toMatchObject(refused);
    await expect(place.run(batch.id)).rejects.toMatchObject(refused);
    await expect(place.send(batch.id)).rejects.toMatchObject(refused);
    await expect(unpaidOf(batch, place.world)).rejects.toMatchObject(refused);
    const withdrawing = { kind: 'cancel', reason: 'not this month', by: 'ama' } as const;
    const second = { kind: 'rows', rows: ['2'] } as const;
    await expect(decideRows(batch, second, withdrawing, place.world)).rejects.toMatchObject(refused);
    expect(place.service.book).toEqual([]);
    expect(await place.stand(batch.id)).not.toHaveProperty('approved');
  }
  // Among the moments are those at which the corrected row stands there twice.
  expect(halves).toBeGreaterThan(2);
  expect(doubled).toBeGreaterThan(0);
}, 30_000);

it('tells nobody to decide about a row of it, but to read the file again', async () => {
  let halves = 0;
  for (const commit of COMMITS) {
    const { place, batch } = await killedAt(commit, { failing: 2 });
    if (batch.halfRead === undefined) continue;
    halves += 1;
    const openSink = () => Promise.reject(new Error('A file was opened'));
    const { attention } = await stateOf(batch, { ...place.world, openSink });
    expect(attention.map(({ status }) => status)).toEqual(['failed']);
    const shown = attention.map(({ steps }) => shownText(shownSteps(steps, {})));
    expect(shown).toEqual(['Read the file to its end first: payfile plan FILE --batch may']);
  }
  expect(halves).toBeGreaterThan(2);
}, 30_000);

it('pays no row again that would then be in neither file', async () => {
  for (const commit of COMMITS) {
    const { ledger, clock, place, batch } = await killedAt(commit, { failing: 2 });
    if (batch.halfRead === undefined) continue;
    const failed = await place.row(batch.id, 2);
    await expect(ledger.addReplacement(failed.id, 'ama', clock.now())).rejects.toThrow(NotReplaceable);
    await place.place(MENDED, 'may');
    expect((await place.row(batch.id, 2)).id).toBe(failed.id);
    expect((await place.payouts(batch.id)).map(({ rowNumber }) => rowNumber)).toEqual(
      MENDED.map((_, index) => index + 2),
    );
    await ledger.addReplacement(failed.id, 'ama', clock.now());
    expect((await place.row(batch.id, 2)).state.status).toBe('planned');
  }
}, 30_000);

it('pays each row once, as the file has it that is read again', async () => {
  for (const commit of COMMITS) {
    const { place, batch } = await killedAt(commit);
    if (batch.halfRead === undefined) continue;
    const file = commit % 2 === 0 ? OLD : MENDED;
    expect(await place.place(file, 'may')).toMatchObject({ kind: 'revision', batch: { id: batch.id } });
    await place.run(batch.id);
    const paid = place.service.book.map(({ account, amount }) => `${account} ${amount}`);
    expect(paid.toSorted()).toEqual(file.map(({ account, amount }) => `${account} ${amount}`).toSorted());
    expect((await place.ledger.verify()).problems).toEqual([]);
    const now = await place.ledger.batch(batch.id);
    if (now === undefined) throw new TypeError('The batch is gone');
    const { ties } = (await reported(now, place.world)).totals;
    expect({ commit, ties, halfRead: now.halfRead }).toEqual({ commit, ties: true, halfRead: undefined });
  }
}, 30_000);

it('says in a report why its totals prove nothing, and no more than that', async () => {
  for (const commit of COMMITS) {
    const { place, batch } = await killedAt(commit);
    const { ties, parts } = (await reported(batch, place.world)).totals;
    const text =
      'Batch may has rows of two files: pay.csv was read only in part, or is being read now. ' +
      'Nothing of it can be approved, sent or paid again until pay.csv is read to its end.';
    expect({ commit, ties, parts }).toEqual(
      batch.halfRead === undefined
        ? { commit, ties: true, parts: [] }
        : { commit, ties: false, parts: [text] },
    );
  }
}, 30_000);

async function reported(batch: Batch, world: Ports) {
  const openSink = () => Promise.reject(new Error('A file was opened'));
  return reportBatch(
    await reportHeader(batch, world),
    { ledger: world.ledger, openSink },
    { target: undefined },
  );
}
