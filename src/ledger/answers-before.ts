/**
 * What the service said and did before, so that it is not asked again: the names of accounts, and how long its payments took.
 */
import { asCountryId, asInstitutionId } from '../domain/rows/directory.ts';
import { type Timestamp, timestampOf } from '../domain/timestamp.ts';
import type { FinishTimes, NameBefore, PaymentMemory } from '../ports/ledger/payment-memory.ts';
import type { LedgerParts } from './parts.ts';
import { batchNumber, IN_FILE } from './rows.ts';
import { type Fragment, ids, jsonText, numberOf, q, type Sql } from './sql.ts';

export function answersBefore({
  read: sql,
}: LedgerParts): Pick<PaymentMemory, 'namesBefore' | 'finishTimes'> {
  return {
    namesBefore: (id, since) => namesBefore(sql, batchNumber(id), since),
    finishTimes: (id, among) => finishTimes(sql, batchNumber(id), among),
  };
}

/** So that a large batch does not fill the memory; other accounts are asked for. */
const NAMES_MAX = 100_000;

/** Of the accounts of planned rows. Only batches that were read since then are looked through: no name is older than its batch. */
async function namesBefore(sql: Sql, batch: number, since: Timestamp): Promise<readonly NameBefore[]> {
  const checkedAt = q`CAST(${jsonText('p.state', 'pricing', 'nameCheckedAt')} AS bigint)`;
  const rows =
    await sql.all(q`SELECT r.institution_id AS institution, p.account AS account, ${checkedAt} AS at,
      ${jsonText('p.state', 'pricing', 'nameCheck', 'resolved')} AS name
    FROM payouts p JOIN routes r ON r.id = p.route
    WHERE p.batch IN (SELECT id FROM batches WHERE CAST(${jsonText('facts', 'createdAt')} AS bigint) >= ${since})
      AND p.${IN_FILE} AND p.status NOT IN ('invalid','planned','canceled') AND ${checkedAt} >= ${since}
      AND p.account IN (SELECT account FROM payouts WHERE batch = ${batch} AND ${IN_FILE} AND status = 'planned')
    ORDER BY at DESC LIMIT ${NAMES_MAX}`);
  return rows.map(({ institution, account, at, name }) => ({
    institutionId: asInstitutionId(String(institution)),
    account: String(account),
    name: (name as string | null) ?? undefined,
    at: timestampOf(numberOf(at)),
  }));
}

const BATCHES_MAX = 10;
const TIMES_MAX = 500;

async function finishTimes(
  sql: Sql,
  batch: number,
  { rowsMin, msMax }: Parameters<PaymentMemory['finishTimes']>[1],
): Promise<readonly FinishTimes[]> {
  const large = await sql.all(q`SELECT r.source_id AS source, r.destination_id AS destination
    FROM payouts p JOIN routes r ON r.id = p.route WHERE p.batch = ${batch} AND p.${IN_FILE} AND p.status = 'approved'
    GROUP BY r.source_id, r.destination_id HAVING count(*) >= ${rowsMin}`);
  const found: FinishTimes[] = [];
  for (const row of large) {
    const [source, destination] = [String(row['source']), String(row['destination'])];
    const routes = await sql.all(
      q`SELECT id FROM routes WHERE source_id = ${source} AND destination_id = ${destination}`,
    );
    const batches = await timesBefore(sql, batch, {
      routes: ids(routes.map(({ id }) => numberOf(id))),
      msMax,
    });
    found.push({ sourceId: asCountryId(source), destinationId: asCountryId(destination), batches });
  }
  return found;
}

interface Timed {
  readonly routes: Fragment;
  readonly msMax: number;
}

/** Of the last rows of each file: they waited least for the others. */
async function timesBefore(sql: Sql, batch: number, { routes, msMax }: Timed): Promise<readonly number[][]> {
  const earlier = await sql.all(
    q`SELECT id FROM batches WHERE state = 'open' AND id <> ${batch} ORDER BY id DESC LIMIT ${BATCHES_MAX}`,
  );
  const took = q`p.ended_at - CAST(${jsonText('p.state', 'sentAt')} AS bigint)`;
  const batches: number[][] = [];
  for (const { id } of earlier) {
    const times =
      await sql.all(q`SELECT ${took} AS ms FROM payouts p WHERE p.batch = ${numberOf(id)} AND p.status = 'settled'
      AND p.${IN_FILE} AND p.route IN ${routes} AND ${took} <= ${msMax} ORDER BY p.position DESC LIMIT ${TIMES_MAX}`);
    batches.push(times.map(({ ms }) => numberOf(ms)));
  }
  return batches;
}
