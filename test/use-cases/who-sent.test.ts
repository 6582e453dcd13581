/** The journal keeps who began each sending, and who found one that had broken off. */
import { expect, it } from 'vitest';
import { decisionsOf } from '../../src/domain/batches/decisions.ts';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { recoverBatch } from '../../src/use-cases/send/recover-batch.ts';
import { someRows } from '../builders/payout-file.ts';
import { aWorkplace, HOLDER, type Workplace } from '../builders/workplace.ts';

const OLA = { ...HOLDER, user: 'ola', command: 'payfile console' };

const sendings = async (place: Workplace, batch: BatchId) =>
  decisionsOf((await place.ledger.decisions(batch, 100)).entries)
    .filter(({ kind }) => kind.startsWith('sending_'))
    .map(({ what, rows, by, why }) => [what, rows, by, why]);

it('keeps who began a sending before its first payment leaves, once for all its rows', async () => {
  const place = await aWorkplace();
  const batch = await place.approved(someRows(3));
  const known: unknown[] = [];
  place.service.beforeSend = async () => void known.push(...(await sendings(place, batch)).flat());
  await place.send(batch, { holder: OLA });
  expect(known.slice(0, 4)).toEqual(['Sending begun', [], 'ola', '3 payments, with payfile console']);
  expect(await sendings(place, batch)).toEqual([
    ['Sending begun', [], 'ola', '3 payments, with payfile console'],
  ]);
});

it('keeps each sending of a batch, and nothing where nothing is sent', async () => {
  const place = await aWorkplace({ policy: { concurrency: 1 } });
  const batch = await place.approved(someRows(3));
  const stop = new AbortController();
  place.service.beforeSend = async () => stop.abort();
  await place.send(batch, { holder: OLA, signal: stop.signal });
  await place.ledger.pause(batch, { reason: 'lunch', by: 'ben', at: place.clock.now() });
  await place.send(batch, { holder: HOLDER });
  await place.ledger.resume(batch, 'ben', place.clock.now());
  await place.run(batch, { holder: { ...HOLDER, user: 'ben', command: 'payfile run' } });
  await place.send(batch, { holder: HOLDER });
  expect((await sendings(place, batch)).map(([, , by, why]) => [by, why])).toEqual([
    ['ola', '3 payments, with payfile console'],
    ['ben', '2 payments, with payfile run'],
  ]);
});

it('keeps who found a sending that had broken off, and how many payments are in doubt by it', async () => {
  const place = await aWorkplace({ policy: { concurrency: 1 } });
  const batch = await place.approved(someRows(2));
  place.service.script = () => 'hang';
  const sending = place.send(batch, { holder: OLA });
  while (place.service.hanging.length === 0) await new Promise(setImmediate);

  await recoverBatch(batch, { ...HOLDER, user: 'ben', command: 'payfile settle' }, place.world);
  place.service.script = () => 'accept';
  place.service.hanging[0]?.answer('accept');
  await sending;
  expect(await sendings(place, batch)).toMatchObject([
    ['Sending begun', [], 'ola', '2 payments, with payfile console'],
    [
      'Broken-off sending found',
      [],
      'ben',
      'an earlier sending broke off: 1 payment in doubt; found with payfile settle',
    ],
  ]);
});
