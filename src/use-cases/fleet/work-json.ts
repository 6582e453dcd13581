/**
 * What is asked of a worker, and what it answers, as JSON: whole numbers of any size keep their kind. Both ends are the same
 * program, or the work is refused.
 */

import type { Policy } from '../../domain/policy.ts';

/** Of a work that could not go on because somebody stopped it. */
export const STOPPED = 'stopped';

/** Grows when an older program would read it otherwise. */
const FORMAT = 1;

export interface Failed {
  readonly code: string | undefined;
  readonly message: string;
}

/** A worker could not do what it was asked for; `code` as in a process of one's own. */
export class WorkFailed extends Error {
  override readonly name = 'WorkFailed';
  readonly code: string | undefined;
  constructor({ code, message }: Failed) {
    super(message);
    this.code = code;
  }
}

export interface Requested<Request> {
  readonly request: Request;
  /** As whoever asks has set it. */
  readonly policy: Policy;
}

export function encodeRequest<Request>(requested: Requested<Request>): string {
  return encode({ format: FORMAT, ...requested });
}

/** Errors: WorkFailed where another version of payfile asks. */
export function decodeRequest<Request>(text: string): Requested<Request> {
  const { format, ...requested } = decode(text) as Requested<Request> & { readonly format?: unknown };
  if (format === FORMAT) return requested;
  const message =
    'The work was asked for by another version of payfile. Install the same version on all machines.';
  throw new WorkFailed({ code: 'config', message });
}

export function encodeDone(result: unknown): string {
  return encode({ result });
}

export function encodeFailed(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return encode({ failed: { code: typeof code === 'string' ? code : undefined, message: String(message) } });
}

/** Throws what the worker met. */
export function decodeEnd(text: string): unknown {
  const { failed, result } = decode(text) as { failed?: Failed; result?: unknown };
  if (failed !== undefined) throw new WorkFailed(failed);
  return result;
}

const WHOLE = '$whole';

function encode(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'bigint' ? { [WHOLE]: String(each) } : each,
  );
}

function decode(text: string): unknown {
  return JSON.parse(text, (_key, each: unknown) => {
    const whole =
      each !== null && typeof each === 'object' ? (each as Record<string, unknown>)[WHOLE] : undefined;
    return typeof whole === 'string' ? BigInt(whole) : each;
  });
}
