/**
 * Single questions to the service. They move no money and keep nothing.
 *
 * Errors:  RequestRefused for what the service does not have or declines to say, with proposals; ServiceUnavailable.
 */
import { readAccount } from '../domain/accounts/read-account.ts';
import { command } from '../domain/next-steps/command.ts';
import { asTransferId } from '../domain/payouts/instruction.ts';
import {
  ambiguityText,
  asInstitutionId,
  type Country,
  createDirectory,
  type Directory,
  type Found,
  type Institution,
  type InstitutionId,
} from '../domain/rows/directory.ts';
import { didYouMean } from '../domain/text/likeness.ts';
import { printable } from '../domain/text/printable.ts';
import { RequestRefused } from '../domain/text/request-refused.ts';
import { Sensitive } from '../domain/text/sensitive.ts';
import type { Asked, Estimate, Transaction } from '../ports/payment-service.ts';
import { loadDirectory, loadInstitutions, ServiceUnavailable } from './intake/directory-lists.ts';
import type { Ports } from './ports.ts';

/** The service, a listener for warnings, and a signal to stop. */
export interface Asking extends Pick<Ports, 'paymentService' | 'tell'> {
  readonly signal: AbortSignal | undefined;
}

/** Both are exact decimals. */
export type RateAnswer =
  | { readonly kind: 'rate'; readonly rate: string }
  | { readonly kind: 'estimate'; readonly amount: string; readonly estimate: Estimate };

export async function listCountries(asking: Asking): Promise<readonly Country[]> {
  return byName((await loadDirectory(asking, asking.signal)).countries);
}

export async function listInstitutions(
  written: string,
  asking: Asking,
): Promise<{ readonly country: Country; readonly institutions: readonly Institution[] }> {
  const directory = await loadDirectory(asking, asking.signal);
  const country = countryIn(directory, written);
  const institutions = await loadInstitutions(directory, country.id, asking, asking.signal);
  return { country, institutions: byName(institutions) };
}

/** With an amount: what it would cost and how long it takes. */
export async function askRate(
  question: { readonly from: string; readonly to: string; readonly amount?: string | undefined },
  asking: Asking,
): Promise<{ readonly from: Country; readonly to: Country } & RateAnswer> {
  const { paymentService, signal } = asking;
  const from = await countryNamed(question.from, asking);
  const to = await countryNamed(question.to, asking);
  const { amount } = question;
  if (amount === undefined) {
    const rate = answerOrThrow(await paymentService.rate(from.id, to.id, signal), 'the rate');
    return { from, to, kind: 'rate', rate };
  }
  if (!/^\d{1,15}(\.\d{1,4})?$/.test(amount))
    throw new RequestRefused(
      `The amount is “${printable(amount)}”. Write it without separators, such as 1250.00.`,
    );
  const asked = await paymentService.estimate({ sourceId: from.id, destinationId: to.id, amount }, signal);
  return { from, to, kind: 'estimate', amount, estimate: answerOrThrow(asked, 'an estimate') };
}

export type HolderAnswer =
  | { readonly institutionId: InstitutionId; readonly name: string }
  /** The service gives no name, in its own words. */
  | { readonly institutionId: InstitutionId; readonly name: undefined; readonly declined: string };

/** `institution`: an id, or COUNTRY/NAME. */
export async function askAccountName(
  question: { readonly institution: string; readonly account: string },
  asking: Asking,
): Promise<HolderAnswer> {
  const institutionId = await institutionNamed(question.institution, asking);
  const account = new Sensitive(readAccount(question.account));
  const asked = await asking.paymentService.accountName({ institutionId, account }, asking.signal);
  if (asked.kind === 'declined')
    return { institutionId, name: undefined, declined: `${asked.message} (code ${asked.code})` };
  return { institutionId, name: answerOrThrow(asked, 'the name') };
}

export async function askTransaction(id: string, { paymentService, signal }: Asking): Promise<Transaction> {
  const asked = await paymentService.transaction(asTransferId(id), signal);
  return answerOrThrow(asked, `transfer ${printable(id)}`);
}

/** JSON text: the interface does not show its shape. */
export async function askProfile({ paymentService, signal }: Asking): Promise<string> {
  return answerOrThrow(await paymentService.profile(signal), 'your profile');
}

/** By name, ISO code or id, each once, however often it was named. */
export function countriesNamed(written: readonly string[], directory: Directory): readonly Country[] {
  const countries = written.map((text) => countryIn(directory, text));
  return [...new Map(countries.map((country) => [country.id, country])).values()];
}

async function countryNamed(written: string, asking: Asking): Promise<Country> {
  return countryIn(await loadDirectory(asking, asking.signal), written);
}

function countryIn(directory: Directory, written: string): Country {
  const found = directory.findCountry(written);
  if (found.kind === 'found') return found.item;
  throw new RequestRefused(countryFault(found, written, directory), command('countries'));
}

function countryFault(
  found: Exclude<Found<Country>, { kind: 'found' }>,
  written: string,
  directory: Directory,
): string {
  const text = `“${printable(written)}”`;
  if (found.kind === 'ambiguous') return `The country ${text} ${ambiguityText(found, directory)}`;
  const hint = didYouMean(found.suggestions.map(({ name, iso }) => `${printable(name)} (${iso})`));
  return `The service has no country ${text}.${hint}`;
}

async function institutionNamed(written: string, asking: Asking): Promise<InstitutionId> {
  const slash = written.indexOf('/');
  if (slash < 0) return asInstitutionId(written);
  const writtenCountry = written.slice(0, slash);
  const country = await countryNamed(writtenCountry, asking);
  const name = written.slice(slash + 1);
  const directory = createDirectory([country]);
  await loadInstitutions(directory, country.id, asking, asking.signal);
  const found = directory.findInstitution(country.id, name);
  if (found.kind === 'found') return found.item.id;
  const names = found.kind === 'unknown' ? found.suggestions : found.candidates;
  const hint = didYouMean(names.map((each) => `${each.name} (${each.id})`));
  throw new RequestRefused(
    `${country.name} has no institution “${printable(name)}”.${hint}`,
    command('institutions', [writtenCountry]),
  );
}

function byName<Item extends { readonly name: string }>(items: readonly Item[]): readonly Item[] {
  return [...items].sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

/** A declined question is a usage error (64); no answer means that the service is unavailable (69). */
function answerOrThrow<Answer>(asked: Asked<Answer>, what: string): Answer {
  switch (asked.kind) {
    case 'answered':
      return asked.answer;
    case 'declined':
      throw new RequestRefused(
        `The service declined to give ${what}: “${printable(asked.message)}” (code ${printable(asked.code)}).`,
      );
    case 'unavailable':
      throw new ServiceUnavailable(`Could not get ${what} from the payment service: ${asked.reason}.`);
  }
}
