/**
 * `payfile approve BATCH`: a person agrees to exactly this plan. On a terminal by typing the total, elsewhere
 * by naming the plan's digest.
 *
 * --json: {batch, plan, approved, digest, released: [row], withdrawn: [row], outcome: "approved" |
 * "nothing_to_approve" | "changed" (with changedSinceSeen: [{row, kind, text}]) | "over_limit" (with limit, total, max) |
 * "same_person", exitCode}.
 */

import { type Approved, approveBatch, isMakerOf } from '../../application/approve-batch.ts';
import { planOf } from '../../application/plan-batch.ts';
import { driftSince, isSameDigest, rememberPlanSeen } from '../../application/plan-seen.ts';
import type { Batch } from '../../domain/batch.ts';
import type { BatchChanges } from '../../domain/batch-changes.ts';
import { rowsText } from '../../domain/counted.ts';
import { type OverLimit, overLimitSentence } from '../../domain/limits.ts';
import { formatMoney } from '../../domain/money.ts';
import type { Plan } from '../../domain/plan.ts';
import { type DriftLine, driftLines, type PlanMove } from '../../domain/plan-drift.ts';
import { askText, mayAsk } from '../ask.ts';
import { argument, type Call, shellWord, typed } from '../call.ts';
import { isSameTotal, totalToType } from '../consent.ts';
import {
  type DecidedAtApproval,
  decideAtApproval,
  reasonAtApproval,
  rowWords,
} from '../decide-at-approval.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { findBatch } from '../find-batch.ts';
import { type Opened, openParts } from '../open-parts.ts';
import { userName } from '../person.ts';
import { changesFor, changesJson } from '../print-changes.ts';
import { batchLabel, moneyJson, planJson, printPlan } from '../print-plan.ts';
import { batchJson } from '../show-batch.ts';
import { invalidSumsOf } from '../tell-placed.ts';
import { UsageError } from '../usage-error.ts';

export async function approve(call: Call): Promise<ExitCode> {
  const opened = await openParts(call);
  const world = await opened.quietWorld();
  const { ledger } = world;
  const batch = await findBatch(argument(call, 0), ledger, call);
  const by = userName();
  const { terminal, stopping } = call;
  const isSame = world.policy.fourEyes && (await isMakerOf(batch, by, world));
  const agreed = isSame ? { digest: undefined, decided: undefined } : await decideRows(batch, call, opened);
  const plan = await planOf(batch.id, world);
  const invalidSums = await invalidSumsOf(plan, batch, opened);
  const { environment } = ledger.identity;
  const changes = await changesFor(plan, batch, world);
  const all = call.flags.changes === true;
  terminal.result(printPlan({ plan, batch, environment, invalidSums, changes, allChanges: all }, terminal));
  const hasNothing = (plan.counts.quoted ?? 0) === 0;
  if (!hasNothing) await rememberPlanSeen(batch.id, plan, world);
  const digest =
    isSame || hasNothing ? plan.digest : (agreed.digest ?? (await agreedDigest(plan, batch, call)));
  if (digest === undefined) {
    terminal.talk('You did not agree; nothing was approved.');
    return EXIT.needsPerson;
  }
  const options = { by, how: 'approve_command' as const, digest, signal: stopping.signal };
  const result = await approveBatch(batch.id, options, world);
  opened.progress.clear();
  return show(result, { plan, batch, call, environment, decided: agreed.decided, changes });
}

interface Shown {
  readonly plan: Plan;
  readonly batch: Batch;
  readonly call: Call;
  readonly environment: 'live' | 'sandbox';
  readonly decided: DecidedAtApproval | undefined;
  readonly changes: BatchChanges | undefined;
}

function show(result: Approved, { plan, batch, call, environment, decided, changes }: Shown): ExitCode {
  const { terminal } = call;
  const end = endOf(result, batch, call);
  const changed = result.kind === 'changed' && result.drift !== undefined ? driftLines(result.drift) : [];
  terminal.talk(end.sentence);
  const more = result.kind === 'changed' ? (result.drift?.more ?? 0) : 0;
  for (const line of driftText(changed, more)) terminal.talk(line);
  terminal.talk(`Next: ${end.next}`);
  terminal.answer({
    schemaVersion: 1,
    command: 'approve',
    environment,
    batch: batchJson(batch),
    outcome: result.kind,
    exitCode: end.exitCode,
    approved: result.kind === 'approved' ? result.count : 0,
    digest: plan.digest,
    plan: planJson(plan),
    changes: changesJson(changes),
    released: decided?.released ?? [],
    withdrawn: decided?.withdrawn ?? [],
    ...(result.kind === 'changed' ? { changedSinceSeen: changed, moreChanged: more } : {}),
    ...(result.kind === 'over_limit' ? { limit: result.limit, ...limitJson(result) } : {}),
    next: end.next,
  });
  return end.exitCode;
}

