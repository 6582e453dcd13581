/**
 * Reads and validates a file and says what it found. Asks the live lists, keeps nothing, moves no money.
 */

import type { StyleRead } from '../../domain/money/amount-style.ts';
import type { CurrencyCode } from '../../domain/money/currency.ts';
import type { Money } from '../../domain/money/money.ts';
import type { Answer, Said } from '../../domain/reading/answer.ts';
import type { Question } from '../../domain/reading/question.ts';
import type { UnknownInstitution } from '../../domain/reading/unknown-words.ts';
import type { LinesLeftOut } from '../../domain/rows/lines-left-out.ts';
import type { Field, RowIssue } from '../../domain/rows/row.ts';
import { maskOf } from '../../domain/text/sensitive.ts';
import type { NamedHolder } from '../../ports/own-sandbox.ts';
import type { OpenRows, RowSource } from '../../ports/row-source.ts';
import type { Ports } from '../ports.ts';
import type { FixFile } from './fix-file.ts';
import type { ReadOptions, ReadRow, RowSink } from './read-pass.ts';
import { readRows } from './read-rows.ts';

export interface CheckedFile {
  readonly rows: number;
  readonly invalid: number;
  readonly held: number;
  /** What is wrong with rows, in file order; at most 100,000 rows. */
  readonly issues: readonly { readonly row: number; readonly issues: readonly RowIssue[] }[];
  /** The first rows that cannot be paid, whole, as many as were asked for. */
  readonly wrongRows: readonly WrongRow[];
  /** Beyond these. */
  readonly moreWrongRows: number;
  /** The first rows, in file order, as many as were asked for. */
  readonly firstRows: readonly CheckedRow[];
  /** The account holders of these, as the file names them. */
  readonly holders: readonly NamedHolder[];
  /** Rows that would be held for a person, and why; at most 100,000 rows. */
  readonly holds: readonly { readonly row: number; readonly reasons: readonly string[] }[];
  readonly blankRows: number;
  /** Count and control sum of payable rows per destination currency, in minor units. */
  readonly totals: ReadonlyMap<CurrencyCode, { readonly count: number; readonly minor: bigint }>;
  /** What a person may not expect of the file. */
  readonly notes: readonly string[];
  readonly sheet: string | undefined;
  readonly headers: readonly string[];
  /** Which of them holds which field. */
  readonly columns: RowSource['columns'];
  readonly fileSha256: string;
  /** How its amounts were read. */
  readonly amountStyle: StyleRead;
  /** Lines that are no payments. */
  readonly leftOut: LinesLeftOut;
  /** What was said of it and counts. */
  readonly answers: readonly Said[];
  /** The name of the kept reading that some of it is from. */
  readonly readingName: string | undefined;
  /** What stops some rows alone, and a person can answer. */
  readonly questions: readonly Question[];
  /** Names of institutions that the service does not list. */
  readonly unknown: readonly UnknownInstitution[];
}

/** A row for a list. */
export interface CheckedRow {
  readonly row: number;
  readonly name: string;
  readonly institution: string;
  /** Masked. */
  readonly account: string;
  /** As it is written if it cannot be paid. */
  readonly amount: Money | string;
  readonly note: string;
  readonly isInvalid: boolean;
  /** Why it would be held. */
  readonly holds: readonly string[];
}

/** A row to fix, as it stands in the file. Accounts are not masked. */
export interface WrongRow {
  readonly row: number;
  /** One for each header of the file itself. */
  readonly cells: readonly string[];
  readonly issues: readonly RowIssue[];
}

export async function checkFile(
  openRows: OpenRows,
  options: ReadOptions & { readonly keepRows?: number | undefined },
  ports: Pick<Ports, 'paymentService' | 'tell'> & { readonly fixFile?: FixFile | undefined },
): Promise<CheckedFile> {
  const checker = new Checker(ports.fixFile, options.keepRows ?? 0);
  const { file, reading, ...read } = await readRows(openRows, options, checker, ports);
  const { rows, invalid, held, issues, wrongRows, holds, totals, notes, firstRows, holders } = checker;
  const { sheet, headers, columns } = file;
  const moreWrongRows = invalid - wrongRows.length;
  return {
    ...{ rows, invalid, held, issues, wrongRows, moreWrongRows, holds, totals, notes, firstRows, holders },
    ...{ ...read, sheet, headers, columns, readingName: reading?.name },
    blankRows: file.blankRows(),
    fileSha256: file.fileSha256(),
  };
}

