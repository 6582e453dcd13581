/** Bugs in what keeps a copy of a ledger from paying again: who knows it, backups, and checks beside a run. */
import type { PlantedBug } from '../planted-bug.ts';

const SQLITE = 'src/adapters/ledger/sqlite-ledger.ts';
const TRUST = 'src/domain/ledger-trust.ts';
const BACKUP = 'src/adapters/ledger/backup-ledger.ts';
const KNOWN_TEST = 'test/adapters/ledger/known-here.test.ts';
const TRUST_TEST = 'test/domain/ledger-trust.test.ts';
const BACKUP_TEST = 'test/adapters/ledger/backup.test.ts';

const NAMES = 'src/adapters/ledger/ledger-names.ts';
const NAMES_TEST = 'test/adapters/ledger/ledger-names.test.ts';

export const COPY_BUGS: readonly PlantedBug[] = [
  {
    id: 'second-name-sends',
    bug: 'A hard link of a live ledger is worked with, without the log that lies beside the first name.',
    file: NAMES,
    find: '  if (namesOf(file) > 1) throw',
    replace: '  if (namesOf(file) > 9) throw',
    caughtBy: [{ test: NAMES_TEST, title: 'a hard link is refused to whoever knows the file' }],
  },
  {
    id: 'mounted-file-sends',
    bug: 'A ledger that is mounted as a single file is worked with, without the log beside it.',
    file: NAMES,
    find: ' === file);',
    replace: ' === dirname(file));',
    caughtBy: [{ test: NAMES_TEST, title: 'a file that is mounted alone is refused' }],
  },
  {
    id: 'moved-without-its-log-sends',
    bug: 'A ledger that was moved alone is worked with by a user who does not know what another one paid.',
    file: TRUST,
    find: "  if (byList === 'same' && !isInPlace && mark === undefined && found.wasMarked) return MOVED_ALONE;\n",
    replace: '  void MOVED_ALONE;\n',
    caughtBy: [
      { test: TRUST_TEST, title: 'where the file was moved alone' },
      { test: NAMES_TEST, title: 'a file that was moved without what lies beside it' },
    ],
  },
  {
    id: 'made-beside-a-log',
    bug: 'A new ledger is made beside the log of an earlier one, which is taken into it and gone.',
    file: SQLITE,
    find: '    refuseLeftLog(path);\n',
    replace: '    void refuseLeftLog;\n',
    caughtBy: [
      {
        test: 'test/adapters/ledger/ledger-file.test.ts',
        title: 'is not made beside the log of an earlier one',
      },
    ],
  },
  {
    id: 'pays-without-its-ledger',
    bug: 'A run goes on paying after its ledger was taken away, and nothing keeps what it paid.',
    file: 'src/adapters/ledger/stored-ledger.ts',
    find: 'beside === undefined || inodeAt(path) === beside.file.inode',
    replace: 'beside === undefined || inodeAt(path) !== beside.file.birth',
    caughtBy: [{ test: NAMES_TEST, title: 'nothing more is written when the ledger' }],
  },
  {
    id: 'made-in-place-of-a-lost-one',
    bug: 'With --new-ledger a ledger that was lost is made anew, and the same file is paid again.',
    file: SQLITE,
    find: '    refuseGone(options, known);\n',
    replace: '    void refuseGone;\n',
    caughtBy: [{ test: NAMES_TEST, title: 'no ledger is made in the place of one that was worked with' }],
  },
  {
    id: 'live-ledger-in-memory',
    bug: 'A live run with its ledger in memory pays, forgets it, and pays again.',
    file: SQLITE,
    find: '  if (!forgets && !ADDRESS.test(path)) return;',
    replace: '  if (forgets || !ADDRESS.test(path)) return;',
    caughtBy: [{ test: NAMES_TEST, title: 'a live ledger in memory' }],
  },
  {
    id: 'unknown-ledger-sends',
    bug: 'A live ledger that nobody here ever saw is worked with as if nothing had happened.',
    file: SQLITE,
    find: '  if (setBack === undefined && unknown !== undefined && !acceptLedger) throw unknownHere(path, unknown);\n',
    replace: '  void acceptLedger;\n  void unknownHere;\n',
    caughtBy: [{ test: KNOWN_TEST, title: 'that was copied to another place is refused for sending' }],
  },
  {
    id: 'copy-with-its-mark-trusted',
    bug: 'A copy that brought the mark of the ledger along is taken for the ledger.',
    file: TRUST,
    find: "  if (one.inode !== other.inode) return 'other';\n",
    replace: '',
    also: [
      {
        file: TRUST,
        find: "  return one.birth === other.birth ? 'same' : 'other';",
        replace: "  return 'same';",
      },
    ],
    caughtBy: [{ test: TRUST_TEST, title: 'of a copy with its mark' }],
  },
  {
    id: 'reused-inode-trusted',
    bug: 'A copy that got the inode of a deleted ledger is taken for it.',
    file: TRUST,
    find: "  return one.birth === other.birth ? 'same' : 'other';",
    replace: "  return 'same';",
    caughtBy: [{ test: TRUST_TEST, title: 'of a copy that got the old inode' }],
  },
  {
    id: 'mark-not-counted',
    bug: 'An older state put into the very file is not noticed by a user who never saw the newer one.',
    file: 'src/adapters/ledger/known-head.ts',
    find: 'beside === undefined || commits >= beside.commits',
    replace: 'beside === undefined || commits >= 0',
    caughtBy: [{ test: KNOWN_TEST, title: 'with an older state put in its place is refused' }],
  },
  {
    id: 'accepted-without-a-pause',
    bug: 'A ledger that a person accepted sends what waits in it, though it may have been sent from elsewhere.',
    file: 'src/adapters/ledger/accept-rollback.ts',
    find: "!== 'paused') continue;",
    replace: "=== 'paused') continue;",
    caughtBy: [{ test: KNOWN_TEST, title: 'is paused where something could be sent' }],
  },
  {
    id: 'login-address-not-bound',
    bug: 'Whoever changes the login address gets the password, and nobody is asked.',
    file: SQLITE,
    find: '  if (before !== undefined && now !== undefined && before !== now && !acceptAuthUrl)\n    throw loginMoved(path, before, now);\n',
    replace: '  void [before, now, acceptAuthUrl];\n',
    caughtBy: [{ test: KNOWN_TEST, title: 'that changed is refused for sending, naming both' }],
  },
  {
    id: 'password-before-the-question',
    bug: 'Commands that need no ledger send the password to a login address that nobody agreed to.',
    file: 'src/compose.ts',
    find: '    requireSameLogin(settings.ledgerPath, binding);\n',
    replace: '    void requireSameLogin;\n',
    caughtBy: [
      { test: 'test/stories/copies.test.ts', title: 'gets no password before a person agreed to it' },
    ],
  },
  {
    id: 'backup-without-the-log',
    bug: 'A backup beside a run is a copy of the file alone, without what stands in the log.',
    file: BACKUP,
    find: '    await doors.copy(source, temporary);\n',
    replace: '    writeFileSync(temporary, readFileSync(from));\n',
    caughtBy: [{ test: BACKUP_TEST, title: 'has all that was promised, also what stands in the log alone' }],
  },
  {
    id: 'backup-without-emergencies',
    bug: 'Outcomes that no commit took are not part of a backup.',
    file: BACKUP,
    find: '    return bytes.some((byte) => byte !== 0) ? bytes : undefined;',
    replace: '    return bytes.length < 0 ? bytes : undefined;',
    caughtBy: [{ test: BACKUP_TEST, title: 'takes outcomes along that the ledger could not write yet' }],
  },
  {
    id: 'restored-over-a-log',
    bug: 'A restored ledger stands beside the log of the one before it, which SQLite takes into it.',
    file: BACKUP,
    find: '    for (const end of LEDGER_ENDS)\n',
    replace: "    for (const end of LEDGER_ENDS.filter((each) => each !== '-wal'))\n",
    caughtBy: [{ test: BACKUP_TEST, title: 'is never joined with the log of the ledger before it' }],
  },
  {
    id: 'restored-under-a-run',
    bug: 'A backup takes the place of a ledger that a process works with.',
    file: BACKUP,
    find: '    if (!isBusy(error)) return undefined;',
    replace: '    if (error instanceof Error || !isBusy(error)) return undefined;',
    caughtBy: [{ test: BACKUP_TEST, title: 'does not take the place of a ledger that a process works with' }],
  },
  {
    id: 'verified-without-a-snapshot',
    bug: 'Verify compares what was written at different moments, and calls a healthy ledger broken beside a run.',
    file: SQLITE,
    find: "    db.exec('BEGIN; SELECT count(*) FROM ledger');\n",
    replace: '',
    caughtBy: [
      {
        test: 'test/adapters/ledger/verify-beside.test.ts',
        title: 'finds nothing wrong while a run takes an import back',
      },
    ],
  },
  {
    id: 'shared-disk-allowed',
    bug: 'A ledger is kept where the locks of two machines do not hold.',
    file: 'src/adapters/ledger/ledger-place.ts',
    find: "  if (shared !== undefined) return { kind: 'refused', why: shared };\n",
    replace: '  void shared;\n',
    caughtBy: [{ test: 'test/adapters/ledger/ledger-place.test.ts', title: 'is refused as' }],
  },
];
