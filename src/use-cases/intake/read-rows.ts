/**
 * Reads a payout file into validated rows, asking the service for each country's institutions when a row
 * first needs them. Used by check (which only looks) and by import (which stages).
 *
 * Errors:  FileRefused for a file that cannot be used as a whole; ServiceUnavailable when a list cannot be had.
 */

import type { BatchFile } from '../../domain/batches/batch.ts';
import type { AmountStyle, StyleRead } from '../../domain/money/amount-style.ts';
import { compareNames } from '../../domain/names/name-check.ts';
import {
  type Country,
  type CountryId,
  createDirectory,
  type Directory,
  findSource,
  type Institution,
} from '../../domain/rows/directory.ts';
import { type LinesLeftOut, leftOutNotes, OtherLines } from '../../domain/rows/lines-left-out.ts';
import { withAcceptedValues } from '../../domain/rows/mapping.ts';
import { createDuplicateFinder, createSameMoneyFinder } from '../../domain/rows/repeats-in-file.ts';
import type { WrittenRow } from '../../domain/rows/row.ts';
import { createTotalRows, type TotalRows } from '../../domain/rows/total-rows.ts';
import {
  type AccountGuess,
  createRowValidator,
  type InvalidRow,
  type RowValidator,
  type Validated,
} from '../../domain/rows/validate-row.ts';
import { createWrittenNotes, type WrittenNotes } from '../../domain/rows/written-notes.ts';
import { input, type Message, PayfileError, SaidError, said } from '../../domain/text/message.ts';
import type { Asked, PaymentService } from '../../ports/payment-service.ts';
import { FileRefused, type OpenRows, type OpenRowsOptions, type RowSource } from '../../ports/row-source.ts';
import { askCountries, askInstitutions } from '../ask-lists.ts';
import type { Ports } from '../ports.ts';

/** The service could not be asked before anything was sent. Exit code 69. */
export class ServiceUnavailable extends PayfileError {
  override readonly name = 'ServiceUnavailable';
  readonly code = 'service_unavailable';
}

/** A setting names something that the service does not have. Exit code 78. */
export class SettingRefused extends SaidError {
  override readonly name = 'SettingRefused';
  readonly code = 'setting_refused';
  /** The same for whoever reads it on a page, where no flag can be typed; undefined: the message has none. */
  readonly onPage: string | undefined;
  constructor(message: string | Message, options: { readonly onPage?: string } = {}) {
    super(message);
    this.onPage = options.onPage;
  }
}

