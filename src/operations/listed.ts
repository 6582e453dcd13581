/** Lists an operation without its code. The code loads on use, so that a command starts fast. */
import type { DeclaredCommand, Operation } from './operation.ts';

/** Headings of the help, in its order. */
export const HELP_GROUPS = ['Pay', 'Look', 'Decide', 'Set up', 'Lists', 'Several machines'] as const;
export type HelpGroup = (typeof HELP_GROUPS)[number];

export interface ListedOperation<Of extends DeclaredCommand = Operation> {
  /** Its command. A second word is the action: `ledger move`. */
  readonly name: string;
  /** Undefined: only pages and programs use it. */
  readonly group: HelpGroup | undefined;
  /** What it does, in a few words, for help and buttons. */
  readonly summary: string;
  load(): Promise<Of>;
}

/** `of`: the name of the operation in its file. `name`: its command, if that differs. */
export const operationsIn =
  <File extends object>(file: () => Promise<File>) =>
  <Of extends keyof File & string>(of: Of, summary: string, group?: HelpGroup, name: string = of) => ({
    ...{ name, group, summary },
    load: async () => (await file())[of],
  });
