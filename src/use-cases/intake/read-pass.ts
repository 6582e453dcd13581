/**
 * One reading of all rows of a file: each is changed as a person said, looked at, validated and put into the sink. Asks the
 * service for each country's institutions when a row first needs them.
 */
import { parse } from 'node:path';
import type { BatchFile, FileReading } from '../../domain/batches/batch.ts';
import type { AmountStyle, StyleRead } from '../../domain/money/amount-style.ts';
import type { Answer, SaidBy } from '../../domain/reading/answer.ts';
import type { Look, Looker } from '../../domain/reading/look.ts';
import { withSaidWords } from '../../domain/reading/said-words.ts';
import { rememberingUnknown, type UnknownInstitution } from '../../domain/reading/unknown-words.ts';
import type { CountryId, Directory } from '../../domain/rows/directory.ts';
import { type LinesLeftOut, leftOutNotes, OtherLines } from '../../domain/rows/lines-left-out.ts';
import { createDuplicateFinder, createSameMoneyFinder } from '../../domain/rows/repeats-in-file.ts';
import type { RowIssues, WrittenRow } from '../../domain/rows/row.ts';
import { TotalRows } from '../../domain/rows/total-rows.ts';
import { createRowValidator, type RowValidator, type Validated } from '../../domain/rows/validate-row.ts';
import { createWrittenNotes, type WrittenNotes } from '../../domain/rows/written-notes.ts';
import type { OpenRowsOptions, ReadingStore, RowSource } from '../../ports/row-source.ts';
import type { Ports } from '../ports.ts';
import type { Ask } from '../user-questions.ts';
import { loadInstitutions, noSource, sourceOf } from './directory-lists.ts';
import { createAccountProver } from './prove-account.ts';
import type { FileWithReading, RowPass } from './with-reading.ts';

export interface ReadOptions {
  readonly open: OpenRowsOptions;
  /** Originating country as written: name, ISO code or id. */
  readonly source: string | undefined;
  /** Kept with the batch, for commands that read the file once more. */
  readonly typed?: TypedReading | undefined;
  /**
   * Asks the service whom the account with its lost zeros belongs to, for a few rows: a guess that a name proves
   * is worth more to the person who mends the row. Only where names are asked anyway, so not by check.
   */
  readonly provesAccounts?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** undefined: nobody answers questions about the file, and they refuse it. */
  readonly answering?: Answering | undefined;
  /** `2026-11-27`, in the person's time zone; undefined: no day is in the future. */
  readonly today?: string | undefined;
  /** Where answers are kept for the next file with the same headers; undefined: nowhere. */
  readonly memory?: ReadingMemory | undefined;
}

interface Answering {
  readonly ask: Ask;
  readonly saidBy: SaidBy;
}

interface TypedReading extends Pick<BatchFile, 'folder'> {
  readonly reading: Omit<FileReading, 'answers'>;
}

export interface ReadingMemory {
  readonly store: ReadingStore;
  /** Under this name; undefined: only what a person answers to questions is kept, under a name that follows from the file. */
  readonly name?: string | undefined;
}

export type ReadRow = {
  readonly row: WrittenRow;
  /** As it stands in the file, without what answers make of it. */
  readonly written: WrittenRow;
} /** `repeats`: an earlier row of the file may be the same payment, and how. */ & (
  | (Extract<Validated, { kind: 'valid' }> & { readonly repeats: string | undefined })
  | Omit<Extract<Validated, { kind: 'invalid' }>, 'guess'>
);

/** Where rows go. `restart` is called when the file has to be read once more with a proven number style. */
export interface RowSink {
  /** For the keys of the rows. */
  readonly salt: string;
  /** `toRepeat`: what another reading of the file needs to be told again. */
  begin(source: RowSource, toRepeat: readonly Answer[]): Promise<void>;
  take(rows: readonly ReadRow[]): Promise<void>;
  restart(): Promise<void>;
  /** What was only found while reading, for the person; after the last row. */
  note?(text: string): void;
}

export type Questions = Pick<Ports, 'paymentService' | 'tell'>;

export interface Pass {
  readonly reading: FileWithReading;
  /** What another reading of the file needs to be told again. */
  readonly toRepeat: readonly Answer[];
  readonly directory: Directory;
  readonly options: ReadOptions;
  readonly sink: RowSink;
  readonly ports: Questions;
}

/** What one reading of all rows came to. */
/** What a person may not expect of the row. */
export const notesOf = ({ notes, repeats }: Extract<ReadRow, { kind: 'valid' }>): readonly string[] =>
  repeats === undefined ? notes : [...notes, repeats];

