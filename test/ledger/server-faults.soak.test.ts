/**
 * What a server must promise before it keeps a ledger, and what happens when it breaks its word: settings, replicas, older
 * data, copies, lost answers, processes that stand still.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Payout } from '../../src/domain/payouts/payout.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { THIS_MACHINE } from '../../src/ledger/machine.ts';
import { connectPg } from '../../src/ledger/pg-connection.ts';
import { makeTables, type OpenServerLedgerOptions, openServerLedger } from '../../src/ledger/server.ts';
import { createPayfile } from '../../src/payfile.ts';
import { LedgerError } from '../../src/ports/ledger/errors.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import type { ServerPlace } from '../../src/ports/server-place.ts';
import { ledgerServerOf } from '../../src/setup/ledger-server.ts';
import { batchesOf } from '../builders/batch-state.ts';
import { startProxy } from '../builders/cutting-proxy.ts';
import { all, batchOf, eventsTo, HOLDER, moved, only, row, walkedTo } from '../builders/ledger-batches.ts';
import { TestServer } from '../builders/servers.ts';

const STOPPED = fileURLToPath(new URL('./stopped-writer.ts', import.meta.url));
const LIVE = { environment: 'live', baseUrl: 'https://pay.example', loginId: 'ama' } as const;

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await TestServer.made();
});
afterAll(() => server.remove());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-faults-'));
});
afterEach(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

let schemas = 0;
const aSchema = () => {
  schemas += 1;
  return `faults_${schemas}`;
};

const open = (options: Pick<OpenServerLedgerOptions, 'place'> & Partial<OpenServerLedgerOptions>) =>
  openServerLedger({
    ...{ binding: LIVE, create: false, knownLedgersPath: join(folder, 'known-ledgers') },
    ...options,
  });

async function refusal(opening: Promise<Ledger>): Promise<LedgerError | undefined> {
  const answer: unknown = await opening.then(
    (ledger) => ledger.close(),
    (error: unknown) => error,
  );
  if (answer !== undefined && !(answer instanceof LedgerError)) throw answer;
  return answer;
}

async function worked(place: OpenServerLedgerOptions['place'], create: boolean, n: number): Promise<void> {
  const ledger = await open({ place, create });
  const id = await batchOf(ledger, [row(n)], `batch ${n}`);
  await walkedTo(ledger, await only(ledger, id, n + 1), 'settled');
  await ledger.close();
}

/** Of the server as it is now, which is not running while its data are copied. */
async function withStandby(work: (standby: TestServer) => Promise<void>): Promise<void> {
  await server.stop();
  const standby = await TestServer.following(server, 'beside');
  try {
    await work(standby);
  } finally {
    await standby.remove();
  }
}

describe('a server that could forget', () => {
  it.each([
    ['fsync=off', 'fsync'],
    ['full_page_writes=off', 'full_page_writes'],
  ])('is refused: %s', async (setting, word) => {
    await server.start([setting]);
    const refused = await refusal(open({ place: server.place(aSchema()), create: true }));
    expect(refused).toMatchObject({ code: 'ledger_unsupported' });
    expect(refused?.message).toContain(word);
  });

  it('is refused with a replica that lags, taken with one that is waited for, and never used as the replica', async () => {
    const schema = aSchema();
    await server.start();
    await worked(server.place(schema), true, 1);
    await withStandby(async (standby) => {
      await server.start();
      const { lease, ledger, beat } = await atWork(server.place(schema), false);
      beat();
      await standby.start(['hot_standby=on']);
      await until(
        async () => (await asked(server.place(schema), 'SELECT 1 FROM pg_stat_replication')).length > 0,
      );
      expect(lease.lost.aborted).toBe(false);
      await until(() => {
        beat();
        return lease.lost.aborted;
      });
      expect(lease.lost.reason).toMatchObject({ message: expect.stringContaining('a replica that lags') });
      await ledger.close();
      expect((await refusal(open({ place: server.place(schema) })))?.message).toContain(
        'a replica that lags',
      );
      expect((await refusal(open({ place: standby.place(schema) })))?.message).toContain('is a standby');
      await server.stop();
      await server.start(['synchronous_standby_names=beside']);
      await worked(server.place(schema), false, 3);
      const other = await following(server.place(), 'other');
      expect((await refusal(open({ place: server.place(schema) })))?.message).toContain(
        'a replica that lags',
      );
      // As a backup begins that is just taken.
      await other.query('CREATE_REPLICATION_SLOT pg_basebackup_1 TEMPORARY PHYSICAL');
      await worked(server.place(schema), false, 4);
      await other.end();
    });
  });

  it('is refused while a slot waits for a replica that is away', async () => {
    await server.start();
    const place = server.place(aSchema());
    await asked(place, "SELECT pg_create_physical_replication_slot('away')");
    expect(await refusal(open({ place, create: true }))).toMatchObject({ code: 'ledger_unsupported' });
    await asked(place, "SELECT pg_drop_replication_slot('away')");
    expect(await refusal(open({ place, create: true }))).toBeUndefined();
  });
});

