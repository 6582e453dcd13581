/** Mistakes in the ledger: a record is not durable, moved without a comparison, lost, copied or set back. */
import { condition, inSql, returning, returns, valued, withoutCall } from '../changes.ts';
import { mutation, type NamedMutation } from '../named-mutation.ts';

const MOVES = 'src/adapters/ledger/payouts/moves.ts';
const MEMORY = 'src/adapters/ledger/payouts/payment-memory.ts';
const EMERGENCY = 'src/adapters/ledger/storage/emergency.ts';
const LEASES = 'src/adapters/ledger/batches/leases.ts';
const OPENED = 'src/adapters/ledger/trust/opened-ledger.ts';
const KNOWN = 'src/adapters/ledger/trust/known-head.ts';
const CONTRACT = 'test/adapters/ledger/sqlite-ledger.test.ts';
const EMERGENCY_TEST = 'test/adapters/ledger/emergency.test.ts';
const KNOWN_TEST = 'test/adapters/ledger/known-here.test.ts';
const NAMES_TEST = 'test/adapters/ledger/ledger-names.test.ts';
const GUARDS = 'test/guards.test.ts';

export const LEDGER_MUTATIONS: readonly NamedMutation[] = [
  mutation(
    'commit-before-disk',
    'A commit counts as durable before the disk has it.',
    [
      'src/adapters/ledger/storage/open-file.ts',
      'PRAGMAS',
      inSql('synchronous = FULL', 'synchronous = NORMAL'),
    ],
    [GUARDS, 'waits for the disk with every commit'],
  ),
  mutation(
    'moved-without-comparing',
    'Two processes move the same payout, because the ledger does not compare its version.',
    [MOVES, 'WHERE', inSql('version = ?', '? > 0')],
    [CONTRACT, 'lets exactly one of two movers of the same payout win'],
  ),
  mutation(
    'two-living-payments',
    'A payment and its replacement are both on their way.',
    [MOVES, 'derivedOf', condition('LIVE isIncident', 'false')],
    [CONTRACT, 'lets at most one instruction of a family live, across batches'],
  ),
  mutation(
    'replacement-of-paid-begins',
    'A replacement begins although the first payment turned out paid.',
    [MOVES, 'Moves.#refusal.other', valued('undefined')],
    [CONTRACT, 'always takes down that a failed payment was paid after all'],
  ),
  mutation(
    'noted-incident-forgotten',
    'A replacement begins although a statement showed the first payment as paid.',
    [MEMORY, 'incidentRelative', returns("relative(sql, 'incident_root', id)")],
    [
      'test/use-cases/paid-again-revised.test.ts',
      'keeps the replacement from being begun, although nobody looked again',
    ],
  ),
  mutation(
    'replaced-beside-living',
    'A row is planned again while another batch pays it.',
    [MOVES, 'Moves.#replace', condition('relativeOf', 'false')],
    [
      'test/use-cases/paid-again-elsewhere.test.ts',
      'is refused to whoever wants to pay it once more; of all failed rows it is passed over',
    ],
  ),
  mutation(
    'equal-payments-both-go',
    'Neither of two equal payments stops the other.',
    [MOVES, 'Moves.#repeats', returns('[]')],
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
    [MOVES, 'Moves.#intent.why', valued('undefined as never')],
    [CONTRACT, 'sends nothing of a row'],
    ['test/stories/money-edited.test.ts', 'was edited in the table, and the others are'],
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
    [
      'src/adapters/ledger/reports/payout-sums.ts',
      'PayoutSums.principalSince',
      inSql("status = 'approved' OR ", ''),
    ],
    ['test/use-cases/approving.test.ts', 'counts all batches: what was sent today'],
  ),
  mutation(
    'two-runners',
    'A second process gets a batch although the first one is alive.',
    [LEASES, 'Leases.take', condition('#isAlive', 'false')],
    [CONTRACT, 'lets one runner have a batch, names it to the next'],
  ),
  mutation(
    'loser-begins',
    'A process that lost its batch writes down one more intent.',
    [MOVES, 'Moves.#refusal', condition('mayBegin -recover', 'false')],
    [
      'test/adapters/ledger/leases-and-commits.test.ts',
      'lets a process that lost its batch begin nothing more',
    ],
  ),
  mutation(
    'disk-error-forgotten',
    'The ledger writes on after a disk error.',
    ['src/adapters/ledger/storage/sql-statements.ts', 'isDiskError', returns('false')],
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
    [OPENED, 'refuseWhatNobodyAccepted', condition('acceptRollback', 'false')],
    ['test/adapters/ledger/ledger-file.test.ts', 'is refused, for it has forgotten payments'],
  ),
  mutation(
    'unknown-ledger-accepted',
    'A ledger that this machine does not know sends.',
    [OPENED, 'refuseWhatNobodyAccepted', condition('acceptLedger', 'false')],
    [KNOWN_TEST, 'that was copied to another place is refused for sending'],
  ),
  mutation(
    'lost-ledger-made-anew',
    'An empty ledger takes the place of a lost one, and the file is paid again.',
    ['src/adapters/ledger/sqlite-ledger.ts', 'prepareFile', withoutCall('refuseGone')],
    [NAMES_TEST, 'no ledger is made in the place of one that was worked with'],
  ),
  mutation(
    'new-batch-not-paused',
    'A restored ledger sends a new batch before a person compared it with a statement.',
    ['src/adapters/ledger/batches/imports.ts', 'Imports.seal', withoutCall('pauseUncompared')],
    [KNOWN_TEST, 'pauses each new batch and each one that gets rows'],
  ),
  mutation(
    'ids-given-again',
    'A restored ledger gives new payments the ids of other payments.',
    [KNOWN, 'skipIds.used', valued('numberOf(before ?? 0)')],
    [KNOWN_TEST, 'gives out no id that it gave out in another life'],
  ),
];
