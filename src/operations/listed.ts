/** How an operation is listed. Its code is loaded when it is needed, so that a command starts without the code of the others. */
import type { DeclaredCommand, Operation } from './operation.ts';

/** Headings of the help, in its order. */
export const HELP_GROUPS = ['Pay', 'Look', 'Decide', 'Set up', 'Lists', 'Several machines'] as const;
export type HelpGroup = (typeof HELP_GROUPS)[number];

export interface ListedOperation<Of extends DeclaredCommand = Operation> {
  /** Its command. A second word is the action: `ledger move`. */
  readonly name: string;
  /** Undefined: only pages and programs use it. */
  readonly group: HelpGroup | undefined;
  /** What it does, in a few words: the help and the button. */
  readonly summary: string;
  load(): Promise<Of>;
}

/** `of`: the name of the operation in its file. `name`: its command, where that is another. */
export const from =
  <File extends object>(file: () => Promise<File>) =>
  <Of extends keyof File & string>(of: Of, summary: string, group?: HelpGroup, name: string = of) => ({
    ...{ name, group, summary },
    load: async () => (await file())[of],
  });
