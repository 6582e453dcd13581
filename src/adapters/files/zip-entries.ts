/**
 * The door to unzipper: parts of a zip archive, inflated as streams under limits, never onto the disk.
 *
 * Declared sizes are not believed: bytes are counted as they come out of the inflater, and each part's
 * checksum is compared at its end.
 * Errors:  FileRefused for an archive that is damaged, encrypted, or made to harm.
 */

import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { Open } from 'unzipper';
import { FileRefused } from '../../ports/row-source.ts';
import { FROM_ITS_MAKER } from './file-kind.ts';
import type { PayoutFile } from './payout-file.ts';

export interface ZipArchive {
  readonly names: ReadonlySet<string>;
  /** The inflated bytes of a part. Read one part at a time. */
  read(name: string): AsyncGenerator<Buffer>;
}

const MEGABYTE = 1024 * 1024;
const MOST_ENTRIES = 2_000;
const LARGEST_ENTRY = 256 * MEGABYTE;
const LARGEST_TOTAL = 512 * MEGABYTE;
const FREE_BYTES = MEGABYTE;
const MOST_RATIO = 200;

interface Entry {
  readonly path: string;
  readonly flags: number;
  readonly compressionMethod: number;
  readonly compressedSize: number;
  readonly uncompressedSize: number;
  readonly crc32: number;
  readonly offsetToLocalFileHeader: number;
  readonly fileNameLength: number;
  stream(): Readable;
}

export async function openZip(file: PayoutFile): Promise<ZipArchive> {
  const streams = new Set<Readable>();
  const source = {
    size: async () => file.size,
    stream: (offset: number, length?: number) => {
      const end = Math.min(length === undefined ? file.size : offset + length, file.size);
      const stream = Readable.from(file.read(offset, end), { objectMode: false });
      streams.add(stream);
      return stream;
    },
  };
  const refused: Refused = (what, cause, advice = FROM_ITS_MAKER) =>
    new FileRefused(`${file.name} ${what}. ${advice}`, { cause });
  const entries = await listed(source, refused);
  const inflated = new Map<string, number>();
  return {
    names: new Set(entries.keys()),
    async *read(name) {
      const entry = entries.get(name);
      if (entry === undefined) throw refused(`has no part “${name}”`);
      try {
        yield* checkedBytes(entry, inflated, refused);
      } catch (error) {
        throw error instanceof FileRefused ? error : refused(`is damaged in its part “${name}”`, error);
      } finally {
        for (const stream of streams) stream.destroy();
        streams.clear();
      }
    },
  };
}

type Refused = (what: string, cause?: unknown, advice?: string) => FileRefused;

/** Only for an archive that is whole. */
const SAVED_AGAIN = 'Open it in a spreadsheet program and save it again as .xlsx.';

async function listed(
  source: Parameters<typeof Open.custom>[0],
  refused: Refused,
): Promise<ReadonlyMap<string, Entry>> {
  let files: readonly Entry[];
  try {
    files = (await Open.custom(source)).files as unknown as readonly Entry[];
  } catch (cause) {
    throw refused('is not a complete zip archive, as every .xlsx file is', cause);
  }
  if (files.length > MOST_ENTRIES)
    throw refused(`has ${files.length} parts; at most ${MOST_ENTRIES} are read`, undefined, SAVED_AGAIN);
  const entries = new Map<string, Entry>();
  const names = new Set<string>();
  for (const entry of files) {
    if ((entry.flags & 1) !== 0) throw refused('is encrypted', undefined, SAVED_AGAIN);
    if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
      throw refused('is packed in an unusual way', undefined, SAVED_AGAIN);
    if (/^[/\\]|\\|(?:^|\/)\.\.(?:\/|$)|^[a-z]:/i.test(entry.path))
      throw refused('has a part with an unsafe name');
    // Names that differ in case only are one name in a workbook; programs disagree which of the two counts.
    const name = entry.path.toLowerCase();
    if (names.has(name)) throw refused('has two parts of one name');
    names.add(name);
    entries.set(entry.path, entry);
  }
  assertApart(files, refused);
  return entries;
}

/** Parts that share bytes are how a small archive inflates without end. */
function assertApart(files: readonly Entry[], refused: Refused): void {
  const inOrder = [...files].sort(
    (left, right) => left.offsetToLocalFileHeader - right.offsetToLocalFileHeader,
  );
  let end = 0;
  for (const entry of inOrder) {
    if (entry.offsetToLocalFileHeader < end) throw refused('has parts that overlap');
    end = entry.offsetToLocalFileHeader + 30 + entry.fileNameLength + entry.compressedSize;
  }
}

async function* checkedBytes(
  entry: Entry,
  inflated: Map<string, number>,
  refused: Refused,
): AsyncGenerator<Buffer> {
  const others = [...inflated].reduce((sum, [name, bytes]) => (name === entry.path ? sum : sum + bytes), 0);
  let bytes = 0;
  let checksum = 0;
  for await (const chunk of entry.stream() as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    const isBomb = bytes > FREE_BYTES && bytes > entry.compressedSize * MOST_RATIO;
    if (isBomb || bytes > LARGEST_ENTRY || others + bytes > LARGEST_TOTAL) {
      throw refused('unpacks to more data than a payout file has', undefined, SAVED_AGAIN);
    }
    inflated.set(entry.path, Math.max(bytes, inflated.get(entry.path) ?? 0));
    checksum = crc32(chunk, checksum);
    yield chunk;
  }
  if (bytes !== entry.uncompressedSize || checksum !== entry.crc32 >>> 0)
    throw refused('is damaged: a checksum is wrong');
}
