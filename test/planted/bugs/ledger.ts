/** Bugs in the ledger: a record that is not durable, changed without comparing, copied, lost or set back. */
import type { PlantedBug } from '../planted-bug.ts';

const OPEN = 'src/adapters/ledger/storage/open-file.ts';
const GUARDS = 'test/guards.test.ts';
const LEASES = 'src/adapters/ledger/batches/leases.ts';
const MOVES = 'src/adapters/ledger/payouts/moves.ts';
const CONTRACT = 'test/adapters/ledger/sqlite-ledger.test.ts';
const EMERGENCY = 'src/adapters/ledger/storage/emergency.ts';
const APPLY = 'src/adapters/ledger/storage/emergency.ts';
const EMERGENCY_TEST = 'test/adapters/ledger/emergency.test.ts';
const MEMORY = 'src/adapters/ledger/payouts/payment-memory.ts';
const CRASH_TEST = 'test/adapters/ledger/crash.test.ts';
const COMMITS_TEST = 'test/adapters/ledger/leases-and-commits.test.ts';
const STORAGE = 'src/adapters/ledger/storage/sql-statements.ts';
const SQLITE = 'src/adapters/ledger/sqlite-ledger.ts';
const OPENED = 'src/adapters/ledger/trust/opened-ledger.ts';
const SIDE_BY_SIDE = 'test/adapters/ledger/side-by-side.test.ts';
const JOINING = 'test/adapters/ledger/joining.test.ts';
const SERVER_FAULTS = 'test/adapters/ledger/server-faults.soak.test.ts';
const COMMIT_MOVES = 'src/adapters/ledger/postgres/commit-moves.ts';
const FILE_TEST = 'test/adapters/ledger/ledger-file.test.ts';
const NAMES = 'src/adapters/ledger/storage/ledger-place.ts';
const NAMES_TEST = 'test/adapters/ledger/ledger-names.test.ts';
const KNOWN = 'src/adapters/ledger/trust/known-head.ts';
const KNOWN_TEST = 'test/adapters/ledger/known-here.test.ts';
const BACKUP = 'src/adapters/ledger/storage/backup.ts';
const BACKUP_TEST = 'test/adapters/ledger/backup.test.ts';
const GUARD = 'src/adapters/files/output-guard.ts';
const GUARD_TEST = 'test/adapters/files/output-guard.test.ts';

