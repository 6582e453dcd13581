/**
 * What can be done with a batch: approve it, send it, settle it.
 */
import type { Batch } from '../domain/batches/batch.ts';
import type { Money } from '../domain/money/money.ts';
import {
  type Approval,
  type ApprovalEnd,
  type ApprovalRequest,
  agreeToPlan,
  approvalEnd,
} from '../use-cases/approve/agree-to-plan.ts';
import { type PlanToSee, planOf, planToSee } from '../use-cases/approve/plan-of-batch.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import { findBatch } from '../use-cases/find-batch.ts';
import { requireWholeFile } from '../use-cases/intake/half-read.ts';
import { type PasskeyAnswer, type ProveApproval, proveWith } from '../use-cases/people/sign-approval.ts';
import { type PricedBatch, priceBatch } from '../use-cases/price/price-batch.ts';
import { RequestRefused } from '../use-cases/request-refused.ts';
import { type SentBatch, sendApproved } from '../use-cases/send/send-approved.ts';
import { type SettledBatch, settleSent } from '../use-cases/settle/settle-sent.ts';
import { NOTHING_BEGUN, rememberWorkOnError } from '../use-cases/work-of-error.ts';
import { DEADLINE_MS, type Door, knownLedger, signingParts } from './door.ts';
import { requireOwnPlaces } from './outputs.ts';
import { type WantedReports, type WithEnd, wanted, withEnd } from './reports.ts';

export type ApproveOptions = Dialogue &
  Pick<ApprovalRequest, 'totals'> & {
    /** An answer to `passkeyToApprove`, given once: it proves that this person agreed to this plan and these totals. */
    readonly passkey?: PasskeyAnswer | undefined;
    /** How the journal calls it; `library` unless told. */
    readonly how?: ApprovalRequest['how'];
  };

export type ApprovedPlan = Approval['result'] &
  Omit<Approval, 'result'> & { readonly batch: Batch; readonly end: ApprovalEnd };

export interface SendOptions extends Dialogue, WantedReports {
  /** Principal per destination currency, whole batch, all runs: above it nothing is sent. */
  readonly maxTotals?: readonly Money[] | undefined;
  /** What is taken per source currency, fees included, whole batch, all runs: above it nothing is sent. */
  readonly maxDebits?: readonly Money[] | undefined;
  readonly canary?: number | undefined;
  /** How long a canary may take to settle, and the longest wait for a service that is away. */
  readonly deadlineMs?: number | undefined;
}

export interface SettleBatchOptions extends Dialogue, WantedReports {
  /** How long to wait for transfers to become final; 15 minutes unless told. */
  readonly forMs?: number | undefined;
  /** Settled rows are looked at again for this long: some come back. */
  readonly watchReturnsMs?: number | undefined;
}

export interface BatchMethods {
  /**
   * What waits for approval, as a person has to see it before agreeing; the journal keeps that it was shown. Reads every
   * row: of a million this takes a while. Errors: BatchHalfRead.
   */
  planOf(batch: string): Promise<PlanToSee>;
  /** Asks for names and fees of rows that have none, or old ones, as after a release; the file is not read. Sends nothing. */
  price(batch: string, options?: Dialogue): Promise<PricedBatch>;
  /** Agrees to the plan with this digest; without one, whoever is asked types its totals. */
  approve(batch: string, digest: string | undefined, options?: ApproveOptions): Promise<ApprovedPlan>;
  /** Sends what is approved, and nothing else. */
  send(batch: string, options?: SendOptions): Promise<WithEnd<SentBatch>>;
  /** Looks transfers up until all are final or the time is over. */
  settle(batch: string, options?: SettleBatchOptions): Promise<WithEnd<SettledBatch>>;
}

export function batchMethods(door: Door): BatchMethods {
  const { holder } = door;
  return {
    async planOf(text) {
      const ports = await door.offlinePorts({});
      const batch = await door.batch(text);
      requireWholeFile(batch);
      return planToSee(await planOf(batch.id, ports), batch, ports);
    },
    async price(text, options = {}) {
      door.requireService();
      const batch = await door.batch(text);
      return priceBatch(batch, { holder, signal: options.signal }, await door.ports(options));
    },
    approve: (text, digest, options = {}) => approve(text, { ...options, digest }, door),
    send: (text, options = {}) => send(text, options, door),
    async settle(text, options = {}) {
      door.requireService();
      await requireOwnPlaces(options, door);
      const batch = await door.batch(text);
      const { forMs: deadlineMs = DEADLINE_MS, watchReturnsMs, signal } = options;
      const ports = await door.ports(options, options.forMs);
      const settled = await settleSent(batch, { holder, deadlineMs, watchReturnsMs, signal }, ports);
      return withEnd(settled, { ...settled, ...wanted(options) }, door);
    },
  };
}

async function send(text: string, options: SendOptions, door: Door): Promise<WithEnd<SentBatch>> {
  const meant = async () => findBatch(text, await knownLedger(door));
  const sent = await rememberWorkOnError(
    () => ({ begun: NOTHING_BEGUN, meant }),
    async () => {
      door.requireService();
      for (const report of options.reports ?? []) await door.parts.requireReportPlace(report);
      await requireOwnPlaces(options, door);
      const batch = await door.batch(text);
      const { maxTotals: ceilings, maxDebits, canary, deadlineMs = DEADLINE_MS, signal } = options;
      const open = () => door.ports(options, options.deadlineMs);
      return sendApproved(
        batch,
        { holder: door.holder, ceilings, maxDebits, canary, deadlineMs, signal },
        { ...(await door.offlinePorts(options)), open },
      );
    },
  );
  return withEnd(sent, { ...sent, ...wanted(options) }, door);
}

async function approve(
  text: string,
  { how = 'library', passkey, ...options }: ApproveOptions & { readonly digest: string | undefined },
  door: Door,
): Promise<ApprovedPlan> {
  const prove = passkey && (await proofFor(passkey, options, door));
  const offline = await door.offlinePorts(options);
  const batch = await door.batch(text);
  const request = { ...options, how, prove, holder: door.holder, onProgress: door.tell(options) };
  const { result, ...seen } = await agreeToPlan(batch, request, offline);
  return { ...result, ...seen, batch, end: approvalEnd(result, batch, offline) };
}

async function proofFor(
  passkey: PasskeyAnswer,
  { digest }: ApproveOptions & { readonly digest: string | undefined },
  door: Door,
): Promise<ProveApproval> {
  if (digest === undefined)
    throw new RequestRefused('A passkey approves the plan of one digest: name the digest.');
  return proveWith(passkey, await signingParts(door));
}
