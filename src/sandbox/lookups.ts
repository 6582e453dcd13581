/**
 * Endpoints 3 to 9: questions, which move no money.
 */
import { formatTransactionDate } from '../contract/wire-date.ts';
import { holderOf } from './accounts.ts';
import { exactNumber, REFUSALS, type Reply } from './answer.ts';
import { statusAt } from './book.ts';
import { COUNTRIES, countryById, institutionById } from './directory.ts';
import { durationMs, feesFor, rateBetween } from './rates.ts';
import type { SandboxState } from './sandbox-state.ts';
import { refusalOfAmount } from './transfer.ts';

export function getTransaction(state: SandboxState, id: string): Reply {
  const entry = state.book.find(id);
  if (!entry) return state.envelope.failure('transaction', REFUSALS.transferUnknown);
  const data = {
    id: entry.id,
    amount: exactNumber(entry.amount),
    receiver: entry.name,
    Date: formatTransactionDate(entry.at, state.settings.zoneOffsetMinutes),
    Status: statusAt(entry, state.settings.clock()),
    Bank: institutionById(entry.institution)?.name ?? '',
    destination: countryById(entry.destination)?.name ?? '',
  };
  return state.envelope.success('transaction', data, 'Transaction found');
}

export function getEstimate(state: SandboxState, from: string, to: string, amount: string): Reply {
  const { envelope } = state;
  const corridor = corridorOf(from, to);
  if (!corridor) return envelope.failure('estimate', REFUSALS.countryUnknown);
  const { source, destination } = corridor;
  const refusal = refusalOfAmount(amount, destination);
  if (refusal) return envelope.failure('estimate', refusal);
  const rate = rateBetween(source, destination, state.scenario.rateFellPercent);
  const data = {
    rate: exactNumber(rate),
    speed: Math.ceil(durationMs(destination, state.settings.speedFactor) / 1000),
    fees: exactNumber(feesFor({ source, amount, rate })),
  };
  return envelope.success('estimate', data, 'Estimate successful');
}

export function getRate(state: SandboxState, from: string, to: string): Reply {
  const corridor = corridorOf(from, to);
  if (!corridor) return state.envelope.failure('rate', REFUSALS.countryUnknown);
  const rate = rateBetween(corridor.source, corridor.destination, state.scenario.rateFellPercent);
  return state.envelope.success('rate', { rate: exactNumber(rate) }, 'Rate found');
}

export function getInstitutions(state: SandboxState, countryId: string): Reply {
  const country = countryById(countryId);
  if (!country) return state.envelope.failure('institutions', REFUSALS.countryUnknown);
  const data = country.institutions.map(({ id, name, charges, currency }) => ({
    id,
    name,
    // A host that exists nowhere, by RFC 2606.
    Logo: `https://logos.sandbox.invalid/${id}.png`,
    Charges: exactNumber(charges),
    Currency: currency,
  }));
  return state.envelope.success('institutions', data, 'Financial institutions found');
}

export function getCountries(state: SandboxState): Reply {
  const data = COUNTRIES.map(({ id, name, callingCode, iso, perUsd }) => ({
    id,
    name,
    phone: callingCode,
    iso,
    rate: exactNumber(perUsd),
  }));
  return state.envelope.success('countries', data, 'Countries found');
}

export function getName(state: SandboxState, institutionId: string, account: string): Reply {
  const { envelope, scenario, settings } = state;
  const institution = institutionById(institutionId);
  if (!institution) return envelope.failure('name', REFUSALS.institutionUnknown);
  const { scenarioAccounts } = scenario;
  const holder = holderOf({
    institution,
    account,
    seed: settings.seed,
    scenarioAccounts,
    named: state.holders.nameOf,
  });
  switch (holder.kind) {
    case 'found':
      return envelope.success('name', { name: holder.name }, 'Account name found');
    case 'not_found':
      return envelope.failure('name', REFUSALS.accountNotFound);
    case 'unavailable':
      return envelope.failure('name', REFUSALS.lookupUnavailable);
  }
}

/** The interface shows no payload for the profile; ours says who asks and what would be debited. */
export function getProfile(state: SandboxState, id: string): Reply {
  const paymentInstrument = state.scenario.paymentInstrument ? 'configured' : 'missing';
  const data = { id, name: 'Sandbox Business', sandbox: true, paymentInstrument };
  return state.envelope.success('profile', data, 'Profile found');
}

function corridorOf(from: string, to: string) {
  const [source, destination] = [countryById(from), countryById(to)];
  return source && destination ? { source, destination } : undefined;
}
