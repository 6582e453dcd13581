/**
 * Batches: their facts as one stored text, changed only together with an entry in the batch's journal; finding them, and
 * notes and approvals in their journals.
 */
import { type Batch, likeName } from '../domain/batches/batch.ts';
import { asBatchId } from '../domain/payouts/instruction.ts';
import { timestampOf } from '../domain/timestamp.ts';
import type { BatchesFound, BatchesQuestion, BatchLedger, FoundBatch } from '../ports/ledger/batches.ts';
import type { Note, NoteKind } from '../ports/ledger/notes.ts';
import type { Commit } from './chain.ts';
import {
  type BatchFacts,
  decodeApproval,
  decodeFacts,
  decodeNote,
  encodeFacts,
  encodeNote,
} from './codec-batches.ts';
import { bodyOf, encodeBody } from './codec-json.ts';
import type { LedgerParts } from './parts.ts';
import { batchNumber, IN_FILE, payoutNumber } from './rows.ts';
import { AGREED, NOTE, nextIds } from './schema.ts';
import { by, jsonText, numberOf, type Query, q, type Row, type Sql, text } from './sql.ts';

type Own = Omit<BatchLedger, 'openDoubts' | 'resume' | 'resumeAll'>;

export function batchesOf({ read: sql, writer }: LedgerParts): Own {
  return {
    batches: () => batchesWhere(sql, q`b.state IN ('importing','open') ORDER BY b.id DESC`),
    batchPage: (question) => pageOf(sql, question),
    findBatch: (typed) => findBatch(sql, typed.normalize('NFC')),
    batchLike: (name) => batchLike(sql, name),
    batchNamed: async (name) => (await batchesWhere(sql, q`b.name = ${name} AND b.state = 'open'`))[0],
    batchesOfBytes: (sha256) => batchesWhere(sql, hadBytes(sha256)),
    batch: (id) => batchById(sql, payoutNumber(id)),
    pause: (id, pause) =>
      writer.write((commit) =>
        changeBatch(commit, { id: batchNumber(id), at: pause.at, kind: 'paused', set: { pause } }),
      ),
    recordApproval: (id, approval, passkey) =>
      writer.write((commit) =>
        changeBatch(commit, {
          ...{ id: batchNumber(id), at: approval.at, kind: 'approved', set: { approval, isBound: true } },
          ...(passkey && { more: { passkey } }),
        }),
      ),
    async approvals(id) {
      const ofBatch = id === undefined ? q`` : q`batch = ${batchNumber(id)} AND`;
      const rows = await sql.all(entriesWhere(q`${ofBatch} kind = 'approved'`));
      return rows.map((row) => ({ ...placeOf(row), batchId: idOf(row['batch']), ...decodeApproval(row) }));
    },
    async note(id, kind, body, at) {
      const [batch, stored] = [batchNumber(id), encodeNote(kind, body)];
      await writer.write(async ({ sql: own, add }) => {
        await factsText(own, batch);
        add({ batch, payout: null, at, ...stored });
      });
    },
    notes: async (id, kind) =>
      notesOf(kind, await sql.all(entriesWhere(q`batch = ${batchNumber(id)} AND kind = ${NOTE + kind}`))),
    notesOfAll: async (kind) => notesOf(kind, await sql.all(entriesWhere(q`kind = ${NOTE + kind}`))),
    async revisions(id) {
      const rows = await sql.all(entriesWhere(q`batch = ${batchNumber(id)} AND kind = 'revised'`));
      const bodies = rows.map((row) => ({ at: placeOf(row).at, body: bodyOf(row) }));
      return bodies.map(({ at, body }) => ({ at, by: String(body['by']), importId: idOf(body['import']) }));
    },
  };
}

const idOf = (id: unknown) => asBatchId(String(id));

export async function factsOf(sql: Sql, id: number): Promise<BatchFacts> {
  return decodeFacts(await factsText(sql, id));
}

async function factsText(sql: Sql, id: number): Promise<string> {
  const row = await sql.get(q`SELECT facts FROM batches WHERE id = ${id}`);
  if (row === undefined) throw new RangeError(`The ledger has no batch ${id}`);
  return String(row['facts']);
}

