/** A backup is whole, of one moment, and checked; and going back to one never pays by itself. */
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  backupSqliteLedger,
  type OpenSqliteLedgerOptions,
  restoreSqliteLedger,
} from '../../../src/adapters/ledger/sqlite-ledger.ts';
import { LedgerError } from '../../../src/ports/ledger/errors.ts';
import { all, batchOf, eventsTo, only, row, walkedTo } from '../../builders/ledger-batches.ts';
import { NOW } from '../../builders/payouts.ts';
import { BINDING, openAt } from './ledger-files.ts';

const LIVE = { ...BINDING, environment: 'live' } as const;

let folder: string;
let path: string;
let to: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-backup-'));
  path = join(folder, 'ledger.db');
  to = join(folder, 'backup.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (at: string, options: Partial<OpenSqliteLedgerOptions> = {}) =>
  openAt(at, {
    binding: LIVE,
    knownLedgersPath: join(folder, 'config', 'known-ledgers.json'),
    ...options,
  });
const backUp = () => backupSqliteLedger({ path, to, binding: LIVE });
const restore = (options: { replace?: boolean; at?: string } = {}) =>
  restoreSqliteLedger({
    from: to,
    path: options.at ?? path,
    binding: LIVE,
    replace: options.replace === true,
    now: Date.UTC(2026, 4, 2),
  });

async function refusal(work: Promise<unknown>): Promise<LedgerError> {
  const answer: unknown = await work.catch((error: unknown) => error);
  if (!(answer instanceof LedgerError)) throw new TypeError(`Expected a refusal, got ${String(answer)}`);
  return answer;
}

describe('a backup', () => {
  it('made while the ledger is at work has all that was promised, also what stands in the log alone', async () => {
    const ledger = await open(path);
    const id = await batchOf(ledger, [row(1), row(2)], 'may');
    await walkedTo(ledger, await only(ledger, id, 2), 'accepted');
    await walkedTo(ledger, await only(ledger, id, 3), 'sending');
    const made = await backUp();
    expect(made).toMatchObject({ batches: 1, sending: 1, emergencyPath: undefined });
    await ledger.close();
    const copy = await open(to, { readOnly: true });
    expect((await all(copy, id)).map(({ state }) => state.status)).toEqual(['accepted', 'sending']);
    await copy.close();
  });

  it('is one private file, which can be read where nothing can be written', async () => {
    const ledger = await open(path);
    await batchOf(ledger, [row(1)]);
    await backUp();
    await ledger.close();
    const raw = new DatabaseSync(to, { readOnly: true });
    expect(raw.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'delete' });
    raw.close();
    expect(readdirSync(folder).filter((name) => name.startsWith('backup'))).toEqual(['backup.db']);
  });

  it('takes outcomes along that the ledger could not write yet', async () => {
    const ledger = await open(path);
    const id = await batchOf(ledger, [row(1)]);
    const sending = await walkedTo(ledger, await only(ledger, id, 2), 'sending');
    const accept = eventsTo('accepted', sending, ledger).at(-1);
    if (accept !== undefined) ledger.emergency(sending.id, 1, accept);
    expect(await backUp()).toMatchObject({ emergencyPath: `${to}.emergency` });
    await ledger.close();
    const elsewhere = join(folder, 'new', 'ledger.db');
    await restore({ at: elsewhere });
    const restored = await open(elsewhere, { acceptLedger: true, acceptRollback: true });
    expect((await only(restored, id, 2)).state).toMatchObject({ status: 'accepted', transferId: 'tr-1' });
    await restored.close();
  });

  it('pauses the batch of a row that was on the wire and never left, once a person accepts it', async () => {
    const ledger = await open(path);
    const id = await batchOf(ledger, [row(1)]);
    const sending = await walkedTo(ledger, await only(ledger, id, 2), 'sending');
    ledger.emergency(sending.id, 1, { kind: 'not_sent', phase: 'connect', reason: 'no route', at: NOW });
    await backUp();
    await ledger.close();
    await restore({ replace: true });
    const restored = await open(path, { acceptLedger: true });
    expect((await only(restored, id, 2)).state.status).toBe('approved');
    expect((await restored.batch(id))?.pause?.reason).toContain('compare it with a statement');
    await restored.close();
  });

  it('never takes the place of a file, nor stands beside what is left of another', async () => {
    await (await open(path)).close();
    writeFileSync(to, 'last night');
    expect(await refusal(backUp())).toMatchObject({ code: 'backup_unwritable' });
    expect(readFileSync(to, 'utf8')).toBe('last night');
    rmSync(to);
    writeFileSync(`${to}-wal`, 'of another database');
    expect((await refusal(backUp())).message).toContain(`${to}-wal is there already`);
    expect(existsSync(to)).toBe(false);
  });

  it('is not made of a ledger that does not pass its checks, so that it pushes out no good one', async () => {
    const ledger = await open(path);
    await batchOf(ledger, [row(1)]);
    await ledger.close();
    const raw = new DatabaseSync(path);
    raw.exec("UPDATE payouts SET account = '0244999999'");
    raw.close();
    expect(await refusal(backUp())).toMatchObject({ code: 'ledger_damaged' });
    expect(readdirSync(folder).filter((name) => name.startsWith('backup'))).toEqual([]);
  });
});

