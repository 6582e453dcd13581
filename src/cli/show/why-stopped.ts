/**
 * Why sending stopped or left rows out (exit codes 6 and 10), in the same words for every command that sends.
 */

import { counted } from '../../domain/text/printable.ts';
import type { Moved } from '../../payfile.ts';

/** What a command that stopped before the end did send, behind the sentence that says why it stopped. */
export function sentSentence({ isMoved, begun }: Moved): string {
  if (begun > 0)
    return `${counted(begun, 'row that was approved before was', 'rows that were approved before were')} sent.`;
  return isMoved ? 'This command sent nothing.' : 'Nothing was sent.';
}
