/**
 * A user of the server who works with a ledger and owns nothing of it, made by the words of the guide: the program does all
 * its work. What the user may not do is in roles.test.ts.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asBatchId } from '../../src/domain/payouts/instruction.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { connectPg } from '../../src/ledger/pg-connection.ts';
import { run } from '../../src/operations/run.ts';
import { createPayfile } from '../../src/payfile.ts';
import { WORKER_QUEUES } from '../../src/ports/fleet.ts';
import type { ServerPlace } from '../../src/ports/server-place.ts';
import { createQueueAt } from '../../src/setup/work-queue.ts';
import { type RunningPostgres, startPostgres } from '../builders/servers.ts';
import { serverAt } from './new-ledgers.ts';

const GUIDE = readFileSync(new URL('../../src/guide/server.md', import.meta.url), 'utf8');
const SQL = [...GUIDE.matchAll(/^ {4}((?:CREATE|GRANT) [^;]*;)$/gm)].map(([, statement = '']) => statement);
const PASSWORD = 'pass';
const SAMPLE = 'samples/suppliers.csv';

let server: RunningPostgres;
let folder: string;
const placeOf = (user: string): ServerPlace => ({
  ...{ ...server.place, user, password: PASSWORD, database: 'payroll', schema: 'payfile' },
});

async function asAdministrator(database: string, statements: readonly string[]): Promise<void> {
  const client = await connectPg({ ...server.place, database, schema: 'public' });
  for (const statement of statements) await client.query(statement);
  await client.end();
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
    SQL.filter((one) => one.startsWith('GRANT')),
  );

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-role-'));
  // Its roles and replicas are the whole server's.
  server = await startPostgres();
  await asAdministrator(
    'postgres',
    SQL.filter((one) => one.startsWith('CREATE')),
  );
  for (const role of ['payfile_worker', 'payfile_owner'])
    await asAdministrator('postgres', [`ALTER ROLE ${role} PASSWORD '${PASSWORD}'`]);
  const owner = programOf('payfile_owner');
  await owner.ledger.init();
  await owner.close();
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('a user who owns no table', () => {
  it('is told what to have granted, before anything is done', async () => {
    const worker = programOf('payfile_worker');
    await expect(worker.call(run, { file: SAMPLE, batch: 'early' })).rejects.toMatchObject({
      code: 'ledger_unsupported',
      message: expect.stringMatching(
        /payfile_worker may not work with .* not granted .*journal.*payfile help server/,
      ),
    });
    await worker.close();
    const looking = programOf('payfile_worker');
    await expect(looking.ledger.verify()).rejects.toMatchObject({
      guide: 'server',
      message: expect.stringMatching(/payfile_worker.* has no rights on its tables .*payfile help server/),
    });
    await looking.close();
  });

  it('pays, settles, reports and verifies', async () => {
    await grants();
    const worker = programOf('payfile_worker');
    const { batchEnd } = await worker.call(run, {
      file: SAMPLE,
      batch: 'suppliers',
      consent: async () => ({ kind: 'agreed', how: 'library' }),
    });
    expect(batchEnd?.outcome.sentence).toBe('12 payments: 12 settled');
    expect((await worker.ledger.verify()).exitCode).toBe(0);
    await worker.close();
  });

  it('asks for work and takes it', async () => {
    const queue = await createQueueAt(placeOf('payfile_worker'));
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

  it('may not erase persons', async () => {
    const atEnd: (() => Promise<unknown>)[] = [];
    const { ledger } = await serverAt(placeOf('payfile_worker'), atEnd).open();
    const before = timestampOf(Date.now() + 60_000);
    const { rows } = await ledger.erasable(before);
    expect(rows).toBeGreaterThan(0);
    await expect(ledger.erase({ before, by: 'ada' })).rejects.toThrow(/permission denied/);
    expect(await ledger.erasable(before)).toMatchObject({ rows });
    for (const end of atEnd) await end();
  });

  it('makes no ledger where there is none', async () => {
    const worker = programOf('payfile_worker', 'other');
    await expect(worker.ledger.init()).rejects.toThrow('permission denied for database payroll');
    await worker.close();
  });

  it('sees how replicas are kept only when it may', async () => {
    const follower = new pg.Client({ ...server.place, ...{ replication: 'true' } });
    await follower.connect();
    await asAdministrator('postgres', [
      "ALTER SYSTEM SET synchronous_standby_names = '*'",
      'SELECT pg_reload_conf()',
    ]);
    const worker = programOf('payfile_worker');
    await expect(worker.batches.resume({ all: true })).rejects.toThrow('GRANT pg_read_all_stats TO');
    await follower.end();
    await worker.close();
  });
});
