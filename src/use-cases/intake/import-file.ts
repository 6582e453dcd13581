/**
 * Reads a file into the ledger as an import: rows staged chunk by chunk, invisible until sealed. What the
 * import becomes (a new batch, a revision, nothing new) is decided afterwards, by place-import.ts.
 */

import { basename } from 'node:path';
import { batchDigest, STANDARD_INPUT } from '../../domain/batches/batch.ts';
import type { CurrencyCode } from '../../domain/money/currency.ts';
import type { BatchId, Digest, Instruction } from '../../domain/payouts/instruction.ts';
import { type Answer, type Said, withoutPerson } from '../../domain/reading/answer.ts';
import type { Question } from '../../domain/reading/question.ts';
import { createIssueWriter } from '../../domain/rows/issue-writer.ts';
import type { RowIssue } from '../../domain/rows/row.ts';
import type { StagedRow } from '../../ports/ledger/imports.ts';
import type { LeaseHolder } from '../../ports/ledger/leases.ts';
import { FileRefused, type OpenRows, type RowSource } from '../../ports/row-source.ts';
import { whyNotPaidAgain } from '../decide/reissue.ts';
import type { Ports } from '../ports.ts';
import { notedIncidents } from '../settle/noted-incidents.ts';
import type { CheckedFile } from './check-file.ts';
import type { FixFile } from './fix-file.ts';
import { notesOf, type ReadOptions, type ReadRow, type RowSink } from './read-pass.ts';
import { readRows } from './read-rows.ts';

type AsChecked = 'rows' | 'invalid' | 'blankRows' | 'notes' | 'fileSha256' | 'amountStyle' | 'leftOut';

export interface Imported extends Pick<CheckedFile, AsChecked> {
  readonly importId: BatchId;
  readonly digest: Digest;
  /** Over its bytes alone, without corrections. */
  readonly receivedSha256: string;
  readonly fileName: string;
  /** Control sums of the rows that can be paid, in minor units. */
  readonly sums: ReadonlyMap<CurrencyCode, bigint>;
  /** What was said of it and counts. */
  readonly answers: readonly Said[];
  /** The name of the kept reading that some of it is from. */
  readonly readingName?: string | undefined;
  /** What stops some rows alone, and a person can answer. */
  readonly questions: readonly Question[];
}

interface ImportOptions extends ReadOptions {
  /** Of the batch that the file belongs to. */
  readonly name: string;
  readonly maker: string;
  /** The process that reads. When it is killed, what it staged is dropped later. */
  readonly holder?: LeaseHolder | undefined;
  /** Gets the same rows as the ledger. */
  readonly fixFile?: FixFile | undefined;
}

export async function importFile(
  openRows: OpenRows,
  options: ImportOptions,
  ports: Ports,
): Promise<Imported> {
  const stager = new Stager(options, ports);
  try {
    const read = { ...options, provesAccounts: true };
    const done = await readRows(openRows, read, stager, ports);
    const { file, amountStyle, leftOut, answers, reading, questions } = done;
    const { importId, fileName } = stager;
    if (importId === undefined || stager.rows === 0) {
      throw new FileRefused(`${fileName}: no rows below the header; nothing to pay.`);
    }
    const { rows, invalid, sums } = stager;
    // Notes about the whole file come first, because only the first notes are shown.
    const notes = [...stager.found, ...stager.notes];
    const digest = await batchDigest(ports.ledger.rowKeys(importId));
    const fileSha256 = file.fileSha256();
    const receivedSha256 = file.receivedSha256?.() ?? fileSha256;
    const seen = { fileSha256, receivedSha256, blankRows: file.blankRows(), leftOut };
    const said = { answers, readingName: reading?.name, questions };
    return { importId, digest, fileName, rows, invalid, notes, sums, amountStyle, ...seen, ...said };
  } catch (error) {
    await stager.restart();
    throw error;
  }
}

const NOTES_MAX = 200;

/** Stages what is read, and counts it. */
class Stager implements RowSink {
  readonly fileName: string;
  readonly salt: string;
  importId: BatchId | undefined;
  rows = 0;
  invalid = 0;
  notes: string[] = [];
  found: string[] = [];
  readonly sums = new Map<CurrencyCode, bigint>();
  #file: RowSource | undefined;
  readonly #name: string;
  readonly #maker: string;
  readonly #holder: LeaseHolder | undefined;
  readonly #typed: ImportOptions['typed'];
  readonly #fixFile: FixFile | undefined;
  readonly #ports: Ports;

  constructor(options: ImportOptions, ports: Ports) {
    this.fileName = options.open.path === '-' ? STANDARD_INPUT : basename(options.open.path);
    this.#name = options.name;
    this.#maker = options.maker;
    this.#holder = options.holder;
    this.#typed = options.typed;
    this.#fixFile = options.fixFile;
    this.#ports = ports;
    this.salt = ports.ledger.identity.salt;
  }

