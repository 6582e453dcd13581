/**
 * A form with one file, read as it comes: the file goes to a folder that only this user can read, under a name that
 * nobody chose, and its own name is kept beside it. The readers of spreadsheets have limits of their own.
 */

import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from '@fastify/busboy';
import { countText } from '../../domain/text/printable.ts';
import { type Form, FormRefused, formOf, type UploadedFile } from './form.ts';

const MIB = 1024 * 1024;
const FILE_BYTES_MAX = 64 * MIB;
/** Fields and the marks between the parts come on top. */
const BODY_BYTES_MAX = FILE_BYTES_MAX + MIB;
const FIELDS_MAX = 10;
const FIELD_BYTES_MAX = 4096;
const NAME_LENGTH_MAX = 200;

const LIMITS = {
  files: 1,
  fileSize: FILE_BYTES_MAX,
  fields: FIELDS_MAX,
  fieldSize: FIELD_BYTES_MAX,
  parts: FIELDS_MAX + 1,
};

/** No more of it is read than the limit. */
export class UploadTooLarge extends Error {
  override readonly name = 'UploadTooLarge';
  readonly code = 'upload_too_large';
  constructor() {
    super(`The file is larger than ${FILE_BYTES_MAX / MIB} MiB. Split it into several.`);
  }
}

/** Errors: FormRefused, UploadTooLarge; nothing of the file is left then. */
export async function receiveUpload(
  headers: Readonly<Record<string, string>>,
  body: ReadableStream<Uint8Array> | null,
  folder: string,
): Promise<Form> {
  const type = headers['content-type'] ?? '';
  if (body === null || !/^multipart\/form-data/i.test(type)) throw new FormRefused('This form sends a file.');
  if (Number(headers['content-length']) > BODY_BYTES_MAX) throw new UploadTooLarge();
  const fields = new URLSearchParams();
  let arriving: Arriving | undefined;
  let isTooLarge = false;
  const refused: string[] = [];
  try {
    const reader = new busboy.Busboy({ headers: { ...headers, 'content-type': type }, limits: LIMITS });
    reader.on('field', (name, value, _name, isCut) => {
      if (isCut) refused.push(FIELD_TOO_LONG);
      fields.append(name, value);
    });
    for (const event of ['fieldsLimit', 'partsLimit'] as const)
      reader.on(event, () => refused.push('This form has more fields than the console sends.'));
    reader.on('filesLimit', () => refused.push('Send one file at a time.'));
    reader.on('file', (_field, stream, given) => {
      const name = fileName(given);
      if (name === undefined) {
        stream.resume();
        return;
      }
      const ending = /\.\w{1,5}$/.exec(name)?.[0].toLowerCase() ?? '';
      const path = join(folder, randomBytes(12).toString('hex') + ending);
      stream.on('limit', () => {
        isTooLarge = true;
      });
      const written = pipeline(stream, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
      arriving = { file: { path, name }, stream, written };
      // The rest of the body has nowhere to go.
      written.catch((error: Error) => reader.destroy(error));
    });
    await pipeline(noMoreThanMay(body), reader);
    await arriving?.written;
    if (isTooLarge) throw new UploadTooLarge();
    if (refused[0] !== undefined) throw new FormRefused(refused[0]);
  } catch (error) {
    await discard(arriving);
    throw error instanceof FormRefused || error instanceof UploadTooLarge
      ? error
      : new FormRefused('The file did not arrive whole. Send it again.');
  }
  return { ...formOf(fields.toString()), file: arriving?.file };
}

async function* noMoreThanMay(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > BODY_BYTES_MAX) throw new UploadTooLarge();
    yield piece;
  }
}

interface Arriving {
  readonly file: UploadedFile;
  readonly stream: Readable;
  readonly written: Promise<void>;
}

const FIELD_TOO_LONG = `A field of this form takes at most ${countText(FIELD_BYTES_MAX)} bytes. Nothing was kept. Shorten it, or put it into a file.`;

async function discard(arriving: Arriving | undefined): Promise<void> {
  if (arriving === undefined) return;
  // The reader of the form does not end it where the body breaks off.
  arriving.stream.destroy();
  await arriving.written.catch(() => undefined);
  await rm(arriving.file.path, { force: true });
}

/** Without the folders of the machine that it comes from. */
function fileName(given: string | undefined): string | undefined {
  const letters = Array.from(basename((given ?? '').replaceAll('\\', '/')));
  const name = letters.slice(-NAME_LENGTH_MAX).join('');
  return name === '' || name === '.' || name === '..' ? undefined : name;
}
