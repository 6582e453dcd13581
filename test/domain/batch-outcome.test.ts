import { expect, it } from 'vitest';
import { type AlarmCounts, batchOutcome, NO_ALARMS } from '../../src/domain/batches/batch.ts';
import { STATUSES, type Status } from '../../src/domain/payouts/payout.ts';

type Counts = Record<Status, number>;
const none = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Counts;
const outcome = (counts: Partial<Counts>, alarms: Partial<AlarmCounts> = {}) =>
  batchOutcome({ ...none, ...counts }, { ...NO_ALARMS, ...alarms });

it.each<[number, string, Partial<Counts>]>([
  [0, 'settled', { settled: 24 }],
  [0, 'settled', {}],
  [3, 'finished_with_exceptions', { settled: 22, failed: 2 }],
  [3, 'finished_with_exceptions', { settled: 22, returned: 1 }],
  [3, 'finished_with_exceptions', { settled: 22, held: 1 }],
  [3, 'finished_with_exceptions', { settled: 22, canceled: 1 }],
  [3, 'finished_with_exceptions', { settled: 22, invalid: 1 }],
  [4, 'on_its_way', { settled: 22, failed: 1, accepted: 1 }],
  [5, 'in_doubt', { settled: 22, in_doubt: 1 }],
  [5, 'in_doubt', { in_doubt: 1, approved: 4, accepted: 2, failed: 1, quoted: 1 }],
  [5, 'in_doubt', { sending: 1, approved: 4 }],
  [6, 'stopped', { settled: 3, approved: 4, accepted: 1, failed: 1 }],
  [10, 'needs_approval', { quoted: 24 }],
  [10, 'needs_approval', { quoted: 20, held: 3, invalid: 1 }],
  [10, 'needs_approval', { planned: 2 }],
  [10, 'needs_approval', { settled: 20, quoted: 4 }],
  [3, 'finished_with_exceptions', { settled: 20, failed: 1, quoted: 4 }],
])('ends with %i (%s) when the payouts stand like %o', (exitCode, word, counts) => {
  expect(outcome(counts)).toMatchObject({ exitCode, word });
});

it('ends with 5 when a payment that was called failed is paid, even if all is settled', () => {
  expect(outcome({ settled: 3 }, { incidents: 1 })).toEqual({
    exitCode: 5,
    word: 'incident',
    sentence: '3 payments: 3 settled; INCIDENT: 1 had ended unpaid and then turned out paid',
  });
});

it('ends with 5 when the service has not found a payment for a day, although it is on its way', () => {
  expect(outcome({ settled: 3, accepted: 2 }, { missing: 1 })).toEqual({
    exitCode: 5,
    word: 'incident',
    sentence: '5 payments: 3 settled, 2 on its way; INCIDENT: the service has not found 1 payment for a day',
  });
});

it('never ends with 0 when the service shows a row otherwise than it was asked for', () => {
  expect(outcome({ settled: 3 }, { differing: 2 })).toEqual({
    exitCode: 3,
    word: 'finished_with_exceptions',
    sentence: '3 payments: 3 settled; 2 differ from what was asked',
  });
  expect(outcome({ settled: 2, accepted: 1 }, { differing: 1 })).toMatchObject({ exitCode: 4 });
});

it('ends with 5 when more went out than was asked, even while others are on their way', () => {
  expect(outcome({ settled: 2, accepted: 1 }, { differing: 2, over: 1 })).toEqual({
    exitCode: 5,
    word: 'incident',
    sentence:
      '3 payments: 2 settled, 1 on its way; 1 differs from what was asked; INCIDENT: 1 went out with more than was asked',
  });
});

it('says in one sentence how many of which', () => {
  expect(outcome({ settled: 22, failed: 1, in_doubt: 1 }).sentence).toBe(
    '24 payments: 22 settled, 1 failed, 1 in doubt',
  );
  expect(outcome({ settled: 1 }).sentence).toBe('1 payment: 1 settled');
  expect(outcome({ approved: 1_250_000 }).sentence).toBe(
    '1,250,000 payments: 1,250,000 approved but not sent',
  );
});

it('names every status that has a payout', () => {
  const all = Object.fromEntries(STATUSES.map((status) => [status, 1])) as Counts;
  expect(outcome(all).sentence.split(', ')).toHaveLength(STATUSES.length);
});
