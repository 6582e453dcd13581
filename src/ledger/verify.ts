/** Stands here only until helper D's file of this name does. */
import type { VerifyResult } from '../ports/ledger/ledger.ts';
import type { LedgerParts } from './parts.ts';
import { numberOf, q } from './sql.ts';

export function verifyLedger({
  still,
}: Pick<LedgerParts, 'still' | 'identity'>): Promise<Omit<VerifyResult, 'unknownHere' | 'accepted'>> {
  return still(async (sql) => {
    const row = await sql.get(
      q`SELECT (SELECT count(*) FROM batches) AS batches, (SELECT count(*) FROM journal) AS entries`,
    );
    return {
      ...{ batches: numberOf(row?.['batches']), entries: numberOf(row?.['entries']) },
      ...{ head: '', problems: [] },
    };
  });
}
