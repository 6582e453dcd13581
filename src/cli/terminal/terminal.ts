/**
 * Output of the command: results on stdout, messages on stderr, and one progress line.
 *
 * With --json, stdout has only one document. With --quiet, payfile keeps results and messages back, and shows them only
 * after a failure. A closed pipe (EPIPE) does not stop the work, because money may be moving. payfile escapes control
 * sequences in text, except its own colours. Only this file wraps text to the width of a terminal. A pipe gets every
 * line in full.
 */
import type { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { cutText, jsonText, visibleText } from '../../domain/text/printable.ts';
import { QUIET_LINES_MAX, type ShortOutput, type Summary } from '../monitoring/run-facts.ts';
import type { OutputStream as Stream } from '../process-context.ts';
import { wrapMessage } from './table.ts';

export interface Terminal {
  /** The requested result. --quiet shows it too. */
  print(text: string): void;
  /** The result of work on a batch. */
  result(text: string): void;
  /** A message to the user about the work or the next step. */
  talk(text: string): void;
  /** Prints the JSON document with --json. The summary is for monitors and short mails. */
  answer(document: Readonly<Record<string, unknown>>, summary?: Summary): void;
  /** Redraws the progress line; empty text clears it. Only on a terminal. */
  line(text: string): void;
  paint(text: string, tone: Tone): string;
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** The terminal can show a progress line. */
  readonly hasLine: boolean;
  readonly columns: number;
  /** Maximum width of a table on stdout; no limit without a terminal. */
  readonly tableColumns: number;
  /**
   * After a failure, prints the kept output. Then waits until everything is written. The short output replaces
   * output that is too long for a mail. `linesWritten`: number of lines already written.
   */
  end(exitCode: number, shortOutput?: ShortOutput, linesWritten?: number): Promise<void>;
}

type Tone = 'good' | 'bad' | 'doubt' | 'strong' | 'quiet';

interface TerminalOptions {
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly color: boolean;
}

const CODES: Readonly<Record<Tone, string>> = { good: '32', bad: '31', doubt: '33', strong: '1', quiet: '2' };
const CLEAR_LINE = '\r\u001b[2K';
/** Schema version of every JSON document. */
const SCHEMA_VERSION = 1;
/** Maximum lines kept. After a failure, a quiet run shows the last ones. */
const KEPT_MAX = 2_000;
/** Longer lines are hard to read. */
const LINE_MAX = 120;

export function createTerminal(options: TerminalOptions): Terminal {
  const { stdout, stderr, json, quiet } = options;
  const { isDumb, hasColor, isPlain, columns } = terminalAbilities(options);
  const marked = (text: string) => (isPlain ? inPlainMarks(text) : text);
  const kept: { readonly to: Stream; readonly text: string }[] = [];
  let drawn = false;
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);

  const clear = () => {
    if (drawn) stderr.write(CLEAR_LINE);
    drawn = false;
  };
  const put = (to: Writable, text: string) => {
    clear();
    to.write(text.endsWith('\n') ? text : `${text}\n`);
  };
  const write = (to: Stream, text: string) => {
    const shown = escapeForTerminal(marked(text));
    put(to, to.isTTY === true ? wrapMessage(shown, Math.min(columns, LINE_MAX)) : shown);
  };
  const keep = (to: Stream, text: string) => {
    kept.push({ to, text });
    if (kept.length > KEPT_MAX) kept.shift();
  };

  return {
    isJson: json,
    isQuiet: quiet,
    hasLine: stderr.isTTY === true && !isDumb && !quiet,
    columns,
    tableColumns: stdout.isTTY === true ? columns : Number.POSITIVE_INFINITY,
    print: (text) => (json ? undefined : write(stdout, text)),
    result(text) {
      if (json) return;
      if (quiet) keep(stdout, text);
      else write(stdout, text);
    },
    talk: (text) => (quiet ? keep(stderr, text) : write(stderr, text)),
    answer(document) {
      if (json) put(stdout, escapeForTerminal(jsonText({ schemaVersion: SCHEMA_VERSION, ...document }, 2)));
    },
    line(text) {
      clear();
      if (text === '') return;
      stderr.write(escapeForTerminal(cutText(stripVTControlCharacters(marked(text)), columns - 1)));
      drawn = true;
    },
    paint: (text, tone) => (hasColor ? `\u001b[${CODES[tone]}m${text}\u001b[0m` : text),
    async end(exitCode, short, written = 0) {
      clear();
      if (exitCode !== 0) {
        const length = kept.reduce((sum, { text }) => sum + text.trimEnd().split('\n').length, 0);
        const isReplaced =
          short !== undefined && (short.replacesShortOutput || length + written > QUIET_LINES_MAX);
        for (const { to, text } of quiet && isReplaced ? shortLines(short, options) : kept) write(to, text);
      }
      await Promise.all([flushed(stdout), flushed(stderr)]);
    },
  };
}

/** Abilities of the terminal, from its environment. */
function terminalAbilities({ stdout, stderr, env, color }: TerminalOptions) {
  const isDumb = env['TERM'] === 'dumb';
  const noColor = env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '';
  return {
    isDumb,
    hasColor: color && !noColor && !isDumb && stdout.isTTY === true && stderr.isTTY === true,
    isPlain: wantsPlainMarks(env, stderr.isTTY === true || stdout.isTTY === true),
    // A terminal without a known width reports 0.
    columns: Math.max(40, stderr.columns || stdout.columns || 100),
  };
}

function shortLines({ results, talk }: ShortOutput, { stdout, stderr, json }: TerminalOptions) {
  return [
    ...(json ? [] : results).map((text) => ({ to: stdout, text })),
    ...talk.map((text) => ({ to: stderr, text })),
  ];
}

function flushed(stream: Writable): Promise<void> {
  return new Promise((resolve) => (stream.destroyed ? resolve() : stream.write('', () => resolve())));
}

/** Matches only the colours of `paint`, and no other escape sequence. */
const OWN_COLORS = /(\u001b\[(?:0|1|2|31|32|33)m)/;

function escapeForTerminal(text: string): string {
  return text
    .split(OWN_COLORS)
    .map((part, at) => (at % 2 === 1 ? part : visibleText(part)))
    .join('');
}

/**
 * ASCII marks for a terminal that cannot show Unicode. Replaces only marks that payfile writes, never text of files or
 * people.
 *
 * Why:     the first set variable of LC_ALL, LC_CTYPE and LANG decides, as in other programs. If none is set, payfile
 *          keeps Unicode: cron and containers leave them out, but scripts there expect our marks. TERM=dumb only
 *          concerns terminals.
 */
const PLAIN: Readonly<Record<string, string>> = {
  '✔': '[ok]',
  '✖': '[x]',
  '→': '->',
  '↩': '<-',
  '…': '...',
  '–': '-',
  '—': '-',
  '−': '-',
  '·': '|',
  '•': '*',
  '“': '"',
  '”': '"',
  '’': "'",
};
const OURS = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');

type Env = Readonly<Record<string, string | undefined>>;

/** Whether the locale cannot show UTF-8. */
export function wantsPlainMarks(env: Env, isTerminal: boolean): boolean {
  if (isTerminal && env['TERM'] === 'dumb') return true;
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((each) => (each ?? '') !== '');
  return locale !== undefined && !/utf-?8/i.test(locale);
}

export function inPlainMarks(text: string): string {
  return text.replace(OURS, (mark) => PLAIN[mark] ?? mark);
}
