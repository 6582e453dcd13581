/**
 * The disk of a simulated machine: one ledger file that every process opens for itself, as real ones do. It is
 * copied from a template for each history, and a connection of the checkers' own sees only what was committed.
 *
 * Power loss is not simulated here, so nothing is synced: that keeps a history short.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { identify, setUp, writeNew } from '../../src/adapters/ledger/storage/open-file.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import type { LedgerIdentity } from '../../src/ports/ledger/ledger.ts';

export const START_MS = Date.UTC(2026, 4, 25, 6, 0);
const CONNECTION = { timeout: 0, readBigInts: true, enableForeignKeyConstraints: true } as const;
const QUICK =
  'PRAGMA synchronous = OFF; PRAGMA fullfsync = OFF; PRAGMA checkpoint_fullfsync = OFF; PRAGMA wal_autocheckpoint = 0';

export type Environment = 'live' | 'sandbox';

export interface Connection {
  readonly db: DatabaseSync;
  /** One of each text, for one process at a time. */
  readonly statements: Map<string, StatementSync>;
}

export class Store {
  readonly #folder = mkdtempSync(join(tmpdir(), 'payfile-simulation-'));
  readonly #identities: Readonly<Record<Environment, LedgerIdentity>>;
  readonly path = join(this.#folder, 'ledger.db');
  readonly emergencyPath = join(this.#folder, 'emergency');

  constructor() {
    this.#identities = { live: this.#makeTemplate('live'), sandbox: this.#makeTemplate('sandbox') };
  }

  /** Connections that a process has closed in good order, for the next one. */
  readonly #idle: Connection[] = [];

  /** A new, empty ledger in the place of the last one. */
  reset(environment: Environment): LedgerIdentity {
    for (const { db } of this.#idle.splice(0)) db.close();
    for (const end of ['-wal', '-shm']) rmSync(`${this.path}${end}`, { force: true });
    copyFileSync(this.#templatePath(environment), this.path);
    return { ...this.#identities[environment], path: this.path };
  }

  open(): DatabaseSync {
    const db = new DatabaseSync(this.path, CONNECTION);
    setUp(db, { isReadOnly: true });
    db.exec(QUICK);
    return db;
  }

  /** A connection for one process; preparing statements anew for each would take most of a history's time. */
  connect(): Connection {
    return this.#idle.pop() ?? { db: this.open(), statements: new Map() };
  }

  giveBack(connection: Connection): void {
    this.#idle.push(connection);
  }

  remove(): void {
    for (const { db } of this.#idle.splice(0)) db.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #templatePath(environment: Environment): string {
    return join(this.#folder, `${environment}.db`);
  }

  #makeTemplate(environment: Environment): LedgerIdentity {
    const path = this.#templatePath(environment);
    const db = new DatabaseSync(path, CONNECTION);
    setUp(db, { isReadOnly: false });
    const binding = { environment, baseUrl: 'https://pay.example', loginId: 'shop' };
    writeNew(db, path, binding, timestampOf(START_MS));
    const identity = identify(db, path, binding, false);
    db.close();
    return identity;
  }
}
