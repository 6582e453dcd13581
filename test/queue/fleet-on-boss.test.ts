/** What workers tell each other, where the server gives no answer for a while, or a worker slept. */
import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { asBatchId } from '../../src/domain/payouts/instruction.ts';
import { openServerLedger } from '../../src/ledger/server.ts';
import type { Fleet, Member } from '../../src/ports/fleet.ts';
import { createQueueAt } from '../../src/setup/work-queue.ts';
import { startProxy } from '../builders/cutting-proxy.ts';
import { HOLDER } from '../builders/ledger-batches.ts';
import { aPostgres } from '../ledger/a-postgres.ts';
import { SANDBOX as BINDING } from '../ledger/ledger-files.ts';

const server = aPostgres();
const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const WORKER = { host: 'here', pid: 1, user: 'ama', queues: ['send'], lanes: { all: 1, own: 1 } } as const;

async function aFleet() {
  const place = server.place();
  const proxy = await startProxy(place.port);
  open.push(() => proxy.close());
  const queue = await createQueueAt({ ...place, port: proxy.port });
  open.push(() => queue.close());
  const { schema, ...where } = place;
  const client = new pg.Client(where);
  await client.connect();
  open.push(() => client.end());
  const fleet: Fleet = queue.fleet;
  const ask = async (text: string) => (await client.query(text.replaceAll('JOBS', `${schema}_jobs`))).rows;
  return { fleet, place, proxy, ask };
}

it('a lane that was taken while the server gave no answer is free again after a silence', async () => {
  const { fleet, proxy, ask } = await aFleet();
  const member = await fleet.join(WORKER);
  await proxy.swallowAnswerTo('fleet_lanes SET worker = $1');
  await expect(member.takeLane()).rejects.toThrow();
  expect(await ask('SELECT 1 FROM JOBS.fleet_lanes WHERE worker IS NOT NULL')).toHaveLength(1);
  await ask("UPDATE JOBS.fleet_lanes SET seen_at = now() - interval '16 seconds'");
  await member.beat();
  const lane = await member.takeLane();
  expect(lane).toBeDefined();
  await ask("UPDATE JOBS.fleet_lanes SET seen_at = now() - interval '16 seconds'");
  await member.beat();
  expect(await member.takeLane()).toBeUndefined();
});

/** A sending of two parts that the first member leads; the second has begun both. */
async function handedOut(fleet: Fleet, leader: Member, sender: Member) {
  const work = { batchId: asBatchId('b'), stage: 'send', request: '{}', asker: HOLDER } as const;
  const asked = await fleet.ask(work);
  const head = await leader.take('send-head');
  if (asked.kind === 'busy' || head === undefined) throw new Error('nobody leads');
  await head.handOut(2);
  return { id: asked.id, head, parts: [await sender.take('send'), await sender.take('send')] as const };
}

it('a worker that slept while another took its part says nothing of what that one does', async () => {
  const { fleet, ask } = await aFleet();
  const [leader, slept, other] = [
    await fleet.join(WORKER),
    await fleet.join(WORKER),
    await fleet.join(WORKER),
  ];
  const { id, head, parts } = await handedOut(fleet, leader, slept);
  await head.handOut(2);
  const again = [await other.take('send'), await other.take('send')];
  expect(again.map((job) => job?.part?.index)).toEqual([0, 1]);
  await parts[0]?.end('an old end');
  await parts[1]?.fail('it slept');
  await head.endWaiting('over');
  expect(await head.parts()).toMatchObject([{ result: undefined }, { result: undefined }]);
  await ask("UPDATE JOBS.fleet_works SET worker = 'another one'");
  await head.end('an old end');
  expect((await fleet.look(id)).result).toBeUndefined();
});

