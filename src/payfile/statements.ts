/**
 * What can be done with a statement: compare a batch with it, and rule what it leaves no doubt about.
 */
import type { Batch } from '../domain/batches/batch.ts';
import type { DoubtGuide } from '../domain/next-steps/doubt-guide.ts';
import type { Payments } from '../domain/statement/direction.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import { findBatch } from '../use-cases/find-batch.ts';
import type { Ports } from '../use-cases/ports.ts';
import {
  type Accept,
  type Accepted,
  type Accepting,
  acceptFindings,
} from '../use-cases/reconcile/accept-findings.ts';
import {
  type Reconciled,
  reconcileBatch,
  type StatementOptions,
} from '../use-cases/reconcile/reconcile-batch.ts';
import { type ReconcileEnd, reconcileEnd } from '../use-cases/reconcile/reconcile-end.ts';
import { openDoubt } from '../use-cases/report/open-doubt.ts';
import { recoverBatch } from '../use-cases/send/recover-batch.ts';
import { untilStopped } from '../use-cases/user-questions.ts';
import type { Door } from './door.ts';

export interface ReconcileOptions
  extends Partial<Omit<StatementOptions['open'], 'path' | 'map' | 'words'>>,
    Dialogue {
  /** What people call the file, where it lies under another name; kept with what is ruled. */
  readonly fileName?: string | undefined;
  /** Which column holds what, where its name does not say it. */
  readonly map?: StatementOptions['map'] | undefined;
  readonly dateOrder?: StatementOptions['dateOrder'];
  /** Which amounts are payments: those with this sign, or those of this column. */
  readonly payments?: Payments | undefined;
  /** Rules proposals of this kind that leave no doubt; without it nothing is changed. */
  readonly accept?: Accept | undefined;
  /** Only proposals about these payments, which somebody looked at, are ruled. */
  readonly acceptOnly?: readonly string[] | undefined;
}

export interface ReconciledBatch {
  readonly batch: Batch;
  readonly environment: 'live' | 'sandbox';
  /** What was found, before anything of it was accepted. */
  readonly reconciled: Reconciled;
  readonly accepted: readonly Accepted[];
  /** About the rows that are in doubt now; undefined when there are none. */
  readonly doubt: DoubtGuide | undefined;
  readonly end: ReconcileEnd;
}

export interface StatementMethods {
  /**
   * Compares a batch with a statement or dashboard export (csv, xlsx). Errors: FileRefused, also where nothing says
   * which amounts are payments and nobody can be asked.
   */
  reconcile(batch: string, path: string, options?: ReconcileOptions): Promise<ReconciledBatch>;
}

export function statementMethods(door: Door): StatementMethods {
  return {
    async reconcile(text, path, options = {}) {
      const { accept } = options;
      if (accept !== undefined) door.requireService();
      const isReading = accept === undefined && door.settings.environment === 'live';
      const ledger = await door.ledger({ readOnly: isReading });
      const batch = await findBatch(text, ledger);
      const { environment } = ledger.identity;
      const ownBookEnd =
        environment === 'sandbox'
          ? await (await import('./sandbox.ts')).ownBookEnd(ledger.identity.path)
          : undefined;
      const statement = {
        openRows: door.parts.openRows,
        options: { ...readingOf(path, options), ownBookEnd },
      };
      if (accept === undefined) {
        const reconciled = await reconcileBatch(
          batch.id,
          statement,
          await door.offlinePorts(options, ledger),
        );
        const { parts, settings } = door;
        const ports = { ledger, clock: parts.clock, policy: settings.policy };
        const found = { batch, environment, reconciled, accepted: [], doubt: await openDoubt(batch, ports) };
        return { ...found, end: reconcileEnd({ ...found, accept }) };
      }
      const ports = await door.ports(options);
      return door.underLease(batch.id, async () => {
        await recoverBatch(batch.id, door.holder, ports);
        const reconciled = await reconcileBatch(batch.id, statement, ports);
        const accepted = await ruled(reconciled, { accept, only: options.acceptOnly }, { door, ports });
        const found = { batch, environment, reconciled, accepted, doubt: await openDoubt(batch, ports) };
        return { ...found, end: reconcileEnd({ ...found, accept }) };
      });
    },
  };
}

function ruled(
  { findings, fileName, sha256, span }: Reconciled,
  accepts: Pick<Accepting, 'accept' | 'only'>,
  { door, ports }: { readonly door: Door; readonly ports: Ports },
): Promise<readonly Accepted[]> {
  return acceptFindings(findings, { ...accepts, by: door.user, fileName, sha256, span }, ports);
}

function readingOf(path: string, options: ReconcileOptions): StatementOptions {
  const {
    map = new Map(),
    fileName,
    dateOrder,
    payments,
    accept: _accept,
    acceptOnly: _only,
    ask,
    signal,
    onProgress: _tell,
    ...open
  } = options;
  return {
    open: { ...open, path },
    fileName,
    map,
    dateOrder,
    payments,
    ask: untilStopped(ask, signal),
    signal,
  };
}
