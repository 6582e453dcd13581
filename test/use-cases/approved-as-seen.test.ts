/** An approval covers exactly the rows that were seen: what moves or joins on the way is not of it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { formatAmount } from '../../src/domain/money/money.ts';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { NO_LIMITS } from '../../src/domain/plan/limits.ts';
import { totalsToType } from '../../src/domain/plan/typed-totals.ts';
import { DEFAULT_POLICY } from '../../src/domain/policy.ts';
import { openLedger } from '../../src/ledger/file.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import { agreeToPlan } from '../../src/use-cases/approve/agree-to-plan.ts';
import { type ApproveOptions, approveBatch } from '../../src/use-cases/approve/approve-batch.ts';
import { planOf } from '../../src/use-cases/approve/plan-of-batch.ts';
import { cancelUnsent } from '../../src/use-cases/decide/release-held.ts';
import { aRow, someRows } from '../builders/payout-file.ts';
import { money } from '../builders/payouts.ts';
import { aWorkplace, HOLDER, type Workplace, workplaceOn } from '../builders/workplace.ts';
import { createScriptedPaymentService } from '../fakes/scripted-payment-service.ts';
import { createVirtualClock } from '../fakes/virtual-clock.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Two processes at one ledger file. */
async function twoProcesses() {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-as-seen-'));
  folders.push(folder);
  const clock = createVirtualClock();
  const service = createScriptedPaymentService(clock);
  const binding = { environment: 'sandbox', baseUrl: 'https://pay.example', loginId: 'shop' } as const;
  const open = async () => {
    const ledger = await openLedger({ path: join(folder, 'ledger.db'), binding, create: true, clock });
    return workplaceOn({ ledger, clock, service, policy: DEFAULT_POLICY });
  };
  return { one: await open(), other: await open() };
}

/** The ledger as it is when something happens right behind one of its calls, the first time. */
function behind(name: keyof Ledger, ledger: Ledger, happens: () => Promise<unknown>): Ledger {
  let isDone = false;
  return new Proxy(ledger, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        const result: unknown = Reflect.apply(value, target, given);
        if (key !== name || isDone) return result;
        isDone = true;
        return Promise.resolve(result).then(async (found) => {
          await happens();
          return found;
        });
      };
    },
  });
}

async function planned(place: Workplace, rows: Parameters<Workplace['place']>[0]) {
  const { batch } = await place.place(rows, 'may');
  await place.price(batch.id);
  return { batch: batch.id, digest: (await planOf(batch.id, place.world)).digest };
}

const agree = (batch: BatchId, place: Workplace, options: Partial<ApproveOptions>, ledger = place.ledger) =>
  approveBatch(
    batch,
    { by: 'ben', how: 'approve_command', digest: undefined, ...options },
    { ...place.world, ledger },
  );

describe('an approval', () => {
  it('does not cover a row that another process brings and prices between its record and its first row', async () => {
    const { one, other } = await twoProcesses();
    const { batch, digest } = await planned(one, [aRow(1, { amount: '200.00' })]);
    const ledger = behind('recordApproval', one.ledger, async () => {
      await other.place([aRow(1, { amount: '200.00' }), aRow(2, { amount: '9000.00' })], 'may');
      await other.price(batch);
    });
    const result = await agree(batch, one, { digest }, ledger);
    expect(result).toMatchObject({ kind: 'approved', count: 1, unseen: { count: 1, rows: [3] } });
    expect((await planOf(batch, one.world)).committed).toEqual([money('GHS 200.00')]);
    await one.send(batch);
    expect(one.service.book).toHaveLength(1);
    await Promise.all([one.ledger.close(), other.ledger.close()]);
  });

  it('does not cover a row whose price was asked again meanwhile', async () => {
    const place = await aWorkplace();
    const { batch, digest } = await planned(place, someRows(2));
    const ledger = behind('recordApproval', place.ledger, async () => {
      place.clock.advance(31 * 60_000);
      await place.price(batch);
    });
    expect(await agree(batch, place, { digest }, ledger)).toMatchObject({
      count: 0,
      unseen: { count: 2, rows: [2, 3] },
    });
    expect(await place.stand(batch)).toEqual({ quoted: 2 });
  });

  it('does not cover a row that moves while the plan is added up', async () => {
    const place = await aWorkplace();
    const { batch } = await planned(place, someRows(1));
    const ledger = behind('lastEntry', place.ledger, async () => {
      await place.place(someRows(2), 'may');
      await place.price(batch);
    });
    expect(await agree(batch, place, {}, ledger)).toMatchObject({ unseen: { count: 1, rows: [3] } });
    expect(await place.stand(batch)).toEqual({ approved: 1, quoted: 1 });
  });

  it('covers a row that was withdrawn meanwhile no more', async () => {
    const place = await aWorkplace();
    const { batch, digest } = await planned(place, someRows(2));
    const ledger = behind('recordApproval', place.ledger, () =>
      cancelUnsent(batch, { kind: 'rows', rows: ['2'] }, { by: 'esi', reason: 'left us' }, place.world),
    );
    expect(await agree(batch, place, { digest }, ledger)).toMatchObject({ kind: 'approved', count: 1 });
    expect(await place.stand(batch)).toEqual({ approved: 1, canceled: 1 });
  });

  it('approves nothing more in a batch that another process took over', async () => {
    const { one, other } = await twoProcesses();
    const { batch, digest } = await planned(one, someRows(2));
    const holder = { pid: 4_194_303, host: hostname(), user: 'ben', command: 'approve' };
    await one.ledger.lease(batch, holder);
    const ledger = behind('recordApproval', one.ledger, () => other.ledger.lease(batch, holder));
    expect(await agree(batch, one, { digest }, ledger)).toMatchObject({ count: 0, unseen: { count: 2 } });
    expect(await one.stand(batch)).toEqual({ quoted: 2 });
    await Promise.all([one.ledger.close(), other.ledger.close()]);
  });
});

