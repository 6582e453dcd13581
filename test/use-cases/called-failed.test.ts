/** Transfers that the service called failed once are named to a person while that is not confirmed. */
import { expect, it } from 'vitest';
import { endBatch } from '../../src/use-cases/report/batch-end.ts';
import { summaryOf } from '../../src/use-cases/report/batch-view.ts';
import { someRows } from '../builders/payout-file.ts';
import { aWorkplace, readingPorts } from '../builders/workplace.ts';
import type { Script } from '../fakes/scripted-payment-service.ts';

const MINUTE = 60_000;

async function calledFailed(scripts: readonly Script[]) {
  const place = await aWorkplace({ policy: { concurrency: 1, outageWaitMs: 0 } });
  const id = await place.approved(someRows(scripts.length), 'may');
  place.service.turns.push(...scripts);
  place.service.statusOf = () => 'Failed';
  await place.send(id);
  await place.settle(id, 5 * MINUTE);
  const batch = await place.batch(id);
  return { place, id, batch };
}

it('the first twenty before rows that failed, and the others counted', async () => {
  const refused = { refuse: 'closed account' };
  const { place, batch } = await calledFailed([refused, ...Array<Script>(25).fill('accept')]);
  const { attention, attentionLeft, outcome } = await summaryOf(batch, readingPorts(place));
  expect(attention.map(({ row }) => row)).toEqual(Array.from({ length: 20 }, (_, at) => at + 3));
  expect(attention[0]).toMatchObject({ status: 'accepted', suspected: true });
  expect(attention[0]).not.toHaveProperty('differs');
  expect(attentionLeft).toBe(6);
  expect(outcome.exitCode).toBe(4);
});

it('behind a row in doubt, which is the one to explain', async () => {
  const { place, batch } = await calledFailed(['accept', 'lose_before']);
  const end = await endBatch(batch, { codes: [] }, readingPorts(place));
  expect(end.attention.map(({ row, status }) => `${row} ${status}`)).toEqual(['3 in_doubt', '2 accepted']);
  expect(end).toMatchObject({ exitCode: 5, steps: { next: { verb: 'explain', words: ['may', 3] } } });
});

it('no more once the service says another word, or the failure is confirmed', async () => {
  const { place, id, batch } = await calledFailed(['accept', 'accept']);
  place.service.statusOf = (transferId) => (transferId === 'tr-1' ? 'Processing' : 'Failed');
  await place.settle(id, 20 * MINUTE);
  const { attention } = await summaryOf(batch, readingPorts(place));
  expect(attention).toMatchObject([{ row: 3, status: 'failed' }]);
  expect(attention[0]).not.toHaveProperty('suspected');
});
