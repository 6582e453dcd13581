/**
 * The digest of a batch: what the rows are, whatever the file's format, column order, row order or name.
 *
 * Units:   SHA-256, hex, over the sorted 16-byte content keys of all rows.
 * Errors:  keys that do not come in order are a bug in the ledger, so they throw.
 */
import { createHash } from 'node:crypto';
import { asDigest, type Digest } from './instruction.ts';

const KEY_BYTES = 16;

/** `pages` are the content keys in ascending order, as the ledger gives them. */
export async function batchDigest(pages: AsyncIterable<readonly Uint8Array[]>): Promise<Digest> {
  const hash = createHash('sha256').update('payfile batch 1\n');
  let last: Uint8Array | undefined;
  for await (const page of pages) {
    for (const key of page) {
      if (key.length !== KEY_BYTES) throw new RangeError(`A content key has 16 bytes, not ${key.length}`);
      if (last !== undefined && Buffer.compare(last, key) > 0) {
        throw new RangeError('Content keys must come in ascending order');
      }
      hash.update(key);
      last = key;
    }
  }
  return asDigest(hash.digest('hex'));
}
