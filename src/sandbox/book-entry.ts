/**
 * One executed transfer, as the sandbox's book has it: what the sandbox is judged by, and judges others by.
 *
 * Why:     the statuses still to come are written down when the transfer executes, and the current one
 *          follows from the time; so no timer runs, and a restart changes nothing.
 */
import type { AccountScenario } from './scenario-accounts.ts';

export type TransferStatus = 'Processing' | 'Finished' | 'Failed' | 'Reversed';

export interface Transition {
  readonly status: TransferStatus;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface BookEntry {
  readonly id: string;
  /** When it executed, in milliseconds since 1970. */
  readonly at: number;
  /** Country ids. */
  readonly source: string;
  readonly destination: string;
  /** Institution id. */
  readonly institution: string;
  readonly account: string;
  readonly name: string;
  readonly phone: string;
  /** Decimal text in the destination's currency, as executed. */
  readonly amount: string;
  readonly currency: string;
  readonly note: string;
  /** In order of time; the last may lie in the future. */
  readonly transitions: readonly Transition[];
}

// Late enough to outlast a first look, early enough for a rehearsal.
export const SLOW_TIMES = 15;

/** What a transfer executed now will go through. */
export function transitionsOf(
  at: number,
  speedMs: number,
  scenario: AccountScenario | undefined,
): readonly Transition[] {
  const processing: Transition = { status: 'Processing', at };
  const after = (times: number, status: TransferStatus): Transition => ({ status, at: at + speedMs * times });
  switch (scenario) {
    case 'never_finishes':
      return [processing];
    case 'slow':
      return [processing, after(SLOW_TIMES, 'Finished')];
    case 'failed_later':
      return [processing, after(1, 'Failed')];
    case 'returned_later':
      return [processing, after(1, 'Finished'), after(2, 'Reversed')];
    default:
      return [processing, after(1, 'Finished')];
  }
}

export function statusAt(entry: BookEntry, now: number): TransferStatus {
  let status: TransferStatus = 'Processing';
  for (const transition of entry.transitions) if (transition.at <= now) status = transition.status;
  return status;
}

const TEXTS = 'id source destination institution account name phone amount currency note'.split(' ');
const STATUSES: readonly unknown[] = ['Processing', 'Finished', 'Failed', 'Reversed'];

/** Whether a line of a book file is an entry; a book written by hand is not trusted. */
export function isBookEntry(value: unknown): value is BookEntry {
  if (value === null || typeof value !== 'object') return false;
  const entry = value as Record<string, unknown>;
  const { at, transitions } = entry;
  if (!TEXTS.every((key) => typeof entry[key] === 'string') || !isTime(at)) return false;
  return Array.isArray(transitions) && transitions.length > 0 && transitions.every(isTransition);
}

function isTransition(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false;
  const { status, at } = value as Record<string, unknown>;
  return STATUSES.includes(status) && isTime(at);
}

function isTime(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}
