/**
 * Importing a file: rows are staged chunk by chunk under a batch that nothing else touches, until it is sealed
 * or dropped. Fast enough for a million rows: ten rows per statement, no index with random keys, one hash.
 */
import type { BatchFile } from '../../../domain/batches/batch.ts';
import { asBatchId, type BatchId } from '../../../domain/payouts/instruction.ts';
import { LedgerError } from '../../../ports/ledger/errors.ts';
import type { ImportHeader, Seal, Sealed, StagedRow } from '../../../ports/ledger/imports.ts';
import type { LeaseHolder } from '../../../ports/ledger/leases.ts';
import { encodeState, PLANNED, stateText } from '../payouts/payout-codec.ts';
import {
  instructionColumns,
  payoutNumber,
  positionOf,
  type Routes,
  type RowContent,
  rowKeys,
  rowText,
} from '../payouts/stored-payout.ts';
import type { ChainDraft } from '../proof/event-chain.ts';
import type { WriteQueue } from '../storage/group-commit.ts';
import { numberOf, type Sql, yieldToEvents } from '../storage/sql-statements.ts';
import type { Machine } from '../storage/this-machine.ts';
import { pauseUncompared } from '../trust/known-head.ts';
import type { Batches } from './batches.ts';
import { insertRows, type NewRow } from './insert-rows.ts';
import { RowKeys } from './row-keys.ts';

const DROP_ROWS = 1_000;
const MINOR_MAX = 2n ** 63n - 1n;

interface ImportsParts {
  readonly sql: Sql;
  readonly chain: ChainDraft;
  readonly queue: WriteQueue;
  readonly batches: Batches;
  readonly routes: Routes;
  readonly machine: Machine;
  /** A statement of its own, for reading row by row. */
  readonly fresh: Sql;
}

export class Imports {
  readonly #parts: ImportsParts;
  /** Of imports that this process reads. */
  readonly #keys = new Map<number, RowKeys>();

  constructor(parts: ImportsParts) {
    this.#parts = parts;
  }

