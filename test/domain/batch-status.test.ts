/** Where a batch stands, from what stands of its payouts. */
import { expect, it } from 'vitest';
import { type BatchStatus, batchStatus, type StatusCounts } from '../../src/domain/batches/batch.ts';
import { STATUSES } from '../../src/domain/payouts/payout.ts';
import { NOW } from '../builders/payouts.ts';

const counts = (some: Partial<StatusCounts>): StatusCounts => ({
  ...(Object.fromEntries(STATUSES.map((status) => [status, 0])) as StatusCounts),
  ...some,
});
const pause = { reason: 'too many in doubt', by: 'payfile', at: NOW };

it.each<[BatchStatus, Partial<StatusCounts>, boolean]>([
  ['planned', {}, false],
  ['planned', { planned: 3 }, false],
  ['planned', { quoted: 3, held: 1, invalid: 1 }, false],
  ['approved', { approved: 3 }, false],
  ['sending', { approved: 2, accepted: 1 }, false],
  ['sending', { sending: 1 }, false],
  ['settling', { accepted: 1, settled: 2 }, false],
  ['settling', { in_doubt: 1, settled: 2 }, false],
  ['finished', { settled: 3 }, false],
  ['finished', { failed: 3 }, false],
  ['finished', { settled: 2, held: 1, invalid: 1, canceled: 1 }, false],
  // A replacement, or a row that was added, still waits for its approval.
  ['planned', { settled: 2, quoted: 1 }, false],
  ['planned', { settled: 2, planned: 1 }, false],
  ['canceled', { canceled: 2 }, false],
  ['planned', { canceled: 2, quoted: 1 }, false],
  ['paused', { approved: 2, in_doubt: 9 }, true],
  ['paused', { held: 1, settled: 2 }, true],
  ['finished', { settled: 3 }, true],
  ['settling', { in_doubt: 3 }, true],
])('is %s with %o, paused: %s', (status, some, isPaused) => {
  expect(batchStatus({ isImporting: false, pause: isPaused ? pause : undefined }, counts(some))).toBe(status);
});

it('is importing until its last row is in, whatever else is known', () => {
  expect(batchStatus({ isImporting: true, pause }, counts({ planned: 10 }))).toBe('importing');
});
