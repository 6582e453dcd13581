/**
 * How long one look may take: a short time, and longer for a row that is asked again in the same run. So rows whose looks
 * hang do not keep the places from all others. There is no limit where `silence` is undefined.
 */
import type { PayoutId } from '../../domain/payouts/instruction.ts';
import type { Ports } from '../ports.ts';

/** Longer than a service takes; short enough for the rows that wait. */
const LOOK_MS = 10_000;
const LOOK_AGAIN_MS = 60_000;

/** The look took too long. */
export class LookGivenUp extends Error {
  override readonly name = 'LookGivenUp';
  readonly code = 'look_given_up';
  constructor(ms: number) {
    super(`no answer came within ${Math.round(ms / 1_000)} s`);
  }
}

interface Limit {
  readonly signal: AbortSignal | undefined;
  readonly answered: () => void;
}

export function lookPatience(
  signal: AbortSignal | undefined,
  { clock, silence }: Pick<Ports, 'clock' | 'silence'>,
) {
  const givenUp = new Set<PayoutId>();
  /** Used again, because each joined signal stays with those that it was joined from. */
  const free: { readonly giveUp: AbortController; readonly signal: AbortSignal }[] = [];
  const newPlace = () => {
    const giveUp = new AbortController();
    const either = [signal, giveUp.signal].filter((each) => each !== undefined);
    return { giveUp, signal: AbortSignal.any(either) };
  };
  return {
    /** Whether the row's last look in this run was given up. */
    hasGivenUp: (id: PayoutId) => givenUp.has(id),
    async during(id: PayoutId, look: (limit: Limit) => Promise<void>): Promise<void> {
      if (silence === undefined) return look({ signal, answered: () => undefined });
      const place = free.pop() ?? newPlace();
      const over = new AbortController();
      const limitMs = givenUp.has(id) ? LOOK_AGAIN_MS : LOOK_MS;
      void clock.sleep(limitMs, over.signal).then(
        () => {
          givenUp.add(id);
          place.giveUp.abort(new LookGivenUp(limitMs));
        },
        () => undefined,
      );
      try {
        const answered = () => {
          over.abort();
          if (!place.signal.aborted) givenUp.delete(id);
        };
        await look({ signal: place.signal, answered });
      } finally {
        over.abort();
        if (!place.signal.aborted) free.push(place);
      }
    },
  };
}
