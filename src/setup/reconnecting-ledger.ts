/**
 * A server ledger that can reconnect, for processes that watch others. `reconnect` opens a new connection, with the
 * usual checks of the ledger. All holders of the object then use the new connection. It never reconnects by itself: a
 * process that moves payouts stops instead.
 */
import type { Ledger } from '../ports/ledger/ledger.ts';

export interface ReconnectingLedger {
  readonly ledger: Ledger;
  /** Reconnects. Errors: LedgerError; then the old connection stays. */
  reconnect(): Promise<void>;
}

export function reconnectingLedger(first: Ledger, open: () => Promise<Ledger>): ReconnectingLedger {
  let current = first;
  const ledger = new Proxy(first, {
    get(_first, key) {
      const value: unknown = Reflect.get(current, key, current);
      return typeof value === 'function' ? value.bind(current) : value;
    },
  });
  return {
    ledger,
    async reconnect() {
      current = await open();
    },
  };
}