  async begin(source: RowSource, toRepeat: readonly Answer[]): Promise<void> {
    const { ledger, clock } = this.#ports;
    const { format, sheet, headers, columns, notes, usualNotes = [] } = source;
    this.#file = source;
    this.notes = notes.filter((note) => !usualNotes.includes(note));
    const { folder, reading } = this.#typed ?? {};
    const typed =
      reading === undefined ? {} : { folder, reading: { ...reading, answers: toRepeat.map(withoutPerson) } };
    const file = { name: this.fileName, format, sheet, headers, columns, ...typed };
    await this.#fixFile?.begin(source, toRepeat);
    const by = { name: this.#name, maker: this.#maker, holder: this.#holder };
    this.importId = await ledger.beginImport({ file, ...by, at: clock.now() });
  }

  async take(rows: readonly ReadRow[]): Promise<void> {
    if (this.importId === undefined) throw new TypeError('Rows come after the header');
    const linked =
      this.#file?.columns.has('replaces') === true ? await this.#withLinks(rows, this.#file) : rows;
    for (const row of linked) this.#count(row);
    await this.#ports.ledger.stage(this.importId, linked.map(stagedRowOf));
    await this.#fixFile?.take(linked);
  }

  async #withLinks(rows: readonly ReadRow[], file: RowSource): Promise<readonly ReadRow[]> {
    const checked: ReadRow[] = [];
    for (const read of rows) {
      const issue =
        read.kind === 'valid' ? await replacedIssue(read.instruction, file, this.#ports) : undefined;
      const { row, written, keys } = read;
      checked.push(issue === undefined ? read : { kind: 'invalid', row, written, issues: [issue], keys });
    }
    return checked;
  }

  note(text: string): void {
    this.found.push(text);
  }

  /** Forgets what was staged. */
  async restart(): Promise<void> {
    const { importId } = this;
    this.importId = undefined;
    this.rows = 0;
    this.invalid = 0;
    this.found = [];
    this.sums.clear();
    await this.#fixFile?.restart();
    if (importId !== undefined) await this.#ports.ledger.dropImport(importId);
  }

  #count(row: ReadRow): void {
    this.rows += 1;
    if (row.kind === 'invalid') {
      this.invalid += 1;
      return;
    }
    const { currency, minor } = row.instruction.amount;
    this.sums.set(currency, (this.sums.get(currency) ?? 0n) + minor);
    if (this.notes.length < NOTES_MAX)
      this.notes.push(...notesOf(row).map((note) => `Row ${row.row.rowNumber}: ${note}`));
  }
}

function stagedRowOf(read: ReadRow): StagedRow {
  const { rowNumber, cells } = read.row;
  if (read.kind === 'invalid') {
    const state = { status: 'invalid', issues: read.issues } as const;
    return { rowNumber, cells, state, instruction: undefined, keys: read.keys };
  }
  const state =
    read.holds.length > 0
      ? ({ status: 'held', reasons: read.holds, releases: [], pricing: undefined } as const)
      : ({ status: 'planned', releases: [] } as const);
  return { rowNumber, cells, state, instruction: read.instruction, keys: read.keys };
}

/**
 * A row that says which payment it pays again (a redo file's payfile_replaces): that payment has to be in this
 * ledger, be proven unpaid, and be recognisably the same one. Anything else is an issue of the row.
 *
 * Why:     a link to the wrong payment would hide a repeat from the memory of payments.
 */

type Replacing = Pick<Ports, 'ledger' | 'clock' | 'policy'>;

/** undefined when the row replaces nothing, or what it replaces may be paid again. */
async function replacedIssue(
  instruction: Instruction,
  file: Pick<RowSource, 'columns' | 'headers'>,
  { ledger, clock, policy }: Replacing,
): Promise<RowIssue | undefined> {
  const { replaces } = instruction;
  if (replaces === undefined) return undefined;
  const write = createIssueWriter(file);
  const issue = (kind: string, expected: string, suggestion: string) =>
    write({ kind, field: 'replaces', seen: replaces, expected, suggestion });
  const replaced = await ledger.payout(replaces);
  if (replaced?.instruction === undefined || !isAlike(replaced.instruction, instruction)) {
    const expected = 'the id of the payment of this row in this ledger, as the redo file wrote it';
    return issue('replaces_unknown', expected, 'Empty the cell to pay the row as a payment of its own.');
  }
  const noted = (await notedIncidents(replaced.batchId, { ledger })).get(replaced.id);
  const objection =
    noted === undefined
      ? whyNotPaidAgain(replaced, undefined, { at: clock.now(), policy })
      : `an incident (${noted.what})`;
  if (objection === undefined) return undefined;
  const batchName = (await ledger.batch(replaced.batchId))?.name ?? replaced.batchId;
  const place = `row ${replaced.rowNumber} of batch ${batchName}`;
  return issue(
    'replaces_living',
    `a payment that is proven unpaid; ${place} is ${objection}`,
    'Leave this row out.',
  );
}

/**
 * A redo row may have been corrected in one or two things, never in all of them. With another reference and another
 * account it is somebody else's: a redo file of another ledger may have the ids of this one.
 */
function isAlike(before: Instruction, after: Instruction): boolean {
  if (before.account.reveal() === after.account.reveal()) return true;
  if (before.reference !== undefined && after.reference !== undefined)
    return before.reference === after.reference;
  return (
    before.institutionId === after.institutionId &&
    before.amount.currency === after.amount.currency &&
    before.amount.minor === after.amount.minor
  );
}