it('compares typed totals with the plan that is approved, not with the plan before its new holds', async () => {
  const place = await aWorkplace();
  const { batch, digest } = await planned(place, [aRow(1)]);
  const totals = totalsToType(await planOf(batch, place.world)).map(formatAmount);
  await place.place([aRow(1), aRow(2, { amount: '9000.00' })], 'may');
  await place.price(batch);
  // The new row is over this limit: the approval holds it first, and what is left is the plan of the digest.
  const limits = { ...NO_LIMITS, rowMax: [money('GHS 2000.00')] };
  const strict = workplaceOn({ ...place, policy: { ...place.world.policy, limits } });
  const type = async (typed: readonly string[]) => {
    const request = { holder: HOLDER, how: 'typed_total', digest, totals: typed } as const;
    return (await agreeToPlan(await place.batch(batch), request, strict.world)).result;
  };
  expect(await type(['0.01'])).toEqual({ kind: 'not_agreed' });
  expect(await place.stand(batch)).toEqual({ quoted: 1, held: 1 });
  expect(await type(totals)).toMatchObject({ kind: 'approved', count: 1 });
});

describe('a plan from which rows were withdrawn', () => {
  const without = (place: Workplace, batch: BatchId, ...rows: string[]) =>
    cancelUnsent(batch, { kind: 'rows', rows }, { by: 'esi', reason: 'left us' }, place.world);

  it('is agreed to by its own digest, and not by the digest of the plan with them', async () => {
    const place = await aWorkplace();
    const { batch, digest } = await planned(place, someRows(2));
    await without(place, batch, '3');
    expect((await agree(batch, place, { digest })).kind).toBe('changed');
    expect(await place.stand(batch)).toEqual({ quoted: 1, canceled: 1 });
    const left = (await planOf(batch, place.world)).digest;
    expect(await agree(batch, place, { digest: left })).toMatchObject({ kind: 'approved', count: 1 });
    expect(await place.stand(batch)).toEqual({ approved: 1, canceled: 1 });
  });

  it('has nothing to approve where they were all that there were', async () => {
    const place = await aWorkplace();
    const { batch } = await planned(place, someRows(1));
    await without(place, batch, '2');
    const { digest } = await planOf(batch, place.world);
    expect(await agree(batch, place, { digest })).toEqual({ kind: 'nothing_to_approve' });
    expect(await place.stand(batch)).toEqual({ canceled: 1 });
  });

  it('is within a limit that the plan with them was above', async () => {
    const place = await aWorkplace();
    const { batch } = await planned(place, someRows(3));
    // Each row pays GHS 1,200.00.
    const limits = { ...NO_LIMITS, batchMax: [money('GHS 2400.00')] };
    const strict = workplaceOn({ ...place, policy: { ...place.world.policy, limits } });
    expect((await agree(batch, strict, {})).kind).toBe('over_limit');
    await without(place, batch, '4');
    expect(await agree(batch, strict, {})).toMatchObject({ kind: 'approved', count: 2 });
  });
});
