/**
 * The body of a transfer, checked as a service checks it: types, amount, places, account. It executes nothing.
 *
 * Source:  service interface 2.4. Which fields are required is not shown; ours: all but Name, Note and Phone,
 *          and Name too when the account does not resolve.
 */
import { NumberText } from '../contract/exact-json.ts';
import { holderOf, isPlausibleAccount } from './accounts.ts';
import { countryById, institutionById, type SandboxCountry, type SandboxInstitution } from './directory.ts';
import { REFUSALS, type Refusal } from './refusals.ts';

export interface TransferRequest {
  readonly source: SandboxCountry;
  readonly destination: SandboxCountry;
  readonly institution: SandboxInstitution;
  /** Decimal text as it was written. */
  readonly amount: string;
  readonly account: string;
  readonly name: string;
  readonly phone: string;
  readonly note: string;
}

export type CheckedTransfer =
  | { readonly kind: 'payable'; readonly request: TransferRequest }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export interface CheckOptions {
  readonly seed: string;
  readonly scenarioAccounts: boolean;
}

const NOTE_MAX = 255;
// Fifteen digits are more money than there is; no sign and no exponent.
const PLAIN_DECIMAL = /^\d{1,15}(\.\d{1,12})?$/;
const TEXT_FIELDS = ['Source', 'Destination', 'Fi', 'AccountNo', 'Name', 'Phone', 'Note'];

export function checkTransfer(body: Record<string, unknown>, options: CheckOptions): CheckedTransfer {
  if (TEXT_FIELDS.some((field) => body[field] !== undefined && typeof body[field] !== 'string')) {
    return refused(REFUSALS.fieldNotText);
  }
  const text = (field: string) => String(body[field] ?? '');
  const places = placesOf({ source: text('Source'), destination: text('Destination'), fi: text('Fi') });
  if ('refusal' in places) return refused(places.refusal);
  const amount = body.Amount instanceof NumberText ? body.Amount.text : '';
  const amountRefusal = refusalOfAmount(amount, places.destination);
  if (amountRefusal) return refused(amountRefusal);
  const [account, note] = [text('AccountNo').trim(), text('Note')];
  if (account === '') return refused(REFUSALS.accountMissing);
  if (!isPlausibleAccount(account)) return refused(REFUSALS.accountInvalid);
  if (note.length > NOTE_MAX) return refused(REFUSALS.noteTooLong);
  const name = text('Name').trim() || resolvedName(places.institution, account, options);
  if (name === undefined) return refused(REFUSALS.nameMissing);
  return {
    kind: 'payable',
    request: { ...places, amount, account, name, phone: text('Phone'), note },
  };
}

/** Undefined for an amount above zero that the country's currency can express; trailing zeros are nothing. */
export function refusalOfAmount(amount: string, country: SandboxCountry): Refusal | undefined {
  if (!PLAIN_DECIMAL.test(amount) || !/[1-9]/.test(amount)) return REFUSALS.amountInvalid;
  const decimals = (amount.split('.')[1] ?? '').replace(/0+$/, '').length;
  return decimals > country.decimals ? REFUSALS.amountTooPrecise : undefined;
}

function resolvedName(
  institution: SandboxInstitution,
  account: string,
  options: CheckOptions,
): string | undefined {
  const holder = holderOf({ institution, account, ...options });
  return holder.kind === 'found' ? holder.name : undefined;
}

type Places = Pick<TransferRequest, 'source' | 'destination' | 'institution'>;

function placesOf(ids: { source: string; destination: string; fi: string }): Places | { refusal: Refusal } {
  const source = countryById(ids.source);
  if (!source) return { refusal: REFUSALS.sourceUnknown };
  const destination = countryById(ids.destination);
  if (!destination) return { refusal: REFUSALS.destinationUnknown };
  if (destination.institutions.length === 0) return { refusal: REFUSALS.nothingPaidThere };
  const institution = institutionById(ids.fi);
  if (!institution) return { refusal: REFUSALS.institutionUnknown };
  if (institution.country !== destination) return { refusal: REFUSALS.institutionElsewhere };
  return { source, destination, institution };
}

function refused(refusal: Refusal): CheckedTransfer {
  return { kind: 'refused', refusal };
}
