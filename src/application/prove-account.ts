/**
 * Asks the service whether an account with its lost zeros put back belongs to the person that the row names, and
 * says so beside the issue. The row stays as it is: a person writes the zeros, not we.
 */
import { compareNames } from '../domain/name-check.ts';
import type { AccountGuess, Validated } from '../domain/validate-row.ts';
import type { PaymentService } from '../ports/payment-service.ts';

export type InvalidRow = Extract<Validated, { kind: 'invalid' }>;

export interface AccountProver {
  prove(row: InvalidRow, signal: AbortSignal | undefined): Promise<InvalidRow>;
}

// Enough to see that a whole column lost its zeros; a file of a million such rows must not ask a million times.
const MOST_QUESTIONS = 25;

/** `world` is undefined where nobody may be asked. */
export function createAccountProver(
  world: { readonly paymentService: PaymentService } | undefined,
): AccountProver {
  let asked = 0;
  return {
    async prove(row, signal) {
      if (world === undefined || row.guess === undefined || asked >= MOST_QUESTIONS) return row;
      asked += 1;
      return (await belongsToNamed(row.guess, world.paymentService, signal))
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
  if (asked.kind !== 'answered' || asked.answer === undefined) return false;
  return compareNames(name, asked.answer).result === 'match';
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
