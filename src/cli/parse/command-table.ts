/**
 * All commands: their words, their flags, and where each is to be found. A command's module is loaded only
 * when it is called.
 */

import { doctor } from '../../operations/doctor.ts';
import { explain } from '../../operations/explain.ts';
import { backup, init, move, restore, verify } from '../../operations/ledger.ts';
import {
  accountName,
  countries,
  institutions,
  profile,
  rate,
  template,
  transaction,
} from '../../operations/lists.ts';
import { pause, resume } from '../../operations/pause.ts';
import { reconcile } from '../../operations/reconciliation.ts';
import { report } from '../../operations/report.ts';
import { cancel, reissue, release } from '../../operations/rows.ts';
import { resolve } from '../../operations/ruling.ts';
import { sandbox } from '../../operations/sandbox.ts';
import { status } from '../../operations/status.ts';
import { commandOf } from '../operation-command.ts';
import type { CommandSpec } from './command-spec.ts';
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
import { settingFlags } from './setting-flags.ts';

const command = (
  usage: string,
  text: string,
  load: CommandSpec['load'],
  options: readonly OptionSpec[] = [],
): CommandSpec => ({ usage, text, options, load });

const payments: readonly CommandSpec[] = [
  commandOf(init),
  command(
    'check <file>',
    'read and validate against live lists; no names, no quotes, no money',
    async () => (await import('../commands/check.ts')).check,
    [...INPUT_OPTIONS, ALL_ISSUES, BATCH_NAME],
  ),
  command(
    'plan <file>',
    'check, names and fees; kept in the ledger; prints totals and the digest',
    async () => (await import('../commands/plan.ts')).plan,
    [...INPUT_OPTIONS, ALL_ISSUES, CHANGES, BATCH_NAME, REPEATS, NEW_LEDGER],
  ),
  command(
    'approve <batch>',
    'a person agrees to the plan',
    async () => (await import('../commands/approve.ts')).approve,
    [{ flags: '--digest <digest>', text: 'of the plan that you saw; needed without a terminal' }, CHANGES],
  ),
  command('send <batch>', 'send what is approved', async () => (await import('../commands/send.ts')).send, [
    ...REPORT_OPTIONS,
    OVERWRITE,
    CANARY,
    DEADLINE,
    MAX_DEBIT,
    MAX_TOTAL,
    REPEATS,
  ]),
  command(
    'settle <batch>',
    'look up what became of the transfers until all are final or the deadline comes',
    async () => (await import('../commands/settle.ts')).settle,
    [...REPORT_OPTIONS, OVERWRITE, DEADLINE, WATCH_RETURNS],
  ),
  command(
    'run <file>',
    'all of it, in one go; safe to run again',
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
];

const filling: readonly CommandSpec[] = [
  commandOf(template),
  command(
    'mapping <action> [words...]',
    'list, show NAME, save NAME FILE, forget NAME: what columns and names of institutions mean',
    async () => (await import('../commands/mapping.ts')).mapping,
    [...LAYOUT_OPTIONS, VALUE],
  ),
];

const looking: readonly CommandSpec[] = [
  commandOf(report),
  commandOf(status),
  commandOf(explain),
  commandOf(verify),
];

const keeping: readonly CommandSpec[] = [commandOf(backup), commandOf(restore), commandOf(move)];

const deciding: readonly CommandSpec[] = [
  commandOf(release),
  commandOf(cancel),
  commandOf(resolve),
  commandOf(reissue),
  commandOf(reconcile),
  commandOf(pause),
  commandOf(resume),
];

const service: readonly CommandSpec[] = [
  ...[countries, institutions, rate, accountName, transaction, profile].map(commandOf),
  command(
    'console',
    'pages in the browser of this machine: pay a workbook without a terminal',
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
  commandOf(sandbox),
  command(
    'demo',
    'pay a sample workbook in the sandbox',
    async () => (await import('../commands/demo.ts')).demo,
    [{ flags: '--out <folder>', text: 'where the reports go (./payfile-demo)' }, OVERWRITE],
  ),
  commandOf(doctor),
];

const working: readonly CommandSpec[] = [
  command(
    'worker',
    'do work of runs, beside other workers, until it is stopped (PostgreSQL ledger)',
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
    'fleet',
    'who works with the ledger on the server, and what waits (PostgreSQL ledger)',
    async () => (await import('../commands/fleet.ts')).fleet,
    [],
  ),
];

export const COMMANDS: readonly CommandSpec[] = [
  ...payments,
  ...filling,
  ...looking,
  ...keeping,
  ...deciding,
  ...working,
  ...service,
].map((spec) => {
  const [name = ''] = spec.usage.split(' ');
  return { ...spec, options: [...spec.options, ...settingFlags(name)] };
});
