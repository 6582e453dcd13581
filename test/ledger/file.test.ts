/** The file of a ledger: made whole or not at all, private, ours to open, under one name, and in a place where it may be. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { backupLedger } from '../../src/ledger/backup.ts';
import { openFileToMove } from '../../src/ledger/file.ts';
import { judgePlace, placeOf, requireOneName } from '../../src/ledger/place.ts';
import { q } from '../../src/ledger/sql.ts';
import { checkSqlite, connectSqlite } from '../../src/ledger/sqlite.ts';
import { batchOf, HOLDER, row } from '../builders/ledger-batches.ts';
import { LIVE, openAt, refusal, SANDBOX, workedIn } from './ledger-files.ts';
import { payoutsIn } from './new-ledgers.ts';

const EXT4 = 0xef53;
let folder: string;
let path: string;
let known: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'payfile-file-')));
  path = join(folder, 'payfile', 'ledger.db');
  known = join(folder, 'known');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function oneBatch(options: Parameters<typeof openAt>[1] = {}): Promise<void> {
  const opened = await openAt(path, options);
  await workedIn(opened);
  await opened.ledger.close();
}
const exec = (words: string) => {
  const db = connectSqlite(path);
  db.exec(words);
  db.close();
};
const mode = (file: string) => (statSync(file).mode & 0o7777).toString(8);
const LOGS = ['-wal', '-journal'];

describe('a ledger that is not there', () => {
  it('is never made silently; the message names the path, the known ledgers and how to make one', async () => {
    await oneBatch({ knownLedgersPath: known });
    const other = join(folder, 'other.db');
    const { code, message } = await refusal(openAt(other, { create: false, knownLedgersPath: known }));
    expect(code).toBe('ledger_missing');
    for (const words of [other, path, 'Make a new one only if none were ever made.'])
      expect(message).toContain(words);
    expect(existsSync(other)).toBe(false);
  });

  it('is not made beside the log of an earlier one, which is left as it is', async () => {
    const earlier = await openAt(path);
    await workedIn(earlier);
    const log = readFileSync(`${path}-wal`);
    await earlier.ledger.close();
    rmSync(path);
    for (const end of LOGS) {
      writeFileSync(`${path}${end}`, log);
      const { code, message } = await refusal(openAt(path));
      expect([code, message]).toEqual([
        ...['ledger_unwritable', expect.stringContaining(`its log ${path}${end} is there`)],
      ]);
      expect(readFileSync(`${path}${end}`).equals(log)).toBe(true);
      rmSync(`${path}${end}`);
    }
    await (await openAt(path)).ledger.close();
  });

  it('is made once by two that make it at the same moment', async () => {
    const [one, other] = await Promise.all([openAt(path), openAt(path)]);
    expect(one.ledger.identity).toEqual(other.ledger.identity);
    await Promise.all([one.ledger.close(), other.ledger.close()]);
  });

  it.each([':memory:', 'file:ledger.db', 'file:ledger.db?mode=memory'])(
    'is never a live one at %s',
    async (place) => {
      const { code, message } = await refusal(openAt(place, { binding: LIVE, knownLedgersPath: known }));
      expect([code, message]).toEqual([
        'ledger_unsupported',
        expect.stringContaining('Name a file with ledger'),
      ]);
    },
  );
});

it('is in memory where nothing is to be remembered, and passes its checks there', async () => {
  const opened = await openAt(':memory:', { knownLedgersPath: known });
  await workedIn(opened);
  expect((await opened.ledger.verify()).problems).toEqual([]);
  await opened.ledger.atOneMoment(async (still) => expect(await still.batches()).toHaveLength(1));
  await opened.ledger.close();
  expect(existsSync(known)).toBe(false);
});

describe('the file', () => {
  it('[L27] is private, and so is its folder; and is made private again when it was opened up', async () => {
    const opened = await openAt(path);
    await workedIn(opened);
    const all = ['', '-wal', '-shm', '.emergency'].map((end) => mode(`${path}${end}`));
    expect([...all, mode(join(folder, 'payfile'))]).toEqual(['600', '600', '600', '600', '700']);
    await opened.ledger.close();
    chmodSync(path, 0o644);
    chmodSync(join(folder, 'payfile'), 0o755);
    await (await openAt(path)).ledger.close();
    expect([mode(path), mode(join(folder, 'payfile'))]).toEqual(['600', '700']);
  });

  it.each([
    ['is empty', () => writeFileSync(path, '')],
    ['is garbage', () => writeFileSync(path, 'not a ledger at all, but long enough to look at'.repeat(100))],
    ['is cut short', () => truncateSync(path, 8_192)],
    ['is cut within its header', () => truncateSync(path, 50)],
  ])('[L23] that %s is refused as damaged', async (_what, damage) => {
    await oneBatch();
    damage();
    const { code, message } = await refusal(openAt(path));
    expect([code, message.includes(path)]).toEqual(['ledger_damaged', true]);
  });

  it('[L27] of another program is refused', async () => {
    mkdirSync(join(folder, 'payfile'));
    exec('CREATE TABLE photos(id INTEGER)');
    expect((await refusal(openAt(path))).code).toBe('ledger_foreign');
  });

  it.each([0, 8, 99])('[L28] of format %i is refused, also for reading', async (format) => {
    await oneBatch();
    exec(`UPDATE format SET version = ${format}`);
    for (const readOnly of [false, true])
      expect((await refusal(openAt(path, { readOnly }))).message).toBe(
        `The ledger ${path} has format ${format}, and this payfile works with format 1: use the payfile version that wrote it.`,
      );
  });

  it('that was left for a server is only read', async () => {
    await oneBatch();
    exec('UPDATE format SET version = 1000001');
    expect((await refusal(openAt(path))).code).toBe('ledger_moved');
    await (await openAt(path, { readOnly: true })).ledger.close();
    const clock = { now: () => timestampOf(1) };
    await (await openFileToMove({ path, binding: SANDBOX, create: false, clock })).ledger.close();
  });

  it.each([
    ['another address', { ...SANDBOX, baseUrl: 'https://other.example' }],
    ['another login', { ...SANDBOX, loginId: 'ben' }],
    ['live instead of sandbox', { ...SANDBOX, environment: 'live' as const }],
  ])('[B11] made for one service is refused for %s, and both are named', async (_what, binding) => {
    await oneBatch();
    const { code, message } = await refusal(openAt(path, { binding }));
    expect(code).toBe('ledger_foreign');
    for (const each of [SANDBOX, binding])
      expect(message).toContain(`${each.environment} service ${each.baseUrl} as ${each.loginId}`);
  });

  it('is opened alone only while nobody else has it, and then by nobody else', async () => {
    const opened = await openAt(path);
    const id = await batchOf(opened.ledger, [row(1)]);
    await opened.ledger.lease(id, HOLDER);
    const moving = { path, binding: SANDBOX, create: false, clock: { now: () => timestampOf(1) } };
    const { code, message } = await refusal(openFileToMove(moving));
    expect([code, message]).toEqual([
      'ledger_busy',
      expect.stringContaining(`At work with it: process ${HOLDER.pid}`),
    ]);
    await opened.ledger.close();
    const alone = await openFileToMove(moving);
    expect((await refusal(openFileToMove(moving))).code).toBe('ledger_busy');
    await alone.ledger.close();
  });

  it('is read as of one moment, while others go on', async () => {
    const opened = await openAt(path);
    const id = await batchOf(opened.ledger, [row(1)]);
    await opened.ledger.atOneMoment(async (still) => {
      const before = await payoutsIn({ ...opened, ledger: still as never }, id);
      await workedIn(opened, 'june');
      expect(await payoutsIn({ ...opened, ledger: still as never }, id)).toEqual(before);
      expect((await refusal(still.approvalTurn('ben'))).code).toBe('ledger_unwritable');
    });
    await opened.ledger.close();
    await opened.ledger.close();
  });
});

it('in memory begins no commit between two reads of one moment, however close they come', async () => {
  const { parts, ledger } = await openAt(':memory:');
  const { db } = parts;
  const last = q`SELECT last FROM counters WHERE name = 'routes'`;
  for (let steps = 0; steps < 12; steps += 1) {
    const writing = db.begin('alone').then(async ({ sql }) => {
      await sql.run(q`UPDATE counters SET last = last + 1 WHERE name = 'routes'`);
      await db.commit();
    });
    for (let step = 0; step < steps; step += 1) await Promise.resolve();
    const seen = await db.still(async (sql) => {
      const first = await sql.get(last);
      await new Promise((resolve) => setImmediate(resolve));
      return [first, await sql.get(last)];
    });
    expect(seen[1], `${steps} steps after a commit began`).toEqual(seen[0]);
    await writing;
  }
  await ledger.close();
});

it('in memory is checked as of one moment, too, and what is written meanwhile waits', async () => {
  const { ledger } = await openAt(':memory:');
  const id = await batchOf(ledger, [row(1), row(2)]);
  const checks: Promise<readonly string[]>[] = [];
  for (let at = 0; at < 20; at += 1) {
    checks.push(ledger.verify(id).then(({ problems }) => problems));
    await Promise.all(
      [1, 2, 3].map((by) => ledger.note(id, 'four_eyes', { by: String(by) }, timestampOf(at))),
    );
  }
  expect((await Promise.all(checks)).flat()).toEqual([]);
  expect(await ledger.notes(id, 'four_eyes')).toHaveLength(60);
  await ledger.close();
});

describe('SQLite', () => {
  it.each(['3.50.4', '3.51.2', '2.99.9'])('[L29] %s is refused', (version) => {
    expect(() => checkSqlite(version)).toThrow('too old');
  });
  it.each(['3.51.3', '3.52.0', '4.0.0'])('%s is taken', (version) => {
    expect(() => checkSqlite(version)).not.toThrow();
  });
  it.each([
    ['synchronous', 2n],
    ['fullfsync', 1n],
    ['checkpoint_fullfsync', 1n],
    ['foreign_keys', 1n],
    ['trusted_schema', 0n],
    ['cell_size_check', 1n],
    ['journal_mode', 'wal'],
  ])('[L30] is opened with %s = %s, so that a commit is on the disk when it is said to be', (name, value) => {
    const db = connectSqlite(join(folder, 'any.db'));
    expect(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]).toBe(value);
    db.close();
  });
});

describe('what cannot be written', () => {
  it('[L18] for want of space is refused whole, and the ledger goes on when there is space again', async () => {
    await oneBatch();
    const small = await openAt(path, { maxPages: 70 });
    const many = Array.from({ length: 2_000 }, (_, n) => row(n + 10_000));
    const { code, message } = await refusal(batchOf(small.ledger, many, 'june'));
    expect([code, message.includes('the disk is full')]).toEqual(['ledger_unwritable', true]);
    const id = await batchOf(small.ledger, [row(20_000)], 'july');
    expect(await payoutsIn(small, id)).toHaveLength(1);
    expect(await small.parts.read.get(q`SELECT count(*) AS n FROM payouts`)).toEqual({ n: 3n });
    expect((await small.ledger.verify()).problems).toEqual([]);
    await small.ledger.close();
  });

  it.runIf(process.getuid?.() === 0)('because the file belongs to somebody else is said so', async () => {
    await oneBatch();
    for (const at of [folder, join(folder, 'payfile')]) chmodSync(at, 0o755);
    chmodSync(path, 0o444);
    const script = `
      import { openLedger } from ${JSON.stringify(new URL('../../src/ledger/file.ts', import.meta.url).href)};
      process.setgid(65534); process.setuid(65534);
      const options = { path: ${JSON.stringify(path)}, binding: ${JSON.stringify(SANDBOX)}, create: false, clock: { now: () => 0 } };
      try { await openLedger(options); console.log('opened'); } catch (error) { console.log(error.code ?? error); }`;
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(said.trim()).toBe('ledger_unwritable');
  });

  const TAKEN: readonly (readonly [string, () => void])[] = [
    ['is removed', () => rmSync(path)],
    ['is moved', () => renameSync(path, join(folder, 'other.db'))],
    [
      'is replaced by a copy',
      () => {
        copyFileSync(path, join(folder, 'copy.db'));
        renameSync(join(folder, 'copy.db'), path);
      },
    ],
    ['is moved with its folder', () => renameSync(join(folder, 'payfile'), join(folder, 'moved'))],
  ];
  it.each(
    [SANDBOX, LIVE].flatMap((binding) =>
      TAKEN.map((taken) => [binding.environment, ...taken, binding] as const),
    ),
  )(
    'because the %s ledger %s under the process that works with it is not',
    async (_which, _how, take, binding) => {
      const opened = await openAt(path, { binding });
      const id = await batchOf(opened.ledger, [row(1)]);
      take();
      const { ledger } = opened;
      const works = [
        () => ledger.lease(id, HOLDER),
        () => ledger.pause(id, { reason: 'x', by: 'ama', at: timestampOf(1) }),
        () => ledger.resume(id, 'ama', timestampOf(1)),
      ];
      for (const work of works) {
        const { code, message } = await refusal(work());
        expect([code, message]).toEqual(['ledger_unwritable', expect.stringContaining('was taken away')]);
      }
      expect((await ledger.batch(id))?.pause).toBeUndefined();
      await ledger.close();
    },
  );
});

describe('a ledger that one process opens more than once', () => {
  // Looking at a file's first bytes and closing it drops the system's locks that the process has on it. SQLite would
  // then let another process remove the log, did it not also ask the shared memory who is there.
  it.each([
    ['to look and then to work', async () => [await openAt(path, { readOnly: true }), await openAt(path)]],
    ['twice at the same moment', () => Promise.all([openAt(path), openAt(path, { readOnly: true })])],
  ])('keeps its log when it is opened %s and another process comes and goes', async (_how, open) => {
    await oneBatch();
    const ledgers = await open();
    const log = () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.ino;
    const before = log();
    const script = `
      import { DatabaseSync } from 'node:sqlite';
      const db = new DatabaseSync(${JSON.stringify(path)});
      db.exec('BEGIN IMMEDIATE; COMMIT');
      db.close();`;
    execFileSync(process.execPath, ['--input-type=module', '-e', script]);
    expect(before).toBeDefined();
    expect(log()).toBe(before);
    for (const { ledger } of ledgers) await ledger.close();
  });
});

describe('a live ledger under a second name', () => {
  it('is refused, for reading, for a backup, and under the first name too', async () => {
    await oneBatch({ binding: LIVE });
    const second = join(folder, 'second.db');
    linkSync(path, second);
    for (const work of [
      openAt(second, { binding: LIVE }),
      openAt(second, { binding: LIVE, readOnly: true }),
      openAt(path, { binding: LIVE }),
      backupLedger({ path: second, to: join(folder, 'backup.db'), binding: LIVE }),
    ])
      expect((await refusal(work)).message).toContain('has more than one name on its disk');
    rmSync(second);
    linkSync(path, `${path}.new-1234`);
    await (await openAt(path, { binding: LIVE })).ledger.close();
  });

  it('is refused where the file is mounted alone, and not where its folder is', () => {
    mkdirSync(join(folder, 'payfile'));
    writeFileSync(path, '');
    const mounts = (at: string) => `36 35 98:0 / ${at.replaceAll(' ', '\\040')} rw - ext4 /dev/sda rw`;
    expect(() => requireOneName(path, mounts(path))).toThrow('mounted here as a single file');
    expect(() => requireOneName(path, mounts(join(folder, 'payfile')))).not.toThrow();
  });
});

describe('the place of a live ledger', () => {
  const network = (name: string) => ['refused', `a network file system (${name})`] as const;
  const shared = (name: string) => ['refused', `a disk that several machines share (${name})`] as const;
  const gone = (name: string) => ['passing', expect.stringMatching(`^${name}, .* gone when`)] as const;

  it.each([
    [0x6969, ...network('NFS')],
    [0x517b, ...network('SMB')],
    [0xfe534d42, ...network('SMB')],
    [0xff534d42, ...network('CIFS')],
    [0xff534d42 | 0, ...network('CIFS')],
    [0x5346414f, ...network('AFS')],
    [0x00c36400, ...network('Ceph')],
    [0x0bd00bd0, ...network('Lustre')],
    [0x47504653, ...network('GPFS')],
    [0x19830326, ...network('BeeGFS')],
    [0x01021997, 'refused', 'a folder of another machine (9p)'],
    [0x786f4256, 'refused', 'a shared folder of VirtualBox (vboxsf)'],
    [0x7461636f, ...shared('OCFS2')],
    [0x01161970, ...shared('GFS2')],
    [0x01021994, ...gone('tmpfs')],
    [0x858458f6 | 0, ...gone('ramfs')],
    [0x794c7630, ...gone('overlayfs')],
    [0x65735546, 'doubtful', 'a file system of another program (FUSE)'],
  ])('[L26] of file system type %d is %s as %s', (type, kind, why) => {
    expect(judgePlace('/srv/pay/ledger.db', type)).toEqual({ kind, why });
  });

  it.each([
    ['/home/ama/Dropbox/ledger.db', 'doubtful'],
    ['/home/ama/Dropbox (Personal)/pay/ledger.db', 'doubtful'],
    ['/Users/ama/OneDrive - Acme/ledger.db', 'doubtful'],
    ['/Users/ama/Library/Mobile Documents/com~apple~CloudDocs/ledger.db', 'doubtful'],
    ['/Users/ama/Google Drive/ledger.db', 'doubtful'],
    ['/Users/ama/iCloud Drive/ledger.db', 'doubtful'],
    ['/home/ama/.local/state/payfile/ledger.db', 'good'],
    ['/home/ama/dropboxes/ledger.db', 'good'],
  ])('[L26] at %s is %s', (at, kind) => {
    expect([judgePlace(at, EXT4).kind, judgePlace(at, undefined).kind]).toEqual([kind, kind]);
  });

  it('[L26] is judged by where a link leads, and before its folder is made', () => {
    mkdirSync(join(folder, 'Dropbox'));
    symlinkSync(join(folder, 'Dropbox'), join(folder, 'pay'));
    const kindOf = (...names: string[]) => placeOf(join(folder, ...names), () => EXT4).kind;
    expect(kindOf('pay', 'ledger.db')).toBe('doubtful');
    expect(kindOf('OneDrive', 'deep', 'ledger.db')).toBe('doubtful');
    expect(kindOf('ledger.db')).toBe('good');
  });
});
