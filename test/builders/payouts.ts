/**
 * Valid payouts and events for tests: each builder gives a whole thing and takes what matters.
 */

import { parseCurrency } from '../../src/domain/money/currency.ts';
import { type Money, parseDecimal } from '../../src/domain/money/money.ts';
import { accountMark, type Concern } from '../../src/domain/payouts/concern.ts';
import type { FamilyMember } from '../../src/domain/payouts/family.ts';
import {
  asBatchId,
  asPayoutId,
  asTag,
  asTransferId,
  type Instruction,
} from '../../src/domain/payouts/instruction.ts';
import type {
  Evidence,
  HoldReason,
  Payout,
  PayoutIn,
  PayoutState,
  Pricing,
  Status,
} from '../../src/domain/payouts/payout.ts';
import type { EventKind, EventOf, PayoutEvent, Sender } from '../../src/domain/payouts/payout-event.ts';
import { asCountryId, asInstitutionId } from '../../src/domain/rows/directory.ts';
import { Sensitive } from '../../src/domain/text/sensitive.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';

export const NOW = timestampOf(Date.UTC(2026, 4, 25, 6, 15));

export function money(text: string): Money {
  const [code = '', decimal = ''] = text.split(' ');
  const currency = parseCurrency(code);
  const parsed = currency === undefined ? undefined : parseDecimal(decimal, currency);
  if (parsed === undefined) throw new TypeError(`“${text}” is not money`);
  return parsed;
}

export function anInstruction(
  changes: Partial<Omit<Instruction, 'account'>> & { account?: string } = {},
): Instruction {
  const { account = '0244123456', ...rest } = changes;
  return {
    sourceId: asCountryId('c-gb'),
    sourceName: 'United Kingdom',
    destinationId: asCountryId('c-gh'),
    destinationIso: 'GH',
    destinationName: 'Ghana',
    institutionId: asInstitutionId('i-mtn'),
    institutionName: 'MTN Mobile Money',
    amount: money('GHS 1200.00'),
    reference: 'GH-001',
    name: 'Ama Mensah',
    phone: undefined,
    note: 'May salary',
    replaces: undefined,
    ...rest,
    account: new Sensitive(account),
  };
}

export function aPricing(changes: Partial<Pricing> = {}): Pricing {
  return {
    sourceName: 'United Kingdom',
    countryName: 'Ghana',
    institutionName: 'MTN Mobile Money',
    nameCheckedAt: NOW,
    nameCheck: { result: 'match', resolved: 'Ama Mensah', reason: 'same name' },
    quote: {
      rate: '15.5',
      fee: '1.02',
      speedSeconds: 30,
      sourceCurrency: parseCurrency('GBP'),
      quotedAt: NOW,
    },
    wireName: 'Ama Mensah',
    notes: [],
    ...changes,
  };
}

export function evidence(changes: Partial<Evidence> = {}): Evidence {
  return { attempt: 1, phase: 'answer', startedAt: NOW, endedAt: NOW, bytesWritten: 512, ...changes };
}

const agreed = () => ({
  pricing: aPricing(),
  releases: [],
  tag: asTag('PF-00000001'),
  approvedAt: NOW,
  approvedBy: 'ama',
});

const onItsWay = () => ({
  ...agreed(),
  transferId: asTransferId('tr-9'),
  sentAt: NOW,
  serviceStatus: undefined,
  discrepancies: [],
});

export function aReason(concern: Concern, text = 'looks wrong'): HoldReason {
  return { concern, text };
}

/** Another holder than the file names. */
export const NO_MATCH: Concern = {
  kind: 'name',
  institutionId: 'i-mtn',
  account: accountMark({ destinationIso: 'GH', institutionName: 'MTN Mobile Money' }, '0244123456'),
  written: 'Ama Mensah',
  holder: 'Kofi Boateng',
};

export const OVER_LIMIT: Concern = {
  kind: 'over_limit',
  limit: 100_000n,
  minor: 120_000n,
  currency: money('GHS 1').currency,
};

const STATES: Readonly<Record<Status, () => PayoutState>> = {
  invalid: () => ({ status: 'invalid', issues: [] }),
  planned: () => ({ status: 'planned', releases: [] }),
  held: () => ({
    status: 'held',
    reasons: [aReason(NO_MATCH, 'Name: no match')],
    releases: [],
    pricing: aPricing(),
  }),
  quoted: () => ({ status: 'quoted', pricing: aPricing(), releases: [] }),
  approved: () => ({ status: 'approved', ...agreed() }),
  sending: () => ({ status: 'sending', ...agreed(), attempt: 1, startedAt: NOW, bodyDigest: 'd' }),
  in_doubt: () => ({ status: 'in_doubt', ...agreed(), reason: 'no_answer', evidence: evidence(), at: NOW }),
  accepted: () => ({ status: 'accepted', ...onItsWay(), suspicion: undefined }),
  settled: () => ({ status: 'settled', ...onItsWay(), settledAt: NOW, incident: false }),
  failed: () => ({
    status: 'failed',
    ...agreed(),
    basis: 'service_status',
    reason: 'the service says Failed',
    at: NOW,
    transferId: asTransferId('tr-9'),
    serviceStatus: 'Failed',
    sentAt: NOW,
  }),
  returned: () => ({ status: 'returned', ...onItsWay(), returnedAt: NOW }),
  canceled: () => ({ status: 'canceled', by: 'ama', reason: 'left the company', at: NOW }),
};

