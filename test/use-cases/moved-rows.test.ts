/** A newer file gives a payment another number: a decision by the number of before is about another payment. */
import { expect, it } from 'vitest';
import { commandText, type NextSteps } from '../../src/domain/next-steps/command.ts';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import type { Payout } from '../../src/domain/payouts/payout.ts';
import { decideRows, type RowDecision } from '../../src/use-cases/decide/decide-rows.ts';
import { ruleOnDoubt } from '../../src/use-cases/decide/rule-on-doubt.ts';
import { aRow } from '../builders/payout-file.ts';
import { aWorkplace, HOLDER, type Workplace } from '../builders/workplace.ts';

const DAY = 24 * 3_600_000;
const [first, second, front] = [1, 2, 3].map((n) => aRow(n));

/** Rows 2 and 3 are approved, or in doubt. A newer file then puts a row in front: their numbers are 3 and 4. */
async function movedDown({ isSent }: { readonly isSent: boolean }) {
  const place = await aWorkplace({ environment: 'live', policy: { concurrency: 1 } });
  if (first === undefined || second === undefined || front === undefined) throw new RangeError('Three rows');
  const id = await place.approved([first, second], 'may');
  const before = await place.payouts(id);
  place.service.turns.push('lose_after', 'lose_before');
  for (let row = 0; isSent && row < 2; row += 1) {
    await place.send(id).catch(() => undefined);
    await place.ledger.resume(id, 'ben', place.clock.now());
  }
  place.clock.advance(2 * DAY);
  const placed = await place.place([front, first, second], 'may', 'may-2.csv');
  expect(placed.kind).toBe('revision');
  const [paid] = before;
  if (paid === undefined) throw new RangeError('Two rows');
  return { place, id, paid: (await place.ledger.payout(paid.id)) ?? paid };
}

const tagOf = ({ state }: Payout) => ('tag' in state ? state.tag : '');
const shown = ({ next, andThen }: NextSteps) => [next, andThen].map((each) => each && commandText(each, {}));

async function ruleNotPaid(place: Workplace, id: BatchId, row: string) {
  const request = { kind: 'not_paid', by: 'ben', evidence: 'The service wrote: R-2 was not paid' } as const;
  const ruling = { batch: await place.batch(id), row, request };
  const ruled = await ruleOnDoubt(
    ruling,
    { isSure: true, holder: HOLDER },
    async () => place.world,
    place.world,
  );
  if (ruled.kind === 'unconfirmed') throw new TypeError('It was sure');
  return ruled;
}

async function decide(place: Workplace, id: BatchId, rows: readonly string[], decision: RowDecision) {
  return decideRows(await place.batch(id), { kind: 'rows', rows }, { ...decision, by: 'ben' }, place.world);
}

it('rules on no payment by a number that another one had when its outcome was lost', async () => {
  const { place, id, paid } = await movedDown({ isSent: true });
  expect([paid.rowNumber, paid.state.status]).toEqual([3, 'in_doubt']);
  const tag = tagOf(paid);
  const refused = await ruleNotPaid(place, id, '3');
  expect(refused).toMatchObject({ kind: 'refused', exitCode: 10, status: 'in_doubt' });
  expect(refused.kind === 'refused' && refused.reason).toBe(
    `Row 3: it was row 2 before a newer file moved it. If you mean this payment, give its tag: ${tag}.`,
  );
  expect(shown(refused.steps)).toEqual([
    `payfile explain may ${tag}`,
    `payfile resolve may ${tag} --not-paid --evidence TEXT`,
  ]);
  expect(await place.stand(id)).toEqual({ in_doubt: 2, planned: 1 });
  const byReference = await ruleNotPaid(place, id, paid.instruction?.reference ?? '');
  expect(byReference.kind).toBe('refused');
});

it('rules on the payment that its tag names, and takes its number again for what follows', async () => {
  const { place, id, paid } = await movedDown({ isSent: true });
  const ruled = await ruleNotPaid(place, id, tagOf(paid).toLowerCase());
  expect(ruled).toMatchObject({ kind: 'ruled', rowNumber: 3, status: 'failed' });
  expect(shown(ruled.steps)).toEqual(['payfile reissue may 3', undefined]);
  const again = await decide(place, id, ['3'], { kind: 'reissue', evidence: undefined });
  expect(again).toMatchObject({ done: [3], refused: [] });
});

it('pays no other row again by the number that a failed one had', async () => {
  const { place, id, paid } = await movedDown({ isSent: true });
  const tag = tagOf(paid);
  expect((await ruleNotPaid(place, id, tag)).kind).toBe('ruled');
  if (first === undefined || second === undefined || front === undefined) throw new RangeError('Three rows');
  await place.place([second, front, first], 'may', 'may-3.csv');
  const refused = await decide(place, id, ['4'], { kind: 'reissue', evidence: undefined });
  expect(refused).toMatchObject({ done: [], refused: [{ rowNumber: 4, tag }], exitCode: 64 });
  expect(refused.refused[0]?.status).toContain('it was row 3 before a newer file moved it');
  expect(shown(refused)).toEqual([`payfile explain may ${tag}`, `payfile reissue may ${tag}`]);
  const done = await decide(place, id, [tag], { kind: 'reissue', evidence: undefined });
  expect(done.done).toEqual([4]);
});

it('withdraws no other approved row by the number of before, and any row that was never approved', async () => {
  const { place, id, paid } = await movedDown({ isSent: false });
  const tag = tagOf(paid);
  const cancel = { kind: 'cancel', reason: 'left the company' } as const;
  const canceled = await decide(place, id, ['2', '3'], cancel);
  expect(canceled).toMatchObject({ done: [2], refused: [{ rowNumber: 3, tag }], exitCode: 64 });
  expect(shown(canceled)).toEqual([`payfile explain may ${tag}`, `payfile cancel may ${tag} --reason TEXT`]);
  expect(await decide(place, id, [tag], cancel)).toMatchObject({ done: [3], refused: [], exitCode: 0 });
});

it('takes the number that a payment has again', async () => {
  const { place, id } = await movedDown({ isSent: false });
  if (first === undefined || second === undefined) throw new RangeError('Three rows');
  await place.place([first, second], 'may', 'may-3.csv');
  const canceled = await decide(place, id, ['2'], { kind: 'cancel', reason: 'left the company' });
  expect(canceled).toMatchObject({ done: [2], refused: [] });
});
