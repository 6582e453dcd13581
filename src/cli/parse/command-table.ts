/**
 * All commands: their words, their flags, and where each is to be found. A command's module is loaded only
 * when it is called.
 */

import { type HelpGroup, type ListedOperation, OPERATIONS } from '../../operations/all.ts';
import { type CommandSpec, type ListedCommand, wordsOf } from './command-spec.ts';
import { wholeNumber, wordList } from './flag-values.ts';
import {
  ALL_ISSUES,
  BATCH_NAME,
  CANARY,
  CHANGES,
  DEADLINE,
  INPUT_OPTIONS,
  LAYOUT_OPTIONS,
  MAX_DEBIT,
  MAX_TOTAL,
  NEW_LEDGER,
  OVERWRITE,
  REPEATS,
  REPORT_OPTIONS,
  VALUE,
  WATCH_RETURNS,
  YES,
} from './flags.ts';
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
    'Pay',
    'run <file>',
    'do all steps in one go; safe to run again',
    async () => (await import('../commands/run.ts')).run,
    [
      ...INPUT_OPTIONS,
      CHANGES,
      BATCH_NAME,
      ...REPORT_OPTIONS,
      CANARY,
      DEADLINE,
      MAX_DEBIT,
      MAX_TOTAL,
      YES,
      REPEATS,
      NEW_LEDGER,
    ],
  ),
  command(
    'Pay',
    'check <file>',
    'read and validate a file, without names and fees',
    async () => (await import('../commands/check.ts')).check,
    [...INPUT_OPTIONS, ALL_ISSUES, BATCH_NAME],
  ),
  command(
    'Pay',
    'plan <file>',
    'add names and fees; shows totals and the digest',
    async () => (await import('../commands/plan.ts')).plan,
    [...INPUT_OPTIONS, ALL_ISSUES, CHANGES, BATCH_NAME, REPEATS, NEW_LEDGER],
  ),
  command(
    'Pay',
    'approve <batch>',
    'agree to a plan',
    async () => (await import('../commands/approve.ts')).approve,
    [{ flags: '--digest <digest>', text: 'of the plan that you saw; needed without a terminal' }, CHANGES],
  ),
  command(
    'Pay',
    'send <batch>',
    'send what is approved',
    async () => (await import('../commands/send.ts')).send,
    [...REPORT_OPTIONS, OVERWRITE, CANARY, DEADLINE, MAX_DEBIT, MAX_TOTAL, REPEATS],
  ),
  command(
    'Pay',
    'settle <batch>',
    'look up transfers until all are final',
    async () => (await import('../commands/settle.ts')).settle,
    [...REPORT_OPTIONS, OVERWRITE, DEADLINE, WATCH_RETURNS],
  ),
  command(
    'Set up',
    'mapping <action> [words...]',
    'save what columns and names of institutions mean',
    async () => (await import('../commands/mapping.ts')).mapping,
    [...LAYOUT_OPTIONS, VALUE],
  ),
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

function commandOf({ name, group, summary, load }: ListedOperation): ListedCommand | undefined {
  if (group === undefined) return undefined;
  const { verb, action } = wordsOf({ name });
  return {
    ...{ name: verb, group },
    summary: action === undefined ? summary : `${action}: ${summary}`,
    // Loaded late: the schemas of inputs take longer to load than all other words.
    declare: async () => (await import('../operation-command.ts')).specOf(await load()),
  };
}

/** With the flags of its settings. */
function withSettings({ declare, ...listed }: ListedCommand): ListedCommand {
  return {
    ...listed,
    async declare() {
      const { options, ...spec } = await declare();
      const { settingFlags } = await import('./setting-flags.ts');
      return { ...spec, options: [...options, ...settingFlags(listed.name)] };
    },
  };
}

export const COMMANDS: readonly ListedCommand[] = [
  ...OTHERS,
  ...OPERATIONS.map(commandOf).filter((each) => each !== undefined),
].map(withSettings);

/** All of them with their flags. */
export function everyCommand(): Promise<readonly CommandSpec[]> {
  return Promise.all(COMMANDS.map(({ declare }) => declare()));
}
