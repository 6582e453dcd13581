/** Pricing and the whole run: what is asked, what is agreed, and when nothing more happens. */
import { describe, expect, it } from 'vitest';
import { advance } from '../../src/domain/payouts/payout-machine.ts';
import { DEFAULT_POLICY } from '../../src/domain/policy.ts';
import { plusMs } from '../../src/domain/timestamp.ts';
import { eachDuePayout } from '../../src/use-cases/each-due-payout.ts';
import { withLease } from '../../src/use-cases/ports.ts';
import { sendApproved } from '../../src/use-cases/send/send-approved.ts';
import { aRow, someRows } from '../builders/payout-file.ts';
import { money } from '../builders/payouts.ts';
import { aWorkplace } from '../builders/workplace.ts';

describe('pricing', () => {
  it('asks once for one account and one amount, however many rows there are', async () => {
    const place = await aWorkplace();
    const rows = Array.from({ length: 10 }, (_, at) => aRow(at, { account: '0244123001' }));
    await place.approved(rows, 'may');
    expect(place.service.calls).toEqual(['name 0244123001', 'estimate']);
  });

  it('leaves rows planned when no quote can be had, gives up after a few, and goes on in the next run', async () => {
    const place = await aWorkplace();
    const rows = Array.from({ length: 60 }, (_, at) => aRow(at, { amount: `${at + 1001}.00` }));
    const { batch } = await place.place(rows, 'may');
    const { estimateAnswer } = place.service;
    place.service.estimateAnswer = { kind: 'unavailable', reason: '503' };
    expect(await place.price(batch.id)).toEqual({ unpriced: 60, reason: '503' });
    expect(place.service.calls.filter((call) => call === 'estimate').length).toBeLessThan(30);
    place.service.estimateAnswer = estimateAnswer;
    expect(await place.price(batch.id)).toEqual({ unpriced: 0, reason: undefined });
    expect(await place.stand(batch.id)).toEqual({ quoted: 60 });
  });

  it('leaves rows planned when no name can be had, gives up after a few, and goes on in the next run', async () => {
    const place = await aWorkplace();
    const { batch } = await place.place(someRows(60), 'may');
    place.service.nameAnswer = { kind: 'unavailable', reason: 'timeout' };
    const priced = await place.price(batch.id);
    expect(priced.unpriced).toBe(60);
    expect(priced.reason).toMatch(/^no account name can be had: timeout/);
    expect(place.service.calls.filter((call) => call.startsWith('name ')).length).toBeLessThan(30);
    place.service.nameAnswer = undefined;
    expect(await place.price(batch.id)).toEqual({ unpriced: 0, reason: undefined });
    expect(await place.stand(batch.id)).toEqual({ quoted: 60 });
  });

  it('goes on where single names cannot be had, and decides them as the policy says', async () => {
    const place = await aWorkplace();
    const rows = Array.from({ length: 60 }, (_, at) => aRow(at, { name: 'Ama Mensah' }));
    const { batch } = await place.place(rows, 'may');
    const { accountName } = place.service;
    let asked = 0;
    place.service.accountName = async (question, signal) => {
      asked += 1;
      if (asked % 2 === 0) return { kind: 'unavailable', reason: 'timeout' };
      return accountName(question, signal);
    };
    expect(await place.price(batch.id)).toEqual({ unpriced: 0, reason: undefined });
    expect((await place.stand(batch.id)).planned).toBeUndefined();
    expect(asked).toBe(60);
  });

  it('does not stop for names where they do not matter, nor asks for them for ever', async () => {
    const names = { ...DEFAULT_POLICY.names, unavailable: 'ok' as const };
    const place = await aWorkplace({ policy: { names } });
    const rows = Array.from({ length: 60 }, (_, at) => aRow(at, { name: 'Ama Mensah' }));
    const { batch } = await place.place(rows, 'may');
    place.service.nameAnswer = { kind: 'unavailable', reason: 'timeout' };
    expect(await place.price(batch.id)).toEqual({ unpriced: 0, reason: undefined });
    expect(await place.stand(batch.id)).toEqual({ quoted: 60 });
    expect(place.service.calls.filter((call) => call.startsWith('name ')).length).toBeLessThan(30);
  });

  it('asks anew for quotes that grew old, and holds a fee that grew too high', async () => {
    const place = await aWorkplace();
    const { batch } = await place.place(someRows(2), 'may');
    await place.price(batch.id);
    place.clock.advance(31 * 60_000);
    place.service.estimateAnswer = {
      kind: 'answered',
      answer: { rate: '15.5', fee: '60', speedSeconds: 30 },
    };
    await place.price(batch.id);
    expect(await place.stand(batch.id)).toEqual({ held: 2 });
  });

  it('dates a quote from when it was asked for, not from when it was used', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const { batch } = await place.place(someRows(3), 'may');
    const asked = place.clock.now();
    const { accountName } = place.service;
    place.service.accountName = async (question, signal) => {
      place.clock.advance(10 * 60_000);
      return accountName(question, signal);
    };
    await place.price(batch.id);
    const ages = (await place.payouts(batch.id)).map(({ state }) =>
      state.status === 'quoted' ? (state.pricing.quote?.quotedAt ?? 0) - asked : undefined,
    );
    expect(new Set(ages).size).toBe(1);
  });
});

