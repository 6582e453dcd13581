/**
 * The side of the payment service that changes by itself: lists, prices and account holders. It keeps each answer that it
 * gave, so that a checker knows what a process could know.
 *
 * Units:   virtual milliseconds; rates in destination currency per unit of source currency; fees in source currency.
 */

export interface ListedCountry {
  readonly id: string;
  readonly name: string;
  readonly iso: string;
  readonly phone: string;
}

export interface ListedInstitution {
  readonly id: string;
  readonly name: string;
  readonly Logo: string;
  readonly Charges: number | string;
  readonly Currency: string;
}

export type MarketAnswer =
  | { readonly kind: 'countries'; readonly list: readonly ListedCountry[] }
  | { readonly kind: 'institutions'; readonly countryId: string; readonly list: readonly ListedInstitution[] }
  | {
      readonly kind: 'name';
      readonly institutionId: string;
      readonly account: string;
      readonly holder: string | undefined;
    }
  | { readonly kind: 'rate'; readonly rate: number }
  | { readonly kind: 'estimate'; readonly amount: string; readonly rate: number; readonly fee: number };

export type GivenAnswer = MarketAnswer & {
  readonly atMs: number;
  /** The name of the process that asked. */
  readonly to: string;
};

/** As the service calls them at first, and as people write them. */
export const COUNTRIES: readonly ListedCountry[] = [
  { id: 'c-gb', name: 'United Kingdom', iso: 'GB', phone: '+44' },
  { id: 'c-gh', name: 'Ghana', iso: 'gh', phone: '233' },
];
const INSTITUTIONS: readonly ListedInstitution[] = [
  { id: 'i-mtn', name: 'MTN Mobile Money', Logo: '', Charges: 0, Currency: 'GHS' },
  { id: 'i-gcb', name: 'GCB Bank', Logo: '', Charges: '1.5', Currency: 'GHS' },
];

export class Market {
  rate = 15.5;
  fee = 1.02;
  countries = COUNTRIES;
  institutions = INSTITUTIONS;
  /** By account; `undefined` in the map: no such account. */
  readonly holders = new Map<string, string | undefined>();
  readonly answers: GivenAnswer[] = [];

  /** All institutions pay in another currency than before. */
  changeCurrencies(): void {
    this.institutions = this.institutions.map((one) => ({ ...one, Currency: 'XOF' }));
  }

  /** The name that an id has now; undefined: nothing has this id. */
  nameOf(id: string): string | undefined {
    return [...this.countries, ...this.institutions].find((one) => one.id === id)?.name;
  }

  /** What a transfer of this amount takes from the account that pays, now. */
  costOf(amount: number): number {
    return amount / Number(this.rate.toFixed(4)) + this.fee;
  }
}
