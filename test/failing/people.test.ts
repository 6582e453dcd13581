/** Every fault at one moment after another over what people decide: releases, rulings, paying again, withdrawing. */
import { aRow, someRows } from '../builders/payout-file.ts';
import {
  allGoesWell,
  approveMay,
  byAccount,
  FIRST,
  hours,
  inService,
  placeMay,
  reissueMay,
  runMay,
  type Scenario,
  SECOND,
  type Step,
  sendMay,
  THIRD,
} from './scenario.ts';
import { sweepAll } from './sweep.ts';

/** A file that pays the failed row of `may` again. */
const placeRedo: Step = async (person) => {
  const [replaced] = person.payouts('may').filter(({ state }) => state.status === 'failed');
  await person.place([aRow(2, { replaces: replaced?.id ?? '' })], 'redo');
};

const quiet = hours(1);
const FAILS = { kind: 'fails', afterMs: 0, word: 'Cancelled' } as const;
const FINISHES = { kind: 'finishes', afterMs: 0 } as const;
const PROCESSING = { kind: 'finishes', afterMs: Number.POSITIVE_INFINITY } as const;

const PEOPLE: readonly Scenario[] = [
  {
    name: 'held rows that are let go',
    service: (service) => {
      service.name(FIRST, 'AKUA OWUSU');
      service.name(THIRD, 'YAW DARKO');
    },
    before: [placeMay],
    steps: [runMay, (person) => person.release('may'), runMay],
    ends: { may: 'settled settled settled' },
  },
  {
    name: 'held rows that nobody lets go',
    service: (service) => service.name(FIRST, 'AKUA OWUSU'),
    steps: [placeMay, runMay],
    // A name that cannot be asked for is a warning, where the file gives one.
    ends: { may: 'held|settled settled settled' },
  },
  {
    name: 'a refused row that is paid again',
    service: byAccount({ [SECOND]: 'refused' }),
    before: [placeMay, approveMay, runMay],
    steps: [allGoesWell, reissueMay, runMay],
    ends: { may: 'settled settled settled' },
  },
  {
    name: 'paying again a day after the service called it failed',
    service: (service) => service.becomes(FIRST, FAILS),
    policy: { concurrency: 1 },
    before: [placeMay, approveMay, runMay],
    steps: [hours(25), reissueMay, runMay],
    ends: { may: 'settled settled settled' },
  },
  {
    name: '[E12] a service that says failed and later Finished',
    service: (service) => service.becomes(FIRST, FAILS),
    policy: { concurrency: 1 },
    before: [placeMay, approveMay, runMay, hours(25), reissueMay],
    steps: [approveMay, inService((service) => service.becomes(FIRST, FINISHES)), runMay],
    // Settled: the row is the payment that finished. Held: the ledger would not let the replacement begin, or the service
    // would not say what became of the first.
    ends: { may: 'settled|held settled settled' },
  },
  {
    name: '[E12] a failed payment that finishes when its second replacement is about to go',
    service: (service) => service.becomes(FIRST, FAILS),
    policy: { concurrency: 1 },
    before: [
      ...[placeMay, approveMay, runMay, hours(25), reissueMay],
      inService(byAccount({ [FIRST]: 'refused' })),
      ...[runMay, reissueMay, approveMay],
    ],
    steps: [allGoesWell, inService((service) => service.becomes(FIRST, FINISHES)), runMay],
    ends: { may: 'settled|held settled settled' },
  },
  {
    name: 'a replacement that a person lets go although the first payment is no longer called failed',
    service: (service) => service.becomes(FIRST, FAILS),
    policy: { concurrency: 1 },
    before: [
      placeMay,
      approveMay,
      runMay,
      hours(25),
      reissueMay,
      inService((service) => service.becomes(FIRST, PROCESSING)),
    ],
    steps: [runMay, (person) => person.release('may', 'maybe_paid'), runMay],
    ends: { may: 'settled settled settled' },
    pays: { [FIRST]: 2 },
  },
  {
    name: 'a row in doubt that was paid',
    service: byAccount({ [SECOND]: 'answer_lost' }),
    before: [placeMay, approveMay, sendMay],
    steps: [(person) => person.rule('may'), runMay],
    ends: { may: 'settled settled settled' },
  },
  {
    name: 'a row in doubt that was not paid, and is paid again',
    service: byAccount({ [SECOND]: 'request_lost' }),
    before: [placeMay, approveMay, runMay, quiet],
    steps: [(person) => person.rule('may'), allGoesWell, reissueMay, runMay],
    ends: { may: 'settled settled settled' },
  },
  {
    name: 'a wrong ruling, which is a person’s to answer for',
    service: byAccount({ [SECOND]: 'answer_lost' }),
    before: [placeMay, approveMay, runMay, quiet],
    steps: [(person) => person.rule('may', 'not_paid'), allGoesWell, reissueMay, runMay],
    ends: { may: 'settled settled settled' },
    pays: { [SECOND]: 2 },
  },
  {
    name: 'unsent rows that are withdrawn',
    before: [placeMay, approveMay],
    steps: [(person) => person.cancel('may', '3', '4'), runMay],
    ends: { may: 'settled canceled canceled' },
  },
  {
    name: 'a row withdrawn while the others are sent',
    before: [placeMay, approveMay],
    steps: [(person) => Promise.all([person.send('may'), person.cancel('may', '4')]), runMay],
    ends: { may: 'settled settled settled|canceled' },
  },
  {
    name: 'pause and resume around a run',
    before: [placeMay, approveMay],
    steps: [(person) => person.pause('may'), runMay, (person) => person.resume('may'), runMay],
    ends: { may: 'settled settled settled' },
  },
  {
    name: 'a redo file of a refused row',
    service: byAccount({ [SECOND]: 'refused' }),
    before: [placeMay, approveMay, runMay, allGoesWell],
    steps: [placeRedo, (person) => person.run('redo')],
    ends: { may: 'settled failed settled', redo: 'settled' },
  },
  {
    name: 'a redo file and a reissue of the same row',
    service: byAccount({ [SECOND]: 'refused' }),
    before: [placeMay, approveMay, runMay, allGoesWell, placeRedo],
    steps: [reissueMay, (person) => person.run('redo'), runMay],
    // The row is not planned again beside the one that waits.
    ends: { may: 'settled failed settled', redo: 'settled' },
  },
  {
    name: 'a row that is planned again and then also comes in a redo file',
    service: byAccount({ [SECOND]: 'refused' }),
    before: [
      placeMay,
      approveMay,
      runMay,
      allGoesWell,
      reissueMay,
      async (person) => {
        const replaces = person.payouts('may').flatMap(({ instruction }) => instruction?.replaces ?? [])[0];
        await person.place([aRow(2, { replaces: replaces ?? '' })], 'redo');
      },
    ],
    steps: [(person) => person.run('redo'), runMay],
    // Whichever was agreed to first goes; the other is held.
    ends: { may: 'settled held|settled settled', redo: 'settled|held' },
  },
  {
    name: 'four rows of which two wait, one fails and one is lost',
    service: (service) => {
      service.name(FIRST, 'AKUA OWUSU');
      byAccount({ [SECOND]: 'refused', [THIRD]: 'answer_lost' })(service);
    },
    steps: [
      (person) => person.place(someRows(4), 'may'),
      runMay,
      (person) => person.release('may'),
      runMay,
      (person) => person.rule('may'),
      runMay,
    ],
    // A fault may take the refusal's place; and what it leaves in doubt is ruled on as it was.
    ends: { may: 'settled|failed failed|settled settled|failed settled|failed' },
  },
];

sweepAll(PEOPLE);
