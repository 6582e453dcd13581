/**
 * A person agrees to exactly the plan that was seen: by typing its totals, or elsewhere by naming its digest. Rows may be
 * released and withdrawn as part of it. The batch's lease is held from comparing the plan until the last row is approved,
 * but not while a person reads it.
 *
 * All rows that are named are looked at first: one that cannot be decided stops everything, and nothing is done. What is
 * withdrawn leaves the ledger's plan together with the approval, not before. A release comes first and stays, because
 * only a released row can be asked for its name and fee, without which there is no plan to agree to.
 * Errors:  RequestRefused where the request cannot be meant; BatchBusy; BatchHalfRead.
 */
import { type Batch, batchLabel } from '../../domain/batches/batch.ts';
import { command, type Flag, type NextSteps, type Step } from '../../domain/next-steps/command.ts';
import { commandsFor, nextStepOf } from '../../domain/next-steps/next-step.ts';
import type { PayoutId } from '../../domain/payouts/instruction.ts';
import { isIn, type Payout } from '../../domain/payouts/payout.ts';
import { mayFollow } from '../../domain/payouts/payout-machine.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import type { PlanMove } from '../../domain/plan/plan-drift.ts';
import { isSameTotal, totalsToType } from '../../domain/plan/typed-totals.ts';
import { hoursMs } from '../../domain/policy.ts';
import { EXIT, type ExitCode } from '../../domain/reporting/exit-code.ts';
import { reasonOf as heldReason } from '../../domain/reporting/report-line.ts';
import type { LeaseHolder } from '../../ports/ledger/leases.ts';
import { choosePayout, listOf } from '../decide/choose-payouts.ts';
import { mayBePaidAlready } from '../decide/held-now.ts';
import { releaseHeld } from '../decide/release-held.ts';
import { repeatsReleasedBefore } from '../decide/repeats.ts';
import { sameRowObjection } from '../decide/same-row.ts';
import type { Dialogue } from '../dialogue.ts';
import { requireWholeFile } from '../intake/half-read.ts';
import type { ProveApproval } from '../people/sign-approval.ts';
import { type OfflinePorts, type Ports, withLease } from '../ports.ts';
import { pricePayouts } from '../price/price-payouts.ts';
import { RequestRefused } from '../request-refused.ts';
import { type Approved, approveBatch } from './approve-batch.ts';
import { typesTotals } from './ask-consent.ts';
import { secondPersonsCommand, whyNotApprove } from './four-eyes.ts';
import { needsPasskey } from './lasting-rules.ts';
import {
  isSameDigest,
  type PlanToSee,
  planChangesSince,
  planOf,
  planToSee,
  rememberPlanSeen,
} from './plan-of-batch.ts';

export interface ApprovalRequest extends Dialogue {
  readonly holder: LeaseHolder;
  readonly how: 'approve_command' | 'library' | 'typed_total';
  /** Of the plan that was seen; undefined: its totals are asked for. */
  readonly digest?: string | undefined;
  /** Of the plan with this digest, as a person typed them, in the order of `totalsToType`; other ones agree to nothing. */
  readonly totals?: readonly string[] | undefined;
  /** Rows by number or reference. */
  readonly release?: readonly string[] | undefined;
  readonly withdraw?: readonly string[] | undefined;
  /** Why rows are released or withdrawn. */
  readonly reason?: string | undefined;
  /** Proves with a passkey that the person agreed to the plan of this digest. Rows are decided before. */
  readonly prove?: ProveApproval | undefined;
}

export interface Approval {
  readonly result: Approved | { readonly kind: 'not_agreed' };
  /** The plan as it was shown last. */
  readonly seen: PlanToSee;
  readonly released: readonly number[];
}

/** A row that an approval left with a person, because another instruction of the same row lives. */
interface LeftHeld {
  readonly row: number;
  readonly reason: string;
  /** The commands that release or withdraw it. */
  readonly steps: readonly Step[];
}

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
      const flags: readonly Flag[] = [
        ['--withdraw', { fillIn: 'ROW' }],
        ['--reason', { fillIn: 'TEXT' }],
      ];
      return { ...looking, andThen: command('approve', [label], flags) };
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

interface ApprovalPorts {
  /** Without the service. */
  readonly offline: OfflinePorts;
  /** Reached only where rows need a price. */
  readonly open: () => Promise<Ports>;
}

interface Approving extends ApprovalPorts {
  readonly batch: Batch;
  readonly request: ApprovalRequest;
}

