/**
 * A batch whose newer file was read only in part: it may hold a row and the row that was to take its place, and the
 * user's own columns of both files. Nothing of it is approved, sent or written to a file that is paid again until one of the
 * files is read to its end. What is on its way is still looked up, and a doubt is still ruled on. And a batch that got
 * another file between two steps of a command: the second step is not done.
 */

import { type Batch, batchLabel, halfReadText } from '../../domain/batches/batch.ts';
import type { Command } from '../../domain/next-steps/command.ts';
import { readAgain } from '../../domain/next-steps/file-commands.ts';
import { PayfileError } from '../../domain/text/message.ts';

/** A file was read only in part. Somebody has to read it again. Exit code 10. */
export class BatchHalfRead extends PayfileError {
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

/** Another process gave the batch another file between two steps, and nothing was done since. Exit code 75. */
export class OtherFileRead extends PayfileError {
  override readonly name = 'OtherFileRead';
  readonly code = 'batch_busy';
  constructor(batch: Batch) {
    super(
      `Another process read another file into batch ${batchLabel(batch)} just now. This command has priced, approved, ` +
        'sent and written nothing of it. Make sure which file the batch is to have, and type the same command again.',
    );
  }
}

/** What was checked, and what a ceiling was meant for, is the file that the batch has now. Throws BatchHalfRead, OtherFileRead. */
export function requireSameFile(placed: Batch, now: Batch | undefined): void {
  requireWholeFile(now);
  const isSame = now?.revision === placed.revision && now.file.sha256 === placed.file.sha256;
  if (!isSame) throw new OtherFileRead(placed);
}
