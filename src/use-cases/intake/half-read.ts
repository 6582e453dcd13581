/**
 * A batch whose newer file was read only in part: it may hold a row and the row that was to take its place, and the
 * user's own columns of both files. Nothing of it is approved, sent or written to a file that is paid again until one of the
 * files is read to its end. What is on its way is still looked up, and a doubt is still ruled on.
 */
import { type Batch, batchLabel, halfReadText } from '../../domain/batches/batch.ts';
import type { Command } from '../../domain/next-steps/command.ts';
import { readAgain } from '../../domain/next-steps/next-step.ts';

/** Exit code 10: somebody has to read the file again. */
export class BatchHalfRead extends Error {
  override readonly name = 'BatchHalfRead';
  readonly code = 'batch_half_read';
  readonly next = undefined;
  readonly andThen: Command | undefined;
  constructor(message: string, andThen: Command | undefined) {
    super(message);
    this.andThen = andThen;
  }
}

/** `batch` as it is under its lease: without it another process may be reading the file just now. Throws BatchHalfRead. */
export function requireWholeFile(batch: Batch | undefined): void {
  const text = batch && halfReadText(batch);
  if (batch !== undefined && text !== undefined) throw new BatchHalfRead(text, readAgain(batch));
}

/** Another process gave the batch another file between two steps. Nothing was done since; the same command does the rest. */
export class OtherFileRead extends Error {
  override readonly name = 'OtherFileRead';
  readonly code = 'batch_busy';
  constructor(batch: Batch) {
    super(
      `Another process read another file into batch ${batchLabel(batch)} just now. Nothing of it was priced, approved or ` +
        'sent here. Make sure which file the batch is to have, and run the same command again.',
    );
  }
}

/** Under the lease: what was checked, and what a ceiling was meant for, is the file that was placed. Throws OtherFileRead. */
export function requireSameFile(placed: Batch, now: Batch | undefined): void {
  requireWholeFile(now);
  const isSame = now?.revision === placed.revision && now.file.sha256 === placed.file.sha256;
  if (!isSame) throw new OtherFileRead(placed);
}
