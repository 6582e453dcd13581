/**
 * A payment service in memory that does with each transfer what the test says, and keeps its own book of what
 * it executed. The book knows nothing of our states: it is the oracle for “paid at most once”.
 */

import { asTransferId, type TransferId } from '../../src/domain/payouts/instruction.ts';
import type { Evidence } from '../../src/domain/payouts/payout.ts';
import {
  asCountryId,
  asInstitutionId,
  type Country,
  type Institution,
} from '../../src/domain/rows/directory.ts';
import type { Clock } from '../../src/ports/clock.ts';
import {
  type AcceptedOutcome,
  type Asked,
  CredentialsRefused,
  type Estimate,
  type NotSent,
  type PaymentService,
  type Prepared,
  type SendOutcome,
  type TransferOrder,
} from '../../src/ports/payment-service.ts';
import { money } from '../builders/payouts.ts';

/** What happens to one transfer request. */
export type Script =
  | 'accept'
  /** Executed; the answer never comes. */
  | 'lose_after'
  /** Executed; the answer comes after the patience for it has run out, when the test says so; see `late`. */
  | 'late'
  /** Executed; the late answer names the transfer before it. */
  | 'late_same_id'
  /** Not executed; the answer never comes. */
  | 'lose_before'
  | 'rate_limited'
  /** Executed, and answered with 429 all the same. */
  | 'limited_after'
  | 'token_refused'
  /** Executed, and answered that the token is refused all the same. */
  | 'token_refused_after'
  /** The connection fails before the first byte, after the intent. */
  | 'not_sent'
  /** Executed, answered with the id of the first transfer of all. */
  | 'same_id'
  /** Executed when the test says so; see `hanging`. */
  | 'hang'
  | { readonly refuse: string; readonly code?: string };

export interface Executed {
  readonly transferId: TransferId;
  readonly account: string;
  readonly amount: string;
  readonly note: string;
  readonly name: string;
}

export interface ScriptedPaymentService extends PaymentService {
  /** Every execution, in order. */
  readonly book: readonly Executed[];
  /** Every call in order: `send 0244…`, `profile`, `transaction tr-1`. */
  readonly calls: string[];
  /** Requests that hang, to be let go. */
  readonly hanging: { readonly answer: (script: Exclude<Script, 'hang'>) => void }[];
  /** Late answers: let them come, or not. */
  readonly late: { readonly answer: (comes: boolean) => void }[];
  /** Most requests that were on the wire at once. */
  inFlightMost: number;
  /** What to do with the next requests, in turn; afterwards `script` decides. */
  readonly turns: Script[];
  script: (order: TransferOrder) => Script;
  /** Called when a request is about to be written; for looking at what is durable then. */
  beforeSend: (order: TransferOrder) => Promise<void>;
  /** What the next preparations come to, in turn: the phase that fails, or fine. */
  readonly prepareTurns: ('connect' | 'login' | 'credentials' | 'fine')[];
  prepare: () => 'connect' | 'fine';
  /** Names by account; `undefined` in the map: no such account. */
  readonly names: Map<string, string | undefined>;
  nameAnswer: Asked<string> | undefined;
  profileAnswer: Asked<string>;
  estimateAnswer: Asked<Estimate>;
  rateAnswer: Asked<string>;
  /** The word of a transfer; `unavailable`: the service does not answer. */
  statusOf: (id: TransferId) => string;
  isUnanswered: (id: TransferId) => boolean;
  /** What a 429 asks for. */
  retryAfterMs: number;
}

export const COUNTRIES: readonly Country[] = [
  { id: asCountryId('c-gb'), name: 'United Kingdom', iso: 'GB', callingCode: '44' },
  { id: asCountryId('c-gh'), name: 'Ghana', iso: 'GH', callingCode: '233' },
  { id: asCountryId('c-ke'), name: 'Kenya', iso: 'KE', callingCode: '254' },
];

const institution = (id: string, name: string, currency: string): Institution => ({
  id: asInstitutionId(id),
  name,
  currency: money(`${currency} 0.00`).currency,
  charges: '0',
});
const INSTITUTIONS: Readonly<Record<string, readonly Institution[]>> = {
  'c-gh': [institution('i-mtn', 'MTN Mobile Money', 'GHS'), institution('i-gcb', 'GCB Bank', 'GHS')],
  'c-ke': [institution('i-mpesa', 'M-Pesa', 'KES')],
};

const answered = <Answer>(answer: Answer): Asked<Answer> => ({ kind: 'answered', answer });

const NO_ACCOUNT = { kind: 'declined', code: '44', message: 'no such account' } as const;

