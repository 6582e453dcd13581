/**
 * Verifying payouts: the entries of each are replayed through the payout machine, and what is stored must be what comes out,
 * column by column. So every payout is in the state that its entries lead to.
 */
import type { Payout, Status } from '../domain/payouts/payout.ts';
import { advance, EVENT_KINDS } from '../domain/payouts/payout-machine.ts';
import type { TellChain } from '../ports/ledger/ledger.ts';
import { decodeEvent, decodeLook, ENTRY_COLUMNS, inOrder, PLANNED, stateText } from './codec.ts';
import { bodyOf } from './codec-json.ts';
import { Routes } from './routes.ts';
import { COLUMNS, derivedOf, dueCheck, payoutOf } from './rows.ts';
import { LATER } from './schema.ts';
import { ids, numberOf, q, type Row, type Sql, text } from './sql.ts';

const PAGE_ROWS = 500;
const KINDS: ReadonlySet<unknown> = new Set(EVENT_KINDS);
/** Entries about the file: the row's place and text. */
const PLACED: ReadonlySet<unknown> = new Set(['kept', 'rewritten', 'joined', 'put_back']);
/** Without the keys, which the chain proves. */
export const STORED = q`${COLUMNS}, position, cells, root, born, tag, transfer_id, other_id, memory_at, remembered, ended_at,
  living_root, incident_root, quoted_at, beside, due_at, concern, due_check`;
const ENTRY = q`seq, batch, payout, ${text(ENTRY_COLUMNS)}`;
const OUT: ReadonlySet<unknown> = new Set(['left_out', 'replaced']);

/** Told each problem in words. */
export type Found = (problem: string) => void;

export interface Walk {
  readonly sql: Sql;
  /** undefined: the whole ledger. */
  readonly batch: number | undefined;
  readonly found: Found;
  readonly tell: TellChain | undefined;
  /** Lets everything else have its turn. */
  readonly turn: () => Promise<void>;
}

interface Replayed {
  payout: Payout;
  batch: number;
  position: number | null;
  rowNumber: number;
  cells: string | undefined;
  tag: string | null;
}