it('shows of each part who has it and whether it ended', async () => {
  const { fleet, place } = await aFleet();
  await (await openServerLedger({ place, binding: BINDING, create: true })).close();
  const [leader, sender] = [await fleet.join(WORKER), await fleet.join(WORKER)];
  const { head, parts } = await handedOut(fleet, leader, sender);
  await parts[0]?.end('done');
  const shown = async () => (await fleet.seen()).works.map((work) => work.parts);
  expect(await shown()).toEqual([
    [
      { index: 0, worker: sender.name, isEnded: true },
      { index: 1, worker: sender.name, isEnded: false },
    ],
  ]);
  await head.handOut(2);
  expect(await shown()).toEqual([[0, 1].map((index) => ({ index, worker: undefined, isEnded: false }))]);
});

it('of two jobs for one part one is begun', async () => {
  const { fleet, ask } = await aFleet();
  const [leader, sender] = [await fleet.join(WORKER), await fleet.join(WORKER)];
  const work = { batchId: asBatchId('b'), stage: 'send', request: '{}', asker: HOLDER } as const;
  await fleet.ask(work);
  const head = await leader.take('send-head');
  await head?.handOut(1);
  await head?.handOut(1);
  expect(await ask("SELECT 1 FROM JOBS.job WHERE name = 'send' AND state = 'created'")).toHaveLength(2);
  expect(await sender.waiting()).toEqual(['send']);
  expect(await sender.take('send')).toBeDefined();
  expect(await sender.take('send')).toBeUndefined();
  expect(await sender.waiting()).toEqual([]);
});

it.each(['before a worker took it', 'while a worker had it'])(
  'asks anew for a work whose job somebody deleted %s',
  async (when) => {
    const { fleet, ask } = await aFleet();
    const leader = await fleet.join(WORKER);
    const asked = await fleet.ask({ batchId: asBatchId('b'), stage: 'send', request: '{}', asker: HOLDER });
    if (asked.kind === 'busy') throw new TypeError('busy');
    const left = () =>
      ask("SELECT name FROM JOBS.job WHERE state <= 'active' AND name IN ('send-head', 'recover')");
    await fleet.askAgain(asked.id);
    expect(await left()).toEqual([{ name: 'send-head' }]);
    const head = when.startsWith('before') ? undefined : await leader.take('send-head');
    await ask('DELETE FROM JOBS.job');
    for (let times = 0; times < 2; times += 1) await fleet.askAgain(asked.id);
    expect(await left()).toEqual([{ name: head === undefined ? 'send-head' : 'recover' }]);
    const again = await leader.take(head === undefined ? 'send-head' : 'recover');
    expect(again?.work.id).toBe(asked.id);
    await again?.end('done');
    await fleet.askAgain(asked.id);
    expect(await left()).toEqual([]);
    expect((await fleet.look(asked.id)).result).toBe('done');
  },
);

it('asks anew for parts whose jobs somebody deleted: those of nobody are sent, those of a worker recovered', async () => {
  const { fleet, ask } = await aFleet();
  const [leader, sender] = [await fleet.join(WORKER), await fleet.join(WORKER)];
  await fleet.ask({ batchId: asBatchId('b'), stage: 'send', request: '{}', asker: HOLDER });
  const head = await leader.take('send-head');
  await head?.handOut(3);
  const [first, second] = [await sender.take('send'), await sender.take('send')];
  await second?.end('done');
  await head?.askAgain();
  expect(
    await ask("SELECT 1 FROM JOBS.job WHERE name IN ('send', 'recover') AND state < 'active'"),
  ).toHaveLength(1);
  await ask("DELETE FROM JOBS.job WHERE name = 'send'");
  await head?.askAgain();
  await head?.askAgain();
  const left = await ask("SELECT name, data FROM JOBS.job WHERE name IN ('send', 'recover') ORDER BY name");
  expect(left).toMatchObject([
    { name: 'recover', data: { part: { index: first?.part?.index } } },
    { name: 'send', data: { part: { index: 2 } } },
  ]);
});
