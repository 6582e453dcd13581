/**
 * The file that a book is kept in: JSON lines, append-only, each entry on disk before anyone is answered. Several
 * processes may have it open: each only adds whole lines to its end, and reads what the others added.
 *
 * Why:     whatever waits at one moment shares one write and one sync. A process killed in the middle of a line leaves
 *          a torn one, which nobody was ever answered for. It is not cut off, because another process may be writing:
 *          whoever adds a line behind it writes a mark first, and the line before a mark does not count. Account holders that
 *          a host named stand between the entries.
 * Errors:  SandboxBookError `book_damaged` or `book_unwritable`.
 */
import { fstatSync, mkdirSync, readFileSync, readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { resolve as absolute, dirname } from 'node:path';
import type { AccountScenario } from './scenarios.ts';

export class SandboxBookError extends Error {
  override readonly name = 'SandboxBookError';
  readonly code: 'book_damaged' | 'book_unwritable';
  constructor(code: SandboxBookError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const KIND = 'payfile sandbox book';
const HOLDER_KIND = 'payfile sandbox holder';
const NEWLINE = 0x0a;
const MARK = '#';

/** Opens or creates the file. `seed`: what transfer ids are derived from. */
export async function openBookFile(written: string, newSeed: string) {
  const path = absolute(written);
  let handle: FileHandle | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    handle = await open(path, 'a+', 0o600);
    const reader = new BookReader(path);
    const { fd } = handle;
    const found = [...reader.read(bytesFrom(fd, 0))];
    // Two that begin a book at once both write a first line; the one that stands first counts.
    if (reader.seed === undefined)
      await addLines(handle, `${JSON.stringify({ kind: KIND, version: 1, seed: newSeed })}\n`);
    /** The entries that came since the last call, of whichever process; all of them at the first call. */
    const added = (): readonly BookEntry[] => [
      ...found.splice(0),
      ...reader.read(bytesFrom(fd, reader.offset)),
    ];
    found.push(...added());
    const { append, end } = appender(handle, path);
    /** Gives the entries that came last. */
    const close = async () => {
      await end();
      const last = added();
      await handle?.close();
      return last;
    };
    const know = (holders: readonly NamedHolder[]) =>
      append(holders.map((holder) => ({ kind: HOLDER_KIND, ...holder })));
    return {
      seed: reader.seed ?? newSeed,
      added,
      append,
      know,
      holders: () => reader.holders.splice(0),
      close,
    };
  } catch (error) {
    await handle?.close();
    throw openingError(path, error);
  }
}

/** Reads a book without opening it for writing, also while sandboxes use it. */
export function readBookFile(path: string) {
  try {
    const reader = new BookReader(path);
    const entries = reader.read(readIfThere(path));
    return { seed: reader.seed, entries };
  } catch (error) {
    throw openingError(path, error);
  }
}

function openingError(path: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return forbidden(path, error);
  return code === 'ENOSPC' ? unwritable(path, error) : error;
}

function unwritable(path: string, cause: unknown): SandboxBookError {
  const isFull = (cause as NodeJS.ErrnoException).code === 'ENOSPC';
  const why = isFull
    ? `: the disk is full. Make room where ${dirname(path)} is, then run the command again.`
    : '.';
  return new SandboxBookError('book_unwritable', `The sandbox cannot write its book ${path}${why}`, {
    cause,
  });
}

function forbidden(path: string, cause: unknown): SandboxBookError {
  return new SandboxBookError(
    'book_unwritable',
    `This user cannot read and write the sandbox book ${path}. Name another ledger with --ledger; it has its own book.`,
    { cause },
  );
}

function appender(handle: FileHandle, path: string) {
  let waiting: { line: string; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let flushing: Promise<void> | undefined;
  let broken: SandboxBookError | undefined;
  const flush = async () => {
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      try {
        if (broken) throw broken;
        await addLines(handle, group.map(({ line }) => line).join(''));
        for (const { resolve } of group) resolve();
      } catch (cause) {
        broken ??= unwritable(path, cause);
        for (const { reject } of group) reject(broken);
      }
    }
    flushing = undefined;
  };
  return {
    /** Resolves when the lines are on disk. After one failure nothing more is accepted. */
    append: (lines: readonly object[]) =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ line: lines.map((each) => `${JSON.stringify(each)}\n`).join(''), resolve, reject });
        flushing ??= flush();
      }),
    end: async () => flushing,
  };
}

/**
 * In one write, so that lines of two processes never mix. Where another process is about to end its line, the mark comes
 * behind an empty line and takes nothing away.
 */
async function addLines(handle: FileHandle, lines: string): Promise<void> {
  const bytes = Buffer.from(endsTorn(handle.fd) ? `\n${MARK}\n${lines}` : lines);
  const { bytesWritten } = await handle.write(bytes);
  if (bytesWritten < bytes.length)
    throw Object.assign(new Error('not all of it could be written'), { code: 'ENOSPC' });
  await handle.datasync();
}

function endsTorn(fd: number): boolean {
  const { size } = fstatSync(fd);
  return size > 0 && bytesFrom(fd, size - 1)[0] !== NEWLINE;
}

function bytesFrom(fd: number, offset: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, fstatSync(fd).size - offset));
  const count = bytes.length === 0 ? 0 : readSync(fd, bytes, 0, bytes.length, offset);
  return bytes.subarray(0, count);
}

