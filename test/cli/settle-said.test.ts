/** What `settle` says at its end: what the batch came to comes first, what could not be asked comes second. */
import { expect, it } from 'vitest';
import type { Call } from '../../src/cli/call.ts';
import { showEnded } from '../../src/cli/show/batch.ts';
import { endBatch } from '../../src/use-cases/report/batch-end.ts';
import { someRows } from '../builders/payout-file.ts';
import { aWorkplace, lookingPorts } from '../builders/workplace.ts';

const UNSEEN = '2 of 8 rows could not be asked.';

async function shown() {
  const place = await aWorkplace();
  const id = await place.approved(someRows(1), 'may');
  place.service.statusOf = () => 'Returned';
  await place.send(id);
  await place.settle(id, 3_600_000);
  const end = await endBatch(await place.batch(id), { codes: [] }, lookingPorts(place));
  const said: string[] = [];
  const told: Record<string, unknown>[] = [];
  const say = (text: string) => void said.push(text);
  const terminal = {
    ...{ isQuiet: true, columns: 120, tableColumns: 120, paint: (text: string) => text },
    ...{ print: say, result: say, talk: say },
    answer: (document: object, summary: object) => void told.push({ ...document }, { ...summary }),
  };
  const call = { command: 'settle', flags: {}, terminal, context: { env: {} } } as unknown as Call;
  const opened = { progress: { clear: () => undefined } } as never;
  showEnded(end, { unseen: UNSEEN }, { opened, call });
  return { said, told };
}

it('the sentence for programs and for a notification begins with what the batch came to', async () => {
  const { told } = await shown();
  const sentence = `1 payment: 1 returned. ${UNSEEN}`;
  expect(told).toMatchObject([{ sentence }, { sentence, isOnlyCounts: false }]);
});

it('the screen shows the batch before what could not be asked, and that before the next command', async () => {
  const { said } = await shown();
  const at = (text: string) => said.findIndex((line) => line.includes(text));
  expect(at('1 payment: 1 returned')).toBeGreaterThanOrEqual(0);
  expect(at(UNSEEN)).toBeGreaterThan(at('1 payment: 1 returned'));
  expect(at('Next:')).toBeGreaterThan(at(UNSEEN));
});
