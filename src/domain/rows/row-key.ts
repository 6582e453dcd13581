/**
 * The row key: whether a row of a file that comes again is the same row as before. It is exact. Two rows that differ in any
 * value, in any way, are two rows; whether they may be the same payment is another question (the repeat keys).
 *
 * Units:   16 bytes each: SHA-256 cut to its first half.
 */
import { hash } from 'node:crypto';
import type { Instruction } from '../payouts/instruction.ts';
import { FIELDS, type Field, type RowIssue } from './row.ts';

const KEY_BYTES = 16;
// Validated text has no control characters but line breaks and tabs in a note, so this cannot occur in it.
export const SEPARATOR = '\u001f';

/** Of a valid row, with the keys by which a repeat is found (payouts/repeat.ts). */
export interface RowKeys {
  readonly rowKey: Uint8Array;
  readonly referenceKey: Uint8Array | undefined;
  readonly paymentKey: Uint8Array;
}

export type WrongCell = Pick<RowIssue, 'kind' | 'field' | 'expected'>;

/** What stands in the cells that were looked up in the lists of the service. */
export interface WrittenPlaces {
  /** Empty where the file names none: then the source of the settings is used. */
  readonly source: string;
  readonly country: string;
  readonly institution: string;
}

/**
 * The places count as written and as understood: a bank with another spelling, and the same spelling that now means another
 * bank, are both another row.
 */
export function rowKey(
  instruction: Instruction,
  { source, country, institution }: WrittenPlaces,
  salt: string,
): Uint8Array {
  const { sourceId, destinationId, institutionId, account, amount } = instruction;
  const { name = '', phone = '', reference = '', note = '', replaces = '' } = instruction;
  const values = [
    `${salt}row`,
    source.normalize('NFC'),
    sourceId,
    country.normalize('NFC'),
    destinationId,
    institution.normalize('NFC'),
    institutionId,
    account.reveal(),
    amount.minor,
    amount.currency,
    name,
    phone,
    reference,
    note,
    replaces,
  ];
  return digestOf(values.join(SEPARATOR));
}

/**
 * Over the cells that hold fields, so that neither column order nor the user's own columns count, and over what is wrong:
 * a row that is wrong in another way than before is another row, so it shows why it is wrong now.
 */
export function invalidRowKey(
  cells: readonly string[],
  columns: ReadonlyMap<Field, number>,
  salt: string,
  issues: readonly WrongCell[],
): Uint8Array {
  const texts = FIELDS.map((field) => cells[columns.get(field) ?? -1] ?? '');
  // What may be meant instead is not compared: it changes with the lists of the service.
  const wrong = issues.map(({ kind, field, expected }) => [kind, field, expected]);
  return digestOf(`${salt}invalid${SEPARATOR}${JSON.stringify([texts, wrong])}`);
}

export function digestOf(text: string): Uint8Array {
  // As a text of bytes and back is twice as fast as asking for a buffer (measured: 0.8 against 1.5 µs).
  const key = Buffer.allocUnsafe(KEY_BYTES);
  key.write(hash('sha256', text, 'binary'), 0, KEY_BYTES, 'latin1');
  return key;
}
