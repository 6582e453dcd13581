/**
 * How far a ledger has come, to its last commit: one number in a file of its own beside the list of known ledgers.
 *
 * Why:     the list is synced to the disk, and so written once a second at most. The mark is written after every
 *          commit without waiting for the disk (microseconds), and outlives a process that is killed.
 * Errors:  none; where the mark cannot be kept, the list is all there is.
 */
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

const WIDTH = 20;

export class HeadMark {
  readonly #path: string;
  #file: number | undefined;

  constructor(knownLedgersPath: string, ledgerId: string) {
    this.#path = pathOf(knownLedgersPath, ledgerId);
  }

  /** undefined when there is none that can be read. */
  static read(knownLedgersPath: string, ledgerId: string): number | undefined {
    try {
      const commits = Number(readFileSync(pathOf(knownLedgersPath, ledgerId), 'utf8'));
      return Number.isSafeInteger(commits) ? commits : undefined;
    } catch {
      return undefined;
    }
  }

  write(commits: number): void {
    try {
      this.#file ??= this.#open();
      writeSync(this.#file, String(commits).padEnd(WIDTH), 0);
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
