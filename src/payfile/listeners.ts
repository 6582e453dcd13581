/**
 * What a caller listens with: a log, and a listener for progress. What they throw or reject changes nothing, and they
 * cannot change what they are shown: what becomes of a payment does not depend on who watches.
 */
import type { Log } from '../ports/log.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';

type Listener = NonNullable<Dialogue['onProgress']>;

export function harmlessLog(log: Log): Log {
  return { write: (level, event, fields) => unheard(() => log.write(level, event, fields)) };
}

export function harmlessListener(listener: Listener | undefined): Listener {
  if (listener === undefined) return () => undefined;
  return (event) => unheard(() => listener(frozen(event)));
}

/** What listening throws or rejects is the listener's. */
export function unheard(listen: () => unknown): void {
  try {
    // Types allow a listener to be async.
    Promise.resolve(listen()).catch(() => undefined);
  } catch {
    // It is the caller's to report.
  }
}

/** The whole of it; a Map keeps its entries changeable. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of value instanceof Map ? value.values() : Object.values(value)) frozen(part);
  return value;
}
