/**
 * What an approval came to, for the person and for a program: one sentence, the rows that it left out and why, and the
 * next command.
 *
 * --json: {batch, plan, approved, digest (the plan's), held: [{row, reason, nextStep}], unseen: {count, rows} (changed or came while it was
 * being approved), released: [row], withdrawn: [row], outcome: "approved" | "nothing_to_approve" | "changed" (with
 * changedSinceSeen: [{row, kind, text}]) | "over_limit" (with limit, total, max) | "same_person", exitCode}.
 */

import { batchLabel } from '../../../domain/batches/batch.ts';
import { nextSteps, stepsText } from '../../../domain/next-steps/command.ts';
import { type OverLimit, overLimitSentence } from '../../../domain/plan/limits.ts';
import { type DriftLine, driftLines } from '../../../domain/plan/plan-drift.ts';
import { fourEyesSentence } from '../../../domain/plan/typed-totals.ts';
import type { ExitCode } from '../../../domain/reporting/exit-code.ts';
import { rowsText } from '../../../domain/text/printable.ts';
import type { ApprovedPlan } from '../../../payfile.ts';
import { type Call, type Opened, tellSteps, typedSteps } from '../call.ts';
import { batchJson } from './batch.ts';
import { changesJson, moneyJson, planJson } from './plan.ts';

type Shown = Exclude<ApprovedPlan, { kind: 'not_agreed' }>;

export function showApproval(result: Shown, { place }: Opened, call: Call): ExitCode {
  const { terminal } = call;
  const { batch, released, seen, end } = result;
  const { plan, changes, environment } = seen;
  const { exitCode } = end;
  const changed = result.kind === 'changed' && result.drift !== undefined ? driftLines(result.drift) : [];
  const isApproved = result.kind === 'approved';
  const held = end.held.map(({ steps, ...row }) => ({ ...row, nextStep: stepsText(steps, place) }));
  const withdrawn = 'withdrawn' in result ? result.withdrawn : [];
  if (withdrawn.length > 0)
    terminal.result(`Withdrawn: ${rowsText(withdrawn.length)} (${withdrawn.join(', ')}).`);
  terminal.talk(sentenceOf(result));
  for (const row of held) terminal.talk(heldText(row));
  const more = result.kind === 'changed' ? (result.drift?.more ?? 0) : 0;
  for (const line of driftText(changed, more)) terminal.talk(line);
  const commands = nextSteps(end.next, end.andThen);
  const steps = typedSteps(call, commands);
  tellSteps(steps, terminal);
  const document = {
    schemaVersion: 1,
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
    released,
    withdrawn,
    ...(result.kind === 'changed' ? { changedSinceSeen: changed, moreChanged: more } : {}),
    ...(result.kind === 'over_limit' ? { limit: result.limit, ...limitJson(result) } : {}),
    ...steps,
  };
  terminal.answer(document, { batch, outcome: result.kind, steps: commands });
  return exitCode;
}

const limitJson = ({ total, max }: OverLimit) => ({ total: moneyJson(total), max: moneyJson(max) });

const DRIFT_SHOWN = 10;

function driftText(lines: readonly DriftLine[], more: number): string[] {
  const left = lines.length - DRIFT_SHOWN + more;
  const shown = lines.slice(0, DRIFT_SHOWN).map(({ row, text }) => `  Row ${row}: ${text}`);
  return left > 0 ? [...shown, `  … and ${left} more; --json lists them.`] : shown;
}

function sentenceOf(result: Shown): string {
  switch (result.kind) {
    case 'approved': {
      const sentence = `Approved ${rowsText(result.count)} of batch ${batchLabel(result.batch)}.`;
      const { count, rows } = result.unseen;
      if (count === 0) return sentence;
      const which = `${rows.join(', ')}${count > rows.length ? ', …' : ''}`;
      return `${sentence} ${rowsText(count)} (${which}) changed or were added while you agreed: not approved, because you did not see them.`;
    }
    case 'nothing_to_approve':
      return 'Nothing waits for approval.';
    case 'changed': {
      const known =
        result.drift === undefined
          ? 'No plan of this batch with that digest was shown before.'
          : 'Since then:';
      return `The plan is not the one you named: its digest is ${result.digest}. Nothing was approved; look at it again. ${known}`;
    }
    case 'over_limit':
      return `${overLimitSentence(result)} Nothing was approved; withdraw rows, or raise the limit in the configuration.`;
    case 'same_person':
      return `${fourEyesSentence(result.maker, result.batch)} Nothing was approved.`;
  }
}

interface HeldRow {
  readonly row: number;
  readonly reason: string;
  readonly nextStep: string;
}

function heldText({ row, reason, nextStep }: HeldRow): string {
  return `Row ${row} is held and was not approved: ${reason}. ${nextStep}`;
}
