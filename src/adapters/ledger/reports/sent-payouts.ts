/**
 * All payments of a batch that were or may have been sent, with the events that are booked: first those of the file in
 * its order, then those that another payment replaced. Read in slices.
 */

import type { Payout } from '../../../domain/payouts/payout.ts';
import {
  BOOKED_EVENTS,
  type BookedEvent,
  bookedEvent,
  type SentPayout,
} from '../../../domain/reporting/booking.ts';
import { timestampOf } from '../../../domain/timestamp.ts';
import { decodeEvent } from '../payouts/payout-codec.ts';
import { PAYOUT_COLUMNS, type PayoutRow, payoutOf, type Routes } from '../payouts/stored-payout.ts';
import { fileSlices, numberOf, OF_BATCH, type Sql, yieldToEvents } from '../storage/sql-statements.ts';

const SLICE = 500;
const SENT = "status IN ('sending','in_doubt','accepted','settled','failed','returned')";
const KINDS = BOOKED_EVENTS.map((kind) => `'${kind}'`).join(',');

interface SentParts {
  readonly sql: Sql;
  readonly routes: Routes;
}

export async function* sentPayoutsOf(
  { sql, routes }: SentParts,
  batch: number,
): AsyncGenerator<readonly SentPayout[]> {
  const current = sql(
    `SELECT ${PAYOUT_COLUMNS} ${OF_BATCH} AND position >= ?2 AND position <= ?3 AND +${SENT} ORDER BY position`,
  );
  for await (const [from, to] of fileSlices(sql, batch, { rows: SLICE })) {
    const rows = current.all(batch, from, to);
    if (rows.length > 0) yield withEvents(sql, payoutsOf(rows, routes), true);
  }
  // Found by way of what replaced them: there are few of those, and they have an index.
  const replaced = sql(
    `SELECT ${PAYOUT_COLUMNS} FROM payouts WHERE id IN
       (SELECT CAST(replaces AS INTEGER) FROM payouts INDEXED BY payouts_replaces WHERE replaces IS NOT NULL)
     AND batch = ?1 AND position IS NULL AND id > ?2 AND ${SENT} ORDER BY id LIMIT ${SLICE}`,
  );
  for (let after = 0; ; ) {
    const rows = replaced.all(batch, after);
    if (rows.length === 0) return;
    yield withEvents(sql, payoutsOf(rows, routes), false);
    after = numberOf(rows.at(-1)?.['id']);
    await yieldToEvents();
  }
}

function payoutsOf(rows: readonly object[], routes: Routes): readonly Payout[] {
  return rows.map((row) => payoutOf(row as PayoutRow, routes));
}

function withEvents(sql: Sql, payouts: readonly Payout[], isCurrent: boolean): readonly SentPayout[] {
  const found = new Map<string, BookedEvent[]>(payouts.map(({ id }) => [id, []]));
  // Reads a body only if it shows a part that came back: few do.
  const entries = sql(
    `SELECT payout, at, kind, CASE WHEN body LIKE '%"back":%' THEN body END AS body
     FROM journal WHERE payout IN (SELECT value FROM json_each(?)) AND payout IS NOT NULL
     AND kind <> 'imported' AND kind IN (${KINDS}) ORDER BY seq`,
  );
  for (const entry of entries.all(`[${payouts.map(({ id }) => id).join(',')}]`)) {
    // The statement asks for these kinds alone.
    const kind = entry.kind as (typeof BOOKED_EVENTS)[number];
    const at = timestampOf(numberOf(entry.at));
    const event = entry.body === null ? { at } : decodeEvent(kind, at, String(entry.body));
    found.get(String(entry.payout))?.push(bookedEvent(kind, event));
  }
  return payouts.map((payout) => ({ payout, isCurrent, events: found.get(payout.id) ?? [] }));
}
