/**
 * The log: JSON lines in a file, or sentences on stderr. Never on stdout, which is for results.
 *
 * Why:     the log accepts only listed fields (ports/log.ts). It masks numbers and tokens in the two free-text fields.
 *          It writes lines at once, because winston's file transport loses them when the process ends.
 * Errors:  LogUnwritable if the log file cannot be opened, before payfile does anything. Its code is `config`.
 */

import { closeSync, constants, openSync, statSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import winston from 'winston';
import { printable } from '../domain/text/printable.ts';
import type { Log, LogFields, LogLevel } from '../ports/log.ts';

export interface LogOptions {
  /** undefined: warnings on stderr, all but debug in a file. */
  readonly level: LogLevel | undefined;
  readonly file: string | undefined;
  /** Writes one line for a person. The host decides where. */
  readonly say: (line: string) => void;
}

export interface ClosableLog extends Log {
  /** Resolves when all lines are written. */
  close(): Promise<void>;
}

class LogUnwritable extends Error {
  override readonly name = 'LogUnwritable';
  readonly code = 'config';
}

/** Maximum of different warnings shown. A repeated one is shown once. A log file keeps all of them. */
const WARNINGS_SHOWN_MAX = 200;

export function createWinstonLog(options: LogOptions): ClosableLog {
  const { stream, transport } =
    options.file === undefined ? sentenceTransport(options.say) : fileTransport(options.file);
  const level = options.level ?? (options.file === undefined ? 'warn' : 'info');
  const logger = winston.createLogger({
    level,
    levels: { error: 0, warn: 1, info: 2, debug: 3 },
    transports: [transport],
  });
  // A broken log must not stop payments. The ledger keeps the state of every payment.
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

/** Copies field by field, so that a JavaScript caller cannot add other fields. */
function allowed(fields: LogFields): LogFields {
  const kept: [name: string, value: string | number][] = [];
  for (const name of FIELDS) {
    const value = fields[name];
    if (typeof value === 'string')
      kept.push([name, printable(FREE_TEXT.has(name) ? maskNumbers(value) : value)]);
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

/** Follows a link only to a device or a pipe, such as /dev/stderr. */
function flagsFor(path: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants;
  const isDirect = statSync(path, { throwIfNoEntry: false })?.isFile() === false;
  return isDirect ? O_WRONLY | O_APPEND : O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW;
}

function sentenceTransport(say: (line: string) => void) {
  const said = new Set<string>();
  const stream = new Writable({
    write(chunk, _encoding, done) {
      const line = String(chunk).trimEnd();
      if (!said.has(line) && said.size < WARNINGS_SHOWN_MAX) {
        said.add(line);
        say(line);
      }
      done();
    },
  });
  return {
    stream,
    transport: new winston.transports.Stream({ stream, format: winston.format.printf(sentenceOf) }),
  };
}

/** `Warning: service gave no answer (countries, connection refused)` */
function sentenceOf(info: Readonly<Record<string, unknown>>): string {
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

/** Masks text that looks like an account number or a token, in free-text fields. */
const DIGIT_RUN = /\d[\d -]{5,}\d/g;
const LONG_WORD = /[A-Za-z0-9_-]{32,}/g;

/** `no route to 0244123456` → `no route to ••••3456`; dates stay. */
export function maskNumbers(text: string): string {
  const withoutWords = text.replace(LONG_WORD, (word) => `••••${word.slice(-4)}`);
  return withoutWords.replace(DIGIT_RUN, (run) => (isDate(run) ? run : `••••${run.slice(-4)}`));
}

function isDate(run: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(run.trim());
}
