/** The grants of the guide let a worker do its work, and nothing that would change what was approved or what was written. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pgDatabase } from '../../src/ledger/pg.ts';
import { connectPg, type ServerPlace } from '../../src/ledger/pg-connection.ts';
import { FORMAT } from '../../src/ledger/schema.ts';
import { openServerLedger } from '../../src/ledger/server.ts';
import { verifyLedger } from '../../src/ledger/verify.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import { row, walkedTo } from '../builders/ledger-batches.ts';
import { ownDatabase } from '../builders/postgres.ts';
import type { RunningPostgres } from '../builders/servers.ts';
import { LIVE } from './ledger-files.ts';
import { batchIn, type Opened, payoutsIn, serverAt } from './new-ledgers.ts';

/** Word for word in guide/server.md, with the names of its example. */
const GRANTS = `
GRANT USAGE ON SCHEMA payfile TO payfile_worker;
GRANT SELECT ON ALL TABLES IN SCHEMA payfile TO payfile_worker;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA payfile TO payfile_worker;
GRANT INSERT ON payfile.batches, payfile.payouts, payfile.routes, payfile.journal, payfile.commits, payfile.name_releases,
  payfile.leases, payfile.service_session, payfile.pace TO payfile_worker;
GRANT UPDATE ON payfile.batches, payfile.counters, payfile.leases, payfile.service_session, payfile.pace TO payfile_worker;
GRANT UPDATE (batch, position, row_number, cells, status, version, attempts, state, tag, transfer_id, other_id, memory_at,
  remembered, ended_at, living_root, incident_root, quoted_at, beside, due_at, look, concern, due_check)
  ON payfile.payouts TO payfile_worker;
GRANT DELETE ON payfile.leases TO payfile_worker;
`;

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
])('cannot: %s', async (words) => {
  const client = await connectPg(worker);
  await expect(client.query(words)).rejects.toMatchObject({ code: '42501' });
  await client.end();
});
