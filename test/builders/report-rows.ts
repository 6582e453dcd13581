/** Rows of a report for tests: a batch of a file, and one row per state in it. */

import type { Batch } from '../../src/domain/batches/batch.ts';
import { asBatchId, asDigest } from '../../src/domain/payouts/instruction.ts';
import { type Payout, type PayoutState, STATUSES, type Status } from '../../src/domain/payouts/payout.ts';
import type { BookedEvent, SentPayout } from '../../src/domain/reporting/booking.ts';
import type { LedgerTotal } from '../../src/domain/reporting/currency-totals.ts';
import { DebitTotals } from '../../src/domain/reporting/debits.ts';
import type { ReportHeader } from '../../src/domain/reporting/report.ts';
import { lineContext, type ReportLine, reportLineOf } from '../../src/domain/reporting/report-line.ts';
import type { Field } from '../../src/domain/rows/row.ts';
import type { ReportRow } from '../../src/ports/ledger/reports.ts';
import { aPayoutIn, NOW } from './payouts.ts';

export const HEADERS = ['Ref', 'Country', 'Bank', 'Account', 'Name', 'Amount', 'Currency', 'Team'];
const FIELDS: readonly Field[] = [
  'reference',
  'country',
  'institution',
  'account',
  'name',
  'amount',
  'currency',
];
const CELLS = ['GH-001', 'Ghana', 'MTN Mobile Money', '0244123456', 'Ama Mensah', '1,200.00', 'GHS', 'Sales'];

export const DAY = 24 * 3_600_000;

export function aBatch(changes: Partial<Batch> = {}): Batch {
  return {
    id: asBatchId('b-7Q2K'),
    name: 'may-2026',
    digest: asDigest('d1d1'),
    isImporting: false,
    mergedInto: undefined,
    isBound: true,
    revision: 1,
    file: {
      name: 'may payroll.xlsx',
      sha256: 'a'.repeat(64),
      format: 'xlsx',
      sheet: 'May',
      headers: HEADERS,
      columns: new Map(FIELDS.map((field, at) => [field, at])),
    },
    maker: 'ama',
    createdAt: NOW,
    pause: undefined,
    resumedAt: undefined,
    approval: { digest: asDigest('a7a7'), by: 'kofi', at: NOW, how: 'approve_command', count: 12 },
    ...changes,
  };
}

export function aHeader(changes: Partial<ReportHeader> & { batch?: Batch } = {}): ReportHeader {
  return {
    batch: aBatch(),
    environment: 'live',
    madeAt: NOW,
    reissueAfterMs: DAY,
    failConfirmMs: 600_000,
    ...changes,
  };
}

export function aRow(
  payout: Payout,
  changes: Partial<Omit<ReportRow, 'cells'>> & { cells?: Readonly<Record<number, string>> } = {},
): ReportRow {
  const { cells = {}, ...rest } = changes;
  return {
    position: payout.rowNumber,
    payout,
    replaced: [],
    cells: CELLS.map((cell, at) => cells[at] ?? cell),
    ...rest,
  };
}

/** Twelve rows, each in another state, in the order of STATUSES; the first is on row 2. */
export function aRowPerState(): ReportRow[] {
  return STATUSES.map((status, at) => aRow(aPayoutIn(status, { rowNumber: at + 2, id: `p${at + 2}` })));
}

export function rowsIn(...statuses: readonly Status[]): ReportRow[] {
  return statuses.map((status, at) => aRow(aPayoutIn(status, { rowNumber: at + 2, id: `p${at + 2}` })));
}

export function aLine(row: ReportRow, header: ReportHeader = aHeader()): ReportLine {
  return reportLineOf(row, lineContext(header));
}

/** As a ledger gives rows: in pages. */
/** What a report asks a ledger for, where there is nothing of it. */
export const NOTHING_KEPT = {
  notes: async () => [],
  journalOf: async () => [],
  familiesAcross: async () => [],
  decisions: async () => ({ entries: [], more: 0, head: '' }),
  lastEntry: async () => 0,
  payout: async () => undefined,
  payouts: () => inPages<never>([]),
  sentPayouts: () => inPages<never>([]),
  besideStatus: async () => ({ payouts: [], next: undefined }),
};

export async function* inPages<Item>(items: readonly Item[], size = 5): AsyncGenerator<readonly Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

/** What a ledger that holds these rows would count, by itself: nothing of the code under test is used. */
export function ledgerTotalsOf(rows: readonly ReportRow[]): LedgerTotal[] {
  const totals = new Map<string, LedgerTotal>();
  for (const { payout } of rows) {
    const { status } = payout.state;
    const money = status === 'invalid' ? undefined : payout.instruction?.amount;
    const key = `${status} ${money?.currency ?? ''}`;
    const { count, minor } = totals.get(key) ?? { count: 0, minor: 0n };
    totals.set(key, {
      status,
      currency: money?.currency,
      count: count + 1,
      minor: minor + (money?.minor ?? 0n),
    });
  }
  return [...totals.values()];
}

export function debitsOf(rows: readonly ReportRow[]) {
  const sums = new DebitTotals();
  for (const row of rows) sums.add(aLine(row));
  return sums.finish();
}

/** What a ledger would give of these rows to book: the shortest history that leads to each state. */
export function sentOf(rows: readonly ReportRow[]): SentPayout[] {
  const current = rows.map(({ payout }) => ({ payout, isCurrent: true }));
  const replaced = rows.flatMap((row) => row.replaced.map((payout) => ({ payout, isCurrent: false })));
  return [...current, ...replaced].flatMap((each) => {
    const events = historyOf(each.payout.state);
    return events === undefined ? [] : [{ ...each, events }];
  });
}

function historyOf(state: PayoutState): readonly BookedEvent[] | undefined {
  switch (state.status) {
    case 'sending':
      return [];
    case 'in_doubt':
      return [{ kind: 'doubt', at: state.at }];
    case 'accepted':
      return [{ kind: 'accept', at: state.sentAt }];
    case 'settled':
      return [
        { kind: 'accept', at: state.sentAt },
        { kind: 'settle', at: state.settledAt },
      ];
    case 'returned':
      return [
        { kind: 'accept', at: state.sentAt },
        { kind: 'return', at: state.returnedAt },
      ];
    case 'failed':
      return state.basis === 'refused'
        ? []
        : [
            { kind: state.basis === 'ruled' ? 'doubt' : 'accept', at: state.sentAt ?? state.at },
            { kind: state.basis === 'ruled' ? 'rule_not_paid' : 'fail', at: state.at },
          ];
    default:
      return undefined;
  }
}

/** The same row, where its approved quote was old at the sending, and the service named another rate. */
export function sentAtRate(row: ReportRow, rate: string): ReportRow {
  const { state } = row.payout;
  if (!('tag' in state) || state.pricing.quote === undefined) return row;
  const quoteAtSend = { ...state.pricing.quote, rate };
  return { ...row, payout: { ...row.payout, state: { ...state, quoteAtSend } } as Payout };
}
