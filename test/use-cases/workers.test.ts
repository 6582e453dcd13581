/** Workers on a queue in memory: who does what was asked for, what becomes of it when a worker ends, and how many at once. */
import { expect, it } from 'vitest';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { ASK_AGAIN_MS, type Fleet, type StageQueue } from '../../src/ports/fleet.ts';
import { LedgerError } from '../../src/ports/ledger/errors.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import { CredentialsRefused } from '../../src/ports/payment-service.ts';
import { reconnectingLedger } from '../../src/setup/reconnecting-ledger.ts';
import { atWorkers } from '../../src/use-cases/fleet/at-workers.ts';
import { doJob } from '../../src/use-cases/fleet/do-work.ts';
import { serve } from '../../src/use-cases/fleet/serve.ts';
import { encodeDone, encodeRequest, WorkFailed } from '../../src/use-cases/fleet/work-json.ts';
import type { ProgressEvent } from '../../src/use-cases/ports.ts';
import { priceBatch } from '../../src/use-cases/price/price-batch.ts';
import { type EndPorts, endAfterFailure } from '../../src/use-cases/report/batch-end.ts';
import { sendApproved } from '../../src/use-cases/send/send-approved.ts';
import { settleSent } from '../../src/use-cases/settle/settle-sent.ts';
import { whileSending } from '../../src/use-cases/work-of-error.ts';
import { all, eventsTo } from '../builders/ledger-batches.ts';
import { someRows } from '../builders/payout-file.ts';
import { HOLDER, readingPorts, recordIn } from '../builders/workplace.ts';
import { asking, atWork, aYard, handsOf, worker, type Yard } from '../builders/yard.ts';

function asked({ world }: Yard, batchId: BatchId, stage: 'price' | 'send' = 'send') {
  const request = encodeRequest({ request: {}, policy: world.policy });
  return { batchId, stage, request, asker: HOLDER };
}

async function taken(fleet: Fleet, queue: StageQueue, pid = 1) {
  const job = await (await fleet.join(worker(pid))).take(queue);
  if (job === undefined) throw new TypeError(`Nothing waits in ${queue}`);
  return job;
}

/** As a worker does it: what it may not end goes to another one. */
async function does(...[queue, job, hands]: Parameters<typeof doJob>): Promise<void> {
  const left = await doJob(queue, job, hands);
  if (left !== undefined) await job.fail(left);
}

/** Each question takes a second, unless it is broken off. */
const slowly = ({ service, clock }: Yard) =>
  new Proxy(service, {
    get: (_, key) => {
      const value: unknown = Reflect.get(service, key, service);
      if (typeof value !== 'function') return value;
      return async (...given: unknown[]) => {
        await clock.sleep(
          1_000,
          given.find((each) => each instanceof AbortSignal),
        );
        return value.apply(service, given);
      };
    },
  });

it('nobody can begin a work any more that its asker does by itself', async () => {
  const yard = await aYard();
  const batch = await yard.approved(someRows(2));
  const gone = await yard.fleet.join(worker(1));
  // It gives no more sign of life, so the asker waits no longer and does it by itself.
  expect(
    await atWorkers('send', { batchId: batch, holder: HOLDER, signal: undefined, request: {} }, asking(yard)),
  ).toBe(undefined);
  expect(await gone.take('send-head')).toBe(undefined);
});

/** Its connection is gone once the watching looks again: the stage and the watching asked for counts before. */
function breaksOff(ledger: Ledger): Ledger {
  let asked = 0;
  const counts: Ledger['counts'] = async (...question) => {
    asked += 1;
    if (asked > 2) throw new LedgerError('ledger_unreachable', 'The connection is gone.');
    return ledger.counts(...question);
  };
  return new Proxy(ledger, {
    get(_, key) {
      if (key === 'counts') return counts;
      if (key === 'isLost') return asked > 2;
      const value: unknown = Reflect.get(ledger, key, ledger);
      return typeof value === 'function' ? value.bind(ledger) : value;
    },
  });
}

