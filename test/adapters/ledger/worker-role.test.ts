/**
 * A user of the server who works with a ledger and owns nothing of it, made by the words of the guide: all work is done, and
 * what was written stays as it is.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresDatabase } from '../../../src/adapters/ledger/postgres/connection.ts';
import type { ServerPlace } from '../../../src/adapters/ledger/postgres/pg-client.ts';
import { openBossQueue } from '../../../src/adapters/work-queue/boss-queue.ts';
import { asBatchId } from '../../../src/domain/payouts/instruction.ts';
import { createPayfile } from '../../../src/payfile.ts';
import { WORKER_QUEUES } from '../../../src/ports/fleet.ts';
import { type RunningPostgres, startPostgres } from '../../builders/servers.ts';

const GUIDE = readFileSync(new URL('../../../src/guide/server.md', import.meta.url), 'utf8');
const SQL = [...GUIDE.matchAll(/^ {4}((?:CREATE|GRANT|REVOKE) .*;)$/gm)].map(
  ([, statement = '']) => statement,
);
const PASSWORD = 'pass';
const SAMPLE = 'samples/suppliers.csv';

const FORBIDDEN = [
  "UPDATE journal SET kind = 'x'",
  'DELETE FROM journal',
  'TRUNCATE journal',
  'DROP TRIGGER journal_stays ON journal',
  'ALTER TABLE journal DISABLE TRIGGER ALL',
  'CREATE RULE forgets AS ON INSERT TO journal DO INSTEAD NOTHING',
  'CREATE TRIGGER own BEFORE INSERT ON journal EXECUTE FUNCTION as_written()',
  'UPDATE commits SET head = NULL',
  'DELETE FROM commits',
  'TRUNCATE commits',
  'DROP TRIGGER commits_stay ON commits',
  'ALTER TABLE commits DISABLE TRIGGER ALL',
  'CREATE RULE forgets AS ON INSERT TO commits DO INSTEAD NOTHING',
  'CREATE OR REPLACE FUNCTION as_written() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN new; END $$',
  'DROP SCHEMA payfile CASCADE',
  'CREATE TABLE payfile.other(id bigint)',
  'SET session_replication_role = replica',
  'UPDATE format SET version = 1',
  "UPDATE ledger SET base_url = 'x'",
];

let server: RunningPostgres;
let folder: string;
const placeOf = (user: string): ServerPlace => ({
  ...{ ...server.place, user, password: PASSWORD, database: 'payroll', schema: 'payfile' },
});

function asAdministrator(database: string, statements: readonly string[]): void {
  const db = new PostgresDatabase({ ...server.place, database, schema: 'public' });
  for (const statement of statements) db.exec(statement);
  db.close();
}

function programOf(user: string, schema = 'payfile') {
  const { host, port } = server.place;
  const ledger = `postgres://${user}@${host}:${port}/payroll?schema=${schema}`;
  const env = { XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder };
  return createPayfile(
    { sandbox: true, ledger, ledgerPassword: PASSWORD, actor: 'ada', source: 'GB' },
    { env },
  );
}

const grants = () =>
  asAdministrator(
    'payroll',
    SQL.filter((one) => /^(GRANT|REVOKE) /.test(one)),
  );

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-role-'));
  // Its roles and replicas are the whole server's.
  server = await startPostgres();
  asAdministrator(
    'postgres',
    SQL.filter((one) => one.startsWith('CREATE')),
  );
  for (const role of ['payfile_worker', 'payfile_owner'])
    asAdministrator('postgres', [`ALTER ROLE ${role} PASSWORD '${PASSWORD}'`]);
  const owner = programOf('payfile_owner');
  await owner.init();
  await owner.close();
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('a user who owns no table', () => {
  it('is told what to have granted, before anything is done', async () => {
    const worker = programOf('payfile_worker');
    await expect(worker.run(SAMPLE, { batch: 'early' })).rejects.toMatchObject({
      code: 'ledger_unsupported',
      message: expect.stringMatching(
        /payfile_worker may not work with .* not granted .*journal.*payfile help server/,
      ),
    });
    await worker.close();
    const looking = programOf('payfile_worker');
    await expect(looking.verify()).rejects.toMatchObject({
      guide: 'server',
      message: expect.stringMatching(/payfile_worker.* has no rights on its tables .*payfile help server/),
    });
    await looking.close();
  });

  it('pays, settles, reports and verifies', async () => {
    grants();
    const worker = programOf('payfile_worker');
    const { batchEnd } = await worker.run(SAMPLE, {
      batch: 'suppliers',
      consent: async () => ({ kind: 'agreed', how: 'library' }),
    });
    expect(batchEnd?.outcome.sentence).toBe('12 payments: 12 settled');
    expect((await worker.verify()).exitCode).toBe(0);
    await worker.close();
  });

  it('asks for work and takes it', async () => {
    const queue = await openBossQueue(placeOf('payfile_worker'), true);
    const asker = { pid: 1, host: 'desk', user: 'ada', command: 'payfile run' };
    const work = { batchId: asBatchId('b'), stage: 'settle', request: '{}', asker } as const;
    expect(await queue.fleet.ask(work)).toMatchObject({ kind: 'asked' });
    const lanes = { all: 1, own: 1 };
    const worker = { host: 'pay-1', pid: 1, user: 'payfile', queues: WORKER_QUEUES, lanes };
    const member = await queue.fleet.join(worker);
    await (await member.take('settle'))?.end('{}');
    expect(await member.waiting()).toEqual([]);
    await member.leave();
    await queue.close();
  });

  it('may change nothing of what was written', () => {
    const db = new PostgresDatabase(placeOf('payfile_worker'));
    try {
      for (const statement of FORBIDDEN)
        expect(() => db.exec(statement), statement).toThrow(
          /permission denied|must be owner|ledger is append-only/,
        );
    } finally {
      db.close();
    }
  });

  it('makes no ledger where there is none', async () => {
    const worker = programOf('payfile_worker', 'other');
    await expect(worker.init()).rejects.toThrow('permission denied for database payroll');
    await worker.close();
  });

  it('sees how replicas are kept only when it may', async () => {
    const follower = new pg.Client({ ...server.place, ...{ replication: 'true' } });
    await follower.connect();
    asAdministrator('postgres', [
      "ALTER SYSTEM SET synchronous_standby_names = '*'",
      'SELECT pg_reload_conf()',
    ]);
    const worker = programOf('payfile_worker');
    await expect(worker.resumeAll()).rejects.toThrow('GRANT pg_read_all_stats TO');
    await follower.end();
    await worker.close();
  });
});
