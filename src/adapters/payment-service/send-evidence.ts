/**
 * What is kept of one request on the wire, for the person who may have to rule on it.
 */
import type { Evidence } from '../../domain/payout.ts';
import type { AnswerFacts } from './answer-facts.ts';
import type { Posted } from './send-transfer.ts';
import { fragmentOf, printable, withoutSecrets } from './service-text.ts';

/** `facts` is undefined when no whole answer came. */
export function evidenceOf(posted: Posted, facts: AnswerFacts | undefined): Evidence {
  const { order, prepared, connection, result } = posted;
  const tokens = prepared.token.secrets();
  const fragment = withoutSecrets(fragmentOf(result.body), tokens);
  const message = facts?.message;
  const secrets = [...tokens, order.account.reveal()];
  return {
    attempt: order.attempt,
    phase: result.kind === 'answer' ? 'answer' : result.phase,
    startedAt: posted.startedAt,
    endedAt: posted.endedAt,
    bytesWritten: result.bytesWritten,
    ...(result.httpStatus === undefined ? {} : { httpStatus: result.httpStatus }),
    ...(facts?.code === undefined ? {} : { code: facts.code }),
    ...(message === undefined ? {} : { message: withoutSecrets(printable(message), secrets) }),
    ...(fragment === '' ? {} : { fragment }),
    ...(result.kind === 'no_answer' ? { errorCode: result.errorCode } : {}),
    ...(connection.localPort === undefined ? {} : { localPort: connection.localPort }),
  };
}
