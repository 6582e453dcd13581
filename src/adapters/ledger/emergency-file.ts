/**
 * The emergency file beside the ledger: outcomes that an ordinary commit could not take. Its space is taken in
 * advance, so that a full disk does not refuse it; each process writes to its own part.
 *
 * Errors:  writing never throws; where the file fails, the line on stderr is all there is.
 */
import { closeSync, fchmodSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import type { PayoutId } from '../../domain/instruction.ts';
import type { EventKind, PayoutEvent, Writer } from '../../domain/payout-event.ts';
import { type Machine, writerOf } from './machine.ts';
import { decodeEvent, decodeWriter, encodeEvent } from './payout-codec.ts';

const SIZE = 1024 * 1024;
const SLOTS = 16;
const SLOT = SIZE / SLOTS;
const FRAGMENT_MAX = 512;

export interface Emergency {
  readonly payoutId: string;
  /** Which request of the payout it is about; undefined where an older program did not say. */
  readonly attempt: number | undefined;
  /** The process that sent it; undefined where an older program did not say. */
  readonly writer: Writer | undefined;
  readonly event: PayoutEvent;
}

export interface EmergencyOptions {
  /** Of the file. */
  readonly mode: number;
  readonly machine: Pick<Machine, 'pid' | 'host' | 'processStart' | 'say'>;
}

export class EmergencyFile {
  readonly #file: number | undefined;
  readonly #ledgerId: string;
  readonly #machine: EmergencyOptions['machine'];
  /** What `entries` read, part by part. */
  #seen: readonly string[] = [];

  /** `path` undefined: nowhere to write, stderr alone. */
  constructor(path: string | undefined, ledgerId: string, options: EmergencyOptions) {
    this.#ledgerId = ledgerId;
    this.#machine = options.machine;
    this.#file = path === undefined ? undefined : openWhole(path, options.mode);
  }

  write(payoutId: PayoutId, attempt: number, event: PayoutEvent): void {
    const line = this.#lineOf(payoutId, attempt, event);
    try {
      this.#append(line);
    } catch {
      // The line on stderr below says the same; a payout without either is in doubt after recovery.
    }
    try {
      this.#machine.say(`payfile-emergency ${line}`);
    } catch {
      // Nobody listens any more.
    }
  }

  /** What processes before this one left behind. Lines that a crash cut short are passed over. */
  entries(): Emergency[] {
    const file = this.#file;
    if (file === undefined) return [];
    this.#seen = Array.from({ length: SLOTS }, (_, slot) => textAt(file, slot * SLOT));
    return this.#seen.flatMap((text) => text.split(/[\n\0]+/)).flatMap((line) => this.#parse(line));
  }

  /** Forgets what `entries` gave; what another process wrote meanwhile stays for the next opening. */
  clear(): void {
    const file = this.#file;
    if (file === undefined) return;
    for (const [slot, seen] of this.#seen.entries()) {
      const isAsRead = seen !== '' && textAt(file, slot * SLOT) === seen;
      if (isAsRead) writeSync(file, Buffer.alloc(SLOT), 0, SLOT, slot * SLOT);
    }
    fsyncSync(file);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }

  #append(line: string): void {
    if (this.#file === undefined) return;
    const start = (this.#machine.pid % SLOTS) * SLOT;
    const slot = Buffer.alloc(SLOT);
    readSync(this.#file, slot, 0, SLOT, start);
    const used = slot.indexOf(0);
    const bytes = Buffer.from(line);
    if (used < 0 || used + bytes.length >= SLOT) return;
    writeSync(this.#file, bytes, 0, bytes.length, start + used);
    fsyncSync(this.#file);
  }

  #lineOf(payout: PayoutId, attempt: number, event: PayoutEvent): string {
    const { kind, at } = event;
    const body = encodeEvent(withoutLongFragment(event));
    const writer = writerOf(this.#machine);
    return `${JSON.stringify({ ledger: this.#ledgerId, payout, attempt, ...writer, kind, at, body })}\n`;
  }

  #parse(line: string): Emergency[] {
    try {
      const said = JSON.parse(line) as Record<string, unknown>;
      const { ledger, payout, attempt, kind, at, body } = said;
      if (ledger !== this.#ledgerId || typeof payout !== 'string' || typeof body !== 'string') return [];
      const event = decodeEvent(kind as EventKind, Number(at), body);
      const own = 'evidence' in event ? event.evidence.attempt : undefined;
      // A line that contradicts itself is of no request that is known.
      const isOwn = own === undefined || attempt === undefined || attempt === own;
      const request = isOwn ? (attempt ?? own) : undefined;
      return [
        {
          payoutId: payout,
          attempt: typeof request === 'number' ? request : undefined,
          writer: decodeWriter(said),
          event,
        },
      ];
    } catch {
      return [];
    }
  }
}

/** What a process wrote into its part; most parts were never written to, and their first byte says so. */
function textAt(file: number, start: number): string {
  const first = Buffer.alloc(1);
  if (readSync(file, first, 0, 1, start) === 0 || first[0] === 0) return '';
  const slot = Buffer.alloc(SLOT);
  readSync(file, slot, 0, SLOT, start);
  return slot.toString('utf8');
}

function openWhole(path: string, mode: number): number | undefined {
  try {
    const isNew = !exists(path);
    const file = openSync(path, isNew ? 'wx+' : 'r+', mode);
    // What is made heeds the umask, which keeps the group out of a ledger that is shared with it.
    if (isNew) fchmodSync(file, mode);
    const { size } = fstatSync(file);
    // Real zeros, not a hole: the space must be there when the disk is full.
    if (size < SIZE) {
      writeSync(file, Buffer.alloc(SIZE - size), 0, SIZE - size, size);
      fsyncSync(file);
    }
    return file;
  } catch {
    return undefined;
  }
}

function exists(path: string): boolean {
  try {
    closeSync(openSync(path, 'r'));
    return true;
  } catch {
    return false;
  }
}

/** The beginning of an answer is the longest part of an event and the least needed here. */
function withoutLongFragment(event: PayoutEvent): PayoutEvent {
  if (!('evidence' in event) || event.evidence.fragment === undefined) return event;
  return {
    ...event,
    evidence: { ...event.evidence, fragment: event.evidence.fragment.slice(0, FRAGMENT_MAX) },
  };
}
