/** A ledger in a file, with rows in all states, and the place on a server that it is moved to. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PostgresDatabase } from '../../../src/adapters/ledger/postgres/connection.ts';
import type { ServerPlace } from '../../../src/adapters/ledger/postgres/pg-client.ts';
import { openPostgresLedger, shownPlace } from '../../../src/adapters/ledger/postgres/postgres-ledger.ts';
import type { OpenSqliteLedgerOptions } from '../../../src/adapters/ledger/sqlite-ledger.ts';
import type { Database } from '../../../src/adapters/ledger/storage/database.ts';
import { createPayfile, type PayfileOptions } from '../../../src/payfile.ts';
import { LedgerError } from '../../../src/ports/ledger/errors.ts';
import type { Ledger } from '../../../src/ports/ledger/ledger.ts';
import { batchOf, invalidRow, moved, only, row, walkedTo } from '../../builders/ledger-batches.ts';
import { aReason, NOW, OVER_LIMIT } from '../../builders/payouts.ts';
import { openAt } from './ledger-files.ts';

const SERVICE = {
  baseUrl: 'https://pay.example',
  authUrl: 'https://login.example',
  id: 'ama',
  password: 'x',
};
export const LIVE = {
  environment: 'live',
  baseUrl: SERVICE.baseUrl,
  authUrl: SERVICE.authUrl,
  loginId: 'ama',
} as const;

export type LedgerToMove = ReturnType<typeof ledgerToMove>;

/** Nothing is in the file before `fill`. */
export function ledgerToMove(place: ServerPlace) {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-move-'));
  mkdirSync(join(folder, 'payfile'));
  const path = join(folder, 'ledger.db');
  const known = (user = '') => join(folder, user, 'payfile', 'known-ledgers.json');
  const env = () => ({ ...process.env, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder });
  const settings: PayfileOptions = {
    ledger: path,
    ledgerPassword: place.password ?? '',
    service: SERVICE,
    actor: 'ama',
    source: 'GB',
  };
  const openFile = (options: Partial<OpenSqliteLedgerOptions> = {}) =>
    openAt(path, { binding: LIVE, create: false, knownLedgersPath: known(), ...options });
  const payfile = (ledger = path) => createPayfile({ ...settings, ledger }, { env: env(), cwd: folder });
  return {
    ...{ folder, path, place, settings, to: shownPlace(place), known, env, openFile, payfile },
    openServer: (user?: string) =>
      openPostgresLedger({ place, binding: LIVE, create: false, knownLedgersPath: known(user) }),
    /** Of this file, or of another one, to this place or to another one. */
    async move(ledger = path, to = shownPlace(place)) {
      const opened = payfile(ledger);
      try {
        return await opened.moveLedger(to);
      } finally {
        await opened.close();
      }
    },
    async fill() {
      const ledger = await openFile({ create: true });
      await fill(ledger);
      await ledger.close();
    },
    inFile: () => contentOf(new DatabaseSync(path, { readBigInts: true }), path),
    onServer: () => contentOf(new PostgresDatabase(place), path),
    end: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const ODD = "tab\tline\r\nback\\slash \\N \\. “quoted” ' 😀";

/** A batch with rows in all states, one of them on the wire of a process that is gone. */
async function fill(ledger: Ledger): Promise<void> {
  const rows = Array.from({ length: 14 }, (_, n) =>
    row(n + 1, n === 13 ? { name: ODD, reference: ODD } : {}),
  );
  const id = await batchOf(ledger, [...rows, invalidRow(20)], 'may');
  const states = [
    'quoted',
    'approved',
    'sending',
    'in_doubt',
    'accepted',
    'settled',
    'failed',
    'refused',
  ] as const;
  for (const [at, goal] of states.entries()) await walkedTo(ledger, await only(ledger, id, at + 2), goal);
  const reasons = [aReason(OVER_LIMIT, ODD)];
  await moved(ledger, await only(ledger, id, 10), { kind: 'cancel', by: 'ama', reason: ODD, at: NOW });
  await moved(ledger, await only(ledger, id, 11), {
    kind: 'hold',
    reasons,
    pricing: undefined,
    at: NOW,
  });
  await batchOf(ledger, [row(30), row(31)], 'june');
  const { id: payout } = await only(ledger, id, 2);
  await ledger.note(id, 'incident', { payout, row: 2, what: ODD }, NOW);
}

/** What an opening is refused with. */
export async function refusal(opening: Promise<Ledger>): Promise<LedgerError | undefined> {
  const answer: unknown = await opening.then(
    (ledger) => ledger.close(),
    (error: unknown) => error,
  );
  if (answer !== undefined && !(answer instanceof LedgerError)) throw answer;
  return answer;
}

const TABLES = ['batches', 'routes', 'payouts', 'journal', 'commits', 'name_releases', 'sums', 'ledger'];

/** Of the columns that the file has; closes `db`. */
function contentOf(db: Database & { close(): void }, path: string): Record<string, unknown[]> {
  const file = new DatabaseSync(path);
  try {
    const rows = (table: string) => {
      const names = file.prepare('SELECT name FROM pragma_table_info(?)').all(table);
      const columns = names.map(({ name }) => String(name)).join(', ');
      return db.prepare(`SELECT ${columns} FROM ${table} ORDER BY 1`).all();
    };
    return Object.fromEntries(TABLES.map((table) => [table, rows(table).map((one) => ({ ...one }))]));
  } finally {
    file.close();
    db.close();
  }
}
