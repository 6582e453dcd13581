/**
 * The file that a book is kept in: JSON lines, append-only, each entry on disk before anyone is answered.
 *
 * Why:     whatever waits at one moment shares one write and one sync; a process killed in the middle of a
 *          line
 *          leaves a torn last line, which nobody was ever answered for, and which is dropped.
 * Errors:  SandboxBookError `book_damaged`, `book_in_use` or `book_unwritable`.
 */
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, truncateSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { resolve as absolute, dirname } from 'node:path';
import type { AccountScenario } from './scenarios.ts';

export class SandboxBookError extends Error {
  override readonly name = 'SandboxBookError';
  readonly code: 'book_damaged' | 'book_in_use' | 'book_unwritable';
  constructor(code: SandboxBookError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

interface BookContents {
  /** What this book's transfer ids are derived from; undefined in an empty file. */
  readonly seed: string | undefined;
  readonly entries: readonly BookEntry[];
}

interface BookFile {
  readonly contents: BookContents;
  /** Resolves when the entry is on disk. After one failure nothing more is accepted. */
  append(entry: BookEntry): Promise<void>;
  close(): Promise<void>;
}

const KIND = 'payfile sandbox book';
const NEWLINE = 0x0a;
const openHere = new Set<string>();

/** Opens or creates the file, repairs an incomplete last line, and keeps other processes out until it is closed. */
export async function openBookFile(written: string, newSeed: string): Promise<BookFile> {
  const path = absolute(written);
  let unlock = () => {};
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    unlock = lock(path);
    const { contents, goodBytes } = readBytes(path);
    if (goodBytes !== undefined) truncateSync(path, goodBytes);
    const handle = await open(path, 'a', 0o600);
    const seed = contents.seed ?? newSeed;
    const first = `${JSON.stringify({ kind: KIND, version: 1, seed })}\n`;
    if (contents.seed === undefined)
      await writeDurably(handle, first).catch(async (error: unknown) => {
        await handle.close();
        throw error;
      });
    return { contents: { seed, entries: contents.entries }, ...appender(handle, path, unlock) };
  } catch (error) {
    unlock();
    throw openingError(path, error);
  }
}

/** Reads a book without opening it for writing, also while a sandbox uses it. */
export function readBookFile(path: string): BookContents {
  try {
    return readBytes(path).contents;
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
    `This user may not read and write the sandbox book ${path}. Whoever owns it can let the group in: chmod 660 ${path} ` +
      `(and 2770 its folder); or name another ledger with --ledger, whose book lies beside it.`,
    { cause },
  );
}

function appender(handle: FileHandle, path: string, unlock: () => void): Omit<BookFile, 'contents'> {
  let waiting: { line: string; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let flushing: Promise<void> | undefined;
  let broken: SandboxBookError | undefined;
  const flush = async () => {
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      try {
        if (broken) throw broken;
        await writeDurably(handle, group.map(({ line }) => line).join(''));
        for (const { resolve } of group) resolve();
      } catch (cause) {
        broken ??= unwritable(path, cause);
        for (const { reject } of group) reject(broken);
      }
    }
    flushing = undefined;
  };
  return {
    append: (entry) =>
      new Promise((resolve, reject) => {
        waiting.push({ line: `${JSON.stringify(entry)}\n`, resolve, reject });
        flushing ??= flush();
      }),
    close: async () => {
      await flushing;
      await handle.close();
      unlock();
    },
  };
}

async function writeDurably(handle: FileHandle, text: string): Promise<void> {
  await handle.writeFile(text);
  await handle.datasync();
}

function readBytes(path: string): { contents: BookContents; goodBytes: number | undefined } {
  const bytes = readIfThere(path);
  const goodBytes = bytes.lastIndexOf(NEWLINE) + 1;
  const entries: BookEntry[] = [];
  let seed: string | undefined;
  let start = 0;
  for (let lineNumber = 1; start < goodBytes; lineNumber += 1) {
    const end = bytes.indexOf(NEWLINE, start);
    const value = parseLine(bytes.toString('utf8', start, end));
    if (lineNumber === 1) seed = seedOf(value, path);
    else if (isBookEntry(value)) entries.push(value);
    else throw damaged(path, `line ${lineNumber} is not an entry`);
    start = end + 1;
  }
  // A file without one whole line is ours only if its text could be the start of our first line.
  const torn = bytes.toString('utf8', goodBytes);
  if (goodBytes === 0 && !`{"kind":"${KIND}",`.startsWith(torn.slice(0, KIND.length + 10))) {
    throw damaged(path, 'it does not begin like one');
  }
  return { contents: { seed, entries }, goodBytes: goodBytes < bytes.length ? goodBytes : undefined };
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

function seedOf(value: unknown, path: string): string {
  const header = (value ?? {}) as Record<string, unknown>;
  if (header.kind === KIND && header.version === 1 && typeof header.seed === 'string') return header.seed;
  throw damaged(path, 'its first line is not that of a sandbox book');
}

function damaged(path: string, what: string): SandboxBookError {
  return new SandboxBookError(
    'book_damaged',
    `${path} is not a sandbox book, or is damaged: ${what}. Name another file, or move this one away.`,
  );
}

/** One process per book: two would issue the same transfer ids. The lock of a dead process is taken over. */
function lock(path: string): () => void {
  const lockPath = `${path}.lock`;
  if (openHere.has(path)) throw inUse(path, process.pid, lockPath);
  if (!createLock(lockPath)) {
    const holder = Number(readIfThere(lockPath).toString('utf8').trim());
    // If a lock that we do not hold has our process number, an earlier process had it, as happens in a container.
    if (holder !== process.pid && isAlive(holder)) throw inUse(path, holder, lockPath);
    rmSync(lockPath, { force: true });
    if (!createLock(lockPath)) throw inUse(path, holder, lockPath);
  }
  openHere.add(path);
  return () => {
    openHere.delete(path);
    rmSync(lockPath, { force: true });
  };
}

function createLock(lockPath: string): boolean {
  try {
    const descriptor = openSync(lockPath, 'wx', 0o600);
    writeSync(descriptor, `${process.pid}\n`);
    closeSync(descriptor);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function inUse(path: string, holder: number, lockPath: string): SandboxBookError {
  return new SandboxBookError(
    'book_in_use',
    `The sandbox book ${path} is in use by process ${holder}. Wait until it ends, or name another book. ` +
      `If no sandbox is running, delete ${lockPath}.`,
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

/** What a transfer executed now will go through. */
export function transitionsOf(
  at: number,
  speedMs: number,
  scenario: AccountScenario | undefined,
): readonly Transition[] {
  const processing: Transition = { status: 'Processing', at };
  const after = (times: number, status: TransferStatus): Transition => ({ status, at: at + speedMs * times });
  switch (scenario) {
    case 'never_finishes':
      return [processing];
    case 'slow':
      return [processing, after(SLOW_TIMES, 'Finished')];
    case 'failed_later':
      return [processing, after(1, 'Failed')];
    case 'returned_later':
      return [processing, after(1, 'Finished'), after(2, 'Reversed')];
    default:
      return [processing, after(1, 'Finished')];
  }
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
