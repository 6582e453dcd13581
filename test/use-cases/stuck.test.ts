/** Payments on their way that do not get on: a person is told what the service said, how often it was asked, and whom to ask. */
import { expect, it } from 'vitest';
import { shownSteps, shownText } from '../../src/domain/next-steps/command.ts';
import { asTransferId } from '../../src/domain/payouts/instruction.ts';
import { reasonOf } from '../../src/domain/reporting/reason.ts';
import type { Asked, Transaction } from '../../src/ports/payment-service.ts';
import { endBatch } from '../../src/use-cases/report/batch-end.ts';
import { stateOf, summaryOf } from '../../src/use-cases/report/batch-view.ts';
import { lookAt } from '../../src/use-cases/report/look-at-batch.ts';
import { overviewOf } from '../../src/use-cases/report/overview.ts';
import { someRows } from '../builders/payout-file.ts';
import { aWorkplace, readingPorts, type Workplace } from '../builders/workplace.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOT_FOUND = { kind: 'declined', code: '404', message: 'Transaction not found' } as const;

async function sent(rows = 1, policy = {}) {
  const place = await aWorkplace({ policy });
  const id = await place.approved(someRows(rows), 'may');
  await place.send(id);
  const batch = await place.batch(id);
  const daily = async (days: number) => {
    for (let day = 0; day < days; day += 1) {
      await place.settle(id, 5 * MINUTE);
      place.clock.advance(DAY);
    }
    await place.settle(id, 5 * MINUTE);
  };
  return { place, id, batch, daily, end: () => endBatch(batch, { codes: [] }, readingPorts(place)) };
}

function answering(place: Workplace, asked: Asked<Transaction>): void {
  place.service.transaction = async () => asked;
}

it('status says when rows on their way were last asked about, and which never were, after 30 days of nothing', async () => {
  const { place, id, batch } = await sent(2);
  answering(place, { kind: 'unavailable', reason: 'never asked here' });
  place.clock.advance(30 * DAY);
  const state = async () => (await stateOf(batch, readingPorts(place))).onItsWay;
  const sentAt = (await place.row(id, 2)).state;
  const firstSentAt = 'sentAt' in sentAt ? sentAt.sentAt : undefined;
  expect(await state()).toEqual({ rows: 2, neverAsked: 2, firstSentAt, lastAskedAt: undefined });
  const reason = async () => reasonOf(await place.row(id, 2), []);
  expect(await reason()).toBe(
    'The service has it. It was sent at 2026-05-25 06:00 UTC. payfile has not asked for its status yet.',
  );
  const answer = { id: asTransferId('tr-1'), status: 'Processing' } as Transaction;
  answering(place, { kind: 'answered', answer });
  await place.settle(id, 0);
  const lastAskedAt = (await place.row(id, 2)).look?.at;
  expect(lastAskedAt).toBeDefined();
  place.clock.advance(30 * DAY);
  expect(await state()).toEqual({ rows: 2, neverAsked: 0, firstSentAt, lastAskedAt });
  expect(await reason()).toContain('payfile asked once, at 2026-06-24 06:00 UTC.');
});

it('one that the service has not found for a day ends with 5, and the first to explain is that row', async () => {
  const { place, batch, daily, end } = await sent();
  answering(place, NOT_FOUND);
  await daily(30);
  const ended = await end();
  expect(ended).toMatchObject({
    exitCode: 5,
    outcome: {
      word: 'incident',
      sentence: '1 payment: 1 on its way; INCIDENT: the service has not found 1 payment for a day',
    },
    attention: [{ row: 2, status: 'accepted', stuck: 'missing' }],
    attentionLeft: 0,
    steps: { next: { verb: 'explain', words: ['may', 2] } },
  });
  const [first] = ended.attention;
  expect(first?.reason).toMatch(
    /^The service has it and has shown no status yet\. The last look showed no status: the service says “Transaction not found” \(code 404\)\. The service has not shown the transfer since 2026-05-25 06:00 UTC\. payfile asked \d+ times, last at 2026-06-24 \d\d:\d\d UTC\.$/,
  );
  expect(shownText(shownSteps(first?.steps ?? [], {}))).toContain(
    'Ask the service what became of transfer tr-1',
  );
  const ports = readingPorts(place);
  expect(
    await lookAt(batch, { user: 'ama', people: { roster: new Map(), user: 'ama' } }, ports),
  ).toMatchObject({
    outcome: { exitCode: 5, word: 'incident' },
    attention: [{ row: 2, stuck: 'missing' }],
  });
  expect((await overviewOf(ports)).batches).toMatchObject([{ outcome: { exitCode: 5 } }]);
});

it('one that was not found for some hours is on its way as before', async () => {
  const { place, id, end } = await sent();
  answering(place, NOT_FOUND);
  await place.settle(id, 5 * MINUTE);
  place.clock.advance(DAY - 10 * MINUTE);
  await place.settle(id, MINUTE);
  expect(await end()).toMatchObject({ exitCode: 4, attention: [] });
});

