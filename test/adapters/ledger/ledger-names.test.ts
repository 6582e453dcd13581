/** A live ledger under a second name has forgotten what stands in the log beside the first: nothing is sent with it. */
import { copyFileSync, linkSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  backupSqliteLedger,
  type OpenSqliteLedgerOptions,
} from '../../../src/adapters/ledger/sqlite-ledger.ts';
import { requireOneName } from '../../../src/adapters/ledger/storage/ledger-place.ts';
import { timestampOf } from '../../../src/domain/timestamp.ts';
import { LedgerError } from '../../../src/ports/ledger/errors.ts';
import type { Ledger } from '../../../src/ports/ledger/ledger.ts';
import { batchOf, row } from '../../builders/ledger-batches.ts';
import { BINDING, openAt } from './ledger-files.ts';

const LIVE = { ...BINDING, environment: 'live', authUrl: 'https://login.example' } as const;

let folder: string;
let path: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'payfile-names-')));
  for (const name of ['pay', 'other']) mkdirSync(join(folder, name));
  path = join(folder, 'pay', 'ledger.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const openAs = (user: string, at: string, options: Partial<OpenSqliteLedgerOptions> = {}) =>
  openAt(at, {
    binding: LIVE,
    create: false,
    knownLedgersPath: join(folder, user, 'known-ledgers.json'),
    ...options,
  });

async function refusal(work: Promise<unknown>): Promise<LedgerError> {
  const answer: unknown = await work.catch((error: unknown) => error);
  if (!(answer instanceof LedgerError)) throw new TypeError('It was done');
  return answer;
}

const opens = async (opening: Promise<Ledger>) => (await opening).close();

/** Ama's process has a batch in the log, and Ben worked with the ledger before that. */
async function knownToBoth(binding: OpenSqliteLedgerOptions['binding'] = LIVE): Promise<Ledger> {
  await opens(openAs('ama', path, { create: true, binding }));
  await opens(openAs('ben', path, { binding }));
  const ledger = await openAs('ama', path, { binding });
  await batchOf(ledger, [row(1)], 'may');
  return ledger;
}

it('a hard link is refused to whoever knows the file, for reading, for a backup, and under the first name too', async () => {
  const atWork = await knownToBoth();
  const second = join(folder, 'other', 'ledger.db');
  linkSync(path, second);
  const backup = backupSqliteLedger({ path: second, to: join(folder, 'backup.db'), binding: LIVE });
  for (const work of [
    openAs('ben', second),
    openAs('ben', second, { readOnly: true }),
    backup,
    openAs('ama', path),
  ]) {
    const { code, message } = await refusal(work);
    expect(code).toBe('ledger_unsupported');
    expect(message).toContain('has more than one name on its disk (hard links)');
    expect(message).toContain('remove the others');
  }
  rmSync(second);
  await atWork.close();
  await opens(openAs('ben', path));
});

it('what a process left behind that was killed while it made the ledger is no second name', async () => {
  await opens(openAs('ama', path, { create: true }));
  linkSync(path, `${path}.new-4711`);
  await opens(openAs('ama', path));
});

it('a file that is mounted alone is refused, and a mounted folder is not', async () => {
  await opens(openAs('ama', path, { create: true }));
  const mount = (place: string) => `36 35 98:0 / ${place.replaceAll(' ', '\\040')} rw - ext4 /dev/sda1 rw\n`;
  expect(() => requireOneName(path, mount(path))).toThrow('is mounted here as a single file');
  expect(() => requireOneName(path, mount(join(folder, 'pay')))).not.toThrow();
});

it('a file that was moved without what lies beside it is refused to another user who knows it', async () => {
  await (await knownToBoth()).close();
  const moved = join(folder, 'other', 'ledger.db');
  renameSync(path, moved);
  const { code, message } = await refusal(openAs('ben', moved));
  expect(code).toBe('ledger_unknown');
  expect(message).toContain('its log, where the newest payments stand, may have been left behind');
  renameSync(moved, path);
  await opens(openAs('ben', path));
});

const TAKEN: readonly (readonly [string, () => void])[] = [
  ['is deleted', () => rmSync(path)],
  ['is moved', () => renameSync(path, join(folder, 'other', 'ledger.db'))],
  [
    'is replaced by a copy',
    () => {
      copyFileSync(path, join(folder, 'copy.db'));
      renameSync(join(folder, 'copy.db'), path);
    },
  ],
  ['is moved with its folder', () => renameSync(join(folder, 'pay'), join(folder, 'moved'))],
];
const TAKEN_OF_BOTH = [LIVE, BINDING].flatMap((binding) =>
  TAKEN.map(([how, take]) => [binding.environment, how, { binding, take }] as const),
);

it.each(TAKEN_OF_BOTH)(
  'nothing more is written when the %s ledger %s under a process that works with it',
  async (_which, _how, { binding, take }) => {
    const atWork = await knownToBoth(binding);
    const [batch] = await atWork.batches();
    if (batch === undefined) throw new TypeError('There is a batch');
    take();
    for (const work of [
      () => atWork.pause(batch.id, { reason: 'x', by: 'ama', at: timestampOf(1) }),
      () => atWork.resume(batch.id, 'ama', timestampOf(1)),
    ]) {
      const { code, message } = await refusal(work());
      expect([code, message]).toEqual(['ledger_unwritable', expect.stringContaining('was taken away')]);
    }
    expect((await atWork.batch(batch.id))?.pause).toBeUndefined();
    await atWork.close();
  },
);

it('no ledger is made in the place of one that was worked with and is gone, whoever asks for it', async () => {
  await (await knownToBoth()).close();
  const aside = `${path}.replaced-2026-05-01T00-00-00-000Z`;
  renameSync(path, aside);
  for (const create of [true, false]) {
    const { code, message } = await refusal(openAs('ama', path, { create }));
    expect(code).toBe('ledger_gone');
    expect(message).toContain(
      `is gone, and with it what was paid from it. Put it back: it may be ${aside}. A backup`,
    );
    expect(message).toContain(
      `Where it paid nothing, take it out of ${join(folder, 'ama', 'known-ledgers.json')}.`,
    );
  }
  renameSync(aside, path);
  await opens(openAs('ama', path));
});

it('a ledger that was made and never worked with may be made again', async () => {
  await opens(openAs('ama', path, { create: true }));
  rmSync(path);
  await opens(openAs('ama', path, { create: true }));
});

it('a folder that was moved whole is worked with as before', async () => {
  await (await knownToBoth()).close();
  renameSync(join(folder, 'pay'), join(folder, 'moved'));
  await opens(openAs('ben', join(folder, 'moved', 'ledger.db')));
});

it('a live ledger in memory, or under an address in the place of a path, is refused and makes no file', async () => {
  for (const place of [':memory:', 'file:ledger.db', `file:${path}?mode=memory`]) {
    const { code, message } = await refusal(openAs('ama', place, { create: true }));
    expect([code, message]).toEqual([
      'ledger_unsupported',
      expect.stringContaining('Name a file with --ledger'),
    ]);
  }
});
