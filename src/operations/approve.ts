/** A person agrees to exactly this plan. On a terminal they type its totals; elsewhere they name its digest. */
import { z } from 'zod';
import { type Batch, batchLabel } from '../domain/batches/batch.ts';
import { moneyJson } from '../domain/money/money.ts';
import { nextSteps } from '../domain/next-steps/command.ts';
import { overLimitSentence } from '../domain/plan/limits.ts';
import { planChangeLines } from '../domain/plan/plan-changes.ts';
import { passkeyRefusedSentence, passkeySentence, samePersonSentence } from '../domain/plan/typed-totals.ts';
import { textOf, type Wording } from '../domain/text/message.ts';
import { countText, rowsText } from '../domain/text/printable.ts';
import { RequestRefused } from '../domain/text/request-refused.ts';
import type { Approval, ApprovalEnd } from '../use-cases/approve/agree-to-plan.ts';
import { batchJson } from './batch-json.ts';
import { aside, type Block, stepPieces, when } from './block.ts';
import type { Context } from './context.ts';
import { batch, choice, nonEmptyText, text } from './fields.ts';
import { passkeyNeedsDigest } from './messages-files.ts';
import { field, operation } from './operation.ts';
import { changesJson, planJson } from './plan-json.ts';

const input = z.strictObject({
  batch: batch(),
  digest: field(text.optional(), {
    help: 'digest of the plan that you saw; needed without a terminal',
    value: 'digest',
  }),
  changes: choice('list all changes since the last batch of the same kind'),
  /** The totals that a person typed, in the order of `totalsToType`. Wrong totals approve nothing. */
  totals: z.array(text, { error: 'a list of texts' }).readonly().optional(),
  /**
   * The browser's answer to `people.askApproval`, valid once. It proves that this person agreed to this plan and its
   * totals.
   */
  passkey: z.strictObject({ nonce: nonEmptyText, answer: nonEmptyText }).optional(),
  /** How the person approved, for the journal. */
  how: z.enum(['library', 'approve_command', 'typed_total']).optional(),
});

export type ApprovedPlan = Approval['result'] &
  Omit<Approval, 'result'> & { readonly batch: Batch; readonly end: ApprovalEnd };

export const approve = operation({
  name: 'approve',
  needs: ['approve'],
  changesData: true,
  input,
  run: agree,
  view,
  json,
  next: ({ end }) => nextSteps(end.next, end.andThen),
  exit: ({ end }) => end.exitCode,
  summarize: ({ batch: of, kind }) => ({ batch: of, outcome: kind }),
});

async function agree(
  { batch: named, digest, totals, passkey, how }: z.output<typeof input>,
  context: Context,
): Promise<ApprovedPlan> {
  if (passkey !== undefined && digest === undefined) throw new RequestRefused(passkeyNeedsDigest);
  const { agreeToPlan, approvalEnd } = await import('../use-cases/approve/agree-to-plan.ts');
  const prove = passkey && (await context.proofOf(passkey));
  const offline = await context.offlinePorts();
  const found = await context.batch(named);
  const { holder, dialogue } = context;
  const defaultHow = holder.command === 'library' ? 'library' : 'approve_command';
  const request = { ...dialogue, digest, totals, how: how ?? defaultHow, prove, holder };
  const { result, ...seen } = await agreeToPlan(found, request, offline);
  return { ...result, ...seen, batch: found, end: approvalEnd(result, found, offline) };
}

const CHANGES_SHOWN = 10;

function view(result: ApprovedPlan): readonly Block[] {
  const { changed, more } = changedIn(result);
  const left = Math.max(0, changed.length - CHANGES_SHOWN) + more;
  return [
    aside(approvalSentence(result)),
    ...result.end.held.map(({ row, reason, steps }) =>
      aside(`Row ${row} is held and was not approved: ${reason}. `, ...stepPieces(steps)),
    ),
    ...changed.slice(0, CHANGES_SHOWN).map(({ row, text: what }) => aside(`  Row ${row}: ${what}`)),
    ...when(left > 0, () => [aside(`  … and ${countText(left)} more.`)]),
  ];
}

function changedIn(result: ApprovedPlan) {
  const changes = result.kind === 'changed' ? result.changes : undefined;
  return { changed: changes === undefined ? [] : planChangeLines(changes), more: changes?.more ?? 0 };
}

function json(result: ApprovedPlan, wording: Wording) {
  const { batch: of, seen, end } = result;
  const isApproved = result.kind === 'approved';
  const { changed, more } = changedIn(result);
  return {
    environment: seen.environment,
    batch: batchJson(of),
    outcome: result.kind,
    approved: isApproved ? result.count : 0,
    held: end.held.map(({ steps, ...row }) => ({ ...row, nextStep: textOf(stepPieces(steps), wording) })),
    unseen: isApproved ? result.unseen : { count: 0, rows: [] },
    digest: seen.plan.digest,
    plan: planJson(seen.plan, of.file),
    changes: changesJson(seen.changes),
    ...(result.kind === 'changed' ? { changedSinceSeen: changed, moreChanged: more } : {}),
    ...(result.kind === 'over_limit'
      ? { limit: result.limit, total: moneyJson(result.total), max: moneyJson(result.max) }
      : {}),
  };
}

export function approvalSentence(result: ApprovedPlan): string {
  switch (result.kind) {
    case 'approved': {
      const sentence = `Approved ${rowsText(result.count)} of batch ${batchLabel(result.batch)}.`;
      const { count, rows } = result.unseen;
      if (count === 0) return sentence;
      const which = `${rows.join(', ')}${count > rows.length ? ', …' : ''}`;
      return `${sentence} ${rowsText(count)} (${which}) changed or were added while you agreed. They were not approved, because you did not see them.`;
    }
    case 'nothing_to_approve':
      return 'Nothing waits for approval.';
    case 'not_agreed':
      return 'You did not agree. Nothing was approved.';
    case 'changed':
      return result.changes === undefined
        ? `payfile never showed a plan of this batch with the digest that you named. Nothing was approved. Look at the plan: its digest is ${result.digest}.`
        : 'The plan changed after you saw it. Nothing was approved. Look at it again. Changes since then:';
    case 'over_limit':
      return `${overLimitSentence(result)} Nothing was approved. Withdraw rows, or raise the limit in the configuration.`;
    case 'same_person':
    case 'let_in_by_maker':
    case 'let_maker_in':
      return `${samePersonSentence(result, result.batch)} Nothing was approved.`;
    case 'passkey_missing':
      return `${passkeySentence(result.batch)} Nothing was approved.`;
    case 'passkey_refused':
      return passkeyRefusedSentence(result);
  }
}

/**
 * The plan that waits for approval. The journal records that payfile showed it. Reads every row, which is slow for a
 * million rows. Errors: BatchHalfRead.
 */
export const planToAgree = operation({
  name: 'planToAgree',
  needs: ['look'],
  input: z.strictObject({ batch: batch() }),
  async run({ batch: named }, context) {
    const { planOf, planToSee } = await import('../use-cases/approve/plan-of-batch.ts');
    const { requireWholeFile } = await import('../use-cases/intake/half-read.ts');
    const ports = await context.offlinePorts();
    const found = await context.batch(named);
    requireWholeFile(found);
    return planToSee(await planOf(found.id, ports), found, ports);
  },
  json: ({ environment, batch: of, plan, changes }) => ({
    environment,
    batch: batchJson(of),
    plan: planJson(plan, of.file),
    changes: changesJson(changes),
  }),
});
