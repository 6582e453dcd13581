/**
 * Ledgers in files for tests.
 */
import {
  type OpenSqliteLedgerOptions,
  openSqliteLedger,
} from '../../../src/adapters/ledger/sqlite-ledger.ts';
import { timestampOf } from '../../../src/domain/timestamp.ts';

export const BINDING = { environment: 'sandbox', baseUrl: 'https://pay.example', loginId: 'ama' } as const;

export function openAt(path: string, options: Partial<OpenSqliteLedgerOptions> = {}) {
  const clock = { now: () => timestampOf(Date.now()) };
  return openSqliteLedger({ path, binding: BINDING, create: true, clock, ...options });
}
