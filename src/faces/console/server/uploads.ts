/**
 * A form with one file, read as it comes: the file goes to a folder that only this user can read, under a name that
 * nobody chose, and its own name is kept beside it. The readers of spreadsheets have limits of their own.
 */

import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from '@fastify/busboy';
import { type Form, FormRefused, formOf } from './form.ts';

const MIB = 1024 * 1024;
const FILE_BYTES_MAX = 64 * MIB;
const FIELDS_MAX = 10;
const FIELD_BYTES_MAX = 4096;
const NAME_LENGTH_MAX = 200;

export interface Upload {
  readonly form: Form;
  /** undefined: the form was sent without a file. */
  readonly file: UploadedFile | undefined;
}

export interface UploadedFile {
  /** Where it lies. */
  readonly path: string;
  /** As the browser called it; never part of a path. */
  readonly name: string;
}

/** Errors: FormRefused; nothing of the file is left then. */
export async function receiveUpload(
  headers: Readonly<Record<string, string>>,
  body: ReadableStream<Uint8Array> | null,
  folder: string,
): Promise<Upload> {
  const type = headers['content-type'] ?? '';
  if (body === null || !/^multipart\/form-data/i.test(type)) throw new FormRefused('This form sends a file.');
  const fields = new URLSearchParams();
  let file: UploadedFile | undefined;
  let writing: Promise<void> = Promise.resolve();
  let refused: FormRefused | undefined;
  const limits = {
    files: 1,
    fileSize: FILE_BYTES_MAX,
    fields: FIELDS_MAX,
    fieldSize: FIELD_BYTES_MAX,
    parts: FIELDS_MAX + 1,
  };
  const reader = new busboy.Busboy({ headers: { ...headers, 'content-type': type }, limits });
  reader.on('field', (name, value) => void fields.append(name, value));
  reader.on('file', (_field, stream, given) => {
    const name = fileName(given);
    if (name === undefined) {
      stream.resume();
      return;
    }
    const path = join(folder, randomBytes(12).toString('hex') + extname(name).toLowerCase());
    file = { path, name };
    stream.on('limit', () => {
      refused = new FormRefused(
        `The file is larger than ${FILE_BYTES_MAX / MIB} MiB. Split it into several.`,
      );
    });
    writing = pipeline(stream, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
  });
  try {
    await pipeline(Readable.fromWeb(body as never), reader);
    await writing;
    if (refused !== undefined) throw refused;
  } catch (error) {
    await writing.catch(() => undefined);
    if (file !== undefined) await rm(file.path, { force: true });
    throw error instanceof FormRefused
      ? error
      : new FormRefused('The file did not arrive whole. Send it again.');
  }
  return { form: formOf(fields.toString()), file };
}

/** Without the folders of the machine that it comes from. */
function fileName(given: string | undefined): string | undefined {
  const name = basename((given ?? '').replaceAll('\\', '/')).slice(-NAME_LENGTH_MAX);
  return name === '' || name === '.' || name === '..' ? undefined : name;
}
