/**
 * All commands: their words, their flags, and where each is to be found. A command's module is loaded only
 * when it is called.
 */

import { OPERATIONS } from '../../operations/all.ts';
import type { HelpGroup, ListedOperation } from '../../operations/listed.ts';
import { type CommandSpec, type ListedCommand, wordsOf } from './command-spec.ts';
import { wholeNumber, wordList } from './flag-values.ts';
import { OVERWRITE } from './flags.ts';
import type { OptionSpec } from './option-spec.ts';

const command = (
  group: HelpGroup | undefined,
  usage: string,
  summary: string,
  load: CommandSpec['load'],
  options: readonly OptionSpec[] = [],
): ListedCommand => ({
  name: usage.split(' ')[0] ?? '',
  ...{ group, summary },
  declare: async () => ({ usage, options, load }),
});

const OTHERS: readonly ListedCommand[] = [
  command(
    'Set up',
    'demo',
    'pay a sample workbook in the sandbox',
    async () => (await import('../commands/demo.ts')).demo,
    [{ flags: '--out <folder>', text: 'where the reports go (./payfile-demo)' }, OVERWRITE],
  ),
  command(
    'Set up',
    'console',
    'open pages in the browser: pay without a terminal',
    async () => (await import('../commands/console.ts')).console,
    [
      {
        flags: '--port <n>',
        text: 'port on localhost (any that is free)',
        parse: wholeNumber('--port', 0, 65_535),
      },
      { flags: '--no-open', text: 'show the link instead of opening the browser' },
    ],
  ),
  command(
    undefined,
    'completion <shell>',
    'print a script for the tab key: bash, zsh or fish',
    async () => (await import('../commands/completion.ts')).completion,
  ),
  command(
    'Several machines',
    'worker',
    'do work of runs beside other workers',
    async () => (await import('../commands/worker.ts')).worker,
    [
      {
        flags: '--queues <names>',
        text: 'kinds of work (all): price, send-head, send, settle, recover',
        parse: wordList('--queues'),
      },
      {
        flags: '--lanes <n>',
        text: 'parts of sendings that it has at a time (as many as there are)',
        parse: wholeNumber('--lanes', 1, 64),
      },
      { flags: '--once', text: 'end when no work is left' },
    ],
  ),
  command(
    'Several machines',
    'fleet',
    'show who works on what, and what waits',
    async () => (await import('../commands/fleet.ts')).fleet,
    [],
  ),
];

/** Operations of one verb, such as `mapping list` and `mapping save`, are one command. */
function commandsOf(operations: readonly ListedOperation[]): readonly ListedCommand[] {
  const shown = operations.filter(({ group }) => group !== undefined);
  return [...Map.groupBy(shown, (each) => wordsOf(each).verb)].map(([verb, all]) => ({
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

/** Flags that the host itself reads. */
const READ_HERE: Readonly<Record<string, readonly OptionSpec[]>> = {
  check: [OVERWRITE],
  plan: [OVERWRITE],
  run: [OVERWRITE],
  send: [OVERWRITE],
  settle: [OVERWRITE],
};

/** With the flags of its settings. */
function withSettings({ declare, ...listed }: ListedCommand): ListedCommand {
  return {
    ...listed,
    async declare() {
      const { options, ...spec } = await declare();
      const { settingFlags } = await import('./setting-flags.ts');
      const { name } = listed;
      return { ...spec, options: [...options, ...(READ_HERE[name] ?? []), ...settingFlags(name)] };
    },
  };
}

export const COMMANDS: readonly ListedCommand[] = [...OTHERS, ...commandsOf(OPERATIONS)].map(withSettings);

/** All of them with their flags. */
export function everyCommand(): Promise<readonly CommandSpec[]> {
  return Promise.all(COMMANDS.map(({ declare }) => declare()));
}
