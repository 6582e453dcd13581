/**
 * A statement in memory, as a reader of CSV or XLSX would give it: one record per line, every name a column.
 */
import { createHash } from 'node:crypto';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import type { Finding } from '../../src/domain/statement/findings.ts';
import type { Timestamp } from '../../src/domain/timestamp.ts';
import type { OpenRows } from '../../src/ports/row-source.ts';
import { type Accept, acceptFindings } from '../../src/use-cases/reconcile/accept-findings.ts';
import {
  type Reconciled,
  reconcileBatches,
  type StatementOptions,
} from '../../src/use-cases/reconcile/reconcile-batches.ts';
import type { Executed, Script } from '../fakes/scripted-payment-service.ts';
import { someRows } from './payout-file.ts';
import { aWorkplace, type Workplace } from './workplace.ts';

export type Line = Readonly<Record<string, string>>;

const DAY = 24 * 3_600_000;

export function openStatement(lines: readonly Line[]): OpenRows {
  const headers = [...new Set(lines.flatMap((line) => Object.keys(line)))];
  const cells = lines.map((line) => headers.map((header) => line[header] ?? ''));
  const sha256 = createHash('sha256').update(JSON.stringify(cells)).digest('hex');
  return async () => ({
    format: 'csv',
    fileSha256: () => sha256,
    headers,
    columns: new Map(),
    notes: [],
    sheet: undefined,
    headerRow: 1,
    async *rows() {
      yield cells.map((texts, index) => ({ rowNumber: index + 2, cells: texts }));
    },
    blankRows: () => 0,
    close: async () => undefined,
  });
}

/** A batch called may, sent and settled; then so many days pass. `at`: when it was sent. */
export async function sentBatch(
  scripts: readonly Script[],
  {
    rows = someRows(scripts.length),
    daysLater = 6,
    environment = 'sandbox',
  }: { rows?: ReturnType<typeof someRows>; daysLater?: number; environment?: 'live' | 'sandbox' } = {},
) {
  const place = await aWorkplace({ policy: { concurrency: 1, outageWaitMs: 0 }, environment });
  const batch = await place.approved(rows, 'may');
  const at = place.clock.now();
  place.service.turns.push(...scripts);
  await place.send(batch);
  await place.settle(batch);
  place.clock.advance(daysLater * DAY);
  const lines = place.service.book.map((executed) => lineOf(executed, at));
  return { place, batch, at, lines };
}

/** What a dashboard would export of one execution. */
export function lineOf(executed: Executed, at: Timestamp, changes: Line = {}): Line {
  return {
    Date: new Date(at).toISOString().slice(0, 19),
    Id: executed.transferId,
    Amount: executed.amount,
    Currency: 'GHS',
    Account: executed.account,
    Status: 'Finished',
    Narration: executed.note,
    ...changes,
  };
}

/** Lines of somebody else's, long before and long after: the statement reaches over all that happened. */
export function around(at: Timestamp, lines: readonly Line[]): readonly Line[] {
  const far = (days: number) => ({
    Date: new Date(at + days * DAY).toISOString().slice(0, 10),
    Id: '',
    Amount: '5.00',
    Currency: 'GHS',
    Account: '999',
    Status: '',
    Narration: 'bank charges',
  });
  return [far(-3), ...lines, far(6)];
}

/** Reads a statement some days later, as a person does at the end of the month. */
export async function reconcileWith(
  place: Workplace,
  batch: BatchId,
  lines: readonly Line[],
  more: Partial<StatementOptions> = {},
): Promise<Reconciled> {
  // Most statements of tests have no balances.
  const evidence = 'the bank says that it is whole';
  const options = { open: { path: 'may.csv' }, map: new Map(), dateOrder: undefined, evidence, ...more };
  return reconcileBatches(
    [await place.batch(batch)],
    { openRows: openStatement(lines), options },
    place.world,
  );
}

export async function accept(
  place: Workplace,
  { findings, fileName, sha256, span }: Reconciled,
  ruling: Accept = 'paid',
) {
  return acceptFindings(findings, { accept: ruling, by: 'ben', fileName, sha256, span }, place.world);
}

/** `matched 2`, `propose_paid 3`: the kind of each finding with its row, but for rows that are not expected there. */
export function told(findings: readonly Finding[]): string[] {
  return findings
    .filter(({ kind }) => kind !== 'not_expected')
    .map(({ kind, entry }) => (kind === 'theirs_only' ? kind : `${kind} ${entry?.rowNumber}`));
}
