/**
 * A payment service whose k-th event fails: no answer, a refusal, a connection that never comes about, a person
 * who stops the command at that moment, a bug of ours, or an outage that begins there.
 */
import { CredentialsRefused, type PaymentService } from '../../src/ports/payment-service.ts';
import { withFreeLease } from '../fakes/crash.ts';
import type { ScriptedPaymentService } from '../fakes/scripted-payment-service.ts';
import { type Fault, type Instrument, NEVER, type Strike } from './fault.ts';

type Event = keyof PaymentService;

const EVENTS: readonly Event[] = [
  'countries',
  'institutions',
  'accountName',
  'estimate',
  'rate',
  'transaction',
  'profile',
  'prepareSend',
  'send',
];

/** An error that nobody expects, as a bug of ours would throw. */
export class PlantedBug extends Error {
  override readonly name = 'PlantedBug';
}

interface Hit {
  readonly event: Event;
  readonly service: ScriptedPaymentService;
  /** Asks the service after all. */
  readonly run: () => Promise<unknown>;
  readonly given: readonly unknown[];
  /** Ends the person's command, as ^C does. */
  readonly stop: () => void;
}

interface Kind {
  readonly lasts: 'once' | 'from_then_on';
  readonly doubts: (event: Event, concurrency: number) => number;
  readonly mayHold?: boolean;
  readonly play: (hit: Hit) => Promise<unknown>;
}

const unavailable = { kind: 'unavailable', reason: '503' } as const;
const declined = { kind: 'declined', code: '9', message: 'not now' } as const;
const notSent = (phase: 'connect' | 'login') =>
  ({ kind: 'not_sent', phase, reason: 'connection refused' }) as const;
const oneIfSend = (event: Event) => (event === 'send' ? 1 : 0);

/** Executed or not by the script, whatever the test's own script says. */
function lost(script: 'lose_after' | 'lose_before' | 'not_sent') {
  return ({ service, run }: Hit) => {
    service.turns.unshift(script);
    return run();
  };
}

const noAnswer: Kind['play'] = (hit) => {
  if (hit.event === 'send') return lost('lose_after')(hit);
  return Promise.resolve(hit.event === 'prepareSend' ? notSent('connect') : unavailable);
};

const KINDS: Readonly<Record<string, Kind>> = {
  'an answer lost after the money moved': { lasts: 'once', doubts: oneIfSend, play: noAnswer },
  'a question refused, an answer lost before the money moved': {
    lasts: 'once',
    doubts: oneIfSend,
    mayHold: true,
    play: (hit) => {
      if (hit.event === 'send') return lost('lose_before')(hit);
      if (hit.event === 'prepareSend') return Promise.reject(new CredentialsRefused('Refused.'));
      return Promise.resolve(declined);
    },
  },
  'a connection that fails before the first byte': {
    lasts: 'once',
    doubts: () => 0,
    play: (hit) => {
      if (hit.event === 'send') return lost('not_sent')(hit);
      return Promise.resolve(hit.event === 'prepareSend' ? notSent('login') : unavailable);
    },
  },
  'a person who stops the command': {
    lasts: 'once',
    doubts: () => 0,
    play: ({ event, given, run, stop }) => {
      stop();
      const signal = given.at(-1);
      const mayBreakOff = event !== 'send' && signal instanceof AbortSignal;
      return mayBreakOff ? Promise.reject(signal.reason) : run();
    },
  },
  'a bug of ours': {
    lasts: 'once',
    doubts: oneIfSend,
    play: async ({ event, run }) => {
      if (event === 'send') await run();
      throw new PlantedBug(`Planted at ${event}`);
    },
  },
  'an outage that begins': {
    lasts: 'from_then_on',
    doubts: (_, concurrency) => concurrency,
    play: noAnswer,
  },
};

export const NETWORK_FAULTS: readonly Instrument[] = Object.entries(KINDS).map(([name, kind]) => ({
  name,
  counts: 'events',
  arm: (at, concurrency) => armed(kind, at, concurrency),
}));

function armed(kind: Kind, at: number, concurrency: number): Fault {
  const person = new AbortController();
  let events = 0;
  let strike: Strike | undefined;

  const asked = (event: Event, given: readonly unknown[], hit: Pick<Hit, 'service' | 'run'>) => {
    events += 1;
    if (events < at || (events > at && kind.lasts === 'once')) return hit.run();
    const { doubts, mayHold = false } = kind;
    const doubtsMost = doubts(event, concurrency);
    strike ??= { what: event, doubtsMost, doubtsMostBesideFile: doubtsMost, mayHold };
    const stop = () => person.abort(new DOMException('The person stopped it', 'AbortError'));
    return kind.play({ event, given, stop, ...hit });
  };

  return {
    ledger: withFreeLease,
    service: (service) =>
      new Proxy(service, {
        get(target, key) {
          const value: unknown = Reflect.get(target, key);
          if (typeof value !== 'function' || !EVENTS.some((event) => event === key)) return value;
          return (...given: unknown[]) => {
            const run = () => Promise.resolve(Reflect.apply(value, target, given));
            return asked(key as Event, given, { service, run });
          };
        },
      }),
    signal: person.signal,
    died: NEVER,
    counted: () => events,
    struck: () => strike,
  };
}
