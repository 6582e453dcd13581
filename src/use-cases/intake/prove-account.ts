/**
 * Asks the service whether an account with its lost zeros put back belongs to the person that the row names, and
 * says so beside the issue. The row stays as it is: a person writes the zeros, not we.
 */
import { compareNames } from '../../domain/names/name-check.ts';
import type { AccountGuess, InvalidRow } from '../../domain/rows/validate-row.ts';
import type { PaymentService } from '../../ports/payment-service.ts';

// Enough to see that a whole column lost its zeros; a file of a million such rows must not ask a million times.
const MOST_QUESTIONS = 25;

/** `ports` is undefined where nobody may be asked. */
export function createAccountProver(ports: { readonly paymentService: PaymentService } | undefined) {
  let asked = 0;
  return {
    async prove(row: InvalidRow, signal: AbortSignal | undefined): Promise<InvalidRow> {
      if (ports === undefined || row.guess === undefined || asked >= MOST_QUESTIONS) return row;
      asked += 1;
      return (await belongsToNamed(row.guess, ports.paymentService, signal))
        ? withProof(row, row.guess)
        : row;
    },
  };
}

async function belongsToNamed(
  { institutionId, padded, name }: AccountGuess,
  service: PaymentService,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const asked = await service.accountName({ institutionId, account: padded }, signal);
  return asked.kind === 'answered' && compareNames(name, asked.answer).result === 'match';
}

function withProof(row: InvalidRow, { name }: AccountGuess): InvalidRow {
  const proof = `The service knows the account with its zeros as that of ${name}, the name in the row.`;
  const issues = row.issues.map((issue) =>
    issue.kind === 'account_zero_lost'
      ? { ...issue, suggestion: `${issue.suggestion ?? ''} ${proof}`.trim() }
      : issue,
  );
  return { ...row, issues };
}
