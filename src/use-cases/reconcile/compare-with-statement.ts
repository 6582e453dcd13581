/**
 * Compares a batch with a statement, and says what comes next. Only `ruleByStatement` changes the ledger: it rules on what
 * the statement leaves no doubt about.
 *
 * Errors:  FileRefused, also if nothing says which amounts are payments and nobody can be asked. BatchBusy.
 */
import type { Batch } from '../../domain/batches/batch.ts';
import type { DoubtGuide } from '../../domain/next-steps/doubt-guide.ts';
import type { LeaseHolder } from '../../ports/ledger/leases.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
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
  /** About the rows that are in doubt now; undefined if there are none. */
  readonly doubt: DoubtGuide | undefined;
  readonly end: ReconcileEnd;
}

type Statement = Parameters<typeof reconcileBatch>[1];

export async function compareWithStatement(
  batch: Batch,
  statement: Statement,
  ports: OfflinePorts,
): Promise<ReconciledBatch> {
  const reconciled = await reconcileBatch(batch.id, statement, ports);
  return withEnd({ batch, reconciled, accepted: [], accept: undefined }, ports);
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
    const accepted = await acceptFindings(findings, { ...accepts, fileName, sha256, span, evidence }, ports);
    return withEnd({ batch, reconciled, accepted, accept: accepts.accept }, ports);
  });
}

type Compared = Pick<ReconciledBatch, 'batch' | 'reconciled' | 'accepted'> & {
  readonly accept: Accept | undefined;
};

async function withEnd({ accept, ...compared }: Compared, ports: OfflinePorts): Promise<ReconciledBatch> {
  const doubt = await openDoubt(compared.batch, ports);
  const { environment } = ports.ledger.identity;
  return { ...compared, environment, doubt, end: reconcileEnd({ ...compared, doubt, accept }) };
}
