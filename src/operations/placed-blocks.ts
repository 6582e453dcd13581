/** How payfile classified a file: new batch, revision, or refused change of approved rows. Also its fix file. */
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

type AcceptedFile = Extract<Placed, { kind: 'new' | 'revision' }>;
type Refused = Extract<Placed, { kind: 'refused' }>;

const NOTES_SHOWN = 20;

export function placedBlocks(imported: Imported, placed: AcceptedFile): readonly Block[] {
  const { rows, blankRows, notes, fileName } = imported;
  const blank = blankRows > 0 ? `, ${rowsText(blankRows)} blank` : '';
  const left = notes.length - NOTES_SHOWN;
  return [
    aside(`Read ${printable(fileName)}: ${rowsText(rows)}${blank}. `, ...placedPieces(placed)),
    ...notes.slice(0, NOTES_SHOWN).map((note) => aside(`  ${printable(note)}`)),
    ...when(left > 0, () => [aside(`  … and ${counted(left, 'more note')}.`)]),
  ];
}

function placedPieces(placed: AcceptedFile): readonly Piece[] {
  const label = batchLabel(placed.batch);
  if (placed.kind === 'new') return [`New batch ${label}.`];
  const { unchanged, added, removed, staysCanceled } = placed.comparison;
  const what =
    added + removed === 0
      ? `The same rows as batch ${label}. payfile continues with that batch.`
      : `Revision ${placed.batch.revision} of batch ${label}: ${rowsText(added)} new or changed, ${removed} replaced or left out, ${unchanged} unchanged.`;
  if (staysCanceled === 0) return [what];
  const [stay, them] = staysCanceled === 1 ? ['stays', 'it'] : ['stay', 'them'];
  return [
    `${what} ${rowsText(staysCanceled)} ${stay} withdrawn, as a person decided. To pay ${them} anyway: `,
    command('reissue', [label, { fillIn: 'ROW' }]),
  ];
}

/**
 * Lists approved rows that the file changes or leaves out. `correct`: the steps to correct them. They never propose
 * another batch, because it would pay the same people twice.
 */
export function refusedBlocks({ batch, comparison }: Refused, correct: readonly Step[]): readonly Block[] {
  const { conflicts, conflictCount } = comparison;
  const were = conflictCount === 1 ? 'was' : 'were';
  const left = conflictCount - conflicts.length;
  return [
    aside(
      `The file changes or leaves out ${rowsText(conflictCount)} of batch ${batchLabel(batch)} that ${were} approved or sent before. payfile kept and sent nothing from this file.`,
    ),
    ...conflicts.map((conflict) => line(conflictText(conflict))),
    ...when(left > 0, () => [line(`… and ${rowsText(left)} more.`)]),
    aside(
      'Restore these rows in the file, then run it again. To pay more, add a new row.',
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
  const {
    fileName: name,
    fileSha256: sha256,
    rows,
    invalid,
    blankRows,
    amountStyle,
    notes,
    leftOut,
  } = imported;
  return { name, sha256, rows, invalid, blankRows, leftOut, amountStyle: styleJson(amountStyle), notes };
}

/** `source`: the path of the file that was read. */
export function fixFileBlocks({ path, wrong }: FixWritten, source: string): readonly Block[] {
  const place = source === '-' ? 'the input' : source;
  return [
    aside(
      `Fix file: ${path}. Correct the red cells of ${rowsText(wrong)} in it. Then use it in place of ${place}.`,
    ),
  ];
}

export const fixFileJson = (written: FixWritten | undefined) =>
  written === undefined ? null : fixWrittenJson(written);

export const fixWrittenJson = ({ path, wrong: rows }: FixWritten) => ({ path, rows });