export async function approveAsSeen(
  batch: Batch,
  request: ApprovalRequest,
  ports: ApprovalPorts,
): Promise<Approval> {
  const approving = { ...ports, batch, request };
  const { offline } = ports;
  const { digest, release = [], withdraw = [], holder } = request;
  // Before anything is priced or asked; another process that reads the file just now has the lease.
  if (batch.halfRead !== undefined)
    await underLease(approving, async () => requireWholeFile(await offline.ledger.batch(batch.id)));
  const isUnsigned = request.prove === undefined && (await needsPasskey(batch.id, offline));
  if (isUnsigned || (await whyNotApprove(batch, holder.user, offline)) !== undefined)
    return underLease(approving, () => asItStands(approving));
  const hasDecisions = release.length + withdraw.length > 0;
  // Needs no lease: a run that goes on must not make it an error.
  if (!hasDecisions && (await offline.ledger.counts(batch.id)).quoted === 0)
    return {
      result: { kind: 'nothing_to_approve', withdrawn: [] },
      seen: await show(await planOf(batch.id, offline), approving),
      released: [],
    };
  return digest === undefined ? byTypedTotal(approving) : byDigest(digest, approving);
}

async function asItStands(approving: Approving): Promise<Approval> {
  const seen = await show(await planOf(approving.batch.id, approving.offline), approving);
  const result = await agree(approving.request.digest, approving, undefined);
  return { result, seen, released: [] };
}

/**
 * The digest is that of the plan before the decisions of this request. When nothing else changed it, the plan that follows
 * from them is approved. Otherwise nothing is decided, and the answer says what changed.
 */
function byDigest(asked: string, approving: Approving): Promise<Approval> {
  const { batch, offline } = approving;
  return underLease(approving, async () => {
    const before = await planOf(batch.id, offline);
    if (isSameDigest(before.digest, asked) && !isTyped(before, approving.request))
      return { result: { kind: 'not_agreed' }, seen: await show(before, approving), released: [] };
    const decisions = isSameDigest(before.digest, asked) ? await rowDecisions(approving) : undefined;
    if (decisions === undefined) return asItStands(approving);
    await rememberPlanSeen(batch.id, before, offline);
    const released = await releaseAndPrice(decisions, approving);
    const plan = await planOf(batch.id, offline, leavingIn(decisions));
    const seen = await show(plan, approving, decisions);
    const drift = await planChangesSince(batch.id, before.digest, offline);
    const isOwn =
      drift === undefined || (drift.more === 0 && drift.moves.every((move) => isRelease(move, released)));
    const result = await agree(isOwn ? plan.digest : asked, approving, decisions);
    return { result, seen, released };
  });
}

function isTyped(plan: Plan, { totals }: Pick<ApprovalRequest, 'totals'>): boolean {
  return (
    totals === undefined || totalsToType(plan).every((total, at) => isSameTotal(totals[at] ?? '', total))
  );
}

/** The plan is shown as it will be. */
async function byTypedTotal(approving: Approving): Promise<Approval> {
  const { batch, offline, request } = approving;
  const decisions = await rowDecisions(approving);
  if (decisions !== undefined && request.ask === undefined) throw digestMissing(approving);
  const released =
    decisions === undefined || decisions.release.length === 0
      ? []
      : await underLease(approving, () => releaseAndPrice(decisions, approving));
  const plan = await planOf(batch.id, offline, leavingIn(decisions));
  const seen = await show(plan, approving, decisions);
  if ((plan.counts.quoted ?? 0) > 0) {
    if (request.ask === undefined) throw digestMissing(approving);
    if (!(await typesTotals(plan, 'approve', request)))
      return { result: { kind: 'not_agreed' }, seen, released };
  }
  const result = await underLease(approving, () => agree(plan.digest, approving, decisions));
  return { result, seen, released };
}

function underLease<Result>(
  { batch, offline, request }: Approving,
  work: () => Promise<Result>,
): Promise<Result> {
  return withLease(batch.id, request.holder, offline, work);
}

async function agree(
  digest: string | undefined,
  { batch, offline, request }: Approving,
  decisions: RowDecisions | undefined,
): Promise<Approved> {
  const withdraw =
    decisions === undefined || decisions.withdraw.length === 0
      ? undefined
      : { payouts: decisions.withdraw.map(({ id }) => id), reason: decisions.reason };
  const { signal, holder, how, prove } = request;
  return approveBatch(batch.id, { by: holder.user, how, digest, withdraw, prove, signal }, offline);
}

/** Shows it, and keeps that it was shown. */
async function show(
  plan: Plan,
  { batch, offline, request }: Approving,
  decisions?: RowDecisions,
): Promise<PlanToSee> {
  const seen = await planToSee(plan, batch, offline, { leaving: decisions?.withdraw ?? [] });
  request.onProgress?.({ kind: 'plan', seen });
  return seen;
}

interface RowDecisions {
  readonly reason: string;
  readonly release: readonly PayoutId[];
  readonly withdraw: readonly { readonly id: PayoutId; readonly rowNumber: number }[];
}

function leavingIn(decisions: RowDecisions | undefined): ReadonlySet<PayoutId> {
  return new Set(decisions?.withdraw.map(({ id }) => id));
}

