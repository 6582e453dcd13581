/**
 * The rows that are looked at now. No row has two looks at a time.
 */
import type { PayoutId } from '../../domain/payouts/instruction.ts';
import type { Ports } from '../ports.ts';

export type OpenLooks = ReturnType<typeof openLooks>;

interface OpenLook {
  isAnswered: boolean;
  /** The last look showed no status. */
  readonly isSilent: boolean;
}

export function openLooks(clock: Ports['clock']) {
  const open = new Map<PayoutId, OpenLook>();
  let wake = () => {};
  return {
    ids: (): ReadonlySet<PayoutId> => new Set(open.keys()),
    count: () => open.size,
    /** How many places silent rows have. */
    silent: () => [...open.values()].filter((look) => look.isSilent && !look.isAnswered).length,
    begin: (id: PayoutId, isSilent: boolean) => void open.set(id, { isAnswered: false, isSilent }),
    async during(id: PayoutId, look: (onAnswered: () => void) => Promise<void>): Promise<void> {
      const own = open.get(id) ?? { isAnswered: false, isSilent: false };
      open.set(id, own);
      try {
        await look(() => {
          own.isAnswered = true;
          wake();
        });
      } finally {
        open.delete(id);
        wake();
      }
    },
    /** Waits until something changes, or for the given time. Writing an answer down changes something soon. */
    async idle(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
      const changed = new AbortController();
      const change = new Promise<void>((resolve) => {
        wake = () => {
          changed.abort();
          resolve();
        };
      });
      if ([...open.values()].some(({ isAnswered }) => isAnswered)) return change;
      const either = [signal, changed.signal].filter((each) => each !== undefined);
      const sleep = clock.sleep(milliseconds, AbortSignal.any(either)).catch(() => undefined);
      await Promise.race([change, sleep]);
    },
  };
}
