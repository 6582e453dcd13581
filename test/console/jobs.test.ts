/** Work that goes on in the console: what it has on the wire. */
import { expect, it } from 'vitest';
import { createJobs, type Listener } from '../../src/console/jobs.ts';
import type { Payout } from '../../src/domain/payouts/payout.ts';

const WORK = { about: 'batch:1', doing: 'Sending', by: 'ada' };

it('knows what all its works have on the wire, and whether workers go on', async () => {
  const jobs = createJobs(() => Date.now());
  const tellers: Listener[] = [];
  for (const about of ['batch:1', 'batch:2'])
    jobs.begin({ ...WORK, about }, ({ onProgress }) => {
      tellers.push(onProgress);
      return new Promise(() => undefined);
    });
  expect(jobs.inFlight()).toEqual({ rows: 0, workers: undefined });
  const payout = { state: { status: 'sending' }, instruction: undefined } as unknown as Payout;
  tellers[0]?.({ kind: 'moved', from: 'approved', payout });
  expect(jobs.inFlight()).toEqual({ rows: 1, workers: undefined });
  tellers[1]?.({ kind: 'at_workers', stand: 'at_work' });
  expect(jobs.inFlight()).toEqual({ rows: 1, workers: 'at_work' });
  tellers[1]?.({ kind: 'at_workers', stand: 'stopped', inFlight: 7 });
  expect(jobs.inFlight()).toEqual({ rows: 8, workers: 'stopped' });
  tellers[1]?.({ kind: 'at_workers', stand: 'ended' });
  expect(jobs.inFlight()).toEqual({ rows: 1, workers: undefined });
});
