/**
 * A payout file, read as rows of text. The file is opened once and read in order, in flat memory.
 */

import { type Question, questionsText } from '../domain/reading/question.ts';
import type { Reading, ReadingAsked } from '../domain/reading/reading.ts';
import type { FileColumns } from '../domain/rows/column-names.ts';
import type { Field, RowIssues, WrittenRow } from '../domain/rows/row.ts';
import type { StatementPart } from '../domain/statement/balances.ts';
import { type Message, PayfileError, SaidError } from '../domain/text/message.ts';

export interface RowSource {
  readonly format: 'csv' | 'xlsx';
  /** SHA-256 over the file's bytes, hex; known when all rows were read. */
  readonly fileSha256: () => string;
  /** Where `fileSha256` covers corrections too: over the bytes alone. */
  readonly receivedSha256?: () => string;
  /** The header as written, in file order; one entry per column. */
  readonly headers: readonly string[];
  /** Which column holds which field, as far as it is known while opening: index into headers. */
  readonly columns: ReadonlyMap<Field, number>;
  readonly madeFrom?: FileColumns['madeFrom'];
  /** What was decided while opening, for the person: "header found on row 4", "sheet “May”". */
  readonly notes: readonly string[];
  /** Those of the notes that nobody misses: where the header stands, how cells are separated. */
  readonly usualNotes?: readonly string[];
  readonly sheet: string | undefined;
  /** All sheets of a workbook, hidden ones too. */
  readonly sheets?: readonly string[];
  readonly headerRow: number;
  /** The first rows of the table and above it, as they stand there, for a person who says which holds the names. */
  readonly firstRows?: readonly Pick<WrittenRow, 'rowNumber' | 'cells'>[];
  /** Comments on the cells of the header and above it. They speak of all rows, as a title does. */
  readonly headComments?: readonly string[];
  /** The kept reading of these headers. */
  readonly reading?: Reading | undefined;
  /** How its text is written is only guessed. Open it again with the answer. */
  readonly question?: Question;
  /** Which columns hold a field after all. What a sheet hides is only marked there. */
  useColumns?(used: ReadonlyMap<number, Field>): void;
  /**
   * Chunks of rows in file order; blank rows are left out and counted. Ends early when the signal aborts. May be
   * called again after it ended, and then reads the same open file anew.
   */
  rows(signal?: AbortSignal): AsyncIterable<readonly WrittenRow[]>;
  readonly blankRows: () => number;
  /**
   * After the last row: the end of the file said something that changes how its rows are read (merged cells, which a sheet
   * names behind its rows). Call `rows` once more; what it gave before does not count.
   */
  readonly mustReadAgain?: () => boolean;
  /**
   * After the last row: gives columns with text below an empty header cell a name. True if one is new; what was read before
   * does not count then.
   */
  nameColumns?(): boolean;
  /** Of a bank's file with balances of its own. */
  readonly statement?: StatementFile;
  close(): Promise<void>;
}

export interface StatementFile {
  readonly format: 'camt.052' | 'camt.053' | 'camt.054' | 'MT940';
  /** Whole once all rows were read. A row belongs to the last one that begins at it or before it. */
  readonly parts: () => readonly StatementPart[];
}

interface FileRefusedOptions {
  readonly missing?: boolean;
  readonly cause?: unknown;
  readonly sheets?: readonly string[];
  readonly unmapped?: readonly Field[];
  readonly onPage?: string;
}

/** The file cannot be used as a whole: where, what was seen, what was expected, what to do. Exit 65; `missing` is 66. */
export class FileRefused extends SaidError {
  override readonly name = 'FileRefused';
  readonly code: 'file_unusable' | 'file_missing';
  /** Set where one of these sheets has to be chosen. */
  readonly sheets: readonly string[] | undefined;
  /** No column is known to hold these; once a person says which do, the file can be read. */
  readonly unmapped: readonly Field[];
  /** The same for whoever reads it on a page, where no flag can be typed; undefined: the message has none. */
  readonly onPage: string | undefined;
  constructor(message: string | Message, options: FileRefusedOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.missing === true ? 'file_missing' : 'file_unusable';
    this.sheets = options.sheets;
    this.unmapped = options.unmapped ?? [];
    this.onPage = options.onPage;
  }
}

/**
 * Only the owner of the file can answer these questions, and nothing is paid before. Exit 65.
 *
 * `issues`: rows that cannot be paid as written, at most a thousand; none where the columns are not known yet.
 */
export class FileHasQuestions extends FileRefused {
  readonly questions: readonly Question[];
  readonly issues: readonly RowIssues[];
  readonly sheet: string | undefined;
  readonly file: string;
  constructor(
    questions: readonly Question[],
    { issues, sheet, unmapped, file }: Pick<FileHasQuestions, 'issues' | 'sheet' | 'unmapped' | 'file'>,
  ) {
    super(questionsText(questions, file), { unmapped });
    this.file = file;
    this.questions = questions;
    this.issues = issues;
    this.sheet = sheet;
  }
}

/** Other columns than a payout file's: by what the header row is known. The caller binds the columns itself. */
export interface HeaderWords {
  /** What a header names, in the caller's own words; undefined for any other. */
  readonly named: (header: string) => string | undefined;
  /** For the message when no header is found: `date, amount, account`. */
  readonly expected: string;
  /** The file may also be a bank's statement: camt or MT940. */
  readonly isStatement?: true;
}

export interface OpenRowsOptions {
  /** Path of the file, or `-` for standard input. */
  readonly path: string;
  readonly sheet?: string | undefined;
  readonly headerRow?: number | undefined;
  /** What a person said of the file, and the readings that are kept. */
  readonly asked?: ReadingAsked | undefined;
  readonly delimiter?: string | undefined;
  readonly encoding?: string | undefined;
  /** For files that are not payout files; `columns` of the source is then empty and `asked` is not used. */
  readonly words?: HeaderWords | undefined;
}

export type OpenRows = (options: OpenRowsOptions) => Promise<RowSource>;

/**
 * Where readings are kept on this machine, for all files of this user.
 *
 * Promises: a change is there whole or not at all.
 * Errors:   ReadingsUnusable when what is kept cannot be understood or written; nothing is then ignored silently.
 */

export interface ReadingStore {
  /** By name. */
  all(): Promise<readonly Reading[]>;
  /** In the place of one with the same name. */
  save(reading: Reading): Promise<void>;
  /** false: there was none. */
  forget(name: string): Promise<boolean>;
  /** Where they are, for the person. */
  readonly place: string;
}

/** The kept readings cannot be read or written. Exit code 78. */
export class ReadingsUnusable extends PayfileError {
  override readonly name = 'ReadingsUnusable';
  readonly code = 'readings_unusable';
}
