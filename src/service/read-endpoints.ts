/**
 * The questions of the service interface: the path of each, and what its answer becomes.
 *
 * Source:  service interface, section 4, endpoints 3 to 9.
 */
import type { Log } from '../ports/log.ts';
import type { Asked, PaymentService } from '../ports/payment-service.ts';
import type { Question } from './ask-service.ts';
import {
  readAccountName,
  readCountry,
  readEstimate,
  readInstitution,
  readList,
  readProfile,
  readRate,
  readTransaction,
} from './read-answer.ts';

type AskedFor<Value> = Omit<Question<Value>, 'url'> & { readonly segments: readonly string[] };

export type Ask = <Value>(
  question: AskedFor<Value>,
  signal: AbortSignal | undefined,
) => Promise<Asked<Value>>;

type ReadEndpoints = Omit<PaymentService, 'prepareSend' | 'send' | 'close'>;

export function createReadEndpoints(ask: Ask, log: Log): ReadEndpoints {
  const one = <Value>(
    endpoint: string,
    segments: readonly string[],
    read: AskedFor<Value>['read'],
    signal: AbortSignal | undefined,
  ) => ask({ endpoint, segments, read }, signal);
  const list = <Value>(endpoint: string, read: (element: unknown) => Value | undefined) =>
    readList(read, (count) => log.write('warn', 'list_elements_unreadable', { endpoint, count }));
  return {
    countries: (signal) => one('countries', ['countries'], list('countries', readCountry), signal),
    institutions: (countryId, signal) => one('fis', ['fis', countryId], list('fis', readInstitution), signal),
    accountName: ({ institutionId, account }, signal) =>
      one('fisit', ['fisit', institutionId, account.reveal()], readAccountName, signal),
    estimate: ({ sourceId, destinationId, amount }, signal) =>
      one('estimate', ['rates', sourceId, destinationId, amount], readEstimate, signal),
    rate: (sourceId, destinationId, signal) =>
      one('rate', ['rates', sourceId, destinationId], readRate, signal),
    transaction: (id, signal) => one('transaction', ['transaction', id], readTransaction, signal),
    profile: (signal) => one('profile', ['profile'], readProfile, signal),
  };
}
