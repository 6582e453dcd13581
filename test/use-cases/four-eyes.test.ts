/** Four eyes: who brought a row, in whatever way, is not who agrees to it. */
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { approveBatch } from '../../src/use-cases/approve/approve-batch.ts';
import { consentFor } from '../../src/use-cases/approve/ask-consent.ts';
import { reissue } from '../../src/use-cases/decide/reissue.ts';
import { releaseHeld } from '../../src/use-cases/decide/release-held.ts';
import { importFile } from '../../src/use-cases/intake/import-file.ts';
import { placeImport } from '../../src/use-cases/intake/place-import.ts';
import { aRow, openRowsOf, someRows } from '../builders/payout-file.ts';
import { aWorkplace, HOLDER } from '../builders/workplace.ts';

const ben = { by: 'ben', reason: 'asked the director' };
const all = { kind: 'all' } as const;

describe('four eyes', () => {
  it('keep whoever revised the file from approving it, until somebody else has', async () => {
    const place = await aWorkplace({ policy: { fourEyes: true } });
    const { batch } = await place.place(someRows(1), 'may');
    await place.price(batch.id);
    const approve = (by: string) =>
      approveBatch(batch.id, { by, how: 'library', digest: undefined }, place.world);
    expect(await approve('ama')).toEqual({ kind: 'same_person', maker: 'ama' });
    expect((await approve('ben')).kind).toBe('approved');
    const open = { path: 'pay.csv' };
    const read = { open, name: 'may', source: 'GB', maker: 'ben' };
    const imported = await importFile(openRowsOf(someRows(2)), read, place.world);
    const holder = { pid: 4_194_303, host: hostname(), user: 'ben', command: 'test' };
    const revised = await placeImport({ imported, name: 'may', holder }, place.world);
    expect(revised.batch.id).toBe(batch.id);
    await place.price(batch.id);
    expect(await approve('ben')).toEqual({ kind: 'same_person', maker: 'ben' });
    expect((await approve('ama')).kind).toBe('same_person');
    expect((await approve('esi')).kind).toBe('approved');
  });

  it('keep whoever revised the file from approving a row that waited while others of it were approved', async () => {
    const place = await aWorkplace({ policy: { fourEyes: true } });
    const { batch } = await place.place(someRows(1), 'may');
    const revising = {
      open: { path: 'pay.csv' },
      name: 'may',
      source: 'GB',
      maker: 'ben',
    };
    const rows = [aRow(1), aRow(2, { name: 'Yaw Annan' })];
    const imported = await importFile(openRowsOf(rows), revising, place.world);
    const holder = { pid: 4_194_303, host: hostname(), user: 'ben', command: 'test' };
    await placeImport({ imported, name: 'may', holder }, place.world);
    await place.price(batch.id);
    expect(await place.stand(batch.id)).toEqual({ quoted: 1, held: 1 });
    const approve = (by: string) =>
      approveBatch(batch.id, { by, how: 'library', digest: undefined }, place.world);
    place.clock.advance(1_000);
    expect(await approve('esi')).toMatchObject({ count: 1 });
    await releaseHeld(batch.id, all, ben, place.world);
    await place.price(batch.id);
    expect(await approve('ben')).toEqual({ kind: 'same_person', maker: 'ben' });
    expect(await approve('esi')).toMatchObject({ count: 1 });
  });

  it('stay with a batch that was planned under them, whatever a later configuration says', async () => {
    const place = await aWorkplace({ policy: { fourEyes: true } });
    const { batch } = await place.place(someRows(1), 'may');
    await place.price(batch.id);
    const without = { ...place.world, policy: { ...place.world.policy, fourEyes: false } };
    const approve = (by: string) =>
      approveBatch(batch.id, { by, how: 'library', digest: undefined }, without);
    expect(await approve('ama')).toEqual({ kind: 'same_person', maker: 'ama' });
    expect((await place.stand(batch.id)).quoted).toBe(1);
    expect((await approve('ben')).kind).toBe('approved');
    expect((await place.ledger.verify()).problems).toEqual([]);
  });

  it('stay with a batch from a revision under them on, and with none that never was', async () => {
    const place = await aWorkplace();
    const { batch } = await place.place(someRows(1), 'may');
    const other = await place.place(someRows(1, { reference: 'J' }), 'june');
    const world = { ...place.world, policy: { ...place.world.policy, fourEyes: true } };
    const revising = {
      open: { path: 'pay.csv' },
      name: 'may',
      source: 'GB',
      maker: 'ama',
    };
    const imported = await importFile(openRowsOf(someRows(2)), revising, world);
    const holder = { pid: 4_194_303, host: hostname(), user: 'ama', command: 'test' };
    await placeImport({ imported, name: 'may', holder }, world);
    await place.price(batch.id);
    await place.price(other.batch.id);
    const options = { by: 'ama', how: 'library', digest: undefined } as const;
    expect((await approveBatch(batch.id, options, place.world)).kind).toBe('same_person');
    expect((await approveBatch(other.batch.id, options, place.world)).kind).toBe('approved');
  });

  it('keep whoever asked to pay a row again from approving it', async () => {
    const place = await aWorkplace({ policy: { fourEyes: true, concurrency: 1 } });
    const { batch } = await place.place(someRows(2), 'may');
    await place.price(batch.id);
    const approve = (by: string) =>
      approveBatch(batch.id, { by, how: 'library', digest: undefined }, place.world);
    expect((await approve('ben')).kind).toBe('approved');
    place.service.turns.push({ refuse: 'limit reached' });
    await place.run(batch.id);
    const again = { by: 'esi', evidence: undefined };
    expect((await reissue(batch.id, { kind: 'rows', rows: ['2'] }, again, place.world)).done).toEqual([2]);
    // Nothing of it goes out before it is priced and agreed to once more.
    await place.send(batch.id);
    expect(place.service.book).toHaveLength(1);
    await place.price(batch.id);
    expect(await approve('esi')).toEqual({ kind: 'same_person', maker: 'esi' });
    const { notAgreed } = await place.run(batch.id, { holder: { ...HOLDER, user: 'esi' } });
    expect(notAgreed).toMatchObject({ kind: 'approval', result: { kind: 'same_person', maker: 'esi' } });
    expect(place.service.book).toHaveLength(1);
    expect((await approve('ama')).kind).toBe('same_person');
    expect(await approve('ben')).toMatchObject({ kind: 'approved', count: 1 });
    await place.run(batch.id);
    expect(await place.stand(batch.id)).toEqual({ settled: 2 });
  });

  it('take nobody for a second person whom a text alone names, whatever the text is', async () => {
    const place = await aWorkplace({ policy: { fourEyes: true } });
    const { batch } = await place.place(someRows(1), 'may');
    await place.price(batch.id);
    const named = { ...place.world, hasOwnLogin: false };
    for (const by of ['ben', 'Ama', 'ama ', '\u0430ma', 'ama\u200b', ''])
      for (const how of ['library', 'typed_total', 'ceiling'] as const)
        expect(await approveBatch(batch.id, { by, how, digest: undefined }, named)).toEqual({
          kind: 'passkey_missing',
        });
    expect(await place.stand(batch.id)).toEqual({ quoted: 1 });
  });

  it('keep whoever ran the program from approving, whatever maker the program named', async () => {
    const place = await aWorkplace({ policy: { fourEyes: true } });
    const read = { open: { path: 'pay.csv' }, source: 'GB', maker: 'robot', name: 'may' };
    const program = { ...place.world, namedBy: 'ada', hasOwnLogin: false };
    const imported = await importFile(openRowsOf(someRows(1)), read, program);
    const holder = { ...HOLDER, user: 'robot' };
    const { batch } = await placeImport({ imported, name: 'may', holder }, program);
    await place.price(batch.id);
    const approve = (by: string) =>
      approveBatch(batch.id, { by, how: 'approve_command', digest: undefined }, place.world);
    expect(await approve('ada')).toEqual({ kind: 'same_person', maker: 'ada', as: 'program' });
    expect(await approve('robot')).toEqual({ kind: 'same_person', maker: 'robot' });
    expect((await approve('ben')).kind).toBe('approved');
  });

  it('let nobody agree in the run that makes the plan', async () => {
    const place = await aWorkplace({ policy: { fourEyes: true } });
    const { batch } = await place.place(someRows(1), 'may');
    const request = { by: 'ben', yes: true, hasCeilings: true, ask: undefined };
    const consent = consentFor(request, place.world);
    const { notAgreed } = await place.run(batch.id, { consent, holder: { ...HOLDER, user: 'ben' } });
    expect(notAgreed).toMatchObject({ why: 'second_person', next: { verb: 'approve' } });
    const here = consentFor(request, { ...place.world, hasOwnLogin: false });
    expect((await place.run(batch.id, { consent: here })).notAgreed).toMatchObject({
      why: 'passkey_missing',
      next: { verb: 'console' },
    });
    expect(await place.stand(batch.id)).toEqual({ quoted: 1 });
  });
});
