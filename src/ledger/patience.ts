/**
 * A process that a person stopped waits for no server that gives no answer: that question, and all that follow it, fail like
 * those of a connection that is gone. So what the service has answered goes into the emergency file, and the ledger reports its
 * last write as not known.
 *
 * Units:   milliseconds.
 */

import { SILENT } from '../ports/ledger/errors.ts';

/** Of a question, after the stop. A server that lives answers sooner, and the process ends two seconds after the stop. */
const SILENT_MS = 1_200;
const LOOK_MS = 50;

interface Waiting {
  readonly since: number;
  fail(error: unknown): void;
}

class Patience {
  readonly #waiting = new Set<Waiting>();
  #isOver = false;

  constructor(stop: AbortSignal) {
    const begin = () => this.#watch();
    if (stop.aborted) begin();
    else stop.addEventListener('abort', begin, { once: true });
  }

  readonly of = <T>(answer: Promise<T>): Promise<T> => {
    return new Promise<T>((done, fail) => {
      const waiting = { since: performance.now(), fail };
      const over = () => this.#waiting.delete(waiting);
      answer.then(done, fail).finally(over);
      if (this.#isOver) fail(silent());
      else this.#waiting.add(waiting);
    });
  };

  #watch(): void {
    const stopped = performance.now();
    const looking = setInterval(() => {
      const now = performance.now();
      const isSilent = ({ since }: Waiting) => now - Math.max(since, stopped) > SILENT_MS;
      if (![...this.#waiting].some(isSilent)) return;
      clearInterval(looking);
      this.#isOver = true;
      for (const { fail } of this.#waiting) fail(silent());
      this.#waiting.clear();
    }, LOOK_MS).unref();
  }
}

const silent = () => Object.assign(new Error('it gave no answer after the stop'), { code: SILENT });

const known = new WeakMap<AbortSignal, Patience>();

/** One for all connections of a process. Nobody can stop what has no signal: its patience is pg's own. */
export function patienceOf(stop: AbortSignal | undefined): Pick<Patience, 'of'> {
  if (stop === undefined) return { of: (answer) => answer };
  const patience = known.get(stop) ?? new Patience(stop);
  known.set(stop, patience);
  return patience;
}
