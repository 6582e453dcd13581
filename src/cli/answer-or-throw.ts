/**
 * An answer of the service, for commands that only ask: what it declined is a usage matter (64), what it
 * could not answer is its own (69).
 */
import { ServiceUnavailable } from '../application/read-rows.ts';
import { printable } from '../domain/printable.ts';
import type { Asked } from '../ports/payment-service.ts';
import { UsageError } from './usage-error.ts';

export function answerOrThrow<Answer>(asked: Asked<Answer>, what: string): Answer {
  switch (asked.kind) {
    case 'answered':
      return asked.answer;
    case 'declined':
      throw new UsageError(
        `The service declined to give ${what}: “${printable(asked.message)}” (code ${printable(asked.code)}).`,
      );
    case 'unavailable':
      throw new ServiceUnavailable(`Could not get ${what} from the payment service: ${asked.reason}.`);
  }
}
