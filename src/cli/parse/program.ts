/**
 * The command line's grammar: words and flags → a call of one command. The only place that knows commander.
 *
 * Errors:  RequestRefused for anything that cannot be meant (exit code 64).
 */

import { Command, CommanderError, Option } from 'commander';
import {
  type Blank,
  command,
  guideOn,
  helpOn,
  type Place,
  type Verb,
} from '../../domain/next-steps/command.ts';
import { notifyTargetOf } from '../../domain/reporting/notify-target.ts';
import { printable } from '../../domain/text/printable.ts';
import { RequestRefused } from '../../domain/text/request-refused.ts';
import { didYouMean } from '../../domain/text/value-fault.ts';
import { type Call, worksOnBatch } from '../call.ts';
import type { ListedCommand, RunCommand } from './command-spec.ts';
import { COMMANDS } from './command-table.ts';
import { type Flags, GLOBAL_OPTIONS } from './flags.ts';
import { GUIDES, guideText } from './guides.ts';
import { examplesOf, mainHelp } from './help.ts';
import type { OptionSpec } from './option-spec.ts';

type Parsed =
  | {
      readonly kind: 'call';
      readonly command: string;
      readonly args: readonly string[];
      readonly flags: Flags;
      readonly load: () => Promise<RunCommand>;
    }
  /** Help was asked for and is the answer. */
  | { readonly kind: 'help'; readonly text: string };

/** `columns`: of the terminal that help is shown on. */
export async function parseWords(
  words: readonly string[],
  version: string,
  columns?: number,
): Promise<Parsed> {
  const guide = words.length === 0 ? mainHelp() : guideText(words);
  if (guide !== undefined) return { kind: 'help', text: guide };
  refuseUnknownTopic(words);
  let parsed: Parsed | undefined;
  let output = '';
  let complaint = '';
  const writeOut = (text: string) => {
    output += text;
  };
  const outputError = (text: string) => {
    complaint += text;
  };
  const write = { writeOut, writeErr: writeOut, outputError };
  const root = rootCommand(version, helpWidth(columns)).configureOutput(write);
  for (const listed of COMMANDS) {
    const added = await addCommand(root, listed, words, (found) => {
      parsed = found;
    });
    added.configureOutput(write);
  }
  try {
    root.parse([...words], { from: 'user' });
  } catch (error) {
    // A value that cannot be used: the help of its command says what can.
    const help = helpOn(commandNamed(words));
    if (error instanceof RequestRefused && error.next === undefined && error.andThen === undefined)
      throw new RequestRefused(error.said ?? error.message, help);
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0 || error.code === 'commander.help') return { kind: 'help', text: output };
    throw usageErrorOf(error, complaint, words);
  }
  return parsed ?? { kind: 'help', text: mainHelp() };
}

/** Commander would print the help of all commands, as if the topic were there. */
function refuseUnknownTopic(words: readonly string[]): void {
  const [help, topic] = words.filter((word) => !word.startsWith('-'));
  const topics = ['help', ...COMMANDS.map(({ name }) => name), ...Object.keys(GUIDES)];
  if (help !== 'help' || topic === undefined || topics.includes(topic)) return;
  const meant = didYouMean(topic, topics);
  throw new RequestRefused(
    `There is no command and no guide “${printable(topic)}”.${meant}`,
    helpOn(undefined),
  );
}

function rootCommand(version: string, width: number): Command {
  const root = new Command('payfile')
    .description('Pays every row of a spreadsheet, at most once, and proves what happened to each row.')
    .version(version, '-V, --version', 'print the version')
    .helpCommand('help [command]', 'help for a command, or a guide')
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureHelp({ showGlobalOptions: true, helpWidth: width, minWidthToWrap: 30 });
  root.helpInformation = mainHelp;
  for (const spec of GLOBAL_OPTIONS) root.addOption(optionOf(spec));
  return root;
}

/** Flags and code are loaded for what was typed only: the others are known by name. */
async function addCommand(
  root: Command,
  { name, summary, declare }: ListedCommand,
  words: readonly string[],
  found: (parsed: Parsed) => void,
): Promise<Command> {
  if (!words.includes(name)) return root.command(name);
  const { usage, options, load } = await declare();
  const command = root.command(usage).description(summary);
  for (const option of options) command.addOption(optionOf(option));
  const examples = examplesOf(name);
  if (examples !== undefined) command.addHelpText('after', `\n${examples}`);
  return command.action((...given: unknown[]) => {
    // Commander calls with each declared argument, then the flags, then the command itself.
    const args = given
      .slice(0, -2)
      .flat()
      .filter((word): word is string => typeof word === 'string');
    // Names and values come from the option table, whose parsers give what Flags says.
    const flags = command.optsWithGlobals() as Flags;
    refuseBlanks(`payfile ${name}`, args);
    for (const option of [...command.options, ...root.options])
      if (!FREE_WORDS.includes(option.attributeName()))
        refuseBlanks(option.long ?? option.flags, [flags[option.attributeName() as keyof Flags]].flat());
    found({ kind: 'call', command: name, args, flags, load });
  });
}

