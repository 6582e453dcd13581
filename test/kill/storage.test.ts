/**
 * Disks that are full, syncs that fail, logs that are cut: nothing is paid twice for it, and what the service
 * answered is not lost.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { commandPath } from '../builders/command.ts';
import { type Compiled, compile, NODE } from './compiled.ts';
import type { Act, Label } from './plan.ts';
import { RUN } from './round.ts';
import { type Service, startService } from './service.ts';
import { openTarget, payoutFile, type Target } from './target.ts';
import { linesOf, violations } from './verdict.ts';
import { cutLogs } from './wal-cuts.ts';

const WORDS = [...RUN, '--report', 'may.json', '--deadline', '20s'];
const ROWS = 7;
const CONCURRENCY = 2;
const IS_SOAK = process.env['SOAK'] === '1';
/** Every how many sectors the log is cut. */
const STRIDE = IS_SOAK ? 1 : 40;

let compiled: Compiled;
let service: Service;
let target: Target;
let accounts: readonly string[] = [];
let number = 0;
beforeAll(async () => {
  compiled = compile(commandPath());
  service = await startService({ latencyMs: 5 });
});
afterAll(() => {
  service?.close();
  compiled?.remove();
});
beforeEach(() => {
  number += 1;
  target = openTarget(compiled, service, { PAYFILE_CONCURRENCY: String(CONCURRENCY) });
  accounts = Array.from(
    { length: ROWS },
    (_, row) => `1${String(number).padStart(10, '0')}${String(row).padStart(2, '0')}`,
  );
  writeFileSync(join(target.folder, 'may.csv'), payoutFile(accounts));
});
afterEach(() => target.close());
vi.setConfig({ testTimeout: IS_SOAK ? 900_000 : 90_000 });

const fails = (label: Label, act: Act, nth = 1) =>
  target.run(WORDS, { kind: 'boundary', label, when: 'before', nth, act });
const executed = async () => (await service.seen(accounts)).filter((request) => request.executed).length;
const count = (status: string) => linesOf(target, 'may.json').filter((line) => line.status === status).length;

async function finishes(doubtsMax: number): Promise<void> {
  const last = await target.run(WORDS);
  expect([3, 5], last.stderr).toContain(last.code);
  const seen = await service.seen(accounts);
  expect(await violations(target, { accounts, seen, doubtsMax, report: 'may.json' })).toEqual([]);
}

describe('a full disk', () => {
  it('[L18] while the file is imported: nothing is kept of it, nothing is sent, and it can be run again', async () => {
    const ended = await fails('J0', 'disk_full');
    expect(ended.code, ended.stderr).toBe(78);
    expect(ended.stderr).toContain('the disk is full');
    expect(await executed()).toBe(0);
    await finishes(0);
    expect((await target.run(['verify'])).stdout).toContain('1 batch');
  });

  it('[L18] when the intent is written down: it is not sent, and the row is not in doubt', async () => {
    const ended = await fails('J4', 'disk_full', 2);
    // Rows that are still approved come before the ledger's own code: run again.
    expect(ended.code, ended.stderr).toBe(6);
    expect(ended.stderr).toContain('the disk is full');
    const before = await executed();
    expect(before).toBeLessThanOrEqual(CONCURRENCY);
    await finishes(0);
    expect(await executed()).toBe(ROWS - 1);
  });

  it('[L18] when the outcome is written down: its transfer id waits beside the ledger, and the batch stops', async () => {
    const ended = await fails('J5', 'disk_full', 2);
    expect(ended.stderr).toContain('payfile-emergency {');
    expect(await executed()).toBeLessThanOrEqual(2 * CONCURRENCY);
    await finishes(0);
    expect(count('in_doubt')).toBe(0);
  });

  it('[L19] that takes the emergency file too: the line on stderr is all there is, and the row is in doubt', async () => {
    const ended = await fails('J5', 'disk_and_sidecar_full', 2);
    const lines = ended.stderr.split('\n').filter((line) => line.startsWith('payfile-emergency {'));
    expect(lines.length).toBeGreaterThan(0);
    await finishes(CONCURRENCY);
    expect(count('in_doubt')).toBe(lines.length);
    const said = JSON.parse(lines[0]?.slice('payfile-emergency '.length) ?? '{}');
    const ids = (await service.seen(accounts)).map(({ id }) => id);
    expect(ids).toContain(JSON.parse(said.body).transferId);
  });

  it('[L18] when a final status is written down: it does not look like a deadline, and the mail says why', async () => {
    const ended = await target.run([...WORDS, '--quiet'], {
      ...{ kind: 'boundary', label: 'J6', when: 'before', nth: 2, act: 'disk_full' },
    });
    expect(ended.code, ended.stderr).toBe(78);
    expect(ended.stderr).toMatch(/the disk is full\..*\nNext: payfile doctor\n$/);
    expect(await executed()).toBe(ROWS - 1);
    await finishes(0);
    expect(await executed()).toBe(ROWS - 1);
  });

  it('[L18][L37] when the report is written: the old one stays as it was, and the money is told all the same', async () => {
    await target.run([...RUN, '--report', 'may.json', '--deadline', '20s']);
    const before = readFileSync(join(target.folder, 'may.json'), 'utf8');
    const ended = await fails('J8_SYNC', 'disk_full');
    expect(ended.code, ended.stderr).toBe(73);
    expect(ended.stderr).toContain('the disk is full');
    expect(ended.stdout).toContain('settled');
    expect(readFileSync(join(target.folder, 'may.json'), 'utf8')).toBe(before);
  });

  it('[L17][L18] that the system itself reports: what was answered is kept, and nothing is in doubt', async () => {
    accounts = Array.from(
      { length: 45 },
      (_, row) => `2${String(number).padStart(10, '0')}${String(row).padStart(2, '0')}`,
    );
    writeFileSync(join(target.folder, 'may.csv'), payoutFile(accounts));
    // No file may grow beyond 1030 KiB: room for the emergency file, and not for the whole log of 45 rows.
    const limited = ['-c', 'ulimit -f 2060 && exec "$0" "$@"', NODE, compiled.bin, ...WORDS];
    const { status, stderr } = spawnSync('sh', limited, {
      cwd: target.folder,
      env: target.env,
      encoding: 'utf8',
    });
    expect(stderr).toContain('cannot be written');
    expect(status, stderr).not.toBe(0);
    expect(await executed()).toBeLessThan(44);
    await finishes(0);
    expect(await executed()).toBe(44);
  });

  it('[L18] under the log disturbs no payment', async () => {
    const ended = await target.run([...WORDS, '--log-file', '/dev/full']);
    expect(ended.code, ended.stderr).toBe(3);
    await finishes(0);
  });
});

