/** Bugs in what the ledger promises: durable, once, compared before it is changed, never silently older. */
import type { PlantedBug } from '../planted-bug.ts';

const OPEN = 'src/adapters/ledger/open-file.ts';
const SQLITE = 'src/adapters/ledger/sqlite-ledger.ts';
const MOVES = 'src/adapters/ledger/moves-sql.ts';
const LEASES = 'src/adapters/ledger/leases.ts';
const COMMIT = 'src/adapters/ledger/group-commit.ts';
const HEAD = 'src/adapters/ledger/known-head.ts';
const STORAGE = 'src/adapters/ledger/storage-error.ts';
const EMERGENCY = 'src/adapters/ledger/emergency-file.ts';
const APPLY = 'src/adapters/ledger/apply-emergency.ts';
const MEMORY = 'src/adapters/ledger/memory-sql.ts';
const SCHEMA = 'src/adapters/ledger/ledger-schema.ts';
const CONTRACT = 'test/adapters/ledger/sqlite-ledger.test.ts';
const FILE_TEST = 'test/adapters/ledger/ledger-file.test.ts';
const COMMITS_TEST = 'test/adapters/ledger/leases-and-commits.test.ts';
const EMERGENCY_TEST = 'test/adapters/ledger/emergency.test.ts';
const CRASH_TEST = 'test/adapters/ledger/crash.test.ts';
const GUARDS = 'test/planted/guards.test.ts';