  async begin({ file, name, maker, holder, at }: ImportHeader): Promise<BatchId> {
    const { machine } = this.#parts;
    await this.#dropLeft({ machine, now: at, host: holder?.host });
    await this.#sweep();
    const nothing = {
      digest: undefined,
      mergedInto: undefined,
      pause: undefined,
      resumedAt: undefined,
      approval: undefined,
      merging: undefined,
    };
    const id = await this.#parts.queue.write(() =>
      this.#parts.batches.create(
        {
          ...nothing,
          state: 'importing',
          name,
          isBound: false,
          revision: 1,
          file: { ...file, sha256: '' },
          maker,
          createdAt: at,
          range: 0,
        },
        importProcess(holder, machine),
      ),
    );
    this.#keys.set(id, new RowKeys());
    return asBatchId(String(id));
  }

  async stage(importId: BatchId, rows: readonly StagedRow[]): Promise<void> {
    if (rows.length === 0) return;
    const id = this.#parts.batches.numberOf(importId);
    for (const row of rows) checkRow(row);
    // No savepoint: SQLite would copy every page again that a chunk touches.
    await this.#parts.queue.write(() => this.#stage(id, rows), { isOneStatement: true });
    const kept = this.#keys.get(id);
    for (const { keys } of rows) kept?.add(keys.rowKey);
  }

  async seal(importId: BatchId, seal: Seal): Promise<Sealed> {
    const { batches, queue, sql } = this.#parts;
    const { digest, at } = seal;
    const id = batches.numberOf(importId);
    return queue.write(() => {
      const facts = this.#importing(id);
      if (batches.isNameTaken(facts.name)) return 'name_taken';
      if (batches.isIdOfAnother(facts.name, id)) return 'name_is_id';
      const set = { state: 'open', digest, file: sealedFile(facts.file, seal) } as const;
      batches.change({ id, at, kind: 'sealed', set });
      pauseUncompared({ sql, batches }, id, at);
      return 'sealed';
    });
  }

  async drop(importId: BatchId, at: number): Promise<void> {
    const { batches, queue } = this.#parts;
    const id = batches.numberOf(importId);
    this.#keys.delete(id);
    await queue.write(() => {
      this.#importing(id);
      batches.change({ id, at, kind: 'import_dropped', set: { state: 'dropped' } });
    });
    await this.#deleteRows(id);
  }

  /** Read to the end at once, sixteen bytes a row: an open read would keep writers of other processes from us. */
  async *rowKeys(batchId: BatchId): AsyncGenerator<readonly Uint8Array[]> {
    const { batches, fresh } = this.#parts;
    const id = batches.numberOf(batchId);
    const staged = this.#keys.get(id);
    this.#keys.delete(id);
    if (staged === undefined) yield* rowKeysOf(fresh, id);
    else yield* staged.pages();
  }

  #importing(id: number) {
    const facts = this.#parts.batches.facts(id);
    // It was dropped as left behind: on another machine and a day old, or a clock was wrong.
    if (facts.state === 'dropped')
      throw new LedgerError(
        'ledger_busy',
        'Another process gave up this reading of the file, because it looked a day old to it (are the clocks right?). ' +
          'Nothing of the file was kept. Run the same command again.',
      );
    if (facts.state !== 'importing')
      throw new RangeError(`Batch ${id} is ${facts.state}, not being imported`);
    return facts;
  }

  #stage(batch: number, rows: readonly StagedRow[]): void {
    const { sql, chain, routes } = this.#parts;
    const { createdAt } = this.#importing(batch);
    routes.forgetNew();
    const next = nextPayoutId(sql);
    const last = sql(
      'SELECT max(position) AS position FROM payouts WHERE batch = ? AND position IS NOT NULL',
    );
    const ordinal = numberOf(last.get(batch)?.position ?? 0);
    const fresh: NewRow[] = rows.map((row, index) => {
      const content = this.#contentOf(row, next + index, (id, route) => {
        const body = JSON.stringify({ v: 1, id, ...route });
        chain.add(batch, { payout: null, at: createdAt, kind: 'route', body });
      });
      const state = stateText(row.state);
      const position = positionOf(0, ordinal + index + 1);
      const body = bornBody(row, position, state);
      const born = chain.add(batch, { payout: next + index, at: createdAt, kind: 'imported', body });
      return { content, batch, position, rowNumber: row.rowNumber, status: row.state.status, state, born };
    });
    insertRows(sql, fresh);
    for (const { content } of fresh) chain.addRow(batch, rowText(content), rowKeys(content));
    routes.keep();
  }

  #contentOf(row: StagedRow, id: number, added: Parameters<Routes['idOf']>[1]): RowContent {
    const { instruction, keys } = row;
    const route = instruction === undefined ? null : this.#parts.routes.idOf(instruction, added);
    return {
      id,
      root: rootOf(this.#parts.sql, instruction?.replaces) ?? id,
      cells: JSON.stringify(row.cells),
      row_key: keys.rowKey,
      reference_key: keys.referenceKey ?? null,
      payment_key: keys.paymentKey ?? null,
      ...instructionColumns(instruction, route),
    };
  }

  /** Their rows go with `sweep`. */
  async #dropLeft(asking: Asking): Promise<void> {
    const { sql, batches, queue } = this.#parts;
    for (const id of leftImports(sql, asking)) {
      await queue.write(() => {
        // Another process may have dropped it just now, or begun to move its rows into a batch.
        if (batches.facts(id).state !== 'importing' || !isLeft(sql, id, asking)) return;
        batches.change({ id, at: asking.now, kind: 'import_dropped', set: { state: 'dropped' } });
      });
    }
  }

  /** What a crash left of dropped imports. */
  async #sweep(): Promise<void> {
    const left = this.#parts.sql(
      "SELECT id FROM batches WHERE state = 'dropped' AND EXISTS (SELECT 1 FROM payouts WHERE batch = batches.id AND position IS NOT NULL)",
    );
    for (const row of left.all()) await this.#deleteRows(numberOf(row.id));
  }

  async #deleteRows(batch: number): Promise<void> {
    const { queue, sql } = this.#parts;
    const some = `SELECT id FROM payouts WHERE batch = ? AND position IS NOT NULL ORDER BY position LIMIT ${DROP_ROWS}`;
    for (;;) {
      const deleted = await queue.write(
        () => sql(`DELETE FROM payouts WHERE id IN (${some})`).run(batch).changes,
      );
      if (Number(deleted) < DROP_ROWS) return;
      await yieldToEvents();
    }
  }
}

/** What is known of a file once its last row was read. */
export function sealedFile(file: BatchFile, { fileSha256, corrected, amountStyle }: Seal): BatchFile {
  return { ...file, sha256: fileSha256, ...(corrected === undefined ? {} : { corrected }), amountStyle };
}

/** Whatever may be wrong with a row is found before the first one of its chunk is written. */
function checkRow({ rowNumber, state, instruction }: StagedRow): void {
  encodeState(state);
  if (instruction === undefined) {
    if (state.status === 'invalid') return;
    throw new RangeError(`Row ${rowNumber} is ${state.status} and has no instruction`);
  }
  const { minor } = instruction.amount;
  if (minor > MINOR_MAX || minor < -MINOR_MAX)
    throw new RangeError(`Row ${rowNumber}: the amount has too many digits`);
}

