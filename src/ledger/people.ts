/**
 * Tickets and passkeys: read from and added to the ledger's own chain.
 */
import { timestampOf } from '../domain/timestamp.ts';
import type { PeopleLedger } from '../ports/ledger/people.ts';
import { entriesWhere } from './batches.ts';
import { decodePeopleFact, encodePeopleFact, PEOPLE_KINDS } from './codec-batches.ts';
import type { LedgerParts } from './parts.ts';
import { LEDGER_CHAIN } from './schema.ts';
import { numberOf, q, text } from './sql.ts';

const OF_PEOPLE = q`batch = ${LEDGER_CHAIN} AND kind IN ${text(`('${PEOPLE_KINDS.join("','")}')`)}`;

export function peopleOf({ read, writer }: LedgerParts): PeopleLedger {
  return {
    async peopleEntries() {
      const rows = await read.all(entriesWhere(OF_PEOPLE));
      return rows.map((row) => ({
        ...decodePeopleFact(row),
        seq: numberOf(row['seq']),
        at: timestampOf(numberOf(row['at'])),
      }));
    },
    recordPeople(fact, at, since) {
      const stored = encodePeopleFact(fact);
      // Where nobody else can add one in between.
      return writer.write(async ({ sql, add, has }) => {
        const newer = q`SELECT 1 AS it FROM journal WHERE ${OF_PEOPLE} AND payout IS NULL AND seq > ${since} LIMIT 1`;
        if (has(LEDGER_CHAIN, PEOPLE_KINDS) || (await sql.get(newer)) !== undefined) return 'stale';
        add({ batch: LEDGER_CHAIN, payout: null, at, kind: fact.kind, ...stored });
        return 'recorded';
      });
    },
  };
}
