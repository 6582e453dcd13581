/**
 * The log: JSON lines in a file, or plain words on stderr. Never stdout, which belongs to the results.
 *
 * Why:     only fields of the allow-list get here (ports/log.ts); the two that carry free text pass a net.
 *          Lines are written at once: winston's own file transport loses them when the process ends.
 * Errors:  a log file that cannot be opened is a ConfigError, before anything is done.
 */

import { closeSync, constants, openSync, statSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import winston from 'winston';
import { printable } from '../domain/text/printable.ts';
import type { Log, LogFields, LogLevel } from '../ports/log.ts';

export interface LogOptions {
  /** undefined: warnings on stderr, everything but debug in a file. */
  readonly level: LogLevel | undefined;
  readonly file: string | undefined;
  /** Writes one line for a person; the face decides where it goes. */
  readonly say: (line: string) => void;
}

export interface ClosableLog extends Log {
  /** Resolves when every line is written. */
  close(): Promise<void>;
}

class LogUnwritable extends Error {
  override readonly name = 'LogUnwritable';
  readonly code = 'config';
}

/** A repeated warning is shown once; a log file keeps all of them. */
const SAID_MAX = 200;

export function createWinstonLog(options: LogOptions): ClosableLog {
  const { stream, transport } =
    options.file === undefined ? sayingTransport(options.say) : fileTransport(options.file);
  const level = options.level ?? (options.file === undefined ? 'warn' : 'info');
  const logger = winston.createLogger({
    level,
    levels: { error: 0, warn: 1, info: 2, debug: 3 },
    transports: [transport],
  });
  // A log that breaks must not stop payments; the work itself is in the ledger.
  logger.on('error', () => undefined);
  stream.on('error', () => undefined);
  return {
    write(lineLevel, event, fields = {}) {
      logger.log({ level: lineLevel, message: event, ...allowed(fields) });
    },
    close: async () => {
      logger.end();
      await new Promise<void>((resolve) => stream.end(() => resolve()));
    },
  };
}

const FIELDS: readonly (keyof LogFields)[] = [
  ...(['batch', 'payout', 'row', 'attempt', 'status', 'endpoint', 'httpStatus', 'code', 'phase'] as const),
  ...(['reason', 'durationMs', 'count', 'delayMs', 'path', 'queue'] as const),
];
const FREE_TEXT: ReadonlySet<string> = new Set(['reason', 'path']);

/** Copied field by field: a caller in plain JavaScript cannot slip in another one. */
function allowed(fields: LogFields): LogFields {
  const kept: [name: string, value: string | number][] = [];
  for (const name of FIELDS) {
    const value = fields[name];
    if (typeof value === 'string')
      kept.push([name, printable(FREE_TEXT.has(name) ? redacted(value) : value)]);
    else if (value !== undefined) kept.push([name, value]);
  }
  return Object.fromEntries(kept);
}

function fileTransport(path: string) {
  let file: number;
  try {
    file = openSync(path, flagsFor(path), 0o600);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
    throw new LogUnwritable(`The log file ${path} cannot be written (${code}).`, { cause });
  }
  const stream = new Writable({
    write(chunk, _encoding, done) {
      try {
        writeSync(file, chunk);
        done();
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
    final(done) {
      closeSync(file);
      done();
    },
  });
  const { combine, timestamp, json } = winston.format;
  return {
    stream,
    transport: new winston.transports.Stream({ stream, format: combine(timestamp(), json()) }),
  };
}

/** A link is followed to a device or a pipe only, such as /dev/stderr. */
function flagsFor(path: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants;
  const isDirect = statSync(path, { throwIfNoEntry: false })?.isFile() === false;
  return isDirect ? O_WRONLY | O_APPEND : O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW;
}

function sayingTransport(say: (line: string) => void) {
  const said = new Set<string>();
  const stream = new Writable({
    write(chunk, _encoding, done) {
      const line = String(chunk).trimEnd();
      if (!said.has(line) && said.size < SAID_MAX) {
        said.add(line);
        say(line);
      }
      done();
    },
  });
  return {
    stream,
    transport: new winston.transports.Stream({ stream, format: winston.format.printf(inWords) }),
  };
}

/** `Warning: service gave no answer (countries, connection refused)` */
function inWords(info: Readonly<Record<string, unknown>>): string {
  const { level, message, endpoint, reason, row, batch, count, path } = info;
  const facts = [
    row === undefined ? undefined : `row ${row}`,
    batch === undefined ? undefined : `batch ${batch}`,
    count === undefined ? undefined : `${count} times`,
    endpoint,
    path,
    reason,
  ].filter((fact) => fact !== undefined);
  const word = level === 'error' ? 'Error' : level === 'warn' ? 'Warning' : String(level);
  const sentence = String(message).replaceAll('_', ' ');
  return `${word}: ${sentence}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
}

/**
 * The net below the allow-list: whatever looks like an account number or a token in free text is masked
 * before it is written.
 */
const DIGIT_RUN = /\d[\d -]{5,}\d/g;
const LONG_WORD = /[A-Za-z0-9_-]{32,}/g;

/** `no route to 0244123456` → `no route to ••••3456`; dates and times stay. */
export function redacted(text: string): string {
  const withoutWords = text.replace(LONG_WORD, (word) => `••••${word.slice(-4)}`);
  return withoutWords.replace(DIGIT_RUN, (run) => (isDate(run) ? run : `••••${run.slice(-4)}`));
}

function isDate(run: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(run.trim());
}
