/**
 * Where the command speaks: results on stdout, talk on stderr, one progress line in between.
 *
 * With --json stdout carries one document and nothing else. With --quiet, results and talk of the work are
 * kept back and shown only when not everything went well. A reader that went away (EPIPE) is no reason to
 * stop: money may be moving.
 */
import type { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';

export interface Terminal {
  /** Something was asked for and this is it; shown also with --quiet. */
  print(text: string): void;
  /** What the work came to. */
  result(text: string): void;
  /** To the person: what is going on, what to do. */
  talk(text: string): void;
  /** The one JSON document; dropped without --json. */
  answer(document: Readonly<Record<string, unknown>>): void;
  /** The line that is drawn over again; empty clears it. Only on a terminal. */
  line(text: string): void;
  paint(text: string, tone: Tone): string;
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** A progress line may be drawn. */
  readonly hasLine: boolean;
  readonly columns: number;
  /** Shows what was kept back, unless all is well, and waits until everything is written. */
  end(exitCode: number): Promise<void>;
}

export type Tone = 'good' | 'bad' | 'doubt' | 'strong' | 'quiet';

export interface TerminalOptions {
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly color: boolean;
}

const CODES: Readonly<Record<Tone, string>> = { good: '32', bad: '31', doubt: '33', strong: '1', quiet: '2' };
const CLEAR_LINE = '\r\u001b[2K';
/** A quiet run that goes wrong shows the end of what it had to say. */
const KEPT_MAX = 2_000;

export function createTerminal(options: TerminalOptions): Terminal {
  const { stdout, stderr, env, json, quiet } = options;
  const isDumb = env['TERM'] === 'dumb';
  const noColor = env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '';
  const hasColor = options.color && !noColor && !isDumb && stdout.isTTY === true && stderr.isTTY === true;
  // A terminal that does not know its width says 0.
  const columns = Math.max(40, stderr.columns || stdout.columns || 100);
  const kept: { readonly to: Writable; readonly text: string }[] = [];
  let drawn = false;
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);

  const clear = () => {
    if (drawn) stderr.write(CLEAR_LINE);
    drawn = false;
  };
  const write = (to: Writable, text: string) => {
    clear();
    to.write(text.endsWith('\n') ? text : `${text}\n`);
  };
  const keep = (to: Writable, text: string) => {
    kept.push({ to, text });
    if (kept.length > KEPT_MAX) kept.shift();
  };
  const flushed = (stream: Writable) =>
    new Promise<void>((resolve) => (stream.destroyed ? resolve() : stream.write('', () => resolve())));

  return {
    isJson: json,
    isQuiet: quiet,
    hasLine: stderr.isTTY === true && !isDumb && !quiet,
    columns,
    print: (text) => (json ? undefined : write(stdout, text)),
    result(text) {
      if (json) return;
      if (quiet) keep(stdout, text);
      else write(stdout, text);
    },
    talk: (text) => (quiet ? keep(stderr, text) : write(stderr, text)),
    answer: (document) => (json ? write(stdout, JSON.stringify(document, undefined, 2)) : undefined),
    line(text) {
      clear();
      if (text === '') return;
      stderr.write(cut(text, columns - 1));
      drawn = true;
    },
    paint: (text, tone) => (hasColor ? `\u001b[${CODES[tone]}m${text}\u001b[0m` : text),
    async end(exitCode) {
      clear();
      if (exitCode !== 0) for (const { to, text } of kept) write(to, text);
      await Promise.all([flushed(stdout), flushed(stderr)]);
    },
  };
}

function cut(text: string, width: number): string {
  const plain = stripVTControlCharacters(text);
  return plain.length <= width ? plain : `${plain.slice(0, Math.max(0, width - 1))}…`;
}
