/**
 * Compares batches with a statement, and says what comes next. The journal of each batch keeps the comparison. Only
 * `ruleByStatement` changes payments: it rules on what the statement leaves no doubt about, and compares again.
 *
 * Errors:  FileRefused, also if nothing says which amounts are payments and nobody can be asked. BatchBusy.
 */
import { type Batch, batchLabel } from '../../domain/batches/batch.ts';
import type { DoubtGuide } from '../../domain/next-steps/doubt-guide.ts';
import type { BatchId } from '../../domain/payouts/instruction.ts';
import { bankFigures, compareByCurrency } from '../../domain/statement/comparison.ts';
import type { Finding } from '../../domain/statement/findings.ts';
import type { Timestamp } from '../../domain/timestamp.ts';
import type { LeaseHolder } from '../../ports/ledger/leases.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import type { ComparedFigures, StatementCompared } from '../../ports/ledger/notes.ts';
import { BatchBusy, type OfflinePorts, type Ports, withLease } from '../ports.ts';
import { openDoubt } from '../report/open-doubt.ts';
import { recoverBatch } from '../send/recover-batch.ts';
import { type Accept, type Accepted, type Accepting, acceptFindings } from './accept-findings.ts';
import { type Reconciled, reconcileBatches, withStatement } from './reconcile-batches.ts';
import { type ReconcileEnd, reconcileEnd } from './reconcile-end.ts';

export interface BatchCompared {
  readonly batch: Batch;
  /** When the same file was compared with this batch before, last and by whom; undefined: it was not. */
  readonly before: ComparedBefore | undefined;
  /** About the rows that are in doubt now; undefined if there are none. */
  readonly doubt: DoubtGuide | undefined;
}

export interface Reconciliation {
  readonly batches: readonly BatchCompared[];
  readonly environment: 'live' | 'sandbox';
  /** As all stands now: after what was accepted. */
  readonly reconciled: Reconciled;
  readonly accepted: readonly Accepted[];
  readonly end: ReconcileEnd;
}

type Statement = Parameters<typeof reconcileBatches>[1];

export type ComparedBefore = Pick<StatementCompared, 'by' | 'name'> & { readonly at: Timestamp };

/** Only the journals keep that it was done, and by whom. */
export async function compareWithStatement(
  batches: readonly Batch[],
  statement: Statement,
  { by, ports }: { readonly by: string; readonly ports: OfflinePorts },
): Promise<Reconciliation> {
  const reconciled = await reconcileBatches(batches, statement, ports);
  const noted = { batches: await noteComparison(batches, reconciled, { by, ports }), reconciled };
  return withEnd({ ...noted, accepted: [], accept: undefined }, ports);
}

type Noted = Pick<BatchCompared, 'batch' | 'before'>;

/** Gives the last comparison of each batch with the same file. */
async function noteComparison(
  batches: readonly Batch[],
  { fileName: name, sha256, span, completeness, findings }: Reconciled,
  { by, ports: { ledger, clock } }: { readonly by: string; readonly ports: OfflinePorts },
): Promise<readonly Noted[]> {
  const figures = figuresIn(findings);
  const { lines, first, last } = span;
  const noted: Noted[] = [];
  for (const batch of batches) {
    const { id } = batch;
    const own = findings.filter(({ entry }) => (entry?.batchId ?? id) === id);
    const count = (kinds: readonly Finding['kind'][], isOf = true) =>
      own.filter(({ kind }) => kinds.includes(kind) === isOf).length;
    const known = await ledger.notes(id, 'statement_compared');
    const body = {
      ...{ by, name, sha256, lines, isComplete: completeness.kind === 'proven' },
      ...(first === undefined ? {} : { first }),
      ...(last === undefined ? {} : { last }),
      matched: count(['matched']),
      open: count(NOT_OPEN, false),
      figures: figures.get(id) ?? [],
    };
    await ledger.note(id, 'statement_compared', body, clock.now());
    const same = known.findLast(({ body: { sha256: other } }) => other === sha256);
    noted.push({ batch, before: same && { by: same.body.by, name: same.body.name, at: same.at } });
  }
  return noted;
}

