/** All commands: their words, their flags, and what does them. The code of a command is loaded when it is called. */
import { OPERATIONS, TERMINAL } from '../../operations/all.ts';
import type { ListedOperation } from '../../operations/listed.ts';
import { type CommandSpec, type ListedCommand, wordsOf } from './command-spec.ts';
import { OVERWRITE } from './flags.ts';

const DONE_HERE: Readonly<Record<keyof typeof TERMINAL, CommandSpec['load']>> = {
  demo: async () => (await import('../commands/demo.ts')).demo,
  console: async () => (await import('../commands/console.ts')).console,
  completion: async () => (await import('../commands/completion.ts')).completion,
};

const OWN = Object.entries(DONE_HERE).map(([name, load]): ListedCommand => {
  const { load: declared, ...listed } = TERMINAL[name as keyof typeof TERMINAL];
  return {
    ...listed,
    declare: async () => ({
      ...(await import('../operation-command.ts')).shapeOf(await declared()),
      load,
    }),
  };
});

/** Operations of one verb, such as `mapping list` and `mapping save`, are one command. */
function commandsOf(operations: readonly ListedOperation[]): readonly ListedCommand[] {
  return [...Map.groupBy(operations, (each) => wordsOf(each).verb)].map(([verb, all]) => ({
    name: verb,
    group: all[0]?.group,
    summary: VERBS[verb] ?? all.map(summaryOf).join('; '),
    // Loaded late: the schemas of inputs take longer to load than all other words.
    async declare() {
      const { specOf } = await import('../operation-command.ts');
      return specOf(await Promise.all(all.map(({ load }) => load())));
    },
  }));
}

/** Of commands with several actions. */
const VERBS: Readonly<Record<string, string>> = {
  mapping: 'save what columns and names of institutions mean',
};

function summaryOf({ name, summary }: ListedOperation): string {
  const { action } = wordsOf({ name });
  return action === undefined ? summary : `${action}: ${summary}`;
}

/** They write files that the host looks at: reports, and fix files. */
const WRITERS: readonly string[] = ['check', 'plan', 'run', 'send', 'settle'];

/** With the flags of its settings. */
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

export const COMMANDS: readonly ListedCommand[] = [...OWN, ...commandsOf(SHOWN)].map(withSettings);

/** All of them with their flags. */
export function everyCommand(): Promise<readonly CommandSpec[]> {
  return Promise.all(COMMANDS.map(({ declare }) => declare()));
}
