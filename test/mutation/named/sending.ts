/** Mistakes in sending: intents, outcomes, late repeats, doubts, pauses. */
import {
  argument,
  condition,
  earlier,
  inCase,
  literal,
  returning,
  returningForThrow,
  twice,
  valued,
  withoutCall,
} from '../changes.ts';
import { andAlso, mutation, type NamedMutation } from '../named-mutation.ts';

const SEND_PAYOUT = 'src/use-cases/send/send-payout.ts';
const BEGIN = 'src/ledger/begin.ts';
const SEND_BATCH = 'src/use-cases/send/send-batch.ts';
const SEND_ROWS = 'src/use-cases/send/send-rows.ts';
const BREAKER = 'src/domain/payouts/circuit-breaker.ts';
const PREPARED = 'src/service/send-transfer.ts';
const SENDING = 'test/use-cases/sending.test.ts';
const PAYING_AGAIN = 'test/use-cases/before-paying-again.test.ts';
const GUARDS = 'test/guards.test.ts';
const HALF_READ = [
  'test/ledger/half-read.test.ts',
  'approves and sends nothing of a batch that has rows of two files',
] as const;

export const SENDING_MUTATIONS: readonly NamedMutation[] = [
  andAlso(
    mutation(
      'intent-after-request',
      'The request leaves before its intent is durable, as the row was read and not as it was compared.',
      [SEND_PAYOUT, 'sendPayout', earlier('send', 'beginAttempt')],
      [SENDING, 'is durable before the request leaves'],
    ),
    [SEND_PAYOUT, 'sendPayout', argument('orderFor', 0, 'payout')],
  ),
  mutation(
    'sent-twice',
    'Each payment is sent twice.',
    [SEND_PAYOUT, 'sendPayout', twice('send')],
    [SENDING, 'leaves the row in doubt, and no later run sends it again'],
  ),
  mutation(
    'outcome-lost',
    'An outcome that the ledger cannot write is written nowhere else.',
    [SEND_PAYOUT, 'recordOutcome', withoutCall('emergency event')],
    [SENDING, 'puts an outcome that cannot be written into the emergency file'],
  ),
  mutation(
    'sends-on-after-lost-outcome',
    'Sending goes on after the ledger failed to record an outcome.',
    [SEND_PAYOUT, 'recordOutcome', returningForThrow('error', "{ kind: 'stale' }")],
    [SENDING, 'puts an outcome that cannot be written into the emergency file'],
  ),
  mutation(
    'sends-without-intent',
    'The request leaves although the ledger failed to record its intent.',
    [SEND_PAYOUT, 'beginAttempt', returningForThrow('error', "{ kind: 'recorded', payout }")],
    [SENDING, 'sends nothing when the intent cannot be written'],
  ),
  mutation(
    'repeats-not-asked-at-intent',
    'The commit of the intent does not look for a repeat.',
    [BEGIN, 'intentOf.repeats', valued('[]')],
    [
      'test/use-cases/people.test.ts',
      'lets go the payment that the person saw, and no other that was made since',
    ],
  ),
  mutation(
    'late-acceptance-dropped',
    'An acceptance after the doubt is discarded.',
    [SEND_PAYOUT, 'recordLateAnswer', condition('isSameAttempt', 'true')],
    [SENDING, 'keeps a late acceptance of a row that another process had put in doubt'],
  ),
  mutation(
    'seen-id-goes-on',
    'A batch goes on after the service gave the transfer id of another row.',
    [BREAKER, 'afterSend', inCase('id_seen_before', returning('pausedFor', 'breaker'))],
    [SENDING, 'leaves the row in doubt and pauses the batch'],
  ),
  mutation(
    'doubt-goes-on',
    'A payment in doubt does not hold the next ones back.',
    [BREAKER, 'afterSend', inCase('in_doubt', returning('probing', 'next'))],
    [SENDING, 'asks its question only when the last one in flight has ended'],
    [
      'test/domain/breaker.test.ts',
      'lets nothing more start after one, until a harmless question is answered',
    ],
  ),
  mutation(
    'turned-away-without-end',
    'A row with 429 as its answer is sent once more than allowed.',
    ['src/use-cases/send/turned-away.ts', 'TRIES_MAX', valued('4')],
    [
      'test/use-cases/turned-away.test.ts',
      'is sent three times at the most to a service that pays and says 429',
    ],
  ),
  andAlso(
    mutation(
      'pause-passed-over',
      'A run sends a batch that a person paused.',
      [SEND_BATCH, 'sendUntilStopped', condition('batch pause', 'false')],
      [GUARDS, 'is sent by no later run once a person paused it'],
    ),
    [SEND_ROWS, 'createLedgerPoll', condition('batch pause', 'false')],
  ),
  andAlso(
    mutation(
      'sends-without-lease',
      'A process that lost its batch goes on sending.',
      [SEND_ROWS, 'openGate', withoutCall('onLost -addEventListener')],
      [SENDING, 'sends nothing more once the lease is lost'],
    ),
    [SEND_ROWS, 'openGate', withoutCall('addEventListener')],
  ),
  mutation(
    'old-approval-sent',
    'An approval never expires.',
    ['src/domain/payouts/objection.ts', 'objection', condition('approvalMs', 'false')],
    [SENDING, 'older than a day goes back to quoted instead of out'],
  ),
  mutation(
    'half-read-file-sent',
    'A batch is sent while it holds a row and its correction.',
    [SEND_BATCH, 'sendUntilStopped', withoutCall('requireWholeFile')],
    HALF_READ,
  ),
  mutation(
    'replaced-payment-not-asked',
    'A replacement is sent without a look at the payment that it replaces.',
    ['src/use-cases/send/before-paying-again.ts', 'lookAt', condition('failed', 'false')],
    ['test/use-cases/settling.test.ts', 'is found out just before its replacement'],
    [PAYING_AGAIN, 'longer ago than it is watched is an incident when it is Finished'],
  ),
  mutation(
    'other-replacement-not-asked',
    'A row that two files pay again is looked up in only one of them.',
    ['src/use-cases/decide/relatives.ts', 'relativesOf', withoutCall('family set')],
    [PAYING_AGAIN, 'is not sent when that other payment turns out Finished'],
  ),
  mutation(
    'recovery-sends-again',
    'A row that was on the wire in a crash is sent again.',
    ['src/use-cases/send/recover-batch.ts', 'recoverBatch', literal('recover', 'not_sent')],
    [GUARDS, 'puts a row that a dead process had on the wire in doubt'],
  ),
  mutation(
    'woken-process-sends',
    'A process that slept between intent and request sends the request when it wakes.',
    [PREPARED, 'PreparedSend.take.isFresh', valued('true')],
    [GUARDS, 'leaves nothing on a connection that was prepared more than two seconds ago'],
  ),
  mutation(
    'repeated-without-proof',
    'A transfer is sent again although nobody knows whether the token was refused.',
    [PREPARED, 'afterTokenCheck', condition('verdict refused -good', 'true')],
    ['test/service/transfer-wire.test.ts', '401, profile down'],
  ),
];
