/** When payments are looked at next, and which are too long on their way, whether they were ever asked about or not. */
import { lateIfSentBy, lateLook } from '../domain/payouts/last-look.ts';
import { timestampOf } from '../domain/timestamp.ts';
import type { PayoutLedger } from '../ports/ledger/payouts.ts';
import { encodeLook } from './codec.ts';
import type { LedgerParts } from './parts.ts';
import { turnOfOthers } from './payouts.ts';
import { batchNumber, COLUMNS, dueCheck, IN_FILE, payoutNumber, payoutOf, payoutsOf } from './rows.ts';
import { SILENT } from './schema.ts';
import { by, columns, given, numberOf, optionalNumber, q, type Row, text } from './sql.ts';

const PAGE_ROWS = 500;
const MARKS = columns('payout was before:text due late:text due_sum');

type Own = Pick<PayoutLedger, 'markLate' | 'scheduled'>;

export function looking(parts: LedgerParts): Own {
  const { read: sql, routes, writer } = parts;
  return {
    async scheduled(id, { isSilent, after, limit }) {
      const last = after.id === undefined ? Number.MAX_SAFE_INTEGER : payoutNumber(after.id);
      const rows =
        await sql.all(q`SELECT ${COLUMNS}, due_at FROM payouts ${by(isSilent ? 'payouts_silent' : 'payouts_due')}
        WHERE ${isSilent ? SILENT : text('due_at IS NOT NULL')} AND batch = ${batchNumber(id)}
          AND (due_at, id) > (${after.dueAt}, ${last}) ORDER BY due_at, id LIMIT ${limit}`);
      const payouts = await payoutsOf(rows, sql, routes);
      return payouts.map((payout, at) => ({ payout, dueAt: timestampOf(numberOf(rows[at]?.['due_at'])) }));
    },
    async markLate(id, at) {
      for (let after: number | undefined = -1; after !== undefined; ) {
        const rows: readonly Row[] = await sql.all(q`SELECT ${COLUMNS}, position, due_at FROM payouts
          WHERE batch = ${batchNumber(id)} AND ${IN_FILE} AND status = 'accepted' AND position > ${after}
            AND memory_at <= ${lateIfSentBy(at)} AND concern IS NULL ORDER BY position LIMIT ${PAGE_ROWS}`);
        await routes.load(sql, rows);
        const marks = rows.flatMap((row) => {
          const payout = payoutOf(row, routes);
          const look = lateLook(payout, at);
          if (look === undefined) return [];
          const [number, due, late] = [
            Number(row['id']),
            optionalNumber(row['due_at']) ?? null,
            encodeLook(look),
          ];
          return [
            [number, payout.version, row['look'] as string | null, due, late, dueCheck(number, due, late)],
          ];
        });
        // Unless it moved or was looked at meanwhile.
        if (marks.length > 0)
          await writer.write(({ sql: own }) =>
            own.run(q`UPDATE payouts AS p SET look = m.late, concern = 1, due_check = m.due_sum
              FROM ${given('m', MARKS, marks)} WHERE p.id = m.payout AND p.version = m.was
                AND p.look IS NOT DISTINCT FROM m.before AND p.due_at IS NOT DISTINCT FROM m.due`),
          );
        after = rows.length < PAGE_ROWS ? undefined : numberOf(rows.at(-1)?.['position']);
        await turnOfOthers();
      }
    },
  };
}
