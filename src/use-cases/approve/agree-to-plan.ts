/**
 * A person agrees to exactly the plan that was seen: by typing its totals, or elsewhere by naming its digest. The batch's
 * lease is held from comparing the plan until the last row is approved, but not while a person reads it.
 *
 * Errors:  RequestRefused where the request cannot be meant; BatchBusy; BatchHalfRead.
 */

import { type Batch, batchLabel } from '../../domain/batches/batch.ts';
import { command, type NextSteps } from '../../domain/next-steps/command.ts';
import { commandsFor, nextStepOf } from '../../domain/next-steps/next-step.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import { hoursMs } from '../../domain/policy.ts';
import { EXIT, type ExitCode } from '../../domain/reporting/exit-code.ts';
import { reasonOf as heldReason } from '../../domain/reporting/reason.ts';
import { input, said } from '../../domain/text/message.ts';
import { RequestRefused } from '../../domain/text/request-refused.ts';
import type { LeaseHolder } from '../../ports/ledger/leases.ts';
import type { Dialogue } from '../dialogue.ts';
import { requireWholeFile } from '../intake/half-read.ts';
import type { ProveApproval } from '../people/sign-approval.ts';
import { type OfflinePorts, type Ports, withLease } from '../ports.ts';
import type { Attention } from '../report/attention.ts';
import { type Approved, approveBatch } from './approve-batch.ts';
import { typesTotals } from './ask-consent.ts';
import { secondPersonsCommand, whyNotApprove } from './four-eyes.ts';
import { needsPasskey } from './lasting-rules.ts';
import { type PlanToSee, planOf, planToSee } from './plan-of-batch.ts';

export interface ApprovalRequest extends Dialogue {
  readonly holder: LeaseHolder;
  readonly how: 'approve_command' | 'library' | 'typed_total';
  /** Of the plan that was seen; undefined: its totals are asked for. */
  readonly digest?: string | undefined;
  /** Of the plan with this digest, as a person typed them, in the order of `totalsToType`; other ones agree to nothing. */
  readonly totals?: readonly string[] | undefined;
  /** Proves with a passkey that the person agreed to the plan of this digest. */
  readonly prove?: ProveApproval | undefined;
}

export interface Approval {
  readonly result: Approved;
  /** The plan as it was shown last. */
  readonly seen: PlanToSee;
}

/** A row that an approval left with a person, because another payment came before it meanwhile. */
type LeftHeld = Pick<Attention, 'row' | 'reason' | 'steps'>;

export interface ApprovalEnd extends NextSteps {
  /** 10: a person has to look once more. */
  readonly exitCode: ExitCode;
  readonly held: readonly LeftHeld[];
}

/** The result of an approval, and the rows to look at. */
export function approvalEnd(result: Approval['result'], batch: Batch, ports: EndPorts): ApprovalEnd {
  const held = result.kind === 'approved' ? leftHeld(result.held, batch, ports) : [];
  return { ...afterApproval(result, batch, ports), held };
}

type EndPorts = Pick<Ports, 'policy' | 'hasOwnLogin'> & {
  readonly ledger: Pick<Ports['ledger'], 'identity'>;
};

function leftHeld(held: readonly Payout[], batch: Batch, { ledger, policy }: EndPorts): readonly LeftHeld[] {
  const { environment } = ledger.identity;
  const reissueAfterMs = hoursMs(policy.reissueAfterHours);
  const commands = commandsFor({ batch, environment, reissueAfterMs });
  return held.map((payout) => ({
    row: payout.rowNumber,
    reason: heldReason(payout, []),
    steps: nextStepOf(payout, commands),
  }));
}

function afterApproval(result: Approval['result'], batch: Batch, ports: EndPorts): Omit<ApprovalEnd, 'held'> {
  const label = batchLabel(batch);
  const looking = { exitCode: EXIT.needsPerson, next: command('status', [label]) };
  switch (result.kind) {
    case 'approved': {
      const [first] = result.held;
      if (result.unseen.count > 0) return { exitCode: EXIT.needsPerson, next: command('approve', [label]) };
      if (result.count === 0 && first !== undefined)
        return { exitCode: EXIT.needsPerson, next: command('explain', [label, first.rowNumber]) };
      return { exitCode: EXIT.done, next: command('send', [label]) };
    }
    case 'nothing_to_approve':
      return { ...looking, exitCode: EXIT.done };
    case 'changed':
      return { ...looking, andThen: command('approve', [label], [['--digest', { fillIn: 'DIGEST' }]]) };
    case 'over_limit': {
      const row = { fillIn: 'ROW' } as const;
      return { ...looking, andThen: command('cancel', [label, row], [['--reason', { fillIn: 'TEXT' }]]) };
    }
    case 'let_in_by_maker':
      return { exitCode: EXIT.needsPerson, next: command('console') };
    case 'let_maker_in':
    case 'same_person':
      return { exitCode: EXIT.needsPerson, next: secondPersonsCommand(batch, ports) };
    case 'passkey_missing':
      return { exitCode: EXIT.needsPerson, next: command('console') };
    case 'passkey_refused':
    case 'not_agreed':
      return { exitCode: EXIT.needsPerson };
  }
}

/** The plan of this digest, or the plan whose totals the person types. */
export async function agreeToPlan(
  batch: Batch,
  request: ApprovalRequest,
  ports: OfflinePorts,
): Promise<Approval> {
  // Before anything is asked; another process that reads the file just now has the lease.
  if (batch.halfRead !== undefined)
    await withLease(batch.id, request.holder, ports, async () =>
      requireWholeFile(await ports.ledger.batch(batch.id)),
    );
  const { digest } = request;
  const plan = await planOf(batch.id, ports);
  const seen = await planToSee(plan, batch, ports);
  request.onProgress?.({ kind: 'plan', seen });
  // Needs no lease: a run that goes on must not make it an error.
  if (digest === undefined && (plan.counts.quoted ?? 0) === 0)
    return { result: { kind: 'nothing_to_approve' }, seen };
  const isRefused =
    (request.prove === undefined && (await needsPasskey(batch.id, ports))) ||
    (await whyNotApprove(batch, request.holder.user, ports)) !== undefined;
  // Nobody is asked for what would be refused.
  const isAsked = digest === undefined && !isRefused;
  if (isAsked && !(await agreesToTotals(plan, batch, request)))
    return { result: { kind: 'not_agreed' }, seen };
  const { holder, how, totals, prove, signal } = request;
  const options = { by: holder.user, how, digest: digest ?? plan.digest, totals, prove, signal };
  const result = await withLease(batch.id, holder, ports, () => approveBatch(batch.id, options, ports));
  return { result, seen };
}

async function agreesToTotals(plan: Plan, batch: Batch, request: ApprovalRequest): Promise<boolean> {
  if (request.ask === undefined) throw digestMissing(batch);
  return typesTotals(plan, 'approve', request);
}

function digestMissing(batch: Batch): RequestRefused {
  const label = batchLabel(batch);
  return new RequestRefused(
    said`Without a terminal say which plan you agree to: ${input('digest')}, as the plan and the status of the batch show it.`,
    command('status', [label]),
    command('approve', [label], [['--digest', { fillIn: 'DIGEST' }]]),
  );
}
