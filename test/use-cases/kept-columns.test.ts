/** Columns of the file that a report has no room for: it is refused before anything is said of it in the journal. */
import { expect, it } from 'vitest';
import { reportDays, reportOf } from '../../src/use-cases/report/asked-report.ts';
import { someRows } from '../builders/payout-file.ts';
import { aWorkplace, readingPorts } from '../builders/workplace.ts';

it('notes no look at whole account numbers for a report that it refuses', async () => {
  const place = await aWorkplace();
  await place.approved(someRows(1), 'may');
  const noted: string[] = [];
  const ports = {
    ...readingPorts(place),
    openRedoSink: async () => Promise.reject(new TypeError('No such file')),
    note: async (_: unknown, where: string) => void noted.push(where),
  };
  const file = {
    path: 'may.html',
    isReplaced: false,
    isNoted: true,
    fullAccounts: true,
    keptColumns: ['Note'],
  };
  await expect(reportOf('may', file, ports)).rejects.toThrow(/has no room for/);
  const byDay = { ...file, path: 'days.csv', format: 'journal-by-day' } as const;
  await expect(reportDays({ from: '2026-05-01', to: '2026-05-31' }, byDay, ports)).rejects.toThrow(
    /has no room for/,
  );
  expect(noted).toEqual([]);
});