/** Understands the file from its first byte on, as far as whole lines go. */
class BookReader {
  seed: string | undefined;
  /** Behind the last line that was understood. */
  offset = 0;
  /** Those that were read, the oldest first. */
  readonly holders: NamedHolder[] = [];
  readonly #path: string;
  #lineNumber = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** `bytes` begin at the offset. A line that is not whole yet is left for the next time. */
  read(bytes: Buffer): readonly BookEntry[] {
    const entries: BookEntry[] = [];
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    const lines = bytes.toString('utf8', 0, end).split('\n').slice(0, -1);
    for (const [index, line] of lines.entries()) {
      this.#lineNumber += 1;
      if (line === '' || line === MARK || lines[index + 1] === MARK) continue;
      const value = parseLine(line);
      if (this.seed === undefined) this.seed = this.#seedOf(value);
      else if (isBookEntry(value)) entries.push(value);
      else if (isHolder(value)) this.holders.push(value);
      else if (!isHeader(value)) throw damaged(this.#path, `line ${this.#lineNumber} is not an entry`);
    }
    // A file without one whole line is ours only if its text could be the start of our first line.
    const torn = bytes.toString('utf8', end);
    if (this.seed === undefined && !`{"kind":"${KIND}",`.startsWith(torn.slice(0, KIND.length + 10)))
      throw damaged(this.#path, 'it does not begin like one');
    this.offset += end;
    return entries;
  }

  #seedOf(value: unknown): string {
    if (isHeader(value)) return value.seed;
    throw damaged(this.#path, 'its first line is not that of a sandbox book');
  }
}

function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isHeader(value: unknown): value is { readonly seed: string } {
  const { kind, version, seed } = (value ?? {}) as Record<string, unknown>;
  return kind === KIND && version === 1 && typeof seed === 'string';
}

/** Whose account it is, as a host said. */
export interface NamedHolder {
  /** Institution id. */
  readonly institution: string;
  readonly account: string;
  readonly name: string;
}

function isHolder(value: unknown): value is NamedHolder {
  const { kind, ...holder } = (value ?? {}) as Record<string, unknown>;
  return (
    kind === HOLDER_KIND && ['institution', 'account', 'name'].every((key) => typeof holder[key] === 'string')
  );
}

function damaged(path: string, what: string): SandboxBookError {
  return new SandboxBookError(
    'book_damaged',
    `${path} is not a sandbox book, or is damaged: ${what}. Name another file, or move this one away.`,
  );
}

/**
 * One executed transfer, as in the sandbox's book. Tests compare what payfile reports with this book.
 *
 * Why:     the statuses still to come are written down when the transfer executes, and the current one
 *          follows from the time; so no timer runs, and a restart changes nothing.
 */

export type TransferStatus = 'Processing' | 'Finished' | 'Failed' | 'Reversed';

export interface Transition {
  readonly status: TransferStatus;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface BookEntry {
  readonly id: string;
  /** When it executed, in milliseconds since 1970. */
  readonly at: number;
  /** Country ids. */
  readonly source: string;
  readonly destination: string;
  /** Institution id. */
  readonly institution: string;
  readonly account: string;
  readonly name: string;
  readonly phone: string;
  /** Decimal text in the destination's currency, as executed. */
  readonly amount: string;
  readonly currency: string;
  readonly note: string;
  /** In order of time; the last may be in the future. */
  readonly transitions: readonly Transition[];
}

// Later than a first look, early enough for a rehearsal.
export const SLOW_TIMES = 15;

/** What follows Processing, each after so many times the quoted speed. */
const COMES: Readonly<Partial<Record<AccountScenario, readonly (readonly [number, TransferStatus])[]>>> = {
  never_finishes: [],
  slow: [[SLOW_TIMES, 'Finished']],
  failed_later: [[1, 'Failed']],
  returned_later: [
    [1, 'Finished'],
    [2, 'Reversed'],
  ],
};

/** What a transfer executed now will go through. */
export function transitionsOf(
  at: number,
  speedMs: number,
  scenario: AccountScenario | undefined,
): readonly Transition[] {
  const comes = (scenario && COMES[scenario]) ?? [[1, 'Finished']];
  return [
    { status: 'Processing', at },
    ...comes.map(([times, status]) => ({ status, at: at + speedMs * times })),
  ];
}

export function statusAt(entry: BookEntry, now: number): TransferStatus {
  let status: TransferStatus = 'Processing';
  for (const transition of entry.transitions) if (transition.at <= now) status = transition.status;
  return status;
}

const TEXTS = 'id source destination institution account name phone amount currency note'.split(' ');
const STATUSES: readonly unknown[] = ['Processing', 'Finished', 'Failed', 'Reversed'];

/** Whether a line of a book file is an entry; a book written by hand is not trusted. */
function isBookEntry(value: unknown): value is BookEntry {
  if (value === null || typeof value !== 'object') return false;
  const entry = value as Record<string, unknown>;
  const { at, transitions } = entry;
  if (!TEXTS.every((key) => typeof entry[key] === 'string') || !isTime(at)) return false;
  return Array.isArray(transitions) && transitions.length > 0 && transitions.every(isTransition);
}

function isTransition(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false;
  const { status, at } = value as Record<string, unknown>;
  return STATUSES.includes(status) && isTime(at);
}

function isTime(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}
