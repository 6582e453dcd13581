/**
 * What can be done with a batch: look at its plan, price it, approve it.
 */
import type { Batch } from '../domain/batches/batch.ts';
import {
  type Approval,
  type ApprovalEnd,
  type ApprovalRequest,
  agreeToPlan,
  approvalEnd,
} from '../use-cases/approve/agree-to-plan.ts';
import { type PlanToSee, planOf, planToSee } from '../use-cases/approve/plan-of-batch.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import { requireWholeFile } from '../use-cases/intake/half-read.ts';
import { type PasskeyAnswer, type ProveApproval, proveWith } from '../use-cases/people/sign-approval.ts';
import { type PricedBatch, priceBatch } from '../use-cases/price/price-batch.ts';
import { RequestRefused } from '../use-cases/request-refused.ts';
import type { Door } from './door.ts';
import { signingParts } from './people.ts';

export type ApproveOptions = Dialogue &
  Pick<ApprovalRequest, 'totals'> & {
    /** An answer to `passkeyToApprove`, given once: it proves that this person agreed to this plan and these totals. */
    readonly passkey?: PasskeyAnswer | undefined;
    /** How the journal calls it; `library` unless told. */
    readonly how?: ApprovalRequest['how'];
  };

export type ApprovedPlan = Approval['result'] &
  Omit<Approval, 'result'> & { readonly batch: Batch; readonly end: ApprovalEnd };

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
  batches(): Promise<readonly Batch[]>;
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
    batches: async () => (await door.ledger()).batches(),
  };
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
