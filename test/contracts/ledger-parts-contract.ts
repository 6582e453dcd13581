/**
 * Parts of a batch, leased beside the whole to several processes: who may begin what, whatever the ledger is built on.
 */
import { afterEach, beforeEach, describe, expect, vi } from 'vitest';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import type { Payout } from '../../src/domain/payouts/payout.ts';
import {
  type Lease,
  type LeaseBusy,
  type LeaseHolder,
  LeaseStopped,
  type NotHandedOut,
} from '../../src/ports/ledger/leases.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import { again, all, batchOf, eventsTo, HOLDER, moveOf, row, walkedTo } from '../builders/ledger-batches.ts';
import { choosing, it } from './chosen-tests.ts';

export interface ProcessesUnderTest {
  /** The same ledger, opened by each. */
  readonly ledgers: readonly [Ledger, Ledger, Ledger];
  /** The clock of all of them goes on. */
  pass(milliseconds: number): void;
}

const ROWS = 9;
const by = (command: string): LeaseHolder => ({ ...HOLDER, command });

/** Heartbeats come when a test says so: of each lease, in the order of their taking. */
let beats: (() => unknown)[] = [];

/** The tests of these titles alone; undefined: all of them. */
export function partsContract(
  name: string,
  open: () => Promise<ProcessesUnderTest>,
  titles?: readonly string[],
): void {
  describe(`parts of a batch on ${name}`, () => {
    let test: ProcessesUnderTest;
    beforeEach(async () => {
      test = await open();
      beats = [];
      vi.spyOn(globalThis, 'setInterval').mockImplementation(((run: () => void) => {
        beats.push(run);
        return { unref: () => undefined };
      }) as unknown as typeof setInterval);
    });
    afterEach(async () => {
      vi.restoreAllMocks();
      const [leader, ...others] = test.ledgers;
      expect((await leader.verify()).problems).toEqual([]);
      for (const ledger of [...others, leader]) await ledger.close();
    });
    choosing(titles, () => {
      handingOut(() => test);
      takingOver(() => test);
      beginning(() => test);
      stopping(() => test);
      silence(() => test);
    });
  });
}

function handingOut(test: () => ProcessesUnderTest): void {
  it('gives a part only while the whole is held and handed out in so many parts', async () => {
    const [leader, worker] = test().ledgers;
    const id = await approvedBatch(leader);
    const take = (index: number, of: number) => worker.leasePart(id, { index, of }, by('worker'));
    expect(await take(0, 2)).toEqual({ kind: 'not_handed_out' });
    const whole = leased(await leader.lease(id, by('leader')));
    expect(await take(0, 2)).toEqual({ kind: 'not_handed_out' });
    await whole.handOut(2);
    expect(await take(0, 3)).toEqual({ kind: 'not_handed_out' });
    expect(await take(0, 2)).toMatchObject({ kind: 'leased', tookOver: false });
    await whole.release();
    expect(await take(1, 2)).toEqual({ kind: 'not_handed_out' });
  });

  it('gives a part to one process, names it to the next, and lets go', async () => {
    const [leader, worker, other] = test().ledgers;
    const { id, part } = await handedOut(leader, worker);
    expect(await other.leasePart(id, { index: 0, of: 2 }, by('other'))).toMatchObject({
      kind: 'busy',
      holder: by('worker'),
    });
    expect(await other.leasePart(id, { index: 1, of: 2 }, by('other'))).toMatchObject({ kind: 'leased' });
    expect(await other.lease(id, by('other'))).toMatchObject({ kind: 'busy', holder: by('leader') });
    await part.release();
    expect(await other.leasePart(id, { index: 0, of: 2 }, by('other'))).toMatchObject({
      ...{ kind: 'leased', tookOver: false },
    });
  });

  it('shows of a part exactly its payouts, and all parts together are all of them', async () => {
    const [ledger] = test().ledgers;
    const id = await approvedBatch(ledger);
    const every = (await all(ledger, id)).map((payout) => payout.id);
    const seen = [];
    for (const index of [0, 1, 2]) {
      const question = {
        statuses: ['approved'],
        part: { index, of: 3 },
        after: undefined,
        limit: 100,
      } as const;
      const { payouts } = await ledger.page(id, question);
      expect(payouts.map((payout) => Number(payout.id) % 3)).toEqual(payouts.map(() => index));
      seen.push(...payouts.map((payout) => payout.id));
    }
    expect(seen.sort()).toEqual(every.toSorted());
  });
}

