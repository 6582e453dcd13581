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
import { printable } from '../../domain/text/printable.ts';
import { FileRefused } from '../../ports/row-source.ts';
import { FROM_ITS_MAKER, type PayoutFile } from '../opened-file.ts';

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
  readonly extraFieldLength: number;
  readonly fileCommentLength: number;
  stream(): Readable;
}

/** The bytes of an archive, and its name for messages. */
type Archived = Pick<PayoutFile, 'name' | 'size' | 'read'>;

export async function openZip(file: Archived): Promise<ZipArchive> {
  const streams = new Set<Readable>();
  let failure: unknown;
  // unzipper does not listen to errors of its source: the bytes end, and the error is kept here.
  async function* bytes(start: number, end: number): AsyncGenerator<Buffer> {
    try {
      yield* file.read(start, end);
    } catch (error) {
      failure ??= error;
    }
  }
  const source = {
    size: async () => file.size,
    stream: (offset: number, length?: number) => {
      const end = Math.min(length === undefined ? file.size : offset + length, file.size);
      const stream = Readable.from(bytes(offset, end), { objectMode: false });
      streams.add(stream);
      return stream;
    },
  };
  const closeStreams = () => {
    for (const stream of streams) stream.destroy();
    streams.clear();
  };
  const refused: Refused = (what, cause, advice = FROM_ITS_MAKER) =>
    new FileRefused(`${file.name} ${what}. ${advice}`, { cause });
  await assertOneList(file, refused);
  const listing = listed(source, refused).catch((error) => {
    throw failure ?? error;
  });
  const entries = await listing.finally(closeStreams);
  const inflated = new Map<string, number>();
  return {
    names: new Set(entries.keys()),
    async *read(name) {
      const entry = entries.get(name);
      if (entry === undefined) throw refused(`names a part “${printable(name)}” that is not in it`);
      try {
        yield* checkedBytes(entry, inflated, refused);
      } catch (error) {
        if (failure !== undefined) throw failure;
        throw error instanceof FileRefused ? error : refused(`is damaged in its part “${name}”`, error);
      } finally {
        closeStreams();
      }
    },
  };
}

type Refused = (what: string, cause?: unknown, advice?: string) => FileRefused;

/** Only for an archive that is whole. */
const SAVED_AGAIN = 'Open it in a spreadsheet program and save it again as .xlsx.';

const INCOMPLETE = 'is not a complete zip archive, as every .xlsx file is';
const END_BYTES = 22;
const LONG_END_BYTES = 76;
/** unzipper looks for the archive's end in so many last bytes, and takes the first that it finds there. */
const LAST_BYTES = 80;
const END = Buffer.from('PK\u0005\u0006');

/**
 * What the end of the archive says of its list of parts. unzipper believes the count before it reads the list, and
 * programs differ on which of two ends counts.
 */
async function assertOneList(file: Archived, refused: Refused): Promise<void> {
  const start = Math.max(0, file.size - LAST_BYTES);
  const last = await bytesAt(file, start, LAST_BYTES);
  const at = last.indexOf(END);
  if (at === -1 || at + END_BYTES > last.length) throw refused(INCOMPLETE);
  if (last.indexOf(END, at + 1) !== -1) throw refused('has two lists of its parts');
  const end = last.subarray(at);
  const isLong =
    end.readUInt16LE(4) === 0xffff || end.readUInt16LE(10) === 0xffff || end.readUInt32LE(16) === 0xffffffff;
  const parts = isLong ? await longCount(file, start + at) : BigInt(end.readUInt16LE(10));
  if (parts === undefined) throw refused(INCOMPLETE);
  if (parts > MOST_ENTRIES)
    throw refused(`says that it has ${parts} parts; at most ${MOST_ENTRIES} are read`);
}

/** The count in the record for archives that are too large for the usual end (zip64); undefined without one. */
async function longCount(file: Archived, endAt: number): Promise<bigint | undefined> {
  if (endAt < LONG_END_BYTES) return undefined;
  const at = (await bytesAt(file, endAt - 20, 20)).readBigUInt64LE(8);
  if (at > BigInt(endAt - LONG_END_BYTES)) return undefined;
  return (await bytesAt(file, Number(at), 56)).readBigUInt64LE(32);
}

async function bytesAt(file: Archived, start: number, length: number): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(file.read(start, Math.min(start + length, file.size))));
}

interface Listing {
  readonly files: readonly Entry[];
  readonly sizeOfCentralDirectory: number;
}

async function listed(
  source: Parameters<typeof Open.custom>[0],
  refused: Refused,
): Promise<ReadonlyMap<string, Entry>> {
  let listing: Listing;
  try {
    listing = (await Open.custom(source)) as unknown as Listing;
  } catch (cause) {
    throw refused(INCOMPLETE, cause);
  }
  const { files, sizeOfCentralDirectory } = listing;
  const bytes = files.reduce(
    (sum, each) => sum + 46 + each.fileNameLength + each.extraFieldLength + each.fileCommentLength,
    0,
  );
  if (bytes !== sizeOfCentralDirectory) throw refused('has another number of parts than it says');
  const entries = new Map<string, Entry>();
  const names = new Set<string>();
  for (const entry of files) {
    if ((entry.flags & 1) !== 0) throw refused('is encrypted', undefined, SAVED_AGAIN);
    if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
      throw refused('is packed in an unusual way', undefined, SAVED_AGAIN);
    if (entry.path.includes('\\'))
      throw refused(
        `has a part with a backslash in its name, “${printable(entry.path)}”, which not every program finds`,
      );
    if (/^\/|(?:^|\/)\.\.(?:\/|$)|^[a-z]:/i.test(entry.path)) throw refused('has a part with an unsafe name');
    // Names that differ in case only are one name in a workbook; programs disagree which of the two counts.
    const folded = entry.path.toLowerCase();
    if (names.has(folded)) throw refused('has two parts of one name');
    names.add(folded);
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
