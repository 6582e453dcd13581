/**
 * What the service answers to everything but a transfer: logins, lists, names, quotes, rates, statuses, profile.
 */

import { formatStamp } from '../../src/contract/wire-date.ts';
import type { Exchange, Reply } from '../../src/service/read-client.ts';
import type { Random } from '../builders/random.ts';
import type { Faults } from './faults.ts';
import type { MarketAnswer } from './market.ts';
import type { Oracle } from './oracle.ts';

export interface QuestionWorld {
  readonly oracle: Oracle;
  readonly faults: Faults;
  readonly random: Random;
  /** The service's own wall clock. */
  readonly nowMs: () => number;
  /** The payout that a transfer belongs to, to say what a fault struck. */
  readonly payoutOf: (tag: string) => number | undefined;
  /** How long a token lasts in this history. */
  readonly tokenLifeMs: number;
}

const ZONE_MINUTES = 60;
const DEARER_WHEN_HEALED = 0.35;

export class Questions {
  readonly #world: QuestionWorld;
  readonly #declined = new Map<string, boolean>();
  readonly #missing = new Map<string, number>();
  readonly #quoted = new Set<string>();

  constructor(world: QuestionWorld) {
    this.#world = world;
  }

  /** `to`: the process that asks. */
  answer(exchange: Exchange, to: string): Reply {
    const { faults, random, oracle } = this.#world;
    const { endpoint, headers } = exchange;
    if (endpoint === 'login') return this.#reply(this.#logIn());
    if (endpoint === 'transaction' ? faults.strikes('status_unavailable') : this.#isUnanswered(endpoint))
      return random.chance(0.5) ? NO_ANSWER : this.#reply(serverError(random));
    if (!oracle.takes(headers.token)) return this.#reply(tokenRefused(random));
    return this.#reply(this.#answerOf(exchange, to));
  }

  #isUnanswered(endpoint: string): boolean {
    // The breaker's probe and the token check ask the profile: those must fail often enough to matter.
    return this.#world.faults.strikes('questions_unavailable') && endpoint !== '';
  }

  #answerOf({ endpoint, url }: Exchange, to: string): AnswerText {
    const { random, oracle, faults } = this.#world;
    const { market } = oracle;
    const parts = new URL(url).pathname.split('/').slice(1).map(decodeURIComponent);
    const fetched = formatStamp(this.#world.nowMs(), ZONE_MINUTES);
    switch (endpoint) {
      case 'countries':
        this.#keep({ kind: 'countries', list: market.countries }, to);
        return success(market.countries, random, fetched);
      case 'fis': {
        const list = market.institutions;
        this.#keep({ kind: 'institutions', countryId: parts[1] ?? '', list }, to);
        return success(list, random, fetched);
      }
      case 'fisit':
        return this.#nameOf(parts[1] ?? '', parts[2] ?? '', to);
      case 'estimate':
        return this.#estimate(parts[3] ?? '', to);
      case 'rate': {
        if (faults.strikes('rate_moves')) market.rate *= random.pick([0.9, 0.97, 1.05]);
        const rate = market.rate.toFixed(4);
        this.#keep({ kind: 'rate', rate: Number(rate) }, to);
        return success({ rate }, random, fetched);
      }
      case 'transaction':
        return this.#transaction(parts[1] ?? '');
      default:
        return success({ id: 'shop', name: 'Shop' }, random, fetched);
    }
  }

