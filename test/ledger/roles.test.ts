/** The grants of the guide let a worker do its work, and nothing that would change what was approved or what was written. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pgDatabase } from '../../src/ledger/pg.ts';
import { connectPg } from '../../src/ledger/pg-connection.ts';
import { FORMAT } from '../../src/ledger/schema.ts';
import { openServerLedger } from '../../src/ledger/server.ts';
import { verifyLedger } from '../../src/ledger/verify.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import type { ServerPlace } from '../../src/ports/server-place.ts';
import { all, batchOf, importOf, only, row, sealOf, walkedTo } from '../builders/ledger-batches.ts';
import { NOW } from '../builders/payouts.ts';
import { ownDatabase } from '../builders/postgres.ts';
import type { RunningPostgres } from '../builders/servers.ts';
import { LIVE } from './ledger-files.ts';
import { batchIn, type Opened, payoutsIn, serverAt } from './new-ledgers.ts';

const GUIDE = readFileSync(new URL('../../src/guide/server.md', import.meta.url), 'utf8');
/** Those of the guide, with the names of its example, but for the queue. */
const GRANTS = [...GUIDE.matchAll(/^ {4}GRANT [^;]*;/gm)]
  .map(([words]) => words.replace('payfile, payfile_jobs', 'payfile'))
  .filter((words) => !words.includes('payfile_jobs'))
  .join('\n');

let server: RunningPostgres;
let owner: ServerPlace;
let worker: ServerPlace;
beforeAll(async () => {
  server = await ownDatabase();
  owner = { ...server.place, schema: 'owned' };
  worker = { ...owner, user: `worker_of_${process.pid}`, password: 'w' };
  await (await openServerLedger({ place: owner, binding: LIVE, create: true })).close();
  const client = await connectPg(owner);
  await client.query(`CREATE ROLE ${worker.user} LOGIN PASSWORD 'w';
    ${GRANTS.replaceAll('payfile_worker', worker.user).replaceAll('SCHEMA payfile', 'SCHEMA owned').replaceAll('payfile.', 'owned.')}`);
  await client.end();
});
afterAll(async () => {
  const client = await connectPg(owner);
  await client.query(`DROP OWNED BY ${worker.user}; DROP ROLE ${worker.user}`);
  await client.end();
  await server.stop();
});

it('does the work of a payment from its file to its end', async () => {
  const ends: (() => Promise<unknown>)[] = [];
  const opened: Opened = await serverAt(worker, ends).open();
  const id = await batchIn(opened, [row(1), row(2)]);
  for (const payout of await payoutsIn(opened, id)) await walkedTo(opened.ledger, payout, 'settled');
  for (const end of ends.reverse()) await end();
  const ledger: Ledger = await openServerLedger({ place: worker, binding: LIVE, create: false });
  const lease = await ledger.lease(id, { user: 'ama', command: 'run', host: 'h', pid: 1 } as never);
  expect(lease).toHaveProperty('release');
  await ledger.close();
  const db = pgDatabase({ place: worker, format: FORMAT });
  const { problems } = await verifyLedger({ still: db.still, identity: ledger.identity });
  await db.close();
  expect(problems).toEqual([]);
});

it('reads files, keeps and drops them, and corrects a batch by a newer one', async () => {
  const open = (place: ServerPlace) => openServerLedger({ place, binding: LIVE, create: false });
  const ledger = await open(worker);
  const id = await batchOf(ledger, [row(11), row(12), row(13)], 'june');
  const left = await importOf(ledger, [row(14)], {}, 'left');
  await ledger.dropImport(left);
  const newer = await importOf(ledger, [row(11), row(15)]);
  await ledger.revise(id, newer, { by: 'ama', at: NOW, seal: await sealOf(ledger, newer) });
  const failed = await walkedTo(ledger, await only(ledger, id, 12), 'failed');
  await ledger.addReplacement(failed.id, 'ama', NOW);
  await ledger.pause(id, { reason: 'lunch', by: 'ama', at: NOW });
  await ledger.resume(id, 'ama', NOW);
  await ledger.resumeAll('ama', NOW);
  const release = { institutionId: 'i' as never, account: '1', writtenName: 'A', resolvedName: 'B' };
  await ledger.rememberNameRelease({ ...release, by: 'ben', at: NOW, reason: 'asked her' });
  expect(await all(ledger, id)).toHaveLength(2);
  // Nobody sees what is left of the file, and nothing is compared with it.
  expect([await ledger.batches(), await ledger.batch(left)]).toMatchObject([[{}, {}], undefined]);
  expect(await ledger.overlaps(await importOf(ledger, [row(14)]), NOW)).toEqual([]);
  const rowsLeft = async () => {
    const client = await connectPg(owner);
    const { rows } = await client.query('SELECT count(*) AS n FROM payouts WHERE batch = $1', [left]);
    await client.end();
    return rows[0]?.n;
  };
  expect(await rowsLeft()).toBe(1n);
  expect((await ledger.verify()).problems).toEqual([]);
  await ledger.close();
  const asOwner = await open(owner);
  await asOwner.dropImport(await importOf(asOwner, [row(16)]));
  expect(await rowsLeft()).toBe(0n);
  expect((await asOwner.verify()).problems).toEqual([]);
  await asOwner.close();
});

it.each([
  ...['account', 'minor', 'route', 'phone', 'note', 'name', 'reference', 'replaces'].map(
    (column) => `UPDATE payouts SET ${column} = ${column}`,
  ),
  ...['root', 'row_key', 'reference_key', 'payment_key', 'born', 'salt', 'seal', 'id'].map(
    (column) => `UPDATE payouts SET ${column} = ${column}`,
  ),
  ...[
    'payouts',
    'batches',
    'routes',
    'journal',
    'commits',
    'name_releases',
    'ledger',
    'format',
    'counters',
  ].map((table) => `DELETE FROM ${table}`),
  ...['payouts', 'journal', 'commits'].map((table) => `TRUNCATE ${table}`),
  'UPDATE journal SET body = body',
  'UPDATE journal SET personal = NULL',
  'UPDATE commits SET head = head',
  'UPDATE ledger SET salt = salt',
  'UPDATE routes SET currency = currency',
  'UPDATE format SET version = version',
  'UPDATE name_releases SET entry = entry',
  "SELECT setval('commit_numbers', 1)",
  "SELECT setval('shards', 1)",
  'ALTER TABLE journal DISABLE TRIGGER ALL',
  'DROP TABLE leases',
  'CREATE TABLE owned.other(id int)',
  'CREATE RULE forgets AS ON INSERT TO journal DO INSTEAD NOTHING',
  'CREATE RULE forgets AS ON INSERT TO commits DO INSTEAD NOTHING',
  'ALTER TABLE commits DISABLE TRIGGER ALL',
  'CREATE OR REPLACE FUNCTION owned.other() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
  'DROP SCHEMA owned CASCADE',
  'SET session_replication_role = replica',
])('cannot: %s', async (words) => {
  const client = await connectPg(worker);
  await expect(client.query(words)).rejects.toMatchObject({ code: '42501' });
  await client.end();
});
