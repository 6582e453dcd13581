/**
 * What is kept of one request on the wire, for the person who may have to rule on it.
 */
import type { Evidence } from '../../domain/payout.ts';
import { type Echo, echoesOfAccount } from '../../domain/without-echoes.ts';
import type { AnswerFacts } from './answer-facts.ts';
import type { Posted } from './send-transfer.ts';
import { fragmentOf, printableWithout } from './service-text.ts';

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
