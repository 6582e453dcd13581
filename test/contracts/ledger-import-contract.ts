/** What becomes of imports that were never finished. */
import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';
import { timestampOf } from '../../src/domain/timestamp.ts';
import type { LeaseHolder } from '../../src/ports/ledger/leases.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import { all, batchOf, HEADER, HOLDER, importOf, row, sealOf } from '../builders/ledger-batches.ts';
import { it } from './chosen-tests.ts';

const DAY = 24 * 3_600_000;
const GONE = { ...HOLDER, pid: spawnSync(process.execPath, ['--version']).pid };
const ELSEWHERE = { ...GONE, host: 'elsewhere' };

export function importContract(ledger: () => Ledger): void {
  const left = async (holder: LeaseHolder | undefined) => {
    const id = await ledger().beginImport({ ...HEADER, holder });
    await ledger().stage(
      id,
      Array.from({ length: 1_200 }, (_, n) => row(n + 1)),
    );
    return id;
  };
  const next = (afterMs: number) =>
    ledger().beginImport({ ...HEADER, holder: HOLDER, at: timestampOf(HEADER.at + afterMs) });
  const ids = async () => (await ledger().batches()).map(({ id }) => id);

  it('an import that was never finished is dropped with its rows when the next begins, once its process was killed', async () => {
    const id = await left(GONE);
    expect(await all(ledger(), id)).toHaveLength(1_200);
    const fresh = await next(1_000);
    expect(await ids()).toEqual([fresh]);
    expect(await all(ledger(), id)).toEqual([]);
    await expect(ledger().stage(id, [row(9)])).rejects.toMatchObject({
      code: 'ledger_busy',
      message: expect.stringContaining('Run the same command again.'),
    });
  });

  it('an import that was never finished is left alone while its process runs, however long that takes', async () => {
    const id = await left(HOLDER);
    const fresh = await next(3 * DAY);
    expect(await ids()).toEqual([fresh, id]);
    await ledger().stage(id, [row(5_000)]);
    expect(await all(ledger(), id)).toHaveLength(1_201);
  });

  it.each([
    ['another machine', ELSEWHERE],
    ['nobody knows which process', undefined],
  ])(
    'an import that was never finished of %s is over after a day, and not before',
    async (_whose, holder) => {
      const id = await left(holder);
      const second = await next(DAY);
      expect(await ids()).toContain(second);
      expect(await ids()).toContain(id);
      await next(DAY + 1);
      expect(await ids()).not.toContain(id);
      expect(await all(ledger(), id)).toEqual([]);
    },
  );

  it('a file that another process gave up is no revision, and that is told as a busy ledger', async () => {
    const batch = await batchOf(ledger(), [row(1)]);
    const id = await left(ELSEWHERE);
    const seal = await sealOf(ledger(), id);
    await next(DAY + 1);
    const revised = ledger().revise(batch, id, { by: 'ama', at: HEADER.at, seal });
    await expect(revised).rejects.toMatchObject({ code: 'ledger_busy' });
    expect(await all(ledger(), batch)).toHaveLength(1);
  });

  it('an import that was never finished is no batch that anybody could name', async () => {
    const id = await importOf(ledger(), [row(1)]);
    expect(await ledger().findBatch(id)).toEqual({ kind: 'none' });
  });
}
