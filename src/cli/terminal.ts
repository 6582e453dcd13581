/**
 * Where the command speaks: results on stdout, talk on stderr, one progress line in between.
 *
 * With --json stdout carries one document and nothing else. With --quiet, results and talk of the work are
 * kept back and shown only when not everything went well. A reader that went away (EPIPE) is no reason to
 * stop: money may be moving. Whatever is written, the terminal obeys nothing in it but our own colours.
 */
import type { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { cutText } from '../domain/cut-text.ts';
import { jsonText } from '../domain/json-text.ts';
import { visibleText } from '../domain/visible-text.ts';
import { type Digest, QUIET_LINES_MAX } from './quiet-digest.ts';

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
  /**
   * Shows what was kept back, unless all is well, and waits until everything is written. The digest, when there is
   * one, stands in for what would fill more than a short mail.
   */
  end(exitCode: number, digest?: Digest): Promise<void>;
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
    to.write(obeyedByNone(text.endsWith('\n') ? text : `${text}\n`));
  };
  const keep = (to: Writable, text: string) => {
    kept.push({ to, text });
    if (kept.length > KEPT_MAX) kept.shift();
  };
  const shortOf = ({ results, talk }: Digest) => [
    ...(json ? [] : results).map((text) => ({ to: stdout, text })),
    ...talk.map((text) => ({ to: stderr, text })),
  ];

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
    answer: (document) => (json ? write(stdout, jsonText(document, 2)) : undefined),
    line(text) {
      clear();
      if (text === '') return;
      stderr.write(obeyedByNone(cutText(stripVTControlCharacters(text), columns - 1)));
      drawn = true;
    },
    paint: (text, tone) => (hasColor ? `\u001b[${CODES[tone]}m${text}\u001b[0m` : text),
    async end(exitCode, digest) {
      clear();
      if (exitCode !== 0) {
        const length = kept.reduce((sum, { text }) => sum + text.trimEnd().split('\n').length, 0);
        const isLong = digest !== undefined && length > QUIET_LINES_MAX;
        for (const { to, text } of isLong ? shortOf(digest) : kept) write(to, text);
      }
      await Promise.all([flushed(stdout), flushed(stderr)]);
    },
  };
}

function flushed(stream: Writable): Promise<void> {
  return new Promise((resolve) => (stream.destroyed ? resolve() : stream.write('', () => resolve())));
}

/** The colours of `paint`, and nothing else that begins with an escape. */
const OWN_COLORS = /(\u001b\[(?:0|1|2|31|32|33)m)/;

function obeyedByNone(text: string): string {
  return text
    .split(OWN_COLORS)
    .map((part, at) => (at % 2 === 1 ? part : visibleText(part)))
    .join('');
}
