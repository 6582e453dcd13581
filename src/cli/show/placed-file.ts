/**
 * Says what payfile took a file for: a new batch, a revision of one, or a refused change of approved rows.
 */

import { batchLabel } from '../../domain/batches/batch.ts';
import { conflictText } from '../../domain/batches/revision-conflict.ts';
import { styleJson } from '../../domain/money/amount-style.ts';
import { command, nextSteps, shownSteps } from '../../domain/next-steps/command.ts';
import type { ExitCode } from '../../domain/reporting/exit-code.ts';
import { counted, printable, rowsText } from '../../domain/text/printable.ts';
import { batchJson } from '../../operations/batch-json.ts';
import { toLookAt } from '../../operations/told.ts';
import type { Imported, NoWork, Placed } from '../../payfile.ts';
import { type Call, type Opened, placeOf, tellStep, tellSteps, typed, typedSteps } from '../call.ts';

const NOTES_SHOWN = 20;

export function tellImported(imported: Imported, placed: TakenIn, call: Call): void {
  const { rows, blankRows, notes, fileName } = imported;
  const blank = blankRows > 0 ? `, ${rowsText(blankRows)} blank` : '';
  call.terminal.talk(`Read ${printable(fileName)}: ${rowsText(rows)}${blank}. ${placedText(placed, call)}`);
  for (const note of notes.slice(0, NOTES_SHOWN)) call.terminal.talk(`  ${printable(note)}`);
  if (notes.length > NOTES_SHOWN)
    call.terminal.talk(`  … and ${counted(notes.length - NOTES_SHOWN, 'more note')}.`);
}

type TakenIn = Extract<Placed, { kind: 'new' | 'revision' }>;

function placedText(placed: TakenIn, call: Call): string {
  const label = batchLabel(placed.batch);
  if (placed.kind === 'new') return `New batch ${label}.`;
  const { unchanged, added, removed, staysCanceled } = placed.comparison;
  const stay = staysCanceled === 0 ? '' : ` ${staysCanceledText(staysCanceled, label, call)}`;
  return added + removed === 0
    ? `The same rows as batch ${label}: going on with it.${stay}`
    : `Revision ${placed.batch.revision} of batch ${label}: ${rowsText(added)} new or changed, ${removed} left out, ${unchanged} unchanged.${stay}`;
}

function staysCanceledText(count: number, label: string, call: Call): string {
  const again = typed(call, command('reissue', [label, { fillIn: 'ROW' }]));
  const [stay, them] = count === 1 ? ['stays', 'it'] : ['stay', 'them'];
  return `${rowsText(count)} that a person withdrew ${stay} withdrawn. To pay ${them} after all: ${again}`;
}

/** Rows that were agreed to before are changed or left out: named one by one, and nothing is kept of the file. */
export function tellRefused(
  { batch, comparison }: Extract<Placed, { kind: 'refused' }>,
  { outcome, exitCode, next, correct }: Extract<NoWork, { kind: 'refused' }>,
  { opened, call }: { readonly opened: Opened; readonly call: Call },
): ExitCode {
  const { terminal } = call;
  const { conflicts, conflictCount } = comparison;
  terminal.talk(
    `The file changes or leaves out ${rowsText(conflictCount)} of batch ${batchLabel(batch)} that ${conflictCount === 1 ? 'was' : 'were'} agreed to or sent before. Nothing of this file was kept or sent.`,
  );
  for (const conflict of conflicts) terminal.result(conflictText(conflict));
  if (conflictCount > conflicts.length)
    terminal.result(`… and ${rowsText(conflictCount - conflicts.length)} more.`);
  terminal.talk(correct.length === 0 ? PUT_BACK : `${PUT_BACK} Or do this, one after the other:`);
  for (const step of correct) tellStep(step, placeOf(call), call.terminal);
  const [first] = correct;
  const commands = nextSteps(first?.command ?? next);
  const steps = typedSteps(call, commands);
  if (first === undefined) tellSteps(steps, terminal);
  const document = {
    command: call.command,
    environment: opened.payfile.environment,
    batch: batchJson(batch),
    outcome,
    exitCode,
    conflicts: conflicts.map((conflict) => ({
      row: conflict.rowNumber,
      status: conflict.state.status,
      text: conflictText(conflict),
    })),
    conflictCount,
    ...steps,
    correct: shownSteps(correct, placeOf(call)),
  };
  const left = conflictCount - conflicts.length;
  terminal.answer(document, {
    batch,
    outcome,
    steps: commands,
    toLookAt: toLookAt(conflicts, conflictText, left),
  });
  return exitCode;
}

/** Never another batch: it would pay the same people beside the payments that went out. */
const PUT_BACK =
  'Put these rows back as they were, and bring the file again. To pay more, add a row of its own.';

export function fileJson(imported: Imported): Readonly<Record<string, unknown>> {
  const { fileName: name, fileSha256: sha256, rows, invalid, blankRows, amountStyle } = imported;
  return { name, sha256, rows, invalid, blankRows, amountStyle: styleJson(amountStyle) };
}
