/**
 * Families: all payments of a row, in any batch. They are found by way of what replaces something: there is little of it, and
 * it has an index. A finished payment that was not made is paid again by a new one that takes its place in the file.
 * At most one of a family lives: the unique index on `living_root` refuses a second one, whoever asks. What failed first and
 * was paid after all has `incident_root` instead, and nothing of its family may go out any more.
 */
import type { FamilyMember } from '../domain/payouts/family.ts';
import { asBatchId, asPayoutId, type BatchId } from '../domain/payouts/instruction.ts';
import type { Status } from '../domain/payouts/payout.ts';
import { timestampOf } from '../domain/timestamp.ts';
import { NotReplaceable } from '../ports/ledger/moves.ts';
import type { PayoutLedger } from '../ports/ledger/payouts.ts';
import type { ReportLedger } from '../ports/ledger/reports.ts';
import { factsOf } from './batches.ts';
import type { Commit } from './chain.ts';
import { ENTRY_COLUMNS, PLANNED } from './codec.ts';
import { bodyOf, encodeBody } from './codec-json.ts';
import { pauseUncompared } from './comparison.ts';
import type { LedgerParts } from './parts.ts';
import { payoutById } from './payouts.ts';
import {
  batchNumber,
  beginRow,
  COLUMNS,
  CONTENT,
  CURRENCY,
  IN_FILE,
  NEW_ROWS,
  payoutNumber,
  payoutsOf,
} from './rows.ts';
import { LATER, nextIds, PAID_AFTER_ALL } from './schema.ts';
import {
  by,
  jsonText,
  numberOf,
  optionalNumber,
  type Query,
  q,
  type Row,
  type Sql,
  text,
  thenJoin,
} from './sql.ts';

const REPLACEABLE: readonly string[] = ['failed', 'returned', 'canceled'];

type Own = Pick<
  PayoutLedger,
  'family' | 'waitingReplacements' | 'replacementsOf' | 'addReplacement' | 'putBack'
> &
  Pick<ReportLedger, 'familiesAcross'>;

export function familiesOf(parts: LedgerParts): Own {
  const { read: sql, writer, routes } = parts;
  const all = async (query: Query) => payoutsOf(await sql.all(query), sql, routes);
  return {
    family: async (id) =>
      (await sql.all(membersOf(q`SELECT root FROM payouts WHERE id = ${payoutNumber(id)}`))).map(memberOf),
    familiesAcross: async (id) => across(await sql.all(membersOf(ACROSS)), id),
    waitingReplacements: (id) =>
      all(q`SELECT ${COLUMNS} FROM payouts ${by('payouts_replaces')} WHERE replaces IS NOT NULL
        AND batch = ${batchNumber(id)} AND status = 'quoted' AND ${IN_FILE} ORDER BY position`),
    replacementsOf: (id) => all(q`SELECT ${COLUMNS} FROM payouts WHERE replaces = ${id} ORDER BY id`),
    async addReplacement(id, who, at) {
      const fresh = await writer.write((commit) => replace(commit, { old: payoutNumber(id), by: who, at }));
      const payout = await payoutById(sql, fresh, routes);
      if (payout === undefined) throw new RangeError(`Payout ${fresh} was just written and is not there`);
      return payout;
    },
    putBack: (id, at) => writer.write((commit) => putBack(commit, payoutNumber(id), at)),
  };
}

/** Down from the first payments; without the copies of files that are being read, or were read as a newer file. */
const membersOf = (roots: Query) => q`WITH RECURSIVE roots(root) AS (${roots}),
  family(root, id) AS (SELECT root, root FROM roots
    UNION SELECT f.root, n.id FROM family f JOIN payouts n ON n.replaces = CAST(f.id AS text))
SELECT f.root AS family, p.id AS id, p.batch AS batch, b.name AS name, p.row_number AS row_number, p.status AS status,
  p.memory_at AS memory_at, p.position AS position, p.incident_root IS NOT NULL OR ${isStillPaidAfterAll('p')} AS incident, ${isPaidAfterAll('p')} AS noted
FROM family f ${thenJoin} payouts p ON p.id = f.id ${thenJoin} batches b ON b.id = p.batch AND b.state = 'open'
ORDER BY f.root, p.id`;
const ACROSS = q`SELECT DISTINCT n.root FROM payouts n ${by('payouts_replaces')}
  JOIN payouts o ON o.id = CAST(n.replaces AS bigint) WHERE n.replaces IS NOT NULL AND o.batch <> n.batch`;

