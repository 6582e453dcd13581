/**
 * Full disks, failed syncs and cut logs. No row is paid twice, and no answer of the service is lost.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { aSeat, WORDS } from './a-seat.ts';
import { NODE } from './compiled.ts';
import type { Act, Label } from './plan.ts';
import { RUN } from './round.ts';
import { cutLogs } from './wal-cuts.ts';

const ROWS = 7;
const CONCURRENCY = 2;
/** Types of file systems, as statfs returns them. */
const EXT4 = 0xef53;
const NFS = 0x6969;
const seat = aSeat({ rows: ROWS, latencyMs: 5, concurrency: CONCURRENCY });
vi.setConfig({ testTimeout: 900_000 });

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

  it('[L18] while the file is read: payfile keeps and sends nothing, and the same run works later', async () => {
    const ended = await fails('J0', 'disk_full');
    expect(ended.code, ended.stderr).toBe(78);
    expect(ended.stderr).toContain('the disk is full');
    expect(await seat.executed()).toBe(0);
    await seat.finishes(0);
    expect((await seat.target.run(['verify'])).stdout).toContain('1 batch');
  });

  it('[L19] also for the emergency file: only the line on stderr is left, and the row is in doubt', async () => {
    const ended = await fails('J5', 'disk_and_sidecar_full', 2);
    const lines = ended.stderr.split('\n').filter((line) => line.startsWith('payfile-emergency {'));
    expect(lines.length).toBeGreaterThan(0);
    await seat.finishes(CONCURRENCY);
    expect(seat.count('in_doubt')).toBe(lines.length);
    const said = JSON.parse(lines[0]?.slice('payfile-emergency '.length) ?? '{}');
    const ids = (await seat.service.seen(seat.accounts)).map(({ id }) => id);
    expect(ids).toContain(JSON.parse(said.body).transferId);
  });

  it('[L18] when a final status is written down: it does not look like a deadline, and the mail says why', async () => {
    const ended = await seat.target.run([...WORDS, '--quiet'], {
      ...{ kind: 'boundary', label: 'J6', when: 'before', nth: 2, act: 'disk_full' },
    });
    expect(ended.code, ended.stderr).toBe(78);
    expect(ended.stderr).toMatch(/the disk is full\..*\nNext: payfile doctor\n$/);
    expect(await seat.executed()).toBe(ROWS - 1);
    await seat.finishes(0);
    expect(await seat.executed()).toBe(ROWS - 1);
  });

  it('[L18][L37] when the report is written: the old report stays, and the outcome is still printed', async () => {
    await seat.target.run([...RUN, '--report', 'may.json', '--deadline', '20s']);
    const before = readFileSync(join(seat.target.folder, 'may.json'), 'utf8');
    const ended = await fails('J8_SYNC', 'disk_full');
    expect(ended.code, ended.stderr).toBe(73);
    expect(ended.stderr).toContain('the disk is full');
    expect(ended.stdout).toContain('settled');
    expect(readFileSync(join(seat.target.folder, 'may.json'), 'utf8')).toBe(before);
  });

  it('[L18] under the log disturbs no payment', async () => {
    const ended = await seat.target.run([...WORDS, '--log-file', '/dev/full']);
    expect(ended.code, ended.stderr).toBe(3);
    await seat.finishes(0);
  });
});

describe('a sync that fails', () => {
  it.each([
    ['at the intent', 'J4', 0],
    ['at the outcome', 'J5', 0],
  ] as const)(
    '[L17] %s ends the work with the ledger: payfile begins nothing more and does not try the sync again',
    async (_where, label, doubts) => {
      const ended = await fails(label, 'fsync_error', 2);
      expect(ended.code, ended.stderr).not.toBe(0);
      expect(ended.stderr).toContain('input or output error');
      expect(seat.target.trace().filter((line) => line.startsWith('fsync_error'))).toHaveLength(1);
      const before = await seat.executed();
      expect(before).toBeLessThanOrEqual(2 * CONCURRENCY);
      await seat.finishes(doubts);
    },
  );
});

describe('a machine that loses power', () => {
  it('[L16] has every transfer that left it written down as begun, wherever the log is cut after it', async () => {
    seat.target.env['KILL_LOG_PATH'] = `${seat.target.ledgerPath}-wal`;
    await seat.target.run(WORDS, { kind: 'boundary', label: 'WRITE', when: 'after', nth: 5 });
    const posts = seat.target.trace().flatMap((line) => {
      const [what, account = '', length] = line.split(' ');
      return what === 'post' ? [{ account, length: Number(length) }] : [];
    });
    expect(posts).toHaveLength(5);
    const result = await cutLogs({
      path: seat.target.ledgerPath,
      posts,
      stride: 1,
      folder: seat.target.folder,
    });
    expect(result.lost).toEqual([]);
    expect(result.images).toBeGreaterThan(20);
  });
});

describe('a ledger that lost a part of itself', () => {
  async function killed(): Promise<void> {
    await seat.target.run(WORDS, { kind: 'boundary', label: 'WRITE', when: 'after', nth: 3 });
  }

  it('[L24] its log removed: it is refused, for it has forgotten payments', async () => {
    await killed();
    rmSync(`${seat.target.ledgerPath}-wal`);
    const before = await seat.executed();
    const ended = await seat.target.run(WORDS);
    expect(ended.code, ended.stderr).toBe(78);
    expect(ended.stderr).toMatch(/older than this machine remembers|damaged/);
    expect(await seat.executed()).toBe(before);
  });

  it('[L26] on a network file system: it is refused before anything is made there', async () => {
    const never = { kind: 'event', nth: 1_000_000 } as const;
    seat.target.env['KILL_FILE_SYSTEM'] = String(NFS);
    const ended = await seat.target.run(WORDS, never);
    expect(ended.code, ended.stderr).toBe(78);
    expect(ended.stderr).toContain('a network file system (NFS)');
    expect(ended.stderr).toContain('This command sent nothing');
    expect(await seat.executed()).toBe(0);
  });

  it('[L26] in a synchronised folder: it is warned about, and works', async () => {
    seat.target.env['KILL_FILE_SYSTEM'] = String(EXT4);
    const ended = await seat.target.run([
      ...WORDS,
      '--ledger',
      join(seat.target.folder, 'Dropbox', 'ledger.db'),
    ]);
    expect(ended.code, ended.stderr).toBe(3);
    expect(ended.stderr).toContain('the synchronised folder “Dropbox”');
  });
});
