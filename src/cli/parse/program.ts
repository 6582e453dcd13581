/**
 * Parses words and flags into a call of one command. Only this file uses commander.
 *
 * Errors:  RequestRefused for invalid words (exit code 64).
 */

import { Command, CommanderError, Option } from 'commander';
import { type Blank, command, guideOn, helpOn, type Place } from '../../domain/next-steps/command.ts';
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
  /** The user requested help. */
  | { readonly kind: 'help'; readonly text: string };

/** `columns`: width of the terminal, for help. */
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
    // For an invalid value, point to the help of its command.
    const help = helpOn(commandNamed(words));
    if (error instanceof RequestRefused && error.next === undefined && error.andThen === undefined)
      throw new RequestRefused(error.said ?? error.message, help);
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0 || error.code === 'commander.help') return { kind: 'help', text: output };
    throw usageErrorOf(error, complaint, words);
  }
  return parsed ?? { kind: 'help', text: mainHelp() };
}

/** For an unknown topic, commander would print the main help without an error. */
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

/** Loads flags and code only for the typed command. Other commands have just a name. */
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
    // Commander passes each declared argument, then the flags, then the command.
    const args = given
      .slice(0, -2)
      .flat()
      .filter((word): word is string => typeof word === 'string');
    // The parsers of the option table return the types that Flags declares.
    const flags = command.optsWithGlobals() as Flags;
    refuseBlanks(`payfile ${name}`, args);
    for (const option of [...command.options, ...root.options])
      if (!FREE_WORDS.includes(option.attributeName()))
        refuseBlanks(option.long ?? option.flags, [flags[option.attributeName() as keyof Flags]].flat());
    found({ kind: 'call', command: name, args, flags, load });
  });
}

/** What each placeholder in a shown command stands for. */
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
/** Flags that accept placeholder words, because people name sheets as they like. */
const FREE_WORDS: readonly string[] = ['sheet'];

/** Refuses a pasted command with a placeholder. It could become a reason or a proof in the journal. */
function refuseBlanks(where: string, values: readonly unknown[]): void {
  const blank = Object.entries(BLANKS).find(([word]) => values.includes(word));
  if (blank === undefined) return;
  const [word, expected] = blank;
  throw new RequestRefused(
    `${where} has the placeholder “${word}”; expected ${expected}. ` +
      'Replace it and type the command again. Nothing was done.',
  );
}

function optionOf(spec: OptionSpec): Option {
  const option = new Option(spec.flags, spec.text);
  const { parse } = spec;
  if (spec.valueIfBare !== undefined) option.preset(spec.valueIfBare);
  if (parse !== undefined) option.argParser((text, before) => parse(text, before as never));
  return option;
}

/** Turns an error of commander into full sentences without `error:`. */
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

/** Service and ledger of a call with a usage error. */
function placeIn(words: readonly string[]): Place {
  const [ledger, config] = [valueAfter('--ledger', words), valueAfter('--config', words)];
  return { sandbox: words.includes('--sandbox'), ledger, config };
}

function commandNamed(words: readonly string[]): string | undefined {
  return words.find((word) => COMMANDS.some(({ name }) => name === word));
}

function helpWidth(columns = 80): number {
  return Math.min(Math.max(columns, 60), 110);
}

/** Refuses secrets on the command line, because other users and the shell history can read them. */

const SECRET = /^--?(password|passwd|passphrase|pass|pwd|token|secret|api-?key|key|credentials?)(=|$)/i;

/** Runs before anything else reads the words. Never repeats the value. */
export function refuseSecretFlags(words: readonly string[]): void {
  const end = words.indexOf('--');
  const flag = (end < 0 ? words : words.slice(0, end)).find((word) => SECRET.test(word));
  if (flag === undefined) return;
  throw new RequestRefused(
    `${flag.split('=')[0]}: do not pass a secret as a flag, because others can read it. ` +
      'Put it into the environment (PAYFILE_PASSWORD) or into a file that only you can read (PAYFILE_PASSWORD_FILE).',
    command('doctor'),
  );
}

/**
 * Reads parts of a call with a usage error, for metrics and a notification about a wrong cron job. Does nothing else.
 */

/** undefined if the words name no command that works on a batch. */
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

/** Value of `--flag value` or `--flag=value`. */
function valueAfter(flag: string, words: readonly string[]): string | undefined {
  const at = words.indexOf(flag);
  if (at >= 0) return words[at + 1];
  return words.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1);
}