const limitJson = ({ total, max }: OverLimit) => ({ total: moneyJson(total), max: moneyJson(max) });

const DRIFT_SHOWN = 10;

function driftText(lines: readonly DriftLine[], more: number): string[] {
  const left = lines.length - DRIFT_SHOWN + more;
  const shown = lines.slice(0, DRIFT_SHOWN).map(({ row, text }) => `  Row ${row}: ${text}`);
  return left > 0 ? [...shown, `  … and ${left} more; --json lists them.`] : shown;
}

/**
 * Rows released or withdrawn as part of this approval. Without a terminal the digest is that of the plan which was seen
 * before; it is agreed to what comes of it, if nothing but these decisions changed it.
 */
async function decideRows(batch: Batch, call: Call, opened: Opened) {
  const world = await opened.quietWorld();
  const seen = await planOf(batch.id, world);
  const asked = call.flags.digest;
  const { release, withdraw } = call.flags;
  const isOther = asked !== undefined && !isSameDigest(seen.digest, asked);
  // Another plan than the one named: nothing is decided, and the approval says what changed.
  if ((release === undefined && withdraw === undefined) || isOther)
    return { digest: asked, decided: undefined };
  reasonAtApproval(batch, call);
  if (asked === undefined && !mayAsk(call)) throw digestMissing(seen, batch, call);
  await rememberPlanSeen(batch.id, seen, world);
  const decided = await decideAtApproval(batch, call, opened);
  if (asked === undefined || decided === undefined) return { digest: asked, decided };
  const drift = await driftSince(batch.id, seen.digest, world);
  const isOwn = drift === undefined ? true : drift.more === 0 && drift.moves.every(isDecided(decided));
  const now = await planOf(batch.id, world);
  return { digest: isOwn ? now.digest : asked, decided };
}

function isDecided({ released, withdrawn }: DecidedAtApproval) {
  return ({ payout, before, now }: PlanMove): boolean => {
    if (before === undefined) return released.includes(payout.rowNumber);
    return now === undefined && withdrawn.includes(payout.rowNumber);
  };
}

function digestMissing(plan: Plan, batch: Batch, call: Call): UsageError {
  const { flags } = call;
  const words = rowWords({ flags: { ...flags, digest: plan.digest.slice(0, 16) } });
  const reason = flags.reason === undefined ? '' : ` --reason ${shellWord(flags.reason)}`;
  const next = typed(call, `approve ${shellWord(batchLabel(batch))}${words}${reason}`);
  return new UsageError(
    'Without a terminal say which plan you agree to: --digest, as plan printed it.',
    next,
  );
}

/** What the person agreed to; undefined when they did not. */
async function agreedDigest(plan: Plan, batch: Batch, call: Call): Promise<string | undefined> {
  const { digest } = call.flags;
  if (digest !== undefined) return digest;
  if (!mayAsk(call)) throw digestMissing(plan, batch, call);
  const total = totalToType(plan);
  if (total === undefined) return undefined;
  const shown = formatMoney(total);
  const answer = await askText(
    `Type the total to approve ${rowsText(plan.counts.quoted ?? 0)}: ${shown}`,
    (text) =>
      isSameTotal(text, total) ? undefined : `That is not ${shown}. Type the total, or press Ctrl-C to stop.`,
  );
  return answer === undefined ? undefined : plan.digest;
}

function endOf(
  result: Approved,
  batch: Batch,
  call: Call,
): { readonly exitCode: ExitCode; readonly sentence: string; readonly next: string } {
  const label = shellWord(batchLabel(batch));
  switch (result.kind) {
    case 'approved': {
      const sentence = `Approved ${rowsText(result.count)} of batch ${batchLabel(batch)}.`;
      return { exitCode: EXIT.done, sentence, next: typed(call, `send ${label}`) };
    }
    case 'nothing_to_approve':
      return {
        exitCode: EXIT.done,
        sentence: 'Nothing waits for approval.',
        next: typed(call, `status ${label}`),
      };
    case 'changed': {
      const known =
        result.drift === undefined
          ? 'No plan of this batch with that digest was shown before.'
          : 'Since then:';
      const sentence = `The plan is not the one you named: its digest is ${result.digest}. Nothing was approved; look at it again. ${known}`;
      return {
        exitCode: EXIT.needsPerson,
        sentence,
        next: typed(call, `approve ${label} --digest ${result.digest.slice(0, 16)}`),
      };
    }
    case 'over_limit': {
      const sentence = `${overLimitSentence(result)} Nothing was approved; withdraw rows, or raise the limit in the configuration.`;
      const next = typed(call, `approve ${label} --withdraw ROW --reason TEXT`);
      return { exitCode: EXIT.needsPerson, sentence, next };
    }
    case 'same_person': {
      const sentence = `Four eyes: ${result.maker} made this plan, another person has to approve it. Nothing was approved.`;
      return { exitCode: EXIT.needsPerson, sentence, next: typed(call, `approve ${label}`) };
    }
  }
}
