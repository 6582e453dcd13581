/**
 * A failure of the network as one short word, such as ECONNREFUSED.
 *
 * The messages of network errors hold addresses and sometimes paths, and a path can hold an account number,
 * so only the code is ever kept.
 */
export function networkReason(error: unknown): string {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; depth += 1) {
    if (cause instanceof AggregateError && cause.errors.length > 0 && codeOf(cause) === undefined) {
      cause = cause.errors[0];
      continue;
    }
    const code = codeOf(cause);
    // got wraps the network's own code in its own; the inner one says more.
    if (code !== undefined && !(code.startsWith('ERR_GOT') && cause.cause instanceof Error)) return code;
    cause = cause.cause;
  }
  return 'network_error';
}

function codeOf(error: Error): string | undefined {
  const code: unknown = 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : undefined;
}
