/** The door to jszip, which exceljs brings along: files of one folder as a .zip, in flat memory. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import JSZip from 'jszip';

/** Sizes stand in 32 bits in the archives that it writes. */
const BYTES_MAX = 4 * 1024 ** 3 - 1;

/** `at`: the time of each file in it. Errors: EFBIG for more than 4 GB; those of the disk. */
export async function* zippedFolder(
  folder: string,
  names: readonly string[],
  at: Date,
): AsyncGenerator<Uint8Array> {
  const zip = new JSZip();
  let bytes = 0;
  for (const name of names) {
    bytes += (await stat(join(folder, name))).size;
    zip.file(name, createReadStream(join(folder, name)), { date: at });
  }
  if (bytes > BYTES_MAX) throw Object.assign(new Error('too large'), { code: 'EFBIG' });
  const packed = zip.generateNodeStream({ streamFiles: true, compression: 'DEFLATE' });
  // Its stream is of an older kind, without an iterator.
  yield* new Readable().wrap(packed) as AsyncIterable<Uint8Array>;
}
