/**
 * How a file's columns are read, for a person who says what they hold: also of a file that cannot be used yet, because a
 * column is missing, or two mean the same. Nothing is decided here.
 */

import { bindColumns } from '../../domain/reading/bind-columns.ts';
import { faultText } from '../../domain/reading/column-questions.ts';
import { answersFor, NOTHING_SAID, type ReadingAsked, readingFor } from '../../domain/reading/reading.ts';
import { columnLetters, fieldOfHeader, REQUIRED_FIELDS } from '../../domain/rows/column-names.ts';
import { withNames } from '../../domain/rows/no-header.ts';
import type { Field, WrittenRow } from '../../domain/rows/row.ts';
import { maskedWords, maskOf } from '../../domain/text/sensitive.ts';
import {
  FileRefused,
  type HeaderWords,
  type OpenRows,
  type OpenRowsOptions,
  type RowSource,
} from '../../ports/row-source.ts';

/** How a file is read: its sheet, its header row, its columns and first rows. */
export interface FileColumns {
  readonly format: RowSource['format'] | undefined;
  readonly columns: readonly FileColumn[];
  /** Fields that every file needs and no column holds. */
  readonly missing: readonly Field[];
  /** Which row holds the names; where the file is refused, the row that most likely does. */
  readonly headerRow: number | undefined;
  /** The first rows of the sheet, at most 25, long numbers masked. */
  readonly firstRows: readonly FirstRow[];
  readonly sheet: string | undefined;
  /** All sheets of a workbook; empty for other files. */
  readonly sheets: readonly string[];
  /** The kept reading of these headers. */
  readonly reading: string | undefined;
  readonly notes: readonly string[];
  /** Why the file cannot be used as it is, without flags; undefined: its columns suffice. */
  readonly refusal: string | undefined;
}

export interface FirstRow {
  readonly row: number;
  readonly cells: readonly string[];
}

export interface FileColumn {
  readonly letter: string;
  /** As written; empty for a column without one. */
  readonly header: string;
  /** What it holds; undefined: a column of the user's own. */
  readonly field: Field | undefined;
  /** Another column means the same, and a person has to say which one counts. */
  readonly isDoubled: boolean;
  /** The first values in it, at most three, long numbers masked. */
  readonly values: readonly string[];
}

const VALUES = 3;

/** Finds the table by the same words as a payout file, and binds nothing. */
const KNOWN_NAMES: HeaderWords = { named: fieldOfHeader, expected: REQUIRED_FIELDS.join(', ') };

/** Where no name is known: of the first rows, the one with the most cells that are words. A payment has numbers. */
const ANY_WORDS: HeaderWords = {
  named: (cell) => (/\p{L}/u.test(cell) && !/\d/.test(cell) ? cell.trim() : undefined),
  expected: KNOWN_NAMES.expected,
};

/** Errors: FileRefused where no table is found. */
export async function fileColumns(
  openRows: OpenRows,
  options: OpenRowsOptions,
  signal?: AbortSignal,
): Promise<FileColumns> {
  try {
    return await columnsOf(await openRows(options), { signal, refusal: undefined, asked: options.asked });
  } catch (error) {
    if (!(error instanceof FileRefused) || error.code === 'file_missing') throw error;
    const { onPage: refusal = error.message, sheets } = error;
    if (sheets !== undefined) return { ...NOTHING, sheets, refusal };
    const source = await openRows({ ...options, words: KNOWN_NAMES })
      .catch(() => openRows({ ...options, words: ANY_WORDS }))
      .catch(() => Promise.reject(error));
    return columnsOf(source, { signal, refusal, asked: options.asked });
  }
}

const NOTHING = {
  format: undefined,
  columns: [],
  missing: [],
  headerRow: undefined,
  firstRows: [],
  sheet: undefined,
  reading: undefined,
  notes: [],
} as const;

interface Seen {
  readonly signal: AbortSignal | undefined;
  readonly refusal: string | undefined;
  readonly asked: ReadingAsked | undefined;
}

async function columnsOf(
  source: RowSource,
  { signal, refusal: noTable, asked = NOTHING_SAID }: Seen,
): Promise<FileColumns> {
  try {
    const { format, headers, headerRow, sheet, sheets = [] } = source;
    const kept = readingFor(headers, asked);
    const { used, faults, notes } = bindColumns(headers, answersFor(kept, asked));
    const refusal =
      noTable ??
      (faults.length === 0 ? undefined : faults.map((fault) => faultText(fault, headers)).join(' '));
    const rivals = faults.flatMap((fault) =>
      fault.kind === 'rivals' ? fault.columns.map((at) => [at, fault.field] as const) : [],
    );
    const fields = new Map([...used, ...rivals]);
    // A row of names that is only guessed may be of another width than the rows below it.
    const below = (source.firstRows ?? []).filter(({ rowNumber }) => rowNumber > headerRow);
    const rows = noTable === undefined ? source.rows(signal) : [below];
    const values = await firstValues(headers.length, rows);
    // A column without a header can be chosen too, as a question names it.
    const filled = values.flatMap((of, at) => (of.length > 0 ? [at] : []));
    const columns = withNames(headers, filled).map((header, at): FileColumn => {
      const field = fields.get(at);
      const shown = (values[at] ?? []).map((value) =>
        field === 'account' ? maskOf(value) : maskedWords(value),
      );
      return {
        letter: columnLetters(at),
        header,
        field,
        isDoubled: rivals.some(([rival]) => rival === at),
        values: shown,
      };
    });
    const missing = faults.flatMap((fault) => (fault.kind === 'missing' ? [fault.field] : []));
    const firstRows = (source.firstRows ?? []).map(({ rowNumber: row, cells }) => ({
      row,
      cells: cells.map((cell, at) =>
        row > headerRow && fields.get(at) === 'account' ? maskOf(cell) : maskedWords(cell),
      ),
    }));
    const where = { format, headerRow, firstRows, sheet, sheets };
    return { ...where, columns, missing, reading: kept?.name, notes: [...source.notes, ...notes], refusal };
  } finally {
    await source.close();
  }
}

type Row = Pick<WrittenRow, 'cells'>;

/** Of each column, from the first rows of the file. */
async function firstValues(
  columns: number,
  chunks: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
): Promise<string[][]> {
  const values = Array.from({ length: columns }, (): string[] => []);
  for await (const rows of chunks) {
    for (const { cells } of rows)
      for (const [at, of] of values.entries()) {
        const text = (cells[at] ?? '').trim();
        if (text !== '' && of.length < VALUES) of.push(text);
      }
    break;
  }
  return values;
}
