/**
 * `payfile approve BATCH`: a person agrees to exactly this plan. On a terminal by typing the total, elsewhere
 * by naming the plan's digest.
 *
 * --json: {batch, plan, approved, digest, outcome: "approved" | "nothing_to_approve" | "changed" |
 * "same_person", exitCode}.
 */
import { type Approved, approveBatch } from '../../application/approve-batch.ts';
import { planOf } from '../../application/plan-batch.ts';
import type { Batch } from '../../domain/batch.ts';
import { formatMoney } from '../../domain/money.ts';
import type { Plan } from '../../domain/plan.ts';
import { askText, mayAsk } from '../ask.ts';
import { argument, type Call, shellWord, typed } from '../call.ts';
import { isSameTotal, totalToType } from '../consent.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { findBatch } from '../find-batch.ts';
import { openParts } from '../open-parts.ts';
import { userName } from '../person.ts';
import { batchLabel, planJson, printPlan, rowsText } from '../print-plan.ts';
import { batchJson } from '../show-batch.ts';
import { invalidSumsOf } from '../tell-placed.ts';
import { UsageError } from '../usage-error.ts';

export async function approve(call: Call): Promise<ExitCode> {
  const opened = await openParts(call);
  const world = await opened.quietWorld();
  const { ledger } = world;
  const { environment } = ledger.identity;
  const batch = await findBatch(argument(call, 0), ledger, call);
  const plan = await planOf(batch.id, world);
  const by = userName();
  const { terminal, stopping } = call;
  const invalidSums = await invalidSumsOf(plan, batch, opened);
  terminal.result(printPlan({ plan, batch, environment, invalidSums }, terminal));
  const isSame = world.policy.fourEyes && batch.maker === by;
  const digest =
    isSame || (plan.counts.quoted ?? 0) === 0 ? plan.digest : await agreedDigest(plan, batch, call);
  if (digest === undefined) {
    terminal.talk('You did not agree; nothing was approved.');
    return EXIT.needsPerson;
  }
  const options = { by, how: 'approve_command' as const, digest, signal: stopping.signal };
  const result = await approveBatch(batch.id, options, world);
  opened.progress.clear();
  const end = endOf(result, batch, call);
  terminal.talk(end.sentence);
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
    next: end.next,
  });
  return end.exitCode;
}

/** What the person agreed to; undefined when they did not. */
async function agreedDigest(plan: Plan, batch: Batch, call: Call): Promise<string | undefined> {
  const { digest } = call.flags;
  if (digest !== undefined) return digest;
  const next = typed(call, `approve ${shellWord(batchLabel(batch))} --digest ${plan.digest.slice(0, 16)}`);
  if (!mayAsk(call))
    throw new UsageError(
      'Without a terminal say which plan you agree to: --digest, as plan printed it.',
      next,
    );
  const total = totalToType(plan);
  if (total === undefined) return undefined;
  const shown = formatMoney(total);
  const answer = await askText(
    `Type the total to approve ${plan.counts.quoted ?? 0} rows: ${shown}`,
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
      const sentence = `The plan is not the one you named: its digest is ${result.digest}. Nothing was approved; look at it again.`;
      return {
        exitCode: EXIT.needsPerson,
        sentence,
        next: typed(call, `approve ${label} --digest ${result.digest.slice(0, 16)}`),
      };
    }
    case 'same_person': {
      const sentence = `Four eyes: ${result.maker} made this plan, another person has to approve it. Nothing was approved.`;
      return { exitCode: EXIT.needsPerson, sentence, next: typed(call, `approve ${label}`) };
    }
  }
}
