/** Every fault at one moment after another over sending and settling: what the service does with one file's transfers. */
import { aRow, someRows } from '../builders/payout-file.ts';
import {
  allGoesWell,
  approveMay,
  byAccount,
  FIRST,
  hours,
  inService,
  once,
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

const settleMay: Step = (person) => person.settle('may');
const RETURNS = { kind: 'returns', afterMs: 0, finishesFirst: false } as const;
const FAILS = { kind: 'fails', afterMs: 0, word: 'Declined' } as const;

const SENDING: readonly Scenario[] = [
  {
    name: 'a smooth run',
    steps: [placeMay, runMay],
    ends: { may: 'settled settled settled' },
  },
  {
    name: 'the first live batch',
    environment: 'live',
    steps: [placeMay, runMay],
    ends: { may: 'settled settled settled' },
  },
  {
    name: 'one row at a time',
    policy: { concurrency: 1 },
    steps: [placeMay, runMay],
    ends: { may: 'settled settled settled' },
  },
  {
    name: 'rough answers',
    service: byAccount({
      [FIRST]: once('rate_limited'),
      [SECOND]: once('dies_before_write'),
      [THIRD]: 'answer_lost',
    }),
    steps: [(person) => person.place(someRows(4), 'may'), runMay],
    ends: { may: 'settled settled in_doubt settled' },
  },
  {
    name: 'a token that ended, an answer lost before anything moved',
    service: byAccount({ [FIRST]: once('token_revoked'), [THIRD]: 'request_lost' }),
    steps: [placeMay, runMay],
    ends: { may: 'settled settled in_doubt' },
  },
  {
    name: 'more lost answers than the batch may have',
    policy: { maxInDoubt: 0 },
    service: byAccount({ [FIRST]: 'answer_lost', [THIRD]: 'request_lost' }),
    steps: [(person) => person.place(someRows(4), 'may'), runMay, (person) => person.resume('may'), runMay],
    ends: { may: 'in_doubt settled in_doubt settled' },
  },
  {
    name: 'a transfer id that another row already has',
    service: byAccount({ [SECOND]: 'duplicate_id' }),
    before: [(person) => person.place([aRow(9)], 'april'), (person) => person.run('april')],
    steps: [placeMay, runMay, (person) => person.resume('may'), runMay],
    // Where the other row never learned of its own transfer, this one has the id to itself.
    ends: { april: 'settled', may: 'settled in_doubt|settled settled' },
  },
  {
    name: 'refused rows',
    service: byAccount({ [SECOND]: 'refused' }),
    steps: [placeMay, runMay],
    ends: { may: 'settled failed settled' },
  },
  {
    name: 'an empty balance that is filled again',
    service: byAccount({ [FIRST]: 'refused', [SECOND]: 'refused' }),
    before: [placeMay, approveMay],
    steps: [runMay, allGoesWell, reissueMay, runMay],
    // What failed before the first fill is paid again where the person got as far as that.
    ends: { may: 'settled|failed settled|failed settled' },
  },
  {
    name: 'quotes that are old at sending',
    before: [placeMay, approveMay],
    steps: [hours(40 / 60), runMay],
    ends: { may: 'settled settled settled' },
  },
  {
    name: 'a rate that moved',
    before: [placeMay, approveMay],
    steps: [hours(40 / 60), inService((service) => service.rate(14.9)), runMay, runMay],
    ends: { may: 'settled settled settled' },
  },
  {
    name: 'an approval that is too old',
    before: [placeMay, approveMay],
    steps: [hours(25), runMay, runMay],
    ends: { may: 'settled settled settled' },
  },
  {
    name: 'settling alone',
    before: [placeMay, approveMay, sendMay],
    steps: [settleMay],
    ends: { may: 'settled settled settled' },
  },
  {
    name: 'a transfer that comes back',
    service: (service) => service.becomes(FIRST, RETURNS),
    before: [placeMay, approveMay],
    steps: [runMay],
    ends: { may: 'returned settled settled' },
  },
  {
    name: 'a transfer that the service calls failed',
    service: (service) => service.becomes(FIRST, FAILS),
    before: [placeMay, approveMay],
    steps: [runMay],
    ends: { may: 'failed settled settled' },
  },
  {
    name: '[L18] outcomes that wait in the emergency file',
    hasEmergencyFile: true,
    before: [placeMay, approveMay],
    steps: [runMay],
    ends: { may: 'settled settled settled' },
  },
  {
    name: 'a pause from another terminal in the middle',
    policy: { concurrency: 1 },
    before: [placeMay, approveMay],
    steps: [
      (person) => Promise.all([person.run('may'), person.pause('may')]),
      (person) => person.resume('may'),
      runMay,
    ],
    ends: { may: 'settled settled settled' },
  },
  {
    name: 'a name that is filled in from the account',
    steps: [(person) => person.place([aRow(1, { name: '' }), aRow(2), aRow(3, { name: '' })], 'may'), runMay],
    // Without a name in the file and without an answer there is nothing to put on the wire.
    ends: { may: 'settled|held|invalid settled settled|held|invalid' },
  },
];

sweepAll(SENDING);