export interface RowsRead {
  readonly rows: number;
  readonly look: Look;
  /** The first rows that cannot be paid as written. */
  readonly issues: readonly RowIssues[];
  readonly unknown: readonly UnknownInstitution[];
  readonly leftOut: LinesLeftOut;
  /** undefined: no amount was read. */
  readonly amountStyle: StyleRead | undefined;
  /** Totals that do not agree. */
  readonly totalFaults: readonly string[];
  readonly notes: readonly string[];
}

/** Without knowing the columns no row can be validated, but everything can be asked in one round. */
export async function lookAlone({ reading, options }: Pass): Promise<RowsRead> {
  const { signal } = options;
  const looker = reading.looker(options.today, nameOf(options.open.path));
  const { change, end } = reading.begin();
  let rows = 0;
  for await (const chunk of reading.file.rows(signal)) {
    signal?.throwIfAborted();
    for (const row of chunk) {
      const changed = change(row);
      if ('out' in changed) continue;
      rows += 1;
      looker.see(changed, undefined);
    }
  }
  end();
  const none = { issues: [], unknown: [], leftOut: NO_LINES, notes: [] };
  return { ...none, rows, look: looker.look(), amountStyle: undefined, totalFaults: [] };
}

export async function readValid(pass: Pass): Promise<RowsRead> {
  const { reading, toRepeat, directory, options, sink, ports } = pass;
  const { file } = reading;
  const { columns, headers, madeFrom } = file;
  const source = sourceOf(directory, options.source);
  if (source === undefined && !columns.has('source')) throw noSource();
  const said = reading.answers.findLast(({ kind }) => kind === 'decimal');
  let amountStyle: AmountStyle =
    said?.kind === 'decimal' ? { kind: 'declared', decimal: said.mark } : { kind: 'proving' };
  const { signal } = options;
  for (;;) {
    const known = rememberingUnknown(withSaidWords(directory, reading.answers));
    const { ignored } = reading;
    const base = { directory: known.directory, columns, headers, madeFrom, source, salt: sink.salt, ignored };
    const validator = createRowValidator({ ...base, amountStyle });
    const before = file.notes.length;
    await sink.begin(file, toRepeat);
    const totals = new TotalRows();
    const lines = new OtherLines<LineRead>(totals);
    const sameMoney = createSameMoneyFinder();
    const written = createWrittenNotes(file);
    const prover = createAccountProver(options.provesAccounts === true ? ports : undefined);
    const looker = reading.looker(options.today, nameOf(options.open.path));
    const rowPass = reading.begin();
    const { rows, issues } = await readAll(file, {
      ...{
        validator,
        directory,
        known,
        sink,
        ports,
        totals,
        lines,
        sameMoney,
        written,
        prover,
        looker,
        rowPass,
        signal,
      },
    });
    const verdict = validator.amountVerdict();
    if (file.mustReadAgain?.() !== true && verdict.kind === 'stands') {
      rowPass.end();
      const leftOut = lines.leftOut();
      const found = [totals.notes, leftOutNotes(leftOut), written.notes(), sameMoney.notes()].flat();
      const notes = [...file.notes.slice(before), ...found];
      const read = { rows, issues, leftOut, notes, look: looker.look(), unknown: known.unknown() };
      return { ...read, amountStyle: validator.styleRead(), totalFaults: totals.faults };
    }
    if (file.mustReadAgain?.() !== true && verdict.kind !== 'stands') amountStyle = verdict.style;
    await sink.restart();
  }
}

