/**
 * A world for benchmarks: the real ledger, readers and stages; lists from the sandbox's directory without a
 * network, so that what is measured is ours.
 */

import { parseCurrency } from '../../src/domain/money/currency.ts';
import { DEFAULT_POLICY } from '../../src/domain/policy.ts';
import { asCountryId, asInstitutionId } from '../../src/domain/rows/directory.ts';
import { type OpenLedgerOptions, openLedger } from '../../src/ledger/file.ts';
import { openServerLedger } from '../../src/ledger/server.ts';
import { systemClock } from '../../src/outside/system-clock.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import type { PaymentService } from '../../src/ports/payment-service.ts';
import type { ServerPlace } from '../../src/ports/server-place.ts';
import { COUNTRIES } from '../../src/sandbox/directory.ts';
import type { Ports } from '../../src/use-cases/ports.ts';

const silent = { write: () => undefined };

export const BINDING = { environment: 'sandbox', baseUrl: 'sandbox', loginId: 'sandbox' } as const;

/** `path`: a file, or the place on a server as JSON. */
export async function benchLedger(path: string, more: Partial<OpenLedgerOptions> = {}) {
  const binding = BINDING;
  if (path.startsWith('{'))
    return openServerLedger({ place: JSON.parse(path) as ServerPlace, binding, create: true });
  return openLedger({ path, binding, create: true, clock: systemClock, log: silent, ...more });
}

export async function benchWorld(
  path: string,
  paymentService: PaymentService = listsOnly(),
  opened?: Ledger,
): Promise<Ports> {
  const ledger = opened ?? (await benchLedger(path));
  return {
    ledger,
    paymentService,
    clock: systemClock,
    log: silent,
    policy: DEFAULT_POLICY,
    tell: () => undefined,
  };
}

export function listsOnly(): PaymentService {
  const countries = COUNTRIES.map(({ id, name, iso, callingCode }) => ({
    id: asCountryId(id),
    name,
    iso,
    callingCode,
  }));
  const never = async () => {
    throw new TypeError('Not asked in this benchmark');
  };
  return {
    countries: async () => ({ kind: 'answered', answer: countries }),
    institutions: async (countryId) => {
      const country = COUNTRIES.find(({ id }) => id === countryId);
      const answer = (country?.institutions ?? []).flatMap((institution) => {
        const currency = parseCurrency(country?.currency ?? '');
        if (currency === undefined) return [];
        return [
          { id: asInstitutionId(institution.id), name: institution.name, currency, charges: undefined },
        ];
      });
      return { kind: 'answered', answer };
    },
    accountName: never,
    estimate: never,
    rate: never,
    transaction: never,
    profile: never,
    prepareSend: never,
    send: never,
    close: async () => undefined,
  };
}
