/**
 * A ledger that may not know what was paid later is refused until a person accepts it: a copy, a restored backup, a file that
 * was set back, one that is gone, and one that this user or machine never saw. And what a live ledger is bound to beside its
 * service: the address that gets the password.
 */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { backupLedger, restoreLedger } from '../../src/ledger/backup.ts';
import { type OpenLedgerOptions, requireSameLogin } from '../../src/ledger/file.ts';
import { knownLedgers } from '../../src/ledger/known.ts';
import { THIS_MACHINE } from '../../src/ledger/machine.ts';
import { q } from '../../src/ledger/sql.ts';
import { batchOf, only, row, walkedTo } from '../builders/ledger-batches.ts';
import { LIVE, openAt, refusal, SANDBOX, workedIn } from './ledger-files.ts';
import type { Opened } from './new-ledgers.ts';

let folder: string;
let path: string;
let copy: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-known-'));
  mkdirSync(join(folder, 'pay'));
  path = join(folder, 'pay', 'ledger.db');
  copy = join(folder, 'copy', 'ledger.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const memoryOf = (user: string) => join(folder, user, 'known-ledgers');

/** As a user with a memory of his own. */
const openAs = (user: string, at: string, options: Partial<OpenLedgerOptions> = {}) =>
  openAt(at, { binding: LIVE, create: false, knownLedgersPath: memoryOf(user), ...options });

const opens = async (opening: Promise<Opened>) => (await opening).ledger.close();

async function worked(name?: string, at = path): Promise<void> {
  const opened = await openAs('ama', at, { create: !existsSync(at) });
  await workedIn(opened, name);
  await opened.ledger.close();
}

const copied = () => cpSync(join(folder, 'pay'), join(folder, 'copy'), { recursive: true });

/** Worked with, and then set back to before. */
async function setBack(): Promise<void> {
  await worked();
  const aside = join(folder, 'aside.db');
  copyFileSync(path, aside);
  await worked('june');
  copyFileSync(aside, path);
}

async function ownEntries(at: string) {
  const { parts, ledger } = await openAt(at, { binding: LIVE, readOnly: true });
  const rows = await parts.read.all(q`SELECT kind, body FROM journal WHERE batch = 0 ORDER BY seq`);
  await ledger.close();
  return rows.map(({ kind, body }) => [String(kind), JSON.parse(String(body))] as const);
}

describe('a live ledger', () => {
  it('is worked with again by the user who made it, and names its place', async () => {
    await worked();
    await worked('june');
    expect(knownLedgers(memoryOf('ama'))).toMatchObject([{ path, place: path, environment: 'live' }]);
    expect(readdirSync(memoryOf('ama'))).toHaveLength(1);
    expect(await ownEntries(path)).toMatchObject([
      ['created', { environment: 'live' }],
      ['bound', { authUrl: 'https://login.example', place: path }],
    ]);
  });

  it('that was copied is refused to a user who knows the ledger itself, while that one is there', async () => {
    await worked();
    copied();
    const { code, message } = await refusal(openAs('ama', copy));
    expect(code).toBe('ledger_unknown');
    expect(message).toContain(`it is another file than the one that this user worked with at ${path}`);
    expect(message).toMatch(/compare it with a statement of the service and accept it\.$/);
  });

  it('is refused on a machine that never saw it', async () => {
    await worked();
    expect((await refusal(openAs('a-new-machine', path))).message).toContain('has not worked with it before');
  });

  it('[L25] with an older state put in its place is refused, by how far it had come', async () => {
    await setBack();
    const { ledger } = await openAs('ama', path, { readOnly: true });
    expect((await ledger.verify()).problems).toEqual([
      expect.stringContaining('It is older than this machine remembers: it has'),
    ]);
    await ledger.close();
    const { code, message } = await refusal(openAs('ama', path));
    expect(code).toBe('ledger_rolled_back');
    expect(message).toMatch(/it has \d+ commits and had \d+ on 20/);
  });

  it('whose log was lost is refused, also after its process was killed', async () => {
    await worked();
    const opened = await openAs('ama', path);
    await workedIn(opened, 'june');
    // What a killed process leaves: no last word, and its newest commits in the log alone.
    copied();
    cpSync(memoryOf('ama'), memoryOf('killed'), { recursive: true });
    await opened.ledger.close();
    for (const end of ['-wal', '-shm']) rmSync(`${copy}${end}`, { force: true });
    rmSync(join(folder, 'pay'), { recursive: true });
    renameSync(join(folder, 'copy'), join(folder, 'pay'));
    for (const name of readdirSync(memoryOf('killed')))
      if (name.endsWith('.open')) rmSync(join(memoryOf('killed'), name));
    expect((await refusal(openAs('killed', path))).code).toBe('ledger_rolled_back');
  });

  it('[L24][L25] that was set back is noticed even after it came as far again by the work of others', async () => {
    await setBack();
    const other = await openAs('ben', path, { acceptLedger: true });
    for (const name of ['july', 'august']) await workedIn(other, name);
    await other.ledger.close();
    expect((await refusal(openAs('ama', path))).message).toContain('is not the one seen on');
  });

  it('that is gone is not made anew, not even on request', async () => {
    await worked();
    const aside = `${path}.replaced-2026-05-01T00-00-00-000Z`;
    renameSync(path, aside);
    const { code, message } = await refusal(openAs('ama', path, { create: true }));
    expect(code).toBe('ledger_gone');
    const [name = ''] = readdirSync(memoryOf('ama'));
    for (const words of [
      `it may be ${aside}`,
      `Where it paid nothing, remove ${join(memoryOf('ama'), name)}.`,
    ])
      expect(message).toContain(words);
    expect((await refusal(openAs('ben', path, { create: true, namedId: 'x' }))).code).toBe('ledger_gone');
    expect(existsSync(path)).toBe(false);
  });

  it('that was made and never worked with may be made again', async () => {
    await opens(openAs('ama', path, { create: true }));
    rmSync(path);
    await opens(openAs('ama', path, { create: true }));
  });

  it('whose folder was moved whole is worked with as before, also by a process that was killed making it', async () => {
    await worked();
    renameSync(join(folder, 'pay'), join(folder, 'copy'));
    await opens(openAs('ama', copy));
    expect(knownLedgers(memoryOf('ama'))).toMatchObject([{ path: copy, place: copy }]);
  });

  it('may be read though it is not known', async () => {
    await worked();
    copied();
    const { ledger } = await openAs('ben', copy, { readOnly: true });
    expect(await ledger.verify()).toMatchObject({
      problems: [],
      unknownHere: 'this user has not worked with it before',
    });
    const lease = ledger.approvalTurn('ben');
    expect((await refusal(lease)).code).toBe('ledger_unwritable');
    await ledger.close();
    expect(existsSync(memoryOf('ben'))).toBe(false);
  });
});

describe('a ledger that the configuration names by its id', () => {
  it('opens without a question for a user with an empty home, where it was made', async () => {
    const newId = () => 'abc';
    await opens(openAs('ama', path, { create: true, newId }));
    await worked();
    await opens(openAs('a-new-container', path, { namedId: 'abc' }));
    copied();
    // With what is remembered beside it, and without.
    const asAnother = () => refusal(openAs('another', copy, { namedId: 'abc' }));
    expect((await asAnother()).message).toContain(
      'it is another file than the one that this user worked with',
    );
    rmSync(`${copy}.known`, { recursive: true });
    expect((await asAnother()).message).toContain(
      'the configuration names it, but it is not where it was made',
    );
  });

  it('[L25] is refused to such a user where an older state was written over it, or its log was lost', async () => {
    await opens(openAs('ama', path, { create: true, newId: () => 'abc' }));
    await opens(openAs('container-1', path, { namedId: 'abc' }));
    const older = readFileSync(path);
    const opened = await openAs('container-2', path, { namedId: 'abc' });
    await workedIn(opened, 'june');
    await opened.ledger.close();
    // As cp does: the same file, with what it was.
    writeFileSync(path, older);
    expect((await refusal(openAs('container-3', path, { namedId: 'abc' }))).code).toBe('ledger_rolled_back');
  });

  it('is the only one that payfile opens', async () => {
    await worked();
    const { code, message } = await refusal(openAs('ama', path, { namedId: 'other' }));
    expect([code, message.includes('the configuration names other')]).toEqual(['ledger_foreign', true]);
  });
});

describe('a ledger that a person accepts', () => {
  it('says in its journal who accepted it, and why, and gives out no id that it gave out in another life', async () => {
    await worked();
    copied();
    const opened = await openAs('ama', copy, { acceptLedger: true, by: 'ben' });
    await workedIn(opened, 'june');
    const { last } =
      (await opened.parts.read.get(q`SELECT min(id) AS last FROM payouts WHERE batch > 1`)) ?? {};
    expect(Number(last)).toBeGreaterThan(1e14);
    await opened.ledger.close();
    expect((await ownEntries(copy)).at(-1)).toMatchObject(['ledger_accepted', { by: 'ben', place: copy }]);
    // And the one that it was copied from is refused in its turn.
    expect((await refusal(openAs('ama', path))).code).toBe('ledger_rolled_back');
  });

  it('is not accepted, and not without its pauses, when accepting breaks off in the middle', async () => {
    await worked();
    copied();
    // What is remembered of it cannot be written: a folder stands in its place.
    const [name = ''] = readdirSync(memoryOf('ama'));
    const obstacle = join(memoryOf('ben'), name);
    mkdirSync(memoryOf('ben'), { recursive: true });
    symlinkSync(join(folder, 'nowhere'), obstacle);
    expect((await refusal(openAs('ben', copy, { acceptLedger: true }))).code).toBe('ledger_unwritable');
    rmSync(obstacle);
    expect((await refusal(openAs('ben', copy))).code).toBe('ledger_unknown');
    const { ledger } = await openAs('ben', copy, { readOnly: true });
    expect((await ledger.batches())[0]?.pause?.reason).toContain('not known here');
    await ledger.close();
  });

  it('adds up what may be sent on one day, before the gap in the ids and behind it', async () => {
    await worked();
    copied();
    const { ledger } = await openAs('ben', copy, { acceptLedger: true });
    const [before] = await ledger.principalSince(timestampOf(0));
    const june = await batchOf(ledger, [row(3)], 'june');
    const added = await walkedTo(ledger, await only(ledger, june, 4), 'approved');
    const minor = (before?.minor ?? 0n) + (added.instruction?.amount.minor ?? 0n);
    expect(before?.minor).toBeGreaterThan(0n);
    expect(await ledger.principalSince(timestampOf(0))).toEqual([{ currency: 'GHS', minor }]);
    await ledger.close();
  });

  it('does not take the number of a forgotten batch for the beginning of a new one', async () => {
    await worked();
    copied();
    const { ledger } = await openAs('ben', copy, { acceptLedger: true });
    const june = await batchOf(ledger, [row(3)]);
    expect(await ledger.findBatch(june)).toMatchObject({ kind: 'found', batch: { id: june } });
    expect(await ledger.findBatch(june.slice(0, 2))).toEqual({ kind: 'none' });
    await ledger.close();
  });

  it('gives out no id that it gave out in another life, however often it is set back, and no tag', async () => {
    await opens(openAs('ama', path, { create: true }));
    const from = join(folder, 'backup.db');
    await backupLedger({ path, to: from, binding: LIVE });
    const [batches, ids, tags] = [new Set<string>(), new Set<string>(), new Set<string>()];
    const live = async (options: Partial<OpenLedgerOptions>) => {
      await opens(openAs('ama', path, options));
      const { ledger } = await openAs('ama', path);
      const id = await batchOf(ledger, [row(1), row(2)], 'may');
      const sent = await walkedTo(ledger, await only(ledger, id, 2), 'refused');
      const again = await ledger.addReplacement(sent.id, 'ama', timestampOf(5));
      expect(again.instruction?.replaces).toBe(sent.id);
      batches.add(id);
      for (const one of [sent, await only(ledger, id, 3), again]) ids.add(one.id);
      if ('tag' in sent.state) tags.add(String(sent.state.tag));
      // A spreadsheet rounds longer ones.
      expect(Number(again.id)).toBeLessThan(1e15);
      expect((await ledger.verify()).problems).toEqual([]);
      await ledger.close();
    };
    await live({});
    for (let life = 0; life < 2; life += 1) {
      await restoreLedger({ from, path, binding: LIVE, replace: true, now: timestampOf(Date.now() + life) });
      await live({ acceptRollback: true });
    }
    expect([batches.size, ids.size, tags.size]).toEqual([3, 9, 3]);
  });

  it('is asked again for one that is older than it was', async () => {
    await setBack();
    expect((await refusal(openAs('ama', path, { acceptLedger: true }))).code).toBe('ledger_rolled_back');
    await opens(openAs('ama', path, { acceptRollback: true, by: 'ben' }));
    expect((await ownEntries(path)).at(-1)).toMatchObject(['rollback_accepted', { by: 'ben' }]);
    await opens(openAs('ama', path));
  });
});

describe('while a live ledger is open', () => {
  it('[L25] its copy is refused, naming the other file and who works with it; and may be looked at', async () => {
    await worked();
    copied();
    const first = await openAs('ama', path);
    for (const options of [{}, { acceptLedger: true }]) {
      const { code, message } = await refusal(openAs('ama', copy, options));
      expect(code).toBe('ledger_busy');
      expect(message).toContain(`a copy of ${path}, which process ${process.pid} on ${hostname()}`);
    }
    await opens(openAs('ama', copy, { readOnly: true }));
    await opens(openAs('ama', path));
    await first.ledger.close();
    expect(readdirSync(memoryOf('ama'))).toHaveLength(1);
  });

  it('several processes may work with it, and its copy is refused until the last of them ends', async () => {
    await worked();
    copied();
    const [first, second] = [await openAs('ama', path), await openAs('ama', path)];
    await first.ledger.close();
    expect((await refusal(openAs('ama', copy))).code).toBe('ledger_busy');
    await second.ledger.close();
    await opens(openAs('ama', copy, { acceptLedger: true }));
  });

  it('a copy that nobody accepted does not keep the ledger itself from work', async () => {
    await worked();
    copied();
    await refusal(openAs('ama', copy));
    await opens(openAs('ama', path));
  });

  it('what a process left that is gone counts for nothing', async () => {
    await worked();
    copied();
    const machine = { ...THIS_MACHINE, processStart: () => 'an earlier boot' };
    const killed = await openAs('ama', path, { machine });
    const left = readdirSync(memoryOf('ama')).filter((name) => name.endsWith('.open'));
    expect(left).toHaveLength(1);
    await opens(openAs('ama', copy, { acceptLedger: true }));
    expect(readdirSync(memoryOf('ama')).filter((name) => name.endsWith('.open'))).toEqual([]);
    await killed.ledger.close();
  });

  it('a copy of a sandbox ledger may be used as one likes', async () => {
    await opens(openAs('ama', path, { binding: SANDBOX, create: true }));
    copied();
    const first = await openAs('ama', path, { binding: SANDBOX });
    await opens(openAs('ama', copy, { binding: SANDBOX }));
    await first.ledger.close();
  });
});

describe('what is remembered', () => {
  it('names a ledger by its whole path, for it is read again from another folder', async () => {
    await worked('may', relative(process.cwd(), path));
    expect(knownLedgers(memoryOf('ama')).map((ledger) => ledger.path)).toEqual([path]);
  });

  it('is for this user alone, and refused when it cannot be read or kept', async () => {
    await worked();
    const [name = ''] = readdirSync(memoryOf('ama'));
    const file = join(memoryOf('ama'), name);
    expect([statSync(file).mode & 0o777, statSync(memoryOf('ama')).mode & 0o777]).toEqual([0o600, 0o700]);
    writeFileSync(file, 'no');
    expect((await refusal(openAs('ama', path))).code).toBe('ledger_damaged');
    expect(knownLedgers(memoryOf('nobody'))).toEqual([]);
    writeFileSync(join(folder, 'file'), '');
    const opening = openAs('file', join(folder, 'new.db'), { create: true });
    expect((await refusal(opening)).message).toContain('Make room, or set HOME or XDG_CONFIG_HOME');
    expect(existsSync(join(folder, 'new.db'))).toBe(false);
  });
});

describe('the login address of a live ledger', () => {
  it('that changed is refused, naming both, until a person accepts it; and then the old one is refused', async () => {
    await worked();
    const binding = { ...LIVE, authUrl: 'https://else.example' };
    const { code, message } = await refusal(openAs('ama', path, { binding }));
    expect(code).toBe('ledger_login_moved');
    expect(message).toMatch(/https:\/\/login\.example.*https:\/\/else\.example/);
    expect((await refusal(requireSameLogin(path, binding))).code).toBe('ledger_login_moved');
    await opens(openAs('ama', path, { binding, acceptAuthUrl: true, by: 'ben' }));
    expect((await ownEntries(path)).at(-1)).toMatchObject([
      ...['bound', { authUrl: 'https://else.example', before: 'https://login.example', by: 'ben' }],
    ]);
    expect((await refusal(openAs('ama', path))).code).toBe('ledger_login_moved');
    await requireSameLogin(path, binding);
    await opens(openAs('ama', path, { readOnly: true }));
  });
});