export const LEDGER_BUGS: readonly PlantedBug[] = [
  {
    id: 'full-disk-nothing-written',
    bug: 'A full disk is told as if nothing had been written, although every row may have been paid.',
    file: 'src/adapters/ledger/storage-error.ts',
    find: "const advice = 'Make room",
    replace: "const advice = 'Nothing was written. Make room",
    caughtBy: [{ test: 'test/failing/words.test.ts', title: 'a run says of the money what the book says' }],
  },
  {
    id: 'list-full-nothing-sent',
    bug: 'A list that cannot be kept after the last row was paid is told as if nothing had been sent.',
    file: 'src/adapters/ledger/known-ledgers.ts',
    find: ' Make room, or set HOME',
    replace: ' Nothing was sent, and no ledger was made. Make room, or set HOME',
    caughtBy: [
      { test: 'test/failing/words.test.ts', title: 'settling says of the money what the book says' },
    ],
  },
  {
    id: 'broken-off-miscounted',
    bug: 'Rows whose outcome was not written down are told as not sent when the work breaks off.',
    file: 'src/cli/end-after-failure.ts',
    find: '  const unknown = sending + in_doubt;',
    replace: '  const unknown = in_doubt;',
    caughtBy: [{ test: 'test/failing/words.test.ts', title: 'a run says of the money what the book says' }],
  },
  {
    id: 'overtaken-revision-goes-on',
    bug: 'A process that stood still in a revision goes on although another one took the batch over.',
    file: 'src/adapters/ledger/revise-sql.ts',
    find: 'if (!mayBegin(batch) || batches.facts(batch).merging !== asBatchId(String(importId)))',
    replace: 'if (batches.facts(batch).merging === asBatchId(String(-importId)) && mayBegin(batch))',
    caughtBy: [
      {
        test: 'test/adapters/ledger/overtaken-revision.test.ts',
        title: 'leaves the batch as whoever took it over made it',
      },
    ],
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
    id: 'commit-in-the-drive',
    bug: 'On a Mac a commit is called durable when the drive has it in its own memory.',
    file: OPEN,
    find: 'PRAGMA fullfsync = ON;\n',
    replace: '',
    caughtBy: [{ test: GUARDS, title: 'waits for the disk with every commit' }],
  },
  {
    id: 'lease-end-requeues',
    mustCatch: 'lease_end_requeues',
    bug: 'Whoever takes over a batch puts its rows on the wire back among those to send.',
    file: LEASES,
    find: '      return { tookOver: row !== undefined };',
    replace: [
      '      if (row !== undefined)',
      "        sql(\"UPDATE payouts SET status = 'approved', state = json_set(state, '$.status', 'approved'), living_root = root WHERE batch = ? AND status = 'sending'\").run(batch);",
      '      return { tookOver: row !== undefined };',
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
    id: 'emergency-not-synced',
    bug: 'An emergency line is not forced to the disk.',
    file: EMERGENCY,
    find: '    writeSync(this.#file, bytes, 0, bytes.length, start + used);\n    fsyncSync(this.#file);',
    replace: '    writeSync(this.#file, bytes, 0, bytes.length, start + used);',
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
    id: 'emergency-of-another-attempt',
    bug: 'An emergency line is applied to whatever attempt is open now.',
    file: APPLY,
    find: "  return 'evidence' in event ? event.evidence.attempt === payout.attempts : status === 'sending';",
    replace: '  return true;',
    caughtBy: [{ test: EMERGENCY_TEST, title: 'never applies the outcome of another attempt' }],
  },
  {
    id: 'emergency-without-stderr',
    bug: 'Where the emergency file cannot be written, nothing is said anywhere.',
    file: EMERGENCY,
    find: '      this.#say(',
    replace: '      void (',
    caughtBy: [{ test: EMERGENCY_TEST, title: 'says it on stderr in one line for machines' }],
  },
  {
    id: 'emergency-space-not-taken',
    bug: 'The space of the emergency file is not taken in advance.',
    file: EMERGENCY,
    find: '    if (size < SIZE) {',
    replace: '    if (size < 0) {',
    caughtBy: [{ test: EMERGENCY_TEST, title: 'takes the space for it in advance' }],
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
    find: '        return { busy: busyOf(row) };',
    replace: '        void busyOf(row);',
    caughtBy: [
      { test: CONTRACT, title: 'lets one runner have a batch, names it to the next' },
      { test: CRASH_TEST, title: 'that start a batch at the same moment: exactly one gets it' },
    ],
  },
  {
    id: 'dead-holder-keeps-batch',
    bug: 'A process that died keeps its batch for ever.',
    file: LEASES,
    find: '  if (isHere && !machine.isRunning(other.pid, row.started)) return true;\n',
    replace: '',
    caughtBy: [{ test: CRASH_TEST, title: 'loses its batch to the next process, which is told so' }],
  },
  {
    id: 'loser-begins',
    bug: 'A process that lost its batch may still write down an intent.',
    file: MOVES,
    find: "      if (!mayBegin(batch)) return { kind: 'stale' };",
    replace: "      if (event.kind === 'approve' && !mayBegin(batch)) return { kind: 'stale' };",
    caughtBy: [{ test: COMMITS_TEST, title: 'lets a process that lost its batch begin nothing more' }],
  },
  {
    id: 'busy-blocks-everything',
    bug: 'A ledger that another process holds for a moment fails a write at once.',
    file: COMMIT,
    find: '      if (isBusy(error) && waitedMs < BUSY_TOTAL_MS) {',
    replace: '      if (isBusy(error) && waitedMs < 0) {',
    caughtBy: [{ test: COMMITS_TEST, title: 'waits for another process that holds the ledger' }],
  },
  {
    id: 'half-a-commit',
    bug: 'A commit that failed leaves its callers believing that it did not.',
    file: COMMIT,
    find: '    for (const waiting of failed) waiting.reject(reason);',
    replace: '    for (const waiting of failed) waiting.resolve(undefined);',
    caughtBy: [{ test: COMMITS_TEST, title: 'fails every write that waits for a commit that fails' }],
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
    file: SQLITE,
    find: '  if (objection !== undefined && !acceptRollback && !readOnly) throw rolledBack(path, objection);\n',
    replace: '',
    caughtBy: [{ test: FILE_TEST, title: 'is refused, for it has forgotten payments' }],
  },
  {
    id: 'other-history-accepted',
    bug: 'A ledger set back and worked on as far as the newer one is not noticed.',
    file: HEAD,
    find: '    if (head === known.head.hash) return undefined;',
    replace: '    if (head !== undefined) return undefined;',
    caughtBy: [{ test: FILE_TEST, title: 'is noticed even after it has worked on as far' }],
  },
  {
    id: 'ledger-made-silently',
    bug: 'A ledger that is not there is made.',
    file: SQLITE,
    find: '    if (!create || binding === undefined)',
    replace: '    if (binding === undefined)',
    caughtBy: [{ test: FILE_TEST, title: 'is never made silently' }],
  },
  {
    id: 'old-sqlite-used',
    bug: 'Any release of SQLite will do.',
    file: OPEN,
    find: '    if (part === least) continue;',
    replace: '    if (part <= least) continue;',
    caughtBy: [{ test: FILE_TEST, title: 'is not opened with SQLite' }],
  },
  {
    id: 'ledger-readable-by-all',
    bug: 'A ledger that others may read stays so.',
    file: SQLITE,
    find: '  if (options.readOnly !== true) narrow(path, modes);\n',
    replace: '',
    caughtBy: [{ test: FILE_TEST, title: 'is made private again when it was opened up' }],
  },
  {
    id: 'foreign-service-accepted',
    bug: 'A ledger of one service is used for another one.',
    file: OPEN,
    find: '  if (binding !== undefined && !isSame(identity, binding)) throw foreign(identity, binding);\n',
    replace: '  void isSame;\n  void foreign;\n',
    caughtBy: [{ test: FILE_TEST, title: 'made for one service is refused for' }],
  },
  {
    id: 'newer-format-opened',
    bug: 'A ledger from a newer payfile is written to.',
    file: SCHEMA,
    find: '  if (version > SCHEMA_VERSION) {',
    replace: '  if (version < 0) {',
    caughtBy: [{ test: FILE_TEST, title: 'from a newer payfile is refused and not touched' }],
  },
  {
    id: 'header-not-read',
    bug: 'Whatever lies where the ledger should be is given to SQLite, an empty file too.',
    file: SQLITE,
    find: '  checkHeader(path);\n',
    replace: '  void checkHeader;\n',
    caughtBy: [{ test: FILE_TEST, title: '[L23]' }],
  },
  {
    id: 'story-by-the-clock',
    bug: 'The story of a payout is told in the order of its times, which a clock that was set back confuses.',
    file: 'src/adapters/ledger/payouts-sql.ts',
    find: "AND kind <> 'imported' ORDER BY seq\",",
    replace: "AND kind <> 'imported' ORDER BY at, seq\",",
    caughtBy: [{ test: GUARDS, title: '[T12]' }],
  },
  {
    id: 'times-in-local-zone',
    bug: 'Times are written in the zone of the machine.',
    file: 'src/domain/timestamp.ts',
    find: '  return new Date(at).toISOString();',
    replace:
      "  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().replace('Z', '');",
    caughtBy: [{ test: GUARDS, title: '[T12]' }],
  },
  {
    id: 'journal-may-be-rewritten',
    bug: 'Entries of the journal may be deleted.',
    file: SCHEMA,
    find: "CREATE TRIGGER journal_stays BEFORE DELETE ON journal BEGIN SELECT raise(ABORT, 'the journal is append-only'); END;\n",
    replace: '',
    caughtBy: [{ test: GUARDS, title: 'lets nobody take an entry out of the journal' }],
  },
  {
    id: 'full-disk-kills-all',
    bug: 'A full disk is told as if the ledger were damaged.',
    file: STORAGE,
    find: "  [13, 'the disk is full'],\n",
    replace: '',
    caughtBy: [{ test: FILE_TEST, title: 'for want of space is refused whole' }],
  },
];
