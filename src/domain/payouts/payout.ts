/**
 * A payout: an instruction plus where it stands. The words of the payout machine.
 *
 * Each state has exactly the facts that are known in it. Each carries one sentence that a support person
 * could read aloud (STATE_SENTENCE).
 */

import type { NameCheck } from '../names/name-check.ts';
import type { RowIssue } from '../rows/row.ts';
import type { Timestamp } from '../timestamp.ts';
import type { Concern, Release } from './concern.ts';
import type { BatchId, Instruction, PayoutId, Quote, Tag, TransferId } from './instruction.ts';

const SENTENCES = {
  invalid: 'The row cannot be paid as written; the reasons name the cells.',
  planned: 'Written down; nothing asked of anyone yet.',
  held: 'A person has to decide; see the reason.',
  quoted: 'Name checked, fee known; waits for approval.',
  approved: 'Someone agreed to exactly this payment.',
  sending: 'The request is written down and may be on the wire.',
  in_doubt: 'We asked and do not know the answer.',
  accepted: 'The service has it (transfer id known) and has not finished.',
  settled: 'The service says Finished.',
  failed: 'Not paid; see the reason.',
  returned: 'It was paid and came back.',
  canceled: 'A person withdrew it before it was sent.',
} as const;
/** A status of a row, such as `settled`. */
export type Status = keyof typeof SENTENCES;

/** One English sentence for each status. */
export const STATE_SENTENCE: Readonly<Record<Status, string>> = SENTENCES;
/** All statuses, in the order of a payment’s life. */
export const STATUSES = Object.keys(SENTENCES) as readonly Status[];

/** Nobody has agreed to it yet. */
export const WAITING: readonly Status[] = ['planned', 'held', 'quoted'];

/** A payment that may still go out, and has not. */
export const UNSENT: readonly Status[] = [...WAITING, 'approved'];

/** Money moved, may have moved, or is about to. */
export const LIVE: readonly Status[] = ['approved', 'sending', 'in_doubt', 'accepted', 'settled'];

/** Ends that mean unpaid, while the service says nothing else. */
export const ENDED_UNPAID = ['failed', 'returned'] as const satisfies readonly Status[];

export function hasEndedUnpaid(status: Status): boolean {
  return (ENDED_UNPAID as readonly Status[]).includes(status);
}

/** It ended unpaid, or was withdrawn: only a new payment can pay its row. */
export function needsNewPayment(status: Status): boolean {
  return hasEndedUnpaid(status) || status === 'canceled';
}

export function isUnsent({ status }: { readonly status: Status }): boolean {
  return UNSENT.includes(status);
}

/** A concern with its words. */
export interface HoldReason {
  readonly concern: Concern;
  readonly text: string;
  /** The payment that the concern is about, as it stood when the row was held. */
  readonly pointer?: PaymentPointer;
}

/** An earlier payment: its batch, row and status. */
export interface PaymentPointer {
  readonly payoutId: PayoutId;
  readonly batchId: BatchId;
  readonly batchName: string;
  readonly rowNumber: number;
  readonly status: Status;
  readonly at: Timestamp;
}

/** What was learnt before sending: what the ids mean, who owns the account, what it costs, the name that goes on the wire. */
export interface Pricing {
  /** As the service's lists named them. */
  readonly sourceName: string;
  readonly countryName: string;
  readonly institutionName: string;
  readonly nameCheck: NameCheck;
  readonly nameCheckedAt: Timestamp;
  readonly quote: Quote | undefined;
  /** `Name` of the transfer request. */
  readonly wireName: string;
  /** Notes for the plan: a name warning, a repeat outside the window. */
  readonly notes: readonly string[];
}

/** What a payout's countries and institution are called: as the service named them last, else as the file was read. */
export function placeNames(
  { sourceName, destinationName, institutionName }: Instruction,
  pricing: Pricing | undefined,
): { readonly source: string; readonly country: string; readonly institution: string } {
  return {
    source: pricing?.sourceName || sourceName,
    country: pricing?.countryName || destinationName,
    institution: pricing?.institutionName || institutionName,
  };
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

/** The status of a payout with what is known then. Times are milliseconds since 1970 (UTC). */
export type PayoutState =
  | { readonly status: 'invalid'; readonly issues: readonly RowIssue[] }
  | ({ readonly status: 'planned' } & Open)
  | ({
      readonly status: 'held';
      readonly reasons: readonly HoldReason[];
      readonly pricing: Pricing | undefined;
    } & Open)
  | ({ readonly status: 'quoted'; readonly pricing: Pricing } & Open)
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
  | ({
      readonly status: 'settled';
      readonly settledAt: Timestamp;
      readonly incident: boolean;
      /** Called failed or returned after Finished. */
      readonly suspicion?: Suspicion;
    } & OnItsWay)
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
      readonly shown?: Shown;
    } & CalledUnpaid &
      Agreed)
  | ({
      readonly status: 'returned';
      readonly returnedAt: Timestamp;
      /** Not by a word for returned: the service said Finished, and then twice that it failed. */
      readonly basis?: 'failed_after_finished';
    } & CalledUnpaid &
      OnItsWay)
  | ({ readonly status: 'canceled' } & Withdrawal);

/** A payment that was called unpaid. */
interface CalledUnpaid {
  /** What the service says instead by now, as a part of a sentence. It is not paid again without evidence. */
  readonly unclear?: string;
}

