/**
 * What an approval came to, for the person and for a program: one sentence, the rows that it left out and why, and the
 * next command.
 *
 * --json: {batch, plan, approved, digest (the plan's), held: [{row, reason, nextStep}], unseen: {count, rows} (changed or came while it was
 * being approved), outcome: "approved" | "nothing_to_approve" | "changed" (with
 * changedSinceSeen: [{row, kind, text}]) | "over_limit" (with limit, total, max) | "same_person" | "passkey_missing", exitCode}.
 */

import { moneyJson } from '../../domain/money/money.ts';
import { nextSteps, stepsText } from '../../domain/next-steps/command.ts';
import type { OverLimit } from '../../domain/plan/limits.ts';
import { type PlanChangeLine, planChangeLines } from '../../domain/plan/plan-changes.ts';
import type { ExitCode } from '../../domain/reporting/exit-code.ts';
import { batchJson } from '../../operations/batch-json.ts';
import { changesJson, planJson } from '../../operations/plan-json.ts';
import { approvalSentence } from '../../operations/words/approval.ts';
import type { ApprovedPlan } from '../../payfile.ts';
import { type Call, type Opened, tellSteps, typedSteps } from '../call.ts';

export function showApproval(
  result: Exclude<ApprovedPlan, { kind: 'not_agreed' }>,
  { place }: Opened,
  call: Call,
): ExitCode {
  const { terminal } = call;
  const { batch, seen, end } = result;
  const { plan, changes, environment } = seen;
  const { exitCode } = end;
  const changed =
    result.kind === 'changed' && result.changes !== undefined ? planChangeLines(result.changes) : [];
  const isApproved = result.kind === 'approved';
  const held = end.held.map(({ steps, ...row }) => ({ ...row, nextStep: stepsText(steps, place) }));
  terminal.talk(approvalSentence(result));
  for (const row of held) terminal.talk(heldText(row));
  const more = result.kind === 'changed' ? (result.changes?.more ?? 0) : 0;
  for (const line of driftText(changed, more)) terminal.talk(line);
  const commands = nextSteps(end.next, end.andThen);
  const steps = typedSteps(call, commands);
  tellSteps(steps, terminal);
  const document = {
    command: 'approve',
    environment,
    batch: batchJson(batch),
    outcome: result.kind,
    exitCode,
    approved: isApproved ? result.count : 0,
    held,
    unseen: isApproved ? result.unseen : { count: 0, rows: [] },
    digest: plan.digest,
    plan: planJson(plan),
    changes: changesJson(changes),
    ...(result.kind === 'changed' ? { changedSinceSeen: changed, moreChanged: more } : {}),
    ...(result.kind === 'over_limit' ? { limit: result.limit, ...limitJson(result) } : {}),
    ...steps,
  };
  terminal.answer(document, { batch, outcome: result.kind, steps: commands });
  return exitCode;
}

const limitJson = ({ total, max }: OverLimit) => ({ total: moneyJson(total), max: moneyJson(max) });

const DRIFT_SHOWN = 10;

function driftText(lines: readonly PlanChangeLine[], more: number): string[] {
  const left = lines.length - DRIFT_SHOWN + more;
  const shown = lines.slice(0, DRIFT_SHOWN).map(({ row, text }) => `  Row ${row}: ${text}`);
  return left > 0 ? [...shown, `  … and ${left} more; --json lists them.`] : shown;
}

interface HeldRow {
  readonly row: number;
  readonly reason: string;
  readonly nextStep: string;
}

function heldText({ row, reason, nextStep }: HeldRow): string {
  return `Row ${row} is held and was not approved: ${reason}. ${nextStep}`;
}
