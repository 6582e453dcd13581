/** What a file was taken for: a new batch, a revision of one, or a refused change of approved rows; and its fix file. */
import { batchLabel } from '../domain/batches/batch.ts';
import { conflictText } from '../domain/batches/revision-conflict.ts';
import { styleJson } from '../domain/money/amount-style.ts';
import { command, type Step } from '../domain/next-steps/command.ts';
import type { Piece, Wording } from '../domain/text/message.ts';
import { counted, printable, rowsText } from '../domain/text/printable.ts';
import type { FixWritten } from '../use-cases/intake/fix-file.ts';
import type { Imported } from '../use-cases/intake/import-file.ts';
import type { Placed } from '../use-cases/intake/place-import.ts';
import { aside, type Block, line, when } from './block.ts';

type TakenIn = Extract<Placed, { kind: 'new' | 'revision' }>;
type Refused = Extract<Placed, { kind: 'refused' }>;

const NOTES_SHOWN = 20;

export function placedBlocks(imported: Imported, placed: TakenIn): readonly Block[] {
  const { rows, blankRows, notes, fileName } = imported;
  const blank = blankRows > 0 ? `, ${rowsText(blankRows)} blank` : '';
  const left = notes.length - NOTES_SHOWN;
  return [
    aside(`Read ${printable(fileName)}: ${rowsText(rows)}${blank}. `, ...placedPieces(placed)),
    ...notes.slice(0, NOTES_SHOWN).map((note) => aside(`  ${printable(note)}`)),
    ...when(left > 0, () => [aside(`  … and ${counted(left, 'more note')}.`)]),
  ];
}

function placedPieces(placed: TakenIn): readonly Piece[] {
  const label = batchLabel(placed.batch);
  if (placed.kind === 'new') return [`New batch ${label}.`];
  const { unchanged, added, removed, staysCanceled } = placed.comparison;
  const what =
    added + removed === 0
      ? `The same rows as batch ${label}: going on with it.`
      : `Revision ${placed.batch.revision} of batch ${label}: ${rowsText(added)} new or changed, ${removed} replaced or left out, ${unchanged} unchanged.`;
  if (staysCanceled === 0) return [what];
  const [stay, them] = staysCanceled === 1 ? ['stays', 'it'] : ['stay', 'them'];
  return [
    `${what} ${rowsText(staysCanceled)} that a person withdrew ${stay} withdrawn. To pay ${them} after all: `,
    command('reissue', [label, { fillIn: 'ROW' }]),
  ];
}

/**
 * Names the rows that were agreed to before and that the file changes or leaves out. `correct`: what to do about them. It
 * never proposes another batch, which would pay the same people beside the payments that went out.
 */
export function refusedBlocks({ batch, comparison }: Refused, correct: readonly Step[]): readonly Block[] {
  const { conflicts, conflictCount } = comparison;
  const were = conflictCount === 1 ? 'was' : 'were';
  const left = conflictCount - conflicts.length;
  return [
    aside(
      `The file changes or leaves out ${rowsText(conflictCount)} of batch ${batchLabel(batch)} that ${were} agreed to or sent before. Nothing of this file was kept or sent.`,
    ),
    ...conflicts.map((conflict) => line(conflictText(conflict))),
    ...when(left > 0, () => [line(`… and ${rowsText(left)} more.`)]),
    aside(
      'Put these rows back as they were, then read the file again. To pay more, add a new row.',
      correct.length === 0 ? '' : ' Or do these steps in order:',
    ),
    { kind: 'steps', steps: correct },
  ];
}

export function refusedJson({ comparison }: Refused, correct: readonly Step[], wording: Wording) {
  const { conflicts, conflictCount } = comparison;
  return {
    conflicts: conflicts.map((conflict) => ({
      row: conflict.rowNumber,
      status: conflict.state.status,
      text: conflictText(conflict),
    })),
    conflictCount,
    correct: correct.map(({ text, command: shown, note }) => ({
      text,
      command: shown && wording.command(shown),
      note,
    })),
  };
}

export const shortConflicts = ({ comparison }: Refused): readonly string[] =>
  comparison.conflicts.map(conflictText);

export function fileJson(imported: Imported) {
  const { fileName: name, fileSha256: sha256, rows, invalid, blankRows, amountStyle } = imported;
  return { name, sha256, rows, invalid, blankRows, amountStyle: styleJson(amountStyle) };
}

/** `source`: the path of the file that was read. */
export function fixFileBlocks({ path, wrong }: FixWritten, source: string): readonly Block[] {
  const place = source === '-' ? 'the input' : source;
  return [
    aside(
      `Fix file: ${path}. Correct the red cells of ${rowsText(wrong)} in it, then use it in place of ${place}.`,
    ),
  ];
}

export const fixFileJson = (written: FixWritten | undefined) =>
  written === undefined ? null : fixedJson(written);

export const fixedJson = ({ path, wrong: rows }: FixWritten) => ({ path, rows });
