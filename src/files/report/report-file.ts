/**
 * A file that appears whole or not at all: written beside its target, made durable, then put in place.
 *
 * What stands under the name already is replaced only by a finished report, and a link never. Pipes, devices and
 * standard output cannot be replaced; they are written to directly. Whoever opens the file says what else may not be
 * replaced (output-guard.ts); that is asked again before the file is put in place.
 * Errors:  ReportUnwritable with the place, the reason and what to do; nothing is left behind.
 */

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { constants, createWriteStream } from 'node:fs';
import { type FileHandle, lstat, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { type Message, said } from '../../domain/text/message.ts';
import { ReportUnwritable } from '../../ports/outputs.ts';

/** Contains account numbers: for its owner only. */
const OWNER_ONLY = 0o600;

/** What is written, for the message when it cannot be. */
export interface Written {
  readonly what: string;
  /** What to do: a sentence. */
  readonly advice: Message;
}

const REPORT: Written = { what: 'report', advice: said`Make it again elsewhere.` };

/** Throws ReportUnwritable where the place may not be written. */
export type MayWrite = (path: string) => Promise<void>;

export class ReportFile {
  readonly stream: Writable;
  readonly #unwritable: (cause: unknown) => ReportUnwritable;
  readonly #place: Place;
  readonly #failure: Promise<never>;
  #isOver = false;

  constructor(place: Place, stream: Writable, unwritable: (cause: unknown) => ReportUnwritable) {
    this.#unwritable = unwritable;
    this.#place = place;
    this.stream = stream;
    this.#failure = new Promise((_, reject) => {
      stream.once('error', (error) => reject(unwritable(error)));
    });
    // Nobody may be waiting for it at that moment; whoever writes next is told.
    this.#failure.catch(() => undefined);
  }

  /** Resolves when there is room for more. */
  async write(chunk: string | Uint8Array): Promise<void> {
    const hasRoom = this.stream.write(chunk);
    await this.whileWritable<unknown>(hasRoom ? Promise.resolve() : once(this.stream, 'drain'));
  }

  /** Waits for work that ends on this file's stream; rejects as soon as the file cannot be written. */
  async whileWritable<Result>(work: Promise<Result>): Promise<Result> {
    work.catch(() => undefined);
    return Promise.race([this.#failure, work]);
  }

  async commit(): Promise<void> {
    try {
      if (!this.stream.writableEnded) this.stream.end();
      if (!this.stream.writableFinished) await this.whileWritable(once(this.stream, 'finish'));
      await this.#putInPlace(this.#place);
    } catch (error) {
      await this.abort();
      throw error instanceof ReportUnwritable ? error : this.#unwritable(error);
    }
  }

  async abort(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.stream.on('error', () => undefined);
    this.stream.destroy();
    if (this.#place.kind === 'stdout') return;
    await this.#place.handle.close().catch(() => undefined);
    if (this.#place.kind === 'replace')
      await rm(this.#place.temporary, { force: true }).catch(() => undefined);
  }

  async #putInPlace(place: Place): Promise<void> {
    if (place.kind === 'replace') {
      // Whatever the umask is: a job with private reports must not hide its metrics.
      if (place.mode !== undefined) await place.handle.chmod(place.mode);
      await place.handle.sync();
      await place.handle.close();
      // Somebody may have put a file or a link there since the work began.
      await refuseLink(place.target);
      await place.mayWrite(place.target);
      await rename(place.temporary, place.target);
      await syncFolder(dirname(place.target));
    } else if (place.kind === 'direct') {
      await place.handle.close();
    }
    this.#isOver = true;
  }
}

type Place =
  | { readonly kind: 'stdout' }
  | { readonly kind: 'direct'; readonly handle: FileHandle }
  | {
      readonly kind: 'replace';
      readonly handle: FileHandle;
      readonly temporary: string;
      readonly target: string;
      readonly mayWrite: MayWrite;
      readonly mode: number | undefined;
    };

interface Opening {
  readonly stdout?: Writable | undefined;
  readonly written?: Written;
  readonly mayWrite?: MayWrite;
  /** Who may read it, where that is not only its owner. */
  readonly mode?: number;
}

/** A file of bytes that are there already. */
export async function writeReportFile(path: string, bytes: string | Uint8Array, how: Opening): Promise<void> {
  const file = await openReportFile(path, how);
  try {
    await file.write(bytes);
    await file.commit();
  } catch (error) {
    await file.abort();
    throw error;
  }
}

/** `-` is standard output. */
export async function openReportFile(
  path: string,
  { stdout = process.stdout, written = REPORT, mayWrite = async () => undefined, mode }: Opening = {},
): Promise<ReportFile> {
  const failed = (cause: unknown) => unwritable(path === '-' ? 'standard output' : path, cause, written);
  if (path === '-') return new ReportFile({ kind: 'stdout' }, leftOpen(stdout), failed);
  try {
    await mayWrite(path);
    const place = await openPlace(path, mayWrite, mode);
    // By number: a stream made by the handle itself would keep the handle from ever closing.
    const stream = createWriteStream(path, { fd: place.handle.fd, autoClose: false });
    return new ReportFile(place, stream, failed);
  } catch (error) {
    throw error instanceof ReportUnwritable ? error : failed(error);
  }
}

/** Writes to standard output, and ends without ending it. */
function leftOpen(stdout: Writable): Writable {
  const fail = (error: Error) => stream.destroy(error);
  const stream = new Writable({
    write: (chunk, encoding, done) => void stdout.write(chunk, encoding, (error) => done(error)),
    final: (done) => {
      stdout.off('error', fail);
      done();
    },
  });
  // An unheard error on standard output would end the program.
  stdout.on('error', fail);
  return stream;
}

async function openPlace(
  path: string,
  mayWrite: MayWrite,
  mode: number | undefined,
): Promise<Exclude<Place, { kind: 'stdout' }>> {
  const standing = await stat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (standing?.isDirectory()) throw Object.assign(new Error('is a folder'), { code: 'EISDIR' });
  if (standing !== undefined && !standing.isFile()) return { kind: 'direct', handle: await openDirect(path) };
  await refuseLink(path);
  // The folder as it is now: a link on the way to it may lead elsewhere when the report is whole.
  const target = join(await realpath(dirname(resolve(path))), basename(resolve(path)));
  const temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`);
  const handle = await open(temporary, 'wx', OWNER_ONLY);
  return { kind: 'replace', handle, temporary, target, mayWrite, mode };
}

/** A device or a pipe. Nothing is made or emptied, so that a file that took its place meanwhile stays as it is. */
async function openDirect(path: string): Promise<FileHandle> {
  const handle = await open(path, constants.O_WRONLY);
  if (!(await handle.stat()).isFile()) return handle;
  await handle.close();
  throw Object.assign(new Error('is a link'), { code: 'ELOOP' });
}

async function refuseLink(path: string): Promise<void> {
  const standing = await lstat(path).catch(() => undefined);
  if (standing?.isSymbolicLink() === true) throw Object.assign(new Error('is a link'), { code: 'ELOOP' });
}

/** The new name is durable only when the folder is; a file system that cannot do that has nothing to promise. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close().catch(() => undefined);
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'there is no permission to write there',
  EPERM: 'there is no permission to write there',
  EROFS: 'the disk can only be read',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EISDIR: 'it is a folder; name a file in it',
  ELOOP: 'it is a link, and links are not followed; name the file itself',
  ENOTDIR: 'a part of its path is not a folder',
  ENOENT: 'its folder does not exist',
  ENAMETOOLONG: 'the name is too long',
  EEXIST: 'a file is there already',
  ENOTEMPTY: 'files are in the folder already',
  EPIPE: 'whoever was reading has stopped',
};

export function unwritable(path: string, cause: unknown, { what, advice } = REPORT): ReportUnwritable {
  const code = codeOf(cause);
  const reason = REASONS[code] ?? (cause instanceof Error ? cause.message : String(cause));
  const message = said`Cannot write the ${what} “${path}”: ${reason} (${code}). ${advice.pieces}`;
  return new ReportUnwritable(message, { cause });
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown';
}
