/** Approval: limits that were set beforehand, plans that went stale, and who may agree. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { type Limits, NO_LIMITS } from '../../src/domain/plan/limits.ts';
import { planChangeLines } from '../../src/domain/plan/plan-changes.ts';
import { DEFAULT_POLICY, type Policy } from '../../src/domain/policy.ts';
import { openLedger } from '../../src/ledger/file.ts';
import { approveBatch } from '../../src/use-cases/approve/approve-batch.ts';
import { planOf, rememberPlanSeen } from '../../src/use-cases/approve/plan-of-batch.ts';
import { cancelUnsent, releaseHeld } from '../../src/use-cases/decide/release-held.ts';
import { aRow, someRows } from '../builders/payout-file.ts';
import { money } from '../builders/payouts.ts';
import { aWorkplace, type Workplace, workplaceOn } from '../builders/workplace.ts';
import { createScriptedPaymentService } from '../fakes/scripted-payment-service.ts';
import { createVirtualClock } from '../fakes/virtual-clock.ts';

const DAY = 86_400_000;
const ben = { by: 'ben', reason: 'asked the director' };
const all = { kind: 'all' } as const;
const limited = (limits: Partial<Limits>): Partial<Policy> => ({ limits: { ...NO_LIMITS, ...limits } });
const agree = (batch: BatchId, place: Workplace, digest?: string) =>
  approveBatch(batch, { by: 'ben', how: 'approve_command', digest }, place.world);

/** The same ledger and service under other settings. */
const under = (place: Workplace, policy: Partial<Policy>): Workplace =>
  workplaceOn({ ...place, policy: { ...place.world.policy, ...policy } });

async function planned(place: Workplace, rows: Parameters<Workplace['place']>[0], name: string) {
  const { batch } = await place.place(rows, name);
  await place.price(batch.id);
  return batch.id;
}

describe('a limit for one row', () => {
  const strict = limited({ rowMax: [money('GHS 1200.00')] });

  it('holds what is above it, and goes on when a person lets it go', async () => {
    const place = await aWorkplace({ policy: strict });
    const batch = await place.approved([aRow(1), aRow(2, { amount: '1200.01' })], 'may');
    expect(await place.stand(batch)).toEqual({ approved: 1, held: 1 });
    const { state } = await place.row(batch, 3);
    const text = 'GHS 1,200.01 is over the limit of GHS 1,200.00 for one row';
    expect(state).toMatchObject({ reasons: [{ concern: { kind: 'over_limit' }, text }] });
    await releaseHeld(batch, all, ben, place.world);
    await place.agree(batch);
    expect(await place.stand(batch)).toEqual({ approved: 2 });
  });

  it('holds a row that was priced before the limit was set', async () => {
    const place = await aWorkplace();
    const batch = await planned(place, [aRow(1), aRow(2, { amount: '5000.00' })], 'may');
    const { digest } = await planOf(batch, place.world);
    const later = under(place, strict);
    expect((await agree(batch, later, digest)).kind).toBe('changed');
    expect(await place.stand(batch)).toEqual({ quoted: 1, held: 1 });
  });

  it('says nothing about other currencies', async () => {
    const place = await aWorkplace({ policy: limited({ rowMax: [money('KES 1.00')] }) });
    expect(await place.stand(await place.approved([aRow(1)], 'may'))).toEqual({ approved: 1 });
  });
});

describe('a limit for a batch', () => {
  it('refuses the approval with both numbers, over all runs of the batch', async () => {
    const place = await aWorkplace({ policy: limited({ batchMax: [money('GHS 3600.00')] }) });
    const batch = await place.approved(someRows(2), 'may');
    await place.place(someRows(4), 'may');
    await place.price(batch);
    expect(await agree(batch, place)).toEqual({
      kind: 'over_limit',
      limit: 'batch',
      total: money('GHS 4800.00'),
      max: money('GHS 3600.00'),
    });
    expect(await place.stand(batch)).toEqual({ approved: 2, quoted: 2 });
    await cancelUnsent(batch, { kind: 'rows', rows: ['5'] }, ben, place.world);
    expect(await agree(batch, place)).toMatchObject({ kind: 'approved', count: 1 });
  });

  it('stops a run before anybody is asked', async () => {
    const place = await aWorkplace({ policy: limited({ batchMax: [money('GHS 1.00')] }) });
    const { batch } = await place.place(someRows(1), 'may');
    let asked = 0;
    const consent = async () => {
      asked += 1;
      return { kind: 'agreed', how: 'library' } as const;
    };
    const { notAgreed } = await place.run(batch.id, { consent });
    expect(notAgreed).toMatchObject({ kind: 'approval', result: { kind: 'over_limit', limit: 'batch' } });
    expect([asked, place.service.book.length]).toEqual([0, 0]);
  });
});