/** What a person puts in the place of each word that a shown command leaves open. */
const BLANKS: Readonly<Record<Blank['fillIn'], string>> = {
  AMOUNT: 'an amount',
  BATCH: 'the name of a batch',
  DIGEST: 'the digest that the plan shows',
  FILE: 'the path of a file',
  HEADER: 'the header of a column',
  INSTITUTION: 'an institution of the service',
  NAME: 'a name that you choose',
  ROW: 'a row number, a reference or a tag',
  TEXT: 'your own words',
  TRANSFER_ID: 'the id of the transfer',
};
/** Sheets and headers are called as the person who made the file likes. */
const FREE_WORDS: readonly string[] = ['sheet'];

/** A shown command that was pasted as it stands: the word in capitals would be kept as a reason, or as proof. */
function refuseBlanks(where: string, values: readonly unknown[]): void {
  const blank = Object.entries(BLANKS).find(([word]) => values.includes(word));
  if (blank === undefined) return;
  const [word, expected] = blank;
  throw new RequestRefused(
    `${where} has “${word}”, which stands for what only you know; expected ${expected}. ` +
      'Put that in its place and type the command again. Nothing was done.',
  );
}

function optionOf(spec: OptionSpec): Option {
  const option = new Option(spec.flags, spec.text);
  const { parse } = spec;
  if (spec.valueIfBare !== undefined) option.preset(spec.valueIfBare);
  if (parse !== undefined) option.argParser((text, before) => parse(text, before as never));
  return option;
}

/** Commander's words, without its `error:` and with one whole sentence each. */
function usageErrorOf(error: CommanderError, complaint: string, words: readonly string[]): RequestRefused {
  const text = (complaint === '' ? error.message : complaint).trim().replace(/^error: /, '');
  const [sentence = '', hint = ''] = text.split('\n').map((line) => line.trim());
  const whole = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`.replace(/\.?$/, '.');
  const suggestion = hint === '' ? '' : ` ${hint.replace(/^\((.*)\)$/, '$1')}`;
  const topic = words.find((word) => Object.hasOwn(GUIDES, word));
  if (error.code === 'commander.unknownCommand' && topic !== undefined)
    return new RequestRefused(`${whole}${suggestion}`, guideOn(topic));
  const file = words.find((word) => /\.(csv|tsv|txt|xlsx)$/i.test(word));
  const next =
    error.code === 'commander.unknownCommand' && file !== undefined
      ? { ...command('check', [file]), at: placeIn(words) }
      : helpOn(commandNamed(words));
  return new RequestRefused(`${whole}${suggestion}`, next);
}

/** Which service and ledger, read from a call that has a usage error. */
function placeIn(words: readonly string[]): Place {
  const [ledger, config] = [valueAfter('--ledger', words), valueAfter('--config', words)];
  return { sandbox: words.includes('--sandbox'), ledger, config };
}

function commandNamed(words: readonly string[]): Verb | undefined {
  return words.find((word): word is Verb => COMMANDS.some(({ name }) => name === word));
}

function helpWidth(columns = 80): number {
  return Math.min(Math.max(columns, 60), 110);
}

/**
 * Refuses secrets on the command line, where every user of the machine and the shell's history can read them.
 */

const SECRET = /^--?(password|passwd|passphrase|pass|pwd|token|secret|api-?key|key|credentials?)(=|$)/i;

/** Throws before anything else is looked at; the value itself is never repeated. */
export function refuseSecretFlags(words: readonly string[]): void {
  const end = words.indexOf('--');
  const flag = (end < 0 ? words : words.slice(0, end)).find((word) => SECRET.test(word));
  if (flag === undefined) return;
  throw new RequestRefused(
    `${flag.split('=')[0]}: a secret is never a flag, because others can read it there. ` +
      'Put it into the environment (PAYFILE_PASSWORD) or into a file that only you can read (PAYFILE_PASSWORD_FILE).',
    command('doctor'),
  );
}

/**
 * What can be read of a call that has a usage error: enough for metrics and a notification about a cron job that was
 * typed wrong. Nothing is done.
 */

/** undefined when the words are not about a command that works on a batch. */
export function callOfWords(
  words: readonly string[],
  base: Pick<Call, 'terminal' | 'stopping' | 'context' | 'onEnd'>,
): Call | undefined {
  const command = words.find(worksOnBatch);
  if (command === undefined) return undefined;
  const notify = valueAfter('--notify', words);
  const read = {
    sandbox: words.includes('--sandbox') || undefined,
    config: valueAfter('--config', words),
    ledger: valueAfter('--ledger', words),
    batch: valueAfter('--batch', words),
    metricsFile: valueAfter('--metrics-file', words),
    overwrite: words.includes('--overwrite') || undefined,
    notify: notify !== undefined && notifyTargetOf(notify) !== undefined ? notify : undefined,
  };
  const flags = Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
  return { ...base, command, args: [], flags };
}

/** `--flag value` or `--flag=value`. */
function valueAfter(flag: string, words: readonly string[]): string | undefined {
  const at = words.indexOf(flag);
  if (at >= 0) return words[at + 1];
  return words.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1);
}
