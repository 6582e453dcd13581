/**
 * The command's output: results on stdout, messages on stderr, one progress line in between.
 *
 * With --json stdout carries one document and nothing else. With --quiet, results and talk of the work are
 * kept back and shown only when not everything went well. A reader that went away (EPIPE) is no reason to
 * stop: money may be moving. Control sequences in the text are escaped, except our own colours.
 * This is the one place where notices are broken to a terminal's width; a pipe gets every line whole.
 */
import type { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { cutText, jsonText, visibleText } from '../../domain/text/printable.ts';
import { type Digest, QUIET_LINES_MAX, type Summary } from '../monitoring/run-facts.ts';
import type { OutputStream as Stream } from '../process-context.ts';
import { fitted } from './table.ts';

export interface Terminal {
  /** The result that was asked for; shown also with --quiet. */
  print(text: string): void;
  /** The result of work on a batch. */
  result(text: string): void;
  /** A message to the person: what is going on, what to do. */
  talk(text: string): void;
  /** The one JSON document; dropped without --json. The summary is for monitors and short mails. */
  answer(document: Readonly<Record<string, unknown>>, summary?: Summary): void;
  /** The line that is drawn over again; empty clears it. Only on a terminal. */
  line(text: string): void;
  paint(text: string, tone: Tone): string;
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** A progress line may be drawn. */
  readonly hasLine: boolean;
  readonly columns: number;
  /** What a table on stdout may take; without a limit where nothing is shown. */
  readonly tableColumns: number;
  /**
   * Shows what was kept back, unless all is well, and waits until everything is written. The digest, when there is
   * one, stands in for what would fill more than a short mail; `said` lines were written beside it already.
   */
  end(exitCode: number, digest?: Digest, said?: number): Promise<void>;
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
/** Of the document of every command. */
const SCHEMA_VERSION = 1;
/** A quiet run that goes wrong shows the end of what it had to say. */
const KEPT_MAX = 2_000;
/** Sentences are not read well in longer lines. */
const LINE_MAX = 120;

export function createTerminal(options: TerminalOptions): Terminal {
  const { stdout, stderr, json, quiet } = options;
  const { isDumb, hasColor, isPlain, columns } = abilitiesOf(options);
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
    put(to, to.isTTY === true ? fitted(shown, Math.min(columns, LINE_MAX)) : shown);
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
    async end(exitCode, digest, said = 0) {
      clear();
      if (exitCode !== 0) {
        const length = kept.reduce((sum, { text }) => sum + text.trimEnd().split('\n').length, 0);
        const isShort = digest !== undefined && (digest.isEnough || length + said > QUIET_LINES_MAX);
        for (const { to, text } of quiet && isShort ? shortOf(digest, options) : kept) write(to, text);
      }
      await Promise.all([flushed(stdout), flushed(stderr)]);
    },
  };
}

/** What the terminal can show, from what it says of itself. */
function abilitiesOf({ stdout, stderr, env, color }: TerminalOptions) {
  const isDumb = env['TERM'] === 'dumb';
  const noColor = env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '';
  return {
    isDumb,
    hasColor: color && !noColor && !isDumb && stdout.isTTY === true && stderr.isTTY === true,
    isPlain: wantsPlainMarks(env, stderr.isTTY === true || stdout.isTTY === true),
    // A terminal that does not know its width says 0.
    columns: Math.max(40, stderr.columns || stdout.columns || 100),
  };
}

function shortOf({ results, talk }: Digest, { stdout, stderr, json }: TerminalOptions) {
  return [
    ...(json ? [] : results).map((text) => ({ to: stdout, text })),
    ...talk.map((text) => ({ to: stderr, text })),
  ];
}

function flushed(stream: Writable): Promise<void> {
  return new Promise((resolve) => (stream.destroyed ? resolve() : stream.write('', () => resolve())));
}

/** The colours of `paint`, and nothing else that begins with an escape. */
const OWN_COLORS = /(\u001b\[(?:0|1|2|31|32|33)m)/;

function escapeForTerminal(text: string): string {
  return text
    .split(OWN_COLORS)
    .map((part, at) => (at % 2 === 1 ? part : visibleText(part)))
    .join('');
}

/**
 * Marks for a terminal that cannot show ours. Text of files and people stays as it is: only signs that we write
 * ourselves are put into ASCII.
 *
 * Why:     LC_ALL, LC_CTYPE and LANG are read as every program reads them, the first that is set. None set says
 *          nothing: cron and containers leave them out although what they write is read as UTF-8, and scripts look
 *          for our marks there. TERM=dumb is about terminals only.
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

/** Whether a locale says that it can show ASCII only (or another code than ours). */
export function wantsPlainMarks(env: Env, isTerminal: boolean): boolean {
  if (isTerminal && env['TERM'] === 'dumb') return true;
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((each) => (each ?? '') !== '');
  return locale !== undefined && !/utf-?8/i.test(locale);
}

export function inPlainMarks(text: string): string {
  return text.replace(OURS, (mark) => PLAIN[mark] ?? mark);
}
