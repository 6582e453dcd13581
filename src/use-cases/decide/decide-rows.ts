/**
 * A decision about rows: which rows it changed, which stayed and why, and what to do next. `release` releases held rows,
 * `cancel` withdraws unsent ones, `reissue` pays again what is proven unpaid.
 */
import { type Batch, batchLabel } from '../../domain/batches/batch.ts';
import { type Command, command, type Flag } from '../../domain/next-steps/command.ts';
import { readAgain, runAgain } from '../../domain/next-steps/file-commands.ts';
import type { Tag } from '../../domain/payouts/instruction.ts';
import { EXIT, type ExitCode, strongest } from '../../domain/reporting/exit-code.ts';
import { requireWholeFile } from '../intake/half-read.ts';
import type { OfflinePorts } from '../ports.ts';
import type { Choice } from './choose-payouts.ts';
import { reissue } from './reissue.ts';
import { cancelUnsent, type Decided, type ReleaseDecision, releaseHeld } from './release-held.ts';

export type RowDecision =
  /** `mayBePaid`: needed where a row repeats a payment in doubt, and so may be paid already. */
  | ({ readonly kind: 'release' } & Omit<ReleaseDecision, 'by'>)
  /** `kinds`: of held rows, only those that are held for one of these. */
  | ({ readonly kind: 'cancel' } & Pick<ReleaseDecision, 'reason' | 'kinds'>)
  /** `evidence`: needed to pay again soon after the service reported a failure. */
  | { readonly kind: 'reissue'; readonly evidence: string | undefined };

export interface RowsDecided extends Decided {
  readonly batch: Batch;
  readonly environment: 'live' | 'sandbox';
  readonly exitCode: ExitCode;
  /** Names and fees of these rows are asked again by a run. */
  readonly needsRun: boolean;
  readonly next: Command;
  /** The same decision about the rows that a newer file moved, named by their tags. A person looks at them first. */
  readonly andThen?: Command | undefined;
}

export async function decideRows(
  batch: Batch,
  choice: Choice,
  decision: RowDecision & { readonly by: string },
  ports: OfflinePorts,
): Promise<RowsDecided> {
  // A row number of the file that was read in part may be another row's in the older one.
  requireWholeFile(batch);
  const decided = await decide(batch, choice, decision, ports);
  const needsRun = decision.kind !== 'cancel' && decided.done.length > 0;
  const label = batchLabel(batch);
  const moved = decided.refused.flatMap(({ tag }) => tag ?? []);
  return {
    ...decided,
    batch,
    environment: ports.ledger.identity.environment,
    exitCode: exitCodeOf(decided.refused, choice),
    needsRun,
    ...(needsRun
      ? { next: readAgain(batch) ?? runAgain(batch) }
      : (byTag(label, moved, decision) ?? { next: command('status', [label]) })),
  };
}

function byTag(
  label: string,
  moved: readonly Tag[],
  decision: RowDecision,
): Pick<RowsDecided, 'next' | 'andThen'> | undefined {
  const [first] = moved;
  if (first === undefined) return undefined;
  const why = decision.kind === 'reissue' ? decision.evidence && '--evidence' : '--reason';
  const flags: readonly Flag[] = why ? [[why, { fillIn: 'TEXT' }]] : [];
  return {
    next: command('explain', [label, first]),
    andThen: command(decision.kind, [label, ...moved], flags),
  };
}

function decide(
  { id }: Batch,
  choice: Choice,
  decision: RowDecision & { readonly by: string },
  ports: OfflinePorts,
): Promise<Decided> {
  switch (decision.kind) {
    case 'release':
      return releaseHeld(id, choice, decision, ports);
    case 'cancel':
      return cancelUnsent(id, choice, decision, ports);
    case 'reissue':
      return reissue(id, choice, { by: decision.by, evidence: decision.evidence }, ports);
  }
}

/**
 * 10 where time, evidence or a ruling may allow the decision later. Any other refused row was named by mistake: 64,
 * because 10 would tell a script to wait for a person who has nothing to decide.
 */
function exitCodeOf(refused: Decided['refused'], { kind }: Choice): ExitCode {
  const meant = kind === 'all' ? refused.filter(({ isElsewhere }) => isElsewhere !== true) : refused;
  return strongest(
    meant.map(({ isNotYet }): ExitCode => (isNotYet === true ? EXIT.needsPerson : EXIT.usage)),
  );
}