function takingOver(test: () => ProcessesUnderTest): void {
  it('lets another process take a part over only when its holder was silent long enough', async () => {
    const [leader, worker, other] = test().ledgers;
    const { id, approved } = await handedOut(leader, worker);
    test().pass(15_000);
    await beat(0);
    const take = () => other.leasePart(id, { index: 0, of: 2 }, by('other'));
    expect(await take()).toMatchObject({ kind: 'busy', holder: by('worker') });
    test().pass(1);
    expect(await take()).toMatchObject({ kind: 'leased', tookOver: true });
    const [first] = ofPart(approved, 0);
    expect(await begin(worker, first)).toBe('stale');
    expect(await begin(other, first)).toBe('recorded');
  });

  it('lets another process take the whole over only when nobody is at work on a part', async () => {
    const [leader, worker, other] = test().ledgers;
    const { id } = await handedOut(leader, worker);
    test().pass(9_000);
    await beat(1);
    // The leader is silent for 16 s now, the worker for 7 s.
    test().pass(7_000);
    expect(await other.lease(id, by('other'))).toMatchObject({ kind: 'busy', holder: by('worker') });
    test().pass(9_000);
    expect(await other.lease(id, by('other'))).toMatchObject({ kind: 'leased', tookOver: true });
  });

  it('tells the holder of a part that it lost it when the holder of the whole was silent for ten seconds', async () => {
    const [leader, worker, other] = test().ledgers;
    const { id, part, approved } = await handedOut(leader, worker);
    test().pass(9_999);
    await beat(1);
    expect(part.lost.aborted).toBe(false);
    test().pass(1);
    await beat(1);
    expect(part.lost.aborted).toBe(true);
    expect(await begin(worker, ofPart(approved, 0)[0])).toBe('stale');
    expect(await other.leasePart(id, { index: 1, of: 2 }, by('other'))).toEqual({ kind: 'not_handed_out' });
  });
}

function beginning(test: () => ProcessesUnderTest): void {
  it('lets the holder of a part begin payouts of that part alone', async () => {
    const [leader, worker, other] = test().ledgers;
    const { id, approved } = await handedOut(leader, worker);
    expect(await begin(worker, ofPart(approved, 0)[0])).toBe('recorded');
    expect(await begin(worker, ofPart(approved, 1)[0])).toBe('stale');
    await other.leasePart(id, { index: 1, of: 2 }, by('other'));
    expect(await begin(worker, ofPart(approved, 1)[0])).toBe('stale');
    expect(await begin(other, ofPart(approved, 1)[0])).toBe('recorded');
  });

  it.each(['given back', 'taken over'])(
    'lets holders of parts begin nothing more once the whole was %s, and takes their outcomes all the same',
    async (how) => {
      const [leader, worker, other] = test().ledgers;
      const { id, whole, approved } = await handedOut(leader, worker);
      const [first, second] = ofPart(approved, 0);
      if (first === undefined) throw new TypeError('no row');
      expect(await begin(worker, first)).toBe('recorded');
      const sending = await again(worker, first.id);
      if (how === 'given back') await whole.release();
      else test().pass(25_000);
      expect(await other.lease(id, by('other'))).toMatchObject({ kind: 'leased' });
      expect(await begin(worker, second)).toBe('stale');
      const accept = eventsTo('accepted', sending, worker).at(-1);
      if (accept === undefined) throw new TypeError('no event');
      expect((await worker.record(moveOf(sending, accept))).kind).toBe('recorded');
    },
  );
}