export const LEDGER_BUGS: readonly PlantedBug[] = [
  {
    id: 'id-begun-meanwhile-taken-as-name',
    bug: 'A batch gets the id of another one as its name, because both files were read at once.',
    file: 'src/adapters/ledger/batches/imports.ts',
    find: 'if (name !== undefined && batches.isIdOfAnother(name, id))',
    replace: 'if (name !== undefined && batches.isIdOfAnother(name, Number(name)))',
    caughtBy: [
      {
        test: 'test/use-cases/batch-names.test.ts',
        title: 'is refused at the end too, when that batch was begun while the file was read',
      },
    ],
  },
  {
    id: 'overtaken-revision-goes-on',
    bug: 'A process that stood still in a revision goes on although another one took the batch over.',
    file: 'src/adapters/ledger/batches/revisions.ts',
    find: "if (!isOurs || batches.facts(importId).state !== 'importing') throw",
    replace: 'if (!isOurs && importId < 0) throw',
    caughtBy: [
      {
        test: 'test/adapters/ledger/overtaken-revision.test.ts',
        title: 'leaves the batch as whoever took it over made it',
      },
    ],
  },
  {
    id: 'broken-off-miscounted',
    bug: 'Rows whose outcome was not written down are told as not sent when the work breaks off.',
    file: 'src/domain/batches/batch.ts',
    find: '  return sending + in_doubt;',
    replace: '  return in_doubt;',
    caughtBy: [{ test: 'test/failing/words.test.ts', title: 'a run says of the money what the book says' }],
  },
  {
    id: 'commit-without-sync',
    mustCatch: 'commit_without_sync',
    bug: 'A commit is called durable before the disk has it.',
    file: OPEN,
    find: 'PRAGMA synchronous = FULL;',
    replace: 'PRAGMA synchronous = NORMAL;',
    caughtBy: [{ test: GUARDS, title: 'waits for the disk with every commit' }],
  },
  {
    id: 'lease-end-requeues',
    mustCatch: 'lease_end_requeues',
    bug: 'Whoever takes over a batch puts its rows on the wire back among those to send.',
    file: LEASES,
    find: '      return { tookOver: row !== undefined || parts.length > 0 };',
    replace: [
      '      if (row !== undefined)',
      "        sql(\"UPDATE payouts SET status = 'approved', state = json_set(state, '$.status', 'approved'), living_root = root WHERE batch = ? AND status = 'sending'\").run(batch);",
      '      return { tookOver: row !== undefined || parts.length > 0 };',
    ].join('\n'),
    caughtBy: [{ test: GUARDS, title: 'puts a row that a dead process had on the wire in doubt' }],
  },
  {
    id: 'claim-without-compare',
    mustCatch: 'claim_without_compare',
    bug: 'A payout is moved without comparing its version.',
    file: MOVES,
    find: "const WHERE = 'WHERE id = ? AND version = ? AND batch = ?';",
    replace: "const WHERE = 'WHERE id = ? AND ? > 0 AND batch = ?';",
    caughtBy: [{ test: CONTRACT, title: 'lets exactly one of two movers of the same payout win' }],
  },
  {
    id: 'second-interrupt-loses-outcome',
    mustCatch: 'second_interrupt',
    bug: 'The emergency file is written a moment later, and an interrupt comes first.',
    file: EMERGENCY,
    find: '      this.#append(line);',
    replace: '      setTimeout(() => this.#append(line), 0);',
    caughtBy: [
      { test: GUARDS, title: 'has an outcome in the emergency file even when the process is ended at once' },
    ],
  },
  {
    id: 'emergency-not-applied',
    bug: 'What an earlier process wrote in an emergency is not read at the next start.',
    file: APPLY,
    find: '  if (entries.length === 0) return 0;',
    replace: '  if (entries.length >= 0) return 0;',
    caughtBy: [{ test: EMERGENCY_TEST, title: 'makes an accepted transfer accepted at the next start' }],
  },
  {
    id: 'emergency-of-another-process',
    bug: 'A line “not sent” of a ledger that was set back since makes a row payable that is on the wire.',
    file: APPLY,
    find: '  return intent !== undefined && isSameWriter(writer, intent.sender);',
    replace: '  return intent !== undefined && writer !== undefined;',
    caughtBy: [{ test: EMERGENCY_TEST, title: 'never makes a row payable when another process wrote it' }],
  },
  {
    id: 'old-acceptance-forgotten',
    bug: 'An acceptance of an earlier request is a note that nobody reads.',
    file: APPLY,
    find: "  if (event.kind === 'accept') keepAcceptance(parts, payout, event, at);\n",
    replace: '  void keepAcceptance;\n',
    caughtBy: [{ test: EMERGENCY_TEST, title: 'is an incident when it is an acceptance' }],
  },
  {
    id: 'two-living-of-one-row',
    bug: 'A payment and its replacement may both be on their way.',
    file: MOVES,
    find: 'memoryAt !== null && !isIncident ? 1 : 0,',
    replace: '0,',
    caughtBy: [{ test: CONTRACT, title: 'lets at most one instruction of a family live, across batches' }],
  },
  {
    id: 'replacement-of-incident-begins',
    bug: 'A replacement may begin although the payment that it replaces turned out paid.',
    file: MOVES,
    find: '      const other = incidentRelative(sql, id);',
    replace: '      const other = incidentRelative(sql, -id);',
    caughtBy: [{ test: CONTRACT, title: 'always takes down that a failed payment was paid after all' }],
  },
  {
    id: 'guard-forgets-doubt',
    bug: 'A payment whose outcome is not known is no reason to hold an equal one under another reference.',
    file: MEMORY,
    find: "((other.reference_key IS NULL OR other.status IN ('sending','in_doubt')) AND",
    replace: '(other.reference_key IS NULL AND',
    caughtBy: [{ test: CONTRACT, title: 'blocks a payment under another reference while the outcome' }],
  },
  {
    id: 'guard-lets-both-go',
    bug: 'Of two equal payments neither stops the other.',
    file: MOVES,
    find: "    return repeat === undefined ? undefined : { kind: 'repeat', repeat };",
    replace: '    return repeat === undefined ? undefined : undefined;',
    caughtBy: [
      { test: CONTRACT, title: 'sends exactly one of two equal payments that two batches begin' },
      { test: CONTRACT, title: 'refuses an intent whose payment lives elsewhere' },
    ],
  },
  {
    id: 'two-runners',
    bug: 'A second process gets the batch although the first one is alive.',
    file: LEASES,
    find: '      if (row !== undefined && this.#isAlive(batch, row, holder)) return { busy: busyOf(row) };\n      const parts',
    replace: '      const parts',
    caughtBy: [
      { test: CONTRACT, title: 'lets one runner have a batch, names it to the next' },
      { test: CRASH_TEST, title: 'that start a batch at the same moment: exactly one gets it' },
    ],
  },
  {
    id: 'loser-begins',
    bug: 'A process that lost its batch may still write down an intent.',
    file: MOVES,
    find: "      if (!mayBegin(batch, id)) return { kind: 'stale' };",
    replace: "      if (event.kind === 'approve' && !mayBegin(batch, id)) return { kind: 'stale' };",
    caughtBy: [{ test: COMMITS_TEST, title: 'lets a process that lost its batch begin nothing more' }],
  },
  {
    id: 'sync-error-forgotten',
    bug: 'After a disk error the ledger writes on, although nobody knows what the disk kept.',
    file: STORAGE,
    find: '  return kindOf(error) === 10;',
    replace: '  return kindOf(error) === -1;',
    caughtBy: [{ test: GUARDS, title: 'writes nothing more after the disk reported an error' }],
  },
  {
    id: 'older-copy-accepted',
    bug: 'A ledger that was set back to an older copy is used as if nothing had happened.',
    file: OPENED,
    find: '  if (setBack !== undefined && !acceptRollback) throw rolledBack(path, setBack);\n',
    replace: '  void acceptRollback;\n  void rolledBack;\n',
    caughtBy: [{ test: FILE_TEST, title: 'is refused, for it has forgotten payments' }],
  },
  {
    id: 'second-name-sends',
    bug: 'A hard link of a live ledger is worked with, without the log that lies beside the first name.',
    file: NAMES,
    find: '  if (namesOf(file) > 1) throw',
    replace: '  if (namesOf(file) > 9) throw',
    caughtBy: [{ test: NAMES_TEST, title: 'a hard link is refused to whoever knows the file' }],
  },
  {
    id: 'server-lease-unasked',
    bug: 'On a server, a process whose batch another one has taken over goes on beginning transfers.',
    file: COMMIT_MOVES,
    find: '  IF m.token IS NOT NULL\n    AND NOT',
    replace: '  IF false\n    AND NOT',
    caughtBy: [
      { test: SIDE_BY_SIDE, title: 'begins nothing more in a process whose batch another one has taken' },
    ],
  },
  {
    id: 'set-back-kept-quiet',
    bug: 'A machine finds that the server was set back and stops; the others, who cannot see it, pay again.',
    file: 'src/adapters/ledger/postgres/postgres-ledger.ts',
    find: 'if (isDistrusted(prepareOnce(db), rememberedAt)) return;',
    replace: 'if (rememberedAt > 0 || isDistrusted(prepareOnce(db), rememberedAt)) return;',
    caughtBy: [
      {
        test: JOINING,
        title: 'is found by a machine that wrote more, which pauses it for all; a new machine cannot see it',
      },
    ],
  },
  {
    id: 'server-trusted-once',
    bug: 'A replica that lags is added to the server while payfile works, and the sending goes on.',
    file: 'src/adapters/ledger/postgres/postgres-ledger.ts',
    find: 'objection: readOnly ? undefined : objectionsTo(db, path)',
    replace: 'objection: undefined',
    caughtBy: [
      {
        test: SERVER_FAULTS,
        title:
          'is refused with a replica that lags, taken with one that is waited for, and never used as the replica',
      },
    ],
  },
  {
    id: 'server-memory-unasked',
    bug: 'On a server, two processes begin the same payment of two batches at the same moment.',
    file: COMMIT_MOVES,
    find: 'AND (m.since IS NULL OR (',
    replace: 'AND (true OR m.since IS NULL OR (',
    caughtBy: [
      { test: SIDE_BY_SIDE, title: '[L22] begins one of two equal payments that two processes begin' },
    ],
  },
  {
    id: 'server-chain-unjoined',
    bug: 'What other processes wrote on a server is bound into no later entry, and could be taken out again.',
    file: 'src/adapters/ledger/proof/event-chain.ts',
    find: "this.#heads === 'one' ? lastHead",
    replace: "this.#heads !== 'one' || true ? lastHead",
    caughtBy: [{ test: SIDE_BY_SIDE, title: 'lets processes move payouts of one batch at the same time' }],
  },
  {
    id: 'pays-without-its-ledger',
    bug: 'A run goes on paying after its ledger was taken away, and nothing keeps what it paid.',
    file: 'src/adapters/ledger/stored-ledger.ts',
    find: 'isInPlace: () => db.isServer === true || inodeAt(path) === inode,',
    replace: 'isInPlace: () => inode === undefined || inodeAt(path) !== undefined,',
    caughtBy: [{ test: NAMES_TEST, title: 'nothing more is written when the' }],
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
    id: 'unknown-ledger-sends',
    bug: 'A live ledger that nobody here ever saw is worked with as if nothing had happened.',
    file: OPENED,
    find: '  if (setBack === undefined && unknown !== undefined && !acceptLedger) throw unknownHere(path, unknown);\n',
    replace: '  void acceptLedger;\n  void unknownHere;\n',
    caughtBy: [{ test: KNOWN_TEST, title: 'that was copied to another place is refused for sending' }],
  },
  {
    id: 'forgotten-batch-sends',
    bug: 'A batch that only the replaced ledger knew is new to a restored backup, and cron pays it again.',
    file: 'src/adapters/ledger/batches/imports.ts',
    find: '      pauseUncompared({ sql, batches }, id, at);\n',
    replace: '      void pauseUncompared;\n      void sql;\n',
    caughtBy: [{ test: KNOWN_TEST, title: 'pauses each new batch and each one that gets rows' }],
  },
  {
    id: 'ids-of-another-life',
    bug: 'A ledger that was set back gives new payments the ids, and so the tags, that stand on others already.',
    file: KNOWN,
    find: 'const used = Math.max(numberOf(before ?? 0), last);',
    replace: 'const used = Math.max(numberOf(before ?? 0), Math.min(last, 0));',
    caughtBy: [{ test: KNOWN_TEST, title: 'gives out no id that it gave out in another life' }],
  },
  {
    id: 'own-pause-forgotten',
    bug: 'Accepting a ledger erases the pause that a person made, and resume --all frees that batch.',
    file: KNOWN,
    find: 'if (batch.isImporting || isPausedOtherwise(batch) || !couldSend) continue;',
    replace: 'if (batch.isImporting || !couldSend) continue;',
    caughtBy: [{ test: KNOWN_TEST, title: 'keeps the pause of a person' }],
  },
  {
    id: 'row-that-never-left-sends',
    bug: 'In an accepted ledger a row goes out again because the emergency file says that it never left.',
    file: KNOWN,
    find: 'const couldSend = counts.sending > 0 || ',
    replace: 'const couldSend = counts.sending < 0 || ',
    caughtBy: [{ test: BACKUP_TEST, title: 'pauses the batch of a row that was on the wire and never left' }],
  },
  {
    id: 'login-address-not-bound',
    bug: 'Whoever changes the login address gets the password, and nobody is asked.',
    file: OPENED,
    find: '  if (before !== undefined && now !== undefined && before !== now && !acceptAuthUrl)\n    throw loginMoved(path, before, now);\n',
    replace: '  void [before, now, acceptAuthUrl];\n',
    caughtBy: [{ test: KNOWN_TEST, title: 'that changed is refused for sending, naming both' }],
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
    id: 'commit-that-came-to-nothing',
    bug: 'A commit that the server turned into a rollback counts as done.',
    file: 'src/adapters/ledger/postgres/connection-thread.ts',
    find: "    if (text === 'COMMIT' && command !== 'COMMIT') throw new Error('the commit came to nothing');\n",
    replace: '    void command;\n',
    caughtBy: [
      { test: 'test/adapters/ledger/many-rows-on-server.test.ts', title: 'their commit is refused too' },
    ],
  },
  {
    id: 'home-in-the-working-folder',
    bug: 'With an empty HOME each working folder gets a ledger of its own, which knows of no other payment.',
    file: 'src/payfile/open.ts',
    find: '  if (home !== undefined && isAbsolute(home)) return home;',
    replace: '  if (home !== undefined) return home;',
    caughtBy: [{ test: 'test/setup/home-folder.test.ts', title: 'is refused, and nothing is made' }],
  },
  {
    id: 'output-over-ledger',
    bug: 'An output may be the ledger, its log, a list or the input, where --overwrite is given.',
    file: GUARD,
    find: '      if (place !== undefined) refuse(',
    replace: '      if (place !== undefined && !overwrite) refuse(',
    caughtBy: [{ test: GUARD_TEST, title: 'what payfile works with is never an output' }],
  },
];