/** What holds before approval. */
export interface Open {
  readonly releases: readonly Release[];
  /** It is not as it was approved: another row, or a country, institution or holder of another name. No ceiling agrees to it. */
  readonly isOther?: true;
}

export interface Withdrawal {
  readonly by: string;
  readonly reason: string;
  readonly at: Timestamp;
  /** A newer file did not have the row. Absent where a person withdrew it. */
  readonly leftOut?: true;
  /** It was held because it may have been paid. The withdrawal does not prove that it was not paid. */
  readonly isShownAsPaid?: true;
}

/** What holds from approval onward. */
export interface Agreed {
  /** As it was agreed to. */
  readonly pricing: Pricing;
  /** The quote at the last sending, where it was a newer one. */
  readonly quoteAtSend?: Quote;
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
  /**
   * Where the service describes the transfer differently from what was asked. A row with one differs. Its batch ends with 0
   * only once a person accepted that.
   */
  readonly discrepancies: readonly string[];
  /** Absent before a look showed anything. */
  readonly shown?: Shown;
  /** The last differences that a person accepted. */
  readonly acceptedDifference?: AcceptedDifference;
}

/**
 * What the service last showed of the transfer, field by field. A look that does not show a field changes nothing of it.
 * Institution, destination and receiver are kept where they differ from what was asked.
 */
export interface Shown {
  /** What went out, as shown under a word that means paid or on its way. */
  readonly amount?: string;
  readonly institution?: string;
  readonly destination?: string;
  readonly receiver?: string;
  /** The parts that came back, as they were shown one after the other, in minor units of the currency asked. */
  readonly back?: readonly bigint[];
  /** Sentences about earlier payments of the row that may have been paid after all. */
  readonly earlier?: readonly string[];
}

export interface AcceptedDifference {
  readonly by: string;
  readonly reason: string;
  readonly saw: readonly string[];
  readonly at: Timestamp;
  readonly rest?: RestRuling;
}

/** What a person found out about the part of the amount that the service does not show. `minor`: how much it was then. */
export interface RestRuling {
  readonly is: RestFound;
  readonly minor: bigint;
}

/** `open`: nobody knows yet. */
export const REST_FOUND = ['delivered', 'lost', 'open'] as const;
export type RestFound = (typeof REST_FOUND)[number];

/** A word that makes the payment payable again, and does not count yet: a failure must be seen again later. */
export interface Suspicion {
  readonly word: string;
  readonly firstAt: Timestamp;
  /** Why it does not count however often it is seen: the look-up does not show this payment. Absent when it does. */
  readonly unproven?: readonly string[];
}

/** What the last look-up of a transfer showed. It is kept beside the state: a look that shows nothing new is no event. */
export interface LastLook {
  readonly at: Timestamp;
  /** How often the service was asked for the transfer; 0: never, and it takes too long. */
  readonly times: number;
  /** What came instead of a status, as a part of a sentence; undefined: a status came. */
  readonly nothing?: string;
  /** When the service first answered without showing the transfer. A status ends it. */
  readonly missingSince?: Timestamp;
  /** Why a person has to look; counts while the payout is on its way. */
  readonly concern?: LookConcern;
}

export const LOOK_CONCERNS = ['missing', 'unknown_word', 'late'] as const;
/**
 * `missing`: the service answered twice, a day apart, without showing the transfer. `unknown_word`: no setting has the
 * service's word.
 * `late`: it takes three times as long as promised, and a day at least.
 */
export type LookConcern = (typeof LOOK_CONCERNS)[number];

export interface PayoutBase {
  readonly id: PayoutId;
  readonly batchId: BatchId;
  /** Spreadsheet row (header counts); record number in CSV. */
  readonly rowNumber: number;
  /** Grows by one with every recorded event; updates are compare-and-set on it. */
  readonly version: number;
  /** Requests begun so far. */
  readonly attempts: number;
  /** Absent before the first look. */
  readonly look?: LastLook;
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

/** A statement, or the service, showed it as paid, and nobody said otherwise. */
export function isShownAsPaid(state: PayoutState): boolean {
  if (state.status === 'canceled') return state.isShownAsPaid === true;
  return state.status === 'held' && state.reasons.some(({ concern }) => concern.kind === 'maybe_paid');
}

/** undefined: nothing was learnt of it yet, or it was withdrawn. */
export function pricingIn(state: PayoutState): Pricing | undefined {
  return 'pricing' in state ? state.pricing : undefined;
}

/** When the request that counts was begun. */
export function sentAtOf(state: PayoutState): Timestamp | undefined {
  if (state.status === 'sending') return state.startedAt;
  if (state.status === 'in_doubt') return state.evidence.startedAt;
  return 'sentAt' in state ? state.sentAt : undefined;
}

/** When it was settled, failed or came back. */
export function endedAtOf(state: PayoutState): Timestamp | undefined {
  if (state.status === 'settled') return state.settledAt;
  if (state.status === 'returned') return state.returnedAt;
  return state.status === 'failed' ? state.at : undefined;
}

/** When the service said that it failed or came back; undefined: the service did not say so. */
export function calledUnpaidAt(state: PayoutState): Timestamp | undefined {
  if (state.status === 'returned') return state.returnedAt;
  return state.status === 'failed' && state.basis === 'service_status' ? state.at : undefined;
}

/** Its outcome is not known: it may have moved money, or may still. */
export function isUnknown({ status }: { readonly status: Status }): boolean {
  return status === 'sending' || status === 'in_doubt';
}
