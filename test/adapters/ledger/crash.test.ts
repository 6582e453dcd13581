/** A process may die at any instant: what it was promised is there, and nothing is half done. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BatchId } from '../../../src/domain/payouts/instruction.ts';
import { again, batchOf, HOLDER, row } from '../../builders/ledger-batches.ts';
import { openAt } from './ledger-files.ts';
import { startProcess as start } from './ledger-process.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-crash-'));
  path = join(folder, 'ledger.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function batchOn(rows: number): Promise<BatchId> {
  const ledger = await openAt(path);
  const id = await batchOf(
    ledger,
    Array.from({ length: rows }, (_, n) => row(n + 1)),
  );
  await ledger.close();
  return id;
}

const kill = (child: ChildProcess) => child.kill('SIGKILL');

describe('a process that is killed', () => {
  it('[L8] keeps every move it was promised, again and again', async () => {
    const id = await batchOn(200);
    const promised = new Map<string, number>();
    const counts = process.env['SOAK'] === '1' ? [40, 130, 1, 300] : [40, 130];
    for (const count of counts) {
      const run = start('record', path, id);
      await run.seen(count);
      kill(run.child);
      await run.ended;
      for (const line of run.lines) {
        const [payout = '', version = '0'] = line.split(' ');
        promised.set(payout, Math.max(promised.get(payout) ?? 0, Number(version)));
      }
      const ledger = await openAt(path);
      for (const [payout, version] of promised) {
        expect((await again(ledger, payout as never)).version).toBeGreaterThanOrEqual(version);
      }
      expect((await ledger.verify()).problems).toEqual([]);
      await ledger.close();
    }
    // A payout has five moves.
    expect(promised.size).toBeGreaterThanOrEqual(counts.reduce((sum, count) => sum + count) / 5);
  });

  it('loses its batch to the next process, which is told so', async () => {
    const id = await batchOn(1);
    const run = start('lease', path, id);
    await run.seen(1);
    run.child.stdin.write('go\n');
    await run.seen(2);
    const ledger = await openAt(path);
    const holder = { ...HOLDER, host: 'here' };
    expect(await ledger.lease(id, holder)).toMatchObject({ kind: 'busy', holder: { pid: run.child.pid } });
    kill(run.child);
    await run.ended;
    const lease = await ledger.lease(id, holder);
    expect(lease).toMatchObject({ kind: 'leased', tookOver: true });
    await ledger.close();
  });
});

describe('two processes on one ledger', () => {
  it('share its payouts without one of them moving twice', async () => {
    const id = await batchOn(100);
    const runs = [start('race', path, id), start('race', path, id)];
    await Promise.all(runs.map(({ seen }) => seen(1)));
    for (const { child } of runs) child.stdin.write('go\n');
    expect(await Promise.all(runs.map(({ ended }) => ended))).toEqual([0, 0]);
    const moved = runs.flatMap(({ lines }) => lines.slice(1));
    expect(moved).toHaveLength(100);
    expect(new Set(moved).size).toBe(100);
    const ledger = await openAt(path);
    expect((await ledger.verify()).problems).toEqual([]);
    await ledger.close();
  });

  it('[L21] that start a batch at the same moment: exactly one gets it', async () => {
    const id = await batchOn(1);
    const runs = [start('lease', path, id), start('lease', path, id), start('lease', path, id)];
    await Promise.all(runs.map(({ seen }) => seen(1)));
    for (const { child } of runs) child.stdin.write('go\n');
    await Promise.all(runs.map(({ seen }) => seen(2)));
    for (const { child } of runs) kill(child);
    expect(runs.map(({ lines }) => lines[1]).sort()).toEqual(['busy', 'busy', 'leased']);
  });

  it('that make the ledger at the same moment end up with the same one', async () => {
    const known = join(folder, 'known.json');
    const runs = [start('quiet', path, '1', known), start('quiet', path, '1', known)];
    expect(await Promise.all(runs.map(({ ended }) => ended))).toEqual([0, 0]);
    const ledger = await openAt(path);
    expect(await ledger.batches()).toHaveLength(2);
    expect(JSON.parse(readFileSync(known, 'utf8')).ledgers).toHaveLength(1);
    await ledger.close();
  });

  it('say nothing on stderr, so that cron has nothing to mail', async () => {
    const run = start('quiet', path, '1');
    expect(await run.ended).toBe(0);
    expect(run.stderr()).toBe('');
  });
});
