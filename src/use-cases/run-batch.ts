/**
 * A whole run: read, place, price, agree, send, settle. Safe to run again at any point, because each step
 * asks the ledger what is left to do.
 *
 * A person is asked through `Consent`; nothing here prints or reads a terminal.
 */

import type { Approval, Batch } from '../domain/batches/batch.ts';
import { APPROVAL_WAYS, batchLabel } from '../domain/batches/batch.ts';
import { isAtMost, type Money, MoneySums } from '../domain/money/money.ts';
import { type Command, command } from '../domain/next-steps/command.ts';
import type { BatchId } from '../domain/payouts/instruction.ts';
import type { Plan } from '../domain/plan/plan.ts';
import { printable } from '../domain/text/printable.ts';
import type { Timestamp } from '../domain/timestamp.ts';
import type { LeaseHolder } from '../ports/ledger/leases.ts';
import { type Approved, type ApproveOptions, approveBatch } from './approve/approve-batch.ts';
import { overLimitOf } from './approve/over-limit.ts';
import { planOf } from './approve/plan-of-batch.ts';
import type { PeriodAnswer } from './decide/repeats.ts';
import type { Ports } from './ports.ts';
import { firstMoved, type Moved } from './price/baseline.ts';
import type { Priced } from './price/price-payouts.ts';
import type { SendBatchResult } from './send/send-batch.ts';
import type { SettleResult } from './settle/settle-batch.ts';
import { unlessStopped } from './user-questions.ts';

/** Why nothing more was sent than had been before. */
export type NotAgreed =
  | { readonly kind: 'invalid_rows'; readonly count: number }
  | {
      readonly kind: 'over_ceiling';
      readonly total: Money;
      readonly ceiling: Money | undefined;
      /** The principal, or what is taken with the fees. */
      readonly of: 'principal' | 'debit';
    }
  | NobodyAgreed
  | {
      readonly kind: 'approval';
      readonly result: Exclude<Approved, { kind: 'approved' | 'nothing_to_approve' }>;
    };

/** Agrees to a plan, or says why not. The caller decides how: a typed total, a ceiling, yes in the sandbox. */
export type Consent = (plan: Plan, batch: Batch) => Promise<Consented>;
/** The answer of a `Consent`. */
export type Consented = { readonly kind: 'agreed'; readonly how: Approval['how'] } | NobodyAgreed;

export interface NobodyAgreed {
  readonly kind: 'not_agreed';
  readonly reason: string;
  readonly why?: /** Four eyes. */
    | 'same_person'
    | 'second_person'
    | 'passkey_missing'
    | 'declined'
    /** Nobody was there, and nothing that was said before agrees. */
    | 'nobody'
    /** The question whether most rows repeat a batch has no answer, or was answered with a stop. */
    | 'repeats_open'
    /** The other batch is not finished, or was sent just now. */
    | 'too_early'
    | 'canceled'
    | undefined;
  /** With which somebody can agree. */
  readonly next?: Command | undefined;
}

export interface RunOptions {
  readonly consent: Consent;
  readonly skipInvalid: boolean;
  /** Principal per destination currency, whole batch, all runs; undefined: no ceiling. */
  readonly ceilings: readonly Money[] | undefined;
  readonly deadline: () => Timestamp;
  readonly signal?: AbortSignal | undefined;
  /** What may be taken per source currency, fees included, whole batch, all runs; undefined: no bound. */
  readonly maxDebits?: readonly Money[] | undefined;
  readonly newPeriod?: PeriodAnswer | undefined;
  /** How many rows go alone and settle first; undefined: as an earlier run asked, 0: none. */
  readonly canary?: number | undefined;
  /** Who runs it and agrees: kept with the approval, with each sending, and where a canary is asked for or lifted. */
  readonly holder: LeaseHolder;
}

export interface Run {
  readonly batchId: BatchId;
  readonly plan: Plan;
  readonly recovered: number;
  readonly priced: Priced;
  readonly notAgreed: NotAgreed | undefined;
  readonly sent: SendBatchResult | undefined;
  readonly settled: SettleResult | undefined;
  /** Why the service was no longer waited for before everything was sent. */
  readonly silence?: string | undefined;
}

