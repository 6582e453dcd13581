/**
 * `payfile plan FILE`: check, names and fees; kept in the ledger. Sends nothing; `approve` and `send` go on
 * from here.
 *
 * --json: {batch, plan, changes (see show/plan.ts), file, issues, unpriced, outcome: "planned" | "invalid_rows" | …,
 * exitCode}.
 */

import { EXIT, type ExitCode } from '../../../domain/reporting/exit-code.ts';
import { type NextSteps, nextSteps } from '../../../domain/steps/command.ts';
import { counted, rowsText } from '../../../domain/text/printable.ts';
import type { FilePlan } from '../../../payfile.ts';
import { argument, type Call, tellSteps, typedSteps } from '../call.ts';
import { fileRequest } from '../file-request.ts';
import { openParts } from '../open-parts.ts';
import { batchJson } from '../show/batch.ts';
import { fixFileJson } from '../show/fix-file.ts';
import { issuesJson, tellIssues } from '../show/issues.ts';
import { fileJson, tellRefused } from '../show/placed.ts';
import { alikeJson, changesJson, planJson, printPlan } from '../show/plan.ts';
import { againCommand, questionSaid, showFinished } from '../show/run.ts';

export async function plan(call: Call): Promise<ExitCode> {
  const opened = await openParts(call);
  const done = await opened.payfile.plan(argument(call, 0), await fileRequest(call, opened));
  opened.progress.clear();
  const { placed, end, batch } = done;
  if (placed.kind === 'refused') return tellRefused(placed, call, opened);
  if (end.kind === 'finished') return showFinished(batch, end, opened, call);
  return show(done, call);
}

function show(done: FilePlan, call: Call): ExitCode {
  const { plan: made, seen, imported, batch, fixFile } = done;
  if (made === undefined || seen === undefined) return CODES[done.end.kind];
  const { terminal, flags } = call;
  tellIssues(done.invalidRows, call);
  terminal.result(printPlan({ ...seen, allChanges: flags.changes === true }, terminal));
  const { kind } = done.end;
  const exitCode = CODES[kind];
  const said = saidOf(done, made, call);
  if (said.sentence !== undefined) terminal.talk(said.sentence);
  const steps = typedSteps(call, nextSteps(said.next, said.andThen));
  tellSteps(steps, terminal);
  terminal.answer({
    schemaVersion: 1,
    command: 'plan',
    environment: seen.environment,
    batch: batchJson(batch),
    outcome: kind === 'repeats_open' ? 'planned' : kind,
    exitCode,
    plan: planJson(made.plan),
    file: fileJson(imported),
    changes: changesJson(seen.changes),
    alike: alikeJson(seen.alike),
    unpriced: made.priced.unpriced,
    issues: issuesJson(done.invalidRows, batch.file.sheet),
    fixFile: fixFileJson(fixFile),
    ...steps,
  });
  return exitCode;
}

const CODES: Readonly<Record<FilePlan['end']['kind'], ExitCode>> = {
  planned: EXIT.done,
  // Only the rows in question are held; the plan is made.
  repeats_open: EXIT.done,
  finished: EXIT.done,
  canceled: EXIT.needsPerson,
  invalid_rows: EXIT.badFile,
  refused: EXIT.badFile,
  unpriced: EXIT.serviceUnavailable,
};

interface Said extends NextSteps {
  readonly sentence?: string;
}

function saidOf(done: FilePlan, { plan: made, priced }: NonNullable<FilePlan['plan']>, call: Call): Said {
  const { end, fixFile } = done;
  switch (end.kind) {
    case 'unpriced': {
      const { unpriced, reason = 'no usable answer' } = priced;
      const sentence = `${counted(unpriced, 'row has', 'rows have')} no quote: ${reason}. Plan again when the service answers.`;
      return { sentence, next: againCommand({ end, fixFile }, 'plan', call) };
    }
    case 'invalid_rows': {
      const sentence = `${rowsText(made.counts.invalid ?? 0)} cannot be paid as written. Correct them and plan again, or leave them out with --skip-invalid.`;
      return { sentence, next: againCommand({ end, fixFile }, 'plan', call) };
    }
    case 'repeats_open':
      return end.question === undefined ? {} : questionSaid(end.question, 'plan', call);
    case 'planned':
      return { next: end.next, andThen: end.andThen };
    default:
      return {};
  }
}
