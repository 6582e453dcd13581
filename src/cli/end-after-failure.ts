/**
 * The end of a command whose work on a batch broke off: what became of the money comes first, and what broke it off
 * stands right above what to do next, in a short mail too.
 */
import type { World } from '../application/world.ts';
import type { Batch } from '../domain/batch.ts';
import type { Call } from './call.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { failureOf } from './failure.ts';
import type { Opened } from './open-parts.ts';
import { showBatchEnd } from './show-batch.ts';

export interface BrokenOff {
  readonly batch: Batch;
  readonly world: Pick<World, 'ledger'>;
  readonly opened: Opened;
  readonly call: Call;
}

/** Throws the error again where no money can have moved: then it is all there is to say. */
export async function endAfterFailure(error: unknown, broken: BrokenOff): Promise<ExitCode> {
  const { batch, world, opened, call } = broken;
  opened.progress.clear();
  const { exitCode, code, message, next, andThen } = failureOf(error, call);
  if (code === 'batch_busy' || !(await hasMoved(batch, world))) throw error;
  const json = { error: { code, message, next, andThen } };
  // A machine that has to be mended is mended first; what the rows need is said by their own code.
  const mend = exitCode === EXIT.config || exitCode === EXIT.credentials ? { next, andThen } : {};
  return showBatchEnd({ batch, codes: [exitCode], sentence: message, json, ...mend }, opened, call);
}

/** Whether any row of the batch ever went out, or may have. */
export async function hasMoved(batch: Batch, { ledger }: Pick<World, 'ledger'>): Promise<boolean> {
  const { sending, in_doubt, accepted, settled, failed, returned } = await ledger.counts(batch.id);
  return sending + in_doubt + accepted + settled + failed + returned > 0;
}
