/**
 * A process that dies or stands still in the middle of a revision leaves rows in places of two files. Whatever file comes
 * next, also the old one again, brings them in order; who took the batch over meanwhile keeps what it made of it.
 */
import { expect, it } from 'vitest';
import type { StagedRow } from '../../src/ports/ledger/imports.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import { all, batchOf, importOf, row, sealOf } from '../builders/ledger-batches.ts';
import { NOW } from '../builders/payouts.ts';
import { DIALECTS, onBoth } from './both-databases.ts';

const OLD = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => row(n));
const FRESH = [8, 7, 6, 5, 9, 10].map((n, at) => ({ ...row(n), rowNumber: at + 2 }));
/** Commits of a revision: one that begins, one for each kind of row, one at the end. */
const COMMITS = [1, 2, 3, 4, 5];

/** Rows of a file with a position of their own each, in file order. */
const rowsOf = (rows: readonly StagedRow[]) =>
  rows.map(({ rowNumber, instruction }) => [rowNumber, instruction?.reference]);

async function standingIn(ledger: Ledger, id: Parameters<Ledger['batch']>[0]) {
  return (await all(ledger, id)).map(({ rowNumber, instruction }) => [rowNumber, instruction?.reference]);
}

onBoth((place) => {
  /** A second process revises the batch until its commit of this number, at which it stops; `goOn` lets it go on. */
  async function stoppedAt(commit: number) {
    const at = await place();
    const { ledger } = await at.open();
    const id = await batchOf(ledger, OLD, 'may');
    const fresh = await importOf(ledger, FRESH);
    const stopped = Promise.withResolvers<void>();
    const hold = Promise.withResolvers<void>();
    let isOurs = true;
    let asked = 0;
    const mayBegin = async () => {
      asked += 1;
      return isOurs;
    };
    const theirs = await at.open({
      holding: { tokenFor: () => null, mayBegin },
      db: (db) => ({
        ...db,
        async begin(how) {
          if (asked === commit - 1) {
            stopped.resolve();
            await hold.promise;
          }
          return db.begin(how);
        },
      }),
    });
    const seal = await sealOf(ledger, fresh);
    const revising = theirs.ledger.revise(id, fresh, { by: 'ama', at: NOW, seal }).then(
      () => 'revised',
      (error: { code?: string }) => error.code,
    );
    await Promise.race([stopped.promise, revising]);
    const goOn = (stillOurs: boolean) => {
      isOurs = stillOurs;
      hold.resolve();
      return revising;
    };
    const revise = async (rows: readonly StagedRow[]) => {
      const importId = await importOf(ledger, rows);
      const compared = await ledger.compare(id, importId);
      await ledger.revise(id, importId, { by: 'ben', at: NOW, seal: await sealOf(ledger, importId) });
      return compared;
    };
    return { ledger, id, fresh, goOn, revise };
  }

  it('is repaired by the old file as by the new one, at any commit of the revision', async () => {
    let halves = 0;
    for (const commit of COMMITS)
      for (const next of [OLD, FRESH]) {
        const { ledger, id, goOn, revise } = await stoppedAt(commit);
        const isHalf = (await ledger.batch(id))?.halfRead !== undefined;
        const { isHalfRevised } = await revise(next);
        expect(isHalfRevised).toBe(isHalf);
        if (isHalf) halves += 1;
        expect(await standingIn(ledger, id)).toEqual(rowsOf(next));
        expect((await ledger.batch(id))?.halfRead).toBeUndefined();
        await goOn(false);
      }
    expect(halves).toBe(8);
  });

  it('goes on with the same import where it stopped, and counts what it had done', async () => {
    for (const commit of COMMITS) {
      const { ledger, id, fresh, goOn } = await stoppedAt(commit);
      expect(await ledger.compare(id, fresh)).toMatchObject({
        ...{ unchanged: 4, added: 2, removed: commit === 5 ? 0 : 4, conflictCount: 0 },
      });
      expect(await goOn(true)).toBe('revised');
      expect(await standingIn(ledger, id)).toEqual(rowsOf(FRESH));
      expect(await ledger.batch(id)).toMatchObject({ revision: 2, halfRead: undefined });
    }
  });

  it('[T6] leaves the batch as whoever took it over made it, at whatever commit it stood still', async () => {
    const july = [...OLD.slice(1), row(11)].map((one, at) => ({ ...one, rowNumber: at + 2 }));
    for (const commit of COMMITS)
      for (const stillOurs of [true, false]) {
        const { ledger, id, goOn, revise } = await stoppedAt(commit);
        await revise(july);
        const ended = await goOn(stillOurs);
        // Whoever has not begun and still may comes second, in good order.
        expect(ended).toBe(commit === 1 && stillOurs ? 'revised' : 'ledger_busy');
        expect(await standingIn(ledger, id)).toEqual(rowsOf(ended === 'revised' ? FRESH : july));
      }
  });
}, DIALECTS);
