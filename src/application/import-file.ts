/**
 * Reads a file into the ledger as an import: rows staged chunk by chunk, invisible until sealed. What the
 * import becomes (a new batch, a revision, nothing new) is decided afterwards, by place-import.ts.
 */
import { basename } from 'node:path';
import { STANDARD_INPUT } from '../domain/batch.ts';
import { batchDigest } from '../domain/batch-digest.ts';
import type { CurrencyCode } from '../domain/currency.ts';
import type { BatchId, Digest } from '../domain/instruction.ts';
import type { StyleRead } from '../domain/style-read.ts';
import type { LeaseHolder } from '../ports/lease.ts';
import type { StagedRow } from '../ports/ledger.ts';
import { FileRefused, type OpenRows, type RowSource } from '../ports/row-source.ts';
import { replacedIssue } from './check-replaced.ts';
import type { FixFile } from './fix-file.ts';
import { type ReadOptions, type ReadRow, type RowSink, readRows } from './read-rows.ts';
import type { World } from './world.ts';

export interface Imported {
  readonly importId: BatchId;
  readonly digest: Digest;
  readonly fileSha256: string;
  readonly fileName: string;
  readonly rows: number;
  readonly invalid: number;
  readonly heldFromStart: number;
  /** Control sums of the rows that can be paid, in minor units. */
  readonly sums: ReadonlyMap<CurrencyCode, bigint>;
  readonly notes: readonly string[];
  readonly blankRows: number;
  /** How its amounts were read. */
  readonly amountStyle: StyleRead;
}

export interface ImportOptions extends ReadOptions {
  readonly maker: string;
  /** The process that reads: what it leaves behind when it is killed is dropped later. */
  readonly holder?: LeaseHolder | undefined;
  /** Gets the same rows as the ledger. */
  readonly fixFile?: FixFile | undefined;
}

export async function importFile(
  openRows: OpenRows,
  options: ImportOptions,
  world: World,
): Promise<Imported> {
  const stager = new Stager(options, world);
  try {
    const read = { ...options, provesAccounts: true };
    const { file, amountStyle } = await readRows(openRows, read, stager, world);
    const { importId, fileName } = stager;
    if (importId === undefined || stager.rows === 0) {
      throw new FileRefused(`${fileName}: no rows below the header; nothing to pay.`);
    }
    const { rows, invalid, heldFromStart, sums } = stager;
    // First what is said of the file; single rows are many, and only the first notes are shown.
    const notes = [...stager.found, ...stager.notes];
    const digest = await batchDigest(world.ledger.contentKeys(importId));
    const seen = { fileSha256: file.fileSha256(), blankRows: file.blankRows() };
    return { importId, digest, fileName, rows, invalid, heldFromStart, notes, sums, amountStyle, ...seen };
  } catch (error) {
    await stager.restart();
    throw error;
  }
}

const NOTES_MAX = 200;

/** Stages what is read, and counts it. */
class Stager implements RowSink {
  readonly fileName: string;
  importId: BatchId | undefined;
  rows = 0;
  invalid = 0;
  heldFromStart = 0;
  notes: string[] = [];
  found: string[] = [];
  readonly sums = new Map<CurrencyCode, bigint>();
  #file: RowSource | undefined;
  readonly #maker: string;
  readonly #holder: LeaseHolder | undefined;
  readonly #fixFile: FixFile | undefined;
  readonly #world: World;

  constructor(options: ImportOptions, world: World) {
    this.fileName = options.open.path === '-' ? STANDARD_INPUT : basename(options.open.path);
    this.#maker = options.maker;
    this.#holder = options.holder;
    this.#fixFile = options.fixFile;
    this.#world = world;
  }

  async begin(source: RowSource): Promise<void> {
    const { ledger, clock } = this.#world;
    const { format, sheet, headers, columns, notes } = source;
    this.#file = source;
    this.notes = [...notes];
    const file = { name: this.fileName, format, sheet, headers, columns };
    await this.#fixFile?.begin(source);
    const by = { maker: this.#maker, holder: this.#holder };
    this.importId = await ledger.beginImport({ file, ...by, at: clock.now() });
  }

  async take(rows: readonly ReadRow[]): Promise<void> {
    if (this.importId === undefined) throw new TypeError('Rows come after the header');
    const linked =
      this.#file?.columns.has('replaces') === true ? await this.#withLinks(rows, this.#file) : rows;
    for (const row of linked) this.#count(row);
    await this.#world.ledger.stage(this.importId, linked.map(stagedRowOf));
    await this.#fixFile?.take(linked);
  }

  async #withLinks(rows: readonly ReadRow[], file: RowSource): Promise<readonly ReadRow[]> {
    const checked: ReadRow[] = [];
    for (const row of rows) {
      const issue =
        row.kind === 'valid' ? await replacedIssue(row.instruction, file, this.#world) : undefined;
      checked.push(
        issue === undefined ? row : { kind: 'invalid', row: row.row, issues: [issue], keys: row.keys },
      );
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
    this.heldFromStart = 0;
    this.found = [];
    this.sums.clear();
    await this.#fixFile?.restart();
    if (importId !== undefined) await this.#world.ledger.dropImport(importId);
  }

  #count(row: ReadRow): void {
    this.rows += 1;
    if (row.kind === 'invalid') {
      this.invalid += 1;
      return;
    }
    const { currency, minor } = row.instruction.amount;
    this.sums.set(currency, (this.sums.get(currency) ?? 0n) + minor);
    if (row.holds.length > 0) this.heldFromStart += 1;
    if (row.notes.length > 0 && this.notes.length < NOTES_MAX)
      this.notes.push(...row.notes.map((note) => `Row ${row.row.rowNumber}: ${note}`));
  }
}

function stagedRowOf(read: ReadRow): StagedRow {
  const { rowNumber, cells } = read.row;
  if (read.kind === 'invalid') {
    const { contentKey } = read.keys;
    const state = { status: 'invalid', issues: read.issues } as const;
    return { rowNumber, cells, state, instruction: undefined, keys: { contentKey } };
  }
  const state =
    read.holds.length > 0
      ? ({ status: 'held', reasons: read.holds, releases: [], pricing: undefined } as const)
      : ({ status: 'planned', releases: [] } as const);
  return { rowNumber, cells, state, instruction: read.instruction, keys: read.keys };
}
