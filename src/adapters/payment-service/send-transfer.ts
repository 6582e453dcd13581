/**
 * From an order and a prepared connection to an outcome. The only step that moves money.
 *
 * What proves that nothing was executed: that no byte left (the phase, known by construction), a 429, or the
 * profile refusing the same token afterwards. An error code proves nothing.
 * Errors:  none; sendTransfer never rejects.
 */
import { transferBody } from '../../contract/wire.ts';
import { asTransferId } from '../../domain/instruction.ts';
import type { DoubtReason, Evidence } from '../../domain/payout.ts';
import type { Timestamp } from '../../domain/timestamp.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { NotSent, SendOutcome, TransferOrder } from '../../ports/payment-service.ts';
import { lateAcceptance } from './late-acceptance.ts';
import { type AnswerOutcome, outcomeOfAnswer, type RefusedAnswer } from './outcome-of-answer.ts';
import { type PostResult, postTransfer } from './post-transfer.ts';
import type { PreparedSend } from './prepared-send.ts';
import type { ReadyConnection } from './ready-connection.ts';
import { echoesOf, evidenceOf } from './send-evidence.ts';
import { printableWithout, textOf } from './service-text.ts';
import type { Session } from './session.ts';
import { type TokenCheck, verdictAfterTransfer } from './token-check.ts';
import type { Pace } from './with-rate-limit.ts';

export interface SendWorld {
  readonly clock: Clock;
  readonly log: Log;
  readonly pace: Pace;
  readonly session: Session;
  readonly checkToken: TokenCheck;
  /** Where transfers are posted: `host` or `host:port`, and the path. */
  readonly host: string;
  readonly path: string;
  readonly postTimeoutMs: number;
  readonly lateAnswerMs: number;
  /** Aborts when the client is closed. */
  readonly closing: AbortSignal;
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
  world: SendWorld,
): Promise<SendOutcome> {
  const { clock, host, path, postTimeoutMs: timeoutMs, lateAnswerMs, closing } = world;
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
  const result = await (world.post ?? postTransfer)({ connection, host, path, headers, body, ...patience });
  if (result.kind === 'unsent') return notSent(result.reason);
  const endedMs = clock.monotonicMs();
  const posted = { order, prepared, connection, result, startedAt, endedAt: clock.now(), endedMs };
  const outcome = await outcomeOf(posted, world);
  writeLog(posted, outcome, world.log);
  return outcome;
}

async function outcomeOf(posted: Posted, world: SendWorld): Promise<SendOutcome> {
  const { result } = posted;
  if (result.kind === 'no_answer') {
    const late = result.late === undefined ? {} : { late: lateAcceptance(posted, result.late, world) };
    return { kind: 'in_doubt', reason: doubtOf(result), evidence: evidenceOf(posted, undefined), ...late };
  }
  const { complete, httpStatus } = result;
  const answer = { complete, httpStatus, body: textOf(result.body) };
  const { outcome, facts } = outcomeOfAnswer(answer, world.answersRefused);
  const evidence = evidenceOf(posted, facts);
  if (outcome.kind === 'ask_token') return afterTokenCheck(outcome, { posted, evidence }, world);
  if (outcome.kind !== 'turned_away') world.pace.answered();
  switch (outcome.kind) {
    case 'accepted':
      return { kind: 'accepted', transferId: asTransferId(outcome.id), at: posted.endedAt, evidence };
    case 'refused':
      return refused(outcome, { posted, evidence });
    case 'in_doubt':
      return { kind: 'in_doubt', reason: outcome.reason, evidence };
    case 'turned_away': {
      const delayMs = world.pace.rateLimited(result);
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
  world: SendWorld,
): Promise<SendOutcome> {
  const { token } = posted.prepared;
  const verdict = await verdictAfterTransfer(token, { ...world, endedMs: posted.endedMs });
  if (verdict === 'refused') {
    world.session.invalidate(token);
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