export async function verifyPayouts(walk: Walk): Promise<void> {
  const { sql, batch, found, turn } = walk;
  const ofBatch = batch === undefined ? q`` : q`AND batch = ${batch}`;
  const routes = new Routes();
  let [id, count] = [0, 0];
  for (;;) {
    const rows = await sql.all(
      q`SELECT ${STORED} FROM payouts WHERE id > ${id} ${ofBatch} ORDER BY id LIMIT ${PAGE_ROWS}`,
    );
    await routes.load(sql, rows);
    const entriesOf = await entriesIn(sql, rows);
    for (const row of rows) {
      id = numberOf(row['id']);
      // A row that is damaged beyond reading is a problem of that row alone.
      try {
        for (const what of differencesIn(row, entriesOf(row), routes))
          found(`payout ${id} (row ${row['row_number']}): ${what} is not what its journal says`);
      } catch (error) {
        found(`payout ${id}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    count += rows.length;
    if (rows.length < PAGE_ROWS) break;
    await turn();
  }
  if (batch === undefined) await checkCount(walk, count);
}

/** Of a page of rows at once: on a server each question takes its time. The first entry of each, then the rest in order. */
export async function entriesIn(
  sql: Sql,
  rows: readonly Row[],
): Promise<(row: Row) => readonly (Row | undefined)[]> {
  const all = (column: 'id' | 'born') => ids(rows.map((row) => numberOf(row[column])));
  const born = await sql.all(q`SELECT ${ENTRY} FROM journal WHERE seq IN ${all('born')}`);
  const later = await sql.all(
    q`SELECT ${ENTRY} FROM journal WHERE payout IN ${all('id')} AND ${LATER} ORDER BY payout, seq`,
  );
  const bySeq = new Map(born.map((entry) => [entry['seq'], entry]));
  const byPayout = Map.groupBy(later, ({ payout }) => payout);
  return ({ id, born: first }) => [
    bySeq.get(first),
    ...(byPayout.get(id) ?? []).filter(({ seq }) => seq !== first),
  ];
}

/** Every row that was not dropped with its import is still there. */
async function checkCount({ sql, found }: Walk, count: number): Promise<void> {
  const born = await sql.get(
    q`SELECT count(*) AS n FROM journal j WHERE payout IS NOT NULL AND kind IN ('imported','replacement')
      AND (batch NOT IN (SELECT id FROM batches WHERE state = 'dropped') OR payout IN (SELECT id FROM payouts))`,
  );
  if (numberOf(born?.['n']) !== count) found(`${count} payouts are stored, the journal knows ${born?.['n']}`);
}

/** What is not as its entries say. */
export function differencesIn(
  row: Row,
  entries: readonly (Row | undefined)[],
  routes: Routes,
): readonly string[] {
  const id = numberOf(row['id']);
  const { payout, batch, position, rowNumber, cells, tag } = replay(row, entries, routes);
  const { lives, isIncident, tag: _tag, ...derived } = derivedOf(payout);
  const expected: Readonly<Record<string, unknown>> = {
    ...{ status: payout.state.status, version: payout.version, attempts: payout.attempts },
    ...{ batch, position, row_number: rowNumber, tag, ...derived },
    living_root: lives ? Number(row['root']) : null,
    incident_root: isIncident ? Number(row['root']) : null,
    ...(cells === undefined ? {} : { cells }),
  };
  const wrong = Object.keys(expected).filter((column) => plain(row[column]) !== (expected[column] ?? null));
  const status = row['status'] as Status;
  const [stored, said] = [String(row['state']), stateText(payout.state)];
  const isSame = stored === said || inOrder(status, stored) === inOrder(status, said);
  if (status === payout.state.status && !isSame) wrong.push('state');
  const dueAt = row['due_at'] === null ? null : Number(row['due_at']);
  const look = row['look'] === null ? null : String(row['look']);
  const concern = look === null || status !== 'accepted' ? undefined : decodeLook(look).concern;
  const isAsLooked = (row['concern'] === null) === (concern === undefined);
  if (!isAsLooked || Number(row['due_check']) !== dueCheck(id, dueAt, look)) wrong.push('schedule');
  return wrong.map((column) => column.replaceAll('_', ' '));
}

const plain = (value: unknown) => (typeof value === 'bigint' ? Number(value) : value);

export function replay(row: Row, [first, ...rest]: readonly (Row | undefined)[], routes: Routes): Replayed {
  const replayed = bornOf(row, first, routes);
  for (const entry of rest) {
    if (entry === undefined) continue;
    if (!KINDS.has(entry['kind'])) {
      place(replayed, entry);
      continue;
    }
    replayed.payout = advance(replayed.payout, decodeEvent(entry));
    if ('tag' in replayed.payout.state) replayed.tag = replayed.payout.state.tag;
  }
  return replayed;
}

function bornOf(row: Row, entry: Row | undefined, routes: Routes): Replayed {
  if (entry === undefined) throw new RangeError('its first event is missing');
  if (entry['payout'] !== row['id']) throw new RangeError('its first event is another payout’s');
  if (entry['kind'] !== 'imported' && entry['kind'] !== 'replacement')
    throw new RangeError('it does not begin with its row');
  const { row: rowNumber, position, status = 'planned', state } = bodyOf(entry);
  const text = state === undefined ? PLANNED : JSON.stringify(state);
  const start = { status: String(status), state: text, version: 0, attempts: 0, look: null };
  return {
    payout: payoutOf(row, routes, start),
    batch: numberOf(entry['batch']),
    ...{ position: Number(position), rowNumber: Number(rowNumber), cells: undefined, tag: null },
  };
}

function place(replayed: Replayed, entry: Row): void {
  const { row, position, after } = bodyOf(entry);
  if (OUT.has(entry['kind'])) {
    replayed.position = null;
    return;
  }
  if (!PLACED.has(entry['kind'])) throw new RangeError(`its journal has an unknown event “${entry['kind']}”`);
  replayed.batch = numberOf(entry['batch']);
  replayed.position = typeof position === 'number' ? position : null;
  replayed.rowNumber = typeof row === 'number' ? row : replayed.rowNumber;
  if (after !== undefined) replayed.cells = JSON.stringify(after);
}
