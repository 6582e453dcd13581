/** The file of a call as the next command has to name it. */
import type { Command, Word } from '../../domain/next-steps/command.ts';
import { fileCommand as commandOf, type FileWords } from '../../operations/file-commands.ts';
import type { Call } from '../call.ts';

type OfFile = Pick<Call, 'flags'> & { readonly args: readonly Word[] };

export function fileCommand(
  { args: [file], flags }: OfFile,
  verb: 'check' | 'plan' | 'run',
  words?: FileWords,
): Command {
  return commandOf({ ...flags, file }, verb, words);
}
