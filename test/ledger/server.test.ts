/** A ledger on a server is made once, opened by users with the rights, and refused where the server does not keep its word. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { knownFile, knownLedger } from '../../src/ledger/known.ts';
import { THIS_MACHINE } from '../../src/ledger/machine.ts';
import { connectPg } from '../../src/ledger/pg-connection.ts';
import { type OpenServerLedgerOptions, openServerLedger } from '../../src/ledger/server.ts';
import { Watch } from '../../src/ledger/server-watch.ts';
import type { Query, Row, Sql } from '../../src/ledger/sql.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import type { ServerPlace } from '../../src/ports/server-place.ts';
import { ownDatabase } from '../builders/postgres.ts';
import type { RunningPostgres } from '../builders/servers.ts';

const BINDING = {
  environment: 'live',
  baseUrl: 'https://pay.example',
  loginId: 'ama',
  authUrl: 'https://login.example',
} as const;

let server: RunningPostgres;
let places = 0;
const ends: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  server = await ownDatabase();
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
afterAll(() => server.stop());

function newPlace(): ServerPlace {
  places += 1;
  return { ...server.place, schema: `own_${places}` };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-server-'));
  ends.push(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function opened(options: Partial<OpenServerLedgerOptions> & { place: ServerPlace }): Promise<Ledger> {
  const ledger = await openServerLedger({ create: true, binding: BINDING, ...options });
  ends.push(() => ledger.close());
  return ledger;
}

async function exec(place: ServerPlace, words: string): Promise<pg.QueryResult> {
  const client = await connectPg(place);
  try {
    return await client.query(words);
  } finally {
    await client.end();
  }
}

describe('a ledger on a server', () => {
  it('is made once by processes that begin at one moment', async () => {
    const place = newPlace();
    const ledgers = await Promise.all([1, 2, 3].map(() => opened({ place })));
    expect(new Set(ledgers.map(({ identity }) => identity.id)).size).toBe(1);
    const { rows } = await exec(place, "SELECT count(*) AS n FROM journal WHERE kind = 'created'");
    expect(rows[0]?.n).toBe(1n);
  });

  it('is not made where nobody asked for one, and not for a configuration that names another', async () => {
    const place = newPlace();
    await expect(opened({ place, create: false })).rejects.toMatchObject({ code: 'ledger_missing' });
    await expect(opened({ place, readOnly: true })).rejects.toMatchObject({ code: 'ledger_missing' });
    await expect(opened({ place, namedId: 'x' })).rejects.toMatchObject({ code: 'ledger_missing' });
  });

  it('goes on where its maker was killed between its tables and its name', async () => {
    const place = newPlace();
    await opened({ place });
    const other = newPlace();
    await exec(place, `ALTER SCHEMA ${place.schema} RENAME TO ${other.schema}`);
    await exec(other, 'DELETE FROM ledger; DELETE FROM commits; DELETE FROM journal');
    expect((await opened({ place: other })).identity.environment).toBe('live');
  });

  it('is nobody’s while a move to it has not ended', async () => {
    const place = newPlace();
    await opened({ place });
    await exec(place, 'DELETE FROM ledger');
    await expect(opened({ place })).rejects.toMatchObject({ code: 'ledger_moved' });
  });

  it('of another format is refused, also for reading', async () => {
    const place = newPlace();
    await opened({ place });
    await exec(place, 'UPDATE format SET version = 2');
    for (const readOnly of [false, true])
      await expect(opened({ place, readOnly })).rejects.toMatchObject({
        code: 'ledger_unsupported',
        message: expect.stringContaining('has format 2, and this payfile works with format 1'),
      });
  });

  it('is refused for another service', async () => {
    const place = newPlace();
    await opened({ place });
    await expect(opened({ place, binding: { ...BINDING, loginId: 'ben' } })).rejects.toMatchObject({
      code: 'ledger_foreign',
    });
  });

  it('tells a server that is not there as one that is not there', async () => {
    const place = { ...newPlace(), port: 1 };
    await expect(opened({ place })).rejects.toMatchObject({ code: 'ledger_unreachable' });
  });

  it('has a machine join by its id, and remembers how far it has come', async () => {
    const place = newPlace();
    const [one, two] = [newFolder(), newFolder()];
    const { identity } = await opened({ place, knownLedgersPath: one });
    await exec(place, "INSERT INTO commits SELECT nextval('commit_numbers'), 9, 0, 0, 0, NULL, 'x', 0");
    await expect(opened({ place, knownLedgersPath: two })).rejects.toMatchObject({ code: 'ledger_unknown' });
    await opened({ place, knownLedgersPath: two, namedId: identity.id });
    expect(knownLedger(two, identity.id)?.head.commits).toBeGreaterThan(0);
  });

  it('is refused where it was set back, and everything is paused for the others', async () => {
    const place = newPlace();
    const folder = newFolder();
    const ledger = await opened({ place, knownLedgersPath: folder });
    await ledger.close();
    await exec(place, "UPDATE commits SET head = 'another'");
    await expect(opened({ place, knownLedgersPath: folder })).rejects.toMatchObject({
      code: 'ledger_rolled_back',
    });
    const looked = await opened({ place, knownLedgersPath: folder, readOnly: true });
    expect(looked.identity.id).toBe(ledger.identity.id);
  });

  it('is refused where its server goes on from another history than was remembered, until a person accepts it', async () => {
    const place = newPlace();
    const [one, two] = [newFolder(), newFolder()];
    const { identity, close } = await opened({ place, knownLedgersPath: one });
    const joined = await opened({ place, knownLedgersPath: two, namedId: identity.id });
    await joined.close();
    await close();
    const { rows } = await exec(
      place,
      "SELECT ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int AS now",
    );
    for (const folder of [one, two]) {
      const file = knownFile(folder, identity);
      const text = readFileSync(file, 'utf8');
      expect(text).toContain(`"timeline":${rows[0]?.now}`);
      writeFileSync(file, text.replace(/"timeline":\d+/, '"timeline":9'));
    }
    for (const folder of [one, one, two])
      await expect(opened({ place, knownLedgersPath: folder })).rejects.toMatchObject({
        code: 'ledger_rolled_back',
        message: expect.stringContaining('an older state took its place'),
      });
    await opened({ place, knownLedgersPath: one, acceptRollback: true, by: 'ama' });
    // One person says so for all: every batch is paused.
    await opened({ place, knownLedgersPath: two });
    await opened({ place, knownLedgersPath: one });
  });

  it('asks for the grants that are missing before anything is begun', async () => {
    const place = newPlace();
    await opened({ place });
    const user = `worker_${places}`;
    await exec(
      place,
      `CREATE ROLE ${user} LOGIN PASSWORD 'w'; GRANT USAGE ON SCHEMA ${place.schema} TO ${user};
      GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA ${place.schema} TO ${user};
      REVOKE INSERT ON ${place.schema}.leases FROM ${user}`,
    );
    ends.push(() => exec(place, `DROP OWNED BY ${user}; DROP ROLE ${user}`));
    const refused = opened({ place: { ...place, user, password: 'w' } });
    await expect(refused).rejects.toThrow(/has not granted commit_numbers, leases, shards/);
  });
});

const SAFE = {
  version: 170_000n,
  standby: 0n,
  fsync: 'on',
  pages: 'on',
  standbys: '',
  replicas: 0n,
  lagging: 0n,
  hidden: 0n,
};

/** A server that gives these answers, one after another. */
function watched(answers: readonly Row[], heads: readonly (readonly Row[])[] = []) {
  let [asked, looked] = [0, 0];
  const at = <T>(list: readonly T[], index: number) => list[Math.min(index, list.length - 1)];
  const sql = {
    get: async (_query: Query) => ({ ...SAFE, now: 1_000n, ...at(answers, asked++) }),
    all: async (_query: Query) => at(heads, looked++) ?? [],
  } as Partial<Sql> as Sql;
  const time = { wall: 500, steady: 0 };
  const ownClock = { now: () => time.wall, monotonicMs: () => time.steady };
  return { watch: new Watch({ sql, path: 'postgres://x', machine: THIS_MACHINE, ownClock }), time };
}

