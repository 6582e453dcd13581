/** Leases: one process at a time, by the clock and by heartbeat. Parts of a batch: the contract of the ledger. */
import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { describeHolders } from '../../src/ledger/leases.ts';
import { THIS_MACHINE } from '../../src/ledger/machine.ts';
import { q } from '../../src/ledger/sql.ts';
import type { Lease, LeaseBusy, LeaseHolder, NotHandedOut } from '../../src/ports/ledger/leases.ts';
import { eventsTo, HOLDER, moveOf, row, walkedTo } from '../builders/ledger-batches.ts';
import { NOW } from '../builders/payouts.ts';
import { onBoth } from './both-databases.ts';
import { batchIn, type Opened, type Place, payoutsIn } from './new-ledgers.ts';

const here: LeaseHolder = { ...HOLDER, host: hostname() };
const by = (command: string): LeaseHolder => ({ ...here, command });
const PART = { index: 0, of: 2 };

/** Processes with one clock, whose heartbeats come when a test says so. */
async function processes(place: Place) {
  let now: number = NOW;
  const clock = { now: () => timestampOf(now) };
  const open = async () => {
    const beats = new Set<() => unknown>();
    const every = (_: number, run: () => unknown) => {
      beats.add(run);
      return () => beats.delete(run);
    };
    const opened = await place.open({ clock, machine: { every, monotonicMs: () => now } });
    const beat = async () => {
      await Promise.all([...beats].map((run) => run()));
    };
    return { ...opened, beat };
  };
  const [leader, worker, other] = [await open(), await open(), await open()];
  const id = await batchIn(leader, [row(1), row(2), row(3), row(4)]);
  const pass = (ms: number) => {
    now += ms;
  };
  return { leader, worker, other, id, pass };
}

function leased(answer: Lease | LeaseBusy | NotHandedOut): Lease {
  if (answer.kind !== 'leased') throw new TypeError(`Nobody had it, and it is ${answer.kind}`);
  return answer;
}

async function handedOut({ leader, worker, id }: { leader: Opened; worker: Opened; id: BatchId }) {
  const whole = leased(await leader.ledger.lease(id, by('leader')));
  await whole.handOut(2);
  const part = leased(await worker.ledger.leasePart(id, PART, by('worker')));
  return { whole, part };
}

async function approved({ ledger, ...opened }: Opened, id: BatchId, index: number) {
  const payouts = await payoutsIn({ ledger, ...opened }, id);
  const payout = payouts.find((each) => Number(each.id) % 2 === index);
  if (payout === undefined) throw new TypeError('Every second row is in the part');
  return walkedTo(ledger, payout, 'approved');
}

function beginOf(payout: Awaited<ReturnType<typeof approved>>, ledger: Opened['ledger']) {
  const begin = eventsTo('sending', payout, ledger).at(-1);
  if (begin === undefined) throw new TypeError('begin_attempt is the last event');
  return moveOf(payout, begin);
}

onBoth((place) => {
  it.each([
    ['this host', here, 15_000],
    ['another host', { ...here, host: 'elsewhere', pid: 1 }, 30_000],
  ])('takes a batch over from a holder on %s only when it was silent long enough', async (_, holder, ms) => {
    const { leader, other, id, pass } = await processes(await place());
    leased(await leader.ledger.lease(id, holder));
    pass(ms);
    expect(await other.ledger.lease(id, here)).toMatchObject({ kind: 'busy', holder, since: NOW });
    expect(await leader.ledger.holderOf(id)).toMatchObject({ kind: 'busy', holder });
    pass(1);
    expect(await other.ledger.lease(id, here)).toMatchObject({ kind: 'leased', tookOver: true });
  });

  it('gives a free batch once to two that ask at the same moment, and again when it was given back', async () => {
    const { leader, other, id } = await processes(await place());
    const answers = await Promise.all([leader.ledger.lease(id, here), other.ledger.lease(id, here)]);
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['busy', 'leased']);
    await leased(answers.find(({ kind }) => kind === 'leased') ?? { kind: 'not_handed_out' }).release();
    expect(await other.ledger.holderOf(id)).toBeUndefined();
    expect(await leader.ledger.lease(id, here)).toMatchObject({ kind: 'leased', tookOver: false });
  });

  it('keeps a lease by heartbeat', async () => {
    const { leader, other, id, pass } = await processes(await place());
    const lease = leased(await leader.ledger.lease(id, here));
    for (let beats = 0; beats < 3; beats += 1) {
      pass(9_000);
      await leader.beat();
    }
    expect(await other.ledger.lease(id, here)).toMatchObject({ kind: 'busy' });
    expect(lease.lost.aborted).toBe(false);
    expect(await describeHolders(other.parts.read)).toContain(`process ${here.pid} of`);
  });

  it('lets a process that lost its batch begin nothing more, and tells it', async () => {
    const { leader, other, id, pass } = await processes(await place());
    const payout = await approved(leader, id, 0);
    const lease = leased(await leader.ledger.lease(id, here));
    pass(20_000);
    await other.ledger.lease(id, here);
    await leader.beat();
    expect(await leader.ledger.record(beginOf(payout, leader.ledger))).toEqual({ kind: 'stale' });
    expect(lease.lost.aborted).toBe(true);
    await lease.release();
    expect(await leader.ledger.lease(id, here)).toMatchObject({ kind: 'busy' });
    expect((await other.ledger.record(beginOf(payout, other.ledger))).kind).toBe('recorded');
  });

  it('does not trust a process number that another process has now', async () => {
    const at = await place();
    const { leader, other, id } = await processes(at);
    await leader.ledger.lease(id, { ...here, pid: THIS_MACHINE.pid });
    await at.exec(
      `UPDATE ${at.dialect === 'pg' ? `"${at.server?.schema}".` : ''}leases SET started = 'an earlier boot'`,
    );
    expect(await other.ledger.lease(id, here)).toMatchObject({ kind: 'leased', tookOver: true });
  });

  it('takes the parts with the whole when it is given back', async () => {
    const { leader, worker, id } = await processes(await place());
    const { whole, part } = await handedOut({ leader, worker, id });
    const payout = await approved(leader, id, 0);
    await whole.release();
    expect(await worker.ledger.record(beginOf(payout, worker.ledger))).toEqual({ kind: 'stale' });
    expect(part.lost.aborted).toBe(true);
    expect(await leader.parts.read.get(q`SELECT count(*) AS n FROM leases`)).toEqual({ n: 0n });
  });

  it('stops beginning when the ledger could not be written for ten seconds, or was closed', async () => {
    const { leader, id, pass } = await processes(await place());
    const payout = await approved(leader, id, 0);
    const lease = leased(await leader.ledger.lease(id, here));
    pass(10_001);
    expect(await leader.ledger.record(beginOf(payout, leader.ledger))).toEqual({ kind: 'stale' });
    expect(lease.lost.aborted).toBe(true);
    await leader.parts.leases.releaseAll();
    expect(await leader.ledger.record(beginOf(payout, leader.ledger))).toEqual({ kind: 'stale' });
  });

  it('has one turn for approvals in the whole ledger', async () => {
    const { leader, other } = await processes(await place());
    const turn = leased(await leader.ledger.approvalTurn('ama'));
    expect(await other.ledger.approvalTurn('ben')).toMatchObject({ kind: 'busy', holder: { user: 'ama' } });
    await turn.release();
    leased(await other.ledger.approvalTurn('ben'));
  });
});