function stopping(test: () => ProcessesUnderTest): void {
  const forWork = (work: string) => ({ ...by('worker'), work });

  it('lets nobody begin a row of a work that was stopped, nor take a part of it', async () => {
    const [leader, worker, asker] = test().ledgers;
    const id = await approvedBatch(leader);
    const whole = leased(await leader.lease(id, forWork('one')));
    await whole.handOut(2);
    const part = leased(await worker.leasePart(id, { index: 0, of: 2 }, forWork('one')));
    const approved = await all(leader, id);
    await asker.stopWork(id, 'one');
    expect(await begin(worker, ofPart(approved, 0)[0])).toBe('stale');
    expect(await begin(leader, ofPart(approved, 1)[0])).toBe('stale');
    expect(part.lost.reason).toBeInstanceOf(LeaseStopped);
    const other = await worker.leasePart(id, { index: 1, of: 2 }, forWork('one'));
    expect(other).toEqual({ kind: 'not_handed_out' });
  });

  it('keeps the batch for the holder of a stopped work until its rows in flight have their outcome', async () => {
    const [leader, worker, asker] = test().ledgers;
    const id = await approvedBatch(leader);
    const whole = leased(await leader.lease(id, forWork('one')));
    const [first, second] = await all(leader, id);
    if (first === undefined) throw new TypeError('no row');
    expect(await begin(leader, first)).toBe('recorded');
    await asker.stopWork(id, 'one');
    expect((await asker.counts(id)).sending).toBe(1);
    expect(await begin(leader, second)).toBe('stale');
    test().pass(14_000);
    await beat(0);
    test().pass(14_000);
    expect(await worker.lease(id, by('other'))).toMatchObject({ kind: 'busy' });
    const sending = await again(leader, first.id);
    const accept = eventsTo('accepted', sending, leader).at(-1);
    if (accept === undefined) throw new TypeError('no event');
    expect((await leader.record(moveOf(sending, accept))).kind).toBe('recorded');
    await whole.release();
    expect(leased(await worker.lease(id, by('other'))).lost.aborted).toBe(false);
    expect(await begin(worker, second)).toBe('recorded');
  });

  it('stops no other work of the batch', async () => {
    const [leader, asker] = test().ledgers;
    const id = await approvedBatch(leader);
    const whole = leased(await leader.lease(id, forWork('two')));
    await asker.stopWork(id, 'one');
    expect(await begin(leader, (await all(leader, id))[0])).toBe('recorded');
    expect(whole.lost.aborted).toBe(false);
  });
}

function silence(test: () => ProcessesUnderTest): void {
  it.each(['the whole', 'a part'])(
    'lets the holder of %s begin nothing ten seconds after its last heartbeat, though nobody took it',
    async (which) => {
      const [leader, worker] = test().ledgers;
      const { approved, part, whole } = await handedOut(leader, worker);
      const [first, second] = ofPart(approved, 0);
      const [ledger, { lost }] = which === 'a part' ? [worker, part] : [leader, whole];
      const now = performance.now.bind(performance);
      let silentMs = 9_000;
      vi.spyOn(performance, 'now').mockImplementation(() => now() + silentMs);
      expect(await begin(ledger, first)).toBe('recorded');
      silentMs = 10_001;
      expect(await begin(ledger, second)).toBe('stale');
      expect(lost.aborted).toBe(true);
    },
  );
}

/** Held by one process, handed out in two parts, and the first of them held by another. */
async function handedOut(leader: Ledger, worker: Ledger) {
  const id = await approvedBatch(leader);
  const whole = leased(await leader.lease(id, by('leader')));
  await whole.handOut(2);
  const part = leased(await worker.leasePart(id, { index: 0, of: 2 }, by('worker')));
  return { id, whole, part, approved: await all(leader, id) };
}

async function beat(which: number): Promise<void> {
  await beats[which]?.();
}

async function approvedBatch(ledger: Ledger): Promise<BatchId> {
  const rows = Array.from({ length: ROWS }, (_, at) => row(at + 1));
  const id = await batchOf(ledger, rows, 'may');
  for (const payout of await all(ledger, id)) await walkedTo(ledger, payout, 'approved');
  return id;
}

function leased(answer: Lease | LeaseBusy | NotHandedOut): Lease {
  if (answer.kind !== 'leased') throw new TypeError(`Nobody had it, and it is ${answer.kind}`);
  return answer;
}

const ofPart = (payouts: readonly Payout[], index: number) =>
  payouts.filter(({ id }) => Number(id) % 2 === index);

async function begin(ledger: Ledger, payout: Payout | undefined): Promise<string> {
  const event = payout && eventsTo('sending', payout, ledger).at(-1);
  if (payout === undefined || event === undefined) throw new TypeError('no row');
  return (await ledger.record(moveOf(payout, event))).kind;
}
