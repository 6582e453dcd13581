/**
 * Batches: their facts as one stored text, changed only together with an event in the batch's journal.
 */

import type { Batch } from '../../../domain/batches/batch.ts';
import { DECISION_KINDS, type DecisionEntry, type DecisionKind } from '../../../domain/batches/decisions.ts';
import { asBatchId, type BatchId, type Digest } from '../../../domain/payouts/instruction.ts';
import { printable } from '../../../domain/text/printable.ts';
import { timestampOf } from '../../../domain/timestamp.ts';
import type { BroughtRevision, FoundBatch, OpenDoubts } from '../../../ports/ledger/batches.ts';
import type { Note, NoteKind } from '../../../ports/ledger/notes.ts';
import type { JournalEntry } from '../../../ports/ledger/payouts.ts';
import type { DecisionsFound } from '../../../ports/ledger/reports.ts';
import {
  type BatchFacts,
  decodeBody,
  decodeFacts,
  encodeBody,
  encodeFacts,
} from '../payouts/payout-codec.ts';
import { type ChainDraft, NO_HEAD } from '../proof/event-chain.ts';
import { numberOf, type Sql, yieldToEvents } from '../storage/sql-statements.ts';
import { decodeNote } from './note-codec.ts';

/** The chain of the ledger itself, beside those of its batches. */
export const LEDGER_CHAIN = 0;
export const NOTE = 'note:';
/** Notes by which a payment was paid after all, as a list in SQL; `payout` in their body names it. */
export const PAID_AFTER_ALL = `('${NOTE}incident','${NOTE}late_acceptance_not_applied')`;
const BEYOND = "('approved','sending','in_doubt','accepted','settled','failed','returned')";
const SHOWN = "state IN ('importing','open')";

const BATCH_ID = /^[1-9]\d{0,14}$/;

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
    insert.run(id, facts.state, facts.name ?? null, facts.digest ?? null, text);
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
      facts.name ?? null,
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

  byDigest(digest: Digest): Batch[] {
    const sql = this.#sql(
      "SELECT id, facts FROM batches WHERE digest = ? AND state = 'open' ORDER BY id DESC",
    );
    return sql.all(digest).map((row) => this.#batchOf(row));
  }

  find(text: string): FoundBatch {
    // What is still being read is no batch yet, and nothing can be done with it.
    const batches = this.all().filter(({ isImporting }) => !isImporting);
    // Written so, nothing but the id is meant.
    const byId = batches.find(({ id }) => `id:${id}` === text);
    if (byId !== undefined) return { kind: 'found', batch: byId };
    // An id and a name of another batch may be equal: then both are candidates, and nothing is guessed.
    const exact = batches.filter(
      ({ id, name = id }) => id === text || name === text || printable(name) === text,
    );
    // Never the beginning of an id: 17 may be a batch that a ledger which was set back has forgotten.
    const meant = exact.length > 0 ? exact : batches.filter(({ name }) => name?.startsWith(text));
    const [first] = meant;
    if (first === undefined || text === '') return { kind: 'none' };
    return meant.length === 1 ? { kind: 'found', batch: first } : { kind: 'ambiguous', candidates: meant };
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

  nameOf(id: number): string | undefined {
    const name = this.#sql('SELECT name FROM batches WHERE id = ?').get(id)?.name;
    return typeof name === 'string' ? name : undefined;
  }

  /** Inside a commit. */
  note(id: number, kind: NoteKind, body: string, at: number): void {
    if (this.#sql('SELECT 1 FROM batches WHERE id = ?').get(id) === undefined) {
      throw new RangeError(`The ledger has no batch ${id}`);
    }
    this.#chain.add(id, { payout: null, at, kind: NOTE + kind, body });
  }

  notes<Kind extends NoteKind>(id: number, kind: Kind): Note<Kind>[] {
    return this.#entries(id, NOTE + kind).map(({ seq, at, body }) => ({
      seq: numberOf(seq),
      at: timestampOf(numberOf(at)),
      body: decodeNote(kind, String(body)),
    }));
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
    const batch = {
      ...facts,
      id: asBatchId(String(id)),
      isImporting: state === 'importing',
      isBound,
      halfRead,
    };
    return this.#isCalledLikeAnother(batch) ? { ...batch, isCalledLikeAnother: true } : batch;
  }

  #isCalledLikeAnother({ id, name }: Pick<Batch, 'id' | 'name'>): boolean {
    if (name === undefined) return this.isNameTaken(id);
    return this.isIdOfAnother(name.replace(/^id:/, ''), Number(id));
  }

  /** Payouts may be approved before the approval of the batch is written down. */
  #hasAgreed(id: number): boolean {
    const statement = this.#sql(
      `SELECT 1 FROM payouts WHERE batch = ? AND status IN ${BEYOND} AND position IS NOT NULL LIMIT 1`,
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

export function noteBody(body: Readonly<Record<string, unknown>>): string {
  const text = encodeBody(body);
  decodeBody(text);
  return text;
}

/**
 * What people decided about one batch, from its journal, oldest first. The journal holds all batches and every
 * poll, so it is walked in slices that let everything else have its turn.
 */

const SLICE = 50_000;
const KINDS = DECISION_KINDS.flatMap((kind) => [`'${kind}'`, `'note:${kind}'`]).join(',');

export async function decisionsIn(sql: Sql, batch: number, limit: number): Promise<DecisionsFound> {
  const span = sql('SELECT min(first) AS first, max(last) AS last FROM commits WHERE batch = ?').get(batch);
  const head = sql('SELECT head FROM commits WHERE batch = ? ORDER BY seq DESC LIMIT 1').get(batch)?.head;
  const slice = sql(
    `SELECT seq, batch, payout, at, kind, body, (SELECT row_number FROM payouts WHERE id =
       coalesce(j.payout, CAST(json_extract(j.body, '$.payout') AS INTEGER))) AS row_number
     FROM journal j WHERE seq >= ? AND seq <= ? AND batch = ? AND kind IN (${KINDS}) ORDER BY seq`,
  );
  const entries: DecisionEntry[] = [];
  let more = 0;
  const last = numberOf(span?.last ?? 0);
  for (let from = numberOf(span?.first ?? 1); from <= last; from += SLICE) {
    for (const row of slice.all(from, Math.min(last, from + SLICE - 1), batch)) {
      if (entries.length < limit) entries.push(decisionEntry(row));
      else more += 1;
    }
    await yieldToEvents();
  }
  return { entries, more, head: typeof head === 'string' ? head : NO_HEAD };
}

function decisionEntry(row: Record<string, unknown>): DecisionEntry {
  const { at, kind, body } = entryOf(row);
  const rowNumber = row['row_number'] === null ? undefined : numberOf(row['row_number']);
  // The statement asks for these kinds alone.
  return { at, kind: kind as DecisionKind, rowNumber, body };
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
    const name = typeof row.name === 'string' ? row.name : undefined;
    const firstRow = row.first_row === null ? undefined : numberOf(row.first_row);
    return [{ batchId: asBatchId(String(id)), name, inDoubt, leftInFlight, firstRow }];
  });
}