describe('a run', () => {
  it('pays every row and says so; run again it sends nothing', async () => {
    const place = await aWorkplace();
    const { batch } = await place.place(someRows(5), 'may');
    const first = await place.run(batch.id);
    expect(first).toMatchObject({ recovered: 0, notAgreed: undefined, sent: { stop: undefined } });
    expect(await place.stand(batch.id)).toEqual({ settled: 5 });
    await place.run(batch.id);
    expect(place.service.book).toHaveLength(5);
  });

  it('sends nothing at all while one row is invalid, unless it may be left out', async () => {
    const place = await aWorkplace();
    const { batch } = await place.place([...someRows(2), aRow(3, { amount: 'much' })], 'may');
    expect((await place.run(batch.id)).notAgreed).toEqual({ kind: 'invalid_rows', count: 1 });
    expect(place.service.book).toHaveLength(0);
    await place.run(batch.id, { skipInvalid: true });
    expect(await place.stand(batch.id)).toEqual({ settled: 2, invalid: 1 });
  });

  it.each([
    [['GHS 2399.99'], 'over_ceiling', 0],
    [['KES 9999.00'], 'over_ceiling', 0],
    [['GHS 2400.00'], undefined, 2],
  ])('keeps to the ceiling %o: %s, %i sent', async (ceilings, kind, sent) => {
    const place = await aWorkplace();
    const { batch } = await place.place(someRows(2), 'may');
    const run = await place.run(batch.id, { ceilings: ceilings.map(money) });
    expect(run.notAgreed?.kind).toBe(kind);
    expect(place.service.book).toHaveLength(sent);
  });

  it('[B12] counts what was paid in earlier runs towards the ceiling', async () => {
    const place = await aWorkplace();
    const { batch } = await place.place(someRows(2), 'may');
    await place.run(batch.id, { ceilings: [money('GHS 2400.00')] });
    await place.place(someRows(3), 'may');
    const run = await place.run(batch.id, { ceilings: [money('GHS 2400.00')] });
    expect(run.notAgreed).toMatchObject({ kind: 'over_ceiling', total: money('GHS 3600.00') });
    expect(place.service.book).toHaveLength(2);
  });

  it('sends nothing above the ceiling that was approved while the service was being opened', async () => {
    const place = await aWorkplace();
    const batchId = await place.approved(someRows(2), 'may');
    const batch = await place.batch(batchId);
    const open = async () => {
      await place.approved(someRows(3), 'may');
      return place.world;
    };
    const request = {
      holder: { pid: 1, host: 'near', user: 'ama', command: 'send' },
      ceilings: [money('GHS 2400.00')],
      deadlineMs: 1_000,
    };
    const sent = await sendApproved(batch, request, { ...place.world, open });
    expect(sent.overCeiling).toMatchObject({ total: money('GHS 3600.00') });
    expect(place.service.book).toHaveLength(0);
  });

  it('sends what was agreed to before even when the new rows are not agreed to', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(2), 'may');
    await place.place(someRows(3), 'may');
    const run = await place.run(batch, { consent: async () => ({ kind: 'not_agreed', reason: 'not yet' }) });
    expect(run.notAgreed).toEqual({ kind: 'not_agreed', reason: 'not yet' });
    expect(await place.stand(batch)).toEqual({ settled: 2, quoted: 1 });
  });

  it('takes nothing for an agreement but a plain one, whatever a program without types answers', async () => {
    const answers: unknown[] = [
      { kind: 'declined', how: 'library' },
      { agreed: false, how: 'library' },
      { kind: 'agreed' },
      { kind: 'agreed', how: 'me' },
      {},
      true,
      false,
      undefined,
      null,
    ];
    const place = await aWorkplace();
    const { batch } = await place.place(someRows(2), 'may');
    for (const answer of answers)
      await expect(place.run(batch.id, { consent: async () => answer as never })).rejects.toThrow(
        'nothing was approved',
      );
    expect(await place.stand(batch.id)).toEqual({ quoted: 2 });
    expect(place.service.book).toEqual([]);
    expect((await place.ledger.verify()).problems).toEqual([]);
  });

  it('never waits for held rows', async () => {
    const place = await aWorkplace();
    place.service.names.set('0244123002', 'SOMEBODY ELSE');
    const { batch } = await place.place(someRows(3), 'may');
    await place.run(batch.id);
    expect(await place.stand(batch.id)).toEqual({ settled: 2, held: 1 });
  });

  it('does not send what changed while the person was reading the plan', async () => {
    const place = await aWorkplace();
    const { batch } = await place.place(someRows(2), 'may');
    const run = await place.run(batch.id, {
      consent: async () => {
        const before = await place.row(batch.id, 2);
        const event = { kind: 'cancel', by: 'ama', reason: 'left', at: place.clock.now() } as const;
        await place.ledger.record({ before, event, after: advance(before, event) });
        return { kind: 'agreed', how: 'typed_total' };
      },
    });
    expect(run.notAgreed).toMatchObject({ kind: 'approval', result: { kind: 'changed' } });
    expect(place.service.book).toHaveLength(0);
  });

  it('ends with the reason of whoever stopped it before anything was sent', async () => {
    const place = await aWorkplace();
    const { batch } = await place.place(someRows(2), 'may');
    const signal = AbortSignal.abort(new Error('stopped'));
    await place.run(batch.id, { signal }).catch(() => undefined);
    expect(place.service.book).toHaveLength(0);
    expect(Object.keys(await place.stand(batch.id))).not.toContain('sending');
  });

  it('has a batch to itself', async () => {
    const place = await aWorkplace();
    const { batch } = await place.place(someRows(1), 'may');
    const holder = { pid: process.pid, host: 'here', user: 'ama', command: 'run' };
    await withLease(batch.id, holder, place.world, async () => {
      const second = withLease(batch.id, { ...holder, user: 'ben' }, place.world, async () => 'worked');
      await expect(second).rejects.toThrow(/Another process runs this batch: “run” of ama/);
    });
    expect(await withLease(batch.id, holder, place.world, async () => 'worked')).toBe('worked');
  });
});

