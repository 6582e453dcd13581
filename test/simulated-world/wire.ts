/**
 * The wire between a process and the service, in the place of postTransfer: decides separately whether a request
 * arrives, whether and when it executes, and what of the answer comes back, as HTTP with its framing. What that
 * means is left to the real adapter.
 */
import type { PostAnswer, PostResult, postTransfer } from '../../src/service/post-transfer.ts';
import type { Random } from '../builders/random.ts';
import {
  type AnswerText,
  failure,
  oddAnswer,
  rateLimited,
  refusal,
  serverError,
  success,
  tokenRefused,
} from './answers.ts';
import type { FaultName, Faults } from './faults.ts';
import type { Apart, Execution, Oracle } from './oracle.ts';
import type { Actor, Scheduler } from './scheduler.ts';

export interface WireWorld {
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly random: Random;
  readonly oracle: Oracle;
  /** The service goes on when a process dies. */
  readonly service: Actor;
  readonly watch: WireWatch;
}

/** The body of a transfer request (service interface 2.4). */
export interface TransferRequest {
  readonly Source: string;
  readonly Destination: string;
  readonly Amount: number;
  readonly Fi: string;
  readonly Note: string;
  readonly AccountNo: string;
  readonly Name: string;
  readonly Phone?: string;
}

/** Who looks at what goes over the wire. */
export interface WireWatch {
  readonly payoutOf: (tag: string) => number | undefined;
  /** The first byte is about to leave. Returns the payout that the tag belongs to. */
  readonly writing: (tag: string, request: TransferRequest, process: Actor) => number;
  readonly executed: (execution: Execution, payout: number) => void;
  /** A whole success answer has reached the process. */
  readonly idDelivered: (id: string, payout: number, to: Actor) => void;
  /** Whatever ends this request, it proves nothing, or so its sender must think. */
  readonly unclear: (payout: number) => void;
  /** Answered with 429, and asked to wait so long. */
  readonly limited: (payout: number, waitMs: number) => void;
}

const WIRE_FAULTS = [
  'request_lost',
  'answer_lost',
  'answer_cut',
  'server_error_executed',
  'server_error_unexecuted',
  'odd_answer',
  'token_revoked',
  'code_one_refusal',
  'unauthorized_though_good',
  'rate_limited',
  'refused',
  'duplicate_id',
  'foreign_id',
  'late_execution',
  'late_answer',
  'refuses_after_executing',
  'doubled',
] as const satisfies readonly FaultName[];
type WireFault = (typeof WIRE_FAULTS)[number];

type Post = typeof postTransfer;
type PostOrder = Parameters<Post>[0];

export function simWire(process: Actor, world: WireWorld): Post {
  return (order) => new Promise((resolve) => new Delivery(order, process, world, resolve).begin());
}

const BYTES = 512;

