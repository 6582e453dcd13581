/**
 * From an order and a prepared connection to an outcome. The only step that moves money.
 *
 * What proves that nothing was executed: that no byte left (the phase, known by construction), a 429, or the
 * profile refusing the same token afterwards. An error code proves nothing.
 * Errors:  none; sendTransfer never rejects.
 */
import { transferBody } from '../contract/wire.ts';
import { asTransferId } from '../domain/payouts/instruction.ts';
import type { DoubtReason, Evidence } from '../domain/payouts/payout.ts';
import { type Echo, echoesOfAccount } from '../domain/text/sensitive.ts';
import type { Timestamp } from '../domain/timestamp.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type {
  AcceptedOutcome,
  LateAnswer,
  NotSent,
  Prepared,
  SendOutcome,
  TransferOrder,
} from '../ports/payment-service.ts';
import type { ReadyConnection } from './one-use-connections.ts';
import {
  type AnswerFacts,
  type AnswerOutcome,
  outcomeOfAnswer,
  type RefusedAnswer,
} from './outcome-of-answer.ts';
import { type PostAnswer, type PostOrder, type PostResult, postTransfer } from './post-transfer.ts';
import { fragmentOf, printableWithout, textOf } from './service-text.ts';
import type { Session, Token } from './session.ts';
import { type TokenCheck, verdictAfterTransfer } from './token-check.ts';
import type { Pace } from './with-rate-limit.ts';

export interface SendParts extends Pick<PostOrder, 'host' | 'path' | 'lateAnswerMs' | 'closing'> {
  readonly clock: Clock;
  readonly log: Log;
  readonly pace: Pace;
  readonly session: Session;
  readonly checkToken: TokenCheck;
  readonly postTimeoutMs: number;
  readonly answersRefused: readonly RefusedAnswer[];
  /** How bytes reach the wire; undefined: postTransfer. */
  readonly post?: typeof postTransfer;
}

/** Everything known about one request once its connection is done with. */
export interface Posted {
  readonly order: TransferOrder;
  readonly prepared: PreparedSend;
  readonly connection: ReadyConnection;
  readonly result: Exclude<PostResult, { kind: 'unsent' }>;
  readonly startedAt: Timestamp;
  readonly endedAt: Timestamp;
  /** On the monotonic clock. */
  readonly endedMs: number;
}

export async function sendTransfer(
  order: TransferOrder,
  prepared: PreparedSend,
  parts: SendParts,
): Promise<SendOutcome> {
  const { clock, host, path, postTimeoutMs: timeoutMs, lateAnswerMs, closing } = parts;
  const body = bodyOf(order);
  if (body === undefined) {
    prepared.discard();
    return notSent('the order cannot be written as a request');
  }
  const connection = prepared.take(clock);
  if (typeof connection === 'string') return notSent(connection);
  const startedAt = clock.now();
  const headers = prepared.token.headers();
  const patience = { timeoutMs, lateAnswerMs, closing };
  const result = await (parts.post ?? postTransfer)({ connection, host, path, headers, body, ...patience });
  if (result.kind === 'unsent') return notSent(result.reason);
  const endedMs = clock.monotonicMs();
  const posted = { order, prepared, connection, result, startedAt, endedAt: clock.now(), endedMs };
  const outcome = await outcomeOf(posted, parts);
  writeLog(posted, outcome, parts.log);
  return outcome;
}

async function outcomeOf(posted: Posted, parts: SendParts): Promise<SendOutcome> {
  const { result } = posted;
  if (result.kind === 'no_answer') {
    const doubt = {
      kind: 'in_doubt',
      reason: doubtOf(result),
      evidence: evidenceOf(posted, undefined),
    } as const;
    if (result.late === undefined) return doubt;
    const answer = lateAcceptance(posted, result.late, parts);
    return { ...doubt, late: { answer, stop: result.late.stop } };
  }
  const { complete, httpStatus } = result;
  const answer = { complete, httpStatus, body: textOf(result.body) };
  const { outcome, facts } = outcomeOfAnswer(answer, parts.answersRefused);
  const evidence = evidenceOf(posted, facts);
  if (outcome.kind === 'ask_token') return afterTokenCheck(outcome, { posted, evidence }, parts);
  if (outcome.kind !== 'turned_away') parts.pace.answered();
  switch (outcome.kind) {
    case 'accepted':
      return { kind: 'accepted', transferId: asTransferId(outcome.id), at: posted.endedAt, evidence };
    case 'refused':
      return refused(outcome, { posted, evidence });
    case 'in_doubt':
      return { kind: 'in_doubt', reason: outcome.reason, evidence };
    case 'turned_away': {
      const delayMs = parts.pace.rateLimited(result);
      return { kind: 'turned_away', why: 'rate_limited', delayMs, evidence };
    }
  }
}

function doubtOf({ phase, errorCode }: Extract<PostResult, { kind: 'no_answer' }>): DoubtReason {
  // The codes of Node's HTTP parser: something came, and it was not HTTP.
  if (errorCode.startsWith('HPE_')) return 'answer_unreadable';
  return phase === 'answer' ? 'answer_incomplete' : 'no_answer';
}

interface Proven {
  readonly posted: Posted;
  readonly evidence: Evidence;
}

async function afterTokenCheck(
  outcome: Extract<AnswerOutcome, { kind: 'ask_token' }>,
  { posted, evidence }: Proven,
  parts: SendParts,
): Promise<SendOutcome> {
  const { token } = posted.prepared;
  const verdict = await verdictAfterTransfer(token, { ...parts, endedMs: posted.endedMs });
  if (verdict === 'refused') {
    parts.session.invalidate(token);
    return { kind: 'turned_away', why: 'token_refused', delayMs: undefined, evidence };
  }
  if (verdict === 'good' && outcome.thenIfGood === 'refused') return refused(outcome, { posted, evidence });
  return { kind: 'in_doubt', reason: 'answer_inconclusive', evidence };
}

