/** How an operation is listed. Its code is loaded when it is needed, so that a command starts without the code of the others. */
import type { AnyOperation } from './operation.ts';

/** Headings of the help, in its order. */
export const HELP_GROUPS = ['Pay', 'Look', 'Decide', 'Set up', 'Lists', 'Several machines'] as const;
export type HelpGroup = (typeof HELP_GROUPS)[number];

export interface ListedOperation<Of extends AnyOperation = AnyOperation> {
  /** Its command. A second word is the action: `ledger move`. */
  readonly name: string;
  /** Undefined: only pages and programs use it. */
  readonly group: HelpGroup | undefined;
  /** What it does, in a few words: the help and the button. */
  readonly summary: string;
  load(): Promise<Of>;
}

/** `of`: the name of the operation in its file. */
export function listed<Of extends string, File extends Readonly<Record<Of, AnyOperation>>>(
  name: string,
  group: HelpGroup | undefined,
  summary: string,
  file: () => Promise<File>,
  of: Of,
): ListedOperation<File[Of]> {
  return { name, group, summary, load: async () => (await file())[of] };
}

/** Only pages and programs use it. */
export const unlisted = <Of extends string, File extends Readonly<Record<Of, AnyOperation>>>(
  name: string,
  summary: string,
  file: () => Promise<File>,
  of: Of,
) => listed(name, undefined, summary, file, of);