const FINDINGS_MAX = 100_000;

class Checker implements RowSink {
  /** Its rows go into no ledger. */
  readonly salt = '';
  rows = 0;
  invalid = 0;
  held = 0;
  notes: string[] = [];
  issues: { row: number; issues: readonly RowIssue[] }[] = [];
  wrongRows: WrongRow[] = [];
  holds: { row: number; reasons: readonly string[] }[] = [];
  firstRows: CheckedRow[] = [];
  holders: NamedHolder[] = [];
  #columns: RowSource['columns'] = new Map();
  readonly totals = new Map<CurrencyCode, { count: number; minor: bigint }>();
  readonly #fixFile: FixFile | undefined;
  readonly #keepRows: number;

  constructor(fixFile: FixFile | undefined, keepRows: number) {
    this.#fixFile = fixFile;
    this.#keepRows = keepRows;
  }

  async begin(source: RowSource, toRepeat: readonly Answer[]): Promise<void> {
    this.notes = [...source.notes];
    this.#columns = source.columns;
    await this.#fixFile?.begin(source, toRepeat);
  }

  async take(rows: readonly ReadRow[]): Promise<void> {
    for (const row of rows) this.#take(row);
    await this.#fixFile?.take(rows);
  }

  async restart(): Promise<void> {
    this.rows = 0;
    this.invalid = 0;
    this.held = 0;
    this.issues = [];
    this.wrongRows = [];
    this.firstRows = [];
    this.holders = [];
    this.holds = [];
    this.totals.clear();
    await this.#fixFile?.restart();
  }

  note(text: string): void {
    this.notes.push(text);
  }

  #list(read: ReadRow): void {
    const { rowNumber: row, cells } = read.row;
    const written = (field: Field) => cells[this.#columns.get(field) ?? -1]?.trim() ?? '';
    if (read.kind === 'invalid') {
      const account = written('account');
      this.firstRows.push({
        ...{ row, name: written('name'), institution: written('institution'), note: written('note') },
        ...{ account: account === '' ? '' : maskOf(account), amount: written('amount') },
        ...{ isInvalid: true, holds: [] },
      });
      return;
    }
    const { name = '', institutionName, account, amount, note = '' } = read.instruction;
    const holds = holdsOf(read);
    this.firstRows.push({
      ...{ row, name, institution: institutionName, account: maskOf(account.reveal()), amount, note },
      ...{ isInvalid: false, holds },
    });
  }

  #take(read: ReadRow): void {
    this.rows += 1;
    const { rowNumber } = read.row;
    if (this.firstRows.length < this.#keepRows) this.#list(read);
    if (read.kind === 'invalid') {
      this.invalid += 1;
      if (this.wrongRows.length < this.#keepRows)
        this.wrongRows.push({ row: rowNumber, cells: read.written.cells, issues: read.issues });
      if (this.issues.length < FINDINGS_MAX) this.issues.push({ row: rowNumber, issues: read.issues });
      return;
    }
    const { amount, name, institutionId, account } = read.instruction;
    const { currency, minor } = amount;
    if (name !== undefined && this.#keepRows > 0 && this.holders.length < FINDINGS_MAX)
      this.holders.push({ institution: institutionId, account: account.reveal(), name });
    const total = this.totals.get(currency) ?? { count: 0, minor: 0n };
    this.totals.set(currency, { count: total.count + 1, minor: total.minor + minor });
    if (read.notes.length > 0 && this.notes.length < FINDINGS_MAX)
      this.notes.push(...read.notes.map((note) => `Row ${rowNumber}: ${note}`));
    const reasons = holdsOf(read);
    if (reasons.length === 0) return;
    this.held += 1;
    if (this.holds.length < FINDINGS_MAX) this.holds.push({ row: rowNumber, reasons });
  }
}

/** A row that may repeat another one is held when it is priced. */
function holdsOf({ holds, repeats }: Extract<ReadRow, { kind: 'valid' }>): readonly string[] {
  const reasons = holds.map(({ text }) => text);
  return repeats === undefined ? reasons : [...reasons, repeats];
}
