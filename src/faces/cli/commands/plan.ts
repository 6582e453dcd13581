/**
 * `payfile plan FILE`: check, names and fees; kept in the ledger. Sends nothing; `approve` and `send` go on
 * from here.
 *
 * --json: {batch, plan, changes (see show/plan.ts), file, issues, unpriced, outcome: "planned" | "invalid_rows" | …,
 * exitCode}.
 */

import { type Batch, batchLabel } from '../../../domain/batches/batch.ts';
import type { Plan } from '../../../domain/plan/plan.ts';
import { type Command, command, nextSteps } from '../../../domain/steps/command.ts';
import { counted, rowsText } from '../../../domain/text/printable.ts';
import { planOf, rememberPlanSeen } from '../../../use-cases/approve/plan.ts';
import type { FixWritten } from '../../../use-cases/intake/fix-file.ts';
import type { Imported } from '../../../use-cases/intake/import-file.ts';
import { pricePayouts } from '../../../use-cases/price/price-payouts.ts';
import { recoverBatch } from '../../../use-cases/send/recover-batch.ts';
import { orBusy, type World, withLease } from '../../../use-cases/world.ts';
import { askRepeats, type RepeatAnswer } from '../ask-repeats.ts';
import { type Call, leaseHolder, tellSteps, typed, typedSteps } from '../call.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type Opened, openParts } from '../open-parts.ts';
import { placeFile } from '../place-file.ts';
import { openWorkingLedger, requireFile, requireService } from '../run-usage.ts';
import { batchJson } from '../show/batch.ts';
import { fixFileJson } from '../show/fix-file.ts';
import { invalidRowsOf, isGrouped, issuesJson, printIssues } from '../show/issues.ts';
import { invalidSumsOf, tellImported, tellPlaced, tellRefused } from '../show/placed.ts';
import { alikeFor, alikeJson, changesFor, changesJson, planJson, printPlan } from '../show/plan.ts';
import { fileCommand } from '../words/file-words.ts';
import { fileJson, finishedBefore } from './run.ts';

export async function plan(call: Call): Promise<ExitCode> {
  const opened = await openParts(call);
  requireService(opened.settings);
  await openWorkingLedger(call, opened);
  await requireFile(call);
  const world = await opened.world();
  const { placed, imported, repeats, fixFile } = await placeFile(call, opened, world);
  if (placed.kind === 'refused') return tellRefused(placed, call, opened);
  if (placed.kind === 'finished') return finishedBefore(placed.batch, call, opened);
  if (placed.kind === 'canceled') return EXIT.needsPerson;
  tellImported(imported, call);
  tellPlaced(placed, call);
  const { batch, overlaps } = placed;
  const answer = await askRepeats({ batch, rows: imported.rows, overlaps, said: repeats }, call, world);
  const repeatsReleased = answer.kind === 'released' ? answer.of : undefined;
  const { signal } = call.stopping;
  const priced = orBusy(
    await withLease(batch.id, leaseHolder(call), world, async () => {
      await recoverBatch(batch.id, world);
      const { planned } = await world.ledger.counts(batch.id);
      world.tell({ kind: 'stage', stage: 'price', batchId: batch.id, total: planned });
      return pricePayouts(batch.id, world, { signal, repeatsReleased });
    }),
  );
  opened.progress.clear();
  signal.throwIfAborted();
  return show(batch, { call, opened, world, answer, imported, unpriced: priced, fixFile });
}

interface Showing {
  readonly call: Call;
  readonly opened: Opened;
  readonly world: World;
  readonly answer: RepeatAnswer;
  readonly imported: Imported;
  readonly fixFile: FixWritten | undefined;
  readonly unpriced: { readonly unpriced: number; readonly reason: string | undefined };
}

async function show(placedBatch: Batch, showing: Showing): Promise<ExitCode> {
  const { call, opened, world, imported, unpriced } = showing;
  const { terminal } = call;
  const { environment } = opened.settings;
  const made = await planOf(placedBatch.id, world);
  const batch = (await world.ledger.batch(placedBatch.id)) ?? placedBatch;
  await rememberPlanSeen(batch.id, made, world);
  const rows = await invalidRowsOf(batch.id, world.ledger);
  const all = call.flags.all === true;
  for (const line of printIssues(rows, { all, columns: terminal.columns })) terminal.result(line);
  if (!all && isGrouped(rows))
    terminal.talk(`Every row: ${typed(call, fileCommand(call, 'check', { more: [['--all']] }))}`);
  const invalidSums = await invalidSumsOf(made, batch, opened);
  const changes = await changesFor(made, batch, world);
  const alike = await alikeFor(made, batch, world);
  const allChanges = call.flags.changes === true;
  const { amountStyle } = imported;
  const shown = { plan: made, batch, environment, amountStyle, invalidSums, changes, alike, allChanges };
  terminal.result(printPlan(shown, terminal));
  const firstHeld = await world.ledger.page(batch.id, { statuses: ['held'], after: undefined, limit: 1 });
  const end = endOf(made, batch, { ...showing, heldRow: firstHeld.payouts[0]?.rowNumber });
  if (end.sentence !== undefined) terminal.talk(end.sentence);
  const steps = typedSteps(call, nextSteps(end.next, end.andThen));
  tellSteps(steps, terminal);
  terminal.answer({
    schemaVersion: 1,
    command: 'plan',
    environment,
    batch: batchJson(batch),
    outcome: end.outcome,
    exitCode: end.exitCode,
    plan: planJson(made),
    file: fileJson(imported),
    changes: changesJson(changes),
    alike: alikeJson(alike),
    unpriced: unpriced.unpriced,
    issues: issuesJson(rows, batch.file.sheet),
    fixFile: fixFileJson(showing.fixFile),
    ...steps,
  });
  return end.exitCode;
}

interface End {
  readonly exitCode: ExitCode;
  readonly outcome: string;
  readonly sentence?: string;
  readonly next: Command;
  readonly andThen?: Command | undefined;
}

const PLANNED = { exitCode: EXIT.done, outcome: 'planned' } as const;

function endOf(
  made: Plan,
  batch: Batch,
  { call, answer, unpriced, fixFile, heldRow }: Showing & { readonly heldRow: number | undefined },
): End {
  const label = batchLabel(batch);
  const { invalid = 0, quoted = 0 } = made.counts;
  if (unpriced.unpriced > 0) {
    const sentence = `${counted(unpriced.unpriced, 'row has', 'rows have')} no quote: ${unpriced.reason ?? 'no usable answer'}. Plan again when the service answers.`;
    return {
      exitCode: EXIT.serviceUnavailable,
      outcome: 'unpriced',
      sentence,
      next: fileCommand(call, 'plan'),
    };
  }
  if (invalid > 0 && call.flags.skipInvalid !== true) {
    const sentence = `${rowsText(invalid)} cannot be paid as written. Correct them and plan again, or leave them out with --skip-invalid.`;
    return {
      exitCode: EXIT.badFile,
      outcome: 'invalid_rows',
      sentence,
      next: fileCommand(call, 'plan', { mended: fixFile?.path }),
    };
  }
  if (answer.kind === 'open')
    return { ...PLANNED, sentence: answer.sentence, next: answer.next, andThen: answer.andThen };
  if (quoted > 0) return { ...PLANNED, next: command('approve', [label]) };
  if (heldRow === undefined) return { ...PLANNED, next: command('send', [label]) };
  const andThen = command('release', [label, heldRow], [['--reason', { fillIn: 'TEXT' }]]);
  return { ...PLANNED, next: command('explain', [label, heldRow]), andThen };
}