/** With payments in several batches; of one batch, those that have one in it. */
function across(rows: readonly Row[], id: BatchId | undefined): readonly (readonly FamilyMember[])[] {
  const families = Map.groupBy(rows, ({ family }) => family);
  const all = [...families.values()].map((members) => members.map(memberOf));
  return id === undefined ? all : all.filter((family) => family.some(({ batchId }) => batchId === id));
}

function memberOf(row: Row): FamilyMember {
  return {
    payoutId: asPayoutId(String(row['id'])),
    batchId: asBatchId(String(row['batch'])),
    batchName: String(row['name']),
    rowNumber: numberOf(row['row_number']),
    status: row['status'] as Status,
    at: timestampOf(optionalNumber(row['memory_at']) ?? 0),
    isCurrent: row['position'] !== null,
    isIncident: Number(row['incident']) === 1,
    wasIncident: Number(row['noted']) === 1 && Number(row['incident']) !== 1,
  };
}

/** Its own batch, then those of the payments that it pays again, without rows that their files have no more. */
export async function paidAgainBy(sql: Sql, id: number): Promise<readonly number[]> {
  const rows = await sql.all(q`WITH RECURSIVE up(id, batch, earlier, position, is_own) AS (
      SELECT id, batch, replaces, position, 1 FROM payouts WHERE id = ${id}
      UNION SELECT p.id, p.batch, p.replaces, p.position, 0 FROM up JOIN payouts p ON p.id = CAST(up.earlier AS bigint))
    SELECT DISTINCT batch, is_own FROM up WHERE is_own = 1 OR ${IN_FILE} ORDER BY is_own DESC, batch`);
  return rows.map(({ batch }) => numberOf(batch));
}

interface Replacing {
  readonly old: number;
  readonly by: string;
  readonly at: number;
}

async function replace(commit: Commit, { old, by: who, at }: Replacing): Promise<number> {
  const { sql } = commit;
  const row = await sql.get(
    q`SELECT batch, position, row_number, status, seal, ${CONTENT}, ${CURRENCY} FROM payouts WHERE id = ${old}`,
  );
  const { batch, position, rowNumber } = await placeOf(sql, old, row);
  const id = await nextIds(sql, 'payouts', 1);
  // A release belongs to one payment: what the file's row is held for is asked about again.
  const begins = await readAs(sql, old);
  const hold = begins.status === 'held' ? { status: 'held', state: JSON.parse(begins.state) as unknown } : {};
  commit.add({ batch, payout: old, at, kind: 'replaced', ...encodeBody('replaced', { by: String(id) }) });
  const body = { row: rowNumber, position, replaces: String(old), by: who, ...hold };
  const fresh = beginRow(
    commit,
    { ...row, ...begins, id, replaces: String(old) },
    { at, kind: 'replacement', ...encodeBody('replacement', body) },
  );
  await sql.run(q`UPDATE payouts SET position = NULL WHERE id = ${old}`);
  await sql.add(NEW_ROWS, [fresh]);
  await pauseUncompared(commit, batch, at);
  return id;
}

/** Where a payment stands that may be paid again. Errors: NotReplaceable. */
async function placeOf(sql: Sql, old: number, row: Row | undefined) {
  if (row === undefined) throw new NotReplaceable(`The ledger has no payout ${old}`);
  const { position, route, status } = row;
  if (position === null || route === null || !REPLACEABLE.includes(String(status))) {
    const why =
      position === null ? 'was replaced before or is not in the current file' : `is ${String(status)}`;
    throw new NotReplaceable(`Payout ${old} ${why}; only a finished payment that was not made is paid again`);
  }
  if (row['seal'] !== null) throw new NotReplaceable(`Payout ${old}: its name and account were erased`);
  if ((await relativeOf(sql, old)) !== undefined)
    throw new NotReplaceable(`Payout ${old}: another payment of its row lives or was made`);
  const batch = numberOf(row['batch']);
  // A revision has paired the rows as they were: a new one would be in neither file.
  if ((await factsOf(sql, batch)).merging !== undefined)
    throw new NotReplaceable(`Payout ${old} cannot be paid again before its file is read to the end`);
  return { batch, position: numberOf(position), rowNumber: numberOf(row['row_number']) };
}

/**
 * The state in which the current file starts this row: held if the file hides the row. Releases of the payout do not
 * count.
 */
export async function readAs(
  sql: Sql,
  payout: number,
): Promise<{ readonly status: 'planned' | 'held'; readonly state: string }> {
  const entry = await sql.get(q`SELECT ${text(ENTRY_COLUMNS)} FROM journal WHERE seq = (SELECT max(seq) FROM (
      SELECT born AS seq FROM payouts WHERE id = ${payout} UNION ALL
      SELECT seq FROM journal WHERE payout = ${payout} AND ${LATER} AND kind IN ('kept','rewritten')) e)`);
  const body = entry && bodyOf(entry);
  return body?.['status'] === 'held'
    ? { status: 'held', state: JSON.stringify(body['state']) }
    : { status: 'planned', state: PLANNED };
}