it('one that was shown meanwhile is missing from the look on that did not find it', async () => {
  const { place, daily, end } = await sent();
  place.service.statusOf = () => 'Processing';
  const { transaction } = place.service;
  await daily(3);
  answering(place, NOT_FOUND);
  place.clock.advance(MINUTE);
  await daily(0);
  expect(await end()).toMatchObject({ exitCode: 4, attention: [{ stuck: 'late' }] });
  await daily(1);
  expect(await end()).toMatchObject({ exitCode: 5, attention: [{ stuck: 'missing' }] });
  place.service.transaction = transaction;
  place.clock.advance(MINUTE);
  place.service.statusOf = () => 'Finished';
  await daily(0);
  expect(await end()).toMatchObject({ exitCode: 0, attention: [] });
});

it.each(['HTTP 500', 'unreadable answer (HTTP 200)', 'timeout'])(
  'one for which “%s” comes instead of an answer is to be looked at after a day, and was asked',
  async (reason) => {
    const { place, daily, end } = await sent();
    answering(place, { kind: 'unavailable', reason });
    await daily(0);
    expect(await end()).toMatchObject({ exitCode: 4, attention: [] });
    place.clock.advance(DAY);
    await daily(2);
    const ended = await end();
    expect(ended).toMatchObject({ exitCode: 4, attention: [{ row: 2, status: 'accepted', stuck: 'late' }] });
    const text = ended.attention[0]?.reason ?? '';
    expect(text).toContain(`The last look showed no status: ${reason}.`);
    expect(text).not.toContain('was not asked');
  },
);

it('one whose promised time has passed three times over is late, and not before', async () => {
  const { place, daily, end } = await sent(1);
  place.service.statusOf = () => 'Processing';
  await daily(0);
  place.clock.advance(DAY - 11 * MINUTE);
  await daily(0);
  expect(await end()).toMatchObject({ exitCode: 4, attention: [] });
  place.clock.advance(MINUTE);
  await daily(0);
  expect((await end()).attention[0]?.reason).toMatch(
    /^The service has it: the service says “Processing”\. It takes too long: it was sent at 2026-05-25 06:00 UTC\. payfile asked \d+ times, last at 2026-05-26 \d\d:\d\d UTC\.$/,
  );
});

it.each(['Expired', 'Charged back', 'On hold'])(
  'one that the service calls “%s” is to be looked at at once, with the settings that give a word its meaning',
  async (word) => {
    const { place, id, batch, end } = await sent();
    place.service.statusOf = () => word;
    await place.settle(id, 5 * MINUTE);
    const ended = await end();
    expect(ended).toMatchObject({ exitCode: 4, attention: [{ row: 2, stuck: 'unknown_word' }] });
    expect(ended.attention[0]?.reason).toContain(
      `the service says “${word}”. No setting says what “${word}” means.`,
    );
    const step = shownText(shownSteps(ended.attention[0]?.steps ?? [], {}));
    for (const setting of ['statuses.failed', 'statuses.returned', 'statuses.pending'])
      expect(step).toContain(setting);
    expect((await stateOf(batch, readingPorts(place))).attention).toHaveLength(1);
  },
);

it('one whose word a setting calls pending is left alone', async () => {
  const { place, id, batch } = await sent(1, { pendingWords: ['on hold'] });
  place.service.statusOf = () => 'On Hold';
  await place.settle(id, 5 * MINUTE);
  expect((await summaryOf(batch, readingPorts(place))).attention).toEqual([]);
});

it('one that was never asked about says so', async () => {
  const { place, batch } = await sent();
  place.service.statusOf = () => 'Processing';
  const [row] = await place.payouts(batch.id);
  expect(row).not.toHaveProperty('look');
});

it('the first transfer of a ledger keeps the looks that were to prove it', async () => {
  const place = await aWorkplace({ environment: 'live' });
  const id = await place.approved(someRows(2), 'may');
  answering(place, NOT_FOUND);
  await place.send(id);
  const { attention, outcome } = await summaryOf(await place.batch(id), readingPorts(place));
  expect({ attention, exitCode: outcome.exitCode }).toEqual({ attention: [], exitCode: 6 });
  expect(await place.row(id, 2)).toMatchObject({ state: { status: 'accepted' }, look: { times: 5 } });
});

it('one that was not found once, days after it was sent, is no incident; a second answer a day later makes it one', async () => {
  const { place, id, daily, end } = await sent();
  answering(place, NOT_FOUND);
  place.clock.advance(3 * DAY);
  await daily(0);
  expect(await end()).toMatchObject({ exitCode: 4, attention: [{ stuck: 'late' }] });
  // Silence is no second answer.
  answering(place, { kind: 'unavailable', reason: 'timeout' });
  await daily(2);
  expect(await end()).toMatchObject({ exitCode: 4, attention: [{ stuck: 'late' }] });
  answering(place, NOT_FOUND);
  await daily(0);
  expect(await end()).toMatchObject({ exitCode: 5, attention: [{ stuck: 'missing' }] });
  expect((await place.row(id, 2)).look).toMatchObject({ concern: 'missing' });
});