describe('the walk over what is due', () => {
  it('meets every row once although each changes its state behind the cursor', async () => {
    const place = await aWorkplace();
    const rows = Array.from({ length: 1_003 }, (_, at) =>
      aRow(at, { account: `024412${String(at).padStart(4, '0')}` }),
    );
    const { batch } = await place.place(rows, 'may');
    const met: number[] = [];
    const walk = { batchId: batch.id, statuses: ['planned'] as const, concurrency: 7 };
    await eachDuePayout(place.world, walk, async (before) => {
      met.push(before.rowNumber);
      const event = { kind: 'cancel', by: 'ama', reason: 'test', at: place.clock.now() } as const;
      await place.ledger.record({ before, event, after: advance(before, event) });
    });
    expect(met.toSorted((one, other) => one - other)).toEqual(rows.map((_, at) => at + 2));
  });

  it('ends with the first error, after all that was started has ended', async () => {
    const place = await aWorkplace();
    const { batch } = await place.place(someRows(20), 'may');
    let open = 0;
    const walk = { batchId: batch.id, statuses: ['planned'] as const, concurrency: 4 };
    const walked = eachDuePayout(place.world, walk, async ({ rowNumber }) => {
      open += 1;
      await nextTurn();
      open -= 1;
      if (rowNumber === 4) throw new Error('the disk is full');
    });
    await expect(walked).rejects.toThrow('the disk is full');
    expect(open).toBe(0);
  });

  it('goes on to the next row once one is answered, with as many again still to be written down', async () => {
    const place = await aWorkplace();
    const { batch } = await place.place(someRows(30), 'may');
    const walk = { batchId: batch.id, statuses: ['planned'] as const, concurrency: 3 };
    let [asked, open, askedMax, openMax] = [0, 0, 0, 0];
    await eachDuePayout(place.world, walk, async (_payout, answered) => {
      [asked, open] = [asked + 1, open + 1];
      [askedMax, openMax] = [Math.max(askedMax, asked), Math.max(openMax, open)];
      await nextTurn();
      asked -= 1;
      answered();
      for (let turn = 0; turn < 5; turn += 1) await nextTurn();
      open -= 1;
    });
    expect({ askedMax, openMax, open }).toEqual({ askedMax: 3, openMax: 6, open: 0 });
  });

  it('meets on the way what becomes due on the way', async () => {
    const place = await aWorkplace();
    const { batch } = await place.place(someRows(510), 'may');
    const { clock, ledger, world } = place;
    const { payouts } = await ledger.page(batch.id, { statuses: ['planned'], after: undefined, limit: 510 });
    const dueAt = plusMs(clock.now(), 1_000);
    const LOOK = { at: clock.now(), times: 1 };
    await Promise.all(payouts.map(({ id }, at) => ledger.schedule(id, at < 500 ? clock.now() : dueAt, LOOK)));
    const due = { statuses: ['planned'] as const, dueBy: clock.now, concurrency: 1 };
    let met = 0;
    await eachDuePayout(world, { batchId: batch.id, ...due }, async () => {
      met += 1;
      clock.advance(10);
    });
    expect(met).toBe(510);
  });

  it('starts nothing when it was stopped before', async () => {
    const place = await aWorkplace();
    const { batch } = await place.place(someRows(3), 'may');
    let started = 0;
    const walk = {
      batchId: batch.id,
      statuses: ['planned'] as const,
      concurrency: 2,
      signal: AbortSignal.abort(),
    };
    await eachDuePayout(place.world, walk, async () => {
      started += 1;
    });
    expect(started).toBe(0);
  });
});

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
