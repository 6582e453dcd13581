/**
 * `payfile schedule add NAME --cron TIME --tz ZONE -- run FILE …`, `list`, `remove NAME`: what workers pay by themselves.
 *
 * --json: list {schedules: [{name, cron, timeZone, words, next, nextBatch, maxTotals, addedBy, addedAt}]}; add {schedule};
 * remove {removed: name}. `maxTotals` is null where the configuration names none: then it is not run.
 */
import { formatDecimal, type Money } from '../../../domain/money/money.ts';
import { command, helpOn, shellWord } from '../../../domain/next-steps/command.ts';
import { EXIT, type ExitCode } from '../../../domain/reporting/exit-code.ts';
import type { ScheduledRun } from '../../../domain/schedules/schedule.ts';
import { printable } from '../../../domain/text/printable.ts';
import { formatTimestamp } from '../../../domain/timestamp.ts';
import type { KnownSchedule } from '../../../payfile.ts';
import { type Call, UsageError } from '../call.ts';
import { openParts } from '../open-parts.ts';
import { scheduledRun } from '../parse/scheduled-run.ts';

const ACTIONS: Readonly<Record<string, (call: Call, words: readonly string[]) => Promise<ExitCode>>> = {
  add,
  list,
  remove,
};

export async function schedule(call: Call): Promise<ExitCode> {
  const [action = '', ...words] = call.args;
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (act === undefined)
    throw new UsageError(`“${printable(action)}” is not add, list or remove.`, helpOn('schedule'));
  return act(call, words);
}

async function add(call: Call, [name, ...words]: readonly string[]): Promise<ExitCode> {
  const { cron, tz: zone } = call.flags;
  if (name === undefined || cron === undefined || zone === undefined)
    throw new UsageError(
      'A schedule needs a name, --cron "15 6 25 * *", --tz Africa/Nairobi, and a run behind --.',
      helpOn('schedule'),
    );
  const { batch } = scheduledRun(words);
  const { payfile } = await openParts(call);
  const added = await payfile.addSchedule({ name, cron, zone, words, batch });
  call.terminal.result(`Schedule ${name} is added. ${nextText(added)}`);
  tellUnlimited([added], call);
  return answer(call, { schedule: scheduleJson(added) });
}

async function list(call: Call, words: readonly string[]): Promise<ExitCode> {
  if (words.length > 0) throw new UsageError('list takes no words.', command('schedule', ['list']));
  const { payfile } = await openParts(call);
  const schedules = await payfile.schedules();
  if (schedules.length === 0) call.terminal.result('There are no schedules.');
  for (const each of schedules) {
    call.terminal.result(`${each.name}  ${each.cron}  ${each.zone}`);
    call.terminal.result(`  payfile ${each.words.map(shownWord).join(' ')}`);
    call.terminal.result(`  ${dueAndLimitText(each)}`);
    call.terminal.result(`  Added by ${printable(each.by)} on ${formatTimestamp(each.addedAt)}.`);
  }
  tellUnlimited(schedules, call);
  return answer(call, { schedules: schedules.map(scheduleJson) });
}

async function remove(call: Call, [name, ...more]: readonly string[]): Promise<ExitCode> {
  if (name === undefined || more.length > 0)
    throw new UsageError('Name one schedule to remove.', command('schedule', ['list']));
  const { payfile } = await openParts(call);
  await payfile.removeSchedule(name);
  call.terminal.result(`Schedule ${printable(name)} is removed. A run of it that is at work goes on.`);
  return answer(call, { removed: name });
}

function answer(call: Call, said: object): ExitCode {
  const environment = call.flags.sandbox === true ? 'sandbox' : 'live';
  call.terminal.answer({
    ...{ schemaVersion: 1, command: call.command, environment, exitCode: EXIT.done },
    ...said,
  });
  return EXIT.done;
}

/** As it was typed: no formula can begin in it, and no shell reads the braces of a period. */
export function shownWord(word: string): string {
  return /^[\w.,:@%+=/{}-]+$/.test(word) ? word : shellWord(word);
}

function nextText({ next }: KnownSchedule): string {
  return next === undefined
    ? 'It is never due.'
    : `It pays batch ${printable(next.batch)} next, due ${dueText(next)}.`;
}

/** `2026-05-25 06:15 Africa/Nairobi`. */
export function dueText({ dueAt, zone }: Pick<ScheduledRun, 'dueAt' | 'zone'>): string {
  const shown = new Date(dueAt).toLocaleString('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return `${shown} ${zone}`;
}

function dueAndLimitText(schedule: KnownSchedule): string {
  const { ceilings, next } = schedule;
  if (ceilings !== undefined)
    return `${nextText(schedule)} It may pay ${ceilings.map(amountOf).join(', ')} each time.`;
  if (next === undefined) return 'It is never due, and it is not run.';
  return `Batch ${printable(next.batch)} is due ${dueText(next)}, but it is not run.`;
}

function amountOf(money: Money): string {
  return `${money.currency} ${formatDecimal(money)}`;
}

/** Who added it cannot say how much it may pay; who owns the configuration can. */
function tellUnlimited(schedules: readonly KnownSchedule[], call: Call): void {
  for (const { name, ceilings } of schedules)
    if (ceilings === undefined) call.terminal.talk(unlimitedText(name));
}

export function unlimitedText(name: string): string {
  const sample = `"schedules": {${JSON.stringify(name)}: {"maxTotal": {"GHS": "40000"}}}`;
  return `${printable(name)} is not run: the configuration does not say what it may pay. Add ${sample} to the configuration of each worker.`;
}

function scheduleJson({ name, cron, zone, words, next, ceilings, by, addedAt }: KnownSchedule) {
  return {
    ...{ name, cron, timeZone: zone, words },
    next: next === undefined ? null : formatTimestamp(next.dueAt),
    nextBatch: next?.batch ?? null,
    maxTotals:
      ceilings === undefined
        ? null
        : ceilings.map((each) => ({ currency: each.currency, amount: formatDecimal(each) })),
    addedBy: by,
    addedAt: formatTimestamp(addedAt),
  };
}
