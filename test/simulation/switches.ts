/**
 * Rules of money, each switched off by one named change of a function. A simulation that does not find a rule that is off
 * does not watch it.
 */
import {
  argument,
  type Change,
  condition,
  inCase,
  inSql,
  property,
  returning,
  returns,
  valued,
  withoutElement,
  withoutTerm,
} from '../mutation/changes.ts';
import type { Place } from '../mutation/named-mutation.ts';

export interface Switch {
  readonly id: string;
  /** The fact of money-rules.md; `file`: of its section about a batch and its file. */
  readonly fact: string;
  /** What the application does without the rule. */
  readonly off: string;
  readonly changes: readonly Place[];
}

type Changed = readonly [file: string, name: string, change: Change];

const off = (id: string, fact: string, sentence: string, ...changes: readonly Changed[]): Switch => ({
  ...{ id, fact, off: sentence },
  changes: changes.map(([file, name, change]) => ({ file, name, change })),
});

const OBJECTION = 'src/domain/payouts/objection.ts';
const ORDER = 'src/domain/payouts/order.ts';
const CONCERN = 'src/domain/payouts/concern.ts';
const DECISION = 'src/domain/payouts/price-decision.ts';
const SHOWN = 'src/domain/payouts/shown.ts';
const BEGIN = 'src/ledger/begin.ts';
const MOVES = 'src/ledger/moves.ts';
const MEMORY = 'src/ledger/memory.ts';
const MATCH = 'src/ledger/match.ts';
const APPROVE = 'src/use-cases/approve/approve-batch.ts';
const BASELINE = 'src/use-cases/price/baseline.ts';
const LIVE = 'src/use-cases/price/live-terms.ts';
const REPEATS = 'src/use-cases/decide/repeats.ts';
const RELEASE = 'src/use-cases/decide/release-held.ts';
const PLACE = 'src/use-cases/intake/place-import.ts';
const ROW_KEY = 'src/domain/rows/row-key.ts';

const OF_THE_ROW: readonly Switch[] = [
  off('leaf-at-intent', '1', 'Sends a row that is not as it was approved.', [
    OBJECTION,
    'objection',
    condition('leaf', 'false'),
  ]),
  off('journal-at-intent', '1', 'Sends a row that only its table calls approved.', [
    OBJECTION,
    'objection',
    returning('not_approved', 'objection({ leaf, at }, { payout, leaf, live, repeats, at }, policy)'),
  ]),
  off('journal-on-the-hot-way', '1', 'Sends a plain row that only its table calls approved.', [
    MOVES,
    'AND_AGREED',
    inSql('m.leaf IS NULL', '1 = 1'),
  ]),
  off('edited-by-ceiling', '1', 'Lets a ceiling agree to a row that was edited after its approval.', [
    BASELINE,
    'otherThanSeen',
    condition('isOther', 'false'),
  ]),
  off(
    'edited-asked-anew',
    '1',
    'Shows the holder that was approved beside an account that was edited since.',
    ['src/domain/payouts/payout-machine.ts', 'ofAnother', returns('pricing')],
  ),
];

const OF_TERMS: readonly Switch[] = [
  off('country', '2', 'Sends to a country that has another name than the one that was approved.', [
    OBJECTION,
    'termsObjection',
    condition('countryName -institutionName', 'false'),
  ]),
  off('institution', '2', 'Sends to an institution that has another name than the one that was approved.', [
    OBJECTION,
    'termsObjection',
    condition('listed name', 'false'),
  ]),
  off('holder', '2', 'Sends to an account that has another holder than the one that was approved.', [
    OBJECTION,
    'termsObjection',
    condition('isSameHolder', 'false'),
  ]),
  off('debit', '2', 'Sends what costs more than was approved.', [
    OBJECTION,
    'costsMore',
    returns('undefined'),
  ]),
  off('fee-in-debit', '2', 'Compares what a payment costs without its fee.', [
    OBJECTION,
    'termsObjection',
    argument('costsMore', 1, "[pricing.quote, live.quote].map((one) => one && { ...one, fee: '0' })"),
  ]),
  off(
    'quote-age',
    '3',
    'Sends at a quote of any age.',
    [LIVE, 'liveQuote', condition('quotedAt quoteMinutes', 'true')],
    [OBJECTION, 'objection.isOld', withoutTerm('quotedAt quoteMs')],
  ),
  off(
    'name-age',
    '3',
    'Sends to an account whose holder was asked for at any time.',
    [LIVE, 'liveName', condition('nameCheckedAt nameHours', 'true')],
    [OBJECTION, 'objection.isOld', withoutTerm('nameCheckedAt')],
  ),
  off('approval-age', '§7', 'Sends rows whose approval has ended.', [
    OBJECTION,
    'objection',
    condition('approvalMs', 'false'),
  ]),
];

