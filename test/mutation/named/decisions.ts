/** Mistakes in decisions of people: approvals, limits, repeats, holds, rulings, paying again, passkeys. */
import {
  argument,
  condition,
  literal,
  property,
  returns,
  valued,
  withoutElement,
  withoutTerm,
} from '../changes.ts';
import { andAlso, mutation, type NamedMutation } from '../named-mutation.ts';

const APPROVE = 'src/use-cases/approve/approve-batch.ts';
const FOUR_EYES = 'src/use-cases/approve/four-eyes.ts';
const RUN = 'src/use-cases/run.ts';
const LIMITS = 'src/domain/plan/limits.ts';
const RESOLVE = 'src/use-cases/decide/resolve-doubt.ts';
const REISSUE = 'src/use-cases/decide/reissue.ts';
const RELEASE = 'src/use-cases/decide/release-held.ts';
const REPEATS = 'src/use-cases/decide/repeats.ts';
const PRICE = 'src/domain/payouts/price-decision.ts';
const SIGN = 'src/use-cases/people/sign-approval.ts';
const PEOPLE = 'test/use-cases/people.test.ts';
const RUNNING = 'test/use-cases/running.test.ts';
const PRICE_TEST = 'test/domain/price-decision.test.ts';
const PASSKEYS = 'test/payfile/passkeys.test.ts';
const SIGNING = 'test/use-cases/sign-approval.test.ts';