const NOT_OPEN = ['matched', 'not_expected', 'on_its_way', 'not_yet', 'other_currency'] as const;

function figuresIn(findings: readonly Finding[]): ReadonlyMap<BatchId, readonly ComparedFigures[]> {
  const rows = compareByCurrency(findings).flatMap((compared) => compared.rows);
  const found = rows.flatMap((row) => {
    const figures = bankFigures(row);
    if (figures === undefined) return [];
    const { payoutId: payout, batchId } = row.entry;
    const { currency, minor } = figures.whole;
    const kept = { payout, currency, whole: String(minor), fee: String(figures.feeMinor) };
    return [{ batchId, kept }];
  });
  const byBatch = Map.groupBy(found, ({ batchId }) => batchId);
  return new Map([...byBatch].map(([id, own]) => [id, own.map(({ kept }) => kept)]));
}

export interface Ruling extends Pick<Accepting, 'accept' | 'only' | 'by'> {
  readonly holder: LeaseHolder;
  /** Has the leases of the batches. */
  readonly ledger: Ledger;
}

/** Has the leases of all batches before it rules on one row. What was not ruled is among what was accepted, with its reason. */
export function ruleByStatement(
  batches: readonly Batch[],
  statement: Statement,
  { holder, ledger, ...accepts }: Ruling,
  ports: Ports,
): Promise<Reconciliation> {
  return withLeases(batches, { holder, ledger }, async () => {
    for (const { id } of batches) await recoverBatch(id, holder, ports);
    return rule(batches, statement, accepts, ports);
  });
}

async function withLeases<Result>(
  [first, ...others]: readonly Batch[],
  { holder, ledger }: Pick<Ruling, 'holder' | 'ledger'>,
  work: () => Promise<Result>,
): Promise<Result> {
  if (first === undefined) return work();
  let isHeld = false;
  try {
    return await withLease(first.id, holder, { ledger }, () => {
      isHeld = true;
      return withLeases(others, { holder, ledger }, work);
    });
  } catch (error) {
    // Which one it is has to be said.
    if (isHeld || !(error instanceof BatchBusy)) throw error;
    throw new BatchBusy(error.busy, batchLabel(first));
  }
}

function rule(
  batches: readonly Batch[],
  statement: Statement,
  accepts: Pick<Ruling, 'accept' | 'only' | 'by'>,
  ports: Ports,
): Promise<Reconciliation> {
  const { evidence } = statement.options;
  return withStatement(batches, statement, ports, async (compare) => {
    const proposed = await compare();
    const accepted = await acceptFindings(proposed.findings, { ...accepts, ...proposed, evidence }, ports);
    const hasChanged = accepted.some(({ outcome }) => outcome !== 'refused');
    const reconciled = hasChanged ? await compare() : proposed;
    // The person saw the comparison before, so that it is no second one.
    const noted = (await noteComparison(batches, reconciled, { by: accepts.by, ports })).map(({ batch }) => ({
      ...{ batch, before: undefined },
    }));
    return withEnd({ batches: noted, reconciled, accepted, accept: accepts.accept }, ports);
  });
}

type Compared = Pick<Reconciliation, 'reconciled' | 'accepted'> & {
  readonly batches: readonly Noted[];
  readonly accept: Accept | undefined;
};

async function withEnd({ accept, ...compared }: Compared, ports: OfflinePorts): Promise<Reconciliation> {
  const batches: BatchCompared[] = [];
  for (const each of compared.batches) batches.push({ ...each, doubt: await openDoubt(each.batch, ports) });
  const { environment } = ports.ledger.identity;
  return { ...compared, batches, environment, end: reconcileEnd({ ...compared, batches, accept }) };
}
