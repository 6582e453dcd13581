/**
 * Closing: nothing more is begun. The work under way stops as if its signal were aborted, and is waited for. Only then are
 * the ledger and the service closed, so an answer that is still on its way is written down.
 */
import { PayfileError } from '../domain/text/message.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';

/** Called after `close`. */
export class PayfileClosed extends PayfileError {
  override readonly name = 'PayfileClosed';
  readonly code = 'closed';
  constructor() {
    super('This payfile was closed; open another with createPayfile.');
  }
}

interface Closable {
  /** Stops everybody else who works with the same parts; begun before anything is waited for. */
  readonly closeOthers: () => Promise<unknown>;
  readonly closeParts: () => Promise<void>;
}

export function untilClosed({ closeOthers, closeParts }: Closable) {
  const stopping = new AbortController();
  const atWork = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;
  const close = async () => {
    stopping.abort(new PayfileClosed());
    const others = closeOthers();
    await Promise.allSettled(atWork);
    await others;
    await closeParts();
  };
  return {
    /** Errors: PayfileClosed. */
    requireOpen(): void {
      if (closing !== undefined) throw new PayfileClosed();
    },
    /** Work that closing stops and waits for. */
    during<Result>(dialogue: Dialogue, work: (dialogue: Dialogue) => Promise<Result>): Promise<Result> {
      const working = work({ ...dialogue, signal: eitherOf(stopping.signal, dialogue.signal) });
      atWork.add(working);
      return working.finally(() => atWork.delete(working));
    },
    close(): Promise<void> {
      closing ??= close();
      return closing;
    },
  };
}

function eitherOf(closing: AbortSignal, signal: AbortSignal | undefined): AbortSignal {
  return signal === undefined ? closing : AbortSignal.any([signal, closing]);
}
