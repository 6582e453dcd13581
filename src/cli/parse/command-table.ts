/** All commands with their words, flags and code. The code of a command loads when the user calls it. */
import { OPERATIONS, TERMINAL } from '../../operations/all.ts';
import type { ListedOperation } from '../../operations/listed.ts';
import { type CommandSpec, type ListedCommand, wordsOf } from './command-spec.ts';
import { OVERWRITE } from './flags.ts';

const TERMINAL_COMMANDS: Readonly<Record<keyof typeof TERMINAL, CommandSpec['load']>> = {
  demo: async () => (await import('../commands/demo.ts')).demo,
  console: async () => (await import('../commands/console.ts')).console,
  completion: async () => (await import('../commands/completion.ts')).completion,
};

const TERMINAL_LIST = Object.entries(TERMINAL_COMMANDS).map(([name, load]): ListedCommand => {
  const { load: declared, ...listed } = TERMINAL[name as keyof typeof TERMINAL];
  return {
    ...listed,
    declare: async () => ({
      ...(await import('../operation-command.ts')).shapeOf(await declared()),
      load,
    }),
  };
});

function commandOf(listed: ListedOperation): ListedCommand {
  return {
    name: wordsOf(listed).verb,
    group: listed.group,
    summary: summaryOf(listed),
    // Loads late, because input schemas take longer to load than everything else.
    declare: async () => (await import('../operation-command.ts')).specOf(await listed.load()),
  };
}

function summaryOf({ name, summary }: ListedOperation): string {
  const { action } = wordsOf({ name });
  return action === undefined ? summary : `${action}: ${summary}`;
}

/** Commands that write reports or fix files, so they take --overwrite. */
const WRITERS: readonly string[] = ['check', 'plan', 'run', 'send', 'settle'];

/** Adds the flags of settings. */
function withSettings({ declare, ...listed }: ListedCommand): ListedCommand {
  return {
    ...listed,
    async declare() {
      const { options, ...spec } = await declare();
      const { settingFlags } = await import('./setting-flags.ts');
      const { name } = listed;
      const written = WRITERS.includes(name) ? [OVERWRITE] : [];
      return { ...spec, options: [...options, ...written, ...settingFlags(name)] };
    },
  };
}

/** Operations without a group are for pages and programs. */
const SHOWN = OPERATIONS.filter(({ group }) => group !== undefined);

export const COMMANDS: readonly ListedCommand[] = [...TERMINAL_LIST, ...SHOWN.map(commandOf)].map(
  withSettings,
);

/** All commands with their flags. */
export function everyCommand(): Promise<readonly CommandSpec[]> {
  return Promise.all(COMMANDS.map(({ declare }) => declare()));
}