function isRelease({ payout, before }: PlanMove, released: readonly number[]): boolean {
  return before === undefined && released.includes(payout.rowNumber);
}

/** The rows to release and withdraw, all checked; undefined when there are none. Nothing is done yet. */
async function rowDecisions({ batch, request, offline, open }: Approving): Promise<RowDecisions | undefined> {
  const { release = [], withdraw = [] } = request;
  if (release.length + withdraw.length === 0) return undefined;
  const reason = reasonOf(batch, request);
  const seen = new Set<PayoutId>();
  const leaving = await checked(withdraw, { batch, offline, seen, kind: 'cancel' });
  const going = await checked(release, { batch, offline, seen, kind: 'release' });
  for (const payout of going) {
    if (!isIn(payout, 'held')) continue;
    const why = (await sameRowObjection(payout, offline))?.text ?? (await mayBePaidAlready(payout, offline));
    if (why !== undefined) throw refused(payout.rowNumber, `cannot be released: ${why}`);
  }
  // A released row needs a price.
  if (release.length > 0) await open();
  const withdrawn = leaving.map(({ id, rowNumber }) => ({ id, rowNumber }));
  return { reason, release: going.map(({ id }) => id), withdraw: withdrawn };
}

interface Checking extends Pick<Approving, 'batch' | 'offline'> {
  readonly seen: Set<PayoutId>;
  readonly kind: 'cancel' | 'release';
}

async function checked(rows: readonly string[], { batch, offline, seen, kind }: Checking): Promise<Payout[]> {
  const found: Payout[] = [];
  const verb = kind === 'cancel' ? 'withdrawn' : 'released';
  for (const row of listOf(rows)) {
    const payout = await choosePayout(batch.id, row, offline);
    const { id, rowNumber, state } = payout;
    if (!mayFollow(state, kind)) throw refused(rowNumber, `cannot be ${verb}: it is ${state.status}`);
    if (seen.has(id)) throw refused(rowNumber, 'is named twice');
    seen.add(id);
    found.push(payout);
  }
  return found;
}

function refused(rowNumber: number, why: string): RequestRefused {
  return new RequestRefused(`Row ${rowNumber} ${why}. Nothing was done to any row.`);
}

/** Releases rows and asks for their names and fees, under the batch's lease. Returns the released rows. */
async function releaseAndPrice(
  { release: payouts, reason }: RowDecisions,
  approving: Approving,
): Promise<readonly number[]> {
  if (payouts.length === 0) return [];
  const { batch, request, offline } = approving;
  const by = request.holder.user;
  const { done, refused } = await releaseHeld(
    batch.id,
    { kind: 'payouts', payouts },
    { by, reason },
    offline,
  );
  request.onProgress?.({ kind: 'released', rows: done, refused });
  await price(approving);
  return done;
}

async function price({ batch, request, open }: Approving): Promise<void> {
  const ports = await open();
  const repeatsReleased = await repeatsReleasedBefore(batch.id, ports);
  const priced = await pricePayouts(batch.id, ports, { signal: request.signal, repeatsReleased });
  if (priced.unpriced > 0) request.onProgress?.({ kind: 'unpriced', priced });
}

/** Why rows are released or withdrawn; refused without. */
function reasonOf(batch: Batch, request: ApprovalRequest): string {
  const reason = request.reason?.trim() ?? '';
  if (reason !== '') return reason;
  const flags: readonly Flag[] = [...rowFlags(request), ['--reason', { fillIn: 'TEXT' }]];
  throw new RequestRefused(
    'To release or withdraw rows at approval say why: it is kept with your name, for whoever asks later.',
    command('status', [batchLabel(batch)]),
    command('approve', [batchLabel(batch)], flags),
  );
}

function digestMissing({ batch, request }: Approving): RequestRefused {
  const { reason } = request;
  const why: readonly Flag[] = reason === undefined ? [] : [['--reason', reason]];
  return new RequestRefused(
    'Without a terminal say which plan you agree to: --digest, as the plan and the status of the batch show it.',
    command('status', [batchLabel(batch)]),
    command('approve', [batchLabel(batch)], [...rowFlags({ ...request, digest: '' }), ...why]),
  );
}

/** The same request as a command; a person fills in the digest of the plan and the rows to release. */
export function rowFlags(request: Pick<ApprovalRequest, 'digest' | 'release' | 'withdraw'>): readonly Flag[] {
  const { digest, release = [], withdraw = [] } = request;
  const digestFlag: readonly Flag[] = digest === undefined ? [] : [['--digest', { fillIn: 'DIGEST' }]];
  const releaseFlag: readonly Flag[] = release.length === 0 ? [] : [['--release', { fillIn: 'ROW' }]];
  return [...digestFlag, ...releaseFlag, ...withdraw.map((row): Flag => ['--withdraw', row])];
}
