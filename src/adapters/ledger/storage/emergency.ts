/**
 * The emergency file beside the ledger: outcomes that an ordinary commit could not take. Its space is taken in
 * advance, so that a full disk does not refuse it; each process writes to its own part.
 *
 * A line speaks of one request alone: it and the intent name ledger, payout, attempt, process and the start of the
 * process. Another request's “not sent” never makes a row payable; another's acceptance is an incident.
 *
 * Errors:  writing never throws; where the file fails, the line on stderr is all there is.
 */

import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { asPayoutId, type PayoutId } from '../../../domain/payouts/instruction.ts';
import type { Payout } from '../../../domain/payouts/payout.ts';
import {
  type EventKind,
  type EventOf,
  isSameWriter,
  type PayoutEvent,
  type Writer,
} from '../../../domain/payouts/payout-event.ts';
import { advance, mayFollow } from '../../../domain/payouts/payout-machine.ts';
import { timestampOf } from '../../../domain/timestamp.ts';
import type { Batches } from '../batches/batches.ts';
import { encodeNote } from '../batches/note-codec.ts';
import { lastIntent } from '../payouts/attempts.ts';
import { applyMove } from '../payouts/moves.ts';
import { decodeEvent, decodeWriter, encodeEvent, eventText } from '../payouts/payout-codec.ts';
import type { Payouts } from '../payouts/payouts.ts';
import type { ChainDraft } from '../proof/event-chain.ts';
import type { Database } from './database.ts';
import { FILE_MODE } from './ledger-file.ts';
import type { Sql } from './sql-statements.ts';
import { type Machine, THIS_MACHINE, writerOf } from './this-machine.ts';

const SIZE = 1024 * 1024;
const SLOTS = 16;
const SLOT = SIZE / SLOTS;
const FRAGMENT_MAX = 512;

export interface Emergency {
  readonly payoutId: string;
  /** The number of the request; undefined if the line contradicts itself. */
  readonly attempt: number | undefined;
  /** The process that sent the request. */
  readonly writer: Writer;
  readonly event: PayoutEvent;
}

interface EmergencyOptions {
  /** undefined: this one. */
  readonly machine?: Pick<Machine, 'pid' | 'host' | 'processStart' | 'say'>;
}

export class EmergencyFile {
  #file: number | undefined;
  readonly #ledgerId: string;
  readonly #machine: NonNullable<EmergencyOptions['machine']>;
  /** What `entries` read, part by part. */
  #seen: readonly string[] = [];

