/** Leases by the clock, and commits that cannot be made. */
import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { timestampOf } from '../../../src/domain/timestamp.ts';
import {
  batchOf,
  eventsTo,
  HOLDER,
  importOf,
  moveOf,
  only,
  row,
  walkedTo,
} from '../../builders/ledger-batches.ts';
import { NOW, SENDER } from '../../builders/payouts.ts';
import { openAt } from './ledger-files.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-lease-'));
  path = join(folder, 'ledger.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const here = { ...HOLDER, host: hostname() };

function clockAt(start: number) {
  let now = start;
  return { now: () => timestampOf(now), set: (ms: number) => (now = start + ms) };
}

it.each([
  ['this host', here, 15_000],
  ['another host', { ...here, host: 'elsewhere', pid: 1 }, 30_000],
])(
  'takes a batch over from a holder on %s only when it was silent long enough',
  async (_where, holder, silentMs) => {
    const clock = clockAt(NOW);
    const [first, second] = [await openAt(path, { clock }), await openAt(path, { clock })];
    const id = await batchOf(first, [row(1)]);
    const lease = await first.lease(id, holder);
    clock.set(silentMs);
    expect(await second.lease(id, here)).toMatchObject({ kind: 'busy', holder, since: NOW });
    clock.set(silentMs + 1);
    expect(await second.lease(id, here)).toMatchObject({ kind: 'leased', tookOver: true });
    await first.close();
    await second.close();
    expect(lease.kind).toBe('leased');
  },
);

it('lets a process that lost its batch begin nothing more, and tells it', async () => {
  const clock = clockAt(NOW);
  const [first, second] = [await openAt(path, { clock }), await openAt(path, { clock })];
  const id = await batchOf(first, [row(1)]);
  const approved = await walkedTo(first, await only(first, id, 2), 'approved');
  const lease = await first.lease(id, here);
  if (lease.kind !== 'leased') throw new TypeError('The batch was free');
  clock.set(20_000);
  await second.lease(id, here);
  const begin = moveOf(approved, {
    kind: 'begin_attempt',
    attempt: 1,
    bodyDigest: 'd',
    sender: SENDER,
    at: NOW,
  });
  expect(await first.record(begin)).toEqual({ kind: 'stale' });
  expect(lease.lost.aborted).toBe(true);
  expect((await second.record(begin)).kind).toBe('recorded');
  await lease.release();
  expect(await first.lease(id, here)).toMatchObject({ kind: 'busy' });
  await first.close();
  await second.close();
});

it('does not trust a process number that another process has now', async () => {
  const ledger = await openAt(path);
  const id = await batchOf(ledger, [row(1)]);
  await ledger.lease(id, here);
  await new Promise((resolve) => setTimeout(resolve, 5));
  const raw = new DatabaseSync(path);
  raw.exec("UPDATE leases SET started = 'an earlier boot', token = 'its token'");
  raw.close();
  expect(await ledger.lease(id, here)).toMatchObject({ kind: 'leased', tookOver: true });
  await ledger.close();
});

it('[L20] waits for another process that holds the ledger, without stopping everything else', async () => {
  const ledger = await openAt(path);
  const id = await batchOf(ledger, [row(1)]);
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  let turns = 0;
  const turning = setInterval(() => {
    turns += 1;
  }, 10);
  const pausing = ledger.pause(id, { reason: 'lunch', by: 'ben', at: NOW });
  await new Promise((resolve) => setTimeout(resolve, 400));
  other.exec('ROLLBACK');
  other.close();
  await pausing;
  clearInterval(turning);
  expect(turns).toBeGreaterThan(8);
  expect(await ledger.batch(id)).toMatchObject({ pause: { reason: 'lunch' } });
  await ledger.close();
});

it('[L8][L18] fails every write that waits for a commit that fails, and none of them is half there', async () => {
  const ledger = await openAt(path, { maxPages: 60 });
  const id = await importOf(ledger, [row(1)]);
  const many = (from: number) => Array.from({ length: 700 }, (_, n) => row(from + n));
  const answers = await Promise.allSettled([
    ledger.note(id, 'four_eyes', { by: 'one' }, NOW),
    ledger.stage(id, many(10)),
    ledger.note(id, 'four_eyes', { by: 'two' }, NOW),
  ]);
  const [, staged] = answers;
  expect(staged).toMatchObject({ status: 'rejected', reason: { code: 'ledger_unwritable' } });
  const kept = answers.filter(({ status }) => status === 'fulfilled').length;
  const notes = await ledger.notes(id, 'four_eyes');
  expect(notes).toHaveLength(kept);
  expect((await ledger.verify()).problems).toEqual([]);
  await ledger.close();
});

it('commits what many callers ask at the same moment together', async () => {
  const ledger = await openAt(path);
  const id = await batchOf(
    ledger,
    Array.from({ length: 64 }, (_, n) => row(n + 1)),
  );
  const payouts = [];
  for await (const page of ledger.payouts(id)) payouts.push(...page);
  const results = await Promise.all(
    payouts.map((payout) => {
      const [price] = eventsTo('quoted', payout, ledger);
      if (price === undefined) throw new TypeError('price is the first event');
      return ledger.record(moveOf(payout, price));
    }),
  );
  expect(results.every(({ kind }) => kind === 'recorded')).toBe(true);
  await ledger.close();
  const raw = new DatabaseSync(path);
  const { n } = raw.prepare('SELECT max(events) AS n FROM commits WHERE rows_hash IS NULL').get() ?? {};
  raw.close();
  // One commit takes in work for 35 ms: on a busy machine the 64 need two or three.
  expect(n).toBeGreaterThan(16);
});
