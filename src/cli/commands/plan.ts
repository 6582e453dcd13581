/**
 * `payfile plan FILE`: check, names and fees; kept in the ledger. Sends nothing; `approve` and `send` go on
 * from here.
 *
 * --json: {batch, plan, changes (see show/plan.ts), partReturns: [sentence], file, issues, unpriced,
 * outcome: "planned" | "invalid_rows" | …, exitCode}.
 */

import { type NextSteps, nextSteps } from '../../domain/next-steps/command.ts';
import type { ExitCode } from '../../domain/reporting/exit-code.ts';
import { counted, rowsText } from '../../domain/text/printable.ts';
import { batchJson } from '../../operations/batch-json.ts';
import { issueBlocks, issuesJson, shortIssues } from '../../operations/issue-blocks.ts';
import { fileJson, fixFileJson } from '../../operations/placed-blocks.ts';
import { planBlocks } from '../../operations/plan-blocks.ts';
import { alikeJson, changesJson, planJson } from '../../operations/plan-json.ts';
import { toLookAt } from '../../operations/told.ts';
import { type FilePlan, isNoWork, type PlanEnd } from '../../payfile.ts';
import { argument, type Call, tellSteps, typedSteps } from '../call.ts';
import { fileRequest, refuseUnrunnable } from '../file-request.ts';
import { openParts } from '../open-parts.ts';
import { drawAll } from '../show/blocks.ts';
import { againCommand, everyIssue, questionSaid, showNoWork, tellHeldBefore } from '../show/run.ts';

export async function plan(call: Call): Promise<ExitCode> {
  refuseUnrunnable(call, 'plan');
  const opened = await openParts(call);
  const done = await opened.payfile.plan(argument(call, 0), await fileRequest(call, opened));
  opened.progress.clear();
  const { end, plan: made, seen } = done;
  if (isNoWork(end)) return showNoWork({ ...done, environment: opened.payfile.environment }, end, call);
  if (made === undefined || seen === undefined) throw new Error('A plan ended without saying how.');
  return show({ ...done, end, plan: made, seen }, call);
}

type Planned = FilePlan & {
  readonly end: PlanEnd;
  readonly plan: NonNullable<FilePlan['plan']>;
  readonly seen: NonNullable<FilePlan['seen']>;
};

function show(done: Planned, call: Call): ExitCode {
  const { plan: made, seen, imported, batch, fixFile, end } = done;
  const { terminal, flags } = call;
  drawAll(issueBlocks(done.invalidRows, { all: flags.all === true, allBy: everyIssue(call) }), call);
  drawAll(planBlocks(seen, flags.changes), call);
  tellHeldBefore(made.plan, batch, call);
  const { exitCode, outcome } = end;
  const said = saidOf(done, call);
  if (said.sentence !== undefined) terminal.talk(said.sentence);
  const commands = nextSteps(said.next, said.andThen);
  const steps = typedSteps(call, commands);
  tellSteps(steps, terminal);
  const document = {
    command: 'plan',
    environment: seen.environment,
    batch: batchJson(batch),
    outcome,
    exitCode,
    plan: planJson(made.plan),
    file: fileJson(imported),
    changes: changesJson(seen.changes),
    alike: alikeJson(seen.plan.sameMoney.alike),
    twins: seen.plan.sameMoney.twins,
    partReturns: seen.partReturns,
    unpriced: made.priced.unpriced,
    issues: issuesJson(done.invalidRows, batch.file.sheet),
    fixFile: fixFileJson(fixFile),
    ...steps,
  };
  const summary = {
    batch,
    outcome,
    steps: commands,
    toLookAt: toLookAt(shortIssues(done.invalidRows), (text) => text),
  };
  terminal.answer(document, summary);
  return exitCode;
}

interface Said extends NextSteps {
  readonly sentence?: string;
}

function saidOf({ end, fixFile, plan: { plan: made, priced } }: Planned, call: Call): Said {
  switch (end.kind) {
    case 'unpriced': {
      const { unpriced, reason = 'no usable answer' } = priced;
      const sentence = `${counted(unpriced, 'row has', 'rows have')} no quote: ${reason}. Plan again when the service answers.`;
      return { sentence, next: againCommand({ end, fixFile }, 'plan', call) };
    }
    case 'invalid_rows': {
      const sentence = `${rowsText(made.counts.invalid ?? 0)} cannot be paid as written. Correct them and plan again, or leave them out with --skip-invalid.`;
      return { sentence, andThen: againCommand({ end, fixFile }, 'plan', call) };
    }
    case 'repeats_open':
      return end.question === undefined ? {} : questionSaid(end.question, 'plan', call);
    case 'too_early':
      return { sentence: end.reason ?? '', next: end.next };
    case 'planned':
      return { next: end.next, andThen: end.andThen };
  }
}
