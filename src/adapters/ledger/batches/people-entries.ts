/**
 * Tickets and passkeys: read from and added to the ledger's own chain.
 */
import { timestampOf } from '../../../domain/timestamp.ts';
import type { PeopleEntry, PeopleFact, PeopleFactKind } from '../../../ports/ledger/people.ts';
import type { ChainDraft } from '../proof/event-chain.ts';
import { numberOf, type Sql } from '../storage/sql-statements.ts';
import { LEDGER_CHAIN } from './batches.ts';
import { decodePeopleFact, encodePeopleFact } from './note-codec.ts';

const KINDS = ['ticket_made', 'passkey_registered', 'passkey_removed'] satisfies PeopleFactKind[];
const LIST = KINDS.map((kind) => `'${kind}'`).join(',');

export function peopleEntries(sql: Sql): PeopleEntry[] {
  const select = `SELECT seq, at, kind, body FROM journal
    WHERE batch = ? AND payout IS NULL AND kind IN (${LIST}) ORDER BY seq`;
  return sql(select)
    .all(LEDGER_CHAIN)
    .map(({ seq, at, kind, body }) => ({
      ...decodePeopleFact(kind as PeopleFactKind, String(body)),
      seq: numberOf(seq),
      at: timestampOf(numberOf(at)),
    }));
}

/** Inside a commit, where nobody else can add one in between. */
export function addPeopleFact(
  { sql, chain }: { readonly sql: Sql; readonly chain: ChainDraft },
  { kind, body }: PeopleFact,
  { at, since }: { readonly at: number; readonly since: number },
): 'recorded' | 'stale' {
  const newer = `SELECT 1 FROM journal WHERE batch = ? AND payout IS NULL AND kind IN (${LIST}) AND seq > ? LIMIT 1`;
  if (chain.has(LEDGER_CHAIN, KINDS) || sql(newer).get(LEDGER_CHAIN, since) !== undefined) return 'stale';
  chain.add(LEDGER_CHAIN, { payout: null, at, kind, body: encodePeopleFact(kind, body) });
  return 'recorded';
}
