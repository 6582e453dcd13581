/**
 * A payment in the codes of a payment status report (pain.002), which never say more than is known.
 *
 * A payment that came back was executed once, so its code is ACSC, and the text of its reason has the day of its return.
 * The service shows no reason codes. A refusal has a code only where its text leaves no choice.
 * Source:  ISO 20022 external code sets: payment transaction status, payment group status, status reason.
 */
import type { Payout, Status } from '../payouts/payout.ts';
import type { Field } from '../rows/row.ts';

type TransactionCode = 'ACSC' | 'ACSP' | 'PDNG' | 'RJCT';
type GroupCode = TransactionCode | 'PART';

export const TRANSACTION_CODES: Readonly<Record<Status, TransactionCode>> = {
  settled: 'ACSC',
  returned: 'ACSC',
  accepted: 'ACSP',
  in_doubt: 'PDNG',
  sending: 'PDNG',
  failed: 'RJCT',
  canceled: 'RJCT',
  invalid: 'RJCT',
  held: 'PDNG',
  planned: 'PDNG',
  quoted: 'PDNG',
  approved: 'PDNG',
};

/**
 * One word for many: the code that all have, else that they differ. Undefined where there is nothing. A group is not
 * ACSC while a row differs from what was asked.
 */
export function groupCodeOf(codes: readonly TransactionCode[], isAsAsked: boolean): GroupCode | undefined {
  const distinct = new Set(codes);
  const [only] = distinct;
  const isOne = distinct.size <= 1 && (only !== 'ACSC' || isAsAsked);
  return isOne ? only : 'PART';
}

/** Status reasons. `NARR`: the text says it. */
type ReasonCode = 'AC01' | 'AC04' | 'AC06' | 'AM04' | 'AM11' | 'AM12' | 'DS02' | 'DUPL' | 'NARR' | 'RC01';

const WRONG_FIELD: Readonly<Partial<Record<Field, ReasonCode>>> = {
  account: 'AC01',
  amount: 'AM12',
  currency: 'AM11',
  institution: 'RC01',
};

/** In the words that banks and wallets use. */
const REFUSALS: readonly (readonly [text: RegExp, code: ReasonCode])[] = [
  [/\binsufficient\b.*\b(funds?|balance)\b|\b(funds?|balance)\b.*\binsufficient\b/i, 'AM04'],
  [/\baccount\b.*\bclosed\b|\bclosed account\b/i, 'AC04'],
  [/\baccount\b.*\b(blocked|frozen)\b|\b(blocked|frozen) account\b/i, 'AC06'],
  [
    /\b(invalid|incorrect|unknown|wrong) account\b|\baccount\b.*\b(does not exist|not found|is invalid)\b/i,
    'AC01',
  ],
];

export function reasonCodeOf({ state }: Payout): ReasonCode {
  switch (state.status) {
    case 'invalid':
      return onlyOf(state.issues.map(({ field }) => WRONG_FIELD[field]));
    case 'held':
      return onlyOf(state.reasons.map(({ concern }) => (isRepeat(concern.kind) ? 'DUPL' : undefined)));
    case 'canceled':
      return 'DS02';
    case 'failed':
      return onlyOf(REFUSALS.flatMap(([text, code]) => (text.test(state.reason) ? [code] : [])));
    default:
      return 'NARR';
  }
}

function isRepeat(kind: string): boolean {
  return kind === 'repeat' || kind === 'same_row';
}

/** Different reasons have no code together. */
function onlyOf(codes: readonly (ReasonCode | undefined)[]): ReasonCode {
  const [code, ...others] = new Set(codes);
  return code === undefined || others.length > 0 ? 'NARR' : code;
}
