/**
 * What to do about a whole batch that waits: its rows of unknown outcome, and its pause.
 */
import { type Batch, batchLabel, isPausedForStatement, UNKNOWN_LEDGER_REASON } from '../batches/batch.ts';
import type { Piece } from '../text/message.ts';
import { rowsText } from '../text/printable.ts';
import { command, type NextSteps, type Step } from './command.ts';

/** Rows of a batch whose outcome is not known. */
export interface Doubts {
  readonly batchId: string;
  readonly name: string;
  readonly inDoubt: number;
  /** Rows on the wire when their process ended; 0 while a process works on the batch. */
  readonly leftInFlight: number;
  /** The first row in doubt; undefined when there is none. */
  readonly firstRow: number | undefined;
}

/** What was left in flight is in doubt once its batch is taken up again; settling sends nothing. */
export function doubtsStep({ name, inDoubt, leftInFlight, firstRow }: Doubts): Step {
  const what = [
    ...(inDoubt > 0 ? [`${rowsText(inDoubt)} in doubt`] : []),
    ...(leftInFlight > 0
      ? [`${rowsText(leftInFlight)} on the wire when its process ended, and nobody looked since`]
      : []),
  ].join(', ');
  const isLeft = leftInFlight > 0 || firstRow === undefined;
  const next = command(isLeft ? 'settle' : 'status', [name]);
  return { text: `Batch ${name} has ${what}`, command: next };
}

/**
 * Why a batch is paused. A pause of the whole ledger says so. The command that ends it is named only if nothing was
 * forgotten: a ledger that was set back is compared first.
 */
export function pausePieces(reason: string): readonly Piece[] {
  if (!isPausedForStatement({ pause: { reason } })) return [reason];
  const all = `${reason}. Each new batch is paused, too.`;
  if (reason !== UNKNOWN_LEDGER_REASON) return [all];
  return [all, ' When all was compared, this ends it for all of them: ', command('resume', [], [['--all']])];
}

/** A pause that waits for a statement is never lifted by a command that is ready to be pasted. */
export function pauseSteps(batch: Pick<Batch, 'name' | 'pause'>): NextSteps {
  const label = batchLabel(batch);
  if (batch.pause === undefined) return {};
  if (!isPausedForStatement(batch)) return { next: command('resume', [label]) };
  return { andThen: command('reconcile', [label], [['--statement', { fillIn: 'FILE' }]]) };
}

/** What is done before a pause that waits for a statement is lifted; undefined where none waits. */
export function beforeResuming(batch: Batch): Step | undefined {
  if (!isPausedForStatement(batch)) return undefined;
  const text = 'Compare it with a statement first. Only if nothing more was paid';
  return { text, command: command('resume', [batchLabel(batch)]) };
}

/** How the rows that are approved go out: what a paused batch is told to send is refused. */
export function sendStep(batch: Pick<Batch, 'id' | 'name' | 'pause'>): Step {
  const label = batchLabel(batch);
  if (batch.pause === undefined) return { text: 'Send what is approved', command: command('send', [label]) };
  if (isPausedForStatement(batch))
    return { text: 'The batch is paused. See why', command: command('status', [label]) };
  return {
    text: 'The batch is paused. Once you know why, let it go on',
    command: command('resume', [label]),
  };
}
