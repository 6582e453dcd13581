/**
 * `payfile plan FILE`: check, names and fees; kept in the ledger. Sends nothing; `approve` and `send` go on
 * from here.
 *
 * --json: {batch, plan, changes (see show/plan.ts), file, issues, unpriced, outcome: "planned" | "invalid_rows" | …,
 * exitCode}.
 */

import { EXIT, type ExitCode } from '../../../domain/reporting/exit-code.ts';
import { type Command, nextSteps } from '../../../domain/steps/command.ts';
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
import { openQuestion, showFinished } from '../show/run.ts';
import { fileCommand } from '../words/file-words.ts';

export async function plan(call: Call): Promise<ExitCode> {
  const opened = await openParts(call);
  const done = await opened.payfile.plan(argument(call, 0), await fileRequest(call, opened));
  opened.progress.clear();
  const { placed, end, batch } = done;
  if (placed.kind === 'refused') return tellRefused(placed, call, opened);
  if (end.kind === 'finished') return showFinished(batch, end.counts, opened, call);
  return show(done, call);
}

function show(done: FilePlan, call: Call): ExitCode {
  const { plan: made, seen, imported, batch, fixFile } = done;
  if (made === undefined || seen === undefined) return EXIT.needsPerson;
  const { terminal, flags } = call;
  tellIssues(done.invalidRows, call);
  terminal.result(printPlan({ ...seen, allChanges: flags.changes === true }, terminal));
  const end = saidOf(done, made, call);
  if (end.sentence !== undefined) terminal.talk(end.sentence);
  const steps = typedSteps(call, nextSteps(end.next, end.andThen));
  tellSteps(steps, terminal);
  terminal.answer({
    schemaVersion: 1,
    command: 'plan',
    environment: seen.environment,
    batch: batchJson(batch),
    outcome: end.outcome,
    exitCode: end.exitCode,
    plan: planJson(made.plan),
    file: fileJson(imported),
    changes: changesJson(seen.changes),
    alike: alikeJson(seen.alike),
    unpriced: made.priced.unpriced,
    issues: issuesJson(done.invalidRows, batch.file.sheet),
    fixFile: fixFileJson(fixFile),
    ...steps,
  });
  return end.exitCode;
}

interface Said {
  readonly exitCode: ExitCode;
  readonly outcome: string;
  readonly sentence?: string;
  readonly next?: Command | undefined;
  readonly andThen?: Command | undefined;
}

const PLANNED = { exitCode: EXIT.done, outcome: 'planned' } as const;

function saidOf(
  { end, answer, fixFile }: FilePlan,
  { plan: made, priced }: NonNullable<FilePlan['plan']>,
  call: Call,
): Said {
  switch (end.kind) {
    case 'unpriced': {
      const { unpriced, reason = 'no usable answer' } = priced;
      const sentence = `${counted(unpriced, 'row has', 'rows have')} no quote: ${reason}. Plan again when the service answers.`;
      const next = fileCommand(call, 'plan');
      return { exitCode: EXIT.serviceUnavailable, outcome: 'unpriced', sentence, next };
    }
    case 'invalid_rows': {
      const sentence = `${rowsText(made.counts.invalid ?? 0)} cannot be paid as written. Correct them and plan again, or leave them out with --skip-invalid.`;
      const next = fileCommand(call, 'plan', { mended: fixFile?.path });
      return { exitCode: EXIT.badFile, outcome: 'invalid_rows', sentence, next };
    }
    case 'repeats_open':
      return answer?.kind === 'open'
        ? { ...PLANNED, ...openQuestion(answer.repeats, 'plan', call) }
        : PLANNED;
    case 'planned':
      return { ...PLANNED, next: end.next, andThen: end.andThen };
    default:
      return PLANNED;
  }
}