describe('a sync that fails', () => {
  it.each([
    ['at the intent', 'J4', 0],
    ['at the outcome', 'J5', 0],
  ] as const)(
    '[L17] %s poisons the ledger: nothing more is begun, and it is not tried again',
    async (_where, label, doubts) => {
      const ended = await fails(label, 'fsync_error', 2);
      expect(ended.code, ended.stderr).not.toBe(0);
      expect(ended.stderr).toContain('input or output error');
      expect(target.trace().filter((line) => line.startsWith('fsync_error'))).toHaveLength(1);
      const before = await executed();
      expect(before).toBeLessThanOrEqual(2 * CONCURRENCY);
      await finishes(doubts);
    },
  );
});

describe('a machine that loses power', () => {
  it('[L16] has every transfer that left it written down as begun, wherever the log is cut after it', async () => {
    target.env['KILL_LOG_PATH'] = `${target.ledgerPath}-wal`;
    await target.run(WORDS, { kind: 'boundary', label: 'WRITE', when: 'after', nth: 5 });
    const posts = target.trace().flatMap((line) => {
      const [what, account = '', length] = line.split(' ');
      return what === 'post' ? [{ account, length: Number(length) }] : [];
    });
    expect(posts).toHaveLength(5);
    const result = await cutLogs({ path: target.ledgerPath, posts, stride: STRIDE, folder: target.folder });
    expect(result.lost).toEqual([]);
    expect(result.images).toBeGreaterThan(20);
  });
});

describe('a ledger that lost a part of itself', () => {
  async function killed(): Promise<void> {
    await target.run(WORDS, { kind: 'boundary', label: 'WRITE', when: 'after', nth: 3 });
  }

  it('[L24] its log removed: it is refused, for it has forgotten payments', async () => {
    await killed();
    rmSync(`${target.ledgerPath}-wal`);
    const before = await executed();
    const ended = await target.run(WORDS);
    expect(ended.code, ended.stderr).toBe(78);
    expect(ended.stderr).toMatch(/older than this machine remembers|damaged/);
    expect(await executed()).toBe(before);
  });

  it('[L26] on a network file system: it is refused before anything is made there', async () => {
    const nfs = { kind: 'event', nth: 1_000_000 } as const;
    target.env['KILL_FILE_SYSTEM'] = String(0x6969);
    const ended = await target.run(WORDS, nfs);
    expect(ended.code, ended.stderr).toBe(78);
    expect(ended.stderr).toContain('a network file system (NFS)');
    expect(ended.stderr).toContain('This command sent nothing');
    expect(await executed()).toBe(0);
  });

  it('[L26] in a synchronised folder: it is warned about, and works', async () => {
    const ended = await target.run([...WORDS, '--ledger', join(target.folder, 'Dropbox', 'ledger.db')]);
    expect(ended.code, ended.stderr).toBe(3);
    expect(ended.stderr).toContain('the synchronised folder “Dropbox”');
  });
});