/** Of one connection of its own. */
async function asked(place: ServerPlace, ...words: readonly string[]): Promise<readonly pg.QueryResultRow[]> {
  const client = await connectPg(place);
  try {
    let rows: readonly pg.QueryResultRow[] = [];
    for (const each of words) rows = (await client.query(each)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

/** A ledger with a lease; it looks at its server, and its heart beats, when it is told to. */
async function atWork(place: OpenServerLedgerOptions['place'], create = true) {
  const beats = new Set<() => void>();
  const every = (_ms: number, run: () => void) => {
    beats.add(run);
    return () => beats.delete(run);
  };
  const beat = () => {
    for (const run of beats) run();
  };
  const ledger = await open({ place, create, machine: { ...THIS_MACHINE, every } });
  const id = await batchOf(ledger, [row(2)], 'june');
  const approved = await walkedTo(ledger, await only(ledger, id, 3), 'approved');
  const lease = await ledger.lease(id, HOLDER);
  if (lease.kind === 'busy') throw new Error('busy');
  return { ledger, id, approved, lease, beat };
}

async function following({ schema: _, tls: __, ...place }: ServerPlace, name: string): Promise<pg.Client> {
  const client = new pg.Client({ ...place, application_name: name, ...{ replication: 'true' } });
  await client.connect();
  return client;
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50));
}

describe('a server that could forget from now on', () => {
  const ALTERED = (setting: string) => [`ALTER SYSTEM SET ${setting}`, 'SELECT pg_reload_conf()'];
  it.each([
    ['fsync', ALTERED('fsync = off'), 'fsync or full_page_writes is off'],
    ['full_page_writes', ALTERED('full_page_writes = off'), 'fsync or full_page_writes is off'],
    ['a slot', ["SELECT pg_create_physical_replication_slot('away')"], 'a replica that lags behind it'],
  ])(
    'stops the sending at the next heartbeat, and what was sent is still written: %s',
    async (_what, changes, words) => {
      await server.start();
      const place = server.place(aSchema());
      const { ledger, id, approved, lease, beat } = await atWork(place);
      const [begin, answer] = eventsTo('accepted', approved, ledger).slice(-2);
      const sending = await moved(ledger, approved, ...(begin ? [begin] : []));
      try {
        beat();
        await asked(place, ...changes);
        await until(() => {
          beat();
          return lease.lost.aborted;
        });
        expect(lease.lost.reason).toMatchObject({ message: expect.stringContaining(words) });
        expect(await moved(ledger, sending, ...(answer ? [answer] : []))).toMatchObject({
          state: { status: 'accepted' },
        });
        await lease.release();
        await expect(ledger.lease(id, HOLDER)).rejects.toMatchObject({ code: 'ledger_unsupported' });
      } finally {
        await asked(place, 'ALTER SYSTEM RESET ALL');
        if (words.includes('replica')) await asked(place, "SELECT pg_drop_replication_slot('away')");
        await ledger.close();
      }
    },
  );
});

describe('a standby that takes the place of its server, at the same address', () => {
  /** Whoever follows a server that is gone becomes the server. */
  async function takesPlace(standby: TestServer): Promise<void> {
    await standby.stop();
    await standby.start([`port=${server.port}`]);
    await asked(server.place(), 'SELECT pg_promote()');
  }

  it('has every intent that was acknowledged, where the server waited for it', async () => {
    const place = server.place(aSchema());
    await server.start();
    await worked(place, true, 1);
    await withStandby(async (standby) => {
      await server.start(['synchronous_standby_names=beside']);
      await standby.start(['hot_standby=on']);
      const ledger = await open({ place });
      const rows = Array.from({ length: 40 }, (_, n) => row(n + 10));
      const id = await batchOf(ledger, rows, 'june');
      const approved: Payout[] = [];
      for (const payout of await all(ledger, id)) approved.push(await walkedTo(ledger, payout, 'approved'));
      const acknowledged: Payout[] = [];
      const sender = async () => {
        for (let next = approved.pop(); next !== undefined; next = approved.pop()) {
          acknowledged.push(await moved(ledger, next, ...eventsTo('sending', next, ledger).slice(-1)));
          if (acknowledged.length === 12) await server.kill();
        }
      };
      await Promise.allSettled([sender(), sender(), sender(), sender()]);
      await ledger.close().catch(() => undefined);
      await takesPlace(standby);
      const next = await open({ place });
      expect(acknowledged.length).toBeGreaterThanOrEqual(12);
      for (const { id: payout } of acknowledged)
        expect(await next.payout(payout)).toMatchObject({ state: { status: 'sending' } });
      expect((await next.verify()).problems).toEqual([]);
      await next.close();
    });
  });

  it('is refused, and all is paused when a person accepts it, where it has not all that this machine wrote', async () => {
    const place = server.place(aSchema());
    await server.start();
    await worked(place, true, 1);
    const ledger = await open({ place });
    await batchOf(ledger, [row(5)], 'waiting');
    await ledger.close();
    await withStandby(async (standby) => {
      await server.start();
      await worked(place, false, 2);
      await server.kill();
      await standby.start(['hot_standby=on']);
      await takesPlace(standby);
      expect(await refusal(open({ place }))).toMatchObject({ code: 'ledger_rolled_back' });
      const accepted = await open({ place, acceptRollback: true, by: 'ama' });
      expect((await accepted.batchNamed('waiting'))?.pause?.reason).toContain('set back');
      await accepted.close();
    });
  });
});

describe('a standby that had left its server before', () => {
  it('stops whoever is alive, also where only the dead knew what it has not', async () => {
    const place = server.place(aSchema());
    await server.start();
    await worked(place, true, 1);
    await withStandby(async (standby) => {
      await server.start();
      const alive = await atWork(place, false);
      alive.beat();
      await standby.start(['hot_standby=on']);
      const has = async (at: ServerPlace) =>
        Number((await asked(at, `SELECT max(seq) AS n FROM ${place.schema}.commits`))[0]?.['n']);
      const newest = await has(place);
      await until(async () => (await has(standby.place())) === newest);
      await standby.stop();
      // Another machine, which nobody sees again.
      const knownLedgersPath = join(folder, 'dead');
      const dead = await open({ place, knownLedgersPath, namedId: alive.ledger.identity.id });
      await batchOf(dead, [row(5)], 'forgotten');
      await server.kill();
      await dead.close().catch(() => undefined);
      await standby.start([`port=${server.port}`]);
      await asked(server.place(), 'SELECT pg_promote()');
      await until(() => {
        alive.beat();
        return alive.lease.lost.aborted;
      });
      expect(alive.lease.lost.reason).toMatchObject({ message: expect.stringContaining('timeline 2') });
      await alive.ledger.close().catch(() => undefined);
      const refused = await refusal(open({ place }));
      expect(refused).toMatchObject({ code: 'ledger_rolled_back' });
      expect(refused?.message).toContain('an older state took its place');
    });
  });
});

describe('a server whose data are not the newest', () => {
  it('is set back when an older copy of its data was put in their place: nothing is sent, all can be read', async () => {
    const place = server.place(aSchema());
    await server.start();
    await worked(place, true, 1);
    await server.stop();
    server.copyData('older');
    await server.start();
    await worked(place, false, 2);
    await server.stop();
    server.putBack('older');
    await server.start();
    expect(await refusal(open({ place }))).toMatchObject({ code: 'ledger_rolled_back' });
    const reading = await open({ place, readOnly: true });
    expect((await reading.verify()).problems[0]).toContain('older than this machine remembers');
    await reading.close();
  });

  it('is not known here at another address, where a copy of the whole server would be', async () => {
    const place = server.place(aSchema());
    await server.start();
    await worked(place, true, 1);
    const refused = await refusal(open({ place: { ...place, host: 'localhost' } }));
    expect(refused).toMatchObject({ code: 'ledger_unknown' });
    expect(refused?.message).toContain('a copy of a whole server looks the same');
    expect(await refusal(open({ place }))).toBeUndefined();
  });

  it('is not known here when a dump was restored into other tables', async () => {
    const [from, to] = [server.place(aSchema()), server.place(aSchema())];
    await server.start();
    await worked(from, true, 1);
    const client = await connectPg(to);
    await makeTables(client, to);
    const { rows } = await client.query(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1 AND table_type = 'BASE TABLE'",
      [to.schema],
    );
    const tables = rows.map(({ name }) => String(name));
    const inOrder = ['batches', ...tables.filter((one) => one !== 'batches')];
    await client.query(`BEGIN; TRUNCATE ${tables.join(', ')};
      ${inOrder.map((name) => `INSERT INTO ${name} SELECT * FROM ${from.schema}.${name};`).join('')}
      ${['commit_numbers', 'shards'].map((name) => `SELECT setval('${name}', last_value) FROM ${from.schema}.${name};`).join('')}
      COMMIT`);
    await client.end();
    expect(await refusal(open({ place: to }))).toMatchObject({ code: 'ledger_unknown' });
    const reading = await open({ place: to, readOnly: true });
    expect(await reading.verify()).toMatchObject({ problems: [], unknownHere: expect.any(String) });
    await reading.close();
    expect(await refusal(open({ place: from }))).toBeUndefined();
    const joining = (machine: string) =>
      open({ place: to, namedId: reading.identity.id, knownLedgersPath: join(folder, machine) });
    expect((await refusal(joining('new')))?.message).toContain('restored from a dump');
    expect(await refusal(open({ place: to, acceptLedger: true, by: 'ama' }))).toBeUndefined();
    expect(await refusal(joining('new'))).toBeUndefined();
  });
});

const failing = (code: string) => `CREATE FUNCTION failing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'it failed' USING ERRCODE = '${code}'; END $$;
  CREATE TRIGGER failing BEFORE INSERT ON journal FOR EACH ROW EXECUTE FUNCTION failing()`;

describe('a connection that breaks', () => {
  it('in the commit of an intent: the sender hears that nothing is known, and the next process finds the row on the wire', async () => {
    await server.start();
    const proxy = await startProxy(server.port);
    const place = server.place(aSchema(), proxy.port);
    const ledger = await open({ place, create: true });
    const id = await batchOf(ledger, [row(2)], 'june');
    const approved = await walkedTo(ledger, await only(ledger, id, 3), 'approved');
    await proxy.swallowAnswerTo('COMMIT');
    const begin = eventsTo('sending', approved, ledger).slice(-1);
    await expect(moved(ledger, approved, ...begin)).rejects.toThrow('What it wrote last is not known here');
    await ledger.close().catch(() => undefined);
    expect(await proxy.cuts()).toBe(1);
    const next = await open({ place });
    expect((await only(next, id, 3)).state.status).toBe('sending');
    expect((await next.verify()).problems).toEqual([]);
    await next.close();
    await proxy.close();
  });

  it('is told as an error of the ledger, whatever is read', async () => {
    await server.start();
    const proxy = await startProxy(server.port);
    const ledger = await open({ place: server.place(aSchema(), proxy.port), create: true });
    const id = await batchOf(ledger, [row(2)], 'june');
    await proxy.close();
    const reads: readonly (() => Promise<unknown>)[] = [
      () => all(ledger, id),
      () => ledger.oldestQuote(id, 'quoted'),
      () => ledger.principalSince(timestampOf(0)),
      () => Array.fromAsync(ledger.reportRows(id)),
      () => Array.fromAsync(ledger.sentPayouts(id)),
    ];
    for (const read of reads)
      await expect(read(), String(read)).rejects.toMatchObject({ code: 'ledger_unreachable' });
    await ledger.close().catch(() => undefined);
  });

  it('is not made again for an intent when the ledger is closed', async () => {
    await server.start();
    const ledger = await open({ place: server.place(aSchema()), create: true });
    const id = await batchOf(ledger, [row(2)], 'june');
    const approved = await walkedTo(ledger, await only(ledger, id, 3), 'approved');
    await ledger.lease(id, HOLDER);
    await ledger.close();
    const begin = eventsTo('sending', approved, ledger).slice(-1);
    for (let time = 0; time < 2; time += 1) await expect(moved(ledger, approved, ...begin)).rejects.toThrow();
  });

  it('leaves none behind on the server when moves cannot be written', async () => {
    await server.start();
    const place = server.place(aSchema());
    const ledger = await open({ place, create: true });
    const id = await batchOf(ledger, [row(2)], 'june');
    const sending = await walkedTo(ledger, await only(ledger, id, 3), 'sending');
    await asked(place, failing('53100'));
    const others = async () =>
      (await asked(place, "SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend'")).length;
    const accept = eventsTo('accepted', sending, ledger).slice(-1);
    const fails = () => expect(moved(ledger, sending, ...accept)).rejects.toThrow('full');
    await fails();
    const before = await others();
    for (let time = 0; time < 5; time += 1) await fails();
    expect(await others()).toBeLessThanOrEqual(before);
    await asked(place, 'DROP TRIGGER failing ON journal');
    expect(await moved(ledger, sending, ...accept)).toMatchObject({ state: { status: 'accepted' } });
    await ledger.close();
  });

  it('of a process that stands still inside of a write is ended by the server, and others go on', async () => {
    await server.start();
    const place = server.place(aSchema());
    await worked(place, true, 1);
    const child = spawn(process.execPath, [STOPPED, JSON.stringify(place)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (data: Buffer) => {
      said += data.toString();
    });
    while (!said.includes('inside')) await once(child.stdout, 'data');
    await worked(place, false, 2);
    child.kill('SIGCONT');
    await once(child, 'exit');
    expect(said).toBe('inside\nrefused\n');
  });
});

describe('a program that stays open while its server goes away', () => {
  const aProgram = async (schema: string) => {
    const { user, host, port, database, password = '' } = server.place(schema);
    const { baseUrl, loginId: id } = LIVE;
    const service = { baseUrl, authUrl: 'https://login.example', id, password: 'x' };
    const ledger = `postgres://${user}@${host}:${port}/${database}?schema=${schema}`;
    const env = { XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder };
    const payfile = createPayfile(
      { ledger, ledgerPassword: password, service, actor: 'ama', source: 'GB', createLedger: true },
      { env },
    );
    await payfile.ledger.init();
    return payfile;
  };

  it('hears of it once, and works again when the server is back', async () => {
    await server.start();
    const payfile = await aProgram(aSchema());
    await server.kill();
    await expect(batchesOf(payfile)).rejects.toMatchObject({ code: 'ledger_unreachable' });
    await server.start();
    expect(await batchesOf(payfile)).toMatchObject([]);
    await payfile.batches.resume({ all: true });
    expect((await payfile.ledger.verify()).exitCode).toBe(0);
    await payfile.close();
  });

  it('works again when the server had no memory for a commit, and then had some', async () => {
    await server.start();
    const schema = aSchema();
    const payfile = await aProgram(schema);
    await payfile.batches.resume({ all: true });
    await asked(server.place(schema), failing('53200'));
    await expect(payfile.batches.resume({ all: true })).rejects.toMatchObject({ code: 'ledger_unreachable' });
    await asked(server.place(schema), 'DROP TRIGGER failing ON journal');
    await payfile.batches.resume({ all: true });
    await payfile.close();
  });

  it('is refused when the server came back with older data', async () => {
    await server.start();
    const payfile = await aProgram(aSchema());
    await server.stop();
    server.copyData('before');
    await server.start();
    await payfile.batches.resume({ all: true }).catch(() => payfile.batches.resume({ all: true }));
    await server.stop();
    server.putBack('before');
    await server.start();
    await expect(payfile.batches.resume({ all: true })).rejects.toMatchObject({ code: 'ledger_rolled_back' });
    await payfile.close();
  });
});

describe('a server on another machine', () => {
  it('is spoken with by TLS alone, whatever its name', () => {
    for (const host of ['db.example', '10.0.0.7', '[fe80::1]', 'localhost.example', '127.0.0.1.example'])
      expect(ledgerServerOf(`postgres://ama@${host}/pay`, undefined)?.tls, host).toBeDefined();
    for (const host of ['localhost', '127.0.0.1', '[::1]'])
      expect(ledgerServerOf(`postgres://ama@${host}/pay`, undefined)?.tls, host).toBeUndefined();
  });

  it('is not spoken with when it has no TLS: no password leaves', async () => {
    await server.start();
    const place = { ...server.place(aSchema()), tls: { root: undefined } };
    const refused = await refusal(open({ place, create: true }));
    expect(refused).toMatchObject({ code: 'ledger_unreachable' });
    expect(refused?.message).toContain('SSL');
    expect(refused?.message).not.toContain('secret');
  });
});
