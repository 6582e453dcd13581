/**
 * Compares a ledger with what this machine remembers of it, and keeps that memory fresh: the list of known ledgers
 * at opening, at most once a second during work, when a lease is given back and at closing; the marks at every commit.
 */
import { resolve } from 'node:path';
import type { FileIdentity } from '../../domain/ledger-trust.ts';
import { LedgerError, type LedgerIdentity } from '../../ports/ledger.ts';
import { type Head, ledgerHead } from './event-chain.ts';
import { HeadMark } from './head-mark.ts';
import { type KnownLedger, rememberLedger } from './known-ledgers.ts';
import { LedgerMark, type LedgerMarkFacts } from './ledger-mark.ts';
import type { Sql } from './statements.ts';

const INTERVAL_MS = 1_000;

export interface KnownHeadParts {
  readonly sql: Sql;
  readonly path: string;
  readonly identity: LedgerIdentity;
  readonly now: () => number;
  /** The ledger's own file, and the mode of what lies beside it; undefined: no mark is kept beside it. */
  readonly beside: { readonly file: FileIdentity; readonly mode: number } | undefined;
}

/** Read before the ledger is, so that another process can only be ahead of it. */
export interface Remembered {
  /** Of the user's list. */
  readonly entry: KnownLedger | undefined;
  /** Of the user's mark: commits. */
  readonly marked: number | undefined;
  readonly beside: LedgerMarkFacts | undefined;
}

export class KnownHead {
  readonly #parts: KnownHeadParts;
  readonly #mark: HeadMark;
  readonly #beside: LedgerMark | undefined;
  #writtenAt = 0;

  constructor(parts: KnownHeadParts) {
    this.#parts = parts;
    const { path, identity, beside } = parts;
    this.#mark = new HeadMark(path, identity.id);
    this.#beside = beside === undefined ? undefined : new LedgerMark(identity.path, identity.id, beside);
  }

  /** In words why the ledger is older than, or another than, the remembered one; undefined when it is not. */
  static objection(sql: Sql, remembered: Remembered): string | undefined {
    const { commits } = ledgerHead(sql);
    const { entry, marked, beside } = remembered;
    const byList = entry === undefined ? undefined : objectionOfList(sql, commits, { known: entry, marked });
    if (byList !== undefined || beside === undefined || commits >= beside.commits) return byList;
    return `it has ${commits} commits and the mark beside it says ${beside.commits}`;
  }

  worked(head: Head): void {
    this.#writeMarks(head.commits);
    const now = performance.now();
    if (now - this.#writtenAt < INTERVAL_MS) return;
    this.#writtenAt = now;
    this.#tryWrite(head);
  }

  /** A machine that cannot keep its memory must not stop a payment under way; opening and closing do complain. */
  #tryWrite(head: Head): void {
    try {
      this.#write(head, false);
    } catch {
      // Written again at the next chance.
    }
  }

  write(mayGoBack = false): void {
    const head = ledgerHead(this.#parts.sql);
    this.#write(head, mayGoBack);
    this.#writeMarks(head.commits);
  }

  #writeMarks(commits: number): void {
    this.#mark.write(commits);
    this.#beside?.write(commits);
  }

  close(): void {
    this.#mark.close();
    this.#beside?.close();
  }

  #write(head: Head, mayGoBack: boolean): void {
    const { path, identity, now, beside } = this.#parts;
    const { id, environment, baseUrl } = identity;
    // Absolute, for it is read again from another folder.
    const ledgerPath = resolve(identity.path);
    rememberLedger(
      path,
      { id, path: ledgerPath, environment, baseUrl, head, file: beside?.file, updatedAt: now() },
      { mayGoBack },
    );
  }
}

function objectionOfList(
  sql: Sql,
  commits: number,
  { known, marked }: { known: KnownLedger; marked: number | undefined },
): string | undefined {
  const seen = new Date(known.updatedAt).toISOString();
  if (commits < known.head.commits) {
    return `it has ${commits} commits and had ${known.head.commits} on ${seen} (then at ${known.path})`;
  }
  if (marked !== undefined && commits < marked)
    return `it has ${commits} commits and had ${marked} when it was last worked with (at ${known.path})`;
  if (known.head.commits === 0) return undefined;
  const head = sql('SELECT head FROM commits WHERE seq = ?').get(known.head.commits)?.head;
  if (head === known.head.hash) return undefined;
  return `its commit ${known.head.commits} is not the one seen on ${seen} (then at ${known.path})`;
}

export function rolledBack(path: string, why: string): LedgerError {
  const text =
    `The ledger ${path} is older than this machine remembers: ${why}. It has forgotten payments; nothing is sent with it. ` +
    'Put the newer ledger back; or compare this one with a statement and accept it: payfile verify --accept-rollback';
  return new LedgerError('ledger_rolled_back', text);
}

export function unknownHere(path: string, why: string): LedgerError {
  const text =
    `The ledger ${path} is not known here: ${why}. A copy or a restored backup does not know what was paid after it ` +
    'was made, and would pay it again; nothing is sent with it. If it is the newest one, compare it with a statement ' +
    'of the service and accept it: payfile verify --accept-ledger';
  return new LedgerError('ledger_unknown', text);
}
