/**
 * The judge of a history: compares what the ledger says with what the service's book says, at every request, at
 * every execution and after every commit. What no machine could have known is counted apart.
 *
 * A: at most one execution per row that is not proven unexecuted. B is judged at the end, by end-check.ts.
 */
import { placeNames } from '../../src/domain/payouts/payout.ts';
import { type Coverage, moveOf } from './coverage.ts';
import type { DurableWatch, Known, Moved } from './durable-watch.ts';
import type { Faults } from './faults.ts';
import { type Execution, isPaid, type Oracle } from './oracle.ts';
import type { Actor, Scheduler, Trace } from './scheduler.ts';

export const APART = ['doubled', 'refuses_after_executing', 'ruled_unpaid', 'service_said_failed'] as const;
export type ApartKind = (typeof APART)[number];

export interface Delivered {
  readonly id: string;
  readonly payout: number;
  readonly to: Actor & { isDead(): boolean };
}

export interface JudgeWorld {
  readonly oracle: Oracle;
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly trace: Trace;
  readonly coverage: Coverage;
  readonly postTimeoutMs: number;
  /** How much longer than that nobody may rule “not paid”. */
  readonly quietMs: number;
  readonly failConfirmMs: number;
}

const TRIES_MAX = 3;
/** States in which a row may have been paid, or was. */
const MAY_BE_PAID: readonly string[] = ['sending', 'in_doubt', 'accepted', 'settled', 'returned'];
const LIVE: readonly string[] = ['approved', 'sending', 'in_doubt', 'accepted', 'settled'];

export class Judge {
  readonly violations: string[] = [];
  readonly apart = new Map<ApartKind, number>();
  readonly delivered: Delivered[] = [];
  readonly said: string[] = [];
  /** Batches that repeat another one on purpose: number → number of the other. */
  readonly repeats = new Map<number, number>();
  /** Repeats are judged by what people saw (money-judge.ts). */
  leavesRepeats = false;
  /** Payouts for whose doubt there is a cause. */
  readonly unclear = new Set<number>();
  readonly #world: JudgeWorld;
  readonly #posts = new Set<string>();
  readonly #postedMs = new Map<number, number>();
  /** Payouts that were known as unpaid, by the service or a person, when this one was begun. */
  readonly #unpaidAtBegin = new Map<number, Set<number>>();
  readonly #limits = new Map<number, { times: number; untilMs: number }>();
  readonly #executions = new Map<number, Execution[]>();
  #watch: DurableWatch | undefined;

  constructor(world: JudgeWorld) {
    this.#world = world;
  }

  looksThrough(watch: DurableWatch): void {
    this.#watch = watch;
  }

  violation(text: string): void {
    this.#world.trace.add(this.#world.scheduler.nowMs, 'judge', `VIOLATION ${text}`);
    if (this.violations.length < 20) this.violations.push(text);
  }