describe('a backup that was restored', () => {
  async function backedUp(): Promise<void> {
    const ledger = await open(path);
    const id = await batchOf(ledger, [row(1)], 'may');
    await walkedTo(ledger, await only(ledger, id, 2), 'approved');
    await backUp();
    await batchOf(ledger, [row(2)], 'june');
    await ledger.close();
  }

  it('never takes the place of a ledger unasked', async () => {
    await backedUp();
    expect(await refusal(restore())).toMatchObject({ code: 'ledger_present' });
    const ledger = await open(path);
    expect(await ledger.batches()).toHaveLength(2);
    await ledger.close();
  });

  it('sends nothing until a person accepts it, and the ledger that was there is kept whole', async () => {
    await backedUp();
    const { keptAt } = await restore({ replace: true });
    expect((await refusal(open(path))).code).toBe('ledger_rolled_back');
    const accepted = await open(path, { acceptRollback: true });
    expect((await accepted.batches()).map(({ name, pause }) => [name, pause !== undefined])).toEqual([
      ['may', true],
    ]);
    await accepted.close();
    const kept = await open(keptAt ?? '', { readOnly: true, knownLedgersPath: join(folder, 'nowhere.json') });
    expect((await kept.batches()).map(({ name }) => name)).toEqual(['june', 'may']);
    await kept.close();
  });

  it('is not known on another machine, though it is new in its place there', async () => {
    await backedUp();
    const elsewhere = join(folder, 'other', 'ledger.db');
    await restore({ at: elsewhere });
    const there = { knownLedgersPath: join(folder, 'other-config', 'known-ledgers.json') };
    expect((await refusal(open(elsewhere, there))).code).toBe('ledger_unknown');
    await (await open(elsewhere, { ...there, acceptLedger: true })).close();
    await (await open(elsewhere, there)).close();
  });

  it('names what the ledger in its place sent, though that one never went on from the backup', async () => {
    const sends = async (name: string, options: Partial<OpenSqliteLedgerOptions> = {}) => {
      const ledger = await open(path, options);
      const id = await batchOf(ledger, [row(1, { reference: name, account: `account of ${name}` })], name);
      await walkedTo(ledger, await only(ledger, id, 2), 'in_doubt');
      await ledger.close();
    };
    const older = join(folder, 'older.db');
    await sends('may');
    await backupSqliteLedger({ path, to: older, binding: LIVE });
    await sends('june');
    await sends('july');
    await backUp();
    await restoreSqliteLedger({
      from: older,
      path,
      binding: LIVE,
      replace: true,
      now: Date.UTC(2026, 4, 1),
    });
    await sends('august', { acceptRollback: true });
    expect((await restore({ replace: true })).sentSince).toEqual([{ batch: 'august', rows: 1 }]);
    const again = { from: to, path, binding: LIVE, replace: true, now: Date.UTC(2026, 4, 3) };
    expect((await restoreSqliteLedger(again)).sentSince).toEqual([]);
    expect((await restore({ at: join(folder, 'other.db') })).sentSince).toBeUndefined();
  });

  it('is never joined with the log of the ledger before it', async () => {
    await backedUp();
    const ledger = await open(path);
    await batchOf(ledger, [row(3)], 'july');
    copyFileSync(`${path}-wal`, join(folder, 'log'));
    await ledger.close();
    rmSync(path);
    copyFileSync(join(folder, 'log'), `${path}-wal`);
    const { keptAt } = await restore();
    expect(existsSync(`${keptAt}-wal`)).toBe(true);
    const restored = await open(path, { readOnly: true });
    expect((await restored.batches()).map(({ name }) => name)).toEqual(['may']);
    await restored.close();
  });

  it('does not take the place of a ledger that a process works with', async () => {
    await backedUp();
    const ledger = await open(path);
    expect(await refusal(restore({ replace: true }))).toMatchObject({ code: 'ledger_busy' });
    expect(await ledger.batches()).toHaveLength(2);
    await ledger.close();
  });

  it('is no other file, and nobody is told to keep that one as a damaged ledger', async () => {
    await backedUp();
    writeFileSync(to, 'Reference,Amount\n');
    const { code, message } = await refusal(restore({ replace: true }));
    expect([code, message]).toEqual([
      'backup_unusable',
      `${to} cannot be restored: it is not a whole backup of a ledger. Nothing was changed.`,
    ]);
  });

  it('is refused when it was changed, and the ledger stays where it is', async () => {
    await backedUp();
    const raw = new DatabaseSync(to);
    raw.exec("UPDATE payouts SET account = '0244999999'");
    raw.close();
    expect(await refusal(restore({ replace: true }))).toMatchObject({ code: 'backup_unusable' });
    const ledger = await open(path);
    expect(await ledger.batches()).toHaveLength(2);
    await ledger.close();
  });

  it('of another service is refused', async () => {
    const ledger = await openAt(path, { binding: { ...LIVE, loginId: 'ben' } });
    await ledger.close();
    await backupSqliteLedger({ path, to, binding: undefined });
    rmSync(path);
    expect(await refusal(restore())).toMatchObject({ code: 'ledger_foreign' });
    expect(existsSync(path)).toBe(false);
  });
});
