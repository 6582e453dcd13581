/**
 * Scenarios about what people decide: releases, rulings, paying again, withdrawing.
 */
import { aRow, someRows } from '../builders/payout-file.ts';
import { hours, type Scenario, type Step } from './scenario.ts';
import {
  approveMay,
  byAccount,
  FIRST,
  inWorld,
  placeMay,
  runMay,
  SECOND,
  sendMay,
  THIRD,
} from './sending-scenarios.ts';

const reissueMay: Step = (person) => person.reissue('may');
const accept = inWorld((service) => {
  service.script = () => 'accept';
});
const quiet = hours(1);
const REFUSE = { refuse: 'limit reached' };

export const PEOPLE: readonly Scenario[] = [
  {
    name: 'held rows that are let go',
    service: (service) => service.names.set(FIRST, 'AKUA OWUSU').set(THIRD, 'YAW DARKO'),
    before: [placeMay],
    steps: [runMay, (person) => person.release('may'), runMay],
    ends: { may: 'settled settled settled' },
  },
  {
    name: 'held rows that nobody lets go',
    service: (service) => service.names.set(FIRST, 'AKUA OWUSU'),
    steps: [placeMay, runMay],
    // A name that cannot be asked for is a warning, where the file gives one.
    ends: { may: 'held|settled settled settled' },
  },
  {
    name: 'a refused row that is paid again',
    service: byAccount({ [SECOND]: { refuse: 'limit reached' } }),
    before: [placeMay, approveMay, runMay],
    steps: [accept, reissueMay, runMay],
    ends: { may: 'settled settled settled' },
  },
  {
    name: 'paying again a day after the service called it failed',
    service: (service) => {
      service.statusOf = (id) => (id === 'tr-1' ? 'Declined' : 'Finished');
    },
    policy: { concurrency: 1 },
    before: [placeMay, approveMay, runMay],
    steps: [hours(25), reissueMay, runMay],
    ends: { may: 'settled settled settled' },
  },
  {
    name: '[E12] a service that says failed and later Finished',
    service: (service) => {
      service.statusOf = (id) => (id === 'tr-1' ? 'Cancelled' : 'Finished');
    },
    policy: { concurrency: 1 },
    before: [placeMay, approveMay, runMay, hours(25), reissueMay],
    steps: [
      approveMay,
      inWorld((service) => {
        service.statusOf = () => 'Finished';
      }),
      runMay,
    ],
    // Held: the ledger would not let the replacement begin, or the service would not say what became of the first.
    ends: { may: 'canceled|held settled settled' },
  },
  {
    name: '[E12] a failed payment that finishes when its second replacement is about to go',
    service: (service) => {
      byAccount({ [FIRST]: (order) => (order.attempt === 1 && service.book.length > 2 ? REFUSE : 'accept') })(
        service,
      );
      service.statusOf = (id) => (id === 'tr-1' ? 'Cancelled' : 'Finished');
    },
    policy: { concurrency: 1 },
    before: [placeMay, approveMay, runMay, hours(25), reissueMay, runMay, reissueMay, approveMay],
    steps: [
      inWorld((service) => {
        service.script = () => 'accept';
        service.statusOf = () => 'Finished';
      }),
      runMay,
    ],
    ends: { may: 'canceled|held settled settled' },
  },
  {
    name: 'a replacement that a person lets go although the first payment is no longer called failed',
    service: (service) => {
      service.statusOf = (id) => (id === 'tr-1' ? 'Cancelled' : 'Finished');
    },
    policy: { concurrency: 1 },
    before: [
      placeMay,
      approveMay,
      runMay,
      hours(25),
      reissueMay,
      inWorld((service) => {
        service.statusOf = (id) => (id === 'tr-1' ? 'Processing' : 'Finished');
      }),
    ],
    steps: [runMay, (person) => person.release('may'), runMay],
    ends: { may: 'settled settled settled' },
    pays: { [FIRST]: 2 },
  },
  {
    name: 'a row in doubt that was paid',
    service: byAccount({ [SECOND]: 'lose_after' }),
    before: [placeMay, approveMay, sendMay],
    steps: [(person) => person.rule('may'), runMay],
    ends: { may: 'settled settled settled' },
    lost: 1,
  },
  {
    name: 'a row in doubt that was not paid, and is paid again',
    service: byAccount({ [SECOND]: 'lose_before' }),
    before: [placeMay, approveMay, runMay, quiet],
    steps: [(person) => person.rule('may'), accept, reissueMay, runMay],
    ends: { may: 'settled settled settled' },
    lost: 1,
  },
  {
    name: 'a wrong ruling, which is a person’s to answer for',
    service: byAccount({ [SECOND]: 'lose_after' }),
    before: [placeMay, approveMay, runMay, quiet],
    steps: [(person) => person.rule('may', 'not_paid'), accept, reissueMay, runMay],
    ends: { may: 'settled settled settled' },
    lost: 1,
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
    service: byAccount({ [SECOND]: { refuse: 'limit reached' } }),
    before: [placeMay, approveMay, runMay, accept],
    steps: [
      async (person) => {
        const [replaced] = (await person.payouts('may')).filter(({ state }) => state.status === 'failed');
        await person.place([aRow(2, { replaces: replaced?.id ?? '' })], 'redo');
      },
      (person) => person.run('redo'),
    ],
    ends: { may: 'settled failed settled', redo: 'settled' },
  },
  {
    name: 'a redo file and a reissue of the same row',
    service: byAccount({ [SECOND]: { refuse: 'limit reached' } }),
    before: [
      placeMay,
      approveMay,
      runMay,
      accept,
      async (person) => {
        const [replaced] = (await person.payouts('may')).filter(({ state }) => state.status === 'failed');
        await person.place([aRow(2, { replaces: replaced?.id ?? '' })], 'redo');
      },
    ],
    steps: [reissueMay, (person) => person.run('redo'), runMay],
    // Whichever was agreed to first goes; the other is held.
    ends: { may: 'settled held|settled settled', redo: 'settled|held' },
  },
  {
    name: 'four rows of which two wait, one fails and one is lost',
    service: (service) => {
      service.names.set(FIRST, 'AKUA OWUSU');
      byAccount({ [SECOND]: { refuse: 'closed' }, [THIRD]: 'lose_after' })(service);
    },
    steps: [
      (person) => person.place(someRows(4), 'may'),
      runMay,
      (person) => person.release('may'),
      runMay,
      (person) => person.rule('may'),
      runMay,
    ],
    // A fault may take the refusal's place: then the row is in doubt, and ruled paid where it was.
    ends: { may: 'settled failed|settled settled settled' },
    lost: 1,
  },
];