/** How its stages are done: by this process, or by others (run-stages.ts). */
export interface Stages {
  /** Rows that an earlier process left in flight. */
  recover(): Promise<number>;
  price(): Promise<Priced>;
  /** Work while nobody else has the batch, and while it has the file that this run brought. Throws BatchBusy, OtherFileRead. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  send(): Promise<SendBatchResult | Extract<NotAgreed, { kind: 'over_ceiling' }>>;
  settle(deadline: Timestamp): Promise<SettleResult>;
}

/** Runs a batch that is in the ledger. */
export async function runBatch(
  batchId: BatchId,
  ports: Ports,
  options: RunOptions & { readonly stages: Stages },
): Promise<Run> {
  const { stages } = options;
  const recovered = await stages.recover();
  // Also where the run ends before it settles anything.
  await ports.ledger.markLate(batchId, ports.clock.now());
  // A bad file stops before anyone is asked about its rows.
  const { invalid } = await ports.ledger.counts(batchId);
  if (invalid > 0 && !options.skipInvalid) {
    const stopped = { sent: undefined, settled: undefined, priced: { unpriced: 0, reason: undefined } };
    const notAgreed = { kind: 'invalid_rows', count: invalid } as const;
    return { ...stopped, batchId, plan: await planOf(batchId, ports), recovered, notAgreed };
  }
  const priced = await stages.price();
  const plan = await planOf(batchId, ports);
  const run = { batchId, plan, recovered, priced };
  // Nobody is asked to agree while the service gives no answer; what was approved before could not be sent either.
  const silence = ports.silence?.ended();
  if (silence !== undefined)
    return { ...run, notAgreed: undefined, sent: undefined, settled: undefined, silence };
  const notAgreed = await agree(batchId, plan, ports, options);
  // Rows that were approved before go on even when the new ones are not agreed to; a bad file stops everything.
  if (notAgreed?.kind === 'invalid_rows' || notAgreed?.kind === 'over_ceiling') {
    return { ...run, notAgreed, sent: undefined, settled: undefined };
  }
  const sent = await stages.send();
  if ('kind' in sent) return { ...run, notAgreed: sent, sent: undefined, settled: undefined };
  const silentSince = sent.isOver && sent.stop?.kind === 'outage' ? sent.stop.reason : undefined;
  // A service that asked us to wait, or that was waited for already, is asked nothing: the next run looks up what is on its way.
  if (sent.isOver || sent.stop?.kind === 'limited') {
    const settled = { ...NOT_SETTLED, incidents: sent.incidents };
    return { ...run, plan: await planOf(batchId, ports), notAgreed, sent, settled, silence: silentSince };
  }
  // What was waited for already gets one look where it is due.
  const isWaitedFor = sent.stop?.kind === 'canary';
  const looked = await stages.settle(isWaitedFor ? ports.clock.now() : options.deadline());
  const settled = { ...looked, incidents: [...sent.incidents, ...looked.incidents] };
  return { ...run, plan: await planOf(batchId, ports), notAgreed, sent, settled };
}

const NOT_SETTLED = {
  changes: [],
  changed: 0,
  hasNewExceptions: false,
  watch: { due: 0, unanswered: 0, notFound: 0, unclear: 0, notReached: 0 },
  isUnanswered: false,
  isWayAsBefore: true,
  missing: 0,
} as const;

async function agree(
  batchId: BatchId,
  plan: Plan,
  ports: Ports,
  options: RunOptions & { readonly stages: Stages },
): Promise<NotAgreed | undefined> {
  const invalid = plan.counts.invalid ?? 0;
  if (invalid > 0 && !options.skipInvalid) return { kind: 'invalid_rows', count: invalid };
  const over = overCeiling(plan, options);
  if (over !== undefined) return over;
  if ((plan.counts.quoted ?? 0) === 0) return undefined;
  const batch = await ports.ledger.batch(batchId);
  if (batch === undefined) throw new TypeError(`Batch ${batchId} is not in the ledger`);
  // Nobody is asked for what would be refused.
  const limit = await overLimitOf(plan, ports);
  if (limit !== undefined) return { kind: 'approval', result: limit };
  const answer = await unlessStopped(options.consent(plan, batch), options.signal);
  if (answer === undefined) options.signal?.throwIfAborted();
  const consented = requireAnswer(answer);
  if (consented.kind === 'not_agreed') return consented;
  const { how } = consented;
  const { signal, holder, stages } = options;
  const asked = { how, by: holder.user, digest: plan.digest, signal };
  return stages.alone(() => approveSeen(batch, asked, ports));
}

async function approveSeen(
  batch: Batch,
  asked: ApproveOptions,
  ports: Ports,
): Promise<NotAgreed | undefined> {
  const odd = asked.how === 'ceiling' ? await whyNoCeiling(batch, ports) : undefined;
  if (odd !== undefined) return { kind: 'not_agreed', ...odd };
  const result = await approveBatch(batch.id, asked, ports);
  if (result.kind === 'approved' || result.kind === 'nothing_to_approve') return undefined;
  return { kind: 'approval', result };
}

/**
 * A caller in plain JavaScript may answer anything. Only an answer of exactly the agreed shape counts as an agreement. Who
 * agrees is who runs: no answer says so.
 */
function requireAnswer(answer: Consented | undefined): Consented {
  if (answer?.kind === 'not_agreed') return answer;
  if (answer?.kind === 'agreed' && APPROVAL_WAYS.includes(answer.how)) return answer;
  throw new TypeError(
    'The answer to the question of consent is no answer, so nothing was approved. Expected ' +
      "{kind: 'agreed', how: 'library'} or {kind: 'not_agreed', reason: TEXT}.",
  );
}

const approveNext = (batch: Batch) => command('approve', [batchLabel(batch)]);

/** A ceiling agrees without a person. So it agrees to no terms that moved, and to no batch whose table and journal differ. */
async function whyNoCeiling(
  batch: Batch,
  ports: Ports,
): Promise<{ readonly reason: string; readonly next: Command } | undefined> {
  const moved = await firstMoved(batch.id, ports);
  if (moved !== undefined) return { reason: movedSentences(moved), next: approveNext(batch) };
  const { problems } = await ports.ledger.verify(batch.id);
  if (problems.length === 0) return undefined;
  const reason = `The ledger was changed by hand (${problems[0]}). A ceiling never agrees to such a batch: a person has to check it.`;
  return { reason, next: command('verify', [batchLabel(batch)]) };
}

function movedSentences(moved: Moved): string {
  return `${movedSentence(moved)} A ceiling never agrees to what moved: a person has to approve the plan.`;
}

const BASELINE_WORDS = {
  first_plan: 'The first plan of this batch shows',
  later_plan: 'The earlier rates of this batch give',
  approval: 'A person approved',
};

function movedSentence(moved: Moved): string {
  const row = `Row ${moved.rowNumber}`;
  switch (moved.kind) {
    case 'is_other':
      return `${row} is not as it was approved.`;
    case 'renamed':
      return `${row} was read with “${printable(moved.was)}”, which the service calls “${printable(moved.is)}” now.`;
    case 'costs_more':
      return `${row} costs ${moved.is} now. ${BASELINE_WORDS[moved.from]} ${moved.was} for its amount.`;
  }
}

export interface Ceilings {
  /** Principal per destination currency; undefined: no ceiling. */
  readonly ceilings?: readonly Money[] | undefined;
  /** What is taken, per source currency; undefined: no bound. */
  readonly maxDebits?: readonly Money[] | undefined;
}

/** The first currency whose total (agreed before, or waiting now) is above its ceiling or has none. */
export function overCeiling(
  plan: Plan,
  { ceilings, maxDebits }: Ceilings,
): Extract<NotAgreed, { kind: 'over_ceiling' }> | undefined {
  const principal = [...plan.committed, ...plan.toApprove.map(({ sum }) => sum)];
  const debits = [...plan.committedDebits, ...plan.toApprove.flatMap((line) => line.debits)];
  return overBound('principal', principal, ceilings) ?? overBound('debit', debits, maxDebits);
}

function overBound(
  of: 'principal' | 'debit',
  sums: readonly Money[],
  bounds: readonly Money[] | undefined,
): Extract<NotAgreed, { kind: 'over_ceiling' }> | undefined {
  if (bounds === undefined) return undefined;
  for (const total of new MoneySums(sums).all()) {
    const ceiling = bounds.find(({ currency }) => currency === total.currency);
    if (!isAtMost(total, ceiling)) return { kind: 'over_ceiling', total, ceiling, of };
  }
  return undefined;
}
