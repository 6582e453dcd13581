/**
 * Compares a batch with a statement, and says what comes next. The journal keeps each comparison. Only `ruleByStatement`
 * changes payments: it rules on what the statement leaves no doubt about.
 *
 * Errors:  FileRefused, also if nothing says which amounts are payments and nobody can be asked. BatchBusy.
 */
import type { Batch } from '../../domain/batches/batch.ts';
import type { DoubtGuide } from '../../domain/next-steps/doubt-guide.ts';
import { bankFigures, compareByCurrency } from '../../domain/statement/comparison.ts';
import type { Finding } from '../../domain/statement/findings.ts';
import type { Timestamp } from '../../domain/timestamp.ts';
import type { LeaseHolder } from '../../ports/ledger/leases.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import type { ComparedFigures, StatementCompared } from '../../ports/ledger/notes.ts';
import { type OfflinePorts, type Ports, withLease } from '../ports.ts';
import { openDoubt } from '../report/open-doubt.ts';
import { recoverBatch } from '../send/recover-batch.ts';
import { type Accept, type Accepted, type Accepting, acceptFindings } from './accept-findings.ts';
import { type Reconciled, reconcileBatch } from './reconcile-batch.ts';
import { type ReconcileEnd, reconcileEnd } from './reconcile-end.ts';

export interface ReconciledBatch {
  readonly batch: Batch;
  readonly environment: 'live' | 'sandbox';
  /** What was found, before anything of it was accepted. */
  readonly reconciled: Reconciled;
  readonly accepted: readonly Accepted[];
  /** When the same file was compared with this batch before, last and by whom; undefined: it was not. */
  readonly before: ComparedBefore | undefined;
  /** About the rows that are in doubt now; undefined if there are none. */
  readonly doubt: DoubtGuide | undefined;
  readonly end: ReconcileEnd;
}

type Statement = Parameters<typeof reconcileBatch>[1];

export type ComparedBefore = Pick<StatementCompared, 'by' | 'name'> & { readonly at: Timestamp };

/** Only the journal keeps that it was done, and by whom. */
export async function compareWithStatement(
  batch: Batch,
  statement: Statement,
  { by, ports }: { readonly by: string; readonly ports: OfflinePorts },
): Promise<ReconciledBatch> {
  const reconciled = await reconcileBatch(batch.id, statement, ports);
  const before = await noteComparison(batch, reconciled, { by, ports });
  return withEnd({ batch, reconciled, before, accepted: [], accept: undefined }, ports);
}

/** Gives the last comparison with the same file. */
async function noteComparison(
  { id }: Batch,
  { fileName: name, sha256, span, completeness, findings }: Reconciled,
  { by, ports: { ledger, clock } }: { readonly by: string; readonly ports: OfflinePorts },
): Promise<ComparedBefore | undefined> {
  const known = await ledger.notes(id, 'statement_compared');
  const count = (kinds: readonly Finding['kind'][], isOf = true) =>
    findings.filter(({ kind }) => kinds.includes(kind) === isOf).length;
  const { lines, first, last } = span;
  const body = {
    ...{ by, name, sha256, lines, isComplete: completeness.kind === 'proven' },
    ...(first === undefined ? {} : { first }),
    ...(last === undefined ? {} : { last }),
    matched: count(['matched']),
    open: count(['matched', 'not_expected', 'on_its_way', 'not_yet'], false),
    figures: figuresIn(findings),
  };
  await ledger.note(id, 'statement_compared', body, clock.now());
  const same = known.findLast(({ body: { sha256: other } }) => other === sha256);
  return same && { by: same.body.by, name: same.body.name, at: same.at };
}

function figuresIn(findings: readonly Finding[]): readonly ComparedFigures[] {
  const compared = compareByCurrency(findings).flatMap(({ rows }) => rows);
  return compared.flatMap((row) => {
    const figures = bankFigures(row);
    if (figures === undefined) return [];
    const { whole, feeMinor } = figures;
    const { currency, minor } = whole;
    return [{ payout: row.entry.payoutId, currency, whole: String(minor), fee: String(feeMinor) }];
  });
}

export interface Ruling extends Pick<Accepting, 'accept' | 'only' | 'by'> {
  readonly holder: LeaseHolder;
  /** Has the lease of the batch. */
  readonly ledger: Ledger;
}

export function ruleByStatement(
  batch: Batch,
  statement: Statement,
  { holder, ledger, ...accepts }: Ruling,
  ports: Ports,
): Promise<ReconciledBatch> {
  return withLease(batch.id, holder, { ledger }, async () => {
    await recoverBatch(batch.id, holder, ports);
    const reconciled = await reconcileBatch(batch.id, statement, ports);
    const { findings, fileName, sha256, span } = reconciled;
    const { evidence } = statement.options;
    const before = await noteComparison(batch, reconciled, { by: accepts.by, ports });
    const accepted = await acceptFindings(findings, { ...accepts, fileName, sha256, span, evidence }, ports);
    return withEnd({ batch, reconciled, before, accepted, accept: accepts.accept }, ports);
  });
}

type Compared = Pick<ReconciledBatch, 'batch' | 'reconciled' | 'before' | 'accepted'> & {
  readonly accept: Accept | undefined;
};

async function withEnd({ accept, ...compared }: Compared, ports: OfflinePorts): Promise<ReconciledBatch> {
  const doubt = await openDoubt(compared.batch, ports);
  const { environment } = ports.ledger.identity;
  return { ...compared, environment, doubt, end: reconcileEnd({ ...compared, doubt, accept }) };
}
