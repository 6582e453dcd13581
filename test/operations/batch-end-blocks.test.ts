/** The end of a batch: what the batch came to comes first, what could not be asked comes second. */
import { expect, it } from 'vitest';
import { IN_A_PROGRAM } from '../../src/domain/text/message.ts';
import { presentBatchEnd } from '../../src/operations/batch-end-blocks.ts';
import { endBatch } from '../../src/use-cases/report/batch-end.ts';
import { someRows } from '../builders/payout-file.ts';
import { aWorkplace, readingPorts } from '../builders/workplace.ts';

const UNSEEN = '2 of 8 rows could not be asked.';

async function ended() {
  const place = await aWorkplace();
  const id = await place.approved(someRows(1), 'may');
  place.service.statusOf = () => 'Returned';
  await place.send(id);
  await place.settle(id, 3_600_000);
  const batchEnd = await endBatch(await place.batch(id), { codes: [] }, readingPorts(place));
  return {
    ...presentBatchEnd<{ batchEnd: typeof batchEnd }, object>(() => ({ unanswered: UNSEEN })),
    result: { batchEnd },
  };
}

it('the sentence for programs and for a notification begins with what the batch came to', async () => {
  const { json, summarize, result } = await ended();
  const sentence = `1 payment: 1 returned. ${UNSEEN}`;
  expect(json(result, IN_A_PROGRAM)).toMatchObject({ sentence });
  expect(summarize(result, IN_A_PROGRAM)).toMatchObject({ sentence, isOnlyCounts: false });
});

it('the screen shows the batch before what could not be asked, also in a quiet call', async () => {
  const { view, next, result } = await ended();
  const lines = view(result).map((block) => JSON.stringify(block));
  const at = (text: string) => lines.findIndex((line) => line.includes(text));
  expect(at('1 payment: 1 returned')).toBe(0);
  expect(view(result).at(-1)).toMatchObject({ kind: 'line', pieces: [UNSEEN], isAlways: true });
  expect(next(result).next).toMatchObject({ verb: 'report' });
});
