/** Ledgers of an earlier version, whose accounts and names stand in them as they were written: nothing twice, nothing as it was. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteLedger } from '../../src/adapters/ledger/sqlite-ledger.ts';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { instructionKeys } from '../../src/domain/payouts/instruction-keys.ts';
import type { Payout } from '../../src/domain/payouts/payout.ts';
import { DEFAULT_POLICY } from '../../src/domain/policy.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import { approveBatch } from '../../src/use-cases/approve/approve-batch.ts';
import { reissue } from '../../src/use-cases/decide/reissue.ts';
import { asFirstVersion } from '../builders/first-version.ts';
import { moved, only, sealOf, walkedTo } from '../builders/ledger-batches.ts';
import { aRow, type FileRow, openRowsOf } from '../builders/payout-file.ts';
import { anEvent, anInstruction, aPricing, money } from '../builders/payouts.ts';
import { type Workplace, workplaceOn } from '../builders/workplace.ts';
import { createScriptedPaymentService } from '../fakes/scripted-payment-service.ts';
import { createVirtualClock, type VirtualClock } from '../fakes/virtual-clock.ts';

type Stand = 'planned' | 'quoted' | 'held' | 'approved' | 'accepted';

let folder = '';
let clock: VirtualClock;
let place: Workplace | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'older-'));
  clock = createVirtualClock();
});
afterEach(async () => {
  await place?.ledger.close();
  rmSync(folder, { recursive: true });
});

const open = () =>
  openSqliteLedger({
    path: join(folder, 'ledger.db'),
    binding: { environment: 'sandbox', baseUrl: 'https://pay.example', loginId: 'shop' },
    create: true,
    clock,
  });

/** What the earlier version wrote for these rows, and where it left them; then this version opens the ledger. */
async function upgraded(rows: readonly FileRow[], stand: Stand): Promise<[Workplace, BatchId]> {
  const ledger = await open();
  const batch = await written(ledger, rows);
  for (let at = 0; at < rows.length; at += 1) await walk(ledger, await only(ledger, batch, at + 2), stand);
  if (stand === 'approved' || stand === 'accepted') {
    const digest = (await sealOf(ledger, batch)).digest;
    await ledger.recordApproval(batch, { digest, by: 'ben', at: clock.now(), how: 'library', count: 1 });
  }
  await ledger.close();
  asFirstVersion(join(folder, 'ledger.db'));
  const service = createScriptedPaymentService(clock);
  place = workplaceOn({
    ledger: await open(),
    clock,
    service,
    policy: { ...DEFAULT_POLICY, concurrency: 4 },
  });
  return [place, batch];
}

async function walk(ledger: Ledger, payout: Payout, stand: Stand): Promise<void> {
  const at = clock.now();
  const reasons = [{ kind: 'name_not_found', text: 'no such account' }] as const;
  if (stand === 'held') await moved(ledger, payout, { kind: 'hold', reasons, pricing: aPricing(), at });
  else if (stand !== 'planned') await walkedTo(ledger, payout, stand, at);
}

async function written(ledger: Ledger, rows: readonly FileRow[]): Promise<BatchId> {
  const source = await openRowsOf(rows)({ path: 'pay.csv' });
  const { headers, columns } = source;
  const file = { name: 'pay.csv', format: 'csv', sheet: undefined, headers, columns } as const;
  const id = await ledger.beginImport({ file, maker: 'ama', at: clock.now() });
  for await (const chunk of source.rows()) {
    const staged = chunk.map(({ rowNumber, cells }) => {
      const of = (field: 'account' | 'reference' | 'name' | 'note') =>
        cells[columns.get(field) ?? -1] || undefined;
      const instruction = anInstruction({
        account: of('account') ?? '',
        reference: of('reference'),
        name: of('name'),
        note: of('note'),
        amount: money('GHS 1200.00'),
      });
      const keys = instructionKeys(instruction, '233');
      const state = { status: 'planned', releases: [] } as const;
      return { rowNumber, cells, state, instruction, keys };
    });
    await ledger.stage(id, staged);
  }
  await ledger.seal(id, { ...(await sealOf(ledger, id)), fileSha256: source.fileSha256() });
  return id;
}

const SPACED = aRow(1, { account: '0244 123 001' });
const HIDDEN = '\u034f';

