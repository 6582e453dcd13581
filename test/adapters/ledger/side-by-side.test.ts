/**
 * Several processes on one ledger of a server, which write side by side: each with a connection and a chain of its own.
 */
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { openPostgresLedger } from '../../../src/adapters/ledger/postgres/postgres-ledger.ts';
import type { Payout } from '../../../src/domain/payouts/payout.ts';
import { timestampOf } from '../../../src/domain/timestamp.ts';
import type { Ledger } from '../../../src/ports/ledger/ledger.ts';
import {
  again,
  all,
  batchOf,
  eventsTo,
  HOLDER,
  moveOf,
  released,
  row,
  walkedTo,
} from '../../builders/ledger-batches.ts';
import { NOW } from '../../builders/payouts.ts';
import { aPostgres } from './a-postgres.ts';
import { BINDING } from './ledger-files.ts';

const server = aPostgres();
let now = Date.now();

/** As many processes as are asked for. */
async function processes(count: number): Promise<Ledger[]> {
  const place = server.place();
  const clock = { now: () => timestampOf(now) };
  const open = () => openPostgresLedger({ place, binding: BINDING, create: true, clock });
  const ledgers: Ledger[] = [];
  for (let each = 0; each < count; each += 1) ledgers.push(await open());
  onTestFinished(async () => {
    for (const ledger of ledgers) await ledger.close();
  });
  return ledgers;
}

/** The last of the events that lead there. */
function step(ledger: Ledger, payout: Payout, goal: Parameters<typeof eventsTo>[0]) {
  const event = eventsTo(goal, payout, ledger).at(-1);
  if (event === undefined) throw new TypeError(goal);
  return event;
}

it('lets processes move payouts of one batch at the same time, and proves every entry afterwards', async () => {
  const [one, two, three] = (await processes(3)) as [Ledger, Ledger, Ledger];
  const id = await batchOf(
    one,
    Array.from({ length: 60 }, (_, at) => row(at + 1)),
    'may',
  );
  for (const payout of await all(one, id)) await walkedTo(one, payout, 'approved');
  const approved = await all(one, id);
  const paid = await Promise.all(
    approved.map(async (payout, at) => {
      const ledger = at % 2 === 0 ? two : three;
      const begun = await ledger.record(moveOf(payout, step(ledger, payout, 'sending')));
      if (begun.kind !== 'recorded') return begun;
      return ledger.record(moveOf(begun.payout, step(ledger, begun.payout, 'accepted')));
    }),
  );
  expect(new Set(paid.map(({ kind }) => kind))).toEqual(new Set(['recorded']));
  await one.pause(id, { reason: 'joins the chains', by: 'ama', at: NOW });
  const { problems, entries } = await one.verify();
  expect(problems).toEqual([]);
  expect(entries).toBeGreaterThan(60 * 4);
  for (const { id: payout } of approved)
    expect((await three.journalOf(payout)).map(({ kind }) => kind)).toEqual([
      ...['imported', 'price', 'approve', 'begin_attempt', 'accept'],
    ]);
});

it('begins nothing more in a process whose batch another one has taken over', async () => {
  const [one, two] = (await processes(2)) as [Ledger, Ledger];
  const id = await batchOf(one, [row(1)], 'may');
  const [planned] = await all(one, id);
  if (planned === undefined) throw new TypeError('no row');
  const approved = await walkedTo(one, planned, 'approved');
  expect((await one.lease(id, { ...HOLDER, host: 'one' })).kind).toBe('leased');
  // Silent for longer than a process of another machine may be.
  now += 31_000;
  expect((await two.lease(id, { ...HOLDER, host: 'two' })).kind).toBe('leased');
  expect(await one.record(moveOf(approved, step(one, approved, 'sending')))).toEqual({ kind: 'stale' });
  expect((await again(two, approved.id)).state.status).toBe('approved');
  expect((await two.record(moveOf(approved, step(two, approved, 'sending')))).kind).toBe('recorded');
});

it('[L22] begins one of two equal payments that two processes begin at the same moment', async () => {
  const [one, two] = (await processes(2)) as [Ledger, Ledger];
  const first = await batchOf(one, [row(1)], 'may');
  const second = await batchOf(one, [row(1)], 'again');
  const [may] = await all(one, first);
  const [repeat] = await all(one, second);
  if (may === undefined || repeat === undefined) throw new TypeError('two rows');
  const seen = await released(one, repeat, { kind: 'repeat', of: may.id, isUnknown: false });
  const approved = [await walkedTo(one, may, 'approved'), await walkedTo(one, seen, 'approved')];
  const begun = await Promise.all(
    approved.map((payout, at) => {
      const ledger = at === 0 ? one : two;
      return ledger.record(moveOf(payout, step(ledger, payout, 'sending')));
    }),
  );
  expect(begun.map(({ kind }) => kind).sort()).toEqual(['objection', 'recorded']);
});

