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
  const list = <Value>(endpoint: string, read: (element: unknown) => Value | undefined) =>
    readList(read, (count) => log.write('warn', 'list_elements_unreadable', { endpoint, count }));
  const plain = { body: undefined, provesZone: false };
  return {
    countries: (signal) =>
      ask(
        { ...plain, endpoint: 'countries', segments: ['countries'], read: list('countries', readCountry) },
        signal,
      ),
    institutions: (countryId, signal) =>
      ask(
        { ...plain, endpoint: 'fis', segments: ['fis', countryId], read: list('fis', readInstitution) },
        signal,
      ),
    accountName: ({ institutionId, account }, signal) => {
      const segments = ['fisit', institutionId, account.reveal()];
      return ask({ ...plain, endpoint: 'fisit', segments, read: readAccountName }, signal);
    },
    estimate: ({ sourceId, destinationId, amount }, signal) => {
      const segments = ['rates', sourceId, destinationId, amount];
      const provesZone = true;
      return ask({ body: undefined, provesZone, endpoint: 'estimate', segments, read: readEstimate }, signal);
    },
    rate: (sourceId, destinationId, signal) => {
      const segments = ['rates', sourceId, destinationId];
      const provesZone = true;
      return ask({ body: undefined, provesZone, endpoint: 'rate', segments, read: readRate }, signal);
    },
    transaction: (id, signal) =>
      ask(
        { ...plain, endpoint: 'transaction', segments: ['transaction', id], read: readTransaction },
        signal,
      ),
    profile: (signal) =>
      ask(
        { provesZone: false, endpoint: 'profile', segments: ['profile'], body: '{}', read: readProfile },
        signal,
      ),
  };
}