class Delivery {
  readonly #order: PostOrder;
  readonly #process: Actor;
  readonly #world: WireWorld;
  readonly #resolve: (result: PostResult) => void;
  readonly #request: TransferRequest;
  readonly #writtenMs: number;
  #payout = 0;
  /** What becomes of a request that has arrived, fault by fault. */
  readonly #arrivals: Readonly<Record<WireFault | 'plain', () => void>> = {
    plain: () => this.#answerId(this.#execute().id),
    request_lost: () => this.#noAnswer(),
    answer_lost: () => {
      this.#execute();
      this.#noAnswer();
    },
    answer_cut: () => this.#cut(this.#execute().id),
    server_error_executed: () => {
      this.#execute();
      this.#unclear(serverError(this.#world.random));
    },
    server_error_unexecuted: () => this.#unclear(serverError(this.#world.random)),
    odd_answer: () => {
      const id = this.#world.random.chance(0.5) ? this.#execute().id : 'tr-none';
      this.#unclear(oddAnswer(this.#world.random, id));
    },
    token_revoked: () => {
      this.#world.oracle.revoke(this.#order.headers.token);
      this.#answer(tokenRefused(this.#world.random));
    },
    code_one_refusal: () => {
      const { random } = this.#world;
      this.#answer(failure(random.pick([1, '1']), 'not possible', random.pick([200, 400])));
    },
    unauthorized_though_good: () => {
      const { random } = this.#world;
      // Should the token end before it is asked about, nothing could tell this from a token that had ended before.
      if (random.chance(0.5)) this.#execute('refuses_after_executing');
      this.#unclear(failure(random.pick([1, 3]), 'not allowed', 401));
    },
    rate_limited: () => this.#answer(rateLimited(this.#world.random)),
    refused: () => this.#answer(refusal(this.#world.random)),
    duplicate_id: () => this.#duplicate(),
    foreign_id: () => this.#foreign(),
    late_execution: () => this.#executeLate(),
    late_answer: () => this.#answerLate(),
    refuses_after_executing: () => {
      this.#execute('refuses_after_executing');
      this.#answer(this.#world.random.pick([refusal, rateLimited])(this.#world.random));
    },
    doubled: () => {
      const { id } = this.#execute();
      this.#execute('doubled');
      this.#answerId(id);
    },
  };

  constructor(order: PostOrder, process: Actor, world: WireWorld, resolve: (result: PostResult) => void) {
    this.#order = order;
    this.#process = process;
    this.#world = world;
    this.#resolve = resolve;
    this.#request = JSON.parse(order.body);
    this.#writtenMs = world.scheduler.nowMs;
  }

  begin(): void {
    const { oracle, scheduler, service, watch, random } = this.#world;
    this.#payout = watch.writing(this.#tag(), this.#request, this.#process);
    const fault = this.#fault();
    scheduler.after(service, random.below(400), `arrives ${this.#payout} ${fault ?? ''}`, () => {
      if (fault !== 'request_lost' && !oracle.takes(this.#order.headers.token))
        this.#answer(tokenRefused(random));
      else this.#arrivals[fault ?? 'plain']();
    });
  }

  #fault(): WireFault | undefined {
    const { random, faults } = this.#world;
    const first = random.below(WIRE_FAULTS.length);
    for (let index = 0; index < WIRE_FAULTS.length; index += 1) {
      const kind = WIRE_FAULTS[(first + index) % WIRE_FAULTS.length];
      if (kind !== undefined && faults.strikes(kind, this.#payout)) return kind;
    }
    return undefined;
  }

  #execute(apart?: Apart): Execution {
    const { oracle, watch } = this.#world;
    const { AccountNo: account, Amount, Name: name, Fi, Destination } = this.#request;
    const institution = oracle.market.nameOf(Fi) ?? '';
    const country = oracle.market.nameOf(Destination) ?? '';
    const tag = this.#tag();
    const order = { tag, account, amount: String(Amount), name, institution, country, apart };
    const execution = oracle.execute(order, this.#payout);
    watch.executed(execution, this.#payout);
    return execution;
  }

  #duplicate(): void {
    const { oracle, random } = this.#world;
    const earlier = oracle.book.length === 0 ? undefined : random.pick(oracle.book);
    const { id } = this.#execute();
    if (earlier === undefined) {
      this.#answerId(id);
      return;
    }
    this.#unclear(success({ id: earlier.id }, random));
  }

  /** Another program paid the same sum to the same institution, and that transfer fails. */
  #foreign(): void {
    const { oracle, random } = this.#world;
    const { amount, institution } = this.#execute();
    const other = oracle.foreign(amount, { name: 'EFUA OWUSU', institution });
    other.fate = { kind: 'fails', afterMs: 0, word: 'Failed' };
    this.#unclear(success({ id: other.id }, random));
  }

  #executeLate(): void {
    const { scheduler, service, random } = this.#world;
    const { timeoutMs } = this.#order;
    const delay = timeoutMs + random.below(timeoutMs * 3);
    scheduler.after(service, delay, `executes late ${this.#payout}`, () => this.#execute());
    this.#noAnswer();
  }

  #answerLate(): void {
    const { scheduler, random, watch } = this.#world;
    const { timeoutMs, lateAnswerMs, closing } = this.#order;
    const { id } = this.#execute();
    watch.unclear(this.#payout);
    const lateMs = random.below(lateAnswerMs * 1.5);
    scheduler.after(this.#process, timeoutMs, `patience ends ${this.#payout}`, () => {
      const { promise: answer, resolve } = Promise.withResolvers<PostAnswer | undefined>();
      let isClosed = false;
      const stop = () => {
        isClosed = true;
        resolve(undefined);
      };
      closing.addEventListener('abort', stop, { once: true });
      this.#resolve({ ...this.#nothing('timeout'), late: { answer, stop } });
      if (lateMs >= lateAnswerMs) return scheduler.after(this.#process, lateAnswerMs, 'gives up', stop);
      scheduler.after(this.#process, lateMs, `late answer ${this.#payout}`, () => {
        if (isClosed) return;
        watch.idDelivered(id, this.#payout, this.#process);
        resolve(this.#whole(success({ id }, random)));
      });
    });
  }

  #answerId(id: string): void {
    const { watch, random } = this.#world;
    this.#back(`accepted ${this.#payout} ${id}`, () => {
      watch.idDelivered(id, this.#payout, this.#process);
      return this.#whole(success({ id }, random));
    });
  }

  #unclear(text: AnswerText): void {
    this.#world.watch.unclear(this.#payout);
    this.#answer(text);
  }

  #answer(text: AnswerText): void {
    if (text.httpStatus === 429) this.#world.watch.limited(this.#payout, waitOf(text));
    this.#back(`answer ${text.httpStatus} ${this.#payout}`, () => this.#whole(text));
  }

  /** The answer travels; a process that was stopped meanwhile may find that its patience is over. */
  #back(label: string, make: () => PostAnswer): void {
    const { scheduler, random, watch } = this.#world;
    scheduler.after(this.#process, random.below(1_500), label, () => {
      const isOverdue = scheduler.nowMs - this.#writtenMs > this.#order.timeoutMs;
      if (!isOverdue || random.chance(0.5)) {
        this.#resolve(make());
        return;
      }
      watch.unclear(this.#payout);
      this.#resolve({
        ...this.#nothing('timeout'),
        late: { answer: Promise.resolve(make()), stop: () => undefined },
      });
    });
  }

  #cut(id: string): void {
    const { random, watch, scheduler } = this.#world;
    watch.unclear(this.#payout);
    const whole = success({ id }, random).body;
    const body = Buffer.from(whole.slice(0, random.below(whole.length)));
    const result: PostResult = random.chance(0.5)
      ? { ...this.#nothing('answer_cut'), phase: 'answer', httpStatus: 200, body }
      : {
          kind: 'answer',
          bytesWritten: BYTES,
          httpStatus: 200,
          complete: false,
          retryAfter: undefined,
          date: undefined,
          body,
        };
    scheduler.after(this.#process, random.below(1_500), `cut ${this.#payout}`, () => this.#resolve(result));
  }

  #noAnswer(): void {
    const { random, watch, scheduler } = this.#world;
    watch.unclear(this.#payout);
    const isReset = random.chance(0.5);
    const delay = isReset ? random.below(2_000) : this.#order.timeoutMs;
    const result = this.#nothing(isReset ? 'ECONNRESET' : 'timeout');
    scheduler.after(this.#process, delay, `no answer ${this.#payout}`, () => this.#resolve(result));
  }

  #nothing(errorCode: string) {
    const phase = this.#world.random.pick(['write', 'wait'] as const);
    const body = new Uint8Array();
    return { kind: 'no_answer', phase, errorCode, bytesWritten: BYTES, httpStatus: undefined, body } as const;
  }

  #whole({ httpStatus, body, retryAfter }: AnswerText): PostAnswer {
    const bytes = Buffer.from(body);
    return {
      kind: 'answer',
      bytesWritten: BYTES,
      httpStatus,
      complete: true,
      retryAfter,
      date: undefined,
      body: bytes,
    };
  }

  #tag(): string {
    return tagIn(this.#request.Note);
  }
}

/** The tag of an instruction begins the note. */
export const tagIn = (note: string): string => note.slice(0, 11);

const DAY_MS = 24 * 3_600_000;

/** What a plain number of seconds asks for; nobody has to believe more than a day. */
function waitOf({ retryAfter = '' }: AnswerText): number {
  return /^\d+$/.test(retryAfter) ? Math.min(Number(retryAfter) * 1_000, DAY_MS) : 0;
}