it('takes a plan as shown for changed when another process moved a row of it meanwhile', async () => {
  const [one, two] = (await processes(2)) as [Ledger, Ledger];
  const id = await batchOf(
    one,
    Array.from({ length: 30 }, (_, at) => row(at + 1)),
    'may',
  );
  const planned = await all(one, id);
  const moving = Promise.all(planned.map((payout) => walkedTo(two, payout, 'quoted')));
  const shown = await one.lastEntry();
  const seen = new Map((await all(one, id)).map((payout) => [payout.id, payout]));
  await moving;
  for (const payout of await all(one, id)) {
    const event = step(one, payout, 'approved');
    const { kind } = await one.record(moveOf(payout, event, { unchangedSince: shown }));
    // Whoever was seen as it stands now may be agreed to; whoever moved after the entry may not.
    if (kind === 'recorded') expect(seen.get(payout.id)?.version).toBe(payout.version);
  }
  expect((await one.verify()).problems).toEqual([]);
});

/** As an administrator changes the tables below a process. */
async function behind(place: ReturnType<typeof server.place>, text: string): Promise<void> {
  const { schema, tls: _, ...where } = place;
  const client = new pg.Client(where);
  await client.connect();
  await client.query(`SET search_path TO ${schema}; ${text}`);
  await client.end();
}

it('[L39] begins nothing in a process that started before the ledger got another format', async () => {
  const place = server.place();
  const ledger = await openPostgresLedger({ place, binding: BINDING, create: true });
  onTestFinished(() => ledger.close());
  const id = await batchOf(ledger, [row(1)], 'may');
  const [planned] = await all(ledger, id);
  if (planned === undefined) throw new TypeError('no row');
  const approved = await walkedTo(ledger, planned, 'approved');
  await behind(place, 'UPDATE format SET version = version + 1');
  await expect(ledger.record(moveOf(approved, step(ledger, approved, 'sending')))).rejects.toMatchObject({
    code: 'ledger_unsupported',
    message: expect.stringContaining('Start it again with the newest payfile'),
  });
  expect((await all(ledger, id)).map(({ state }) => state.status)).toEqual(['approved']);
});

it('keeps when a payout is asked about next although the move beside it was refused', async () => {
  const place = server.place();
  const ledger = await openPostgresLedger({ place, binding: BINDING, create: true });
  onTestFinished(() => ledger.close());
  const id = await batchOf(ledger, [row(1), row(2)], 'may');
  const [first, second] = await all(ledger, id);
  if (first === undefined || second === undefined) throw new TypeError('no row');
  const approved = await walkedTo(ledger, first, 'approved');
  const accepted = await walkedTo(ledger, second, 'accepted');
  await behind(place, 'ALTER TABLE payouts ADD CONSTRAINT test_only CHECK (status <> $$sending$$) NOT VALID');
  const dueAt = timestampOf(NOW + 3_600_000);
  const [moved] = await Promise.allSettled([
    ledger.record(moveOf(approved, step(ledger, approved, 'sending'))),
    ledger.schedule(accepted.id, dueAt, { at: NOW, times: 3 }),
  ]);
  expect(moved.status).toBe('rejected');
  expect(
    await ledger.page(id, {
      statuses: ['accepted'],
      after: undefined,
      limit: 9,
      dueBy: timestampOf(dueAt - 1),
    }),
  ).toMatchObject({
    payouts: [],
  });
});

it.each<[string, (ledger: Ledger) => Promise<unknown>]>([
  ['writes alone', (ledger) => batchOf(ledger, [row(1)], 'may')],
  ['reads a settled state', async (ledger) => ledger.lastEntry()],
])('gives whoever %s its turn where others write all the time', async (_name, work) => {
  const place = server.place();
  const clock = { now: () => timestampOf(now) };
  const ledger = await openPostgresLedger({ place, binding: BINDING, create: true, clock });
  const { schema, tls: _, ...where } = place;
  // Always one of the two has it, and for longer than the first tries wait.
  const busy = `DO $$ BEGIN FOR time IN 1..30 LOOP
    LOCK TABLE ${schema}.ledger IN ROW EXCLUSIVE MODE; PERFORM pg_sleep(0.3); COMMIT; END LOOP; END $$`;
  const others = [new pg.Client(where), new pg.Client(where)] as const;
  for (const other of others) await other.connect();
  const writing = [others[0].query(busy)];
  await others[1].query('SELECT pg_sleep(0.15)');
  writing.push(others[1].query(busy));
  const ended = Promise.allSettled(writing);
  onTestFinished(async () => {
    await ledger.close();
    const end = new pg.Client(where);
    await end.connect();
    await end.query(
      "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query LIKE 'DO %' AND datname = current_database()",
    );
    await ended;
    for (const client of [...others, end]) await client.end();
  });
  expect(await work(ledger)).toBeDefined();
});