/** A sending that a worker does, watched by somebody whose connection breaks off. `opens`: what each try to connect comes to. */
async function watchedSending(opens: readonly (LedgerError | 'there')[]) {
  const yard = await aYard();
  const batch = await yard.approved(someRows(6));
  const { ending, ended } = atWork(yard, 1);
  while ((await yard.fleet.workersOf('send-head')) === 0) await yard.clock.sleep(100);
  const left = [...opens];
  const lasting = reconnectingLedger(breaksOff(yard.ledger), async () => {
    const next = left.shift();
    if (next instanceof LedgerError) throw next;
    return yard.ledger;
  });
  const ports = { ...asking(yard), ledger: lasting.ledger, openAgain: lasting.reconnect };
  const asked = { batchId: batch, holder: HOLDER, signal: undefined, request: {} };
  const watched = await atWorkers('send', asked, ports).catch((error: unknown) => error);
  ending.abort();
  await ended;
  return { watched, left, stand: await yard.stand(batch) };
}

it('whoever watches looks on by a new connection when the server broke off and came back', async () => {
  const away = new LedgerError('ledger_unwritable', 'The server is away.');
  const { watched, left, stand } = await watchedSending([away, 'there']);
  expect(left).toEqual([]);
  expect(watched).toMatchObject({ incidents: [] });
  expect(stand).toEqual({ accepted: 6 });
});

it('what workers sent counts as sent by the run that asked them', async () => {
  const yard = await aYard();
  const { ending, ended } = atWork(yard, 1);
  while ((await yard.fleet.workersOf('send-head')) === 0) await yard.clock.sleep(100);
  const may = await yard.batch(await yard.approved(someRows(6)));
  const june = await yard.batch(await yard.approved(someRows(8).slice(6)));
  const sent = async (batch: typeof may) =>
    whileSending(asking(yard), async ({ ports, startBatch, begun }) => {
      await startBatch(batch);
      await sendApproved(batch, { holder: HOLDER, deadlineMs: 0 }, { ...ports, open: async () => ports });
      return begun();
    });
  expect([await sent(may), await sent(june), await sent(may)]).toEqual([6, 2, 0]);
  ending.abort();
  await ended;
});