export interface ReadOptions {
  readonly open: OpenRowsOptions;
  readonly decimal: 'point' | 'comma' | undefined;
  /** Originating country as written: name, ISO code or id. */
  readonly source: string | undefined;
  /** Kept with the batch, for commands that read the file once more. */
  readonly typed?: Pick<BatchFile, 'folder' | 'reading'> | undefined;
  /**
   * Asks the service whom the account with its lost zeros belongs to, for a few rows: a guess that a name proves
   * is worth more to the person who mends the row. Only where names are asked anyway, so not by check.
   */
  readonly provesAccounts?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type ReadRow = {
  readonly row: WrittenRow;
} /** `mayRepeat`: an earlier row of the file may be the same payment. */ & (
  | (Extract<Validated, { kind: 'valid' }> & { readonly mayRepeat: boolean })
  | Omit<Extract<Validated, { kind: 'invalid' }>, 'guess'>
);

/** Where rows go. `restart` is called when the file has to be read once more with a proven number style. */
export interface RowSink {
  /** For the keys of the rows. */
  readonly salt: string;
  begin(source: RowSource): Promise<void>;
  take(rows: readonly ReadRow[]): Promise<void>;
  restart(): Promise<void>;
  /** What was only found while reading, for the person; after the last row. */
  note?(text: string): void;
}

type Questions = Pick<Ports, 'paymentService' | 'tell'>;

export interface ReadFile {
  /** Its hash and counts are known now. */
  readonly file: RowSource;
  readonly amountStyle: StyleRead;
  readonly leftOut: LinesLeftOut;
}

/** Reads all rows into the sink. */
export async function readRows(
  openRows: OpenRows,
  options: ReadOptions,
  sink: RowSink,
  ports: Questions,
): Promise<ReadFile> {
  const file = await openRows(options.open);
  try {
    const directory = await loadDirectory(ports, options.signal);
    const { columns, headers } = file;
    const source = sourceOf(directory, options.source);
    if (source === undefined && !columns.has('source'))
      throw new SettingRefused(NO_SOURCE, { onPage: NO_SOURCE_ON_PAGE });
    const known = file.mapping === undefined ? directory : withAcceptedValues(directory, file.mapping);
    const base = { directory: known, columns, headers, source, salt: sink.salt };
    let amountStyle: AmountStyle =
      options.decimal === undefined ? { kind: 'proving' } : { kind: 'declared', decimal: options.decimal };
    for (;;) {
      const validator = createRowValidator({ ...base, amountStyle });
      const known = file.notes.length;
      await sink.begin(file);
      const totals = createTotalRows();
      const lines = new OtherLines<LineRead>(totals);
      const sameMoney = createSameMoneyFinder();
      const written = createWrittenNotes(file);
      const prover = createAccountProver(options.provesAccounts === true ? ports : undefined);
      const { signal } = options;
      const rows = await readAll(file, {
        ...{ validator, directory, sink, ports, totals, lines, sameMoney, written, prover, signal },
      });
      if (file.mustReadAgain?.() === true) {
        await sink.restart();
        continue;
      }
      const verdict = validator.amountVerdict();
      if (verdict.kind === 'stands') {
        if (totals.faults.length > 0) throw totalsDiffer(totals.faults, file);
        if (rows === 0) throw nothingToPay(file);
        const leftOut = lines.leftOut();
        const found = [totals.notes, leftOutNotes(leftOut), written.notes(), sameMoney.notes()].flat();
        for (const note of [...file.notes.slice(known), ...found]) sink.note?.(note);
        return { file, amountStyle: validator.styleRead(), leftOut };
      }
      amountStyle = verdict.style;
      await sink.restart();
    }
  } finally {
    await file.close();
  }
}

function totalsDiffer(faults: readonly string[], { sheet }: RowSource): FileRefused {
  const where = sheet === undefined ? 'In the file' : `In the sheet “${sheet}”`;
  return new FileRefused(
    `${where}, ${faults.join('; ')}. A row may be missing or changed, so nothing was taken. Correct the amounts or the ` +
      'totals, or take the rows with the totals out.',
  );
}

/** The service's countries, ready to take institutions as they are needed. */
export async function loadDirectory(ports: Questions, signal?: AbortSignal): Promise<Directory> {
  return createDirectory(answerOf(await askCountries(ports.paymentService, signal), 'the list of countries'));
}

export async function loadInstitutions(
  directory: Directory,
  countryId: CountryId,
  ports: Questions,
  signal?: AbortSignal,
): Promise<readonly Institution[]> {
  return addInstitutions(
    directory,
    countryId,
    await askInstitutions(ports.paymentService, countryId, signal),
  );
}

export function addInstitutions(
  directory: Directory,
  countryId: CountryId,
  asked: Asked<readonly Institution[]>,
): readonly Institution[] {
  const name = directory.countryById(countryId)?.name ?? countryId;
  const institutions = answerOf(asked, `the institutions of ${name}`);
  directory.addInstitutions(countryId, institutions);
  return institutions;
}

function answerOf<Answer>(asked: Asked<Answer>, what: string): Answer {
  if (asked.kind === 'answered') return asked.answer;
  const why =
    asked.kind === 'declined' ? `it answered “${asked.message}” (code ${asked.code})` : asked.reason;
  throw new ServiceUnavailable(`Could not get ${what} from the payment service: ${why}. Try again.`);
}

const NO_SOURCE = said`The country that the money comes from is not set. Name it once: ${input('source', 'GB')}, PAYFILE_SOURCE, “source” in the configuration, or a column “source” in the file.`;
const NO_SOURCE_ON_PAGE =
  'The country that the money comes from is not set. Say it below, or add a column “source” to the file.';

function sourceOf(directory: Directory, written: string | undefined): Country | undefined {
  if (written === undefined) return undefined;
  const found = findSource(directory, written);
  if (found.kind === 'unknown') throw new SettingRefused(found.message);
  return found.country;
}

interface Reading {
  readonly validator: RowValidator;
  readonly directory: Directory;
  readonly sink: RowSink;
  readonly ports: Questions;
  readonly totals: TotalRows;
  readonly lines: OtherLines<LineRead>;
  readonly sameMoney: ReturnType<typeof createSameMoneyFinder>;
  readonly written: WrittenNotes;
  readonly prover: ReturnType<typeof createAccountProver>;
  readonly signal: AbortSignal | undefined;
}

type LineRead = Extract<Validated, { kind: 'line' }> & { readonly row: WrittenRow };

async function readAll(file: RowSource, reading: Reading): Promise<number> {
  const duplicates = createDuplicateFinder(file);
  const amount = file.columns.get('amount') ?? -1;
  const { lines, sink, signal } = reading;
  let rows = 0;
  let invalid = 0;
  let read: ReadRow[] = [];
  const take = (row: WrittenRow, validated: NoLine) => {
    const result = withDuplicates(row, validated, duplicates);
    if (result.kind === 'invalid') invalid += 1;
    else if (!result.mayRepeat) reading.sameMoney.look(row.rowNumber, result.keys);
    read.push(result);
  };
  const takeLines = (some: readonly LineRead[]) => {
    for (const { row, orElse } of some) take(row, orElse);
  };
  const pass = async () => {
    rows += read.length;
    await sink.take(read);
    read = [];
    reading.ports.tell({ kind: 'read', rows, invalid });
  };
  for await (const chunk of file.rows(signal)) {
    signal?.throwIfAborted();
    for (const row of chunk) {
      const first = reading.validator.validate(row);
      // A row that waits for nothing is not awaited: that costs more than to validate some of its cells.
      const known =
        first.kind === 'needs_institutions' ? await withList(row, first.countryId, reading) : first;
      if (known.kind === 'line') {
        takeLines(lines.see({ ...known, row }));
        continue;
      }
      takeLines(lines.endBefore());
      if (known.kind === 'valid') {
        reading.totals.add(known.instruction.amount);
        reading.written.look(row, known.instruction);
      } else if ((row.cells[amount] ?? '').trim() !== '') reading.totals.leaveOut(row.rowNumber);
      take(row, known.kind === 'invalid' ? await reading.prover.prove(known, signal) : known);
    }
    await pass();
  }
  takeLines(lines.end());
  if (read.length > 0) await pass();
  return rows;
}

function nothingToPay({ sheet }: RowSource): FileRefused {
  return new FileRefused(
    `${sheet === undefined ? '' : `Sheet “${sheet}”: `}no row below the header has an account or an institution: there is nothing to pay.`,
  );
}

type NoLine = Exclude<Validated, { kind: 'line' | 'needs_institutions' }>;

/** Asks for the institutions that the row needs, and validates it then. */
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
  row: WrittenRow,
  validated: NoLine,
  duplicates: ReturnType<typeof createDuplicateFinder>,
): ReadRow {
  if (validated.kind === 'invalid') {
    const isKnown = validated.issues.some(({ field }) => field === 'reference');
    const issue = isKnown ? undefined : duplicates.lookInvalid(row);
    const issues = issue === undefined ? validated.issues : [...validated.issues, issue];
    return { kind: 'invalid', row, issues, keys: validated.keys };
  }
  const { reference } = validated.instruction;
  const repeated = duplicates.look({ rowNumber: row.rowNumber, keys: validated.keys, reference });
  if (repeated === undefined) return { ...validated, row, mayRepeat: false };
  if (repeated.kind === 'invalid')
    return { kind: 'invalid', row, issues: [repeated.issue], keys: validated.keys };
  return { ...validated, row, mayRepeat: true, notes: [...validated.notes, repeated.note] };
}

