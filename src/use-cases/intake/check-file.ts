/**
 * Reads and validates a file and says what it found. Asks the live lists, keeps nothing, moves no money.
 */

import type { StyleRead } from '../../domain/money/amount-style.ts';
import type { CurrencyCode } from '../../domain/money/currency.ts';
import { ownColumns } from '../../domain/reporting/report-columns.ts';
import { usedColumns } from '../../domain/rows/column-names.ts';
import { type Country, codeOf, type Directory, type Institution } from '../../domain/rows/directory.ts';
import type { LinesLeftOut } from '../../domain/rows/lines-left-out.ts';
import { type Mapping, withAcceptedValues } from '../../domain/rows/mapping.ts';
import { createCellReader, type RowIssue } from '../../domain/rows/row.ts';
import { foldText } from '../../domain/text/fold.ts';
import type { OpenRows, OpenRowsOptions, RowSource } from '../../ports/row-source.ts';
import type { Ports } from '../ports.ts';
import type { FixFile } from './fix-file.ts';
import {
  loadDirectory,
  loadInstitutions,
  type ReadOptions,
  type ReadRow,
  type RowSink,
  readRows,
} from './read-rows.ts';

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
}

/** A row to mend: whole accounts stand in it, as they were written. */
export interface WrongRow {
  readonly row: number;
  /** One for each header. */
  readonly cells: readonly string[];
  readonly issues: readonly RowIssue[];
}

export async function checkFile(
  openRows: OpenRows,
  options: ReadOptions & { readonly keepRows?: number | undefined },
  ports: Pick<Ports, 'paymentService' | 'tell'> & { readonly fixFile?: FixFile | undefined },
): Promise<CheckedFile> {
  const checker = new Checker(ports.fixFile, options.keepRows ?? 0);
  const { file, amountStyle, leftOut } = await readRows(openRows, options, checker, ports);
  const { rows, invalid, held, issues, wrongRows, holds, totals, notes } = checker;
  const { sheet, headers, columns } = file;
  const moreWrongRows = invalid - wrongRows.length;
  return {
    ...{ rows, invalid, held, issues, wrongRows, moreWrongRows, holds, totals, notes },
    ...{ sheet, headers, columns, amountStyle, leftOut },
    blankRows: file.blankRows(),
    fileSha256: file.fileSha256(),
  };
}

const MOST_NAMED = 12;

/** Says which columns were not used: people easily believe that a column was recognised when it was not, above all names. */
function unusedNotes({ headers, columns }: RowSource): readonly string[] {
  const used = usedColumns({ headers, columns });
  const own = ownColumns(headers).filter((at) => !used.has(at) && headers[at] !== '');
  const named = own.slice(0, MOST_NAMED).map((at) => `“${headers[at]?.slice(0, 40)}”`);
  const more = own.length > MOST_NAMED ? ' …' : '';
  return [
    ...(own.length === 0 ? [] : [`columns of your own, not used: ${named.join(', ')}${more}`]),
    ...([...used.values()].includes('name') ? [] : ['no column for the name, so names cannot be compared']),
  ];
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
  readonly totals = new Map<CurrencyCode, { count: number; minor: bigint }>();
  readonly #fixFile: FixFile | undefined;
  readonly #keepRows: number;

  constructor(fixFile: FixFile | undefined, keepRows: number) {
    this.#fixFile = fixFile;
    this.#keepRows = keepRows;
  }

  async begin(source: RowSource): Promise<void> {
    this.notes = [...source.notes, ...unusedNotes(source)];
    await this.#fixFile?.begin(source);
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
    this.holds = [];
    this.totals.clear();
    await this.#fixFile?.restart();
  }

  note(text: string): void {
    this.notes.push(text);
  }

  #take(read: ReadRow): void {
    this.rows += 1;
    const { rowNumber, cells } = read.row;
    if (read.kind === 'invalid') {
      this.invalid += 1;
      if (this.wrongRows.length < this.#keepRows)
        this.wrongRows.push({ row: rowNumber, cells, issues: read.issues });
      if (this.issues.length < FINDINGS_MAX) this.issues.push({ row: rowNumber, issues: read.issues });
      return;
    }
    const { currency, minor } = read.instruction.amount;
    const total = this.totals.get(currency) ?? { count: 0, minor: 0n };
    this.totals.set(currency, { count: total.count + 1, minor: total.minor + minor });
    if (read.notes.length > 0 && this.notes.length < FINDINGS_MAX)
      this.notes.push(...read.notes.map((note) => `Row ${rowNumber}: ${note}`));
    if (read.holds.length === 0) return;
    this.held += 1;
    const reasons = read.holds.map((hold) => hold.text);
    if (this.holds.length < FINDINGS_MAX) this.holds.push({ row: rowNumber, reasons });
  }
}

/**
 * Reads a file for one thing: which written names of institutions the service's lists do not have, each once,
 * with what they may mean. Nothing is decided here; a person chooses.
 */

/** A name of an institution that the service does not list, with proposals. A person chooses. */
export interface UnknownInstitution {
  readonly country: Country;
  /** A text that finds the country and no other. */
  readonly countryCode: string;
  /** As it was written first. */
  readonly written: string;
  readonly firstRow: number;
  readonly rows: number;
  /** Best first. */
  readonly suggestions: readonly Institution[];
}

export interface InstitutionNames {
  readonly headers: readonly string[];
  readonly columns: RowSource['columns'];
  /** The one that was recognised. */
  readonly mapping: Mapping | undefined;
  readonly unknown: readonly UnknownInstitution[];
  /** With the institutions of every country of the file. */
  readonly directory: Directory;
}

/** A hostile file could hold a million different names. */
const MOST = 1_000;

export async function findUnknownInstitutions(
  openRows: OpenRows,
  options: { readonly open: OpenRowsOptions; readonly signal?: AbortSignal | undefined },
  ports: Pick<Ports, 'paymentService' | 'tell'>,
): Promise<InstitutionNames> {
  const file = await openRows(options.open);
  try {
    const { headers, columns, mapping } = file;
    const directory = await loadDirectory(ports, options.signal);
    const known = mapping === undefined ? directory : withAcceptedValues(directory, mapping);
    const found = new Map<string, UnknownInstitution>();
    const cellsOf = createCellReader(columns);
    for await (const chunk of file.rows(options.signal)) {
      options.signal?.throwIfAborted();
      for (const row of chunk) {
        const { country: where, institution: written } = cellsOf(row).texts;
        const country = where === '' || written === '' ? undefined : countryOf(directory, where);
        if (country === undefined) continue;
        if (!directory.hasInstitutionsOf(country.id))
          await loadInstitutions(directory, country.id, ports, options.signal);
        const listed = known.findInstitution(country.id, written);
        if (listed.kind === 'unknown')
          count(found, {
            country,
            countryCode: codeOf(directory, country),
            written,
            firstRow: row.rowNumber,
            rows: 1,
            suggestions: listed.suggestions,
          });
      }
    }
    return { headers, columns, mapping, unknown: [...found.values()], directory };
  } finally {
    await file.close();
  }
}

function countryOf(directory: Directory, written: string): Country | undefined {
  const found = directory.findCountry(written);
  return found.kind === 'found' ? found.item : undefined;
}

function count(found: Map<string, UnknownInstitution>, unknown: UnknownInstitution): void {
  const key = `${unknown.country.id}\n${foldText(unknown.written) || unknown.written}`;
  const before = found.get(key);
  if (before !== undefined) found.set(key, { ...before, rows: before.rows + 1 });
  else if (found.size < MOST) found.set(key, unknown);
}
