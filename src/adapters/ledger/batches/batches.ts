/**
 * Batches: their facts as one stored text, changed only together with an event in the batch's journal.
 */

import { type Batch, likeName } from '../../../domain/batches/batch.ts';
import { asBatchId, type BatchId } from '../../../domain/payouts/instruction.ts';
import { timestampOf } from '../../../domain/timestamp.ts';
import type {
  BatchesFound,
  BatchesQuestion,
  BroughtRevision,
  FoundBatch,
  KeptApproval,
  OpenDoubts,
} from '../../../ports/ledger/batches.ts';
import type { Note, NoteKind } from '../../../ports/ledger/notes.ts';
import type { JournalEntry } from '../../../ports/ledger/payouts.ts';
import {
  type BatchFacts,
  decodeBody,
  decodeFacts,
  encodeBody,
  encodeFacts,
} from '../payouts/payout-codec.ts';
import type { ChainDraft } from '../proof/event-chain.ts';
import { numberOf, type Sql } from '../storage/sql-statements.ts';
import { decodeApproval, decodeNote } from './note-codec.ts';

/** The chain of the ledger itself, beside those of its batches. */
export const LEDGER_CHAIN = 0;
export const NOTE = 'note:';
/** Notes by which a payment was paid after all, as a list in SQL; `payout` in their body names it. */
/** Of an incident's note `j` about the payout `p`, as `cameBackAfter` of the domain says it. */
export const CAME_BACK_AFTER = `(p.status = 'returned'
  AND CAST(json_extract(p.state, '$.returnedAt') AS INTEGER) > j.at)`;
export const PAID_AFTER_ALL = `('${NOTE}incident','${NOTE}late_acceptance_not_applied')`;
/** States of payments that somebody agreed to, as a list in SQL. */
export const AGREED = "('approved','sending','in_doubt','accepted','settled','failed','returned')";
const SHOWN = "state IN ('importing','open')";

const BATCH_ID = /^[1-9]\d{0,14}$/;

/** By what people call it. */
interface Named {
  readonly id: string;
  readonly name: string;
}

interface BatchChange {
  readonly id: number;
  readonly at: number;
  readonly kind: string;
  readonly set: Partial<BatchFacts>;
  readonly more?: Readonly<Record<string, unknown>>;
}

export class Batches {
  readonly #sql: Sql;
  readonly #chain: ChainDraft;

  constructor(sql: Sql, chain: ChainDraft) {
    this.#sql = sql;
    this.#chain = chain;
  }

  /** The number behind a batch id. A text that is no id of this ledger is a bug above. */
  numberOf(id: BatchId): number {
    if (!BATCH_ID.test(id)) throw new RangeError(`“${id}” is not a batch id`);
    return Number(id);
  }

  facts(id: number): BatchFacts {
    const row = this.#sql('SELECT facts FROM batches WHERE id = ?').get(id);
    if (row === undefined) throw new RangeError(`The ledger has no batch ${id}`);
    return decodeFacts(String(row.facts));
  }

  /** Inside a commit. */
  create(facts: BatchFacts, more: Readonly<Record<string, unknown>>): number {
    const insert = this.#sql('INSERT INTO batches(id, state, name, digest, facts) VALUES (?,?,?,?,?)');
    const text = encodeFacts(facts);
    const id = this.#freeId();
    insert.run(id, facts.state, facts.name, facts.digest ?? null, text);
    const body = encodeBody({ set: JSON.parse(text), ...more });
    this.#chain.add(id, { payout: null, at: facts.createdAt, kind: 'import_begun', body });
    return id;
  }

