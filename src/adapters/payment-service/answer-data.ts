/**
 * The `data` of each endpoint, read into our own shapes; undefined when it is not the documented shape.
 *
 * A list element that cannot be read is left out and reported through `onUnreadable`; a list without one
 * readable element is no answer.
 * Source:  service interface sections 2.6 to 2.11.
 */
import { exactJsonText } from '../../contract/exact-json.ts';
import {
  CountryWire,
  EstimateWire,
  InstitutionWire,
  RateWire,
  ResolvedNameWire,
  TransactionWire,
} from '../../contract/wire.ts';
import { asCountryId, asInstitutionId, type Country, type Institution } from '../../domain/country.ts';
import { parseCurrency } from '../../domain/currency.ts';
import { asTransferId } from '../../domain/instruction.ts';
import type { Estimate, Transaction } from '../../ports/payment-service.ts';
import { plainDecimal } from './plain-decimal.ts';

export function readCountry(element: unknown): Country | undefined {
  const { data } = CountryWire.safeParse(element);
  if (data === undefined) return undefined;
  const callingCode = (data.phone ?? '').replace(/\D/g, '');
  return { id: asCountryId(data.id), name: data.name, iso: data.iso.toUpperCase(), callingCode };
}

export function readInstitution(element: unknown): Institution | undefined {
  const { data } = InstitutionWire.safeParse(element);
  const currency = parseCurrency(data?.Currency ?? '');
  if (data === undefined || currency === undefined) return undefined;
  return { id: asInstitutionId(data.id), name: data.name, currency, charges: plainDecimal(data.Charges) };
}

/** A blank name is no answer: it would look like a person without a name. */
export function readAccountName(data: unknown): string | undefined {
  const name = ResolvedNameWire.safeParse(data).data?.name.trim();
  return name === '' ? undefined : name;
}

export function readEstimate(data: unknown): Estimate | undefined {
  const wire = EstimateWire.safeParse(data).data;
  const rate = positive(plainDecimal(wire?.rate));
  const fee = plainDecimal(wire?.fees);
  const speedSeconds = Number(wire?.speed);
  if (rate === undefined || fee === undefined || fee.startsWith('-')) return undefined;
  return Number.isSafeInteger(speedSeconds) && speedSeconds >= 0 ? { rate, fee, speedSeconds } : undefined;
}

export function readRate(data: unknown): string | undefined {
  return positive(plainDecimal(RateWire.safeParse(data).data?.rate));
}

export function readTransaction(data: unknown): Transaction | undefined {
  const wire = TransactionWire.safeParse(data).data;
  if (wire === undefined) return undefined;
  return {
    id: asTransferId(wire.id),
    status: wire.Status,
    amount: plainDecimal(wire.amount),
    receiver: wire.receiver,
    institution: wire.Bank,
    destination: wire.destination,
    date: wire.Date,
  };
}

export function readProfile(data: unknown): string | undefined {
  return exactJsonText(data ?? null);
}

/** Reads each element of a list; see the header for what happens to those that cannot be read. */
export function readList<Value>(
  read: (element: unknown) => Value | undefined,
  onUnreadable: (count: number) => void,
): (data: unknown) => readonly Value[] | undefined {
  return (data) => {
    if (!Array.isArray(data)) return undefined;
    const values = data.map(read).filter((value) => value !== undefined);
    if (values.length < data.length) onUnreadable(data.length - values.length);
    return values.length === 0 && data.length > 0 ? undefined : values;
  };
}

function positive(decimal: string | undefined): string | undefined {
  return decimal !== undefined && !decimal.startsWith('-') && /[1-9]/.test(decimal) ? decimal : undefined;
}
