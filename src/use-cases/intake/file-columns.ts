/**
 * How a file's columns are read, for a person who says what they hold: also of a file that cannot be used yet, because a
 * column is missing, or two mean the same. Nothing is decided here.
 */

import { maskedWords } from '../../domain/reporting/hidden-accounts.ts';
import {
  columnLetters,
  fieldOfHeader,
  REQUIRED_FIELDS,
  usedColumns,
} from '../../domain/rows/column-names.ts';
import type { Field } from '../../domain/rows/row.ts';
import { maskOf } from '../../domain/text/sensitive.ts';
import {
  FileRefused,
  type HeaderWords,
  type OpenRows,
  type OpenRowsOptions,
  type RowSource,
} from '../../ports/row-source.ts';

export interface FileColumns {
  readonly format: RowSource['format'] | undefined;
  readonly columns: readonly FileColumn[];
  /** Fields that every file needs and no column holds. */
  readonly missing: readonly Field[];
  readonly headerRow: number | undefined;
  readonly sheet: string | undefined;
  /** All sheets of a workbook; empty for other files. */
  readonly sheets: readonly string[];
  /** The saved mapping that the headers were recognised by. */
  readonly mapping: string | undefined;
  readonly notes: readonly string[];
  /** Why the file cannot be used as it is; undefined: its columns suffice. */
  readonly refusal: string | undefined;
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
const ANY_COLUMNS: HeaderWords = { named: fieldOfHeader, expected: REQUIRED_FIELDS.join(', ') };

/** Errors: FileRefused where no table is found. */
export async function fileColumns(
  openRows: OpenRows,
  options: OpenRowsOptions,
  signal?: AbortSignal,
): Promise<FileColumns> {
  try {
    return await columnsOf(await openRows(options), { signal, refusal: undefined });
  } catch (error) {
    if (!(error instanceof FileRefused) || error.code === 'file_missing') throw error;
    const { message: refusal, sheets } = error;
    if (sheets !== undefined) return { ...NOTHING, sheets, refusal };
    const source = await openRows({ ...options, words: ANY_COLUMNS }).catch(() => Promise.reject(error));
    return columnsOf(source, { signal, refusal });
  }
}

const NOTHING = {
  format: undefined,
  columns: [],
  missing: [],
  headerRow: undefined,
  sheet: undefined,
  mapping: undefined,
  notes: [],
} as const;

async function columnsOf(
  source: RowSource,
  { signal, refusal }: { readonly signal: AbortSignal | undefined; readonly refusal: string | undefined },
): Promise<FileColumns> {
  try {
    const { format, headers, headerRow, sheet, sheets = [], mapping, notes } = source;
    const used = refusal === undefined ? usedColumns(source) : namedColumns(headers);
    const fields = [...used.values()];
    const values = await firstValues(source, signal);
    const columns = headers.map((header, at): FileColumn => {
      const field = used.get(at);
      // A name may stand in several columns.
      const isDoubled = refusal !== undefined && fields.filter((each) => each === field).length > 1;
      const shown = (values[at] ?? []).map((value) =>
        field === 'account' ? maskOf(value) : maskedWords(value),
      );
      return {
        letter: columnLetters(at),
        header,
        field,
        isDoubled: field !== undefined && isDoubled,
        values: shown,
      };
    });
    const missing = REQUIRED_FIELDS.filter((field) => !fields.includes(field));
    return { format, columns, missing, headerRow, sheet, sheets, mapping: mapping?.name, notes, refusal };
  } finally {
    await source.close();
  }
}

function namedColumns(headers: readonly string[]): ReadonlyMap<number, Field> {
  return new Map(
    headers.flatMap((header, at) => {
      const field = fieldOfHeader(header);
      return field === undefined ? [] : [[at, field] as const];
    }),
  );
}

/** Of each column, from the first rows of the file. */
async function firstValues(source: RowSource, signal: AbortSignal | undefined): Promise<string[][]> {
  const values: string[][] = source.headers.map(() => []);
  for await (const rows of source.rows(signal)) {
    for (const { cells } of rows)
      for (const [at, of] of values.entries()) {
        const text = (cells[at] ?? '').trim();
        if (text !== '' && of.length < VALUES) of.push(text);
      }
    break;
  }
  return values;
}
