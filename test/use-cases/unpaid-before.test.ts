/** Rows to an account to which the last payment failed or came back: the plan says so, and nothing is held for it. */
import { expect, it } from 'vitest';
import { planOf, planToSee } from '../../src/use-cases/approve/plan-of-batch.ts';
import { decideRows } from '../../src/use-cases/decide/decide-rows.ts';
import { aRow, someRows } from '../builders/payout-file.ts';
import { aWorkplace } from '../builders/workplace.ts';

it('says which rows go to an account that was not paid the last time, until it is paid', async () => {
  const place = await aWorkplace({ policy: { concurrency: 1 } });
  place.service.turns.push('accept', { refuse: 'account closed' });
  const may = await place.place(someRows(3), 'may');
  await place.run(may.batch.id);
  expect(await place.stand(may.batch.id)).toMatchObject({ failed: 1 });
  const seen = async (name: string) => {
    const rows = [1, 2, 3].map((n) => aRow(n, { reference: `${name}-${n}`, amount: '77' }));
    const { batch } = await place.place(rows, name, `${name}.csv`);
    await place.price(batch.id);
    return { ...(await planToSee(await planOf(batch.id, place.world), batch, place.world)) };
  };
  const june = await seen('june');
  expect(june.unpaidBefore).toEqual([
    expect.stringMatching(
      /^row 3: the last payment to this account failed on \d{4}-\d\d-\d\d \(.*account closed.*\)$/,
    ),
  ]);
  expect(june.plan.counts).toMatchObject({ quoted: 3 });
  place.clock.advance(1_000);
  await place.run(june.batch.id);
  expect((await seen('july')).unpaidBefore).toEqual([]);
});

/** April: row 2 is paid, row 3 is refused and planned again, and waits for approval. */
async function aprilWaits() {
  const place = await aWorkplace({ policy: { concurrency: 1 } });
  place.service.turns.push('accept', { refuse: 'account closed' });
  const april = await place.place(someRows(2), 'payroll-04');
  await place.run(april.batch.id);
  place.clock.advance(30 * 86_400_000);
  const again = { kind: 'reissue', by: 'ben', evidence: undefined } as const;
  const choice = { kind: 'rows', rows: ['3'] } as const;
  await decideRows(await place.batch(april.batch.id), choice, again, place.world);
  await place.price(april.batch.id);
  expect(await place.stand(april.batch.id)).toEqual({ settled: 1, quoted: 1 });
  return place;
}

it('says of a person whose last payment waits that two go to one account, and not that the person is new', async () => {
  const place = await aprilWaits();
  const rows = [1, 2, 3].map((n) => aRow(n, { reference: `may-${n}`, amount: '77' }));
  const { batch } = await place.place(rows, 'payroll-05');
  await place.price(batch.id);
  const { unpaidBefore, changes } = await planToSee(await planOf(batch.id, place.world), batch, place.world);
  expect(unpaidBefore).toEqual([
    'row 3: row 3 of payroll-04 to the same account (GHS 1,200.00) is not paid yet and waits for approval',
  ]);
  expect(changes?.difference?.added).toMatchObject({ count: 1, list: [{ row: 4 }] });
});

it('says that the last payment to an account is in doubt', async () => {
  const place = await aWorkplace({ environment: 'live', policy: { concurrency: 1 } });
  const april = await place.approved(someRows(1), 'payroll-04');
  place.service.turns.push('lose_before');
  await place.send(april);
  place.clock.advance(30 * 86_400_000);
  const { batch } = await place.place([aRow(1, { reference: 'may-1', amount: '77' })], 'payroll-05');
  await place.price(batch.id);
  const { unpaidBefore } = await planToSee(await planOf(batch.id, place.world), batch, place.world);
  expect(unpaidBefore).toEqual([
    'row 2: row 2 of payroll-04 to the same account (GHS 1,200.00) is in doubt: it may have been paid',
  ]);
});

it('says in one sentence that another batch, approved or not, also pays these people', async () => {
  const place = await aWorkplace({ policy: { concurrency: 1 } });
  const planned = async (name: string, count: number) => {
    const { batch } = await place.place(
      Array.from({ length: count }, (_, n) => aRow(n + 1, { reference: `${name}-${n}` })),
      name,
      `${name}.csv`,
    );
    await place.price(batch.id);
    return (await planToSee(await planOf(batch.id, place.world), batch, place.world)).unpaidBefore;
  };
  expect(await planned('november', 8)).toEqual([]);
  expect(await planned('november corrected', 7)).toEqual([
    '7 rows: batch november pays the same accounts, and has not paid them yet',
  ]);
});
