/**
 * What to do about the rows of a batch that are in doubt, all of them at once: what to get, the command that compares,
 * and how to go on. It fits a screen however many rows there are.
 *
 * It depends on the ledger alone, never on the time of day. What rules on a row is never in it: that is said by the
 * comparison.
 */
import { type Batch, isPausedForStatement } from '../batches/batch.ts';
import { formatMoney, type Money } from '../money/money.ts';
import type { Tag } from '../payouts/instruction.ts';
import { daysToCover } from '../statement/dates.ts';
import type { Message } from '../text/message.ts';
import { counted, rowNumbers } from '../text/printable.ts';
import { minuteOf, type Timestamp } from '../timestamp.ts';
import { type Command, command, type Step } from './command.ts';
import { type CommandContext, type Commands, commandsFor } from './next-step.ts';
import { REHEARSED } from './pay-again.ts';

/** Of all rows in doubt. */
export interface DoubtFacts {
  /** In file order. */
  readonly rows: readonly number[];
  /** One for each currency. */
  readonly sums: readonly Money[];
  /** When the first request began, and when the last one was given up. */
  readonly from: Timestamp;
  readonly until: Timestamp;
  /** Of the first row; undefined where payments carry none. */
  readonly tag: Tag | undefined;
  /** Approved rows that have not gone out. */
  readonly waiting: number;
}

export interface DoubtGuide {
  readonly facts: DoubtFacts;
  /** What is known. */
  readonly sentences: readonly string[];
  /** In their order. */
  readonly steps: readonly Step[];
  /** In the sandbox: what its accounts do again. */
  readonly rehearsed: Message | undefined;
  /** To look at the first of the rows. */
  readonly look: Command;
  /** Changes nothing. */
  readonly compare: Command;
}

export interface DoubtContext extends Omit<CommandContext, 'batch'> {
  readonly batch: CommandContext['batch'] & Pick<Batch, 'pause'>;
}

export function doubtGuide(facts: DoubtFacts, context: DoubtContext): DoubtGuide {
  const { rows, sums, from, until } = facts;
  const commands = commandsFor(context);
  const compare = commands.forBatch('reconcile', ['--statement', { fillIn: 'FILE' }]);
  return {
    facts,
    sentences: [
      `${counted(rows.length, 'row')} in doubt, ${sums.map(formatMoney).join(', ')}, sent ${timesText(from, until)} UTC: ${rowNumbers(rows)}.`,
      `The money may have moved. payfile does not send ${rows.length === 1 ? 'this row' : 'these rows'} again by itself. Do not pay by hand.`,
    ],
    steps: [
      statementStep(facts, context),
      { text: 'Compare it. This changes nothing, and says what to do about each row', command: compare },
      ...goOn(facts, context.batch, commands),
    ],
    rehearsed: context.environment === 'sandbox' ? REHEARSED : undefined,
    look: commands.forRow('explain', rows[0] ?? 0),
    compare,
  };
}

/** `2026-11-22 03:09 to 03:12`. */
function timesText(from: Timestamp, until: Timestamp): string {
  const [first, last] = [minuteOf(from), minuteOf(until)];
  if (first === last) return first;
  return `${first} to ${first.slice(0, 10) === last.slice(0, 10) ? last.slice(11) : last}`;
}

function statementStep({ from, until, tag }: DoubtFacts, { environment }: DoubtContext): Step {
  const { first, last } = daysToCover({ from, until });
  if (environment === 'sandbox') {
    const text =
      'Get the statement of the sandbox: it has every transfer until now. With real money this is a statement of your ' +
      `bank, from ${first} to ${last}`;
    return { text, command: command('sandbox', [], [['--book'], ['-o', 'statement.csv']]) };
  }
  const find = tag === undefined ? 'account and amount' : `the narration (it begins with a tag like ${tag})`;
  const text =
    `Get a statement of your bank, or an export of the service’s dashboard (.csv, .xlsx), with ${find}, from ` +
    `${first} to ${last}. A shorter one can show that a row was paid. Only one with lines on both of these days can show that it was not`;
  return { text: `${text}.` };
}

function goOn(
  { waiting }: DoubtFacts,
  batch: DoubtContext['batch'],
  { forBatch }: Commands,
): readonly Step[] {
  const when = 'When no row is in doubt any more';
  if (waiting === 0)
    return [{ text: `${when}, ask for the status of the payments`, command: forBatch('settle') }];
  const rest = `${counted(waiting, 'row')} that ${waiting === 1 ? 'waits' : 'wait'}`;
  if (batch.pause === undefined) return [{ text: `${when}, send the ${rest}`, command: forBatch('send') }];
  if (isPausedForStatement(batch))
    return [{ text: `${when}, look at the ${rest}`, command: forBatch('status') }];
  return [
    { text: `${when}, and you know why they came, let the ${rest} go on`, command: forBatch('resume') },
    { text: 'Then', command: forBatch('send') },
  ];
}
