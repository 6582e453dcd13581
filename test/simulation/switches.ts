/**
 * Rules of money, each switched off by one named change of a function. A simulation that does not find a rule that is off
 * does not watch it.
 */
import { condition, property, returns, valued, withoutElement, withoutTerm } from '../mutation/changes.ts';
import type { Place } from '../mutation/named-mutation.ts';

export interface Switch {
  readonly id: string;
  /** The fact of the rules of money, or what it is a part of. */
  readonly fact: string;
  /** What the application does without the rule. */
  readonly off: string;
  readonly changes: readonly Place[];
}

const off = (
  id: string,
  fact: string,
  sentence: string,
  ...changes: readonly (readonly [file: string, name: string, change: Place['change']])[]
): Switch => ({
  ...{ id, fact, off: sentence },
  changes: changes.map(([file, name, change]) => ({ file, name, change })),
});

const OBJECTION = 'src/domain/payouts/objection.ts';
const ORDER = 'src/domain/payouts/order.ts';
const CONCERN = 'src/domain/payouts/concern.ts';
const LIMITS = 'src/domain/plan/limits.ts';
const REPEAT = 'src/domain/payouts/repeat.ts';
const MOVES = 'src/adapters/ledger/payouts/moves.ts';
const MEMORY = 'src/adapters/ledger/payouts/payment-memory.ts';
const BASELINE = 'src/use-cases/price/baseline.ts';

export const SWITCHES: readonly Switch[] = [
  // What was agreed to
  off('order-not-compared', '1', 'Sends a row that was edited after its approval.', [
    OBJECTION,
    'objection',
    condition('leaf leafOf', 'false'),
  ]),
  off(
    'leaf-without-cost',
    '1',
    'Agrees to another cost than was shown.',
    [ORDER, 'termsOf', property('rate', "''")],
    [ORDER, 'termsOf', property('fee', "''")],
    [ORDER, 'termsOf', property('debit', 'undefined')],
  ),
  off('leaf-without-phone', '1', 'Agrees to another phone than was shown.', [
    ORDER,
    'leafOf',
    withoutElement('phone'),
  ]),
  off('another-digest', '5', 'Approves whatever waits, whichever plan was seen.', [
    'src/use-cases/approve/approve-batch.ts',
    'approvePlan',
    withoutTerm('isSameDigest'),
  ]),
  // Terms
  off('dearer-sent', '2', 'Sends a row that costs more than was approved.', [
    OBJECTION,
    'costsMore',
    returns('undefined'),
  ]),
  off('other-holder-sent', '2', 'Sends a row whose account has another holder by now.', [
    OBJECTION,
    'isSameHolder',
    returns('true'),
  ]),
  off('other-institution-sent', '2', 'Sends a row to an institution of another name.', [
    OBJECTION,
    'termsObjection',
    condition('institutionName', 'false'),
  ]),
  off('other-country-sent', '2', 'Sends a row to a country of another name.', [
    OBJECTION,
    'termsObjection',
    condition('countryName', 'false'),
  ]),
  off('terms-never-old', '3', 'Uses a quote and a name of any age.', [
    'src/domain/timestamp.ts',
    'isYoung',
    returns('true'),
  ]),
  off('approval-kept', '3', 'Sends rows whose approval has ended.', [
    OBJECTION,
    'objection',
    condition('approvalMs', 'false'),
  ]),
  off('baseline-passed-over', '4', 'A ceiling agrees to a cost that moved.', [
    BASELINE,
    'firstMoved',
    returns('undefined'),
  ]),
  off('debit-not-bounded', '4', 'Takes more than --max-debit says.', [
    'src/use-cases/send/debit-bound.ts',
    'openDebitBound',
    condition('max length', 'true'),
  ]),
  // Releases
  off('dearer-fee-covered', '6', 'A released fee covers a higher one.', [
    CONCERN,
    'covers',
    withoutTerm('feeMinor'),
  ]),
  off('any-name-covered', '6', 'A released name covers every other name.', [
    CONCERN,
    'covers',
    withoutTerm('concernText'),
  ]),
  off('any-repeat-covered', '6', 'A released repeat covers every other payment.', [
    CONCERN,
    'covers',
    withoutTerm('of'),
  ]),
  off('doubt-covered', '6', 'A released repeat covers the same payment once it is in doubt.', [
    CONCERN,
    'covers',
    withoutTerm('saw now isUnknown'),
  ]),
  // Repeats
  off('repeats-not-asked-at-intent', '8', 'Sends two rows that were approved beside each other.', [
    MOVES,
    'Moves.#intent.repeats',
    valued('[]'),
  ]),
  off('repeats-never-asked', '7', 'Pays a payment that was made before.', [
    REPEAT,
    'repeatReasons',
    returns('[]'),
  ]),
  off('equal-rows-not-asked-about', '8', 'Pays equal rows of one file.', [
    MEMORY,
    'PaymentMemory.rowsAbove',
    returns('new Map()'),
  ]),
  off('all-with-repeats', '9', 'Releases repeats with everything else by “all”.', [
    'src/use-cases/decide/release-held.ts',
    'ONE_BY_ONE',
    valued('[]'),
  ]),
  off(
    'doubt-released-with-period',
    '9',
    'Releases repeats of payments that are not settled by “a new period”.',
    ['src/use-cases/decide/repeats.ts', 'releaseRepeats', condition('settled', 'false')],
  ),
  off('period-too-early', '9', 'Believes in “a new period” on the same day.', [
    'src/use-cases/decide/repeats.ts',
    'whyTooEarly',
    returns('undefined'),
  ]),
  off('limits-not-asked', 'limits', 'Pays amounts above the limit.', [LIMITS, 'limitReasons', returns('[]')]),
];
