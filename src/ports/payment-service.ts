/**
 * The payment service, as the application needs it.
 *
 * Promises: questions (everything but `send`) may be asked again by the adapter; `send` writes one request
 *           once. No method rejects for what a network or a service can do; those are values. A rejection is
 *           CredentialsRefused, an abort (the signal's reason), or a bug.
 */

import type { TransferId } from '../domain/payouts/instruction.ts';
import type { Order } from '../domain/payouts/order.ts';
import type { DoubtReason, Evidence, SendPhase } from '../domain/payouts/payout.ts';
import type { SeenTransfer } from '../domain/payouts/shown.ts';
import type { Country, CountryId, Institution, InstitutionId } from '../domain/rows/directory.ts';
import { PayfileError } from '../domain/text/message.ts';
import type { Sensitive } from '../domain/text/sensitive.ts';
import type { Timestamp } from '../domain/timestamp.ts';

export interface PaymentService {
  countries(signal?: AbortSignal): Promise<Asked<readonly Country[]>>;
  institutions(countryId: CountryId, signal?: AbortSignal): Promise<Asked<readonly Institution[]>>;
  /** Endpoint 8. No code is known by which the service says that there is no such account: it declines. */
  accountName(
    question: { readonly institutionId: InstitutionId; readonly account: Sensitive },
    signal?: AbortSignal,
  ): Promise<Asked<string>>;
  /** Endpoint 4. `amount` is plain decimal text, as configured by quote.amountIn. */
  estimate(question: EstimateQuestion, signal?: AbortSignal): Promise<Asked<Estimate>>;
  /** Endpoint 5: destination currency per unit of source currency, exact decimal text. */
  rate(sourceId: CountryId, destinationId: CountryId, signal?: AbortSignal): Promise<Asked<string>>;
  /** Endpoint 3. */
  transaction(id: TransferId, signal?: AbortSignal): Promise<Asked<Transaction>>;
  /** Endpoint 9; the shape is not shown, so it is the data as JSON text. Also the breaker's read-only probe. */
  profile(signal?: AbortSignal): Promise<Asked<string>>;
  /** Token valid and a fresh connection open, good for exactly one POST. Nothing has been written when it resolves. */
  prepareSend(signal?: AbortSignal): Promise<Prepared | NotSent>;
  /** Writes the order once on the prepared connection and waits for the answer. Never rejects. */
  send(order: TransferOrder, prepared: Prepared): Promise<SendOutcome>;
  /** Closes idle connections and ends every wait for a late answer. */
  close(): Promise<void>;
}

/** The answer to a question. */
export type Asked<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** The service said no, in a well-formed envelope. */
  | { readonly kind: 'declined'; readonly code: string; readonly message: string }
  /** No usable answer within the tries: network, 5xx, unreadable. */
  | { readonly kind: 'unavailable'; readonly reason: string };

interface EstimateQuestion {
  readonly sourceId: CountryId;
  readonly destinationId: CountryId;
  readonly amount: string;
}

export interface Estimate {
  readonly rate: string;
  readonly fee: string;
  readonly speedSeconds: number;
}

/** A transfer as the service shows it. Amounts are texts in the currency that the service names. */
export interface Transaction extends SeenTransfer {
  readonly id: TransferId;
  readonly status: string;
  /** As the service wrote it; its zone is not shown. */
  readonly date: string | undefined;
}

/** What goes into one transfer request. */
export interface TransferOrder extends Omit<Order, 'amount'> {
  readonly attempt: number;
  /** Plain decimal in the destination currency. */
  readonly amount: string;
}

/** A connection for one POST. Only the adapter that made it looks inside; `discard` when it will not be used. */
export interface Prepared {
  readonly kind: 'prepared';
  readonly discard: () => void;
}

/** Proven: no byte of the order left this machine. */
export interface NotSent {
  readonly kind: 'not_sent';
  readonly phase: SendPhase;
  readonly reason: string;
}

export type SendOutcome =
  | NotSent
  /** Proven unexecuted although bytes left: rate limited, or a token that the service itself says is not valid. */
  | {
      readonly kind: 'turned_away';
      readonly why: 'rate_limited' | 'token_refused';
      /** Rate limited: how long the service asked everyone to wait, a day at the most. */
      readonly delayMs: number | undefined;
      readonly evidence: Evidence;
    }
  | AcceptedOutcome
  | { readonly kind: 'refused'; readonly code: string; readonly message: string; readonly evidence: Evidence }
  | {
      readonly kind: 'in_doubt';
      readonly reason: DoubtReason;
      readonly evidence: Evidence;
      /** Present when the timeout passed while the connection was still open: it is listened to for longer. */
      readonly late?: LateAnswer<AcceptedOutcome>;
    };

/** What may still come on a connection after the timeout of its request. */
export interface LateAnswer<Answer> {
  /**
   * Resolves with the answer to the same request when it comes after all; with undefined for everything else: after a
   * bounded time, at `stop` and when the service is closed. Never rejects.
   */
  readonly answer: Promise<Answer | undefined>;
  /** Closes the connection: what has not come yet never comes. */
  readonly stop: () => void;
}

export interface AcceptedOutcome {
  readonly kind: 'accepted';
  readonly transferId: TransferId;
  readonly at: Timestamp;
  readonly evidence: Evidence;
}

/** The service refused the id and password, or keeps refusing fresh tokens. Exit code 77. */
export class CredentialsRefused extends PayfileError {
  override readonly name = 'CredentialsRefused';
  readonly code = 'credentials_refused';
}