const OF_CEILINGS: readonly Switch[] = [
  off('baseline', '4', 'Lets a ceiling agree to a price that moved since the first plan.', [
    BASELINE,
    'aboveBaseline',
    returns('undefined'),
  ]),
  // Both at once: a bank that has another name is another row when the file is brought again.
  off(
    'ceiling-renamed',
    '4',
    'Lets a ceiling agree to a country or bank that has another name than when the file was read.',
    [BASELINE, 'otherThanSeen', condition('institutionName', 'false')],
    [BASELINE, 'otherThanSeen', condition('destinationName', 'true')],
  ),
  // Both at once: the second compares, row by row, what the first has compared for the whole batch.
  off(
    'max-debit',
    '4',
    'Takes more than the bound that was given.',
    [
      'src/domain/plan/limits.ts',
      'overCeiling',
      returning('maxDebits', "overBound('principal', principal, ceilings)"),
    ],
    ['src/use-cases/send/debit-bound.ts', 'openDebitBound.add', condition('debited', 'false')],
  ),
];

const OF_APPROVALS: readonly Switch[] = [
  off('another-digest', '5', 'Approves whatever waits, whichever plan was seen.', [
    APPROVE,
    'approvePlan.isSeen',
    valued('true'),
  ]),
  off(
    'leaf-cost',
    '5',
    'Has the same digest at another price.',
    [ORDER, 'leafOf', withoutElement('rate -fee -debit')],
    [ORDER, 'leafOf', withoutElement('fee -rate -debit')],
    [ORDER, 'leafOf', withoutElement('debit minor')],
  ),
  off('leaf-phone', '5', 'Has the same digest with another phone number.', [
    ORDER,
    'leafOf',
    withoutElement('phone'),
  ]),
  off('leaf-releases', '5', 'Has the same digest with other releases.', [
    ORDER,
    'leafOf',
    withoutElement('released'),
  ]),
];

const OF_RELEASES: readonly Switch[] = [
  off('covers-fee', '6', 'Lets a released fee cover a higher one.', [
    CONCERN,
    'covers',
    inCase('fee', withoutTerm('feeMinor')),
  ]),
  off('covers-name', '6', 'Lets a released name cover any other holder.', [
    CONCERN,
    'covers',
    inCase('name', returning('concernText', "saw.kind === 'name'")),
  ]),
  off('covers-limit', '6', 'Lets a release cover any limit.', [
    CONCERN,
    'covers',
    inCase('over_limit', withoutTerm('limit')),
  ]),
  off('covers-repeat', '6', 'Lets one released repeat cover any other.', [
    CONCERN,
    'covers',
    inCase('repeat', withoutTerm('of')),
  ]),
  off('covers-doubt', '6', 'Lets a released repeat cover one that is in doubt since.', [
    CONCERN,
    'covers',
    inCase('repeat', returning('isUnknown', "saw.kind === 'repeat' && saw.of === now.of")),
  ]),
  off('fee-limit', '6', 'Asks about no fee.', [DECISION, 'quoteReasons', condition('feePercentMax', 'true')]),
  off('name-limit', '6', 'Asks about no other holder.', [DECISION, 'nameReasons', returns('[]')]),
  off('row-limit', '6', 'Asks about no row over the limit.', [
    'src/domain/plan/limits.ts',
    'limitReasons',
    returns('[]'),
  ]),
];

