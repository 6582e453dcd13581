/**
 * What an approval came to, for the person and for a program: one sentence, the rows that it left out and why, and the
 * next command.
 *
 * --json: {batch, plan, approved, digest (the plan's), held: [{row, reason, nextStep}], unseen: {count, rows} (changed or came while it was
 * being approved), released: [row], withdrawn: [row], outcome: "approved" | "nothing_to_approve" | "changed" (with
 * changedSinceSeen: [{row, kind, text}]) | "over_limit" (with limit, total, max) | "same_person", exitCode}.
 */

import { type Batch, batchLabel } from '../../../domain/batches/batch.ts';
import type { BatchChanges } from '../../../domain/batches/batch-changes.ts';
import type { Payout } from '../../../domain/payouts/payout.ts';
import { type OverLimit, overLimitSentence } from '../../../domain/plan/limits.ts';
import type { Plan } from '../../../domain/plan/plan.ts';
import { type DriftLine, driftLines } from '../../../domain/plan/plan-drift.ts';
import { DEFAULT_POLICY, hoursMs } from '../../../domain/policy.ts';
import { reasonOf } from '../../../domain/reporting/report-line.ts';
import { type Command, command, nextSteps, stepsText } from '../../../domain/steps/command.ts';
import { commandsFor, nextStepOf } from '../../../domain/steps/next-step.ts';
import { rowsText } from '../../../domain/text/printable.ts';
import type { Approved } from '../../../use-cases/approve/approve-batch.ts';
import { type Call, placeOf, tellSteps, typedSteps } from '../call.ts';
import { fourEyesSentence } from '../consent.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { batchJson } from './batch.ts';
import { changesJson, moneyJson, planJson } from './plan.ts';

export interface ShownApproval {
  readonly plan: Plan;
  readonly batch: Batch;
  readonly call: Call;
  readonly environment: 'live' | 'sandbox';
  readonly released: readonly number[];
  readonly changes: BatchChanges | undefined;
}

export function showApproval(
  result: Approved,
  { plan, batch, call, environment, released, changes }: ShownApproval,
): ExitCode {
  const { terminal } = call;
  const end = endOf(result, batch);
  const changed = result.kind === 'changed' && result.drift !== undefined ? driftLines(result.drift) : [];
  const isApproved = result.kind === 'approved';
  const held = isApproved ? heldAtApproval(result.held, batch, { call, environment }) : [];
  const withdrawn = 'withdrawn' in result ? result.withdrawn : [];
  if (withdrawn.length > 0)
    terminal.result(`Withdrawn: ${rowsText(withdrawn.length)} (${withdrawn.join(', ')}).`);
  terminal.talk(end.sentence);
  for (const row of held) terminal.talk(heldText(row));
  const more = result.kind === 'changed' ? (result.drift?.more ?? 0) : 0;
  for (const line of driftText(changed, more)) terminal.talk(line);
  const steps = typedSteps(call, nextSteps(end.next, end.andThen));
  tellSteps(steps, terminal);
  terminal.answer({
    schemaVersion: 1,
    command: 'approve',
    environment,
    batch: batchJson(batch),
    outcome: result.kind,
    exitCode: end.exitCode,
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

interface End {
  readonly exitCode: ExitCode;
  readonly sentence: string;
  readonly next: Command;
  readonly andThen?: Command;
}

function endOf(result: Approved, batch: Batch): End {
  const label = batchLabel(batch);
  switch (result.kind) {
    case 'approved':
      return approvedEnd(result, batch);
    case 'nothing_to_approve':
      return {
        exitCode: EXIT.done,
        sentence: 'Nothing waits for approval.',
        next: command('status', [label]),
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
        next: command('status', [label]),
        andThen: command('approve', [label], [['--digest', { fillIn: 'DIGEST' }]]),
      };
    }
    case 'over_limit': {
      const sentence = `${overLimitSentence(result)} Nothing was approved; withdraw rows, or raise the limit in the configuration.`;
      const next = command('status', [label]);
      const andThen = command(
        'approve',
        [label],
        [
          ['--withdraw', { fillIn: 'ROW' }],
          ['--reason', { fillIn: 'TEXT' }],
        ],
      );
      return { exitCode: EXIT.needsPerson, sentence, next, andThen };
    }
    case 'same_person': {
      const sentence = `${fourEyesSentence(result.maker, batch)} Nothing was approved.`;
      return { exitCode: EXIT.needsPerson, sentence, next: command('approve', [label]) };
    }
  }
}

function approvedEnd(result: Extract<Approved, { kind: 'approved' }>, batch: Batch): End {
  const label = batchLabel(batch);
  const sentence = `Approved ${rowsText(result.count)} of batch ${batchLabel(batch)}.`;
  const { count, rows } = result.unseen;
  if (count > 0) {
    const which = `${rows.join(', ')}${count > rows.length ? ', …' : ''}`;
    const unseen = `${rowsText(count)} (${which}) changed or were added while you agreed: not approved, because you did not see them.`;
    return {
      exitCode: EXIT.needsPerson,
      sentence: `${sentence} ${unseen}`,
      next: command('approve', [label]),
    };
  }
  const [first] = result.held;
  if (result.count === 0 && first !== undefined) {
    const next = command('explain', [label, first.rowNumber]);
    return { exitCode: EXIT.needsPerson, sentence, next };
  }
  return { exitCode: EXIT.done, sentence, next: command('send', [label]) };
}

/**
 * Rows that an approval left with a person, because another instruction of the same row lives: which one, and the
 * commands to let it go or to withdraw it.
 */

export interface HeldRow {
  readonly row: number;
  readonly reason: string;
  readonly nextStep: string;
}

export function heldAtApproval(
  held: readonly Payout[],
  batch: Batch,
  { call, environment }: { readonly call: Call; readonly environment: 'live' | 'sandbox' },
): readonly HeldRow[] {
  // A held row has no waiting time before it is paid again.
  const reissueAfterMs = hoursMs(DEFAULT_POLICY.reissueAfterHours);
  const commands = commandsFor({ batch, environment, reissueAfterMs });
  return held.map((payout) => ({
    row: payout.rowNumber,
    reason: reasonOf(payout, []),
    nextStep: stepsText(nextStepOf(payout, commands), placeOf(call)),
  }));
}

export function heldText({ row, reason, nextStep }: HeldRow): string {
  return `Row ${row} is held and was not approved: ${reason}. ${nextStep}`;
}
