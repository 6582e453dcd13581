/** Batches: how they are found, and what becomes of them when somebody accepts a ledger that may not know of later payments. */
import { beforeEach, expect, it } from 'vitest';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { acceptLedger, isDistrusted } from '../../src/ledger/comparison.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import { batchOf, importOf, only, row, sealOf, walkedTo } from '../builders/ledger-batches.ts';
import { NOW } from '../builders/payouts.ts';
import { onBoth } from './both-databases.ts';
import type { Opened, Place } from './new-ledgers.ts';

onBoth((place) => {
  let at: Place;
  let opened: Opened;
  let own: Ledger;
  beforeEach(async () => {
    at = await place();
    opened = await at.open();
    own = opened.ledger;
  });

  it('finds a batch by what a person takes for its name, and by the id alone where it is written so', async () => {
    const id = await batchOf(own, [row(1)], 'May pay');
    const found = async (name: string) => (await own.batchLike(name))?.id;
    expect([await found('MAY  PAY'), await found('May\u00a0pay')]).toEqual([id, id]);
    expect([await found('May'), await found('')]).toEqual([undefined, undefined]);
    const accented = await batchOf(own, [row(2)], 'Début de mai');
    expect([await found('DÉBUT  DE MAI'), await found('Debut de mai')]).toEqual([accented, undefined]);
    expect(await own.findBatch('Début')).toMatchObject({ kind: 'found', batch: { id: accented } });
    expect(await own.findBatch('Début\0')).toEqual({ kind: 'none' });
    expect(await own.findBatch(`id:${id}`)).toMatchObject({ kind: 'found', batch: { id } });
    expect([await own.findBatch('id:'), await own.findBatch('')]).toEqual([
      { kind: 'none' },
      { kind: 'none' },
    ]);
    expect(await own.batch('no id' as BatchId)).toBeUndefined();
  });

  it('gives the batches a page at a time, without what is still being read', async () => {
    const ids: BatchId[] = [];
    for (let n = 1; n <= 5; n += 1) ids.push(await batchOf(own, [row(n)], `batch ${n}`));
    await importOf(own, [row(9)]);
    const first = await own.batchPage({ limit: 3 });
    expect(first.batches.map(({ id }) => id)).toEqual(ids.slice(2).reverse());
    const rest = await own.batchPage({ after: first.next, limit: 3 });
    expect(rest.batches.map(({ id }) => id)).toEqual(ids.slice(0, 2).reverse());
    expect([first.count, rest.next]).toEqual([5, undefined]);
  });

  it('hands out row keys in the order of all their bytes, also of a file that another process has read', async () => {
    // Keys that begin alike, differ in their last byte or early, and repeat.
    const keys = [9, 255, 0, 9, 200, 1].flatMap((byte) => [
      Buffer.from([...Array(15).fill(200), byte]),
      Buffer.from([200, 200, 200, 201, byte, ...Array(11).fill(7)]),
      Buffer.alloc(16, byte),
    ]);
    const rows = keys.map((rowKey, n) => ({ ...row(n + 1), keys: { ...row(n + 1).keys, rowKey } }));
    const id = await importOf(own, rows);
    const keysOf = async (from: Ledger) =>
      (await Array.fromAsync(from.rowKeys(id))).flat().map((key) => Buffer.from(key).toString('hex'));
    const sorted = keys.map((key) => key.toString('hex')).sort();
    expect(await keysOf((await at.open()).ledger)).toEqual(sorted);
    expect(await keysOf(own)).toEqual(sorted);
  });

  const accepted = { kind: 'ledger_accepted', why: 'a copy', by: 'ben', place: undefined } as const;
  const accept = (moment = NOW) =>
    opened.parts.writer.write((commit) => acceptLedger(commit, accepted, moment));
  const reason = async (id: BatchId) => (await own.batch(id))?.pause?.reason;
  const resume = (id: BatchId) => own.resume(id, 'ben', timestampOf(5));
  const revised = async (id: BatchId, rows: Parameters<typeof batchOf>[1]) => {
    const importId = await importOf(own, rows);
    await own.revise(id, importId, { by: 'ama', at: NOW, seal: await sealOf(own, importId) });
  };

  it('pauses what could be sent when somebody accepts the ledger, and each batch that is new or grows', async () => {
    const may = await batchOf(own, [row(1)], 'may');
    const done = await batchOf(own, [row(2)], 'done');
    await walkedTo(own, await only(own, done, 3), 'settled');
    const again = await batchOf(own, [row(7)], 'again');
    await walkedTo(own, await only(own, again, 8), 'refused');
    expect(await isDistrusted(opened.parts.read, NOW - 1)).toBe(false);
    await accept();
    expect(await isDistrusted(opened.parts.read, NOW - 1)).toBe(true);
    expect([await reason(may), await reason(done)]).toEqual([
      expect.stringContaining('not known'),
      undefined,
    ]);
    await revised(done, [row(2), row(4)]);
    expect(await reason(done)).toContain('not known here');
    const june = await batchOf(own, [row(5)], 'june');
    expect(await reason(june)).toContain('compare it with a statement');
    await resume(june);
    await revised(june, [row(5), row(6)]);
    expect(await reason(june)).toBeUndefined();
    expect(await reason(again)).toBeUndefined();
    await own.addReplacement((await only(own, again, 8)).id, 'ben', timestampOf(5));
    expect(await reason(again)).toContain('not known here');
    await own.resumeAll('ben', timestampOf(6));
    expect((await own.batches()).filter(({ pause }) => pause !== undefined)).toEqual([]);
    expect(await reason(await batchOf(own, [row(8)], 'july'))).toBeUndefined();
  });

  it('keeps the pause of a person, which only that person’s word on this batch ends', async () => {
    const id = await batchOf(own, [row(1)], 'fraud');
    const pause = (why: string) => own.pause(id, { reason: why, by: 'ama', at: timestampOf(4) });
    await pause('fraud');
    await accept();
    expect(await reason(id)).toBe('fraud');
    await resume(id);
    expect(await reason(id)).toContain('compare it with a statement');
    await pause('the auditor');
    await resume(id);
    expect(await reason(id)).toContain('compare it with a statement');
    await resume(id);
    expect(await reason(id)).toBeUndefined();
    await pause('fraud');
    await own.resumeAll('ben', timestampOf(6));
    expect(await reason(id)).toBe('fraud');
  });

  it('gives out no id that it may have given out in another life, and none that is the name of a batch', async () => {
    await batchOf(own, [row(1)], String(NOW + 1));
    await accept();
    await accept(timestampOf(NOW - 9));
    const next = await batchOf(own, [row(2)], 'next');
    expect(Number(next)).toBe(NOW + 2);
    expect(Number((await only(own, next, 3)).id)).toBe(NOW * 100 + 1);
  });
});
