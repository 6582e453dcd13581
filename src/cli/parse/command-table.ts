/**
 * All commands: their words, their flags, and where each is to be found. A command's module is loaded only
 * when it is called.
 */

import { approve } from '../../operations/approve.ts';
import { check } from '../../operations/check.ts';
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
import { forgetMapping, mappings, saveMapping, showMapping } from '../../operations/mapping.ts';
import { pause, resume } from '../../operations/pause.ts';
import { plan } from '../../operations/plan.ts';
import { reconcile } from '../../operations/reconciliation.ts';
import { cancel, reissue, release } from '../../operations/rows.ts';
import { resolve } from '../../operations/ruling.ts';
import { run } from '../../operations/run.ts';
import { send } from '../../operations/send.ts';
import { settle } from '../../operations/settle.ts';
import { status } from '../../operations/status.ts';
import { commandOf, commandOfAll } from '../operation-command.ts';
import type { CommandSpec } from './command-spec.ts';
import { day, oneOf, wholeNumber, wordList } from './flag-values.ts';
import {
  CONCURRENCY,
  FORMAT,
  FULL_ACCOUNTS,
  MONITORING_OPTIONS,
  NAMES,
  type OptionSpec,
  OUTPUT,
  OVERWRITE,
  PRICING_OPTIONS,
  RATE,
  REPEATS,
  SETTING_OPTIONS,
} from './flags.ts';

const command = (
  usage: string,
  text: string,
  load: CommandSpec['load'],
  options: readonly OptionSpec[] = [],
): CommandSpec => ({ usage, text, options, load });

const payments: readonly CommandSpec[] = [
  commandOf(init),
  commandOf(check, [OVERWRITE]),
  commandOf(plan, [OVERWRITE, ...PRICING_OPTIONS]),
  commandOf(approve),
  commandOf(send, [...SETTING_OPTIONS, OVERWRITE, REPEATS]),
  commandOf(settle, [...SETTING_OPTIONS, OVERWRITE]),
  commandOf(run, [OVERWRITE, NAMES, ...SETTING_OPTIONS]),
];

const filling: readonly CommandSpec[] = [
  commandOf(template),
  commandOfAll([mappings, showMapping, saveMapping, forgetMapping]),
];

const looking: readonly CommandSpec[] = [
  command(
    'report [batch]',
    'reconciliation report of a batch, or of all batches --from a day --to a day',
    async () => (await import('../commands/report.ts')).report,
    [
      OUTPUT,
      OVERWRITE,
      FORMAT,
      {
        flags: '--only <rows>',
        text: 'unpaid: only rows that failed or came back',
        parse: oneOf('--only', ['unpaid']),
      },
      { flags: '--as-input', text: 'as a file that can be run, with --only unpaid' },
      {
        flags: '--include <rows>',
        text: 'canceled: with --as-input, also rows that a person withdrew',
        parse: oneOf('--include', ['canceled']),
      },
      {
        flags: '--from <day>',
        text: 'first day (UTC), such as 2026-05-01, of all batches',
        parse: day('--from'),
      },
      { flags: '--to <day>', text: 'last day (UTC)', parse: day('--to') },
      FULL_ACCOUNTS,
    ],
  ),
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
  ...[countries, institutions, rate, accountName, transaction, profile].map((each) => commandOf(each)),
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
  command(
    'sandbox',
    'the service on your own machine',
    async () => (await import('../commands/sandbox.ts')).sandbox,
    [
      { flags: '--port <n>', text: 'port on 127.0.0.1', parse: wholeNumber('--port', 0, 65_535) },
      {
        flags: '--book',
        text: 'count and sum the executed transfers, and end; -o FILE: write them as a statement',
      },
      OUTPUT,
      { flags: '--list-scenarios', text: 'list scenarios and scenario accounts, and end' },
      FULL_ACCOUNTS,
    ],
  ),
  command(
    'demo',
    'pay a sample workbook in the sandbox',
    async () => (await import('../commands/demo.ts')).demo,
    [{ flags: '--out <folder>', text: 'where the reports go (./payfile-demo)' }, OVERWRITE],
  ),
  command(
    'doctor',
    'config, credentials, clock, ledger: what is wrong and how to mend it',
    async () => (await import('../commands/doctor.ts')).doctor,
    [...MONITORING_OPTIONS, { flags: '--try-notify', text: 'tell the notification target of a test' }],
  ),
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
      CONCURRENCY,
      RATE,
      { flags: '--once', text: 'end when no work is left' },
      ...MONITORING_OPTIONS,
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
];
