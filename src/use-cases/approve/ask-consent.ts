/**
 * Agreeing to a plan inside a run: a person types its totals. Where nobody can, a ceiling agrees; in the sandbox yes does
 * too. Under four eyes nobody agrees to it in the run that makes it.
 */

import { APPROVAL_WAYS, type Approval, type Batch, batchLabel } from '../../domain/batches/batch.ts';
import { type Command, command } from '../../domain/next-steps/command.ts';
import type { OverCeiling } from '../../domain/plan/limits.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import {
  areTotalsOf,
  passkeySentence,
  samePersonSentence,
  totalsToType,
} from '../../domain/plan/typed-totals.ts';
import { printable } from '../../domain/text/printable.ts';
import type { LeaseHolder } from '../../ports/ledger/leases.ts';
import type { Dialogue } from '../dialogue.ts';
import { requireSameFile } from '../intake/half-read.ts';
import { type Ports, withLease } from '../ports.ts';
import { firstMoved, type Moved } from '../price/baseline.ts';
import { unlessStopped, untilStopped } from '../user-questions.ts';
import { type Approved, approveBatch } from './approve-batch.ts';
import { secondPersonsCommand, whyNotApprove } from './four-eyes.ts';
import { isUnder, needsPasskey } from './lasting-rules.ts';
import { overLimitOf } from './over-limit.ts';

/** Why a run sends nothing more than was approved before. */
export type NotAgreed =
  | { readonly kind: 'invalid_rows'; readonly count: number }
  | OverCeiling
  | NobodyAgreed
  | {
      readonly kind: 'approval';
      readonly result: Exclude<Approved, { kind: 'approved' | 'nothing_to_approve' }>;
    };

/** Agrees to a plan, or says why not. The host decides how: a typed total, a ceiling, yes in the sandbox. */
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
    /** Nobody was there, and no earlier answer agrees. */
    | 'nobody'
    /** The question whether most rows repeat a batch has no answer. */
    | 'repeats_open'
    /** The other batch is not finished, or was sent just now. */
    | 'too_early'
    | 'canceled'
    | undefined;
  /** With which somebody can agree. */
  readonly next?: Command | undefined;
}

interface Agreeing {
  readonly consent: Consent;
  /** Who runs it, and so agrees. */
  readonly holder: LeaseHolder;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks, and approves what was agreed to; undefined: no approval is missing. Where workers do the stages, nobody holds the
 * lease while a person reads. So an approval is bound to the plan that was shown and to the file that was read.
 */
export async function agreeInRun(
  batch: Batch,
  plan: Plan,
  { consent, holder, signal }: Agreeing,
  ports: Ports,
): Promise<NotAgreed | undefined> {
  if ((plan.counts.quoted ?? 0) === 0) return undefined;
  // Nobody is asked for what would be refused.
  const limit = await overLimitOf(plan, ports);
  if (limit !== undefined) return { kind: 'approval', result: limit };
  const now = (await ports.ledger.batch(batch.id)) ?? batch;
  const answer = await unlessStopped(consent(plan, now), signal);
  if (answer === undefined) signal?.throwIfAborted();
  const consented = requireAnswer(answer);
  if (consented.kind === 'not_agreed') return consented;
  const { how } = consented;
  const asked = { how, by: holder.user, digest: plan.digest, signal };
  return withLease(batch.id, holder, ports, async () => {
    requireSameFile(batch, await ports.ledger.batch(batch.id));
    const odd = how === 'ceiling' ? await whyNoCeiling(batch, ports) : undefined;
    if (odd !== undefined) return { kind: 'not_agreed', ...odd };
    const result = await approveBatch(batch.id, asked, ports);
    if (result.kind === 'approved' || result.kind === 'nothing_to_approve') return undefined;
    return { kind: 'approval', result };
  });
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
  if (moved !== undefined) {
    const reason = `${movedSentence(moved)} A ceiling never agrees to what moved: a person has to approve the plan.`;
    return { reason, next: approveNext(batch) };
  }
  const { problems } = await ports.ledger.verify(batch.id);
  if (problems.length === 0) return undefined;
  const reason = `The ledger was changed by hand (${problems[0]}). A ceiling never agrees to such a batch: a person has to check it.`;
  return { reason, next: command('verify', [batchLabel(batch)]) };
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

interface ConsentRequest extends Dialogue {
  readonly by: string;
  /** Agrees to sandbox payments; ignored with a live service. */
  readonly yes?: boolean | undefined;
  /** The payments of the whole batch were compared with their ceilings before anyone was asked. */
  readonly hasCeilings: boolean;
}

export function consentFor(
  request: ConsentRequest,
  ports: Pick<Ports, 'ledger' | 'policy' | 'cameWith' | 'hasOwnLogin'>,
): Consent {
  const { by, yes, hasCeilings } = request;
  const isSandbox = ports.ledger.identity.environment === 'sandbox';
  return async (plan, batch): Promise<Consented> => {
    const next = approveNext(batch);
    const second = secondPersonsCommand(batch, ports);
    const samePerson = await whyNotApprove(batch, by, ports);
    if (samePerson !== undefined)
      return notAgreed({ why: 'same_person', reason: samePersonSentence(samePerson, batch), next: second });
    if (await needsPasskey(batch.id, ports))
      return notAgreed({
        why: 'passkey_missing',
        reason: passkeySentence(batch),
        next: command('console'),
      });
    if (await isUnder('four_eyes', batch.id, ports))
      return notAgreed({ why: 'second_person', reason: SECOND_PERSON, next: second });
    if (isSandbox && yes === true) return { kind: 'agreed', how: 'sandbox_yes' };
    if (request.ask !== undefined) {
      if (await typesTotals(plan, 'pay', request)) return { kind: 'agreed', how: 'typed_total' };
      return notAgreed({ why: 'declined', reason: 'You did not agree.', next });
    }
    if (hasCeilings) return { kind: 'agreed', how: 'ceiling' };
    return notAgreed({ why: 'nobody', reason: 'Nobody agreed to this plan.', next });
  };
}

const SECOND_PERSON = 'Four eyes: a second person approves this plan, with a command of their own.';

function notAgreed(said: Omit<NobodyAgreed, 'kind'>): NobodyAgreed {
  return { kind: 'not_agreed', ...said };
}

/** False when the person did not agree to every total. */
export async function typesTotals(
  plan: Plan,
  verb: 'pay' | 'approve',
  { ask, signal }: Dialogue,
): Promise<boolean> {
  const totals = totalsToType(plan);
  const rows = plan.counts.quoted ?? 0;
  const answer = untilStopped(ask, signal);
  const typed = totals.length === 0 ? undefined : await answer?.({ kind: 'totals', verb, rows, totals });
  if (typed === undefined || signal?.aborted === true) return false;
  return areTotalsOf(plan, typed);
}