describe('a limit for a day', () => {
  const strict = limited({ dayMax: [money('GHS 2400.00')] });
  const other = (number: number) => aRow(number, { note: 'bonus' });

  it('counts all batches: what was sent today and what is approved and not sent yet', async () => {
    const place = await aWorkplace({ policy: { ...strict, accountChanges: 'warn' } });
    const may = await place.approved([aRow(1)], 'may');
    await place.run(may);
    await place.approved([other(2)], 'bonus');
    const third = await planned(place, [other(3)], 'late');
    expect(await agree(third, place)).toMatchObject({
      limit: 'day',
      total: money('GHS 3600.00'),
      max: money('GHS 2400.00'),
    });
    place.clock.advance(DAY);
    // Sent yesterday no longer counts; approved yesterday and not sent still does.
    expect(await agree(third, place)).toMatchObject({ kind: 'approved' });
    const fourth = await planned(place, [other(4)], 'later');
    expect(await agree(fourth, place)).toMatchObject({ kind: 'over_limit', total: money('GHS 3600.00') });
  });

  it('lets one of two approvals pass that two processes make in the same instant', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'payfile-approving-'));
    const clock = createVirtualClock();
    const binding = { environment: 'sandbox', baseUrl: 'https://pay.example', loginId: 'shop' } as const;
    const open = () => openLedger({ path: join(folder, 'ledger.db'), binding, create: true, clock });
    const policy = { ...DEFAULT_POLICY, ...strict, accountChanges: 'warn' as const };
    const [one, two] = [await open(), await open()].map((ledger) =>
      workplaceOn({ ledger, clock, service: createScriptedPaymentService(clock), policy }),
    );
    if (one === undefined || two === undefined) throw new TypeError('two were opened');
    try {
      const may = await planned(one, [aRow(1), aRow(2)], 'may');
      const bonus = await planned(two, [other(3), other(4)], 'bonus');
      const results = await Promise.all([agree(may, one), agree(bonus, two)]);
      expect(results.map(({ kind }) => kind).sort()).toEqual(['approved', 'over_limit']);
      const [first, second] = [await one.stand(may), await one.stand(bonus)];
      expect([first, second]).toContainEqual({ approved: 2 });
      expect([first, second]).toContainEqual({ quoted: 2 });
    } finally {
      await Promise.all([one.ledger.close(), two.ledger.close()]);
      rmSync(folder, { recursive: true });
    }
  });

  it('is waited for five minutes when another approval does not end, and nothing is approved', async () => {
    const place = await aWorkplace({ policy: strict });
    const batch = await planned(place, [aRow(1)], 'may');
    const turn = await place.ledger.approvalTurn('esi');
    await expect(agree(batch, place)).rejects.toMatchObject({ code: 'ledger_busy' });
    expect(await place.stand(batch)).toEqual({ quoted: 1 });
    if (turn.kind === 'leased') await turn.release();
    expect((await agree(batch, place)).kind).toBe('approved');
  });

  it('does not count what was not paid', async () => {
    const place = await aWorkplace({ policy: { ...strict, concurrency: 1, accountChanges: 'warn' } });
    place.service.turns.push({ refuse: 'closed' }, { refuse: 'closed' });
    const may = await place.approved(someRows(2), 'may');
    await place.send(may);
    const bonus = await planned(place, [other(3), other(4)], 'bonus');
    expect(await agree(bonus, place)).toMatchObject({ kind: 'approved', count: 2 });
  });
});

