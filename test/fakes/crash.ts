/**
 * A process that dies at its k-th call to the outside: that call and all after it never come back. Its promises
 * are abandoned, as a killed process abandons them.
 */

import type { Attempt } from '../../src/domain/payouts/attempt.ts';
import type { PayoutId } from '../../src/domain/payouts/instruction.ts';
import type { Lease } from '../../src/ports/ledger/leases.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';

export interface Crash {
  /** Wraps what reaches outside the process; all wrapped objects share one count. */
  wrap<Target extends object>(target: Target): Target;
  /** Resolves when the process is dead. */
  readonly happened: Promise<void>;
  readonly calls: () => number;
}

/** `before`: the call never reached the other side. `after`: it took effect and the answer was lost. */
export function crashAt(at: number, moment: 'before' | 'after'): Crash {
  let calls = 0;
  let die = () => {};
  const happened = new Promise<void>((resolve) => {
    die = resolve;
  });
  const never = new Promise<never>(() => {});

  const called = (run: () => unknown): unknown => {
    calls += 1;
    if (calls < at) return alive(run());
    const result = calls === at && moment === 'after' ? run() : undefined;
    void Promise.resolve(isIterable(result) ? undefined : result).then(die, die);
    return isIterable(result) ? neverEnding(never) : never;
  };

  /** An answer that comes when the process is dead reaches nobody. */
  const alive = (result: unknown): unknown => {
    if (isIterable(result)) return pagesWhileAlive(result, () => calls < at, never);
    if (!(result instanceof Promise)) return result;
    return result.then(
      (value: unknown) => (calls < at ? value : never),
      (error: unknown) => (calls < at ? Promise.reject(error) : never),
    );
  };

  return {
    happened,
    calls: () => calls,
    wrap: (target) =>
      new Proxy(target, {
        get(_, key) {
          const value: unknown = Reflect.get(target, key);
          if (typeof value !== 'function') return value;
          return (...given: unknown[]) => called(() => Reflect.apply(value, target, given));
        },
      }),
  };
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

async function* pagesWhileAlive(
  pages: AsyncIterable<unknown>,
  isAlive: () => boolean,
  never: Promise<never>,
) {
  for await (const page of pages) {
    if (!isAlive()) await never;
    yield page;
  }
}

async function* neverEnding(never: Promise<never>): AsyncGenerator<never> {
  yield await never;
}

/**
 * A ledger that always gives the batch, and the turn to approve. The process that dies here lives on in the test's own
 * process, so the real lease would rightly call it alive, and so would whoever rules on a row that it left on the wire;
 * that a dead one is taken over is shown with real processes elsewhere.
 */
export function withFreeLease(ledger: Ledger): Ledger {
  const lease: Lease = {
    kind: 'leased',
    tookOver: false,
    lost: new AbortController().signal,
    handOut: async () => undefined,
    release: async () => undefined,
  };
  return new Proxy(ledger, {
    get: (_, key) => {
      if (key === 'lease' || key === 'approvalTurn') return async () => lease;
      if (key === 'lastAttempt')
        return async (id: PayoutId) => asOfADeadProcess(await ledger.lastAttempt(id));
      const value: unknown = Reflect.get(ledger, key);
      return typeof value === 'function' ? value.bind(ledger) : value;
    },
  });
}

function asOfADeadProcess(attempt: Attempt | undefined): Attempt | undefined {
  return attempt === undefined ? undefined : { ...attempt, isRunning: false };
}