export function createScriptedPaymentService(clock: Clock): ScriptedPaymentService {
  const book: Executed[] = [];
  const calls: string[] = [];
  const institutions = new Map<TransferId, string | undefined>();
  let inFlight = 0;

  const execute = (order: TransferOrder): TransferId => {
    const transferId = asTransferId(`tr-${book.length + 1}`);
    const { amount, note, name } = order;
    book.push({ transferId, account: order.account.reveal(), amount, note, name });
    const listed = Object.values(INSTITUTIONS).flat();
    institutions.set(transferId, listed.find(({ id }) => id === order.institutionId)?.name);
    return transferId;
  };

  const service: ScriptedPaymentService = {
    book,
    calls,
    hanging: [],
    late: [],
    inFlightMost: 0,
    turns: [],
    script: () => 'accept',
    beforeSend: async () => undefined,
    prepareTurns: [],
    prepare: () => 'fine',
    names: new Map(),
    nameAnswer: undefined,
    profileAnswer: answered('{}'),
    estimateAnswer: answered({ rate: '15.5', fee: '1.02', speedSeconds: 30 }),
    rateAnswer: answered('15.5'),
    statusOf: () => 'Finished',
    isUnanswered: () => false,
    retryAfterMs: 1_000,
    countries: async () => answered(COUNTRIES),
    institutions: async (countryId) => answered(INSTITUTIONS[countryId] ?? []),
    async accountName({ account }) {
      calls.push(`name ${account.reveal()}`);
      if (service.nameAnswer !== undefined) return service.nameAnswer;
      const name = service.names.get(account.reveal());
      const isUnknown = service.names.has(account.reveal()) && name === undefined;
      return isUnknown ? NO_ACCOUNT : answered(name ?? 'AMA MENSAH');
    },
    async estimate() {
      calls.push('estimate');
      return service.estimateAnswer;
    },
    async rate() {
      calls.push('rate');
      return service.rateAnswer;
    },
    async transaction(id, signal) {
      signal?.throwIfAborted();
      calls.push(`transaction ${id}`);
      if (service.isUnanswered(id)) return { kind: 'unavailable', reason: '503' };
      const entry = book.find(({ transferId }) => transferId === id);
      if (entry === undefined) return { kind: 'declined', code: '44', message: 'no such transaction' };
      const { amount, name } = entry;
      const shown = { institution: institutions.get(id), destination: undefined, date: undefined };
      return answered({ id, status: service.statusOf(id), amount, receiver: name, ...shown });
    },
    async profile(signal) {
      signal?.throwIfAborted();
      calls.push('profile');
      return service.profileAnswer;
    },
    async prepareSend(signal) {
      signal?.throwIfAborted();
      const turn = service.prepareTurns.shift() ?? service.prepare();
      calls.push(`prepare ${turn}`);
      if (turn === 'credentials') throw new CredentialsRefused('The service refused the id and password.');
      if (turn !== 'fine') return { kind: 'not_sent', phase: turn, reason: 'connection refused' };
      return { kind: 'prepared', discard: () => void calls.push('discard') };
    },
    async send(order, _prepared: Prepared) {
      calls.push(`send ${order.account.reveal()}`);
      inFlight += 1;
      service.inFlightMost = Math.max(service.inFlightMost, inFlight);
      try {
        await service.beforeSend(order);
        const script = service.turns.shift() ?? service.script(order);
        return await play(script, order);
      } finally {
        inFlight -= 1;
      }
    },
    close: async () => undefined,
  };

  async function play(script: Script, order: TransferOrder): Promise<SendOutcome> {
    if (script === 'hang') {
      const next = await new Promise<Exclude<Script, 'hang'>>((resolve) => {
        service.hanging.push({ answer: resolve });
      });
      return play(next, order);
    }
    const evidence = evidenceOf(order, clock);
    if (typeof script === 'object') {
      return { kind: 'refused', code: script.code ?? '51', message: script.refuse, evidence };
    }
    switch (script) {
      case 'accept':
        return { kind: 'accepted', transferId: execute(order), at: clock.now(), evidence };
      case 'same_id': {
        const first = book.at(0)?.transferId ?? asTransferId('tr-0');
        execute(order);
        return { kind: 'accepted', transferId: first, at: clock.now(), evidence };
      }
      case 'lose_after':
        execute(order);
        return { kind: 'in_doubt', reason: 'no_answer', evidence: { ...evidence, phase: 'wait' } };
      case 'late':
      case 'late_same_id': {
        const before = book.at(-1)?.transferId ?? asTransferId('tr-0');
        const executed = execute(order);
        const transferId = script === 'late' ? executed : before;
        const { promise, resolve } = Promise.withResolvers<AcceptedOutcome | undefined>();
        const accepted = { kind: 'accepted', transferId, at: clock.now(), evidence } as const;
        service.late.push({ answer: (comes) => resolve(comes ? accepted : undefined) });
        return {
          kind: 'in_doubt',
          reason: 'no_answer',
          evidence: { ...evidence, phase: 'wait' },
          late: { answer: promise, stop: () => resolve(undefined) },
        };
      }
      case 'lose_before':
        return { kind: 'in_doubt', reason: 'no_answer', evidence: { ...evidence, phase: 'wait' } };
      case 'limited_after':
        execute(order);
        return { kind: 'turned_away', why: 'rate_limited', delayMs: service.retryAfterMs, evidence };
      case 'rate_limited':
        return { kind: 'turned_away', why: 'rate_limited', delayMs: service.retryAfterMs, evidence };
      case 'token_refused_after':
        execute(order);
        return { kind: 'turned_away', why: 'token_refused', delayMs: undefined, evidence };
      case 'token_refused':
        return { kind: 'turned_away', why: 'token_refused', delayMs: undefined, evidence };
      case 'not_sent':
        return { kind: 'not_sent', phase: 'write', reason: 'connection reset' } satisfies NotSent;
    }
  }
  return service;
}

function evidenceOf({ attempt }: TransferOrder, clock: Clock): Evidence {
  return { attempt, phase: 'answer', startedAt: clock.now(), endedAt: clock.now(), bytesWritten: 512 };
}