describe('what a server has to promise', () => {
  it.each<[string, Row]>([
    ['is too old', { version: 140_000n }],
    ['is a standby', { standby: 1n }],
    ['fsync or full_page_writes is off', { fsync: 'off' }],
    ['fsync or full_page_writes is off', { pages: 'off' }],
    ['lags behind it', { replicas: 1n }],
    ['lags behind it', { replicas: 1n, standbys: 'a', lagging: 1n }],
    ['may not see whether the server waits', { replicas: 1n, standbys: 'a', hidden: 1n }],
  ])('%s', async (why, answer) => {
    const { watch } = watched([answer]);
    await watch.look();
    expect(watch.objection).toContain(why);
    expect(() => watch.requireSafe()).toThrow(why);
  });

  it('is kept by a replica that it waits for', async () => {
    const { watch } = watched([{ replicas: 1n, standbys: 'a' }]);
    await watch.look();
    expect(watch.objection).toBeUndefined();
  });

  it('stops every process that saw more than the server has, for good', async () => {
    const [older, newer] = [
      { seq: 4n, head: 'a' },
      { seq: 9n, head: 'b' },
    ];
    const { watch } = watched([{}], [[older], [older, newer], [older], [{ seq: 12n, head: 'c' }]]);
    await watch.look();
    await watch.look();
    expect(watch.objection).toBeUndefined();
    await watch.look();
    expect(watch.objection).toContain('was set back');
    await watch.look();
    expect(watch.objection).toContain('was set back');
  });

  it.each<[string, Row, Row, boolean]>([
    ['a standby that nobody waited for took its place', { timeline: 1n }, { timeline: 2n }, true],
    ['a standby that it waited for took its place', { timeline: 1n, standbys: 'a' }, { timeline: 2n }, false],
    ['an older server came back', { timeline: 2n, standbys: 'a' }, { timeline: 1n }, true],
  ])(
    'stops for good only where what came may have forgotten something: %s',
    async (_what, before, after, stops) => {
      const { watch } = watched([before, after, before, after]);
      await watch.look();
      for (let looks = 0; looks < 3; looks += 1) {
        await watch.look();
        if (looks !== 1)
          expect(watch.objection?.includes('an older state took its place')).toBe(stops || undefined);
      }
    },
  );

  it('takes the time of the server, also after this machine slept', async () => {
    const { watch, time } = watched([{ now: 10_000n }, { now: 70_000n }]);
    await watch.look();
    time.wall += 400;
    time.steady += 400;
    expect(watch.clock.now()).toBe(10_400);
    time.wall += 60_000;
    expect(watch.clock.now()).toBe(70_400);
    await new Promise(setImmediate);
    expect(watch.clock.now()).toBe(70_000);
  });
});