/**
 * Asks the service whether an account with its lost zeros put back belongs to the person that the row names, and
 * says so beside the issue. The row stays as it is: a person writes the zeros, not we.
 */

// Enough to see that a whole column lost its zeros; a file of a million such rows must not ask a million times.
const MOST_QUESTIONS = 25;

/** `ports` is undefined where nobody may be asked. */
export function createAccountProver(ports: { readonly paymentService: PaymentService } | undefined) {
  let asked = 0;
  return {
    async prove(row: InvalidRow, signal: AbortSignal | undefined): Promise<InvalidRow> {
      if (ports === undefined || row.guess === undefined || asked >= MOST_QUESTIONS) return row;
      asked += 1;
      return (await belongsToNamed(row.guess, ports.paymentService, signal))
        ? withProof(row, row.guess)
        : row;
    },
  };
}

async function belongsToNamed(
  { institutionId, padded, name }: AccountGuess,
  service: PaymentService,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const asked = await service.accountName({ institutionId, account: padded }, signal);
  return asked.kind === 'answered' && compareNames(name, asked.answer).result === 'match';
}

function withProof(row: InvalidRow, { name }: AccountGuess): InvalidRow {
  const proof = `The service knows the account with its zeros as that of ${name}, the name in the row.`;
  const issues = row.issues.map((issue) =>
    issue.kind === 'account_zero_lost'
      ? { ...issue, suggestion: `${issue.suggestion ?? ''} ${proof}`.trim() }
      : issue,
  );
  return { ...row, issues };
}
