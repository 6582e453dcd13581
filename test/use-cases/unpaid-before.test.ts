/** Rows to an account to which the last payment failed or came back: the plan says so, and nothing is held for it. */
import { expect, it } from 'vitest';
import { planOf, planToSee } from '../../src/use-cases/approve/plan-of-batch.ts';
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
