/**
 * What an answer does to the rows of a file, one row at a time. Each kind is a small function in a file of its own;
 * `row-changes.ts` lists them in the order in which they are applied.
 */
import type { FileColumns } from '../rows/column-names.ts';
import type { LineLeftOut } from '../rows/lines-left-out.ts';
import type { Field, WrittenRow } from '../rows/row.ts';
import type { Answer, SaidBy } from './answer.ts';

/** Why an answer leaves a row out: what the row says, and who gave the answer. */
export type RowOut = Pick<LineLeftOut, 'why' | 'says' | 'by'>;

/** The row as it is read then, or why it is left out. The given row is never changed. */
export type ChangeRow = (row: WrittenRow) => WrittenRow | RowOut;

/** Whoever gave the answer, for a row that it leaves out. */
export const saidBy = ({ by }: Partial<SaidBy>): Pick<RowOut, 'by'> => (by === undefined ? {} : { by });

/** A column behind those of the file. A cell for it is appended to every row. */
export interface AddedColumn {
  /** For people and reports; unique in the file. */
  readonly header: string;
  readonly field: Field;
  /** Columns of the file that it is made from: nothing else is read from them. */
  readonly from: readonly number[];
}

/** One answer, or all of one kind, for files with these headers. */
export interface RowChange {
  readonly adds?: AddedColumn;
  /** Called once for each pass over the rows, with the columns as they are bound then. */
  start(file: FileColumns): ChangeRow;
}

/** `headers`: of the file alone. Empty where no answer is of its kind. */
export type MakeRowChanges = (
  headers: readonly string[],
  answers: readonly GivenAnswer[],
) => readonly RowChange[];

/** With the person, where one is known. */
export type GivenAnswer = Answer & Partial<SaidBy>;
