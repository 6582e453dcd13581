/** A ledger with some calls that the test answers. */
import type { Ledger } from '../../src/ports/ledger/ledger.ts';

export function ledgerWith(ledger: Ledger, calls: Partial<Ledger>): Ledger {
  return new Proxy(ledger, {
    get: (_, key) => {
      const own: unknown = Reflect.get(calls, key);
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(ledger, key, ledger);
      return typeof value === 'function' ? value.bind(ledger) : value;
    },
  });
}
