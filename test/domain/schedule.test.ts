/** Which run of a schedule is owed, for which period. */
import { expect, it } from 'vitest';
import { dueAfter } from '../../src/adapters/work-queue/boss-queue.ts';
import { owedRun, type Schedule } from '../../src/domain/schedules/schedule.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';

const at = (text: string) => timestampOf(Date.parse(text));

function schedule(more: Partial<Schedule> = {}): Schedule {
  return {
    ...{
      name: 'payroll',
      cron: '15 6,18 25 * *',
      zone: 'Africa/Nairobi',
      by: 'ada',
      batch: 'payroll-{yyyy-mm}',
    },
    words: [
      'run',
      '/in/{yyyy-mm}.csv',
      '--batch',
      'payroll-{yyyy-mm}',
      '--repeats',
      'payroll-{previous yyyy-mm}',
    ],
    addedAt: at('2026-04-01T00:00:00Z'),
    begunUntil: at('2026-04-25T18:00:00Z'),
    ...more,
  };
}

const owed = (now: string, more: Partial<Schedule> = {}) => {
  const given = schedule(more);
  return owedRun(given, at(now), (moment) => dueAfter(given.cron, given.zone, moment));
};

it('owes nothing before it is due, and one run from then on', () => {
  expect(owed('2026-05-25T03:14:59Z')).toBeUndefined();
  expect(owed('2026-05-25T03:15:00Z')).toEqual({
    ...{ schedule: 'payroll', batch: 'payroll-2026-05', zone: 'Africa/Nairobi' },
    words: ['run', '/in/2026-05.csv', '--batch', 'payroll-2026-05', '--repeats', 'payroll-2026-04'],
    dueAt: at('2026-05-25T03:15:00Z'),
  });
});

it('owes a run that was missed for its own period, and several of one batch once', () => {
  expect(owed('2026-06-02T09:00:00Z')).toMatchObject({
    batch: 'payroll-2026-05',
    dueAt: at('2026-05-25T15:15:00Z'),
  });
});

it('owes the oldest of several periods first', () => {
  const now = '2026-07-26T09:00:00Z';
  const batches: string[] = [];
  for (let run = owed(now); run !== undefined; run = owed(now, { begunUntil: run.dueAt }))
    batches.push(run.batch);
  expect(batches).toEqual(['payroll-2026-05', 'payroll-2026-06', 'payroll-2026-07']);
});

it('makes up for nothing that was due more than a hundred days ago', () => {
  expect(owed('2027-03-01T00:00:00Z')?.batch).toBe('payroll-2026-11');
});

it('is due once in a night in which the clocks change', () => {
  const paris = { cron: '30 2 * * *', zone: 'Europe/Paris', batch: 'daily-{yyyy-mm-dd}' };
  const spring = owed('2026-03-29T12:00:00Z', { ...paris, begunUntil: at('2026-03-28T12:00:00Z') });
  expect(spring?.batch).toBe('daily-2026-03-29');
  const autumn = owed('2026-10-25T12:00:00Z', { ...paris, begunUntil: at('2026-10-24T12:00:00Z') });
  expect(autumn?.batch).toBe('daily-2026-10-25');
  expect(
    owed('2026-10-25T12:00:00Z', { ...paris, begunUntil: autumn?.dueAt ?? at('2026-01-01T00:00:00Z') }),
  ).toBeUndefined();
});
