/**
 * A ledger file goes to a server: all of it, at once or not at all, and at no instant are there two ledgers. A process that
 * moves it is killed at each step.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PostgresDatabase } from '../../../src/adapters/ledger/postgres/connection.ts';
import type { ServerPlace } from '../../../src/adapters/ledger/postgres/pg-client.ts';
import { openPostgresLedger, shownPlace } from '../../../src/adapters/ledger/postgres/postgres-ledger.ts';
import type { OpenSqliteLedgerOptions } from '../../../src/adapters/ledger/sqlite-ledger.ts';
import type { Database } from '../../../src/adapters/ledger/storage/database.ts';
import { createPayfile, type PayfileOptions } from '../../../src/payfile.ts';
import { LedgerError } from '../../../src/ports/ledger/errors.ts';
import type { Ledger } from '../../../src/ports/ledger/ledger.ts';
import {
  all,
  batchOf,
  HOLDER,
  invalidRow,
  moved,
  only,
  row,
  walkedTo,
} from '../../builders/ledger-batches.ts';
import { NOW } from '../../builders/payouts.ts';
import { aPostgres } from './a-postgres.ts';
import { openAt } from './ledger-files.ts';

const CHILD = fileURLToPath(new URL('./move-child.ts', import.meta.url));
const server = aPostgres();
const SERVICE = {
  baseUrl: 'https://pay.example',
  authUrl: 'https://login.example',
  id: 'ama',
  password: 'x',
};
const LIVE = {
  environment: 'live',
  baseUrl: SERVICE.baseUrl,
  authUrl: SERVICE.authUrl,
  loginId: 'ama',
} as const;

let folder: string;
let path: string;
let place: ServerPlace;
let to: string;
let settings: PayfileOptions;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-move-'));
  mkdirSync(join(folder, 'payfile'));
  path = join(folder, 'ledger.db');
  place = server.place();
  to = shownPlace(place);
  settings = {
    ledger: path,
    ledgerPassword: place.password ?? '',
    service: SERVICE,
    actor: 'ama',
    source: 'GB',
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const env = () => ({ ...process.env, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder });
const known = (user = '') => join(folder, user, 'payfile', 'known-ledgers.json');
const openFile = (options: Partial<OpenSqliteLedgerOptions> = {}) =>
  openAt(path, { binding: LIVE, create: false, knownLedgersPath: known(), ...options });
const openServer = (user?: string, at = place) =>
  openPostgresLedger({ place: at, binding: LIVE, create: false, knownLedgersPath: known(user) });
const payfile = () => createPayfile(settings, { env: env(), cwd: folder });

async function move() {
  const opened = payfile();
  try {
    return await opened.moveLedger(to);
  } finally {
    await opened.close();
  }
}

function moveInChild(step: string) {
  const words = [CHILD, JSON.stringify(settings), to, step];
  return spawnSync(process.execPath, words, { env: env(), cwd: folder, encoding: 'utf8' });
}

const ODD = "tab\tline\r\nback\\slash \\N \\. “quoted” ' 😀";

/** A batch with rows in all states, one of them on the wire of a process that is gone. */
async function aLedger(): Promise<void> {
  const ledger = await openFile({ create: true });
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
  const reasons = [{ kind: 'limit', text: ODD }] as const;
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
  await ledger.close();
}

async function refusal(opening: Promise<Ledger>): Promise<LedgerError | undefined> {
  const answer: unknown = await opening.then(
    (ledger) => ledger.close(),
    (error: unknown) => error,
  );
  if (answer !== undefined && !(answer instanceof LedgerError)) throw answer;
  return answer;
}

const TABLES = ['batches', 'routes', 'payouts', 'journal', 'commits', 'name_releases', 'sums', 'ledger'];

function contentOf(db: Database): Record<string, unknown[]> {
  const rows = (table: string) => {
    const names = new DatabaseSync(path).prepare('SELECT name FROM pragma_table_info(?)').all(table);
    const columns = names.map(({ name }) => String(name)).join(', ');
    return db.prepare(`SELECT ${columns} FROM ${table} ORDER BY 1`).all();
  };
  return Object.fromEntries(TABLES.map((table) => [table, rows(table).map((one) => ({ ...one }))]));
}

const inFile = () => {
  const db = new DatabaseSync(path, { readBigInts: true });
  try {
    return contentOf(db);
  } finally {
    db.close();
  }
};
const onServer = () => {
  const db = new PostgresDatabase(place);
  try {
    return contentOf(db);
  } finally {
    db.close();
  }
};

