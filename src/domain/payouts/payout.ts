/**
 * A payout: an instruction plus where it stands. The words of the payout machine.
 *
 * Each state has exactly the facts that are known in it. Each carries one sentence that a support person
 * could read aloud (STATE_SENTENCE).
 */

import type { NameCheck } from '../names/name-check.ts';
import type { RowIssue } from '../rows/row.ts';
import type { Timestamp } from '../timestamp.ts';
import type { BatchId, Instruction, PayoutId, Quote, Tag, TransferId } from './instruction.ts';

export const STATUSES = [
  'invalid',
  'planned',
  'held',
  'quoted',
  'approved',
  'sending',
  'in_doubt',
  'accepted',
  'settled',
  'failed',
  'returned',
  'canceled',
] as const;
export type Status = (typeof STATUSES)[number];

/** A payment that may still go out, and has not. */
export const UNSENT = ['planned', 'held', 'quoted', 'approved'] as const satisfies readonly Status[];

export function isUnsent({ status }: { readonly status: Status }): boolean {
  return (UNSENT as readonly Status[]).includes(status);
}

export const STATE_SENTENCE: Readonly<Record<Status, string>> = {
  invalid: 'The row cannot be paid as written; the reasons name the cells.',
  planned: 'Written down; nothing asked of anyone yet.',
  held: 'Waits for a person: name, possible duplicate, a limit.',
  quoted: 'Name checked, fee known; waits for approval.',
  approved: 'Someone agreed to exactly this payment.',
  sending: 'The request is written down and may be on the wire.',
  in_doubt: 'We asked and do not know the answer.',
  accepted: 'The service has it (transfer id known) and has not finished.',
  settled: 'The service says Finished.',
  failed: 'Not paid; see the reason.',
  returned: 'It was paid and came back.',
  canceled: 'A person withdrew it before it was sent.',
};

export const HOLD_KINDS = [
  'name_close_match',
  'name_no_match',
  'name_not_found',
  'name_unavailable',
  'account_zero_lost',
  'account_changed',
  'duplicate_in_file',
  'duplicate_payment',
  'reference_paid',
  'same_row',
  'batch_repeated',
  'fee_too_high',
  'no_quote',
  'hidden_row',
  'institution_changed',
  'limit',
] as const;
type HoldKind = (typeof HOLD_KINDS)[number];

/** Why a payout waits for a person. `kind` is what a release names; `text` is for people. */
export interface HoldReason {
  readonly kind: HoldKind;
  readonly text: string;
  /** The payment this one may repeat, when the reason is a duplicate. */
  readonly pointer?: PaymentPointer;
}

/** An earlier payment: its batch, row and status. */
export interface PaymentPointer {
  readonly payoutId: PayoutId;
  readonly batchId: BatchId;
  readonly batchName: string | undefined;
  readonly rowNumber: number;
  readonly status: Status;
  readonly at: Timestamp;
}

/** A person released a hold reason. */
export interface Release {
  readonly kinds: readonly HoldReason['kind'][];
  /** The payments that the person saw this one repeat; any other repeat still stops it. */
  readonly repeats: readonly PayoutId[];
  readonly by: string;
  readonly reason: string;
  readonly at: Timestamp;
}

/** What was learnt before sending: who owns the account, what it costs, the name that will be on the wire. */
export interface Pricing {
  readonly nameCheck: NameCheck;
  readonly quote: Quote | undefined;
  /** `Name` of the transfer request. */
  readonly wireName: string;
  /** Notes for the plan: a name warning, a repeat outside the window. */
  readonly notes: readonly string[];
}

/** What is known about one request on the wire; kept whole, shown by `explain`. */
export interface Evidence {
  readonly attempt: number;
  /** Before which byte, or after which, things ended. */
  readonly phase: SendPhase;
  readonly startedAt: Timestamp;
  readonly endedAt: Timestamp;
  readonly bytesWritten: number;
  readonly httpStatus?: number;
  readonly code?: string;
  /** The service's own words, control characters removed. */
  readonly message?: string;
  /** The beginning of the answer body as received, at most 4,096 characters. */
  readonly fragment?: string;
  readonly errorCode?: string;
  readonly localPort?: number;
}

export type SendPhase = 'login' | 'connect' | 'journal' | 'ready' | 'write' | 'wait' | 'answer' | 'unknown';