const OF_REPEATS: readonly Switch[] = [
  off('repeats-at-approval', '8', 'Looks for repeats before an approval, and not in its commit.', [
    BEGIN,
    'approvalOf.reasons',
    valued('[]'),
  ]),
  off('repeats-at-intent', '8', 'Looks for no repeats in the commit of an intent.', [
    BEGIN,
    'intentOf.repeats',
    valued('[]'),
  ]),
  off('repeats-on-the-hot-way', '8', 'Sends plain rows beside payments that may be the same.', [
    MOVES,
    'another',
    returns('q`1 = 1`'),
  ]),
  off('repeats-by-reference', '7', 'Takes two payments with one reference for two.', [
    MEMORY,
    'repeatsWhere',
    inSql('me.reference_key IS NOT NULL AND', '1 = 2 AND'),
  ]),
  off('repeats-by-money', '7', 'Takes the same money to the same account for another payment.', [
    MEMORY,
    'repeatsWhere',
    inSql('me.payment_key IS NOT NULL AND', '1 = 2 AND'),
  ]),
  off('repeats-of-unknown', '7', 'Forgets payments in doubt where references differ.', [
    MEMORY,
    'IS_UNKNOWN',
    inSql("other.status IN ('sending','in_doubt') OR other.memory_at = 0", '0 = 1'),
  ]),
  off('rows-above', '8', 'Takes a row for another payment than the same one above it.', [
    MEMORY,
    'rowsAbove',
    condition('repeats', 'false'),
  ]),
  off('all-leaves-repeats', '9', 'Releases repeats with all other rows.', [
    RELEASE,
    'chosenReasons.isMeant',
    returns('kinds === undefined || kinds.includes(concern.kind)'),
  ]),
  // Both at once: the second looks at each payment of a batch that the first has seen to be over.
  off(
    'period-settled',
    '9',
    'Releases repeats of unsettled payments for a new period.',
    [REPEATS, 'unfinished', condition('first', 'true')],
    [REPEATS, 'releaseRepeats', withoutTerm('settled')],
  ),
  off('period-of-batch', '9', 'Releases repeats of any batch for a new period.', [
    REPEATS,
    'releaseRepeats',
    condition('batchesPaidBy', 'true'),
  ]),
  off('period-finished', '9', 'Pays a new period while the last one is under way.', [
    REPEATS,
    'unfinished',
    condition('first', 'true'),
  ]),
  off('period-hours', '9', 'Pays a new period within hours of the last one.', [
    REPEATS,
    'isRecent',
    returns('false'),
  ]),
];

const OF_WORDS: readonly Switch[] = [
  off('receiver', '10', 'Believes a failure that is shown of somebody else.', [
    SHOWN,
    'isReceiver',
    returns('true'),
  ]),
  off(
    'family',
    'file',
    'Lets two payments of one row live.',
    ['src/ledger/rows.ts', 'derivedOf', property('lives', 'false')],
    ['src/use-cases/send/before-paying-again.ts', 'lookAt.isUnpaid', valued('true')],
  ),
];

const OF_FILES: readonly Switch[] = [
  off('row-key-account', 'file', 'Takes a row for the same with another account that is written alike.', [
    ROW_KEY,
    'rowKey',
    withoutElement('reveal'),
  ]),
  off('row-key-phone', 'file', 'Takes a row for the same with another phone number.', [
    ROW_KEY,
    'rowKey',
    withoutElement('phone'),
  ]),
  off('conflict', 'file', 'Takes a file that changes what was approved.', [
    PLACE,
    'placeRevision',
    condition('conflictCount', 'false'),
  ]),
  off('withdrawn', 'file', 'Brings a withdrawn row back with the same file.', [
    MATCH,
    'rowsOf',
    inSql('AND position < ', "AND status <> 'canceled' AND position < "),
  ]),
  off('withdrawn-and-left', 'file', 'Brings a withdrawn row back that a file in between did not have.', [
    MATCH,
    'isWithdrawn',
    inSql("status = 'canceled'", "status = 'none'"),
  ]),
  off('same-bytes', 'file', 'Takes the same file for another batch, and asks nobody.', [
    PLACE,
    'batchOfSameFile',
    returns('undefined'),
  ]),
];

export const SWITCHES: readonly Switch[] = [
  ...[...OF_THE_ROW, ...OF_TERMS, ...OF_CEILINGS, ...OF_APPROVALS, ...OF_RELEASES],
  ...[...OF_REPEATS, ...OF_WORDS, ...OF_FILES],
];