/** `Uganda staff` of `Uganda_staff.xlsx` */
const nameOf = (path: string): string =>
  parse(path)
    .name.replaceAll(/[^\p{L}\p{M}'’]+/gu, ' ')
    .trim();

const NO_LINES: LinesLeftOut = { rows: [], more: 0 };
const MOST_ISSUES = 1_000;

interface Reading {
  readonly validator: RowValidator;
  readonly directory: Directory;
  readonly known: ReturnType<typeof rememberingUnknown>;
  readonly sink: RowSink;
  readonly ports: Questions;
  readonly totals: TotalRows;
  readonly lines: OtherLines<LineRead>;
  readonly sameMoney: ReturnType<typeof createSameMoneyFinder>;
  readonly written: WrittenNotes;
  readonly prover: ReturnType<typeof createAccountProver>;
  readonly looker: Looker;
  readonly rowPass: RowPass;
  readonly signal: AbortSignal | undefined;
}

type LineRead = Extract<Validated, { kind: 'line' }> & Pick<ReadRow, 'row' | 'written'>;

async function readAll(file: RowSource, reading: Reading): Promise<Pick<RowsRead, 'rows' | 'issues'>> {
  const duplicates = createDuplicateFinder(file);
  const amount = file.columns.get('amount') ?? -1;
  const { lines, sink, signal, looker, known, rowPass, totals } = reading;
  const issues: RowIssues[] = [];
  let [rows, invalid, read]: [number, number, ReadRow[]] = [0, 0, []];
  const take = (row: WrittenRow, validated: NoLine, written: WrittenRow) => {
    const result = withDuplicates({ row, written }, validated, duplicates);
    if (result.kind === 'invalid') {
      invalid += 1;
      if (issues.length < MOST_ISSUES) issues.push({ rowNumber: row.rowNumber, issues: result.issues });
    } else if (result.repeats === undefined) reading.sameMoney.look(row.rowNumber, result.keys);
    read.push(result);
  };
  const takeLines = (some: readonly LineRead[]) => {
    for (const { row, written, orElse } of some) {
      looker.see(row, undefined);
      take(row, orElse, written);
    }
  };
  const pass = async () => {
    rows += read.length;
    await sink.take(read);
    read = [];
    reading.ports.tell({ kind: 'read', rows, invalid });
  };
  for await (const chunk of file.rows(signal)) {
    signal?.throwIfAborted();
    for (const written of chunk) {
      const row = rowPass.change(written);
      if ('out' in row) {
        takeLines(lines.endBefore());
        leaveOut(row, (written.cells[amount] ?? '').trim(), reading);
        continue;
      }
      known.at(row.rowNumber);
      const first = reading.validator.validate(row);
      const validated =
        first.kind === 'needs_institutions' ? await withList(row, first.countryId, reading) : first;
      if (validated.kind === 'line') {
        looker.seeLine(row);
        takeLines(lines.see({ ...validated, row, written }));
        continue;
      }
      takeLines(lines.endBefore());
      looker.see(row, validated.kind === 'valid' ? validated.instruction.amount.currency : undefined);
      if (validated.kind === 'valid') {
        totals.add(validated.instruction.amount);
        reading.written.look(row, validated.instruction);
      } else countUnpaid(row, validated.issues, (row.cells[amount] ?? '').trim(), totals);
      const proven = validated.kind === 'invalid' ? await reading.prover.prove(validated, signal) : validated;
      take(row, proven, written);
    }
    await pass();
  }
  takeLines(lines.end());
  if (read.length > 0) await pass();
  return { rows, issues };
}

/** A total of the file may count it. */
function leaveOut(
  { out, read }: Extract<ReturnType<RowPass['change']>, { out: unknown }>,
  amount: string,
  { lines, totals, validator }: Reading,
): void {
  const { rowNumber: row } = read;
  lines.leaveOut({ row, ...out, ...validator.texts(read) });
  if (out.why !== 'zero') totals.passOver(row, amount);
}

/** An amount that cannot be read is no part of a sum. */
function countUnpaid(
  { rowNumber }: WrittenRow,
  issues: RowIssues['issues'],
  amount: string,
  totals: TotalRows,
): void {
  if (amount === '') return;
  if (issues.some(({ field }) => field === 'amount')) totals.leaveOut(rowNumber);
  else totals.addUnpaid(rowNumber, amount);
}

type NoLine = Exclude<Validated, { kind: 'line' | 'needs_institutions' }>;

/** Asks for the institutions that the row needs, and validates it then. Only such rows are awaited: that costs time. */
async function withList(
  row: WrittenRow,
  countryId: CountryId,
  { validator, directory, ports, signal }: Reading,
): Promise<Exclude<Validated, { kind: 'needs_institutions' }>> {
  await loadInstitutions(directory, countryId, ports, signal);
  const validated = validator.validate(row);
  if (validated.kind === 'needs_institutions')
    throw new TypeError('A list that was just added is still missing');
  return validated;
}

function withDuplicates(
  read: Pick<ReadRow, 'row' | 'written'>,
  validated: NoLine,
  duplicates: ReturnType<typeof createDuplicateFinder>,
): ReadRow {
  const { row } = read;
  if (validated.kind === 'invalid') {
    const isKnown = validated.issues.some(({ field }) => field === 'reference');
    const issue = isKnown ? undefined : duplicates.lookInvalid(row);
    const issues = issue === undefined ? validated.issues : [...validated.issues, issue];
    return { kind: 'invalid', ...read, issues, keys: validated.keys };
  }
  const { reference } = validated.instruction;
  const repeated = duplicates.look({ rowNumber: row.rowNumber, keys: validated.keys, reference });
  if (repeated === undefined) return { ...validated, ...read, repeats: undefined };
  if (repeated.kind === 'invalid')
    return { kind: 'invalid', ...read, issues: [repeated.issue], keys: validated.keys };
  return { ...validated, ...read, repeats: repeated.note };
}