  /** Never used before, and not the name of a batch: a person who types it would mean either. */
  #freeId(): number {
    const last = this.#sql("SELECT seq FROM sqlite_sequence WHERE name = 'batches'").get()?.seq;
    let id = numberOf(last ?? 0) + 1;
    while (this.isNameTaken(String(id))) id += 1;
    return id;
  }

  /** Inside a commit. */
  change({ id, at, kind, set, more }: BatchChange): void {
    const facts = { ...this.facts(id), ...set };
    const text = encodeFacts(facts);
    this.#sql('UPDATE batches SET state = ?, name = ?, digest = ?, facts = ? WHERE id = ?').run(
      facts.state,
      facts.name,
      facts.digest ?? null,
      text,
      id,
    );
    const whole = JSON.parse(text) as Record<string, unknown>;
    const changed = Object.fromEntries(Object.keys(set).map((key) => [key, whole[key] ?? null]));
    this.#chain.add(id, { payout: null, at, kind, body: encodeBody({ set: changed, ...more }) });
  }

  batch(id: BatchId): Batch | undefined {
    const row = this.#sql("SELECT id, facts FROM batches WHERE id = ? AND state <> 'dropped'").get(
      Number(id) || 0,
    );
    return row === undefined ? undefined : this.#batchOf(row);
  }

  all(): Batch[] {
    const rows = this.#sql(`SELECT id, facts FROM batches WHERE ${SHOWN} ORDER BY id DESC`).all();
    return rows.map((row) => this.#batchOf(row));
  }

  /** Also one of whose file these bytes were, before a newer file took their place. Newest first. */
  ofBytes(sha256: string): Batch[] {
    const found = this.#sql(
      `SELECT DISTINCT batch FROM journal INDEXED BY journal_batch
       WHERE payout IS NULL AND kind IN ('sealed','revised')
       AND coalesce(json_extract(body, '$.set.file.corrected.receivedSha256'), json_extract(body, '$.set.file.sha256')) = ?
       ORDER BY batch DESC`,
    ).all(sha256);
    const mayPay = this.#sql(
      `SELECT 1 FROM payouts WHERE batch = ? AND position IS NOT NULL
       AND (status NOT IN ('canceled','invalid') OR attempts > 0 OR root <> id) LIMIT 1`,
    );
    return found
      .map(({ batch }) => numberOf(batch))
      .filter((id) => mayPay.get(id) !== undefined)
      .flatMap((id) => this.batch(asBatchId(String(id))) ?? []);
  }

  /** One that is called so, or so that a person takes it for the same name. */
  like(name: string): Batch | undefined {
    const rows = this.#sql("SELECT id, name FROM batches WHERE state = 'open'").all();
    const alike = rows.filter((row) => likeName(String(row.name)) === likeName(name));
    const found = alike.find((row) => row.name === name) ?? alike[0];
    return found && this.batch(asBatchId(String(found.id)));
  }

  named(name: string): Batch | undefined {
    const row = this.#sql("SELECT id, facts FROM batches WHERE name = ? AND state = 'open'").get(name);
    return row === undefined ? undefined : this.#batchOf(row);
  }

  /** Newest first, before one of them; without those that are being read. */
  page({ after, limit }: BatchesQuestion): BatchesFound {
    const [open, before] = [
      "FROM batches WHERE state = 'open'",
      Number(after ?? 0) || Number.MAX_SAFE_INTEGER,
    ];
    const rows = this.#sql(`SELECT id, facts ${open} AND id < ? ORDER BY id DESC LIMIT ?`).all(
      before,
      limit + 1,
    );
    const batches = rows.slice(0, limit).map((row) => this.#batchOf(row));
    const count = numberOf(this.#sql(`SELECT count(*) AS n ${open}`).get()?.n);
    return { batches, next: rows.length > limit ? batches.at(-1)?.id : undefined, count };
  }

  find(typed: string): FoundBatch {
    const text = typed.normalize('NFC');
    // What is still being read is no batch yet, and nothing can be done with it.
    const open = this.#sql("SELECT id, name FROM batches WHERE state = 'open' ORDER BY id DESC").all();
    const batches = open.map(({ id, name }): Named => ({ id: String(id), name: String(name) }));
    // Written so, nothing but the id is meant.
    const byId = batches.find(({ id }) => `id:${id}` === text);
    const batch = byId && this.batch(asBatchId(byId.id));
    if (batch !== undefined) return { kind: 'found', batch };
    const exact = batches.filter(({ id, name }) => id === text || name === text);
    // Never the beginning of an id: 17 may be a batch that a ledger which was set back has forgotten.
    const isLike = ({ name }: Named) => name.startsWith(text);
    const meant = exact.length > 0 ? exact : batches.filter(isLike);
    const candidates = text === '' ? [] : meant.flatMap(({ id }) => this.batch(asBatchId(id)) ?? []);
    const [first] = candidates;
    if (first === undefined) return { kind: 'none' };
    return candidates.length === 1 ? { kind: 'found', batch: first } : { kind: 'ambiguous', candidates };
  }

  /** Asked inside the commit that would take it: of two processes that bring the same name, one comes second. */
  isNameTaken(name: string): boolean {
    return this.#sql("SELECT 1 FROM batches WHERE name = ? AND state = 'open'").get(name) !== undefined;
  }

  /** The same of the ids of other batches, also of those that are being read. */
  isIdOfAnother(name: string, id: number): boolean {
    if (!BATCH_ID.test(name) || Number(name) === id) return false;
    return this.#sql(`SELECT 1 FROM batches WHERE id = ? AND ${SHOWN}`).get(Number(name)) !== undefined;
  }

  nameOf(id: number): string {
    return String(this.#sql('SELECT name FROM batches WHERE id = ?').get(id)?.name);
  }

  /** Inside a commit. */
  note(id: number, kind: NoteKind, body: string, at: number): void {
    if (this.#sql('SELECT 1 FROM batches WHERE id = ?').get(id) === undefined) {
      throw new RangeError(`The ledger has no batch ${id}`);
    }
    this.#chain.add(id, { payout: null, at, kind: NOTE + kind, body });
  }

  notes<Kind extends NoteKind>(id: number, kind: Kind): Note<Kind>[] {
    return this.#entries(id, NOTE + kind).map((row) => noteOf(row, kind));
  }

  notesOfAll<Kind extends NoteKind>(kind: Kind): Note<Kind>[] {
    // By its index alone: the journal has an entry for each thing that happened to each payout.
    const sql = 'SELECT * FROM journal INDEXED BY journal_batch WHERE payout IS NULL AND kind = ?';
    return this.#sql(sql)
      .all(NOTE + kind)
      .map((row) => noteOf(row, kind));
  }

  revisions(id: number): BroughtRevision[] {
    return this.#entries(id, 'revised')
      .map(entryOf)
      .map(({ at, body }) => ({
        at,
        by: String(body['by']),
        importId: asBatchId(String(body['import'])),
      }));
  }

  approvals(id: number | undefined): KeptApproval[] {
    const all = "SELECT * FROM journal WHERE payout IS NULL AND kind = 'approved'";
    const rows =
      id === undefined
        ? this.#sql(`${all} ORDER BY seq`).all()
        : this.#sql(`${all} AND batch = ? ORDER BY seq`).all(id);
    return rows.map(({ seq, batch, at, body }) => ({
      seq: numberOf(seq),
      batchId: asBatchId(String(batch)),
      at: timestampOf(numberOf(at)),
      ...decodeApproval(String(body)),
    }));
  }

  #entries(id: number, kind: string) {
    return this.#sql(
      'SELECT * FROM journal WHERE batch = ? AND payout IS NULL AND kind = ? ORDER BY seq',
    ).all(id, kind);
  }

  #batchOf(row: Record<string, unknown>): Batch {
    const { state, range: _range, merging, ...facts } = decodeFacts(String(row.facts));
    const id = numberOf(row.id);
    const isBound = facts.isBound || this.#hasAgreed(id);
    const halfRead = merging === undefined ? undefined : this.facts(this.numberOf(merging)).file;
    return {
      ...facts,
      id: asBatchId(String(id)),
      isImporting: state === 'importing',
      isBound,
      halfRead,
    };
  }

  /** Payouts may be approved before the approval of the batch is written down. */
  #hasAgreed(id: number): boolean {
    const statement = this.#sql(
      `SELECT 1 FROM payouts WHERE batch = ? AND status IN ${AGREED} AND position IS NOT NULL LIMIT 1`,
    );
    return statement.get(id) !== undefined;
  }
}