export function nextPayoutId(sql: Sql): number {
  return numberOf(sql("SELECT seq FROM sqlite_sequence WHERE name = 'payouts'").get()?.seq ?? 0) + 1;
}

/** The first instruction of the family that `replaces` belongs to; undefined when this ledger has no such payout. */
function rootOf(sql: Sql, replaces: string | undefined): number | undefined {
  const id = replaces === undefined ? undefined : payoutNumber(replaces);
  if (id === undefined) return undefined;
  const root = sql('SELECT root FROM payouts WHERE id = ?').get(id)?.root;
  return root === undefined ? undefined : numberOf(root);
}

/** The usual row needs only its place; another state is carried by the event. */
function bornBody(row: StagedRow, position: number, state: string): string {
  const place = `{"v":1,"row":${row.rowNumber},"position":${position}`;
  if (state === PLANNED) return `${place}}`;
  return `${place},"status":"${row.state.status}","state":${state}}`;
}

/**
 * The state in which the current file starts this row: held if the file hides the row. Releases of the payout do not
 * count.
 */
export function readAs(sql: Sql, payout: number): Pick<NewRow, 'status' | 'state'> {
  const born = 'SELECT seq, body FROM journal WHERE seq = (SELECT born FROM payouts WHERE id = ?1)';
  const later = `SELECT seq, body FROM journal WHERE payout = ?1 AND payout IS NOT NULL AND kind <> 'imported'
    AND kind IN ('kept','rewritten')`;
  const entry = sql(`SELECT body FROM (${born} UNION ALL ${later}) e ORDER BY seq DESC LIMIT 1`).get(payout);
  const { status, state } = JSON.parse(String(entry?.body)) as { status?: string; state?: unknown };
  if (status !== 'held') return { status: 'planned', state: PLANNED };
  return { status, state: JSON.stringify(state) };
}

/** `fresh` prepares a statement that nobody else reads with. */
export async function* rowKeysOf(fresh: Sql, batch: number): AsyncGenerator<readonly Uint8Array[]> {
  const rows = fresh('SELECT row_key FROM payouts WHERE batch = ? AND position IS NOT NULL');
  rows.setReturnArrays(true);
  const keys = new RowKeys();
  for (const row of rows.iterate(batch) as Iterable<unknown>) {
    const [key] = row as [Uint8Array];
    keys.add(key);
  }
  yield* keys.pages();
}

/**
 * Imports that a killed process left behind: no batch, never to be finished, and dropped at the next import.
 *
 * An import under way is never touched: it counts as left only when its process is gone on this machine, or, where
 * nobody can tell, after a day. One that a revision took rows from stays, because its chain proves those rows.
 */

const SURELY_OVER_MS = 24 * 3_600_000;

/** Who reads a file, as the journal keeps it. */
interface ImportProcess {
  readonly pid: number;
  readonly host: string;
  readonly started: string | null;
}

export interface Asking {
  readonly machine: Machine;
  readonly now: number;
  /** The machine that asks; undefined: only age counts. */
  readonly host: string | undefined;
}

function importProcess(
  holder: LeaseHolder | undefined,
  machine: Machine,
): { readonly process: ImportProcess } | Record<string, never> {
  if (holder === undefined) return {};
  const { pid, host } = holder;
  return { process: { pid, host, started: machine.processStart(pid) } };
}

function leftImports(sql: Sql, asking: Asking): readonly number[] {
  const rows = sql("SELECT id FROM batches WHERE state = 'importing'").all();
  return rows.map(({ id }) => numberOf(id)).filter((id) => isLeft(sql, id, asking));
}

function isLeft(sql: Sql, id: number, { machine, now, host }: Asking): boolean {
  const begun = "SELECT at, body FROM journal WHERE batch = ? AND payout IS NULL AND kind = 'import_begun'";
  const row = sql(begun).get(id);
  if (row === undefined || gaveRows(sql, id)) return false;
  const isOld = now - numberOf(row.at) > SURELY_OVER_MS;
  const { process } = JSON.parse(String(row.body)) as { process?: ImportProcess };
  if (process === undefined || process.host !== host) return isOld;
  if (!machine.isRunning(process.pid, process.started)) return true;
  // Where the system does not show when a process began, the number alone may be another one's by now.
  return process.started === null && isOld;
}

/** A revision began to move its rows into a batch. */
function gaveRows(sql: Sql, id: number): boolean {
  const begun =
    "SELECT 1 FROM journal WHERE payout IS NULL AND kind = 'revision_begun' AND json_extract(body, '$.set.merging') = ?";
  return sql(begun).get(String(id)) !== undefined;
}