  /** Before the first byte leaves: the intent is durable, and this is the attempt's only request. */
  writing(tag: string): number {
    const known = this.#watch?.ofTag(tag);
    if (known === undefined) {
      this.violation(`a request with the tag ${tag} leaves, and no durable row has it`);
      return 0;
    }
    const stored = this.#watch?.storedOf(known.id);
    if (stored?.status !== 'sending')
      this.violation(`a request of payout ${known.id} leaves while the ledger says ${stored?.status}`);
    const post = `${known.id}/${stored?.attempts}`;
    if (this.#posts.has(post)) this.violation(`A: two requests of attempt ${post}`);
    this.#posts.add(post);
    this.#judgeLimits(known.id);
    this.#postedMs.set(known.id, this.#world.scheduler.nowMs);
    return known.id;
  }

  #noteUnpaid(payout: number): void {
    const unpaid = [...(this.#watch?.payouts.values() ?? [])].filter(
      ({ wasCalledFailed, isRuledUnpaid, payout: { state } }) =>
        (wasCalledFailed || isRuledUnpaid) && state.status === 'failed',
    );
    const before = this.#unpaidAtBegin.get(payout) ?? [];
    this.#unpaidAtBegin.set(payout, new Set([...before, ...unpaid.map(({ id }) => id)]));
  }

  /** How many requests of the row left, its withdrawn and repeated payments included. */
  postsOfRow(payout: number): number {
    const root = this.#watch?.payouts.get(payout)?.root;
    const row = [...(this.#watch?.payouts.values() ?? [])].filter((known) => known.root === root);
    return [...this.#posts].filter((post) => row.some(({ id }) => post.startsWith(`${id}/`))).length;
  }

  /** A row has three tries in its life; whoever is told to wait waits. */
  limited(payout: number, waitMs: number): void {
    const { times, untilMs } = this.#limits.get(payout) ?? { times: 0, untilMs: 0 };
    const until = Math.max(untilMs, this.#world.scheduler.nowMs + waitMs);
    this.#limits.set(payout, { times: times + 1, untilMs: until });
    // One of the three may have been executed, for all that its sender knows.
    if (times + 1 >= TRIES_MAX) this.unclear.add(payout);
  }

  executed(execution: Execution, payout: number): void {
    const known = this.#watch?.payouts.get(payout);
    if (known === undefined) return;
    const mine = this.#executions.get(payout) ?? [];
    this.#executions.set(payout, [...mine, execution]);
    this.#judgeState(known, 'it was executed');
    if (execution.apart === 'doubled') {
      this.#count('doubled');
      return;
    }
    for (const earlier of mine) this.#judgeSameRow(earlier);
    for (const other of this.#watch?.payouts.values() ?? []) {
      if (other.id === payout) continue;
      if (other.root === known.root) this.#judgeFamily(known, other);
      else this.#judgeRepeat(known, other);
    }
  }

  moved(moved: Moved, known: Known): void {
    const { scheduler, coverage, faults, trace } = this.#world;
    trace.add(scheduler.nowMs, `#${moved.payout}`, `${moved.from} → ${moved.to} (${moved.kind})`);
    coverage.count(moveOf(moved.from, moved.to), faults.struck(), faults.hitsOf(moved.payout));
    this.#judgeState(known, `it became ${moved.to}`);
    if (moved.kind === 'begin_attempt') this.#noteUnpaid(moved.payout);
    if ((moved.kind === 'approve' || moved.kind === 'begin_attempt') && this.#watch?.isHalfRead(known.batch))
      this.violation(`A: payout ${moved.payout} is ${moved.to} while its batch has rows of two files`);
    if (moved.kind === 'rule_not_paid') this.#judgeRuling(moved.payout);
    if (moved.kind === 'fail') this.#judgeFailure(moved);
    if (moved.kind === 'fail' || moved.kind === 'return') this.#judgeWord(known);
  }

  idDelivered(id: string, payout: number, to: Actor): void {
    this.delivered.push({ id, payout, to: to as Delivered['to'] });
  }

  executionsOf(payout: number): readonly Execution[] {
    return this.#executions.get(payout) ?? [];
  }

  count(): number {
    return [...this.apart.values()].reduce((sum, count) => sum + count, 0);
  }

  /** A row that executed must not be one that the machine may send, or calls unpaid. */
  #judgeState({ id, payout, isRuledUnpaid }: Known, when: string): void {
    const executions = this.executionsOf(id).filter(({ apart }) => apart === undefined);
    const { state } = payout;
    if (executions.length === 0 || MAY_BE_PAID.includes(state.status)) return;
    if (isRuledUnpaid) {
      this.#count('ruled_unpaid');
      return;
    }
    if (state.status === 'failed' && state.basis === 'service_status') return;
    this.violation(`A: payout ${id} is ${state.status} when ${when}, and the service executed it`);
  }

  /** Two attempts of one payout: only a service that had refused the first can have led to the second. */
  #judgeSameRow(earlier: Execution): void {
    if (earlier.apart === 'doubled') return;
    if (earlier.apart === 'refuses_after_executing') {
      this.#count('refuses_after_executing');
      return;
    }
    this.violation(`A: executed twice: ${earlier.id} was executed before for the same payout`);
  }

  #judgeFamily(known: Known, other: Known): void {
    // Two may pay the same row again: the one that was sent first had to be known as unpaid before the other was.
    const sentMs = ({ id }: Known) => this.#postedMs.get(id) ?? 0;
    const replaced = sentMs(other) < sentMs(known) ? other : known;
    for (const execution of this.executionsOf(other.id)) {
      if (execution.apart === 'doubled') continue;
      if (execution.apart !== undefined) this.#count(execution.apart);
      else if (replaced.isRuledUnpaid) this.#count('ruled_unpaid');
      else if (replaced.wasCalledFailed) {
        if (isPaid(execution)) this.#count('service_said_failed');
      } else if (replaced.payout.state.status !== 'returned')
        this.violation(`A: payouts ${known.id} and ${other.id} of one row were both executed`);
    }
  }

  /** The same written payment in another row or batch, let go by nobody. */
  #judgeRepeat(known: Known, other: Known): void {
    if (this.leavesRepeats || known.isReleased || other.isReleased || !isSamePayment(known, other)) return;
    if (this.repeats.get(known.batch) === other.batch) return;
    if (!LIVE.includes(other.payout.state.status)) return;
    if (this.executionsOf(other.id).length === 0) return;
    // One went out while the other was known as unpaid, and that turned out untrue.
    const wasUnpaid = (one: Known, at: Known) => this.#unpaidAtBegin.get(at.id)?.has(one.id) === true;
    const unpaid = [other, known].find((one) => wasUnpaid(one, one === other ? known : other));
    if (unpaid !== undefined) this.#count(unpaid.isRuledUnpaid ? 'ruled_unpaid' : 'service_said_failed');
    else
      this.violation(`A: payouts ${known.id} and ${other.id} are the same payment, and both were executed`);
  }

  #judgeLimits(payout: number): void {
    const limit = this.#limits.get(payout);
    if (limit === undefined) return;
    const { scheduler, faults } = this.#world;
    if (limit.times >= TRIES_MAX)
      this.violation(`payout ${payout} is sent again after ${limit.times} answers of 429`);
    if (scheduler.nowMs < limit.untilMs && !faults.struck().has('clock_step'))
      this.violation(`payout ${payout} is sent again before the time that a 429 named`);
  }

  /** A word that was seen once proves nothing. */
  #judgeFailure({ payout, before, at }: Moved): void {
    const suspicion = before.status === 'accepted' ? before.suspicion : undefined;
    if (suspicion === undefined || at - suspicion.firstAt < this.#world.failConfirmMs)
      this.violation(`payout ${payout} failed by a word that was not seen twice, some time apart`);
  }

  /** A word about another payment's transfer must not make this one payable again. */
  #judgeWord({ id, payout: { instruction, state } }: Known): void {
    if (!('transferId' in state) || state.transferId === undefined || instruction === undefined) return;
    const execution = this.#world.oracle.byId(state.transferId);
    if (execution === undefined || execution.tag === state.tag) return;
    const { institution } = placeNames(instruction, state.pricing);
    const isAlike =
      execution.institution === institution &&
      Math.round(Number(execution.amount) * 100) === Number(instruction.amount.minor) &&
      execution.name.toLowerCase() === state.pricing.wireName.toLowerCase();
    if (!isAlike)
      this.violation(`payout ${id} is ${state.status} by a word about ${execution.id}, another payment`);
  }

  #judgeRuling(payout: number): void {
    const { scheduler, postTimeoutMs, quietMs, faults } = this.#world;
    const postedMs = this.#postedMs.get(payout);
    if (postedMs === undefined || faults.struck().has('clock_step')) return;
    if (scheduler.nowMs - postedMs < postTimeoutMs + quietMs)
      this.violation(`payout ${payout} was ruled not paid while its request may still be under way`);
  }

  #count(kind: ApartKind): void {
    this.apart.set(kind, (this.apart.get(kind) ?? 0) + 1);
  }
}

function isSamePayment({ payout: one }: Known, { payout: other }: Known): boolean {
  const [a, b] = [one.instruction, other.instruction];
  if (a === undefined || b === undefined) return false;
  return (
    a.account.reveal() === b.account.reveal() &&
    a.institutionId === b.institutionId &&
    a.amount.minor === b.amount.minor &&
    a.reference === b.reference
  );
}
