/**
 * Countries and institutions, as the service lists them.
 */
import type { Branded } from './branded.ts';
import type { CurrencyCode } from './currency.ts';

export type CountryId = Branded<string, 'CountryId'>;
export type InstitutionId = Branded<string, 'InstitutionId'>;

export interface Country {
  readonly id: CountryId;
  readonly name: string;
  /** Two letters, upper case. */
  readonly iso: string;
  /** Digits only, without `+`; empty when the service names none. */
  readonly callingCode: string;
}

export interface Institution {
  readonly id: InstitutionId;
  readonly name: string;
  readonly currency: CurrencyCode;
  /** Charges of the institution as plain decimal text, shown beside the quote. Their unit is not shown by the service. */
  readonly charges: string | undefined;
}

export const asCountryId = (text: string): CountryId => text as CountryId;
export const asInstitutionId = (text: string): InstitutionId => text as InstitutionId;
