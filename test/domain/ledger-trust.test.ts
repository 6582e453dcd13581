/** Which ledgers are worked with without a question: this very file, known by the mark beside it or by the user's list. */
import { describe, expect, it } from 'vitest';
import {
  type LedgerFound,
  type LedgerRemembered,
  RESTORED,
  whyLedgerUnknown,
} from '../../src/domain/batches/ledger-trust.ts';

const FILE = { inode: '17', birth: '1000' };
const COPY = { inode: '18', birth: '2000' };
/** The inode was free again, and a copy got it. */
const REUSED = { inode: '17', birth: '2000' };
/** On a disk that tells no time of birth. */
const UNBORN = { inode: '17', birth: undefined };

const found: LedgerFound = { file: FILE, path: '/pay/ledger.db', isNewborn: false };
const nothing: LedgerRemembered = { mark: undefined, entry: undefined };
const entryOf = (file: typeof FILE | typeof UNBORN, path = '/pay/ledger.db') => ({ path, file });

describe('no question is asked', () => {
  it.each<readonly [string, LedgerFound, LedgerRemembered]>([
    ['where the mark names this file, though the user is new', found, { mark: FILE, entry: undefined }],
    [
      'where the mark names this file, and the list an older one',
      found,
      { mark: FILE, entry: entryOf(COPY) },
    ],
    ['where the mark is gone and the list names this file', found, { mark: undefined, entry: entryOf(FILE) }],
    ['where the file was moved with its mark', found, { mark: FILE, entry: entryOf(FILE, '/old/ledger.db') }],
    ['of a ledger that was just made', { ...found, isNewborn: true }, nothing],
    [
      'where the configuration names the ledger, and the mark cannot tell whether it names this file',
      { ...found, file: UNBORN, named: 'here' },
      { mark: UNBORN, entry: undefined },
    ],
    [
      'of a ledger on a server that the configuration names',
      { ...found, path: 'postgres://db/payroll', named: 'here' },
      nothing,
    ],
    [
      'without times of birth, where the list knows inode and place',
      { ...found, file: UNBORN },
      { mark: UNBORN, entry: entryOf(UNBORN) },
    ],
  ])('%s', (_what, ledger, remembered) => {
    expect(whyLedgerUnknown(ledger, remembered)).toBeUndefined();
  });
});

describe('a person is asked', () => {
  it.each<readonly [string, LedgerFound, LedgerRemembered, RegExp]>([
    ['where nobody knows the ledger', found, nothing, /this user has not worked with it before/],
    [
      'where the configuration names the ledger and the mark is gone, for nothing shows an older state then',
      { ...found, named: 'here' },
      nothing,
      /the mark beside it is gone/,
    ],
    ['of a copy with its mark', found, { mark: COPY, entry: undefined }, /so this one is a copy/],
    ['of a copy, though the user knows the ledger', found, { mark: COPY, entry: entryOf(FILE) }, /a copy/],
    ['of a copy that got the old inode', found, { mark: REUSED, entry: undefined }, /a copy/],
    [
      'of a restored one, though the list knows its place',
      found,
      { mark: { inode: RESTORED, birth: undefined }, entry: entryOf(COPY) },
      /it was restored from a backup/,
    ],
    [
      'of another file without a mark',
      found,
      { mark: undefined, entry: entryOf(COPY) },
      /another file than the one/,
    ],
    [
      'where the file was moved alone, without the mark that was beside it',
      found,
      { mark: undefined, entry: entryOf(FILE, '/old/ledger.db') },
      /its log, where the newest payments stand, may have been left behind/,
    ],
    [
      'without times of birth, where the user is new',
      { ...found, file: UNBORN },
      { mark: UNBORN, entry: undefined },
      /this user has not worked with it before/,
    ],
    [
      'without times of birth, at another place',
      { ...found, file: UNBORN },
      { mark: UNBORN, entry: entryOf(UNBORN, '/old/ledger.db') },
      /another file/,
    ],
  ])('%s', (_what, ledger, remembered, why) => {
    expect(whyLedgerUnknown(ledger, remembered)).toMatch(why);
  });
});