function refused(answer: { code: string; message: string }, { posted, evidence }: Proven): SendOutcome {
  const message = printableWithout(echoesOf(posted), answer.message);
  return { kind: 'refused', code: answer.code, message, evidence };
}

function bodyOf(order: TransferOrder): string | undefined {
  try {
    return transferBody({
      Source: order.sourceId,
      Destination: order.destinationId,
      Amount: order.amount,
      Fi: order.institutionId,
      Note: order.note,
      AccountNo: order.account.reveal(),
      Name: order.name,
      Phone: order.phone,
    });
  } catch {
    return undefined;
  }
}

function notSent(reason: string): NotSent {
  return { kind: 'not_sent', phase: 'ready', reason };
}

function writeLog({ order, result, startedAt, endedAt }: Posted, outcome: SendOutcome, log: Log): void {
  const isKnown = outcome.kind !== 'in_doubt';
  log.write(isKnown ? 'debug' : 'warn', isKnown ? 'transfer_answered' : 'transfer_outcome_not_known', {
    attempt: order.attempt,
    status: outcome.kind,
    durationMs: endedAt - startedAt,
    ...(result.httpStatus === undefined ? {} : { httpStatus: result.httpStatus }),
    ...(result.kind === 'no_answer' ? { phase: result.phase, reason: result.errorCode } : {}),
  });
}

/**
 * What is kept of one request on the wire, for the person who may have to rule on it.
 */

/** `facts` is undefined when no whole answer came. */
export function evidenceOf(posted: Posted, facts: AnswerFacts | undefined): Evidence {
  const { order, connection, result } = posted;
  const echoes = echoesOf(posted);
  const fragment = fragmentOf(result.body, echoes, result.kind === 'answer' && result.complete);
  const message = facts?.message;
  return {
    attempt: order.attempt,
    phase: result.kind === 'answer' ? 'answer' : result.phase,
    startedAt: posted.startedAt,
    endedAt: posted.endedAt,
    bytesWritten: result.bytesWritten,
    ...(result.httpStatus === undefined ? {} : { httpStatus: result.httpStatus }),
    ...(facts?.code === undefined ? {} : { code: facts.code }),
    ...(message === undefined ? {} : { message: printableWithout(echoes, message) }),
    ...(fragment === '' ? {} : { fragment }),
    ...(result.kind === 'no_answer' ? { errorCode: result.errorCode } : {}),
    ...(connection.localPort === undefined ? {} : { localPort: connection.localPort }),
  };
}

/** What an answer to this transfer must not bring into the ledger, a log or a report. */
export function echoesOf({ order, prepared }: Pick<Posted, 'order' | 'prepared'>): readonly Echo[] {
  return [...prepared.token.echoes(), ...echoesOfAccount(order.account.reveal())];
}

/**
 * What a transfer needs before it may be written: a valid token and an untouched connection.
 */

// After this long between preparing and writing (a slow disk, a stopped process) the connection may be half
// closed, and a request written into it would be in doubt. By the wall clock too: the steady clock of a machine that was
// suspended stood still meanwhile, and another process may have taken the batch over.
const PREPARED_MS_MAX = 2_000;

export class PreparedSend implements Prepared {
  readonly kind = 'prepared';
  readonly discard: () => void;
  readonly token: Token;
  readonly #connection: ReadyConnection;
  readonly #sinceMs: number;
  readonly #at: number;
  #isTaken = false;

  constructor(token: Token, connection: ReadyConnection, clock: Clock) {
    this.token = token;
    this.#connection = connection;
    this.#sinceMs = clock.monotonicMs();
    this.#at = clock.now();
    this.discard = () => {
      if (!this.#isTaken) connection.discard();
      this.#isTaken = true;
    };
  }

  /** The connection, once, or the reason why it must not be written to. */
  take(clock: Clock): ReadyConnection | string {
    if (this.#isTaken) return 'the prepared connection was used or discarded';
    const ageMs = Math.max(clock.monotonicMs() - this.#sinceMs, Math.abs(clock.now() - this.#at));
    const isFresh = ageMs <= PREPARED_MS_MAX;
    if (!isFresh || !this.#connection.isUsable()) {
      this.discard();
      return isFresh
        ? 'the prepared connection closed before use'
        : 'the connection was prepared too long ago';
    }
    this.#isTaken = true;
    return this.#connection;
  }
}

/**
 * An answer that came after its timeout: an acceptance ends the doubt, anything else changes nothing.
 * A late refusal is not believed, because a person may already be acting on the doubt.
 *
 * Errors:  none; the promise never rejects.
 */

async function lateAcceptance(
  posted: Posted,
  late: LateAnswer<PostAnswer>,
  parts: Pick<SendParts, 'clock' | 'log'>,
): Promise<AcceptedOutcome | undefined> {
  const { clock, log } = parts;
  const result = await late.answer;
  if (result === undefined) return undefined;
  const { complete, httpStatus } = result;
  const { outcome, facts } = outcomeOfAnswer({ complete, httpStatus, body: textOf(result.body) }, []);
  const { attempt } = posted.order;
  log.write('warn', 'transfer_answered_late', { attempt, httpStatus, status: outcome.kind });
  if (outcome.kind !== 'accepted') return undefined;
  const at = clock.now();
  const answered = { ...posted, result, endedAt: at, endedMs: clock.monotonicMs() };
  return {
    kind: 'accepted',
    transferId: asTransferId(outcome.id),
    at,
    evidence: evidenceOf(answered, facts),
  };
}
