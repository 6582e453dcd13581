/** What a batch needs next: one answer for every host, which never contradicts the rows. */
import { expect, it } from 'vitest';
import {
  batchOutcome,
  countsIn,
  SET_BACK_REASON,
  type StatusCounts,
} from '../../src/domain/batches/batch.ts';
import { batchNeed, type NeedFacts } from '../../src/domain/next-steps/batch-need.ts';
import { STATUSES, type Status } from '../../src/domain/payouts/payout.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { aBatch } from '../builders/report-rows.ts';

const countsOf = (counts: Partial<Record<Status, number>>): StatusCounts => ({ ...countsIn([]), ...counts });

const needOf = (counts: Partial<Record<Status, number>>, more: Partial<NeedFacts> = {}) => {
  const all = countsOf(counts);
  const about = { batch: aBatch(), outcome: batchOutcome(all), elsewhere: 0, isAtWork: false };
  return batchNeed({ ...about, counts: all, ...more });
};

it.each([
  [{ quoted: 23, held: 1 }, 'approve', 'Review and approve 23 rows'],
  [{ quoted: 23, planned: 1 }, 'price', 'Ask for names and fees of 1 row'],
  [{ settled: 23, planned: 1 }, 'price', 'Ask for names and fees of 1 row'],
  [{ approved: 600 }, 'send', 'Send 600 approved rows'],
  [{ approved: 1, settled: 599 }, 'send', 'Send 1 approved row'],
  [{ accepted: 2, held: 1 }, 'ask', 'Ask for the status of 2 payments'],
  [{ held: 9 }, 'decide', 'Decide about 9 held rows'],
  [{ in_doubt: 1, approved: 5, quoted: 3 }, 'find_out', 'Find out about 1 row in doubt'],
  [{ sending: 1 }, 'find_out', 'Find out about 1 row in doubt'],
  [{ settled: 22, failed: 1, returned: 1 }, 'correct', 'Correct 2 unpaid rows'],
  [{ settled: 24 }, 'nothing', ''],
] as const)('%j needs: %s', (counts, kind, action) => {
  expect(needOf(counts)).toMatchObject({ kind, action });
});

it('says one thing for every mixture of rows, and never “finished” where something waits', () => {
  const open: readonly Status[] = [
    'planned',
    'quoted',
    'approved',
    'sending',
    'in_doubt',
    'accepted',
    'held',
  ];
  for (const one of STATUSES)
    for (const other of STATUSES) {
      const { kind, state, action, steps } = needOf({ settled: 1, [one]: 2, [other]: 3 });
      const isOpen = open.includes(one) || open.includes(other);
      if (isOpen)
        expect([one, other, state.includes('Finished'), action !== '']).toEqual([one, other, false, true]);
      // “Waits for approval” only where every row that is to be sent has a fee.
      if (kind === 'approve') expect([one, other]).not.toContain('planned');
      expect(steps.next?.verb === 'approve').toBe(kind === 'approve');
    }
});

it('waits while a process works, and sends nothing while the batch is paused', () => {
  expect(needOf({ approved: 599, sending: 1 }, { isAtWork: true })).toMatchObject({
    kind: 'wait',
    action: '',
  });
  const pause = { reason: 'funds are low', by: 'ben', at: timestampOf(0) };
  expect(needOf({ approved: 5 }, { batch: aBatch({ pause }) })).toMatchObject({
    kind: 'resume',
    steps: { next: { verb: 'resume' } },
  });
  const forStatement = { batch: aBatch({ pause: { ...pause, reason: SET_BACK_REASON } }) };
  expect(needOf({ approved: 5 }, forStatement)).toMatchObject({
    kind: 'compare',
    steps: { andThen: { verb: 'reconcile' } },
  });
  // Nothing is left to be sent, so nothing has to be resumed.
  expect(needOf({ settled: 5 }, { batch: aBatch({ pause }) }).kind).toBe('nothing');
});

it('asks nobody about unpaid rows that another batch took over', () => {
  expect(needOf({ settled: 5, failed: 1 }, { elsewhere: 1 })).toMatchObject({ kind: 'nothing' });
});
