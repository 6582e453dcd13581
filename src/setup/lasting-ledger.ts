/**
 * A ledger on a server, for whoever watches others at work: when the connection broke off, another one is opened, and looked
 * at like any other (a server that was set back, or another ledger, is refused). The ledger in everybody's hands is then
 * the new one. Nothing does so by itself: whoever was moving payouts stops there.
 */
import type { Ledger } from '../ports/ledger/ledger.ts';

export interface LastingLedger {
  readonly ledger: Ledger;
  /** Errors: LedgerError; as it was, then. */
  again(): Promise<void>;
}

export function lastingLedger(first: Ledger, open: () => Promise<Ledger>): LastingLedger {
  let current = first;
  const ledger = new Proxy(first, {
    get(_first, key) {
      const value: unknown = Reflect.get(current, key, current);
      return typeof value === 'function' ? value.bind(current) : value;
    },
  });
  return {
    ledger,
    async again() {
      current = await open();
    },
  };
}
