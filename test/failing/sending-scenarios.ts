/**
 * Scenarios about sending and settling: what the service does with the transfers of one file.
 */
import type { TransferOrder } from '../../src/ports/payment-service.ts';
import { aRow, someRows } from '../builders/payout-file.ts';
import type { Script, ScriptedPaymentService } from '../fakes/scripted-payment-service.ts';
import { hours, minutes, type Scenario, type Step } from './scenario.ts';

export const FIRST = '0244123001';
export const SECOND = '0244123002';
export const THIRD = '0244123003';

/** Behaves by account, so that a fault elsewhere changes nothing of it. */
export function byAccount(
  scripts: Readonly<Record<string, Script | ((order: TransferOrder) => Script)>>,
): (service: ScriptedPaymentService) => void {
  return (service) => {
    service.script = (order) => {
      const script = scripts[order.account.reveal()];
      return typeof script === 'function' ? script(order) : (script ?? 'accept');
    };
  };
}
const first = (script: Script) => (order: TransferOrder) => (order.attempt === 1 ? script : 'accept');

export const placeMay: Step = (person) => person.place(someRows(3), 'may');
export const approveMay: Step = (person) => person.approve('may');
export const sendMay: Step = (person) => person.send('may');
export const runMay: Step = (person) => person.run('may');
const settleMay: Step = (person) => person.settle('may');

export const inWorld =
  (change: (service: ScriptedPaymentService) => void): Step =>
  async ({ world }) =>
    change(world.service);

export const SENDING: readonly Scenario[] = [
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
      [FIRST]: first('rate_limited'),
      [SECOND]: first('not_sent'),
      [THIRD]: 'lose_after',
    }),
    steps: [(person) => person.place(someRows(4), 'may'), runMay],
    ends: { may: 'settled settled in_doubt settled' },
    lost: 1,
  },
  {
    name: 'a token that ended, an answer lost before anything moved',
    service: byAccount({ [FIRST]: first('token_refused'), [THIRD]: 'lose_before' }),
    steps: [placeMay, runMay],
    ends: { may: 'settled settled in_doubt' },
    lost: 1,
  },
  {
    name: 'more lost answers than the batch may have',
    policy: { maxInDoubt: 0 },
    service: byAccount({ [FIRST]: 'lose_after', [THIRD]: 'lose_before' }),
    steps: [(person) => person.place(someRows(4), 'may'), runMay, (person) => person.resume('may'), runMay],
    ends: { may: 'in_doubt settled in_doubt settled' },
    lost: 2,
  },
  {
    name: 'a transfer id that another row already has',
    service: byAccount({ [SECOND]: 'same_id' }),
    before: [(person) => person.place([aRow(9)], 'april'), (person) => person.run('april')],
    steps: [placeMay, runMay, (person) => person.resume('may'), runMay],
    ends: { april: 'settled', may: 'settled in_doubt settled' },
    lost: 1,
  },
  {
    name: 'refused rows',
    service: byAccount({ [SECOND]: { refuse: 'account closed' } }),
    steps: [placeMay, runMay],
    ends: { may: 'settled failed settled' },
  },
  {
    name: 'an empty balance that is filled again',
    service: byAccount({ [FIRST]: { refuse: 'no funds' }, [SECOND]: { refuse: 'no funds' } }),
    before: [placeMay, approveMay],
    steps: [
      runMay,
      inWorld((service) => {
        service.script = () => 'accept';
      }),
      (person) => person.reissue('may'),
      runMay,
    ],
    // What failed before the first fill is paid again where the person got as far as that.
    ends: { may: 'settled|failed settled|failed settled' },
  },
  {
    name: 'quotes that are old at sending',
    before: [placeMay, approveMay],
    steps: [minutes(40), runMay],
    ends: { may: 'settled settled settled' },
  },
  {
    name: 'a rate that moved',
    before: [placeMay, approveMay],
    steps: [
      minutes(40),
      inWorld((service) => {
        service.rateAnswer = { kind: 'answered', answer: '14.9' };
        service.estimateAnswer = {
          kind: 'answered',
          answer: { rate: '14.9', fee: '1.02', speedSeconds: 0 },
        };
      }),
      runMay,
      runMay,
    ],
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
    service: (service) => {
      service.statusOf = (id) => (id === 'tr-1' ? 'Returned' : 'Finished');
    },
    before: [placeMay, approveMay],
    steps: [runMay],
    ends: { may: 'settled|returned settled|returned settled|returned' },
  },
  {
    name: 'a transfer that the service calls failed',
    service: (service) => {
      service.statusOf = (id) => (id === 'tr-1' ? 'Declined' : 'Finished');
    },
    before: [placeMay, approveMay],
    steps: [runMay],
    ends: { may: 'settled|failed settled|failed settled|failed' },
  },
  {
    name: '[L18] outcomes that wait in the emergency file',
    isOnDisk: true,
    before: [placeMay, approveMay],
    steps: [runMay],
    ends: { may: 'settled settled settled' },
  },
  {
    name: 'a pause from another terminal in the middle',
    policy: { concurrency: 1 },
    before: [placeMay, approveMay],
    steps: [
      (person) => {
        const { service, ledger, clock } = person.world;
        service.beforeSend = async () => {
          service.beforeSend = async () => undefined;
          for (const { id } of await ledger.batches())
            await ledger.pause(id, { reason: 'wait', by: 'ama', at: clock.now() });
        };
        return person.run('may');
      },
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
