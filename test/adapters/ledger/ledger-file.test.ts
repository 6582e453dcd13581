/** A ledger file is opened only when it is surely the right one, whole and private. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkSqlite } from '../../../src/adapters/ledger/storage/open-file.ts';
import { knownLedgers } from '../../../src/adapters/ledger/trust/known-ledgers.ts';
import { LedgerError } from '../../../src/ports/ledger/errors.ts';
import { BECOME_NOBODY } from '../../builders/another-user.ts';
import { all, batchOf, importOf, only, row, walkedTo } from '../../builders/ledger-batches.ts';
import { BINDING, openAt } from './ledger-files.ts';

let folder: string;
let path: string;
let known: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-file-'));
  path = join(folder, 'payfile', 'ledger.db');
  known = join(folder, 'known-ledgers.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function refusal(opening: Promise<unknown>): Promise<LedgerError> {
  const error = await opening.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof LedgerError)) throw new TypeError(`Expected a LedgerError, got ${String(error)}`);
  return error;
}

async function oneBatch(options: Parameters<typeof openAt>[1] = {}): Promise<void> {
  const ledger = await openAt(path, options);
  await batchOf(ledger, [row(1), row(2)], 'may');
  await ledger.close();
}

const mode = (file: string) => (statSync(file).mode & 0o7777).toString(8);

describe('a ledger that is not there', () => {
  it('is never made silently; the message names the path, the known ledgers and how to make one', async () => {
    await oneBatch({ knownLedgersPath: known });
    const error = await refusal(openAt(join(folder, 'other.db'), { create: false, knownLedgersPath: known }));
    expect(error.code).toBe('ledger_missing');
    expect(error.message).toContain(join(folder, 'other.db'));
    expect(error.message).toContain(path);
    expect(error.message).toContain('Make a new one only if none were ever made.');
    expect(existsSync(join(folder, 'other.db'))).toBe(false);
  });

  it('is not made beside the log of an earlier one, which is left as it is', async () => {
    const earlier = await openAt(path);
    await batchOf(earlier, [row(1)], 'may');
    const log = readFileSync(`${path}-wal`);
    await earlier.close();
    rmSync(path);
    for (const end of ['-wal', '-journal']) {
      writeFileSync(`${path}${end}`, log);
      const error = await refusal(openAt(path));
      expect([error.code, error.message]).toEqual([
        'ledger_unwritable',
        expect.stringContaining(`its log ${path}${end} is there`),
      ]);
      expect(existsSync(path)).toBe(false);
      expect(readFileSync(`${path}${end}`).equals(log)).toBe(true);
      rmSync(`${path}${end}`);
    }
    await (await openAt(path)).close();
  });
});

describe('the file', () => {
  it('[L27] is private, and so is its folder', async () => {
    const ledger = await openAt(path);
    await batchOf(ledger, [row(1)]);
    expect([path, `${path}-wal`, `${path}-shm`, `${path}.emergency`].map(mode)).toEqual([
      '600',
      '600',
      '600',
      '600',
    ]);
    expect(mode(join(folder, 'payfile'))).toBe('700');
    await ledger.close();
  });

  it('[L27] is made private again when it was opened up', async () => {
    await oneBatch();
    chmodSync(path, 0o644);
    chmodSync(join(folder, 'payfile'), 0o755);
    await (await openAt(path)).close();
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
    const error = await refusal(openAt(path));
    expect([error.code, error.message.includes(path)]).toEqual(['ledger_damaged', true]);
  });

  it('[L27] of another program is refused', async () => {
    mkdirSync(join(folder, 'payfile'));
    const other = new DatabaseSync(path);
    other.exec('CREATE TABLE photos(id INTEGER)');
    other.close();
    expect((await refusal(openAt(path))).code).toBe('ledger_foreign');
  });

  it.each([0, 8, 99])('[L28] of format %i is refused, also for reading, and not touched', async (format) => {
    await oneBatch();
    const raw = new DatabaseSync(path);
    raw.exec(`PRAGMA user_version = ${format}`);
    raw.close();
    for (const readOnly of [false, true]) {
      const error = await refusal(openAt(path, { readOnly }));
      expect(error.code).toBe('ledger_unsupported');
      expect(error.message).toBe(
        `The ledger ${path} has format ${format}, and this payfile works with format 1: use the payfile version that wrote it.`,
      );
    }
  });

  it.each([
    ['another address', { ...BINDING, baseUrl: 'https://other.example' }],
    ['another login', { ...BINDING, loginId: 'ben' }],
    ['live instead of sandbox', { ...BINDING, environment: 'live' as const }],
  ])('[B11] made for one service is refused for %s, and both are named', async (_what, binding) => {
    await oneBatch();
    const error = await refusal(openAt(path, { binding }));
    expect(error.code).toBe('ledger_foreign');
    expect(error.message).toContain(BINDING.baseUrl);
    expect(error.message).toContain(
      `${binding.environment} service ${binding.baseUrl} as ${binding.loginId}`,
    );
  });

  it.each(['3.50.4', '3.51.2', '2.99.9'])('[L29] is not opened with SQLite %s', (version) => {
    expect(() => checkSqlite(version)).toThrow('too old');
  });

  it.each(['3.51.3', '3.52.0', '4.0.0'])('is opened with SQLite %s', (version) => {
    expect(() => checkSqlite(version)).not.toThrow();
  });
});

describe('what cannot be written', () => {
  it('is refused when the ledger was opened for reading only', async () => {
    await oneBatch();
    const ledger = await openAt(path, { readOnly: true });
    const [batch] = await ledger.batches();
    if (batch === undefined) throw new TypeError('There is a batch');
    expect(await all(ledger, batch.id)).toHaveLength(2);
    expect((await refusal(ledger.dropImport(batch.id))).code).toBe('ledger_unwritable');
    await ledger.close();
  });

  it('[L18] for want of space is refused whole, and the ledger goes on when there is space again', async () => {
    const ledger = await openAt(path);
    const id = await importOf(ledger, [row(1)]);
    await ledger.close();
    const small = await openAt(path, { maxPages: 40 });
    const many = Array.from({ length: 2_000 }, (_, n) => row(n + 2));
    const error = await refusal(small.stage(id, many));
    expect([error.code, error.message.includes('the disk is full')]).toEqual(['ledger_unwritable', true]);
    await small.stage(id, [row(2)]);
    expect((await all(small, id)).map(({ rowNumber }) => rowNumber)).toEqual([2, 3]);
    expect((await small.verify()).problems).toEqual([]);
    await small.close();
  });

  it.runIf(process.getuid?.() === 0)('because the file belongs to somebody else is said so', async () => {
    await oneBatch();
    chmodSync(folder, 0o755);
    chmodSync(join(folder, 'payfile'), 0o755);
    chmodSync(path, 0o444);
    const script = `
      import { openSqliteLedger } from ${JSON.stringify(new URL('../../../src/adapters/ledger/sqlite-ledger.ts', import.meta.url).href)};
      ${BECOME_NOBODY}
      const options = { path: ${JSON.stringify(path)}, binding: ${JSON.stringify(BINDING)}, create: false, clock: { now: () => 0 } };
      try { await openSqliteLedger(options); console.log('opened'); } catch (error) { console.log(error.code ?? error); }`;
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(said.trim()).toBe('ledger_unwritable');
  });
});

describe('a ledger that was set back to an older copy', () => {
  async function setBack(): Promise<void> {
    await oneBatch({ knownLedgersPath: known });
    copyFileSync(path, `${path}.yesterday`);
    const ledger = await openAt(path, { knownLedgersPath: known });
    const [batch] = await ledger.batches();
    if (batch === undefined) throw new TypeError('There is a batch');
    await walkedTo(ledger, await only(ledger, batch.id, 2), 'settled');
    await ledger.close();
    copyFileSync(`${path}.yesterday`, path);
  }

  it('[L25] is refused, for it has forgotten payments', async () => {
    await setBack();
    const error = await refusal(openAt(path, { knownLedgersPath: known }));
    expect(error.code).toBe('ledger_rolled_back');
    expect(error.message).toMatch(/compare this one with a statement and accept it\.$/);
  });

  it('may still be looked at', async () => {
    await setBack();
    const ledger = await openAt(path, { knownLedgersPath: known, readOnly: true });
    expect(await ledger.batches()).toHaveLength(1);
    await ledger.close();
  });

  it('works again once a person accepted it, and the journal keeps that', async () => {
    await setBack();
    const accepted = await openAt(path, { knownLedgersPath: known, acceptRollback: true });
    expect((await accepted.verify()).problems).toEqual([]);
    await accepted.close();
    const ledger = await openAt(path, { knownLedgersPath: known });
    expect((await ledger.verify()).problems).toEqual([]);
    await ledger.close();
    const raw = new DatabaseSync(path);
    expect(raw.prepare("SELECT kind FROM journal WHERE kind = 'rollback_accepted'").all()).toHaveLength(1);
    raw.close();
  });

  it('is no whole ledger to those who check it', async () => {
    await setBack();
    const ledger = await openAt(path, { knownLedgersPath: known, readOnly: true });
    expect((await ledger.verify()).problems).toEqual([
      expect.stringMatching(/older than this machine remembers: it has \d+ commits and had/),
    ]);
    await ledger.close();
  });

  it('[L25] sends nothing of what waited in it, even when accepted, until a person lifts the pause', async () => {
    await oneBatch({ knownLedgersPath: known });
    const before = await openAt(path, { knownLedgersPath: known });
    const done = await batchOf(before, [row(9)]);
    await walkedTo(before, await only(before, done, 10), 'settled');
    await before.close();
    copyFileSync(path, `${path}.yesterday`);
    const newer = await openAt(path, { knownLedgersPath: known });
    await batchOf(newer, [row(7)]);
    await newer.close();
    copyFileSync(`${path}.yesterday`, path);
    const accepted = await openAt(path, { knownLedgersPath: known, acceptRollback: true });
    const pauses = (await accepted.batches()).map(({ id, pause }) => [id === done, pause?.reason]);
    expect(pauses).toEqual([
      [true, undefined],
      [false, expect.stringContaining('compare it with a statement')],
    ]);
    expect((await accepted.verify()).problems).toEqual([]);
    await accepted.close();
  });

  it('[L24][L25] is noticed even after it has worked on as far as the newer one', async () => {
    await setBack();
    const apart = await openAt(path);
    await batchOf(apart, [row(7), row(8), row(9)]);
    for (let n = 0; n < 10; n += 1) await batchOf(apart, [row(20 + n)]);
    await apart.close();
    expect((await refusal(openAt(path, { knownLedgersPath: known }))).code).toBe('ledger_rolled_back');
  });
});

describe('the list of known ledgers', () => {
  it('names each ledger with its service and how far it has come, for this user alone', async () => {
    await oneBatch({ knownLedgersPath: known });
    const [ledger] = knownLedgers(known);
    expect(ledger).toMatchObject({ path, environment: 'sandbox', baseUrl: BINDING.baseUrl });
    expect(ledger?.head.commits).toBeGreaterThan(2);
    expect(mode(known)).toBe('600');
  });

  it('names a ledger by its whole path, for it is read again from another folder', async () => {
    path = relative(process.cwd(), path);
    await oneBatch({ knownLedgersPath: known });
    expect(knownLedgers(known).map((ledger) => ledger.path)).toEqual([resolve(path)]);
  });

  it('is empty when there is none, and refused when it cannot be read', async () => {
    expect(knownLedgers(known)).toEqual([]);
    writeFileSync(known, '{"ledgers": [');
    expect(() => knownLedgers(known)).toThrow(LedgerError);
    expect((await refusal(openAt(path, { knownLedgersPath: known }))).code).toBe('ledger_damaged');
    expect(readFileSync(known, 'utf8')).toBe('{"ledgers": [');
  });
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
    for (const ledger of ledgers) await ledger.close();
  });
});