/** Indexes, constraints and triggers, in which nothing names the schema. */
function guardsOf(at: ServerPlace): unknown {
  const db = new PostgresDatabase(at);
  try {
    const there = 'connamespace = current_schema()::regnamespace';
    return db
      .prepare(
        `SELECT replace(pg_get_indexdef(indexrelid), current_schema() || '.', '') AS guard FROM pg_index
           JOIN pg_class c ON c.oid = indrelid WHERE relnamespace = current_schema()::regnamespace
         UNION ALL SELECT conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE ${there}
         UNION ALL SELECT tgname || ' ' || tgenabled::text FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid
           WHERE relnamespace = current_schema()::regnamespace AND NOT tgisinternal ORDER BY 1`,
      )
      .all();
  } finally {
    db.close();
  }
}

it('refuses a ledger file that holds a NUL, which goes on as a file', async () => {
  const ledger = await openFile({ create: true });
  const id = await batchOf(ledger, [row(1, { name: 'a\0b' })], 'may');
  await ledger.close();
  await expect(move()).rejects.toMatchObject({
    code: 'ledger_unsupported',
    message: expect.stringContaining('holds a NUL'),
  });
  const still = await openFile();
  await walkedTo(still, await only(still, id, 2), 'settled');
  await still.close();
});

describe('a ledger that is moved', () => {
  it('keeps there the indexes, constraints and triggers of one that was made there', async () => {
    await aLedger();
    await move();
    const made = server.place();
    await (await openPostgresLedger({ place: made, binding: LIVE, create: true })).close();
    expect(guardsOf(place)).toEqual(guardsOf(made));
    expect(JSON.stringify(guardsOf(place))).toContain('payouts_batch_fkey');
  });

  it('is the same there to the last byte, with its ids and heads, and goes on from there', async () => {
    await aLedger();
    const result = await move();
    expect(result).toMatchObject({ to, batches: 2, recovered: 1, wasLeft: false });
    expect(onServer()).toEqual(inFile());
    const ledger = await openServer();
    const [june, may] = await ledger.batches();
    expect([may?.name, june?.name].sort()).toEqual(['june', 'may']);
    const id = (await ledger.batchNamed('may'))?.id ?? june?.id;
    if (id === undefined) throw new TypeError('no batch');
    expect(await ledger.counts(id)).toMatchObject({
      in_doubt: 2,
      approved: 1,
      settled: 1,
      canceled: 1,
      held: 1,
    });
    const approved = (await all(ledger, id)).find(({ state }) => state.status === 'approved');
    if (approved === undefined) throw new TypeError('no approved row');
    await moved(ledger, approved, {
      ...{ kind: 'begin_attempt', attempt: 1, bodyDigest: 'd', at: NOW },
      sender: { ...ledger.writer, patienceMs: 1 },
    });
    const lease = await ledger.lease(id, HOLDER);
    expect(lease.kind).toBe('leased');
    await batchOf(ledger, [row(50)], 'july');
    expect((await ledger.verify()).problems).toEqual([]);
    await ledger.close();
  });

  it('is refused in its file for ever, by every program, and can be read there', async () => {
    await aLedger();
    await move();
    for (const options of [{}, { acceptRollback: true, acceptLedger: true }]) {
      const refused = await refusal(openFile(options));
      expect(refused).toMatchObject({ code: 'ledger_moved', movedTo: to });
      expect(refused?.message).not.toContain('secret');
    }
    const reading = await openFile({ readOnly: true });
    expect(await reading.batches()).toHaveLength(2);
    expect((await reading.verify()).problems).toEqual([]);
    await expect(reading.pause((await reading.batches())[0]?.id as never, {} as never)).rejects.toThrow(
      'reading only',
    );
    await reading.close();
    const format = new DatabaseSync(path).prepare('PRAGMA user_version').get();
    expect(Number(format?.['user_version'])).toBeGreaterThan(1_000_000);
  });

  it('is known to another user who worked with the file, and to nobody else', async () => {
    await aLedger();
    mkdirSync(join(folder, 'ben', 'payfile'), { recursive: true });
    await (await openFile({ knownLedgersPath: known('ben') })).close();
    await move();
    expect(await refusal(openServer('ben'))).toBeUndefined();
    expect(await refusal(openServer('eve'))).toMatchObject({ code: 'ledger_unknown' });
  });

  it('is refused while another process has the file open, even one that only reads', async () => {
    await aLedger();
    const reading = await openFile({ readOnly: true });
    await reading.batches();
    await expect(move()).rejects.toMatchObject({ code: 'ledger_busy' });
    await reading.close();
    const working = await openFile();
    const [batch] = await working.batches();
    await working.lease(batch?.id as never, { ...HOLDER, command: 'payfile run' });
    const busy = await move().catch((error: unknown) => error);
    expect(busy).toMatchObject({
      message: expect.stringMatching(/open in another process.*At work with it: .*payfile run/),
    });
    await working.close();
    await move();
  });

  it('is not moved over another ledger, nor twice to two places, nor from a copy', async () => {
    await aLedger();
    const other = await openPostgresLedger({
      place,
      binding: LIVE,
      create: true,
      knownLedgersPath: known('eve'),
    });
    await other.close();
    await expect(move()).rejects.toMatchObject({ code: 'ledger_present' });
    expect(await refusal(openFile())).toBeUndefined();
    copyFileSync(path, join(folder, 'copy.db'));
    const original = settings;
    settings = { ...settings, ledger: join(folder, 'copy.db') };
    place = server.place();
    to = shownPlace(place);
    await expect(move()).rejects.toMatchObject({ code: 'ledger_unknown' });
    settings = original;
    await move();
    place = server.place();
    to = shownPlace(place);
    await expect(move()).rejects.toMatchObject({ code: 'ledger_moved' });
  });

  it('stays in its file when the copy is not the same', async () => {
    await aLedger();
    const opened = payfile();
    const onProgress = (event: { readonly kind: string; readonly step?: { readonly doing: string } }) => {
      if (event.kind !== 'move' || event.step?.doing !== 'verify_copy') return;
      const db = new PostgresDatabase(place);
      db.exec("UPDATE payouts SET account = account || '1' WHERE id = 2");
      db.close();
    };
    await expect(opened.moveLedger(to, { onProgress })).rejects.toThrow('its table payouts is another');
    await opened.close();
    expect(await refusal(openServer())).toMatchObject({ code: 'ledger_moved' });
    expect(await refusal(openFile())).toBeUndefined();
    expect((await move()).wasLeft).toBe(false);
  });

  it('is not copied again when the server lost it: the file does not know what was paid since', async () => {
    await aLedger();
    await move();
    const db = new PostgresDatabase(place);
    db.exec(`DROP SCHEMA ${place.schema} CASCADE`);
    db.close();
    await expect(move()).rejects.toThrow(/not copied again/);
    expect(await refusal(openFile())).toMatchObject({ code: 'ledger_moved' });
  });
});