export type APayoutIn<S extends Status> = Payout &
  (S extends Exclude<Status, 'invalid'> ? PayoutIn<S> : unknown) & {
    readonly state: Extract<PayoutState, { status: S }>;
  };

/** A payout in a state; `state` and `instruction` changes are laid over the usual ones. */
export function aPayoutIn<S extends Status>(
  status: S,
  changes: {
    state?: object;
    instruction?: Partial<Instruction>;
    rowNumber?: number;
    id?: string;
    version?: number;
  } = {},
): APayoutIn<S> {
  const instruction = { ...anInstruction(), ...changes.instruction };
  const { sourceName, destinationName: countryName, institutionName } = instruction;
  const state: object & { readonly pricing?: Pricing | undefined } = STATES[status]();
  const { pricing } = state;
  const named = pricing && { pricing: { ...pricing, sourceName, countryName, institutionName } };
  return {
    id: asPayoutId(changes.id ?? '7'),
    batchId: asBatchId('b1'),
    rowNumber: changes.rowNumber ?? 2,
    version: changes.version ?? 3,
    attempts: 0,
    instruction: status === 'invalid' ? undefined : instruction,
    state: { ...state, ...named, ...changes.state },
  } as unknown as APayoutIn<S>;
}

/** Who sent a request. */
export const SENDER: Sender = { host: 'office', pid: 4711, started: 'boot 1', patienceMs: 120_000 };

const EVENTS: { readonly [Kind in EventKind]: () => EventOf<Kind> } = {
  hold: () => ({
    kind: 'hold',
    reasons: [aReason(OVER_LIMIT, 'over the limit')],
    pricing: aPricing(),
    at: NOW,
  }),
  price: () => ({ kind: 'price', pricing: aPricing(), at: NOW }),
  invalidate: () => ({ kind: 'invalidate', issues: [], at: NOW }),
  release: () => ({
    kind: 'release',
    release: { saw: [NO_MATCH], by: 'ben', reason: 'asked her', at: NOW },
    at: NOW,
  }),
  approve: () => ({
    kind: 'approve',
    tag: asTag('PF-00000001'),
    leaf: 'a'.repeat(64),
    by: 'ama',
    at: NOW,
  }),
  unapprove: () => ({ kind: 'unapprove', reason: 'the rate moved', at: NOW }),
  cancel: () => ({ kind: 'cancel', by: 'ama', reason: 'left the company', at: NOW }),
  begin_attempt: () => ({ kind: 'begin_attempt', attempt: 1, bodyDigest: 'd', sender: SENDER, at: NOW }),
  not_sent: () => ({ kind: 'not_sent', phase: 'connect', reason: 'refused', at: NOW }),
  turn_away: () => ({ kind: 'turn_away', why: 'rate_limited', evidence: evidence(), at: NOW }),
  refuse: () => ({ kind: 'refuse', code: '51', message: 'closed', evidence: evidence(), at: NOW }),
  doubt: () => ({ kind: 'doubt', reason: 'no_answer', evidence: evidence(), at: NOW }),
  recover: () => ({ kind: 'recover', at: NOW }),
  accept: () => ({ kind: 'accept', transferId: asTransferId('tr-9'), evidence: evidence(), at: NOW }),
  rule_paid: () => ({
    kind: 'rule_paid',
    transferId: asTransferId('tr-9'),
    ruling: { by: 'ama', evidence: 'statement' },
    at: NOW,
  }),
  rule_not_paid: () => ({ kind: 'rule_not_paid', ruling: { by: 'ama', evidence: 'ticket 12' }, at: NOW }),
  accept_difference: () => ({
    kind: 'accept_difference',
    by: 'ama',
    reason: 'the bank took its fee',
    saw: [],
    at: NOW,
  }),
  progress: () => ({ kind: 'progress', serviceStatus: 'Processing', discrepancies: [], at: NOW }),
  suspect: () => ({ kind: 'suspect', serviceStatus: 'Failed', discrepancies: [], at: NOW }),
  settle: () => ({ kind: 'settle', serviceStatus: 'Finished', discrepancies: [], at: NOW }),
  fail: () => ({ kind: 'fail', serviceStatus: 'Failed', discrepancies: [], at: NOW }),
  return: () => ({ kind: 'return', serviceStatus: 'Reversed', discrepancies: [], at: NOW }),
};

export function anEvent<Kind extends EventKind>(kind: Kind): EventOf<Kind> {
  // The table above has exactly this entry; the compiler cannot follow the mapped index.
  return (EVENTS[kind] as () => PayoutEvent)() as EventOf<Kind>;
}

/** A payment of a row, as its family knows it. */
export function aMember(id: string, status: Status, changes: Partial<FamilyMember> = {}): FamilyMember {
  return {
    payoutId: asPayoutId(id),
    batchId: asBatchId('b-redo'),
    batchName: 'redo',
    rowNumber: 2,
    status,
    at: NOW,
    isCurrent: true,
    isIncident: false,
    wasIncident: false,
    ...changes,
  };
}
