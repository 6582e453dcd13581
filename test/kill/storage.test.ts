/** A full disk: no row is paid twice, and no answer of the service is lost. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { aSeat, WORDS } from './a-seat.ts';
import { NODE } from './compiled.ts';
import type { Act, Label } from './plan.ts';

const ROWS = 7;
const CONCURRENCY = 2;
const seat = aSeat({ rows: ROWS, latencyMs: 5, concurrency: CONCURRENCY });

const fails = (label: Label, act: Act, nth = 1) =>
  seat.target.run(WORDS, { kind: 'boundary', label, when: 'before', nth, act });

describe('a full disk', () => {
  it('[L18] when the intent is written down: it is not sent, and the row is not in doubt', async () => {
    const ended = await fails('J4', 'disk_full', 2);
    // Rows that are still approved come before the ledger's own code: run again.
    expect(ended.code, ended.stderr).toBe(6);
    expect(ended.stderr).toContain('the disk is full');
    const before = await seat.executed();
    expect(before).toBeLessThanOrEqual(CONCURRENCY);
    await seat.finishes(0);
    expect(await seat.executed()).toBe(ROWS - 1);
  });

  it('[L18] when the outcome is written down: its transfer id waits beside the ledger, and the batch stops', async () => {
    const ended = await fails('J5', 'disk_full', 2);
    expect(ended.stderr).toContain('payfile-emergency {');
    expect(await seat.executed()).toBeLessThanOrEqual(2 * CONCURRENCY);
    await seat.finishes(0);
    expect(seat.count('in_doubt')).toBe(0);
  });

  it('[L17][L18] that the system itself reports: what was answered is kept, and nothing is in doubt', async () => {
    seat.file(45);
    // No file may grow beyond 1030 KiB: room for the emergency file, and not for the whole log of 45 rows.
    const limited = ['-c', 'ulimit -f 2060 && exec "$0" "$@"', NODE, seat.compiled.bin, ...WORDS];
    const { status, stderr } = spawnSync('sh', limited, {
      cwd: seat.target.folder,
      env: seat.target.env,
      encoding: 'utf8',
    });
    expect(stderr).toContain('cannot be written');
    expect(status, stderr).not.toBe(0);
    expect(await seat.executed()).toBeLessThan(44);
    await seat.finishes(0);
    expect(await seat.executed()).toBe(44);
  });
});
