/**
 * Events: what can happen to a payout. The journal is the list of them, in the order they happened.
 *
 * Every event carries what the next state needs, so that replaying the journal gives the stored state.
 */

import type { RowIssue } from '../rows/row.ts';
import type { Timestamp } from '../timestamp.ts';
import type { Release } from './concern.ts';
import type { Quote, Tag, TransferId } from './instruction.ts';
import type {
  AcceptedDifference,
  DoubtReason,
  Evidence,
  HoldReason,
  Pricing,
  Shown,
  Withdrawal,
} from './payout.ts';

export type PayoutEvent =
  // Before sending
  | {
      readonly kind: 'hold';
      readonly reasons: readonly HoldReason[];
      readonly pricing: Pricing | undefined;
      readonly at: Timestamp;
    }
  | { readonly kind: 'price'; readonly pricing: Pricing; readonly at: Timestamp }
  | { readonly kind: 'invalidate'; readonly issues: readonly RowIssue[]; readonly at: Timestamp }
  | { readonly kind: 'release'; readonly release: Release; readonly at: Timestamp }
  | {
      readonly kind: 'approve';
      readonly tag: Tag;
      /** The digest of what was agreed to (order.ts). What is sent is compared with it. */
      readonly leaf: string;
      readonly by: string;
      readonly at: Timestamp;
    }
  | {
      readonly kind: 'unapprove';
      readonly reason: string;
      /** It is not as it was approved, whatever it costs. */
      readonly isOther?: true;
      readonly at: Timestamp;
    }
  | ({ readonly kind: 'cancel' } & Withdrawal)
  // Sending
  | {
      readonly kind: 'begin_attempt';
      readonly attempt: number;
      readonly bodyDigest: string;
      readonly sender: Sender;
      /** The quote of this moment, where the one that was agreed to had grown old. */
      readonly quote?: Quote;
      readonly at: Timestamp;
    }
  | { readonly kind: 'not_sent'; readonly phase: string; readonly reason: string; readonly at: Timestamp }
  | {
      readonly kind: 'turn_away';
      readonly why: string;
      readonly evidence: Evidence;
      /** The row is not sent again before this time. */
      readonly until?: Timestamp;
      readonly at: Timestamp;
    }
  | {
      readonly kind: 'refuse';
      readonly code: string;
      readonly message: string;
      readonly evidence: Evidence;
      readonly at: Timestamp;
    }
  | {
      readonly kind: 'doubt';
      readonly reason: DoubtReason;
      readonly evidence: Evidence;
      readonly at: Timestamp;
    }
  | {
      readonly kind: 'recover';
      /** When the first try began, if the service turned away tries before the one on the wire. */
      readonly since?: Timestamp;
      readonly at: Timestamp;
    }
  | {
      readonly kind: 'accept';
      readonly transferId: TransferId;
      readonly evidence: Evidence;
      readonly at: Timestamp;
    }
  // Rulings on a payout in doubt
  | {
      readonly kind: 'rule_paid';
      readonly transferId: TransferId;
      readonly ruling: Ruling;
      readonly at: Timestamp;
    }
  | { readonly kind: 'rule_not_paid'; readonly ruling: Ruling; readonly at: Timestamp }
  // A person accepted that the payment differs from what was asked
  | ({ readonly kind: 'accept_difference' } & AcceptedDifference)
  // Settling
  | ({
      readonly kind: 'progress';
      /** undefined: what the service showed was not about this payment. */
      readonly serviceStatus: string | undefined;
      /** Of a payment that was called unpaid: as its state has it. */
      readonly unclear?: string;
    } & Omit<LookedUp, 'serviceStatus'>)
  | ({
      readonly kind: 'suspect';
      /** Why the word does not count; absent when it only has to be seen again. */
      readonly unproven?: readonly string[];
    } & LookedUp)
  | ({
      readonly kind: 'settle';
      /** For a payment that was ruled not paid and turns out to be paid: its transfer was not known before. */
      readonly transferId?: TransferId;
    } & LookedUp)
  | ({ readonly kind: 'fail' } & LookedUp)
  | ({ readonly kind: 'return'; readonly basis?: 'failed_after_finished' } & LookedUp);

/** What a look-up showed. */
export interface LookedUp {
  readonly serviceStatus: string;
  readonly discrepancies: readonly string[];
  /** All that was shown until then; absent: the look changed nothing of it. */
  readonly shown?: Shown;
  /** The transfer's second id, learnt by this look. */
  readonly otherId?: TransferId;
  readonly at: Timestamp;
}

export type EventKind = PayoutEvent['kind'];
export type EventOf<K extends EventKind> = Extract<PayoutEvent, { kind: K }>;

/** One process, also distinguished from a later one with the same number. */
export interface Writer {
  readonly host: string;
  readonly pid: number;
  /** Boot and start; null where the system does not show it. */
  readonly started: string | null;
}

/** Who sends a request, and how long an answer to it is waited for. */
export interface Sender extends Writer {
  readonly patienceMs: number;
}

export function isSameWriter(one: Writer, other: Writer): boolean {
  return one.host === other.host && one.pid === other.pid && one.started === other.started;
}

/** Who ruled on a payout in doubt, and on what evidence. */
export interface Ruling {
  readonly by: string;
  /** What the person gave: a text, or a file's name with its SHA-256. */
  readonly evidence: string;
}
