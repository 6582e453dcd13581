/**
 * The mark beside a live ledger's file: which file it is (inode, birth time) and how many commits it has. It is written
 * after every commit without waiting for the disk, as the user's own mark is (known-ledgers.ts). A copy of the ledger has
 * another inode, and an older state put in its place has fewer commits.
 *
 * Errors:  none; where the mark cannot be kept, the user's list decides alone.
 */
import {
  closeSync,
  constants,
  openSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { type FileIdentity, RESTORED } from '../../../domain/batches/ledger-trust.ts';

export const MARK_END = '.mark';
/** One write of one length: a reader never finds the file empty or cut. */
const WIDTH = 200;
const MODE = 0o600;

export interface LedgerMarkFacts {
  readonly file: FileIdentity;
  readonly commits: number;
}

/** Of an existing file, whatever links lead to it. */
export function fileIdentityOf(path: string): FileIdentity {
  const { ino, birthtimeNs, ctimeNs } = statSync(path, { bigint: true });
  // Systems without a creation time give 0, or the time of the last change.
  const isReal = birthtimeNs > 0n && birthtimeNs !== ctimeNs;
  return { inode: String(ino), birth: isReal ? String(birthtimeNs) : undefined };
}

/** Whatever links lead there; of a file that is gone, the path as it was. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** undefined when there is no file, or nobody can say which it is. */
export function inodeAt(path: string): string | undefined {
  try {
    return String(statSync(path, { bigint: true }).ino);
  } catch {
    return undefined;
  }
}

export class LedgerMark {
  readonly #path: string;
  readonly #ledger: string;
  readonly #identity: FileIdentity;
  #file: number | undefined;

  constructor(ledgerPath: string, ledger: string, file: FileIdentity) {
    this.#path = markPathOf(ledgerPath);
    this.#ledger = ledger;
    this.#identity = file;
  }

  /** undefined when there is none of this ledger that can be read. */
  static read(ledgerPath: string, ledger: string): LedgerMarkFacts | undefined {
    try {
      const marked = JSON.parse(readFileSync(markPathOf(ledgerPath), 'utf8')) as Record<string, unknown>;
      const { inode, birth, commits } = marked;
      if (marked.ledger !== ledger || typeof inode !== 'string' || !Number.isSafeInteger(commits))
        return undefined;
      return {
        file: { inode, birth: typeof birth === 'string' ? birth : undefined },
        commits: Number(commits),
      };
    } catch {
      return undefined;
    }
  }

  /** Says of a ledger that is about to get its place that no user has worked with its file. */
  static writeRestored(ledgerPath: string, ledger: string, commits: number): void {
    const text = JSON.stringify({ ledger, inode: RESTORED, birth: null, commits });
    writeFileSync(`${ledgerPath}${MARK_END}`, `${text.padEnd(WIDTH - 1)}\n`, { flag: 'wx', mode: MODE });
  }

  write(commits: number): void {
    try {
      this.#file ??= this.#open();
      const { inode, birth = null } = this.#identity;
      const text = JSON.stringify({ ledger: this.#ledger, inode, birth, commits });
      writeSync(this.#file, `${text.padEnd(WIDTH - 1)}\n`, 0);
    } catch {
      // The user's list is kept all the same.
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #open(): number {
    const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
    return openSync(this.#path, O_RDWR | O_CREAT | O_NOFOLLOW, MODE);
  }
}

/** Beside the file itself, so that a link to it finds the same mark. */
function markPathOf(ledgerPath: string): string {
  return `${realpathSync(ledgerPath)}${MARK_END}`;
}
