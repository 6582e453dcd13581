/**
 * The ledgers known on this machine and the last commit of each, in a small file apart from them. It shows when a ledger
 * was replaced by an older copy, which would have forgotten payments.
 *
 * Errors:  LedgerError `ledger_damaged` when the file cannot be understood: protection is never lost silently.
 */
import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileIdentity } from '../../../domain/batches/ledger-trust.ts';
import { LedgerError } from '../../../ports/ledger/errors.ts';
import type { Head } from '../proof/event-chain.ts';

export interface KnownLedger {
  readonly id: string;
  readonly path: string;
  readonly environment: 'live' | 'sandbox';
  readonly baseUrl: string;
  readonly head: Head;
  /** The last file of the user for this ledger; undefined in the sandbox. */
  readonly file?: FileIdentity | undefined;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

/** Empty when nothing was ever remembered. */
export function knownLedgers(path: string): readonly KnownLedger[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw notKept(path, error);
  }
  try {
    const parsed = JSON.parse(text) as { ledgers?: unknown };
    if (!Array.isArray(parsed.ledgers) || !parsed.ledgers.every(isKnownLedger))
      throw new TypeError('no list of ledgers');
    return parsed.ledgers;
  } catch (error) {
    const advice =
      'Restore it, or remove it to start a new list; then only the mark beside a ledger tells whether it is an older copy.';
    throw new LedgerError('ledger_damaged', `The list of known ledgers ${path} cannot be read. ${advice}`, {
      cause: error,
    });
  }
}

/**
 * Remembers how far a ledger has come. Never goes backwards by itself: of two processes the one that saw more
 * wins, unless a person accepted the older state.
 */
export function rememberLedger(path: string, ledger: KnownLedger, { mayGoBack = false } = {}): void {
  const known = knownLedgers(path);
  const before = known.find((one) => one.id === ledger.id);
  if (!mayGoBack && before !== undefined && before.head.commits > ledger.head.commits) return;
  const others = known.filter((one) => one.id !== ledger.id);
  try {
    writeWhole(path, `${JSON.stringify({ ledgers: [...others, ledger] }, undefined, 2)}\n`);
  } catch (error) {
    throw notKept(path, error);
  }
}

/** Asked before a ledger is made: one that is on no list could be lost unnoticed, so it is not made at all. */
export function requireListPlace(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw notKept(path, error);
  }
}

function notKept(path: string, cause: unknown): LedgerError {
  const text =
    `The list of known ledgers ${path} cannot be kept (${codeOf(cause)}). Make room, or set HOME or XDG_CONFIG_HOME to ` +
    'a folder that this user can write to, the same for every run.';
  return new LedgerError('ledger_unwritable', text, { cause });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

function writeWhole(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = openSync(temporary, 'w', 0o600);
    try {
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function isKnownLedger(value: unknown): value is KnownLedger {
  if (typeof value !== 'object' || value === null) return false;
  const { id, path, head, file } = value as Partial<KnownLedger>;
  return (
    typeof id === 'string' &&
    typeof path === 'string' &&
    typeof head?.hash === 'string' &&
    Number.isSafeInteger(head.commits) &&
    (file === undefined || typeof file?.inode === 'string')
  );
}

/**
 * How far a ledger has come, to its last commit: its number and head in a file of its own beside the list of known ledgers.
 *
 * Why:     the list is synced to the disk, and so written once a second at most. The mark is written after every
 *          commit without waiting for the disk (microseconds), and outlives a process that is killed.
 * Errors:  none; where the mark cannot be kept, the list is all there is.
 */

const WIDTH = 86;

export class HeadMark {
  readonly #path: string;
  #file: number | undefined;

  constructor(knownLedgersPath: string, ledgerId: string) {
    this.#path = pathOf(knownLedgersPath, ledgerId);
  }

  /** undefined when there is none that can be read. */
  static read(knownLedgersPath: string, ledgerId: string): Head | undefined {
    try {
      const [number, hash] = readFileSync(pathOf(knownLedgersPath, ledgerId), 'utf8').trim().split(' ');
      const commits = Number(number);
      return Number.isSafeInteger(commits) && hash !== undefined ? { commits, hash } : undefined;
    } catch {
      return undefined;
    }
  }

  write({ commits, hash }: Head): void {
    try {
      this.#file ??= this.#open();
      writeSync(this.#file, `${commits} ${hash}`.padEnd(WIDTH), 0);
    } catch {
      // The list of known ledgers is written all the same.
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #open(): number {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    return openSync(this.#path, 'w', 0o600);
  }
}

function pathOf(knownLedgersPath: string, ledgerId: string): string {
  return join(dirname(knownLedgersPath), 'ledger-heads', ledgerId);
}
