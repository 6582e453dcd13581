/**
 * Seeds that once showed something, in the product or in the simulator itself, run every day since. A seed shows
 * what it did only while the simulator stays as it was; what it taught has a test of its own as well.
 */

export interface RegressionSeed {
  readonly seed: number;
  readonly hasWorkers?: boolean;
  readonly showed: string;
}

export const REGRESSION_SEEDS: readonly RegressionSeed[] = [
  { seed: 3, showed: 'a failure that is finished later has to be seen to the end of its watch' },
  { seed: 1037, showed: 'a process killed before its first step must not be waited for' },
  { seed: 1045, showed: 'a transfer id that a ruling took, and the right row brought later' },
  { seed: 1080, showed: 'one batch under two names, edited under one of them' },
  { seed: 1117, showed: 'looks put off by a clock that had been set forward' },
  { seed: 1126, showed: 'a row that follows another row’s transfer to its end' },
  { seed: 5276, showed: 'a wrong ruling names a transfer that fails' },
  { seed: 20159, showed: 'an answer that comes late after the doubt itself could not be written' },
  { seed: 20193, showed: 'an answer that comes late to a process that lost its lease while it was stopped' },
  { seed: 30127, showed: 'an incident that is seen a day late, because the clock was set back' },
  { seed: 30245, showed: 'a run that did not end because the wall clock was set back under its deadline' },
  { seed: 72158, showed: 'the old file brought again after a revision that stopped half-way' },
  { seed: 505137, showed: 'a revision whose rows were all moved, and whose end was never written' },
  {
    seed: 1012034,
    showed: 'a payment sent and executed late, whose equal the service had called failed meanwhile',
  },
  { seed: 2007719, showed: 'an answer that comes late in the moment in which a stopped run ends' },
  {
    seed: 4058082,
    showed: 'a payment executed late, after it was ruled unpaid and its equal was sent in another batch',
  },
  { seed: 7000161, showed: 'an approval of a batch whose newer file was read only in part' },
  { seed: 911919, showed: 'a service that asked to wait, heard under a clock that stood days ahead' },
  { seed: 12, hasWorkers: true, showed: 'a stop of what workers do that was told as a failure of theirs' },
  {
    seed: 20261997,
    hasWorkers: true,
    showed: 'a sending that waited for ever for parts of a work that had ended',
  },
];
