/**
 * The service's lists of countries and institutions. An empty list counts as an outage: neither a file nor a setting is
 * at fault.
 */
import type { Country, CountryId, Institution } from '../domain/rows/directory.ts';
import type { Asked, PaymentService } from '../ports/payment-service.ts';

export async function askCountries(
  service: Pick<PaymentService, 'countries'>,
  signal: AbortSignal | undefined,
): Promise<Asked<readonly Country[]>> {
  return filled(await service.countries(signal));
}

export async function askInstitutions(
  service: Pick<PaymentService, 'institutions'>,
  countryId: CountryId,
  signal: AbortSignal | undefined,
): Promise<Asked<readonly Institution[]>> {
  return filled(await service.institutions(countryId, signal));
}

function filled<Item>(asked: Asked<readonly Item[]>): Asked<readonly Item[]> {
  const isEmpty = asked.kind === 'answered' && asked.answer.length === 0;
  return isEmpty ? { kind: 'unavailable', reason: 'the list is empty' } : asked;
}
