/** “Not paid” is ruled when no answer can come any more and nobody can still send the request, whoever rules. */
import { describe, expect, it } from 'vitest';
import { asTransferId } from '../../src/domain/payouts/instruction.ts';
import type { PayoutEvent, Sender } from '../../src/domain/payouts/payout-event.ts';
import type { Transaction } from '../../src/ports/payment-service.ts';
import { type RulingRequest, resolveDoubt } from '../../src/use-cases/decide/resolve-doubt.ts';
import { someRows } from '../builders/payout-file.ts';
import { aWorkplace, recordIn, type Workplace, workplaceOn } from '../builders/workplace.ts';

const MINUTE = 60_000;
const notPaid: RulingRequest = { kind: 'not_paid', by: 'ben', evidence: 'ticket 12' };

/** Row 2 was paid and looked up, row 3 is in doubt: its answer never came. */
async function inDoubt(postTimeoutMs = 120_000) {
  const place = await aWorkplace({ environment: 'live', policy: { concurrency: 1, postTimeoutMs } });
  const batch = await place.approved(someRows(2), 'may');
  place.service.turns.push('accept', 'lose_before');
  await place.send(batch);
  expect((await place.row(batch, 3)).state.status).toBe('in_doubt');
  return { place, batch };
}

/** A row that was on the wire when its process was killed, or stopped: nothing came back to the ledger. */
async function leftOnTheWire(sender: Partial<Sender>, place?: Workplace) {
  const office = place ?? (await aWorkplace({ environment: 'live' }));
  const batch = await office.approved(someRows(1), 'may');
  const row = await office.row(batch, 2);
  const begin = {
    kind: 'begin_attempt',
    attempt: 1,
    bodyDigest: 'd',
    sender: { ...office.ledger.writer, patienceMs: 120_000, ...sender },
    at: office.clock.now(),
  } as const;
  let now = row;
  for (const event of [begin, { kind: 'recover', at: office.clock.now() }] as const satisfies PayoutEvent[]) {
    await recordIn(office, now, event);
    now = await office.row(batch, 2);
  }
  return { place: office, batch };
}

const ruling = async ({ place, batch }: { place: Workplace; batch: never | string }, row = 3) => {
  const ruled = await resolveDoubt(await place.row(batch as never, row), notPaid, place.world);
  return ruled.kind === 'refused' ? ruled.reason : ruled.kind;
};

describe('a ruling “not paid”', () => {
  it('waits ten minutes longer than the patience with which the request was sent', async () => {
    const { place, batch } = await inDoubt();
    place.clock.advance(12 * MINUTE - 1_000);
    expect(await ruling({ place, batch })).toBe(
      'The request may still be under way. Rule on it after 2026-05-25 06:12:00 UTC.',
    );
    place.clock.advance(1_000);
    expect(await ruling({ place, batch })).toBe('ruled');
  });

  it('waits as long as the sender was patient, not as long as whoever rules would be', async () => {
    const { place, batch } = await inDoubt(30 * MINUTE);
    const hasty = workplaceOn({ ...place, policy: { ...place.world.policy, postTimeoutMs: 1_000 } });
    place.clock.advance(39 * MINUTE);
    expect(await ruling({ place: hasty, batch })).toMatch(/may still be under way/);
    place.clock.advance(2 * MINUTE);
    expect(await ruling({ place: hasty, batch })).toBe('ruled');
  });

  it('waits while the process that sent the request only sleeps, for however long', async () => {
    const office = await leftOnTheWire({});
    office.place.clock.advance(5 * 24 * 60 * MINUTE);
    expect(await ruling(office, 2)).toMatch(
      /^The process that sent the request \(\d+ on .+\) is still there and has not closed its connection/,
    );
    expect(await office.place.stand(office.batch)).toEqual({ in_doubt: 1 });
  });

  it.each([
    ['is gone', { pid: 4_194_303 }],
    ['was another one of the same number', { started: 'an earlier boot 17' }],
    ['ran on another machine', { host: 'elsewhere', started: 'its boot 17' }],
  ])('waits for nobody where the process that sent the request %s', async (_, sender) => {
    const office = await leftOnTheWire(sender);
    office.place.clock.advance(12 * MINUTE);
    expect(await ruling(office, 2)).toBe('ruled');
  });

  it('waits for a process that has the same boot and start, whatever the machine is called now', async () => {
    const office = await leftOnTheWire({ host: 'an earlier name' });
    office.place.clock.advance(12 * MINUTE);
    expect(await ruling(office, 2)).toMatch(/is still there/);
  });

  it('waits a day where only the number of the process is known, which may be another one’s by then', async () => {
    const office = await leftOnTheWire({ started: null });
    office.place.clock.advance(23 * 60 * MINUTE);
    expect(await ruling(office, 2)).toMatch(/is still there/);
    office.place.clock.advance(60 * MINUTE);
    expect(await ruling(office, 2)).toBe('ruled');
  });

  it('may be made although the process lives on, once that wrote down that it gave up on a late answer', async () => {
    const place = await aWorkplace({ environment: 'live', policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(2), 'may');
    place.service.turns.push('accept', 'late');
    const sending = place.send(batch);
    while ((await place.row(batch, 3)).state.status !== 'in_doubt')
      await new Promise((resolve) => setImmediate(resolve));
    place.clock.advance(12 * MINUTE);
    expect(await ruling({ place, batch })).toMatch(/is still there/);
    place.service.late[0]?.answer(false);
    await sending;
    expect(await ruling({ place, batch })).toBe('ruled');
  });
});

it('shows no whole account where the service repeats it in the word of a transfer that a person names', async () => {
  const { place, batch } = await inDoubt();
  place.clock.advance(60 * MINUTE);
  expect(await ruling({ place, batch })).toBe('ruled');
  const row = await place.row(batch, 3);
  const account = row.instruction?.account.reveal() ?? '';
  const answer = {
    id: asTransferId('tr-9'),
    status: `Held for ${account} ${'x'.repeat(500)}`,
  } as Transaction;
  place.service.transaction = async () => ({ kind: 'answered', answer });
  const paid = { kind: 'paid', by: 'ben', transferId: 'tr-9', evidence: 'seen' } as const;
  const ruled = await resolveDoubt(row, paid, place.world);
  const reason = ruled.kind === 'incident' ? ruled.reason : ruled.kind;
  expect(reason).toContain('the service has transfer tr-9 as “Held for ••••');
  expect(reason).not.toContain(account);
  expect(reason.length).toBeLessThan(250);
});