it('a command whose workers sent rows does not call them sent by commands before it, whatever broke off', async () => {
  const yard = await aYard();
  const batch = await yard.batch(await yard.approved(someRows(6)));
  const { ending, ended } = atWork(yard, 1);
  while ((await yard.fleet.workersOf('send-head')) === 0) await yard.clock.sleep(100);
  const broken = new WorkFailed({ code: 'config', message: 'Broken off.' });
  const look: Fleet['look'] = async () => {
    while ((await yard.stand(batch.id)).accepted !== 6) await yard.clock.sleep(100);
    throw broken;
  };
  const ports = { ...yard.world, fleet: async () => ({ ...yard.fleet, look }) };
  const request = { holder: HOLDER, deadlineMs: 0 };
  const error = await sendApproved(batch, request, { ...ports, open: async () => ports }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBe(broken);
  const failure = { exitCode: 78, steps: {} } as const;
  const after = (open: () => Promise<EndPorts>) => endAfterFailure(error, failure, { options: {}, open });
  expect(await after(async () => readingPorts(yard))).toMatchObject({
    kind: 'ended',
    end: { money: { sent: 6, begun: 6, notSent: 0 } },
  });
  const away = after(async () => {
    throw broken;
  });
  ending.abort();
  await ended;
  expect(await away).toEqual({ kind: 'unreported', begun: 0, mayBeMore: true });
});

it.each(['price', 'send-head', 'send'] as const)(
  'a worker whose password the service refuses in %s ends itself, and the run goes on at others',
  async (queue) => {
    const yard = await aYard();
    const isPrice = queue === 'price';
    const batch = isPrice ? (await yard.place(someRows(6))).batch.id : await yard.approved(someRows(6));
    const refused = async () => {
      throw new CredentialsRefused('wrong password');
    };
    const paymentService = { ...yard.service, prepareSend: refused, rate: refused, accountName: refused };
    const { fleet, clock, log, world } = yard;
    const queues = queue === 'send' ? (['send'] as const) : ([queue, 'recover'] as const);
    const wrong = serve(
      { fleet, clock, log },
      {
        ...handsOf(yard),
        ports: async () => ({ ...world, paymentService }),
        worker: { ...worker(1), queues },
        once: false,
        tell: () => {},
        labelOf: async () => 'may',
      },
    ).catch((error: unknown) => error);
    let isGone = false;
    void wrong.then(() => {
      isGone = true;
    });
    const good = queue === 'send' ? atWork(yard, 2) : undefined;
    const work = { batchId: batch, holder: HOLDER, signal: undefined, request: {} };
    while ((await fleet.workersOf(isPrice ? 'price' : 'send-head')) === 0) await clock.sleep(100);
    const watched = atWorkers(isPrice ? 'price' : 'send', work, asking(yard));
    while (!isGone) await clock.sleep(100);
    expect(await wrong).toBeInstanceOf(CredentialsRefused);
    const { ending, ended } = good ?? atWork(yard, 2);
    await watched;
    expect(await yard.stand(batch)).toEqual(isPrice ? { quoted: 6 } : { accepted: 6 });
    ending.abort();
    await ended;
  },
);

it.each(['price', 'send'] as const)(
  'a run goes on within ten seconds when somebody deleted the job of its whole %s',
  async (stage) => {
    const yard = await aYard();
    const isSend = stage === 'send';
    const batch = isSend ? await yard.approved(someRows(6)) : (await yard.place(someRows(6))).batch.id;
    // It is seen, and takes nothing.
    const member = await yard.fleet.join(worker(2));
    const work = { batchId: batch, holder: HOLDER, signal: undefined, request: {} };
    let isOver = false;
    const watched = atWorkers(stage, work, asking(yard)).finally(() => {
      isOver = true;
    });
    while (yard.queue.jobs.length === 0) await yard.clock.sleep(1);
    yard.queue.jobs = [];
    // In this clock the pauses of two who wait come one after another.
    const [pauseMs, limitMs] = [500, 2 * (ASK_AGAIN_MS + 1_000)];
    const began = yard.clock.monotonicMs();
    while (yard.queue.jobs.length === 0) {
      await yard.clock.sleep(pauseMs);
      await member.beat();
    }
    expect(yard.clock.monotonicMs() - began).toBeLessThanOrEqual(limitMs);
    const { ending, ended } = atWork(yard, 1);
    while (!isOver) {
      await yard.clock.sleep(pauseMs);
      await member.beat();
    }
    await watched;
    if (isSend) expect(await yard.stand(batch)).toEqual({ accepted: 6 });
    ending.abort();
    await ended;
  },
);

it('whoever watches does not look on at a server that was set back', async () => {
  const setBack = new LedgerError('ledger_rolled_back', 'It is older.');
  expect((await watchedSending([setBack])).watched).toBe(setBack);
});

it('has no more parts in flight than there are lanes, over all workers and batches', async () => {
  const yard = await aYard();
  const rows = someRows(40);
  const batches = [
    await yard.approved(rows.slice(0, 20), 'may'),
    await yard.approved(rows.slice(20), 'june'),
  ];
  let most = 0;
  yard.service.beforeSend = async () => {
    // So long that every worker has time to take more.
    for (let turns = 0; turns < 40; turns += 1) await yard.clock.sleep(50);
    const parts = [...yard.queue.works.values()].flatMap((work) => work.parts);
    most = Math.max(
      most,
      parts.filter(({ worker: by, result }) => by !== undefined && result === undefined).length,
    );
  };
  const workers = [atWork(yard, 1, { all: 2 }), atWork(yard, 2, { all: 2 })];
  for (const batch of batches) await yard.fleet.ask(asked(yard, batch));
  while (yard.queue.isBusy()) await yard.clock.sleep(100);
  for (const { ending } of workers) ending.abort();
  await Promise.all(workers.map(({ ended }) => ended));
  expect(most).toBeLessThanOrEqual(2);
  for (const batch of batches) expect(await yard.stand(batch)).toEqual({ accepted: 20 });
});

it('a worker has no more parts in flight than it has lanes, also while it learns what their batches are called', async () => {
  const yard = await aYard();
  const batches = [
    await yard.approved(someRows(20).slice(0, 10), 'may'),
    await yard.approved(someRows(20).slice(10), 'june'),
  ];
  const most = new Map<string, number>();
  yard.service.beforeSend = async () => {
    for (let turns = 0; turns < 40; turns += 1) await yard.clock.sleep(50);
    const parts = [...yard.queue.works.values()].flatMap((work) => work.parts);
    const open = parts.filter(({ worker: by, result }) => by !== undefined && result === undefined);
    for (const [by, mine] of Map.groupBy(open, (part) => String(part.worker)))
      most.set(by, Math.max(most.get(by) ?? 0, mine.length));
  };
  const few = { all: 4, own: 1, labelTurns: 50 };
  const workers = [atWork(yard, 1, few), atWork(yard, 2, few)];
  for (const batch of batches) await yard.fleet.ask(asked(yard, batch));
  while (yard.queue.isBusy()) await yard.clock.sleep(100);
  for (const { ending } of workers) ending.abort();
  await Promise.all(workers.map(({ ended }) => ended));
  expect([...most.values()]).toEqual([1, 1]);
  for (const batch of batches) expect(await yard.stand(batch)).toEqual({ accepted: 10 });
});

it('a worker that is told to end leaves its part open, for others to go on', async () => {
  const yard = await aYard();
  const batch = await yard.approved(someRows(8));
  await yard.fleet.ask(asked(yard, batch));
  const head = await taken(yard.fleet, 'send-head');
  const lease = await yard.ledger.lease(batch, HOLDER);
  if (lease.kind !== 'leased') throw new TypeError('busy');
  await lease.handOut(1);
  await head.handOut(1);
  const ending = new AbortController();
  yard.service.beforeSend = async () => ending.abort();
  await does('send', await taken(yard.fleet, 'send', 2), handsOf(yard, ending.signal));
  expect(await head.parts()).toEqual([{ index: 0, result: undefined }]);
  const again = await taken(yard.fleet, 'recover', 3);
  expect(again.part).toEqual({ index: 0, of: 1 });
  expect(yard.service.book.length).toBeLessThan(8);
  expect(await yard.stand(batch)).not.toHaveProperty('in_doubt');
});

it.each(['send-head', 'send'] as const)(
  'what was cut off in %s is not tried again: it is recovered',
  async (queue) => {
    const yard = await aYard();
    const batch = await yard.approved(someRows(2));
    await yard.fleet.ask(asked(yard, batch));
    const head = await taken(yard.fleet, 'send-head');
    await head.handOut(1);
    const job = queue === 'send' ? await taken(yard.fleet, 'send') : head;
    await job.fail('its worker died');
    yard.clock.advance(60_000);
    const member = await yard.fleet.join(worker(2));
    expect(await member.take(queue)).toBe(undefined);
    expect((await member.take('recover'))?.part).toEqual(job.part);
  },
);

it('recovery waits as long as somebody else has the batch', async () => {
  const yard = await aYard();
  const batch = await yard.approved(someRows(2));
  await yard.fleet.ask(asked(yard, batch));
  await (await taken(yard.fleet, 'send-head')).fail('its worker died');
  const lease = await yard.ledger.lease(batch, HOLDER);
  if (lease.kind !== 'leased') throw new TypeError('busy');
  for (let tries = 0; tries < 40; tries += 1) {
    const job = await taken(yard.fleet, 'recover');
    const left = await doJob('recover', job, handsOf(yard));
    expect(left).toBe(`process ${HOLDER.pid} on ${HOLDER.host} still has it`);
    await job.fail(left ?? '');
    yard.clock.advance(60_000);
  }
  await lease.release();
  await does('recover', await taken(yard.fleet, 'recover'), handsOf(yard));
  expect((await taken(yard.fleet, 'send-head')).work.batchId).toBe(batch);
});

it.each(['stays', 'is told to end as well'])(
  'whoever stops a work is told that it was stopped, not that it failed, where its worker %s',
  async (how) => {
    const yard = await aYard();
    const { batch } = await yard.place(someRows(30));
    await yard.fleet.join(worker(1));
    const stopping = new AbortController();
    const reason = new Error('Ctrl-C');
    const pricing = priceBatch(batch, { holder: HOLDER, signal: stopping.signal }, asking(yard));
    await yard.clock.sleep(1);
    const job = await taken(yard.fleet, 'price', 2);
    stopping.abort(reason);
    while (!(await job.look()).isStopped) await yard.clock.sleep(1);
    const ending = new AbortController();
    if (how !== 'stays') ending.abort(new Error('Told to end'));
    const ports = async () => ({ ...yard.world, paymentService: slowly(yard) });
    await Promise.all([
      does('price', job, { ...handsOf(yard, ending.signal), ports }),
      expect(pricing).rejects.toBe(reason),
    ]);
  },
);

it('a work that has an end is not done again', async () => {
  const yard = await aYard();
  const batch = await yard.approved(someRows(2));
  await yard.fleet.ask(asked(yard, batch));
  const job = await taken(yard.fleet, 'send-head');
  await job.end(encodeDone({}));
  expect(await (await yard.fleet.join(worker(2))).take('send-head')).toBe(undefined);
});

it('whoever leads a sending ends it, and lets the batch go, when the work has an end without it', async () => {
  const yard = await aYard();
  const batch = await yard.approved(someRows(8));
  await yard.fleet.ask(asked(yard, batch));
  const head = await taken(yard.fleet, 'send-head');
  // As when the queue gave the same job out twice.
  yard.service.beforeSend = () => head.end(encodeDone({}));
  await does('send-head', head, handsOf(yard));
  expect(yard.service.book.length).toBeLessThan(8);
  expect(await yard.stand(batch)).not.toHaveProperty('in_doubt');
  expect((await yard.ledger.lease(batch, HOLDER)).kind).toBe('leased');
});

it('a run that was stopped before its stage asks no worker for it', async () => {
  const yard = await aYard();
  const batch = await yard.approved(someRows(2));
  await yard.fleet.join(worker(1));
  const signal = AbortSignal.abort(new Error('Ctrl-C'));
  const asked = { batchId: batch, holder: HOLDER, signal, request: {} };
  expect(await atWorkers('send', asked, asking(yard))).toBe(undefined);
  expect(yard.queue.works.size).toBe(0);
});

it.each(['send-head', 'send'] as const)(
  'a worker that takes %s of a work that was stopped just before sends no row',
  async (queue) => {
    const yard = await aYard();
    const batch = await yard.approved(someRows(8));
    const work = await yard.fleet.ask(asked(yard, batch));
    if (work.kind !== 'asked') throw new TypeError('busy');
    const head = await taken(yard.fleet, 'send-head');
    const lease = queue === 'send' ? await yard.ledger.lease(batch, HOLDER) : undefined;
    if (lease?.kind === 'leased') {
      await lease.handOut(1);
      await head.handOut(1);
    }
    const job = queue === 'send' ? await taken(yard.fleet, 'send', 2) : head;
    // Written before the worker has a lease that could be ended, and seen by it with the lease.
    await yard.fleet.stop(work.id);
    await yard.ledger.stopWork(batch, work.id);
    await does(queue, job, handsOf(yard));
    expect(yard.service.book).toEqual([]);
    expect(await yard.stand(batch)).toEqual({ approved: 8 });
  },
);

it('whoever stops a run hears how many rows are in flight at workers once they begin nothing more', async () => {
  const yard = await aYard();
  const batch = await yard.approved(someRows(30));
  const { ending, ended } = atWork(yard, 1);
  while ((await yard.fleet.workersOf('send-head')) === 0) await yard.clock.sleep(100);
  const stopping = new AbortController();
  const told: ProgressEvent[] = [];
  let begunAfter = 0;
  yard.service.beforeSend = async () => {
    if (yard.service.book.length > 4) stopping.abort(new Error('Ctrl-C'));
    if (told.some((event) => event.kind === 'at_workers' && event.stand === 'stopped')) begunAfter += 1;
    for (let turns = 0; turns < 20; turns += 1) await yard.clock.sleep(1);
  };
  const ports = { ...asking(yard), tell: (event: ProgressEvent) => void told.push(event) };
  const work = { batchId: batch, holder: HOLDER, signal: stopping.signal, request: {} };
  await atWorkers('send', work, ports);
  const stands = told.flatMap((event) => (event.kind === 'at_workers' ? [event] : []));
  expect(stands.map(({ stand }) => stand)).toEqual(['at_work', 'stopped', 'ended']);
  expect(begunAfter).toBe(0);
  expect((await yard.stand(batch)).approved).toBeGreaterThan(10);
  expect(await yard.stand(batch)).not.toHaveProperty('in_doubt');
  ending.abort();
  await ended;
});

it('whoever asked says at the deadline how many rows workers have on the wire, and until when they wait', async () => {
  const yard = await aYard();
  const batch = await yard.approved(someRows(3));
  const member = await yard.fleet.join(worker(1));
  const told: string[] = [];
  const tell = (event: ProgressEvent) => {
    if (event.kind === 'waiting') told.push(event.reason);
  };
  const request = { deadlineMs: 10_000 };
  const work = { batchId: batch, holder: HOLDER, signal: undefined, request };
  const watching = atWorkers('send', work, { ...asking(yard), tell });
  await yard.clock.sleep(1);
  const job = await member.take('send-head');
  // Two are on the wire, and their worker gets no answer.
  for (const payout of (await all(yard.ledger, batch)).slice(0, 2))
    for (const event of eventsTo('sending', payout, yard.ledger).slice(-1))
      await recordIn(yard, payout, event);
  while (told.length === 0) {
    await yard.clock.sleep(500);
    await member.beat();
  }
  await job?.end(encodeDone({}));
  await watching;
  expect(told).toEqual([
    expect.stringMatching(
      /^the service is silent: it gave no usable answer for 10 s\. No new transfer begins; 2 rows on the wire are waited for, until 2026-05-25 06:03:[0-9]+ UTC at the latest$/,
    ),
  ]);
});

it('whoever settles waits for a busy worker no longer than the deadline, and looks once by itself', async () => {
  const yard = await aYard();
  const batch = await yard.approved(someRows(2));
  await yard.send(batch);
  yard.service.statusOf = () => 'Processing';
  const member = await yard.fleet.join(worker(1));
  let isOver = false;
  const began = yard.clock.monotonicMs();
  const known = await yard.ledger.batch(batch);
  if (known === undefined) throw new TypeError('no batch');
  const settling = settleSent(known, { holder: HOLDER, deadlineMs: 60_000 }, asking(yard)).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await yard.clock.sleep(500);
    await member.beat();
  }
  expect(await settling).toMatchObject({ incidents: [], codes: [] });
  expect(yard.clock.monotonicMs() - began).toBeLessThan(70_000);
  expect(yard.service.calls.filter((call) => call.startsWith('transaction'))).toHaveLength(2);
});