const BEFORE = [
  'recover',
  'verify',
  'copy',
  'copy payouts',
  'copy journal',
  'copy sqlite_sequence',
  'verify_copy',
  'leave',
];

/** Every step in the soak; each of the three kinds every day. */
const KILLED_AT =
  process.env['SOAK'] === '1' ? [...BEFORE, 'arrive', 'arrived'] : ['copy journal', 'arrive', 'arrived'];

describe('a move that is killed', () => {
  it.each(KILLED_AT)('at “%s” leaves one ledger at most, and can be ended', async (step) => {
    await aLedger();
    const child = moveInChild(step);
    expect(child.signal, child.stderr).toBe('SIGKILL');
    const [file, there] = [await refusal(openFile()), await refusal(openServer())];
    if (BEFORE.includes(step)) {
      expect(file).toBeUndefined();
      expect(['ledger_missing', 'ledger_moved']).toContain(there?.code);
    } else {
      expect(file?.code).toBe('ledger_moved');
      expect(there?.code).toBe(step === 'arrive' ? 'ledger_moved' : undefined);
      if (step === 'arrive') expect(there?.message).toContain('a move to this place did not end');
    }
    const result = await move();
    expect(result.wasLeft).toBe(!BEFORE.includes(step));
    expect(onServer()).toEqual(inFile());
    expect(await refusal(openServer())).toBeUndefined();
    expect(await refusal(openFile())).toMatchObject({ code: 'ledger_moved' });
  });

  it('while the copy stands, a batch goes on in the file; the next move copies that too', async () => {
    await aLedger();
    moveInChild('leave');
    const ledger = await openFile();
    await batchOf(ledger, [row(60)], 'july');
    await ledger.close();
    expect(await move()).toMatchObject({ batches: 3 });
    expect(onServer()).toEqual(inFile());
  });

  it('of two processes that move the same file at once, one does', async () => {
    await aLedger();
    const words = [CHILD, JSON.stringify(settings), to, '-'];
    const both = [1, 2].map(() =>
      spawn(process.execPath, words, { env: env(), cwd: folder, stdio: 'ignore' }),
    );
    const codes = await Promise.all(both.map(async (child) => (await once(child, 'exit'))[0] as number));
    expect(codes).toContain(0);
    expect(onServer()).toEqual(inFile());
  });
});