describe('a plan that went stale', () => {
  async function seen(place: Workplace, rows: Parameters<Workplace['place']>[0]) {
    const batch = await planned(place, rows, 'may');
    const plan = await planOf(batch, place.world);
    await rememberPlanSeen(batch, plan, place.world);
    return { batch, digest: plan.digest };
  }

  async function linesOf(batch: BatchId, digest: string, place: Workplace) {
    const result = await agree(batch, place, digest);
    if (result.kind !== 'changed' || result.changes === undefined) throw new TypeError(result.kind);
    return planChangeLines(result.changes).map(({ row, kind, text }) => `${row} ${kind}: ${text}`);
  }

  /** What would be sent for a row of someRows. */
  const orderOf = (row: number, { amount = '1,200.00', account = `••••300${row}` } = {}) =>
    `GHS ${amount}, account ${account} at MTN Mobile Money, name Ama Mensah, reference GH-00${row}, note May salary`;

  it('says of each row what changed since the person saw it', async () => {
    const place = await aWorkplace();
    const { batch, digest } = await seen(place, someRows(5));
    const account = '0244777666';
    await place.place(
      [aRow(1), aRow(2, { amount: '1250.00' }), aRow(3, { account }), aRow(5), aRow(6)],
      'may',
    );
    await place.price(batch);
    expect(await linesOf(batch, digest, place)).toEqual([
      `3 added: waits for approval now: ${orderOf(2, { amount: '1,250.00' })}`,
      `3 removed: was withdrawn by ama (left out of revision 2): ${orderOf(2)}`,
      `4 added: waits for approval now: ${orderOf(3, { account: '••••7666' })}`,
      `4 removed: was withdrawn by ama (left out of revision 2): ${orderOf(3)}`,
      `5 removed: was withdrawn by ama (left out of revision 2): ${orderOf(4)}`,
      `6 added: waits for approval now: ${orderOf(6)}`,
    ]);
  });

  it('says which row was withdrawn, held, released or given another name', async () => {
    const place = await aWorkplace();
    place.service.names.set('0244123003', 'YAW ANNAN');
    const { batch, digest } = await seen(place, [...someRows(3), aRow(4, { amount: '100.00' })]);
    await cancelUnsent(batch, { kind: 'rows', rows: ['2'] }, { by: 'esi', reason: 'left us' }, place.world);
    await releaseHeld(batch, all, ben, place.world);
    const strict = under(place, limited({ rowMax: [money('GHS 100.00')] }));
    await strict.price(batch);
    expect(await linesOf(batch, digest, place)).toEqual([
      `2 removed: was withdrawn by esi (left us): ${orderOf(1)}`,
      `3 removed: is held now (GHS 1,200.00 is over the limit of GHS 100.00 for one row): ${orderOf(2)}`,
    ]);
    await releaseHeld(batch, all, { ...ben, kinds: ['over_limit'] }, place.world);
    await place.price(batch);
    expect(await linesOf(batch, digest, place)).toEqual([
      `2 removed: was withdrawn by esi (left us): ${orderOf(1)}`,
      `4 added: waits for approval now: ${orderOf(3)}`,
    ]);
  });

  it('shows another holder and another cost, once the name and the quote have grown old', async () => {
    const place = await aWorkplace();
    const { batch, digest } = await seen(place, [aRow(1, { name: '' })]);
    place.clock.advance(DAY + 1);
    place.service.names.set('0244123001', 'YAW ANNAN');
    place.service.estimateAnswer = {
      kind: 'answered',
      answer: { rate: '15.0', fee: '1.02', speedSeconds: 30 },
    };
    await place.price(batch);
    expect(await linesOf(batch, digest, place)).toEqual([
      '2 changed: cost GBP 78.44 → GBP 81.02, rate 15.5 → 15.0, name “AMA MENSAH” → “YAW ANNAN”, account holder “AMA MENSAH” → “YAW ANNAN”',
    ]);
  });

  it('is not explained when nobody was ever shown a plan with that digest', async () => {
    const place = await aWorkplace();
    const { batch } = await seen(place, someRows(1));
    expect(await agree(batch, place, 'f'.repeat(16))).toMatchObject({ kind: 'changed', changes: undefined });
  });
});
