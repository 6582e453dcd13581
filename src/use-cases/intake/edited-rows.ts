/**
 * A file as it reads with its corrections. Its hash is that of the file and the corrections, so that the same file with
 * others is another file.
 *
 * Errors:  FileRefused for a correction whose cell holds another text, or is not there, or says which payment a row pays
 *          again.
 */
import { createHash } from 'node:crypto';
import { maskedWords } from '../../domain/reporting/hidden-accounts.ts';
import { type CellEdit, editedRow } from '../../domain/rows/cell-edit.ts';
import { columnLetters } from '../../domain/rows/column-names.ts';
import type { WrittenRow } from '../../domain/rows/row.ts';
import { printable } from '../../domain/text/printable.ts';
import { FileRefused, type OpenRows, type RowSource } from '../../ports/row-source.ts';

export function withEdits(openRows: OpenRows, edits: readonly CellEdit[] = []): OpenRows {
  if (edits.length === 0) return openRows;
  return async (options) => {
    const file = await openRows(options);
    const link = file.columns.get('replaces');
    const cut = edits.find(({ column }) => column === link);
    if (cut === undefined) return edited(file, edits);
    await file.close();
    throw cutLink(cut);
  };
}

/** Without its link, or with another one, a row that was paid again would be a payment of its own. */
function cutLink(edit: CellEdit): FileRefused {
  return new FileRefused(
    `${cellOf(edit)}: which payment a row pays again cannot be corrected here. Undo the correction, and write the file of unpaid rows again.`,
  );
}

function cellOf({ row, column }: CellEdit): string {
  return `Row ${row}, column ${columnLetters(Math.max(0, column))}`;
}

function edited(file: RowSource, edits: readonly CellEdit[]): RowSource {
  const byRow = Map.groupBy(edits, ({ row }) => row);
  // Not spread: other sources have getters.
  return Object.assign(Object.create(file) as RowSource, {
    fileSha256: () => editedSha256(file.fileSha256(), edits),
    receivedSha256: () => file.fileSha256(),
    async *rows(signal?: AbortSignal) {
      const left = new Map(byRow);
      for await (const chunk of file.rows(signal))
        yield chunk.some(({ rowNumber }) => left.has(rowNumber))
          ? chunk.map((row) => withOwn(row, left))
          : chunk;
      const [gone] = [...left.values()].flat();
      if (gone !== undefined && signal?.aborted !== true) throw refusal(gone);
    },
  });
}

function withOwn(row: WrittenRow, left: Map<number, readonly CellEdit[]>): WrittenRow {
  const own = left.get(row.rowNumber);
  if (own === undefined) return row;
  left.delete(row.rowNumber);
  const result = editedRow(row, own);
  if ('odd' in result) throw refusal(result.odd);
  return result;
}

function refusal(edit: CellEdit): FileRefused {
  return new FileRefused(
    `${cellOf(edit)}: a correction is of “${maskedWords(printable(edit.was))}”, and the file does not hold that there as it is read now. Undo the correction.`,
  );
}

/** Whoever corrected it, and when, makes no other file. */
function editedSha256(file: string, edits: readonly CellEdit[]): string {
  const sorted = edits
    .map(({ row, column, text }) => [row, column, text] as const)
    .sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  return createHash('sha256')
    .update(JSON.stringify([file, sorted]), 'utf8')
    .digest('hex');
}