export const DECISION_MUTATIONS: readonly NamedMutation[] = [
  mutation(
    'approval-of-another-plan',
    'An approval counts although the plan changed since the person saw it.',
    [APPROVE, 'approvePlan.isSeen', valued('true')],
    [PEOPLE, 'is approved only under the digest that the person saw'],
    [RUNNING, 'does not send what changed while the person was reading the plan'],
  ),
  mutation(
    'unseen-row-approved',
    'A row that joined the plan after the person saw it is approved.',
    [APPROVE, 'approvePage', argument('recordEvents', 2, '{}')],
    ['test/use-cases/approved-as-seen.test.ts', 'that another process brings and prices'],
  ),
  mutation(
    'ceiling-passed-over',
    'A batch above its ceiling is sent.',
    [LIMITS, 'overBound', condition('isAtMost', 'false')],
    [RUNNING, 'counts what was paid in earlier runs towards the ceiling'],
  ),
  mutation(
    'invalid-rows-passed-over',
    'The rest of a file with an invalid row is sent.',
    [RUN, 'runStages.invalid', condition('count skipInvalid', 'false')],
    [RUNNING, 'sends nothing at all while one row is invalid'],
  ),
  mutation(
    'maker-approves',
    'A person approves their own file although four eyes are required.',
    [FOUR_EYES, 'hasBrought', condition('maker by', 'false')],
    [PEOPLE, 'needs another person where four eyes are asked for'],
  ),
  mutation(
    'corrector-approves',
    'A person approves the account that they wrote, although four eyes are required.',
    [FOUR_EYES, 'shapersOf.corrected', valued('[]')],
    ['test/payfile/four-eyes.test.ts', 'keep whoever corrected a cell'],
  ),
  mutation(
    'text-names-second-person',
    'A program names the second person, and nobody signs.',
    ['src/use-cases/approve/lasting-rules.ts', 'needsPasskey', condition('hasOwnLogin', 'false')],
    ['test/payfile/four-eyes.test.ts', 'take no text for a second person'],
  ),
  mutation(
    'further-passkey-unsigned',
    'A stolen session registers a passkey for a person who has one.',
    ['src/use-cases/people/passkeys-known.ts', 'allowanceOf', returns("'ticket'")],
    ['test/console/four-eyes.test.ts', 'gives the approval to nobody who took over a session'],
    [PASSKEYS, 'is registered by a signature with one that the person has'],
  ),
  mutation(
    'another-plan-signed',
    'A signature counts for another plan than the signed one.',
    [SIGN, 'proveWith', condition('approvalChallenge', 'false')],
    [SIGNING, 'is for exactly the plan that was asked about'],
  ),
  mutation(
    'signature-unchecked',
    'A signature of any person counts.',
    [SIGN, 'signed', condition('why', 'false')],
    [PASSKEYS, 'is worth nothing for another person, batch or key'],
  ),
  mutation(
    'not-paid-ruled-too-early',
    'A person rules “not paid” while an answer can still come.',
    [RESOLVE, 'whyOpen', condition('quiet', 'false')],
    [PEOPLE, 'that it was not paid waits until no answer can come any more'],
  ),
  mutation(
    'not-paid-while-sender-sleeps',
    'A person rules “not paid” while the sender may still send.',
    [RESOLVE, 'whyOpen', condition('isRunning', 'true')],
    ['test/use-cases/ruled-not-paid.test.ts', 'waits while the process that sent the request only sleeps'],
  ),
  mutation(
    'paid-by-another-transfer',
    'A ruling takes the transfer of another row.',
    [RESOLVE, 'checkTransfer', condition('takenToo', 'false')],
    [PEOPLE, 'that names another row’s transfer by its other id is refused'],
  ),
  mutation(
    'doubt-sent-again',
    'A row in doubt goes back to the rows to send.',
    [
      'src/domain/payouts/payout-machine.ts',
      'MOVES',
      property(
        'in_doubt',
        "{ not_sent: 'approved', accept: 'accepted', rule_paid: 'accepted', rule_not_paid: 'failed' }",
      ),
    ],
    ['test/domain/payout-machine.test.ts', 'as the table says'],
  ),
  andAlso(
    mutation(
      'doubt-paid-again',
      'A row in doubt is paid again without a ruling.',
      [REISSUE, 'whyNotPaidAgain', literal('canceled', 'in_doubt')],
      [PEOPLE, 'paying again'],
    ),
    ['src/ledger/families.ts', 'REPLACEABLE', literal('canceled', 'in_doubt')],
  ),
  mutation(
    'failure-paid-again-at-once',
    'A payment that the service just called failed is paid again at once.',
    [REISSUE, 'whyNotPaidAgain', condition('moment from', 'true')],
    [PEOPLE, 'waits a day after the service called it failed, or needs evidence'],
  ),
  mutation(
    'released-beside-living',
    'A person releases a row while another payment of it may still be made.',
    ['src/use-cases/decide/held-now.ts', 'blockedBy', condition('livingRelative', 'true')],
    ['test/use-cases/same-row.test.ts', 'is not let go beside the other one'],
  ),
  andAlso(
    mutation(
      'released-unseen',
      'A release covers a concern that came up after the person looked.',
      [RELEASE, 'whyUnseen', condition('markOf', 'true')],
      [PEOPLE, 'held again for something else'],
    ),
    ['src/domain/payouts/concern.ts', 'kindsToName', condition('isKnown', 'true')],
  ),
  mutation(
    'repeat-not-held',
    'A repeat of a recent payment is not held.',
    [PRICE, 'concernsOf', withoutElement('repeatReasons')],
    [PRICE_TEST, 'repeats'],
  ),
  mutation(
    'other-name-paid',
    'An account of another person is paid without a question.',
    [PRICE, 'nameReasons', condition('hold', 'true')],
    [PRICE_TEST, 'the name'],
  ),
  mutation(
    'changed-account-paid',
    'A person with another account than last month is paid without a question.',
    [PRICE, 'concernsOf', withoutElement('otherAccount')],
    ['test/use-cases/account-changes.test.ts', 'is held and the others are paid: known by'],
  ),
  andAlso(
    mutation(
      'doubt-released-with-period',
      'The answer “a new period” pays a row in doubt again.',
      [REPEATS, 'releaseRepeats', withoutTerm('status')],
      ['test/use-cases/new-period.test.ts', 'a payment that is not known to be made or not'],
    ),
    [REPEATS, 'releaseRepeats', property('isUnknown', 'true')],
  ),
  mutation(
    'every-repeat-released',
    'The answer “a new period” of one batch releases repeats of every other batch.',
    [REPEATS, 'releaseRepeats', condition('batchesPaidBy', 'true')],
    ['test/use-cases/new-period.test.ts', 'pays no row of this one again'],
  ),
  mutation(
    'changed-paid-row-taken',
    'A file that changes a paid row is accepted.',
    ['src/use-cases/intake/place-import.ts', 'placeRevision', condition('conflictCount', 'false')],
    ['test/use-cases/placing.test.ts', 'refuses the file and names what was agreed to'],
  ),
];
