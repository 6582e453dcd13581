/** Where a ledger may be kept, and what is asked of SQLite so that a power loss takes nothing that was promised. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { judgePlace, placeOf } from '../../../src/adapters/ledger/storage/ledger-place.ts';
import { setPragmas } from '../../../src/adapters/ledger/storage/open-file.ts';

const EXT4 = 0xef53;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-place-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('[L26] the place of a live ledger', () => {
  it.each([
    [0x6969, 'NFS'],
    [0x517b, 'SMB'],
    [0xfe534d42, 'SMB'],
    [0xff534d42, 'CIFS'],
    [0xff534d42 | 0, 'CIFS'],
    [0x5346414f, 'AFS'],
    [0x00c36400, 'Ceph'],
  ])('[L26] of file system type %d is refused, named %s', (type, name) => {
    const why = `a network file system (${name})`;
    expect(judgePlace('/home/ama/.local/state/payfile/ledger.db', type)).toEqual({ kind: 'refused', why });
  });

  it.each([
    [0x0bd00bd0, 'a network file system (Lustre)'],
    [0x47504653, 'a network file system (GPFS)'],
    [0x19830326, 'a network file system (BeeGFS)'],
    [0x01021997, 'a folder of another machine (9p)'],
    [0x786f4256, 'a shared folder of VirtualBox (vboxsf)'],
    [0x7461636f, 'a disk that several machines share (OCFS2)'],
    [0x01161970, 'a disk that several machines share (GFS2)'],
  ])('[L26] of file system type %d is refused as %s', (type, why) => {
    expect(judgePlace('/srv/pay/ledger.db', type)).toEqual({ kind: 'refused', why });
  });

  it.each([
    [0x01021994, 'tmpfs'],
    [0x858458f6 | 0, 'ramfs'],
    [0x794c7630, 'overlayfs'],
  ])('of file system type %d is warned about: what is kept on %s is gone one day', (type, name) => {
    expect(judgePlace('/srv/pay/ledger.db', type)).toEqual({
      kind: 'passing',
      why: expect.stringMatching(`^${name}, .* gone when`),
    });
  });

  it.each([
    '/home/ama/Dropbox/ledger.db',
    '/home/ama/Dropbox (Personal)/pay/ledger.db',
    '/Users/ama/OneDrive - Acme/ledger.db',
    '/Users/ama/Library/Mobile Documents/com~apple~CloudDocs/ledger.db',
    '/Users/ama/Google Drive/ledger.db',
    '/Users/ama/iCloud Drive/ledger.db',
  ])('[L26] is warned about at %s', (path) => {
    expect(judgePlace(path, undefined)).toMatchObject({
      kind: 'doubtful',
      why: expect.stringContaining('synchronised'),
    });
  });

  it.each([
    ['/home/ama/.local/state/payfile/ledger.db', EXT4],
    ['/home/ama/dropboxes/ledger.db', EXT4],
    ['/srv/ledger.db', undefined],
  ])('%s is good', (path, type) => {
    expect(judgePlace(path, type)).toEqual({ kind: 'good' });
  });

  it('[L26] is told by where a link leads, and before its folder is made', () => {
    mkdirSync(join(folder, 'Dropbox'));
    symlinkSync(join(folder, 'Dropbox'), join(folder, 'pay'));
    const kindOf = (...names: string[]) => placeOf(join(folder, ...names), () => EXT4).kind;
    expect(kindOf('pay', 'ledger.db')).toBe('doubtful');
    expect(kindOf('OneDrive', 'deep', 'ledger.db')).toBe('doubtful');
    expect(kindOf('ledger.db')).toBe('good');
  });
});

describe('SQLite', () => {
  it.each([
    ['synchronous', 2],
    ['fullfsync', 1],
    ['checkpoint_fullfsync', 1],
    ['foreign_keys', 1],
    ['trusted_schema', 0],
    ['cell_size_check', 1],
    ['journal_mode', 'wal'],
  ])('[L30] is opened with %s = %s, so that a commit is on the disk when it is said to be', (name, value) => {
    const db = new DatabaseSync(join(folder, 'ledger.db'));
    setPragmas(db, { isReadOnly: false });
    expect(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]).toBe(value);
    db.close();
  });
});