/** The payment in the row's place now, if it was withdrawn or refused. Follows all replacements of the payment in its batch. */
const unpaidInPlace = (id: number) => q`WITH RECURSIVE line(id, batch) AS (
    SELECT id, batch FROM payouts WHERE id = ${id} AND position IS NULL
    UNION SELECT n.id, n.batch FROM line JOIN payouts n ON n.replaces = CAST(line.id AS text) AND n.batch = line.batch)
  SELECT p.id AS id, p.batch AS batch, p.position AS position, p.row_number AS row_number, p.cells AS cells
  FROM line ${thenJoin} payouts p ON p.id = line.id WHERE p.position IS NOT NULL
    AND (p.status = 'canceled' OR (p.status = 'failed' AND ${jsonText('p.state', 'basis')} = 'refused'))`;

async function putBack({ sql, add }: Commit, id: number, at: number): Promise<void> {
  const unpaid = await sql.get(unpaidInPlace(id));
  if (unpaid === undefined) return;
  const [batch, other] = [numberOf(unpaid['batch']), numberOf(unpaid['id'])];
  // A newer file that is being read has paired its rows with the old places.
  if ((await factsOf(sql, batch)).merging !== undefined) return;
  const [row, position] = [numberOf(unpaid['row_number']), numberOf(unpaid['position'])];
  const cells = String(unpaid['cells']);
  await sql.run(q`UPDATE payouts SET position = NULL WHERE id = ${other}`);
  add({ batch, payout: other, at, kind: 'replaced', ...encodeBody('replaced', { by: String(id) }) });
  await sql.run(
    q`UPDATE payouts SET position = ${position}, row_number = ${row}, cells = ${cells} WHERE id = ${id}`,
  );
  const body = { row, position, after: JSON.parse(cells) as unknown };
  add({ batch, payout: id, at, kind: 'put_back', ...encodeBody('put_back', body) });
}

/** It was noted that it was paid although it was called unpaid. */
export const isPaidAfterAll = (row: string, more = q``) =>
  q`EXISTS (SELECT 1 FROM journal j WHERE j.batch = ${text(row)}.batch AND j.payout IS NULL AND j.kind IN ${PAID_AFTER_ALL}
    AND ${jsonText('j.body', 'payout')} = CAST(${text(row)}.id AS text) ${more})`;
/** The same, and it did not come back after the note, as `cameBackAfter` of the domain says it. */
export const isStillPaidAfterAll = (row: string) =>
  isPaidAfterAll(row, q`AND NOT (${text(row)}.status = 'returned' AND ${text(row)}.ended_at > j.at)`);

/** Up to the first instruction, down to all that replaced it: nothing to do for the many rows that replace none. */
const noted = (id: number) => q`WITH RECURSIVE
  up(id, earlier) AS (SELECT id, replaces FROM payouts WHERE id = ${id} AND replaces IS NOT NULL
    UNION SELECT p.id, p.replaces FROM up JOIN payouts p ON p.id = CAST(up.earlier AS bigint)),
  family(id) AS (SELECT id FROM up
    UNION SELECT n.id FROM family JOIN payouts n ON n.replaces = CAST(family.id AS text))
SELECT p.id AS id FROM family ${thenJoin} payouts p ON p.id = family.id
WHERE p.id <> ${id} AND ${isStillPaidAfterAll('p')} LIMIT 1`;

/** A payment of the same family that failed first and was paid after all, by its own state or by what was noted of it. */
export async function incidentRelative(sql: Sql, id: number): Promise<number | undefined> {
  const own = await sql.get(q`SELECT id FROM payouts
    WHERE incident_root = (SELECT root FROM payouts WHERE id = ${id}) AND id <> ${id}`);
  return optionalNumber((own ?? (await sql.get(noted(id))))?.['id']);
}

/** The other member of the payout's family that lives. */
export async function livingRelative(sql: Sql, id: number): Promise<number | undefined> {
  const row = await sql.get(q`SELECT id FROM payouts
    WHERE living_root = (SELECT root FROM payouts WHERE id = ${id}) AND id <> ${id}`);
  return optionalNumber(row?.['id']);
}

/** What keeps the payout from going out, or undefined. */
export async function relativeOf(sql: Sql, id: number): Promise<number | undefined> {
  return (await incidentRelative(sql, id)) ?? livingRelative(sql, id);
}
