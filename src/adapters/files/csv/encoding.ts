/**
 * Text encodings: bytes of any encoding → UTF-8 bytes, failing instead of guessing.
 *
 * iconv-lite, because TextDecoder reads Windows-1252 wrongly in many releases of Node.
 */
import iconv from 'iconv-lite';

export type Encoding = { readonly name: string; readonly isUtf8: boolean; readonly bomBytes: number };

const UTF8 = { name: 'utf-8', isUtf8: true };

/** By byte order mark, else as declared, else UTF-8; undefined when the declared name is not known. */
export function encodingOf(head: Buffer, declared: string | undefined): Encoding | undefined {
  if (head.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))) return { ...UTF8, bomBytes: 3 };
  if (head.subarray(0, 2).equals(Buffer.from([0xff, 0xfe])))
    return { name: 'utf-16le', isUtf8: false, bomBytes: 2 };
  if (head.subarray(0, 2).equals(Buffer.from([0xfe, 0xff])))
    return { name: 'utf-16be', isUtf8: false, bomBytes: 2 };
  if (declared === undefined || /^utf-?8$/i.test(declared.trim())) return { ...UTF8, bomBytes: 0 };
  const name = declared.trim();
  return iconv.encodingExists(name) && !/^(?:base64|hex|binary|utf-?7)/i.test(name)
    ? { name, isUtf8: false, bomBytes: 0 }
    : undefined;
}

/** Decodes chunk by chunk. A character that the encoding does not have comes out as U+FFFD. */
export function createDecoder(encoding: Encoding): { write(chunk: Buffer): string; end(): string } {
  const decoder = iconv.getDecoder(encoding.name, { stripBOM: false });
  return { write: (chunk) => decoder.write(chunk), end: () => decoder.end() ?? '' };
}

/** For tests and samples. */
export function encodeText(text: string, encoding: string): Buffer {
  return iconv.encode(text, encoding);
}