/** Why an outcome is not known. */
export type DoubtReason =
  | 'no_answer'
  | 'answer_incomplete'
  | 'answer_unreadable'
  | 'answer_contradictory'
  | 'answer_inconclusive'
  /** Turned away with 429, or for its token, as often as is allowed in the life of a row. */
  | 'turned_away'
  | 'id_seen_before'
  | 'crash';

export type FailedBasis = 'refused' | 'service_status' | 'ruled';

export type PayoutState =
  | { readonly status: 'invalid'; readonly issues: readonly RowIssue[] }
  | { readonly status: 'planned'; readonly releases: readonly Release[] }
  | {
      readonly status: 'held';
      readonly reasons: readonly HoldReason[];
      readonly releases: readonly Release[];
      readonly pricing: Pricing | undefined;
    }
  | { readonly status: 'quoted'; readonly pricing: Pricing; readonly releases: readonly Release[] }
  | ({ readonly status: 'approved' } & Agreed)
  | ({
      readonly status: 'sending';
      readonly attempt: number;
      readonly startedAt: Timestamp;
      readonly bodyDigest: string;
    } & Agreed)
  | ({
      readonly status: 'in_doubt';
      readonly reason: DoubtReason;
      readonly evidence: Evidence;
      readonly at: Timestamp;
    } & Agreed)
  | ({ readonly status: 'accepted'; readonly suspicion: Suspicion | undefined } & OnItsWay)
  | ({ readonly status: 'settled'; readonly settledAt: Timestamp; readonly incident: boolean } & OnItsWay)
  | ({
      readonly status: 'failed';
      readonly basis: FailedBasis;
      readonly reason: string;
      readonly at: Timestamp;
      /** Known for service_status; undefined for a refusal. */
      readonly transferId: TransferId | undefined;
      readonly otherId?: TransferId;
      readonly serviceStatus: string | undefined;
      readonly sentAt: Timestamp | undefined;
    } & Agreed)
  | ({ readonly status: 'returned'; readonly returnedAt: Timestamp } & OnItsWay)
  | { readonly status: 'canceled'; readonly by: string; readonly reason: string; readonly at: Timestamp };

/** What holds from approval onward. */
export interface Agreed {
  readonly pricing: Pricing;
  readonly releases: readonly Release[];
  readonly tag: Tag;
  readonly approvedAt: Timestamp;
  readonly approvedBy: string;
}

/** What holds once the service has it. */
export interface OnItsWay extends Agreed {
  readonly transferId: TransferId;
  /** Another id by which the service shows the same transfer; no other payout may have it. */
  readonly otherId?: TransferId;
  readonly sentAt: Timestamp;
  /** The service's last status word, verbatim; undefined before the first poll. */
  readonly serviceStatus: string | undefined;
  /** Where the service describes the transfer differently from what was asked; a line in the report, never a stop. */
  readonly discrepancies: readonly string[];
}

/** A word that makes the payment payable again, and does not count yet: a failure must be seen again later. */
export interface Suspicion {
  readonly word: string;
  readonly firstAt: Timestamp;
  /** Why it does not count however often it is seen: the look-up does not show this payment. Absent when it does. */
  readonly unproven?: readonly string[];
}

export interface PayoutBase {
  readonly id: PayoutId;
  readonly batchId: BatchId;
  /** Spreadsheet row (header counts); record number in CSV. */
  readonly rowNumber: number;
  /** Grows by one with every recorded event; updates are compare-and-set on it. */
  readonly version: number;
  /** Requests begun so far. */
  readonly attempts: number;
}

/** A payout in some state. Only a row that was invalid as written has no instruction. */
export type Payout =
  | (PayoutBase & { readonly instruction: Instruction | undefined; readonly state: StateIn<'invalid'> })
  | (PayoutBase & {
      readonly instruction: Instruction;
      readonly state: Exclude<PayoutState, { status: 'invalid' }>;
    });

export type StateIn<S extends Status> = Extract<PayoutState, { status: S }>;

/** A payout known to be in one of the given states. */
export type PayoutIn<S extends Exclude<Status, 'invalid'>> = PayoutBase & {
  readonly instruction: Instruction;
  readonly state: StateIn<S>;
};

export function isIn<S extends Exclude<Status, 'invalid'>>(
  payout: Payout,
  status: S,
): payout is PayoutIn<S> & Payout {
  return payout.state.status === status;
}

/** Its outcome is not known: it may have moved money, or may still. */
export function isUnknown({ status }: { readonly status: Status }): boolean {
  return status === 'sending' || status === 'in_doubt';
}
