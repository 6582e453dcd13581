/**
 * A payout file, opened once: every pass over it reads the same open file, and the end of a reading checks
 * that nobody wrote to it meanwhile.
 *
 * Standard input is first kept in a private temporary file that is unlinked at once, so that it can be read
 * again and leaves nothing behind.
 * Errors:  FileRefused; `file_missing` when it cannot be opened.
 */
import { randomUUID } from 'node:crypto';
import { constants, type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { STANDARD_INPUT } from '../domain/batches/batch.ts';
import type { WrittenRow } from '../domain/rows/row.ts';
import { printable } from '../domain/text/printable.ts';
import { FileRefused } from '../ports/row-source.ts';

const LARGEST_FILE = 200 * 1024 * 1024;

export interface PayoutFile {
  /** For messages: the file's name, control characters removed; “standard input” for `-`. */
  readonly name: string;
  readonly size: number;
  /** Of the open file, for a thread that reads it too: it has to end before the file is closed. */
  readonly fd: number;
  /** The bytes from `start` up to and without `end`. */
  read(start?: number, end?: number): AsyncGenerator<Buffer>;
  head(bytes: number): Promise<Buffer>;
  /** Throws when the file was changed since it was opened. */
  assertUnchanged(): Promise<void>;
  close(): Promise<void>;
}

/** Looks whether there is a file that may be read; `shown` is its path as it was named. */
export async function requireFile(path: string, shown: string): Promise<void> {
  if (shown !== '-') await (await opened(path, shown)).close();
}

export async function openPayoutFile(path: string, stdin: Readable): Promise<PayoutFile> {
  const name = path === '-' ? STANDARD_INPUT : printable(basename(path));
  const handle = path === '-' ? await spooled(stdin) : await opened(path);
  try {
    return await described(handle, name);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function described(handle: FileHandle, name: string): Promise<PayoutFile> {
  const first = await handle.stat({ bigint: true });
  if (!first.isFile()) throw new FileRefused(`${name} is not a file; expected a .csv or .xlsx file.`);
  const size = Number(first.size);
  if (size > LARGEST_FILE) throw tooLarge(name);
  if (size === 0) throw new FileRefused(`${name} is empty: there is nothing to pay.`);
  return {
    ...{ name, size, fd: handle.fd },
    read: (start = 0, end = size) => bytesOf((...how) => handle.read(...how), start, end),
    async head(bytes) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(bytes, size)), { position: 0 });
      return buffer.subarray(0, bytesRead);
    },
    async assertUnchanged() {
      const now = await handle.stat({ bigint: true });
      // A writer may set the time of writing back, but not the time of the last change to the file's entry.
      const isSame =
        now.size === first.size && now.mtimeNs === first.mtimeNs && now.ctimeNs === first.ctimeNs;
      if (isSame) return;
      throw new FileRefused(
        `${name} was changed while it was being read. Run again when nobody is writing to it.`,
      );
    },
    close: () => handle.close(),
  };
}

const CHUNK_BYTES = 128 * 1024;

type ReadAt = (
  ...into: readonly [Buffer, offset: number, length: number, position: number]
) => Promise<{ readonly buffer: Buffer; readonly bytesRead: number }>;

// Reads at positions of its own, so that passes do not disturb each other.
export async function* bytesOf(read: ReadAt, start: number, end: number): AsyncGenerator<Buffer> {
  for (let position = start; position < end; ) {
    const length = Math.min(CHUNK_BYTES, end - position);
    const { buffer, bytesRead } = await read(Buffer.allocUnsafe(length), 0, length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

async function opened(path: string, shown = printable(path)): Promise<FileHandle> {
  try {
    // Without waiting: a pipe that nobody writes to would hold the program for ever. Files do not notice.
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
    const why =
      code === 'ENOENT' ? 'there is no such file' : code === 'EACCES' ? 'you may not read it' : code;
    throw new FileRefused(`Cannot open ${shown}: ${why}.`, { missing: true, cause });
  }
}

async function spooled(stdin: Readable): Promise<FileHandle> {
  const path = join(tmpdir(), `payfile-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    let size = 0;
    for await (const chunk of stdin) {
      const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      size += bytes.length;
      if (size > LARGEST_FILE) throw tooLarge(STANDARD_INPUT);
      await handle.write(bytes);
    }
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function tooLarge(name: string): FileRefused {
  return new FileRefused(
    `${name} is larger than ${LARGEST_FILE / 1024 / 1024} MB. Split it into several files; nothing was read.`,
  );
}

/**
 * For damage and for parts that disagree. Spreadsheet programs repair such a file silently and may take the
 * other of two amounts: a workbook with a wrong checksum was saved again as one that pays 9,250.50 for 1,250.50.
 */
export const FROM_ITS_MAKER =
  'Get the file again from whoever made it. Do not open it and save it: a repaired copy may hold other amounts.';

/** As in a spreadsheet. */
export const LONGEST_CELL = 32_767;
const CHUNK_ROWS = 1_000;

/** Ends silently when the signal aborts. A reading that reaches the end checks that the file did not change. */
export async function* chunked(
  rows: AsyncGenerator<WrittenRow[]>,
  signal: AbortSignal | undefined,
  file: PayoutFile,
): AsyncGenerator<readonly WrittenRow[]> {
  let waiting: WrittenRow[] = [];
  let isEmpty = true;
  for await (const some of rows) {
    if (signal?.aborted) return;
    waiting = waiting.length === 0 ? some : waiting.concat(some);
    isEmpty = false;
    let from = 0;
    for (; waiting.length - from >= CHUNK_ROWS; from += CHUNK_ROWS)
      yield waiting.slice(from, from + CHUNK_ROWS);
    waiting = waiting.slice(from);
  }
  if (signal?.aborted) return;
  await file.assertUnchanged();
  if (isEmpty)
    throw new FileRefused(`${file.name} has a header and no rows below it: there is nothing to pay.`);
  if (waiting.length > 0) yield waiting;
}
