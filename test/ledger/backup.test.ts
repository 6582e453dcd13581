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
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { backupLedger, restoreLedger } from '../../src/ledger/backup.ts';
import { type OpenLedgerOptions, reading } from '../../src/ledger/file.ts';
import { THIS_MACHINE } from '../../src/ledger/machine.ts';
import { q } from '../../src/ledger/sql.ts';
import { connectSqlite } from '../../src/ledger/sqlite.ts';
import { batchOf, eventsTo, row, walkedTo } from '../builders/ledger-batches.ts';
import { NOW } from '../builders/payouts.ts';
import { LIVE, openAt, refusal, workedIn } from './ledger-files.ts';
import { type Opened, payoutAt, payoutsIn } from './new-ledgers.ts';

let folder: string;
let path: string;
let to: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-backup-'));
  path = join(folder, 'ledger.db');
  to = join(folder, 'backup.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const machine = { ...THIS_MACHINE, say: () => undefined };
const open = (at: string, options: Partial<OpenLedgerOptions> = {}) =>
  openAt(at, { binding: LIVE, machine, knownLedgersPath: join(folder, 'config', 'known'), ...options });
const backUp = () => backupLedger({ path, to, binding: LIVE });
const restore = (options: { replace?: boolean; at?: string; from?: string; day?: number } = {}) =>
  restoreLedger({
    ...{
      from: options.from ?? to,
      path: options.at ?? path,
      binding: LIVE,
      replace: options.replace === true,
    },
    now: timestampOf(Date.UTC(2026, 4, options.day ?? 2)),
  });
const namesIn = (at: string) =>
  reading(at, async (sql) =>
    (await sql.all(q`SELECT name FROM batches ORDER BY id`)).map(({ name }) => String(name)),
  );

/** One row on its way, in a ledger that is open. */
async function sendingIn(opened: Opened) {
  const id = await batchOf(opened.ledger, [row(1)], 'may');
  const [payout] = await payoutsIn(opened, id);
  if (payout === undefined) throw new TypeError('There is a row');
  return walkedTo(opened.ledger, payout, 'sending');
}

async function backedUp(): Promise<void> {
  const opened = await open(path);
  await workedIn(opened, 'may');
  await backUp();
  await workedIn(opened, 'june');
  await opened.ledger.close();
}

function tamper(at: string): void {
  const db = connectSqlite(at);
  db.exec("UPDATE payouts SET account = '0244999999'; PRAGMA journal_mode = DELETE");
  db.close();
}

describe('a backup', () => {
  it('made while the ledger is at work is one private file that has all that was promised', async () => {
    const opened = await open(path);
    await sendingIn(opened);
    expect(await backUp()).toMatchObject({ batches: 1, sending: 1, emergencyPath: undefined });
    await opened.ledger.close();
    expect(readdirSync(folder).filter((name) => name.startsWith('backup'))).toEqual(['backup.db']);
    expect(readFileSync(to).readUInt8(18)).toBe(1);
    const copy = await open(to, { readOnly: true });
    const found = await copy.parts.read.all(q`SELECT status FROM payouts`);
    expect(found).toEqual([{ status: 'sending' }]);
    await copy.ledger.close();
  });

  it('takes outcomes along that the ledger could not write yet', async () => {
    const opened = await open(path);
    const sending = await sendingIn(opened);
    const accept = eventsTo('accepted', sending, opened.ledger).at(-1);
    if (accept !== undefined) opened.ledger.emergency(sending.id, 1, accept);
    expect(await backUp()).toMatchObject({ emergencyPath: `${to}.emergency` });
    await opened.ledger.close();
    const elsewhere = join(folder, 'new', 'ledger.db');
    await restore({ at: elsewhere });
    const restored = await open(elsewhere, { acceptLedger: true, acceptRollback: true });
    expect((await payoutAt(restored, sending.id))?.state.status).toBe('accepted');
    await restored.ledger.close();
  });

  it('pauses the batch of a row that was on the wire and never left, once a person accepts it', async () => {
    const opened = await open(path);
    const { id, batchId } = await sendingIn(opened);
    opened.ledger.emergency(id, 1, { kind: 'not_sent', phase: 'connect', reason: 'no route', at: NOW });
    await backUp();
    await opened.ledger.close();
    await restore({ replace: true });
    const restored = await open(path, { acceptLedger: true });
    expect((await payoutAt(restored, id))?.state.status).toBe('approved');
    expect((await restored.ledger.batch(batchId))?.pause?.reason).toContain('compare it with a statement');
    await restored.ledger.close();
  });

  it('is not made of a ledger that does not pass its checks, so that it pushes out no good one', async () => {
    await backedUp();
    rmSync(to);
    tamper(path);
    expect(await refusal(backUp())).toMatchObject({ code: 'ledger_damaged' });
    expect(readdirSync(folder).filter((name) => name.startsWith('backup'))).toEqual([]);
  });

  it('never takes the place of a file, nor stands beside what is left of another', async () => {
    await (await open(path)).ledger.close();
    writeFileSync(to, 'last night');
    expect(await refusal(backUp())).toMatchObject({ code: 'backup_unwritable' });
    expect(readFileSync(to, 'utf8')).toBe('last night');
    rmSync(to);
    writeFileSync(`${to}-wal`, 'of another database');
    expect((await refusal(backUp())).message).toContain(`${to}-wal is there already`);
    expect(existsSync(to)).toBe(false);
  });
});

describe('a backup that was restored', () => {
  it('never takes the place of a ledger unasked, nor of one that a process works with', async () => {
    await backedUp();
    expect(await refusal(restore())).toMatchObject({ code: 'ledger_present' });
    const opened = await open(path);
    expect(await refusal(restore({ replace: true }))).toMatchObject({ code: 'ledger_busy' });
    await opened.ledger.close();
    expect(await namesIn(path)).toEqual(['may', 'june']);
  });

  it('sends nothing until a person accepts it, and the ledger that was there is kept whole', async () => {
    await backedUp();
    const { keptAt = '' } = await restore({ replace: true });
    expect((await refusal(open(path))).code).toBe('ledger_rolled_back');
    const accepted = await open(path, { acceptRollback: true });
    expect(await accepted.ledger.batches()).toMatchObject([
      { name: 'may', pause: { reason: expect.stringContaining('compare it with a statement') } },
    ]);
    expect(await accepted.ledger.verify()).toMatchObject({ problems: [], accepted: expect.any(String) });
    await accepted.ledger.close();
    await (await open(path)).ledger.close();
    expect([await namesIn(path), await namesIn(keptAt)]).toEqual([['may'], ['may', 'june']]);
  });

  it('sends nothing although it has come as far as is remembered, or is named by the configuration', async () => {
    const opened = await open(path, { newId: () => 'abc' });
    await workedIn(opened);
    await opened.ledger.close();
    await backUp();
    await restore({ replace: true });
    const named = { namedId: 'abc', knownLedgersPath: join(folder, 'empty', 'known') };
    for (const opening of [open(path), open(path, named)])
      expect((await refusal(opening)).message).toContain('it was restored from a backup');
    await (await open(path, { acceptLedger: true })).ledger.close();
    await (await open(path, named)).ledger.close();
  });

  it('is not known on another machine, though it is new in its place there', async () => {
    await backedUp();
    const elsewhere = join(folder, 'other', 'ledger.db');
    await restore({ at: elsewhere });
    const there = { knownLedgersPath: join(folder, 'other-config', 'known') };
    expect((await refusal(open(elsewhere, there))).code).toBe('ledger_unknown');
    await (await open(elsewhere, { ...there, acceptLedger: true })).ledger.close();
    await (await open(elsewhere, there)).ledger.close();
  });

  it('names what the ledger in its place sent, though that one never went on from the backup', async () => {
    const sends = async (name: string, options: Partial<OpenLedgerOptions> = {}) => {
      const opened = await open(path, options);
      const id = await batchOf(
        opened.ledger,
        [row(1, { reference: name, account: `account of ${name}` })],
        name,
      );
      const [payout] = await payoutsIn(opened, id);
      if (payout !== undefined) await walkedTo(opened.ledger, payout, 'in_doubt');
      await opened.ledger.close();
    };
    const older = join(folder, 'older.db');
    await sends('may');
    await backupLedger({ path, to: older, binding: LIVE });
    await sends('june');
    await backUp();
    await restore({ from: older, replace: true, day: 1 });
    await sends('august', { acceptRollback: true });
    expect((await restore({ replace: true })).sentSince).toEqual([{ batch: 'august', rows: 1 }]);
    expect((await restore({ replace: true, day: 3 })).sentSince).toEqual([]);
    expect((await restore({ at: join(folder, 'other.db') })).sentSince).toBeUndefined();
  });

  it('is refused when it was changed, and the ledger stays where it is', async () => {
    await backedUp();
    tamper(to);
    expect(await refusal(restore({ replace: true }))).toMatchObject({ code: 'backup_unusable' });
    expect(await namesIn(path)).toEqual(['may', 'june']);
  });

  it('is never joined with the log of the ledger before it', async () => {
    await backedUp();
    const opened = await open(path);
    await workedIn(opened, 'july');
    copyFileSync(`${path}-wal`, join(folder, 'log'));
    await opened.ledger.close();
    rmSync(path);
    copyFileSync(join(folder, 'log'), `${path}-wal`);
    const { keptAt } = await restore();
    expect(existsSync(`${keptAt}-wal`)).toBe(true);
    expect(await namesIn(path)).toEqual(['may']);
  });

  it('is no other file and of no other service, and nobody is told to keep that one as a damaged ledger', async () => {
    await backedUp();
    expect(
      (
        await refusal(
          restoreLedger({
            ...{
              from: to,
              path: join(folder, 'x.db'),
              binding: { ...LIVE, loginId: 'ben' },
              replace: false,
              now: NOW,
            },
          }),
        )
      ).code,
    ).toBe('ledger_foreign');
    writeFileSync(to, 'Reference,Amount\n');
    const { code, message } = await refusal(restore({ replace: true }));
    expect([code, message]).toEqual([
      'backup_unusable',
      `${to} cannot be restored: it is not a whole backup of a ledger. Nothing was changed.`,
    ]);
    rmSync(to);
    expect((await refusal(restore())).code).toBe('backup_missing');
  });
});
