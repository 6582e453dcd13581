/** Mistakes in the ledger: a record is not durable, moved without a comparison, lost, copied or set back. */
import { condition, inSql, property, returning, returns, valued, withoutCall } from '../changes.ts';
import { andAlso, mutation, type NamedMutation } from '../named-mutation.ts';

const MOVES = 'src/ledger/moves.ts';
const BEGIN = 'src/ledger/begin.ts';
const MEMORY = 'src/ledger/memory.ts';
const EMERGENCY = 'src/ledger/emergency.ts';
const TRUST = 'src/ledger/trust.ts';
const SQLITE = 'src/ledger/sqlite.ts';
const CONTRACT = 'test/ledger/contract.test.ts';
const MOVES_TEST = 'test/ledger/moves.test.ts';
const EMERGENCY_TEST = 'test/ledger/emergency.test.ts';
const KNOWN_TEST = 'test/ledger/known.test.ts';
const GUARDS = 'test/guards.test.ts';

export const LEDGER_MUTATIONS: readonly NamedMutation[] = [
  mutation(
    'commit-before-disk',
    'A commit counts as durable before the disk has it.',
    [SQLITE, 'PRAGMAS', inSql('synchronous = FULL', 'synchronous = NORMAL')],
    [GUARDS, 'waits for the disk with every commit'],
  ),
  mutation(
    'moved-without-comparing',
    'Two processes move the same payout, because the ledger does not compare its version.',
    [MOVES, 'WHERE', inSql('p.version = m.was', 'm.was >= 0')],
    [CONTRACT, 'answers many moves one by one, in order'],
  ),
  mutation(
    'two-living-payments',
    'A payment and its replacement are both on their way.',
    ['src/ledger/rows.ts', 'derivedOf', property('lives', 'false')],
    [CONTRACT, 'lets at most one instruction of a family live, across batches'],
  ),
  mutation(
    'replacement-of-paid-begins',
    'A replacement begins although the first payment turned out paid.',
    [BEGIN, 'refusal.other', valued('undefined')],
    [CONTRACT, 'always takes down that a failed payment was paid after all'],
  ),
  mutation(
    'noted-incident-forgotten',
    'A replacement begins although a statement showed the first payment as paid.',
    ['src/ledger/families.ts', 'incidentRelative', returning('noted', "optionalNumber(own?.['id'])")],
    [
      'test/use-cases/paid-again-revised.test.ts',
      'keeps the replacement from being begun, although nobody looked again',
    ],
  ),
  mutation(
    'replaced-beside-living',
    'A row is planned again while another batch pays it.',
    ['src/ledger/families.ts', 'placeOf', condition('relativeOf', 'false')],
    [
      'test/use-cases/paid-again-elsewhere.test.ts',
      'is refused to whoever wants to pay it once more; of all failed rows it is passed over',
    ],
  ),
  mutation(
    'equal-payments-both-go',
    'Neither of two equal payments stops the other.',
    [BEGIN, 'repeatsNow', returns('[]')],
    [CONTRACT, 'sends exactly one of two equal payments that two batches begin'],
    [CONTRACT, 'refuses the intent when a payment that a person saw is in doubt by now'],
  ),
  mutation(
    'equal-rows-not-asked-about',
    'Nobody is asked about equal rows of one file.',
    [MEMORY, 'isSameByReference', returns('false')],
    [CONTRACT, 'names the unsent rows above a row of the same file that may be the same'],
  ),
  mutation(
    'edited-row-sent',
    'An intent is not compared with its approval.',
    [BEGIN, 'intentOf.why', valued('undefined as never')],
    [CONTRACT, 'sends nothing of a row'],
    [MOVES_TEST, 'sends nothing of a row that somebody edited after the approval'],
    ['test/stories/money-edited.test.ts', 'was edited in the table, and the others are'],
  ),
  mutation(
    'edited-meanwhile-sent',
    'The hot way sends a row that was edited after it was read.',
    [MOVES, 'AND_AGREED', inSql('p.account = m.to_account AND', '1 = 1 AND')],
    [MOVES_TEST, 'sends nothing of a row that somebody edited after the approval'],
  ),
  mutation(
    'journal-passed-over',
    'The hot way sends a row that its journal does not call approved.',
    [MOVES, 'AND_AGREED', inSql('m.leaf IS NULL', '1 = 1')],
    [MOVES_TEST, 'sends nothing of a row that its journal does not call approved'],
  ),
  mutation(
    'equal-payments-on-the-hot-way',
    'The hot way begins both of two equal payments.',
    [MOVES, 'another', returns('q`1 = 1`')],
    [MOVES_TEST, 'begins one of two equal payments that two processes begin at the same moment'],
  ),
  mutation(
    'doubt-stops-no-repeat',
    'A payment in doubt does not stop an equal one with another reference.',
    [MEMORY, 'IS_UNKNOWN', inSql("other.status IN ('sending','in_doubt') OR ", '')],
    [CONTRACT, 'blocks a payment under another reference while the outcome'],
  ),
  mutation(
    'repeat-without-reference-unseen',
    'A payment without a reference is compared with no earlier payment.',
    [MEMORY, 'SAME_WITHOUT_REFERENCE', inSql('me.reference_key IS NULL', 'me.payment_key IS NULL')],
    [GUARDS, '[B6]'],
  ),
  mutation(
    'day-limit-forgets-approved',
    'The limit of a day leaves out approved rows that are not sent.',
    ['src/ledger/sums.ts', 'principalSince', inSql("status = 'approved' OR ", '')],
    ['test/use-cases/approving.test.ts', 'counts all batches: what was sent today'],
  ),
  mutation(
    'two-runners',
    'A second process gets a batch although the first one is alive.',
    ['src/ledger/leases.ts', 'Leases.#refusal.atWork', valued('undefined as never')],
    [CONTRACT, 'lets one runner have a batch, names it to the next'],
  ),
  andAlso(
    mutation(
      'loser-begins',
      'A process that lost its batch writes down one more intent.',
      [BEGIN, 'refusal', condition('mayBegin', 'false')],
      ['test/ledger/leases.test.ts', 'lets a process that lost its batch begin nothing more'],
    ),
    [BEGIN, 'plainOf', property('lease', '() => null')],
  ),
  mutation(
    'disk-error-forgotten',
    'The ledger writes on after a disk error.',
    [SQLITE, 'sqliteError.isFinal', valued('false')],
    [GUARDS, 'writes nothing more after the disk reported an error'],
  ),
  mutation(
    'emergency-not-written',
    'An outcome without a commit is not in the emergency file.',
    [EMERGENCY, 'EmergencyFile.write', withoutCall('#append')],
    [GUARDS, 'has an outcome in the emergency file even when the process is ended at once'],
  ),
  mutation(
    'emergency-not-read',
    'The next start does not read the outcomes of an emergency.',
    [EMERGENCY, 'applyEmergencies', condition('entries length', 'true')],
    [EMERGENCY_TEST, 'makes an accepted transfer accepted at the next start'],
  ),
  mutation(
    'emergency-of-another-process',
    'An emergency line of another process makes a row on the wire payable.',
    [EMERGENCY, 'isOfLastAttempt', returning('isSameWriter', 'true')],
    [EMERGENCY_TEST, 'never makes a row payable when another process wrote it'],
  ),
  mutation(
    'earlier-acceptance-forgotten',
    'An acceptance of an earlier request is only a note, not an incident.',
    [EMERGENCY, 'applyOne', withoutCall('keepAcceptance')],
    [EMERGENCY_TEST, 'is an incident when it is an acceptance'],
  ),
  mutation(
    'older-copy-accepted',
    'A ledger that was set back to an older copy sends.',
    [TRUST, 'refuseWhatNobodyAccepted', condition('acceptRollback', 'false')],
    [KNOWN_TEST, 'with an older state put in its place is refused'],
  ),
  mutation(
    'unknown-ledger-accepted',
    'A ledger that this machine does not know sends.',
    [TRUST, 'refuseWhatNobodyAccepted', condition('acceptLedger', 'false')],
    [KNOWN_TEST, 'that was copied is refused to a user who knows the ledger itself'],
    [KNOWN_TEST, 'is refused on a machine that never saw it'],
  ),
  mutation(
    'lost-ledger-made-anew',
    'An empty ledger takes the place of a lost one, and the file is paid again.',
    ['src/ledger/file.ts', 'prepareFile', withoutCall('refuseGone')],
    [KNOWN_TEST, 'that is gone is not made anew, not even on request'],
  ),
  mutation(
    'new-batch-not-paused',
    'A restored ledger sends a new batch before a person compared it with a statement.',
    ['src/ledger/imports.ts', 'importsOf.seal', withoutCall('pauseUncompared')],
    [
      'test/ledger/batches.test.ts',
      'pauses what could be sent when somebody accepts the ledger, and each batch that is new or grows',
    ],
  ),
  mutation(
    'ids-given-again',
    'A restored ledger gives new payments the ids of other payments.',
    ['src/ledger/comparison.ts', 'acceptLedger', inSql('WHEN last < ', 'WHEN 1 = 2 AND last < ')],
    [KNOWN_TEST, 'gives out no id that it gave out in another life'],
  ),
];