describe('an account that was stored with its spaces, and not sent', () => {
  it.each(['approved', 'quoted', 'planned', 'held'] as const)(
    'is asked for and paid without them when it was %s',
    async (stand) => {
      const [{ run, service, payouts, ledger }, batch] = await upgraded([SPACED], stand);
      await run(batch);
      expect(service.calls).toContain('name 0244123001');
      expect(service.book.map(({ account }) => account)).toEqual(['0244123001']);
      expect((await payouts(batch)).map(({ state }) => state.status)).toEqual(['settled']);
      expect((await ledger.verify()).problems).toEqual([]);
    },
  );

  it('is not sent by “send” alone: it waits for a quote and an approval', async () => {
    const [{ send, service, stand }, batch] = await upgraded([SPACED], 'approved');
    expect(await send(batch)).toMatchObject({ readAnew: [2], stop: undefined });
    expect(service.book).toEqual([]);
    expect(await stand(batch)).toEqual({ quoted: 1 });
  });

  it('is not approved on the price of the account with spaces', async () => {
    const [{ world, stand }, batch] = await upgraded([SPACED, aRow(2)], 'quoted');
    const options = { by: 'ben', how: 'library', digest: undefined } as const;
    expect(await approveBatch(batch, options, world)).toMatchObject({ count: 1, unseen: { rows: [2] } });
    expect(await stand(batch)).toEqual({ quoted: 1, approved: 1 });
  });

  it('waits for a person when the account without them belongs to somebody else', async () => {
    const [{ run, service, stand }, batch] = await upgraded([SPACED], 'approved');
    service.names.set('0244123001', 'KOFI BROWN');
    await run(batch);
    expect(await stand(batch)).toEqual({ held: 1 });
  });

  it('is priced once, not at every run', async () => {
    const [{ price, send, service }, batch] = await upgraded([SPACED], 'quoted');
    await price(batch);
    await price(batch);
    expect(service.calls.filter((call) => call.startsWith('name'))).toHaveLength(1);
    expect(await send(batch)).toMatchObject({ readAnew: [] });
  });

  it('was invalid because nobody knew it, and is asked for again when its file is', async () => {
    const [{ place, price, ledger, stand, clock }, batch] = await upgraded([SPACED], 'planned');
    const row = await only(ledger, batch, 2);
    await moved(ledger, row, { kind: 'invalidate', issues: [], at: clock.now() });
    const placed = await place([SPACED]);
    await price(placed.batch.id);
    expect([placed.batch.id, await stand(batch)]).toEqual([batch, { quoted: 1 }]);
  });
});

describe('a row that was sent as an earlier version read it', () => {
  it.each([
    ['spaces', { account: '0244 123 001' }],
    ['an invisible character', { account: `0244123001${HIDDEN}` }],
    ['a decimal', { account: '244123001.5' }],
  ])(
    'is known again when it is to be paid again, and never sent with %s in its account',
    async (_, changes) => {
      const rows = [aRow(1, changes), aRow(2)];
      const [{ place, run, service, row, world, ledger }, batch] = await upgraded(rows, 'accepted');
      await moved(ledger, await row(batch, 2), anEvent('fail'));
      service.statusOf = () => 'Failed';
      const evidence = { by: 'ben', evidence: 'their desk says so' };
      expect(await reissue(batch, { kind: 'rows', rows: ['2'] }, evidence, world)).toEqual({
        done: [2],
        refused: [],
      });
      const again = (await row(batch, 2)).id;
      expect(await place(rows)).toMatchObject({ kind: 'revision', batch: { id: batch } });
      expect((await row(batch, 2)).id).toBe(again);
      await run(batch);
      expect(service.calls.filter((call) => call.includes(changes.account))).toEqual([]);
      expect(service.book.filter(({ account }) => account !== '0244123001')).toEqual([]);
    },
  );

  it.each([
    ['spaces in its account', { account: '0244 123 001' }],
    ['odd spaces in its name', { name: 'Ama\u00a0 Mensah' }],
    ['an invisible character in its account', { account: `0244123001${HIDDEN}` }],
    ['a decimal in its account', { account: '244123001.5' }],
  ])('is known again in the unchanged file: %s', async (_, changes) => {
    const rows = [aRow(1, changes), aRow(2)];
    const [{ place, settle, service, ledger }, batch] = await upgraded(rows, 'accepted');
    service.statusOf = () => 'Finished';
    await settle(batch);
    // Months later, when no window of repeats tells it any more.
    clock.advance(100 * 86_400_000);
    expect(await place(rows)).toMatchObject({
      kind: expect.stringMatching('finished|revision'),
      batch: { id: batch },
    });
    expect((await ledger.batches()).filter(({ isImporting }) => !isImporting)).toHaveLength(1);
    expect(service.book).toEqual([]);
  });

  it.each([
    ['its account', { account: `0244123001${HIDDEN}` }, {}],
    ['its reference', { reference: `GH-001${HIDDEN}` }, {}],
    [
      'its reference, in which a space was of another kind',
      { reference: 'GH\u00a0001' },
      { reference: 'GH 001' },
    ],
    [
      'its account, in a file without references',
      { account: `0244123001${HIDDEN}`, reference: '' },
      { reference: '' },
    ],
  ])(
    'is known again without the invisible character in %s, in its own batch and in the next',
    async (_, then, now) => {
      const [{ place, run, service }, batch] = await upgraded([aRow(1, then), aRow(2)], 'accepted');
      const same = await place([aRow(1, now), aRow(2)]);
      expect([same.kind === 'refused', same.batch.id]).toEqual([false, batch]);
      const next = await place([aRow(1, now)], 'next');
      await run(next.batch.id);
      expect(service.book).toEqual([]);
    },
  );
});

it('never sends a row whose stored account has an invisible character: it is invalid', async () => {
  const [{ send, price, service, row }, batch] = await upgraded(
    [aRow(1, { account: `0244123001${HIDDEN}` })],
    'approved',
  );
  await send(batch);
  await price(batch);
  expect(service.book).toEqual([]);
  expect((await row(batch, 2)).state).toMatchObject({
    status: 'invalid',
    issues: [{ kind: 'invisible_characters', field: 'account' }],
  });
});