  #keep(answer: MarketAnswer, to: string): void {
    const { oracle } = this.#world;
    oracle.market.answers.push({ ...answer, atMs: oracle.nowMs(), to });
  }

  #nameOf(institutionId: string, account: string, to: string): AnswerText {
    const { faults, random, oracle } = this.#world;
    const { holders } = oracle.market;
    if (!holders.has(account)) {
      const isUnknown = account.startsWith('0244000');
      const differs = faults.strikes('name_differs');
      const names = ['AMA MENSA', 'KOFI BOATENG', undefined, 'A. MENSAH'] as const;
      holders.set(account, differs ? random.pick(names) : isUnknown ? undefined : 'AMA MENSAH');
    }
    const name = holders.get(account);
    this.#keep({ kind: 'name', institutionId, account, holder: name }, to);
    return name === undefined ? failure(44, 'no such account') : success({ name }, random);
  }

  #estimate(amount: string, to: string): AnswerText {
    const { faults, random, oracle } = this.#world;
    const { market } = oracle;
    const known = this.#declined.get(amount) ?? faults.strikes('quote_declined');
    this.#declined.set(amount, known && random.chance(0.7) && !faults.isHealed());
    if (known && !faults.isHealed()) return failure(61, 'no quote for this amount');
    if (faults.strikes('rate_moves')) market.rate *= random.pick([0.98, 1.02, 1.3]);
    // Of payments that were quoted before, more often: that is the moment when an agreed fee is no more.
    const isAgain = this.#quoted.has(amount);
    this.#quoted.add(amount);
    // When all is healed a price may still be another one than yesterday's.
    const isDearer = faults.isHealed()
      ? isAgain && faults.knows('fee_jumps') && random.chance(DEARER_WHEN_HEALED)
      : faults.strikes('fee_jumps', undefined, isAgain ? 6 : 1);
    const fees = isDearer ? 900 : market.fee;
    const rate = market.rate.toFixed(4);
    this.#keep({ kind: 'estimate', amount, rate: Number(rate), fee: fees }, to);
    return success({ rate, speed: random.below(8), fees }, random);
  }

  #transaction(id: string): AnswerText {
    const { faults, random, oracle, payoutOf } = this.#world;
    const execution = oracle.byId(id);
    if (execution === undefined) return failure(44, 'no such transaction');
    if (!this.#missing.has(id)) {
      const isMissing = faults.strikes('status_not_found', payoutOf(execution.tag));
      this.#missing.set(id, isMissing ? random.between(1, 6) : 0);
    }
    const left = this.#missing.get(id) ?? 0;
    this.#missing.set(id, left - 1);
    if (left > 0 && !faults.isHealed()) {
      oracle.told.push({ id, atMs: oracle.nowMs(), status: undefined });
      return failure(44, 'no such transaction');
    }
    const { name, institution: Bank, country: destination } = execution;
    const status = oracle.tell(execution);
    if (status === undefined) return failure(44, 'no such transaction');
    const { word: Status, amount } = status;
    return success({ id, amount, receiver: name, Status, Bank, destination }, random);
  }

  #logIn(): AnswerText {
    const { faults, random, oracle, tokenLifeMs, nowMs } = this.#world;
    if (faults.strikes('login_fails')) return serverError(random);
    if (faults.strikes('credentials_refused')) return failure(2, 'wrong password', 401);
    const expiry = formatStamp(nowMs() + tokenLifeMs, ZONE_MINUTES);
    return success({ token: oracle.logIn(tokenLifeMs), id: 'shop', expiry }, random);
  }

  #reply({ httpStatus, body, retryAfter }: AnswerText): Reply {
    const date = this.#world.random.chance(0.8) ? new Date(this.#world.nowMs()).toUTCString() : undefined;
    return { kind: 'answer', httpStatus, date, retryAfter, body };
  }
}

const NO_ANSWER: Reply = { kind: 'no_answer', reason: 'ECONNRESET' };

export interface AnswerText {
  readonly httpStatus: number;
  readonly body: string;
  readonly retryAfter?: string;
}

export function success(data: unknown, random: Random, fetched?: string): AnswerText {
  const status = random.pick(['Success', 'success', 'SUCCESS']);
  const code = random.pick([0, '0']);
  return { httpStatus: 200, body: JSON.stringify({ status, data, message: 'ok', code, fetched }) };
}

export function failure(code: number | string, message: string, httpStatus = 200): AnswerText {
  return { httpStatus, body: JSON.stringify({ status: 'Failed', data: {}, message, code }) };
}

export function tokenRefused(random: Random): AnswerText {
  return random.pick([
    failure(1, 'session expired', 200),
    failure('1', 'session expired', 401),
    { httpStatus: 401, body: '' },
  ]);
}

export function rateLimited(random: Random): AnswerText {
  const retryAfter = random.chance(0.05) ? '1000000000' : random.pick(['1', '2', '30', '400', 'soon', '-1']);
  const body = random.pick(['', 'Too many requests', JSON.stringify(failure(29, 'slow down').body)]);
  return { httpStatus: 429, body, retryAfter };
}

export function refusal(random: Random): AnswerText {
  const code = random.pick([51, '52', 53]);
  const message = random.pick(['account closed', 'limit reached', 'not allowed', 'wrong institution']);
  return failure(code, message, random.pick([200, 400, 404, 422]));
}

export function serverError(random: Random): AnswerText {
  const httpStatus = random.pick([500, 502, 503, 504, 520]);
  return random.pick([
    { httpStatus, body: '<html>Bad gateway</html>' },
    { httpStatus, body: '' },
    failure(99, 'internal error', httpStatus),
  ]);
}

/** Answers that prove nothing, whatever happened. */
export function oddAnswer(random: Random, id: string): AnswerText {
  const say = (httpStatus: number, envelope: unknown) => ({ httpStatus, body: JSON.stringify(envelope) });
  return random.pick([
    failure(9, 'may exist', 409),
    failure(9, 'too early', 425),
    failure(9, 'misdirected', 421),
    { httpStatus: 403, body: '<html>Forbidden</html>' },
    { httpStatus: 408, body: '' },
    { httpStatus: 307, body: '' },
    { httpStatus: 302, body: '<html>Moved</html>' },
    { httpStatus: 204, body: '' },
    { httpStatus: 200, body: '' },
    { httpStatus: 200, body: '{"status":"Success","data":{"id":"tr-' },
    say(200, { status: 'Success', data: {}, code: 0 }),
    say(200, { status: 'Success', data: { id }, code: 5 }),
    say(200, { status: 'Failed', data: {}, code: 0 }),
    say(400, { status: 'Failed', data: { id }, code: 51 }),
    say(201, { status: 'Pending', data: null, code: 7 }),
    say(200, { status: 'Failed', data: null, code: 51 }),
  ]);
}