/** Inside a commit; its number. */
export async function createBatch(
  { sql, add }: Commit,
  facts: BatchFacts,
  more: Readonly<Record<string, unknown>>,
): Promise<number> {
  const stored = encodeFacts(facts);
  let id = 0;
  // Never the name of a batch: a person who types it would mean either.
  do id = await nextIds(sql, 'batches', 1);
  while (await isNameTaken(sql, String(id)));
  await sql.run(q`INSERT INTO batches(id, state, name, digest, facts)
    VALUES (${id}, ${facts.state}, ${facts.name}, ${facts.digest ?? null}, ${stored})`);
  const body = encodeBody('import_begun', { set: bodyOf({ body: stored }), ...more });
  add({ batch: id, payout: null, at: facts.createdAt, kind: 'import_begun', ...body });
  return id;
}

export interface BatchChange {
  readonly id: number;
  readonly at: number;
  readonly kind: string;
  readonly set: Partial<BatchFacts>;
  /** Stands in the entry beside what was set. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** Inside a commit. */
export async function changeBatch(
  { sql, add }: Commit,
  { id, at, kind, set, more }: BatchChange,
): Promise<void> {
  const facts = { ...(await factsOf(sql, id)), ...set };
  const stored = encodeFacts(facts);
  await sql.run(q`UPDATE batches SET state = ${facts.state}, name = ${facts.name}, digest = ${facts.digest ?? null},
    facts = ${stored} WHERE id = ${id}`);
  const whole = JSON.parse(stored) as Record<string, unknown>;
  const changed = Object.fromEntries(Object.keys(set).map((key) => [key, whole[key] ?? null]));
  add({ batch: id, payout: null, at, kind, ...encodeBody(kind, { set: changed, ...more }) });
}

export async function batchById(sql: Sql, id: number): Promise<Batch | undefined> {
  return (await batchesWhere(sql, q`b.id = ${id} AND b.state <> 'dropped'`))[0];
}

/** Payouts may be approved before the approval of the batch is written down. */
const HAS_AGREED = q`(SELECT 1 FROM payouts p WHERE p.batch = b.id AND p.${IN_FILE} AND p.status IN ${AGREED} LIMIT 1)`;

async function batchesWhere(sql: Sql, where: Query): Promise<readonly Batch[]> {
  const rows =
    await sql.all(q`SELECT b.id AS id, b.facts AS facts, ${HAS_AGREED} AS has_agreed, half.facts AS half
    FROM batches b LEFT JOIN batches half ON half.id = CAST(${jsonText('b.facts', 'merging')} AS bigint) WHERE ${where}`);
  return rows.map(batchOf);
}

function batchOf({ id, facts: stored, has_agreed: hasAgreed, half }: Row): Batch {
  const { state, range: _range, merging: _merging, ...facts } = decodeFacts(String(stored));
  return {
    ...facts,
    id: idOf(id),
    isImporting: state === 'importing',
    isBound: facts.isBound || hasAgreed !== null,
    halfRead: half === null || half === undefined ? undefined : decodeFacts(String(half)).file,
  };
}

/** Also one of whose file these bytes were, before a newer file took their place; of those that may pay something. */
const hadBytes = (sha256: string) => q`b.state <> 'dropped' AND b.id IN (
    SELECT batch FROM journal ${by('journal_batch')} WHERE payout IS NULL AND kind IN ('sealed','revised')
    AND coalesce(${jsonText('body', 'set', 'file', 'corrected', 'receivedSha256')}, ${jsonText('body', 'set', 'file', 'sha256')})
      = ${sha256})
  AND (SELECT 1 FROM payouts p WHERE p.batch = b.id AND p.${IN_FILE}
    AND (p.status NOT IN ('canceled','invalid') OR p.attempts > 0 OR p.root <> p.id) LIMIT 1) IS NOT NULL
  ORDER BY b.id DESC`;

/** Newest first, before one of them; without those that are being read. */
async function pageOf(sql: Sql, { after, limit }: BatchesQuestion): Promise<BatchesFound> {
  const before = after === undefined ? q`` : q`AND b.id < ${batchNumber(after)}`;
  const found = await batchesWhere(sql, q`b.state = 'open' ${before} ORDER BY b.id DESC LIMIT ${limit + 1}`);
  const batches = found.slice(0, limit);
  const all = await sql.get(q`SELECT count(*) AS n FROM batches WHERE state = 'open'`);
  return {
    batches,
    next: found.length > limit ? batches.at(-1)?.id : undefined,
    count: numberOf(all?.['n']),
  };
}

/** One that is called so, or so that a person takes it for the same name. */
async function batchLike(sql: Sql, name: string): Promise<Batch | undefined> {
  const folded = likeName(name);
  // Names of other letters than ASCII are compared below: no database folds them as we do.
  const rows =
    await sql.all(q`SELECT id, name FROM batches WHERE state = 'open' AND (octet_length(name) > length(name)
    OR replace(lower(name), ' ', '') = ${folded.replaceAll(' ', '')})`);
  const alike = rows.filter((row) => likeName(String(row['name'])) === folded).map(({ id }) => numberOf(id));
  const exact = rows.find((row) => row['name'] === name)?.['id'];
  return alike.length === 0 ? undefined : batchById(sql, numberOf(exact ?? Math.min(...alike)));
}

/** By what people call it; newest first. What is still being read is no batch yet, and nothing can be done with it. */
async function findBatch(sql: Sql, typed: string): Promise<FoundBatch> {
  if (typed === '' || typed.includes('\0')) return { kind: 'none' };
  // Written as id:17, nothing but the id is meant. Never the beginning of an id: 17 may be a batch that a ledger which was
  // set back has forgotten.
  const meant = [
    q`b.id = ${payoutNumber(/^id:(.+)$/.exec(typed)?.[1] ?? '')}`,
    q`b.id IN (${payoutNumber(typed)}, (SELECT id FROM batches WHERE name = ${typed} AND state = 'open'))`,
    q`substr(b.name, 1, length(${typed})) = ${typed}`,
  ];
  for (const where of meant) {
    const candidates = await batchesWhere(sql, q`b.state = 'open' AND ${where} ORDER BY b.id DESC`);
    const [batch] = candidates;
    if (batch === undefined) continue;
    return candidates.length === 1 ? { kind: 'found', batch } : { kind: 'ambiguous', candidates };
  }
  return { kind: 'none' };
}

/** Asked inside the commit that would take it: of two processes that bring the same name, one comes second. */
export async function isNameTaken(sql: Sql, name: string): Promise<boolean> {
  return (
    (await sql.get(q`SELECT 1 AS it FROM batches WHERE name = ${name} AND state = 'open'`)) !== undefined
  );
}

/** The same of the ids of other batches, also of those that are being read. */
export async function isIdOfAnother(sql: Sql, name: string, id: number): Promise<boolean> {
  const named = payoutNumber(name);
  if (named === 0 || named === id) return false;
  const other = q`SELECT 1 AS it FROM batches WHERE id = ${named} AND state IN ('importing','open')`;
  return (await sql.get(other)) !== undefined;
}

export async function nameOf(sql: Sql, id: number): Promise<string> {
  return String((await sql.get(q`SELECT name FROM batches WHERE id = ${id}`))?.['name']);
}

const ENTRY = text('seq, batch, at, kind, body, personal, seal');

/** Entries of batches, oldest first. By their index alone: the journal has an entry for each thing that happened to each payout. */
export const entriesWhere = (where: Query) =>
  q`SELECT ${ENTRY} FROM journal ${by('journal_batch')} WHERE payout IS NULL AND ${where} ORDER BY seq`;

const placeOf = ({ seq, at }: Row) => ({ seq: numberOf(seq), at: timestampOf(numberOf(at)) });

const notesOf = <Kind extends NoteKind>(kind: Kind, rows: readonly Row[]): readonly Note<Kind>[] =>
  rows.map((row) => ({ ...placeOf(row), body: decodeNote(kind, row) }));