export function entryOf(row: Record<string, unknown>): JournalEntry {
  const { v: _version, ...body } = JSON.parse(String(row.body)) as Record<string, unknown>;
  return {
    seq: numberOf(row.seq),
    batchId: asBatchId(String(row.batch)),
    payoutId: row.payout === null ? undefined : (String(row.payout) as JournalEntry['payoutId']),
    at: numberOf(row.at) as JournalEntry['at'],
    kind: String(row.kind).startsWith(NOTE) ? String(row.kind).slice(NOTE.length) : String(row.kind),
    body,
  };
}

function noteOf<Kind extends NoteKind>(row: Record<string, unknown>, kind: Kind): Note<Kind> {
  const { seq, at, body } = row;
  return {
    seq: numberOf(seq),
    at: timestampOf(numberOf(at)),
    body: decodeNote(kind, String(body)),
  };
}

export function noteBody(body: Readonly<Record<string, unknown>>): string {
  const text = encodeBody(body);
  decodeBody(text);
  return text;
}

/**
 * Rows of all batches whose outcome is not known, by batch. One look into the index of statuses for each batch: it
 * costs nothing where there is nothing to find, however many rows a batch has.
 */

const IN = 'FROM payouts p WHERE p.batch = b.id AND p.position IS NOT NULL AND p.status';
const DOUBTS = `
  SELECT b.id, b.name,
    (SELECT count(*) ${IN} = 'in_doubt') AS in_doubt,
    (SELECT count(*) ${IN} = 'sending') AS sending,
    (SELECT p.row_number ${IN} = 'in_doubt' ORDER BY p.position LIMIT 1) AS first_row
  FROM batches b WHERE b.state = 'open' ORDER BY b.id DESC`;

/** Newest batch first. `isWorkedOn` tells whether a living process has the batch now. */
export function doubtsIn(sql: Sql, isWorkedOn: (batch: number) => boolean): readonly OpenDoubts[] {
  const found = sql(DOUBTS).all();
  return found.flatMap((row): OpenDoubts[] => {
    const id = numberOf(row.id);
    const [inDoubt, sending] = [numberOf(row.in_doubt), numberOf(row.sending)];
    const leftInFlight = sending === 0 || isWorkedOn(id) ? 0 : sending;
    if (inDoubt === 0 && leftInFlight === 0) return [];
    const name = String(row.name);
    const firstRow = row.first_row === null ? undefined : numberOf(row.first_row);
    return [{ batchId: asBatchId(String(id)), name, inDoubt, leftInFlight, firstRow }];
  });
}
