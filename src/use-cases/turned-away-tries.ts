/**
 * Reads from the journal which payouts the service turned away, for reports and for comparing with a statement. Only a
 * payout that was tried and is not sent has its journal read.
 */
import type { PayoutId } from '../domain/payouts/instruction.ts';
import type { Payout } from '../domain/payouts/payout.ts';
import {
  mayHaveTries,
  type TriesByPayout,
  type TurnedAwayTries,
  turnedAwayTries,
} from '../domain/payouts/turned-away.ts';
import type { Ledger } from '../ports/ledger/ledger.ts';
import type { ReportRow } from '../ports/ledger/reports.ts';

export interface TriedRow extends ReportRow {
  /** Of those of its payouts that the service turned away. */
  readonly tries?: TriesByPayout;
}

interface Reading {
  readonly ledger: Pick<Ledger, 'journalOf'>;
}

export async function triesOf(payouts: readonly Payout[], { ledger }: Reading): Promise<TriesByPayout> {
  const found = new Map<PayoutId, TurnedAwayTries>();
  for (const { id } of payouts.filter(mayHaveTries)) {
    const tries = turnedAwayTries(await ledger.journalOf(id));
    if (tries !== undefined) found.set(id, tries);
  }
  return found;
}

/** Rows of a report with the tries of their payouts. */
export async function withTries(rows: readonly ReportRow[], ports: Reading): Promise<readonly TriedRow[]> {
  const tries = await triesOf(
    rows.flatMap(({ payout, replaced }) => [...replaced, payout]),
    ports,
  );
  return tries.size === 0 ? rows : rows.map((row) => ({ ...row, tries }));
}

/** The same, page by page. */
export async function* pagesWithTries(
  pages: AsyncIterable<readonly ReportRow[]>,
  ports: Reading,
): AsyncGenerator<readonly TriedRow[]> {
  for await (const page of pages) yield withTries(page, ports);
}