  /** `path` undefined: nowhere to write, stderr alone. */
  constructor(path: string | undefined, ledgerId: string, { machine = THIS_MACHINE }: EmergencyOptions = {}) {
    this.#ledgerId = ledgerId;
    this.#machine = machine;
    this.#file = path === undefined ? undefined : openWhole(path);
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
      // stderr is closed.
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
    const file = this.#file;
    // Another file may have the same number from now on.
    this.#file = undefined;
    if (file !== undefined) closeSync(file);
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
    const body = eventText(withoutLongFragment(event));
    const writer = writerOf(this.#machine);
    return `${JSON.stringify({ ledger: this.#ledgerId, payout, attempt, ...writer, kind, at, body })}\n`;
  }

  #parse(line: string): Emergency[] {
    try {
      const said = JSON.parse(line) as Record<string, unknown>;
      const { ledger, payout, attempt, kind, at, body } = said;
      if (ledger !== this.#ledgerId || typeof payout !== 'string' || typeof body !== 'string') return [];
      const event = decodeEvent(kind as EventKind, Number(at), body);
      // A line that contradicts itself belongs to no known request.
      const isOwn = !('evidence' in event) || event.evidence.attempt === attempt;
      const request = isOwn && typeof attempt === 'number' ? attempt : undefined;
      return [{ payoutId: payout, attempt: request, writer: decodeWriter(said), event }];
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

function openWhole(path: string): number | undefined {
  try {
    const file = openSync(path, exists(path) ? 'r+' : 'wx+', FILE_MODE);
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

/**
 * Outcomes that a process could not commit and wrote to the emergency file are applied when the ledger is next
 * opened, to payouts whose attempt is still open. What cannot be applied stays as a note for a person; an acceptance
 * of an earlier request is an incident besides, and holds a row that would go out again.
 */

interface EmergencyParts {
  readonly db: Database;
  readonly sql: Sql;
  readonly chain: ChainDraft;
  readonly payouts: Payouts;
  readonly batches: Batches;
}

/** How many were applied. The file is cleared only after the commit. */
export function applyEmergencies(parts: EmergencyParts, file: EmergencyFile, at: number): number {
  const entries = file.entries();
  if (entries.length === 0) return 0;
  const { db, chain } = parts;
  let applied = 0;
  db.exec('BEGIN IMMEDIATE');
  try {
    chain.begin();
    for (const entry of entries) if (applyOne(parts, entry, at)) applied += 1;
    chain.write();
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
  file.clear();
  return applied;
}

function applyOne(parts: EmergencyParts, entry: Emergency, at: number): boolean {
  const { event } = entry;
  const payout = parts.payouts.byId(asPayoutId(entry.payoutId));
  if (payout === undefined) return false;
  if (isOfLastAttempt(parts, payout, entry) && moved(parts, payout, event)) return true;
  // The outcome may be known already, or somebody else moved the payout: a person can still see what was written.
  if (isKnownOutcome(payout, event)) return false;
  const body = encodeNote('emergency_not_applied', {
    payout: payout.id,
    status: payout.state.status,
    attempt: entry.attempt,
    event: event.kind,
    body: JSON.parse(encodeEvent(event)),
  });
  parts.batches.note(Number(payout.batchId), 'emergency_not_applied', body, at);
  if (event.kind === 'accept') keepAcceptance(parts, payout, event, at);
  return false;
}

/**
 * Whether the line is about the request of the payout's last intent. The same number may belong to another process if
 * the ledger was set back.
 */
function isOfLastAttempt({ sql }: EmergencyParts, payout: Payout, { attempt, writer }: Emergency): boolean {
  if (attempt === undefined || attempt !== payout.attempts) return false;
  const intent = lastIntent(sql, payout.id)?.intent;
  return intent !== undefined && isSameWriter(writer, intent.sender);
}

function moved({ sql, chain }: EmergencyParts, payout: Payout, event: PayoutEvent): boolean {
  if (!mayFollow(payout.state, event.kind)) return false;
  if (applyMove(sql, { before: payout, event, after: advance(payout, event) }) !== 1) return false;
  const line = { payout: Number(payout.id), at: event.at, kind: event.kind, body: encodeEvent(event) };
  chain.add(Number(payout.batchId), line);
  return true;
}

/** The service has taken an earlier request of this row: whatever was made of the row since, a person must know. */
function keepAcceptance(
  parts: EmergencyParts,
  payout: Payout,
  { transferId }: EventOf<'accept'>,
  at: number,
): void {
  if (parts.payouts.byTransfer(transferId) !== undefined) return;
  const what = `an earlier request for it was accepted as transfer ${transferId}; the answer was found only now`;
  const body = encodeNote('incident', { payout: payout.id, row: payout.rowNumber, what });
  parts.batches.note(Number(payout.batchId), 'incident', body, at);
  const text = `The service accepted an earlier request for this row as transfer ${transferId}`;
  const pricing = 'pricing' in payout.state ? payout.state.pricing : undefined;
  const reasons = [{ concern: { kind: 'maybe_paid', evidence: text }, text }] as const;
  moved(parts, payout, { kind: 'hold', reasons, pricing, at: timestampOf(at) });
}

function isKnownOutcome(payout: Payout, event: PayoutEvent): boolean {
  const { state } = payout;
  if (event.kind === 'accept') return 'transferId' in state && state.transferId === event.transferId;
  if (event.kind === 'doubt') return state.status === 'in_doubt';
  return event.kind === 'refuse' && state.status === 'failed';
}
