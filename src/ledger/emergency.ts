/**
 * The emergency file beside the ledger: outcomes that an ordinary commit could not take. Its space is taken in advance, so
 * that a full disk does not refuse it; each process writes to its own part. They are applied when the ledger is next opened,
 * to payouts whose attempt is still open. What cannot be applied stays as a note for a person; an acceptance of an
 * earlier request is an incident besides, and holds a row that would go out again.
 *
 * A line speaks of one request alone: it and the intent name ledger, payout, attempt, process and the start of the
 * process. Another request's “not sent” never makes a row payable; another's acceptance is an incident.
 * Errors:  writing never throws; where the file fails, the line on stderr is all there is.
 */
import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import type { PayoutId } from '../domain/payouts/instruction.ts';
import type { Payout } from '../domain/payouts/payout.ts';
import {
  type EventKind,
  type EventOf,
  isSameWriter,
  type PayoutEvent,
  type Writer,
} from '../domain/payouts/payout-event.ts';
import { advance, mayFollow } from '../domain/payouts/payout-machine.ts';
import { timestampOf } from '../domain/timestamp.ts';
import type { NoteKind, Notes } from '../ports/ledger/notes.ts';
import { apply } from './begin.ts';
import type { Commit } from './chain.ts';
import { decodeEvent, ENTRY_COLUMNS, eventOfText, eventText } from './codec.ts';
import { encodeNote } from './codec-batches.ts';
import { type Machine, writerOf } from './machine.ts';
import type { LedgerParts } from './parts.ts';
import { payoutById } from './payouts.ts';
import { batchNumber, payoutNumber } from './rows.ts';
import { LATER } from './schema.ts';
import { q, type Sql, text } from './sql.ts';

const SIZE = 1024 * 1024;
const SLOTS = 16;
const SLOT = SIZE / SLOTS;
const FRAGMENT_MAX = 512;

interface Emergency {
  readonly payoutId: string;
  /** The number of the request; undefined if the line contradicts itself. */
  readonly attempt: number | undefined;
  /** The process that sent the request. */
  readonly writer: Writer;
  readonly event: PayoutEvent;
}

export class EmergencyFile {
  #file: number | undefined;
  readonly #ledgerId: string;
  readonly #machine: Machine;
  /** What `entries` read, by the part that it stood in. */
  #seen: ReadonlyMap<number, Buffer> = new Map();

  /** `path` undefined: nowhere to write, stderr alone. */
  constructor(path: string | undefined, ledgerId: string, machine: Machine) {
    this.#ledgerId = ledgerId;
    this.#machine = machine;
    this.#file = path === undefined ? undefined : openWhole(path);
  }

