/** A ledger in a file, with rows in all states, and the place on a server that it is moved to. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { type OpenLedgerOptions, openLedger, reading } from '../../src/ledger/file.ts';
import { pgDatabase } from '../../src/ledger/pg.ts';
import { shownPlace } from '../../src/ledger/pg-connection.ts';
import { FORMAT } from '../../src/ledger/schema.ts';
import { openServerLedger } from '../../src/ledger/server.ts';
import { q, type Sql, text } from '../../src/ledger/sql.ts';
import { createPayfile, type PayfileOptions } from '../../src/payfile.ts';
import { LedgerError } from '../../src/ports/ledger/errors.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import type { ServerPlace } from '../../src/ports/server-place.ts';
import { batchOf, invalidRow, moved, only, row, walkedTo } from '../builders/ledger-batches.ts';
import { aReason, NOW, OVER_LIMIT } from '../builders/payouts.ts';
import { LIVE } from './ledger-files.ts';

const SERVICE = {
  baseUrl: LIVE.baseUrl,
  authUrl: LIVE.authUrl,
  id: LIVE.loginId,
  password: 'x',
};
export type LedgerToMove = ReturnType<typeof ledgerToMove>;

/** Nothing is in the file before `fill`. */
export function ledgerToMove(place: ServerPlace) {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-move-'));
  mkdirSync(join(folder, 'payfile'));
  const path = join(folder, 'ledger.db');
  const known = (user = '') => join(folder, user, 'payfile', 'known-ledgers');
  const env = () => ({ ...process.env, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder });
  const settings: PayfileOptions = {
    ledger: path,
    ledgerPassword: place.password ?? '',
    service: SERVICE,
    actor: 'ama',
    source: 'GB',
  };
  const openFile = (options: Partial<OpenLedgerOptions> = {}) =>
    openLedger({
      ...{ path, binding: LIVE, create: false, knownLedgersPath: known() },
      ...{ clock: { now: () => timestampOf(Date.now()) }, ...options },
    });
  const payfile = (ledger = path) => createPayfile({ ...settings, ledger }, { env: env(), cwd: folder });
  return {
    ...{ folder, path, place, settings, to: shownPlace(place), known, env, openFile, payfile },
    openServer: (user?: string) =>
      openServerLedger({ place, binding: LIVE, create: false, knownLedgersPath: known(user) }),
    /** Of this file, or of another one, to this place or to another one. */
    async move(ledger = path, to = shownPlace(place)) {
      const opened = payfile(ledger);
      try {
        return await opened.ledger.move({ to });
      } finally {
        await opened.close();
      }
    },
    async fill() {
      const ledger = await openFile({ create: true });
      await fill(ledger);
      await ledger.close();
    },
    inFile: () => reading(path, contentOf),
    async onServer() {
      const db = pgDatabase({ place, format: FORMAT });
      return contentOf(db.read).finally(() => db.close());
    },
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

const TABLES = ['batches', 'routes', 'payouts', 'journal', 'commits', 'name_releases', 'counters', 'ledger'];

async function contentOf(sql: Sql): Promise<Readonly<Record<string, unknown>>> {
  const content: Record<string, unknown> = {};
  for (const table of TABLES)
    content[table] = (await sql.all(q`SELECT * FROM ${text(table)} ORDER BY 1`)).map(plain);
  return content;
}

/** Bytes come as another type of each database. */
function plain(row: object): object {
  const values = Object.entries(row).map(([column, value]) => [
    column,
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
  ]);
  return Object.fromEntries(values);
}
