/**
 * A live ledger that this user or machine never saw may not know of later payments: nothing is sent with it until a person
 * accepts it. And what a live ledger is bound to beside its service: the address that gets the password.
 */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
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
import type { BatchId } from '../../../src/domain/payouts/instruction.ts';
import { timestampOf } from '../../../src/domain/timestamp.ts';
import { LedgerError } from '../../../src/ports/ledger/errors.ts';
import type { StagedRow } from '../../../src/ports/ledger/imports.ts';
import type { Ledger } from '../../../src/ports/ledger/ledger.ts';
import { all, batchOf, importOf, only, row, sealOf, walkedTo } from '../../builders/ledger-batches.ts';
import { BINDING, openAt } from './ledger-files.ts';

const LIVE = { ...BINDING, environment: 'live', authUrl: 'https://login.example' } as const;

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-known-'));
  mkdirSync(join(folder, 'pay'));
  path = join(folder, 'pay', 'ledger.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** As a user with a list of his own. */
const openAs = (user: string, at: string, options: Partial<OpenSqliteLedgerOptions> = {}) =>
  openAt(at, {
    binding: LIVE,
    create: false,
    knownLedgersPath: join(folder, user, 'known-ledgers.json'),
    ...options,
  });

async function refusal(
  opening: Promise<Ledger>,
): Promise<{ readonly code: string; readonly message: string }> {
  const answer: unknown = await opening.catch((error: unknown) => error);
  if (!(answer instanceof LedgerError)) throw new TypeError('The ledger was opened');
  return answer;
}

const opens = async (opening: Promise<Ledger>) => (await opening).close();

/** A batch with one row settled and one that waits to be sent. */
async function worked(): Promise<void> {
  const ledger = await openAs('ama', path, { create: true });
  const id = await batchOf(ledger, [row(1), row(2)], 'may');
  await walkedTo(ledger, await only(ledger, id, 2), 'settled');
  await walkedTo(ledger, await only(ledger, id, 3), 'approved');
  await ledger.close();
}

async function revisedTo(ledger: Ledger, id: BatchId, rows: readonly StagedRow[]): Promise<void> {
  const importId = await importOf(ledger, rows);
  const seal = await sealOf(ledger, importId);
  await ledger.revise(id, importId, { by: 'ben', at: timestampOf(5), seal });
}

/** All entries of the ledger's own chain but the first, kind and body. */
function ledgerEntries(at = path): (readonly [string, Record<string, unknown>])[] {
  const raw = new DatabaseSync(at);
  const rows = raw
    .prepare('SELECT kind, body FROM journal WHERE batch = 0 AND payout IS NULL ORDER BY seq')
    .all();
  raw.close();
  return rows.slice(1).map(({ kind, body }) => [String(kind), JSON.parse(String(body))]);
}

describe('a live ledger', () => {
  it('that was copied to another place is refused for sending, and says what a person may do', async () => {
    await worked();
    copyFileSync(path, join(folder, 'copy.db'));
    const { code, message } = await refusal(openAs('ben', join(folder, 'copy.db')));
    expect(code).toBe('ledger_unknown');
    expect(message).toMatch(/compare it with a statement of the service and accept it\.$/);
  });

  it('that was copied with its whole folder is refused, for the mark in it names another file', async () => {
    await worked();
    cpSync(join(folder, 'pay'), join(folder, 'restored'), { recursive: true, preserveTimestamps: true });
    expect((await refusal(openAs('ben', join(folder, 'restored', 'ledger.db')))).code).toBe('ledger_unknown');
  });

  it('that is a copy is refused also to a user who knows the ledger itself', async () => {
    await worked();
    cpSync(join(folder, 'pay'), join(folder, 'restored'), { recursive: true });
    expect((await refusal(openAs('ama', join(folder, 'restored', 'ledger.db')))).code).toBe('ledger_unknown');
  });

  it('is opened without a question by a user with a new home, for the mark names this very file', async () => {
    await worked();
    await opens(openAs('a-new-container', path));
  });

  it('with an older state put in its place is refused to a user who never saw it, by the mark', async () => {
    const ledger = await openAs('ama', path, { create: true });
    await ledger.close();
    copyFileSync(path, join(folder, 'older.db'));
    await worked();
    // The bytes change, the file stays the same one.
    writeFileSync(path, readFileSync(join(folder, 'older.db')));
    expect((await refusal(openAs('ben', path))).code).toBe('ledger_rolled_back');
  });

  it('whose log was lost is refused to a user who never saw it, by the mark', async () => {
    const writer = await openAs('ama', path, { create: true });
    await batchOf(writer, [row(1)]);
    copyFileSync(path, join(folder, 'without-log.db'));
    await writer.close();
    writeFileSync(path, readFileSync(join(folder, 'without-log.db')));
    expect((await refusal(openAs('ben', path))).code).toBe('ledger_rolled_back');
  });

  it('may be read though it is not known, and whoever verifies it is told', async () => {
    await worked();
    copyFileSync(path, join(folder, 'copy.db'));
    const ledger = await openAs('ben', join(folder, 'copy.db'), { readOnly: true });
    expect(await ledger.batches()).toHaveLength(1);
    expect(await ledger.verify()).toMatchObject({
      problems: [],
      unknownHere: 'this user has not worked with it before',
    });
    await ledger.close();
  });
});

describe('a live ledger that the configuration names by its id', () => {
  const idOf = async () => {
    const ledger = await openAs('ama', path);
    await ledger.close();
    return ledger.identity.id;
  };

  it('opens without a question for a user with an empty home, also without creation times', async () => {
    await worked();
    const namedId = await idOf();
    const forgetBirth = () => {
      const mark = JSON.parse(readFileSync(`${path}.mark`, 'utf8')) as object;
      writeFileSync(`${path}.mark`, JSON.stringify({ ...mark, birth: null }));
    };
    forgetBirth();
    expect((await refusal(openAs('container-1', path))).code).toBe('ledger_unknown');
    await opens(openAs('container-1', path, { namedId }));
    forgetBirth();
    await opens(openAs('container-2', path, { namedId }));
  });

  it('is refused when an older state was written over it and the mark is gone', async () => {
    await worked();
    const namedId = await idOf();
    const older = readFileSync(path);
    const ledger = await openAs('ama', path);
    const june = await batchOf(ledger, [row(9)], 'june');
    await walkedTo(ledger, await only(ledger, june, 10), 'settled');
    await ledger.close();
    // As cp does: the same file, with what it was.
    writeFileSync(path, older);
    rmSync(`${path}.mark`);
    expect((await refusal(openAs('container', path, { namedId }))).code).toBe('ledger_unknown');
  });

  it('is refused when it is a copy, a restored backup, or older than the mark beside it', async () => {
    await worked();
    const namedId = await idOf();
    copyFileSync(path, join(folder, 'copy.db'));
    expect((await refusal(openAs('new', join(folder, 'copy.db'), { namedId }))).code).toBe('ledger_unknown');
    await backupSqliteLedger({ path, to: join(folder, 'backup.db'), binding: LIVE });
    const mark = JSON.parse(readFileSync(`${path}.mark`, 'utf8')) as { commits: number };
    writeFileSync(`${path}.mark`, JSON.stringify({ ...mark, commits: mark.commits + 1 }));
    expect((await refusal(openAs('new', path, { namedId }))).code).toBe('ledger_rolled_back');
    await restoreSqliteLedger({
      ...{ from: join(folder, 'backup.db'), path, binding: LIVE, group: false, replace: true, now: 0 },
    });
    expect(await refusal(openAs('new', path, { namedId }))).toMatchObject({
      code: 'ledger_unknown',
      message: expect.stringContaining('restored from a backup'),
    });
  });

  it('is the only one that payfile opens, and payfile makes no other one', async () => {
    await worked();
    const other = { namedId: 'f'.repeat(32) };
    for (const options of [other, { ...other, readOnly: true }])
      expect((await refusal(openAs('ama', path, options))).code).toBe('ledger_foreign');
    const missing = join(folder, 'missing.db');
    const { code, message } = await refusal(openAs('ama', missing, { ...other, create: true }));
    expect(code).toBe('ledger_gone');
    expect(message).toContain('take it out of the configuration (ledger.id)');
    expect(existsSync(missing)).toBe(false);
  });
});

describe('a ledger that a person accepts', () => {
  it('is paused where something could be sent, and the journal keeps who accepted it, and why', async () => {
    await worked();
    copyFileSync(path, join(folder, 'copy.db'));
    const copy = join(folder, 'copy.db');
    const at = Date.UTC(2026, 4, 2);
    const clock = { now: () => timestampOf(at) };
    const accepted = await openAs('ben', copy, { acceptLedger: true, by: 'ben', clock });
    const [batch] = await accepted.batches();
    expect(batch?.pause?.reason).toContain('compare it with a statement');
    expect((await accepted.verify()).problems).toEqual([]);
    await accepted.close();
    expect(ledgerEntries(copy).at(-1)).toEqual([
      'ledger_accepted',
      {
        v: 1,
        why: 'this user has not worked with it before',
        by: 'ben',
        file: expect.objectContaining({ inode: expect.any(String) }),
        used: { payout: at * 100, batch: at },
      },
    ]);
    await opens(openAs('ben', copy));
  });

  it('pauses each new batch and each one that gets rows, until it is resumed or everything was compared', async () => {
    await worked();
    copyFileSync(path, join(folder, 'copy.db'));
    const copy = join(folder, 'copy.db');
    const ledger = await openAs('ben', copy, { acceptLedger: true, by: 'ben' });
    const isPaused = async (id: BatchId) => (await ledger.batch(id))?.pause !== undefined;
    const resume = (id: BatchId) => ledger.resume(id, 'ben', timestampOf(5));
    const june = await batchOf(ledger, [row(1)], 'june');
    expect(await isPaused(june)).toBe(true);
    await resume(june);
    await revisedTo(ledger, june, [row(1), row(2)]);
    expect(await isPaused(june)).toBe(false);

    await ledger.resumeAll('ben', timestampOf(6));
    expect((await ledger.batches()).filter(({ pause }) => pause !== undefined)).toEqual([]);
    expect(await isPaused(await batchOf(ledger, [row(3)], 'july'))).toBe(false);
    expect((await ledger.verify()).problems).toEqual([]);
    await ledger.close();
  });

  it('keeps the pause of a person, which only that person’s word on this batch ends', async () => {
    await worked();
    const first = await openAs('ama', path);
    const id = await batchOf(first, [row(7)], 'fraud');
    await first.pause(id, { reason: 'fraud, never pay this', by: 'ama', at: timestampOf(4) });
    await first.close();
    copyFileSync(path, join(folder, 'copy.db'));
    const ledger = await openAs('ben', join(folder, 'copy.db'), { acceptLedger: true });
    const reason = async () => (await ledger.batch(id))?.pause?.reason;
    const resume = () => ledger.resume(id, 'ben', timestampOf(5));
    expect(await reason()).toBe('fraud, never pay this');
    const pause = () => ledger.pause(id, { reason: 'the auditor', by: 'ama', at: timestampOf(5) });
    await resume();
    expect(await reason()).toContain('compare it with a statement');
    await pause();
    await resume();
    expect(await reason()).toContain('compare it with a statement');
    await resume();
    expect(await reason()).toBeUndefined();
    await pause();
    await resume();
    expect(await reason()).toBeUndefined();

    await ledger.pause(id, { reason: 'fraud, never pay this', by: 'ama', at: timestampOf(4) });
    await ledger.resumeAll('ben', timestampOf(6));
    expect(await reason()).toBe('fraud, never pay this');
    expect((await ledger.verify()).problems).toEqual([]);
    await ledger.close();
  });

  it('pauses a finished batch that gets rows, or of which a row is paid again', async () => {
    const first = await openAs('ama', path, { create: true });
    const [grown, again] = [await batchOf(first, [row(1)], 'grown'), await batchOf(first, [row(2)], 'again')];
    await walkedTo(first, await only(first, grown, 2), 'settled');
    await walkedTo(first, await only(first, again, 3), 'refused');
    await first.close();
    copyFileSync(path, join(folder, 'copy.db'));
    const ledger = await openAs('ben', join(folder, 'copy.db'), { acceptLedger: true });
    expect((await ledger.batches()).map(({ pause }) => pause)).toEqual([undefined, undefined]);
    await revisedTo(ledger, grown, [row(1), row(3)]);
    await ledger.addReplacement((await only(ledger, again, 3)).id, 'ben', timestampOf(5));
    for (const id of [grown, again])
      expect((await ledger.batch(id))?.pause?.reason).toContain('not known here');
    await ledger.close();
  });

  it('gives out no id that it gave out in another life, however often it is set back, and no tag', async () => {
    const known = { knownLedgersPath: join(folder, 'ama', 'known-ledgers.json') };
    await opens(openAs('ama', path, { ...known, create: true }));
    const backup = join(folder, 'backup.db');
    await backupSqliteLedger({ path, to: backup, binding: LIVE });
    const [batches, ids, tags] = [new Set<string>(), new Set<string>(), new Set<string>()];
    const live = async (options: Partial<OpenSqliteLedgerOptions>) => {
      await opens(openAs('ama', path, { ...known, ...options }));
      const ledger = await openAs('ama', path, known);
      const id = await batchOf(ledger, [row(1), row(2)], 'may');
      const sent = await walkedTo(ledger, await only(ledger, id, 2), 'refused');
      const again = await ledger.addReplacement(sent.id, 'ama', timestampOf(5));
      expect(again.instruction?.replaces).toBe(sent.id);
      batches.add(id);
      for (const one of [sent, await only(ledger, id, 3), again]) ids.add(one.id);
      if ('tag' in sent.state) tags.add(String(sent.state.tag));
      expect(Number(again.id)).toBeLessThan(1e15);
      expect((await ledger.verify()).problems).toEqual([]);
      await ledger.close();
    };
    await live({});
    for (let life = 0; life < 2; life += 1) {
      const given = {
        from: backup,
        path,
        binding: LIVE,
        replace: true,
        now: Date.now() + life,
      };
      await restoreSqliteLedger(given);
      await live({ acceptRollback: true });
    }
    expect([batches.size, ids.size, tags.size]).toEqual([3, 9, 3]);
  });

  it('adds up what may be sent on one day, before the gap in the ids and behind it', async () => {
    await worked();
    copyFileSync(path, join(folder, 'copy.db'));
    const ledger = await openAs('ben', join(folder, 'copy.db'), { acceptLedger: true });
    const [before] = await ledger.principalSince(timestampOf(0));
    const june = await batchOf(ledger, [row(3)], 'june');
    const added = await walkedTo(ledger, await only(ledger, june, 4), 'approved');
    const minor = (before?.minor ?? 0n) + (added.instruction?.amount.minor ?? 0n);
    expect(await ledger.principalSince(timestampOf(0))).toEqual([{ currency: 'GHS', minor }]);
    await ledger.close();
  });

  it('does not take the number of a forgotten batch for the beginning of a new one', async () => {
    await worked();
    copyFileSync(path, join(folder, 'copy.db'));
    const ledger = await openAs('ben', join(folder, 'copy.db'), { acceptLedger: true });
    const june = await batchOf(ledger, [row(3)]);
    expect(await ledger.findBatch(june)).toMatchObject({ kind: 'found', batch: { id: june } });
    expect(await ledger.findBatch(june.slice(0, 2))).toEqual({ kind: 'none' });
    await ledger.close();
  });

  it('never goes back to an id that it gave out itself, whatever the clock says', async () => {
    await worked();
    copyFileSync(path, join(folder, 'copy.db'));
    const clock = { now: () => timestampOf(1) };
    const ledger = await openAs('ben', join(folder, 'copy.db'), { acceptLedger: true, clock });
    const [may] = await ledger.batches();
    const june = await batchOf(ledger, [row(3)], 'june');
    expect(Number(june)).toBe(Number(may?.id) + 1);
    expect((await all(ledger, june)).map(({ id }) => id)).toEqual(['101']);
    await ledger.close();
  });

  it('is not accepted, and not without its pauses, when accepting breaks off in the middle', async () => {
    await worked();
    copyFileSync(path, join(folder, 'copy.db'));
    const copy = join(folder, 'copy.db');
    // The list of ledgers cannot be written: a folder stands where its new text goes.
    const obstacle = join(folder, 'ben', `known-ledgers.json.${process.pid}.tmp`);
    mkdirSync(obstacle, { recursive: true });
    expect((await refusal(openAs('ben', copy, { acceptLedger: true }))).code).toBe('ledger_unwritable');
    rmSync(obstacle, { recursive: true, force: true });
    expect((await refusal(openAs('ben', copy))).code).toBe('ledger_unknown');
    const ledger = await openAs('ben', copy, { readOnly: true });
    expect((await ledger.batches())[0]?.pause?.reason).toContain('not known here');
    await ledger.close();
  });

  it('that is older than it was is not accepted as an unknown one', async () => {
    await worked();
    copyFileSync(path, join(folder, 'older.db'));
    const ledger = await openAs('ama', path);
    await batchOf(ledger, [row(9)]);
    await ledger.close();
    const older = openAs('ama', join(folder, 'older.db'), { acceptLedger: true });
    expect((await refusal(older)).code).toBe('ledger_rolled_back');
  });

  it('makes the one that it was copied from refused in its turn', async () => {
    await worked();
    copyFileSync(path, join(folder, 'copy.db'));
    await opens(openAs('ama', join(folder, 'copy.db'), { acceptLedger: true }));
    expect((await refusal(openAs('ama', path))).code).toBe('ledger_rolled_back');
  });
});

describe('the login address', () => {
  const MOVED = { ...LIVE, authUrl: 'https://elsewhere.example' };

  it('that changed is refused for sending, naming both', async () => {
    await worked();
    const { code, message } = await refusal(openAs('ama', path, { binding: MOVED }));
    expect(code).toBe('ledger_login_moved');
    for (const part of ['https://login.example', 'https://elsewhere.example', 'accept it.'])
      expect(message).toContain(part);
  });

  it('that a person accepted is journaled with the one before it, and the old one is refused then', async () => {
    await worked();
    await opens(openAs('ama', path, { binding: MOVED, acceptAuthUrl: true, by: 'ama' }));
    expect(ledgerEntries().at(-1)).toEqual([
      'bound',
      { v: 1, authUrl: 'https://elsewhere.example', before: 'https://login.example', by: 'ama' },
    ]);
    await opens(openAs('ama', path, { binding: MOVED }));
    expect((await refusal(openAs('ama', path))).code).toBe('ledger_login_moved');
  });

  it('does not keep anybody from reading', async () => {
    await worked();
    const ledger = await openAs('ama', path, { binding: MOVED, readOnly: true });
    const [batch] = await ledger.batches();
    expect(batch === undefined ? 0 : (await all(ledger, batch.id)).length).toBe(2);
    await ledger.close();
  });
});