  write(payout: PayoutId, attempt: number, event: PayoutEvent): void {
    const { kind, at } = event;
    const said = { ledger: this.#ledgerId, payout, attempt, ...writerOf(this.#machine), kind, at };
    const line = JSON.stringify({ ...said, body: eventText(withoutLongFragment(event)) });
    try {
      this.#append(`${line}\n`);
    } catch {
      // The line on stderr below says the same; a payout without either is in doubt after recovery.
    }
    try {
      this.#machine.say(`payfile-emergency ${line}\n`);
    } catch {
      // stderr is closed.
    }
  }

  /** What processes before this one left behind. Lines that a crash cut short are passed over. */
  entries(): readonly Emergency[] {
    this.#seen = this.#written();
    const texts = [...this.#seen.values()].map((slot) => slot.toString('utf8'));
    return texts.flatMap((words) => words.match(/[^\n\0]+/g) ?? []).flatMap((line) => this.#parse(line));
  }

  /** Forgets what `entries` gave; what another process wrote meanwhile stays for the next opening. */
  clear(): void {
    if (this.#file === undefined) return;
    for (const [at, slot] of this.#written())
      if (this.#seen.get(at)?.equals(slot)) writeSync(this.#file, Buffer.alloc(SLOT), 0, SLOT, at * SLOT);
    fsyncSync(this.#file);
  }

  close(): void {
    const file = this.#file;
    // Another file may have the same number from now on.
    this.#file = undefined;
    if (file !== undefined) closeSync(file);
  }

  #append(line: string): void {
    if (this.#file === undefined) return;
    const own = this.#machine.pid % SLOTS;
    const used = this.#read(own, SLOT).indexOf(0);
    const bytes = Buffer.from(line);
    if (used < 0 || used + bytes.length >= SLOT) return;
    writeSync(this.#file, bytes, 0, bytes.length, own * SLOT + used);
    fsyncSync(this.#file);
  }

  /** Parts that were written to: most never were, and are not kept in memory. */
  #written(): ReadonlyMap<number, Buffer> {
    const written = new Map<number, Buffer>();
    for (let at = 0; at < SLOTS; at += 1)
      if (this.#read(at, 1)[0] !== 0) written.set(at, this.#read(at, SLOT));
    return written;
  }

  /** The beginning of the part of a process. */
  #read(at: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    if (this.#file !== undefined) readSync(this.#file, bytes, 0, length, at * SLOT);
    return bytes;
  }

  #parse(line: string): readonly Emergency[] {
    try {
      const said = JSON.parse(line) as Record<string, unknown> & Writer;
      const { ledger, payout, attempt, kind, at, body, host, pid, started } = said;
      if (ledger !== this.#ledgerId || typeof payout !== 'string' || typeof body !== 'string') return [];
      const event = eventOfText(kind as EventKind, Number(at), body);
      // A line that contradicts itself belongs to no known request.
      const isOwn = !('evidence' in event) || event.evidence.attempt === attempt;
      const request = isOwn && typeof attempt === 'number' ? attempt : undefined;
      return [{ payoutId: payout, attempt: request, writer: { host, pid, started }, event }];
    } catch {
      return [];
    }
  }
}

function openWhole(path: string): number | undefined {
  try {
    const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
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

/** The beginning of an answer is the longest part of an event and the least needed here. */
function withoutLongFragment(event: PayoutEvent): PayoutEvent {
  if (!('evidence' in event) || event.evidence.fragment === undefined) return event;
  const fragment = event.evidence.fragment.slice(0, FRAGMENT_MAX);
  return { ...event, evidence: { ...event.evidence, fragment } };
}

/** How many were applied. The file is cleared only after the commit. */
export async function applyEmergencies(parts: LedgerParts, file: EmergencyFile): Promise<number> {
  const entries = file.entries();
  if (entries.length === 0) return 0;
  const applied = await parts.writer.write(async (commit) => {
    let count = 0;
    for (const entry of entries) if (await applyOne(commit, entry, parts)) count += 1;
    return count;
  });
  file.clear();
  return applied;
}

/** For a person. */
function noteIn<Kind extends NoteKind>(
  { add }: Commit,
  { batchId }: Payout,
  at: number,
  ...note: readonly [kind: Kind, body: Notes[Kind]]
): void {
  add({ batch: batchNumber(batchId), payout: null, at, ...encodeNote(...note) });
}

async function applyOne(commit: Commit, entry: Emergency, parts: LedgerParts): Promise<boolean> {
  const { event, attempt } = entry;
  const payout = await payoutById(commit.sql, payoutNumber(entry.payoutId), parts.routes);
  if (payout === undefined) return false;
  if ((await isOfLastAttempt(commit.sql, payout, entry)) && (await moved(commit, payout, event))) return true;
  // The outcome may be known already, or somebody else moved the payout: a person can still see what was written.
  if (isKnownOutcome(payout, event)) return false;
  const { status } = payout.state;
  const at = parts.clock.now();
  const said: unknown = JSON.parse(eventText(event));
  const body = { payout: payout.id, status, attempt, event: event.kind, body: said };
  noteIn(commit, payout, at, 'emergency_not_applied', body);
  if (event.kind === 'accept') await keepAcceptance(commit, payout, event, at);
  return false;
}

/**
 * Whether the line is about the request of the payout's last intent. The same number may belong to another process if
 * the ledger was set back.
 */
async function isOfLastAttempt(sql: Sql, payout: Payout, { attempt, writer }: Emergency): Promise<boolean> {
  if (attempt === undefined || attempt !== payout.attempts) return false;
  const row = await sql.get(q`SELECT ${text(ENTRY_COLUMNS)} FROM journal
    WHERE payout = ${payoutNumber(payout.id)} AND ${LATER} AND kind = 'begin_attempt' ORDER BY seq DESC LIMIT 1`);
  const intent = row && decodeEvent(row);
  return intent?.kind === 'begin_attempt' && isSameWriter(writer, intent.sender);
}

async function moved(commit: Commit, before: Payout, event: PayoutEvent): Promise<boolean> {
  if (!mayFollow(before.state, event.kind)) return false;
  const recorded = await apply({ before, event, after: advance(before, event) }, commit);
  return recorded.kind === 'recorded';
}

/** The service has taken an earlier request of this row: whatever was made of the row since, a person must know. */
async function keepAcceptance(
  commit: Commit,
  payout: Payout,
  { transferId }: EventOf<'accept'>,
  at: number,
): Promise<void> {
  const known = await commit.sql.get(q`SELECT id FROM payouts WHERE transfer_id = ${transferId}
    UNION SELECT id FROM payouts WHERE other_id = ${transferId}`);
  if (known !== undefined) return;
  const what = `an earlier request for it was accepted as transfer ${transferId}; the answer was found only now`;
  noteIn(commit, payout, at, 'incident', { payout: payout.id, row: payout.rowNumber, what });
  const words = `The service accepted an earlier request for this row as transfer ${transferId}`;
  const pricing = 'pricing' in payout.state ? payout.state.pricing : undefined;
  const reasons = [{ concern: { kind: 'maybe_paid', evidence: words }, text: words }] as const;
  await moved(commit, payout, { kind: 'hold', reasons, pricing, at: timestampOf(at) });
}

function isKnownOutcome({ state }: Payout, event: PayoutEvent): boolean {
  if (event.kind === 'accept') return 'transferId' in state && state.transferId === event.transferId;
  if (event.kind === 'doubt') return state.status === 'in_doubt';
  return event.kind === 'refuse' && state.status === 'failed';
}
