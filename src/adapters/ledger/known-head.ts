/**
 * Compares a ledger with what this machine remembers of it, and keeps that memory fresh: the list of known ledgers
 * at opening, at most once a second during work, when a lease is given back and at closing; the mark at every commit.
 */
import { resolve } from 'node:path';
import { LedgerError, type LedgerIdentity } from '../../ports/ledger.ts';
import { type Head, ledgerHead } from './event-chain.ts';
import { HeadMark } from './head-mark.ts';
import { type KnownLedger, knownLedgers, rememberLedger } from './known-ledgers.ts';
import type { Sql } from './statements.ts';

const INTERVAL_MS = 1_000;

export interface KnownHeadParts {
  readonly sql: Sql;
  readonly path: string;
  readonly identity: LedgerIdentity;
  readonly now: () => number;
}

export class KnownHead {
  readonly #parts: KnownHeadParts;
  readonly #mark: HeadMark;
  #writtenAt = 0;

  constructor(parts: KnownHeadParts) {
    this.#parts = parts;
    this.#mark = new HeadMark(parts.path, parts.identity.id);
  }

  /** What is remembered; read before the ledger is opened, so that another process can only be ahead of it. */
  static remembered(path: string, id: string): KnownLedger | undefined {
    return knownLedgers(path).find((known) => known.id === id);
  }

  /** In words why the ledger is older than, or another than, the remembered one; undefined when it is not. */
  static objection(sql: Sql, known: KnownLedger, marked: number | undefined): string | undefined {
    const { commits } = ledgerHead(sql);
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

  worked(head: Head): void {
    this.#mark.write(head.commits);
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
    this.#mark.write(head.commits);
  }

  close(): void {
    this.#mark.close();
  }

  #write(head: Head, mayGoBack: boolean): void {
    const { path, identity, now } = this.#parts;
    const { id, environment, baseUrl } = identity;
    // Absolute, for it is read again from another folder.
    const ledgerPath = resolve(identity.path);
    rememberLedger(
      path,
      { id, path: ledgerPath, environment, baseUrl, head, updatedAt: now() },
      { mayGoBack },
    );
  }
}

export function rolledBack(path: string, why: string): LedgerError {
  const text =
    `The ledger ${path} is older than this machine remembers: ${why}. It has forgotten payments; nothing is sent with it. ` +
    'Put the newer ledger back; or compare this one with a statement and accept it: payfile verify --accept-rollback';
  return new LedgerError('ledger_rolled_back', text);
}
