/**
 * Rows of one file that repeat an earlier row of it.
 *
 * A reference that comes again with another payment makes the later row invalid. A row that may be the same payment as an
 * earlier one is noted here; a person is asked about it when it is priced. The same payment under two references is only
 * listed with the plan: references are how people tell equal payments apart.
 */
import { crc32 } from 'node:zlib';
import { readReference } from '../accounts/read-account.ts';
import { type RepeatKeys, referenceKey } from '../payouts/repeat.ts';
import { counted, rowsText } from '../text/printable.ts';
import type { FileColumns } from './column-names.ts';
import { createIssueWriter } from './issue-writer.ts';
import type { Field, RowIssue, WrittenRow } from './row.ts';

interface RowToCompare {
  readonly rowNumber: number;
  readonly keys: RepeatKeys;
  /** As written, for the message. */
  readonly reference: string | undefined;
}

type Repeated =
  /** May be the same payment as an earlier row. */
  { readonly kind: 'noted'; readonly note: string } | { readonly kind: 'invalid'; readonly issue: RowIssue };

export function createDuplicateFinder(file: FileColumns) {
  const references = createSeenKeys();
  const payments = createSeenKeys();
  const invalid = createSeenKeys();
  const issue = createIssueWriter(file);
  const issueOf = (reference: string, expected: string) =>
    issue({
      kind: 'reference_repeated',
      field: 'reference',
      seen: reference,
      expected: `a reference of its own; ${expected}`,
      suggestion: 'Give each payment its own reference, or take the wrong row out.',
    });
  const textOf = ({ cells }: WrittenRow, field: Field) => cells[file.columns.get(field) ?? -1] ?? '';
  return {
    /**
     * For every invalid row, so that a person who corrects it does not hear of its reference only then. Invalid rows are
     * compared with each other, by what is written in them.
     */
    lookInvalid(row: WrittenRow): RowIssue | undefined {
      const reference = readReference(textOf(row, 'reference').trim());
      const payment = PAYMENT.map((field) => textOf(row, field).trim());
      // A total or a signature line is no payment, and has not all of these.
      if (reference === '' || payment.includes('')) return undefined;
      const mark = crc32(JSON.stringify(payment));
      const first = invalid.meet(referenceKey(reference, ''), row.rowNumber, mark);
      if (first === undefined || first.mark === mark) return undefined;
      return issueOf(reference, `row ${first.rowNumber} has the same one`);
    },
    /** Call for every valid row, in file order, once. */
    look({ rowNumber, keys, reference }: RowToCompare): Repeated | undefined {
      const mark = markOf(keys.paymentKey);
      if (keys.referenceKey === undefined) {
        const first = payments.meet(keys.paymentKey, rowNumber, mark);
        return first && noted(`the same account and amount as row ${first.rowNumber}, without a reference`);
      }
      const first = references.meet(keys.referenceKey, rowNumber, mark);
      if (first === undefined) return undefined;
      if (first.mark === mark) {
        return noted(`the same reference, account and amount as row ${first.rowNumber}`);
      }
      const other = `row ${first.rowNumber} has the same one with another account or amount`;
      return { kind: 'invalid', issue: issueOf(reference ?? '', other) };
    },
  };
}

/** What makes two payments of one reference different. */
const PAYMENT: readonly Field[] = ['country', 'institution', 'account', 'amount'];

function noted(note: string): Repeated {
  return { kind: 'noted', note };
}

/** 32 bits of the payment, to tell an equal row from a reference used for something else. */
function markOf(paymentKey: Uint8Array): number {
  const [first = 0, second = 0, third = 0, fourth = 0] = paymentKey;
  return ((first << 24) | (second << 16) | (third << 8) | fourth) >>> 0;
}

/**
 * Rows of one file that pay the same account the same amount under different references. They are not held as
 * repeats, but they are listed: after renumbering, one person may be in the file twice.
 *
 * Limits: a million rows take 32 MB; only the first groups and rows are listed, the rest is counted.
 */

const GROUPS_MAX = 20;
const ROWS_MAX = 10;

interface Group {
  readonly rows: number[];
  count: number;
}

