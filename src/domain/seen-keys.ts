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

export interface SeenKeys {
  /** Where the key was seen before; undefined when it is new, and now remembered. */
  meet(key: Uint8Array, rowNumber: number, mark: number): Seen | undefined;
  readonly size: number;
}

const FIRST_SLOTS = 1 << 12;
const FULLEST = 0.6;

export function createSeenKeys(): SeenKeys {
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
    meet(key, rowNumber, mark) {
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
    get size() {
      return size;
    },
  };
}

/** 32 bits of all 16 bytes: keys that are padded text differ in few of them (murmur3's steps). */
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
