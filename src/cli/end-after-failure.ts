/**
 * The end of a command whose work on a batch broke off: what became of the money comes first, and what broke it off
 * stands right above what to do next, in a short mail too.
 */
import type { World } from '../application/world.ts';
import type { Batch, StatusCounts } from '../domain/batch.ts';
import { counted } from '../domain/counted.ts';
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
  if (code === 'batch_busy') throw error;
  // A ledger that cannot be read either must not hide what went wrong first.
  const counts = await world.ledger.counts(batch.id).catch(() => undefined);
  if (counts === undefined || !isMoved(counts)) throw error;
  const sentence = `${whatBecame(counts)} ${message}`;
  const json = { error: { code, message, next, andThen } };
  // A machine that has to be mended is mended first; what the rows need is said by their own code.
  const mend = exitCode === EXIT.config || exitCode === EXIT.credentials ? { next, andThen } : {};
  try {
    return await showBatchEnd({ batch, codes: [exitCode], sentence, json, ...mend }, opened, call);
  } catch {
    throw error;
  }
}

/** Whether any row of the batch ever went out, or may have. */
export async function hasMoved(batch: Batch, { ledger }: Pick<World, 'ledger'>): Promise<boolean> {
  return isMoved(await ledger.counts(batch.id));
}

function isMoved({ sending, in_doubt, accepted, settled, failed, returned }: StatusCounts): boolean {
  return sending + in_doubt + accepted + settled + failed + returned > 0;
}

/** What the journal says of the money, whatever broke the work off: sent, perhaps sent, not sent. */
function whatBecame(counts: StatusCounts): string {
  const { sending, in_doubt, accepted, settled, failed, returned, approved } = counts;
  const sent = accepted + settled + failed + returned;
  const unknown = sending + in_doubt;
  return [
    sent === 0 ? '' : `${counted(sent, 'row was', 'rows were')} sent.`,
    unknown === 0
      ? ''
      : `${counted(unknown, 'row', 'rows')} may have been paid: the ledger has no outcome of ${unknown === 1 ? 'it' : 'them'} yet, and does not send ${unknown === 1 ? 'it' : 'them'} again.`,
    approved === 0 ? '' : `${counted(approved, 'row was', 'rows were')} not sent.`,
  ]
    .filter((text) => text !== '')
    .join(' ');
}