export function createSameMoneyFinder() {
  const payments = createSeenKeys();
  const groups = new Map<number, Group>();
  let others = 0;
  return {
    /** Call once for every row that can be paid and is not a repeat, in file order. */
    look(rowNumber: number, { referenceKey, paymentKey }: RepeatKeys): void {
      if (referenceKey === undefined) return;
      const first = payments.meet(paymentKey, rowNumber, 0);
      if (first === undefined) return;
      const group = groups.get(first.rowNumber) ?? newGroup(first.rowNumber, groups);
      if (group === undefined) others += 1;
      else {
        group.count += 1;
        if (group.rows.length < ROWS_MAX) group.rows.push(rowNumber);
      }
    },
    /** `Rows 22 and 23: same account and amount, other references`; one line a group. */
    notes(): readonly string[] {
      const lines = [...groups.values()].map(
        (group) => `Rows ${listed(group)}: same account and amount, other references`,
      );
      if (others > 0)
        lines.push(
          `${counted(others, 'more row pays', 'more rows pay')} an account and amount of another row`,
        );
      return lines;
    },
  };
}

function newGroup(first: number, groups: Map<number, Group>): Group | undefined {
  if (groups.size >= GROUPS_MAX) return undefined;
  const group = { rows: [first], count: 1 };
  groups.set(first, group);
  return group;
}

/** `22 and 23`, `2, 3 and 4`, `2, 3, … and 4 rows more`. */
function listed({ rows, count }: Group): string {
  const more = count - rows.length;
  if (more > 0) return `${rows.join(', ')} and ${rowsText(more)} more`;
  return `${rows.slice(0, -1).join(', ')} and ${rows.at(-1)}`;
}

/**
 * Remembers where a 16-byte key was seen first, in flat memory.
 *
 * An open-addressing table on typed arrays: 64 bits of the mixed key, a row number and a 32-bit mark, 16 bytes
 * a slot. A million keys take 32 MB and a wrong hit is expected once in 37 million such files.
 */

export interface Seen {
  readonly rowNumber: number;
  readonly mark: number;
}

const FIRST_SLOTS = 1 << 12;
const FULLEST = 0.6;

export function createSeenKeys() {
  let slots = FIRST_SLOTS;
  let size = 0;
  let high = new Uint32Array(slots);
  let low = new Uint32Array(slots);
  // Row numbers begin at 1, so a zero marks an empty slot.
  let rows = new Uint32Array(slots);
  let marks = new Uint32Array(slots);

  function slotOf(keyHigh: number, keyLow: number): number {
    let slot = keyLow & (slots - 1);
    while (rows[slot] !== 0 && (high[slot] !== keyHigh || low[slot] !== keyLow))
      slot = (slot + 1) & (slots - 1);
    return slot;
  }

  function grow(): void {
    const old = { slots, high, low, rows, marks };
    slots *= 2;
    high = new Uint32Array(slots);
    low = new Uint32Array(slots);
    rows = new Uint32Array(slots);
    marks = new Uint32Array(slots);
    for (let index = 0; index < old.slots; index += 1) {
      if (old.rows[index] === 0) continue;
      const slot = slotOf(old.high[index] ?? 0, old.low[index] ?? 0);
      high[slot] = old.high[index] ?? 0;
      low[slot] = old.low[index] ?? 0;
      rows[slot] = old.rows[index] ?? 0;
      marks[slot] = old.marks[index] ?? 0;
    }
  }

  return {
    /** Where the key was seen before; undefined when it is new, and now remembered. */
    meet(key: Uint8Array, rowNumber: number, mark: number): Seen | undefined {
      const keyHigh = mixed(key, 0x9e3779b1);
      const keyLow = mixed(key, 0x85ebca77);
      const slot = slotOf(keyHigh, keyLow);
      if (rows[slot] !== 0) return { rowNumber: rows[slot] ?? 0, mark: marks[slot] ?? 0 };
      high[slot] = keyHigh;
      low[slot] = keyLow;
      rows[slot] = rowNumber;
      marks[slot] = mark;
      size += 1;
      if (size > slots * FULLEST) grow();
      return undefined;
    },
  };
}

/** 32 bits mixed from all 16 bytes (murmur3's steps): keys that are padded text differ in only a few bytes. */
function mixed(key: Uint8Array, seed: number): number {
  let state = seed;
  for (let at = 0; at < 16; at += 4) {
    let word =
      (key[at] ?? 0) | ((key[at + 1] ?? 0) << 8) | ((key[at + 2] ?? 0) << 16) | ((key[at + 3] ?? 0) << 24);
    word = Math.imul(word, 0xcc9e2d51);
    word = (word << 15) | (word >>> 17);
    state ^= Math.imul(word, 0x1b873593);
    state = (state << 13) | (state >>> 19);
    state = (Math.imul(state, 5) + 0xe6546b64) | 0;
  }
  state ^= state >>> 16;
  state = Math.imul(state, 0x85ebca6b);
  state ^= state >>> 13;
  state = Math.imul(state, 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}
