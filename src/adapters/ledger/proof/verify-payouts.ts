/**
 * Verifying payouts: the journal of each is replayed through the payout machine, and what is stored must be
 * what comes out, column by column. So every payout is in the state that its events lead to.
 */
import type { Payout, Status } from '../../../domain/payouts/payout.ts';
import { EVENT_KINDS, type EventKind } from '../../../domain/payouts/payout-event.ts';
import { advance } from '../../../domain/payouts/payout-machine.ts';
import { derivedOf, dueCheck } from '../payouts/moves.ts';
import { decodeEvent, decodeState, PLANNED, stateText } from '../payouts/payout-codec.ts';
import { type PayoutRow, payoutOf, type Routes } from '../payouts/stored-payout.ts';
import type { StoredRow } from '../storage/database.ts';
import type { Sql } from '../storage/sql-statements.ts';

const PAGE_ROWS = 500;
const KINDS: ReadonlySet<string> = new Set(EVENT_KINDS);

interface Line {
  readonly batch: number;
  readonly payout: number;
  readonly at: number;
  readonly kind: string;
  readonly body: string;
}

interface Replayed {
  payout: Payout;
  batch: number;
  position: number | null;
  rowNumber: number;
  cells: string | undefined;
  tag: string | null;
}

type Found = (problem: string) => void;

export async function verifyPayouts(
  { sql, routes, yieldToEvents }: { sql: Sql; routes: Routes; yieldToEvents: () => Promise<void> },
  batch: number | undefined,
  found: Found,
): Promise<void> {
  const where = batch === undefined ? '' : 'AND batch = ?';
  const page = sql(`SELECT * FROM payouts WHERE id > ? ${where} ORDER BY id LIMIT ${PAGE_ROWS}`);
  let id = 0;
  let count = 0;
  for (;;) {
    const rows = page.all(...(batch === undefined ? [id] : [id, batch]));
    if (rows.length === 0) break;
    const journalOf = journalsOf(sql, rows);
    for (const row of rows) {
      id = Number(row.id);
      // In plain code, so that a row damaged beyond reading is a problem of that row alone.
      try {
        checkPayout(row, journalOf(row).map(lineOf), { found, routes });
      } catch (error) {
        found(`payout ${id}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    count += rows.length;
    await yieldToEvents();
  }
  checkCount(sql, { batch, count }, found);
}

/** Of a page of rows at once: on a server each question takes its time. The first event of each, then the rest in order. */
function journalsOf(sql: Sql, rows: readonly StoredRow[]): (row: StoredRow) => (StoredRow | undefined)[] {
  const ids = (column: 'id' | 'born') => `[${rows.map((row) => row[column]).join(',')}]`;
  const born = sql('SELECT * FROM journal WHERE seq IN (SELECT value FROM json_each(?))').all(ids('born'));
  const later = sql(
    `SELECT * FROM journal INDEXED BY journal_payout WHERE payout IN (SELECT value FROM json_each(?))
     AND payout IS NOT NULL AND kind <> 'imported' ORDER BY payout, seq`,
  ).all(ids('id'));
  const [firstBySeq, restById] = [
    new Map(born.map((line) => [line.seq, line])),
    Map.groupBy(later, ({ payout }) => payout),
  ];
  return (row) => [
    firstBySeq.get(row.born ?? null),
    ...(restById.get(row.id ?? null) ?? []).filter(({ seq }) => seq !== row.born),
  ];
}

/** Every imported row that was not dropped with its import is still there. */
function checkCount(
  sql: Sql,
  { batch, count }: { batch: number | undefined; count: number },
  found: Found,
): void {
  if (batch !== undefined) return;
  const born = sql(
    `SELECT count(*) AS n FROM journal j WHERE kind IN ('imported','replacement')
     AND (batch NOT IN (SELECT id FROM batches WHERE state = 'dropped') OR EXISTS (SELECT 1 FROM payouts p WHERE p.id = j.payout))`,
  ).get()?.n;
  if (Number(born) !== count) found(`${count} payouts are stored, the journal knows ${born}`);
}

function lineOf(row: Record<string, unknown> | undefined): Line {
  if (row === undefined) throw new RangeError('its first event is missing');
  return {
    batch: Number(row.batch),
    payout: Number(row.payout),
    at: Number(row.at),
    kind: String(row.kind),
    body: String(row.body),
  };
}

function checkPayout(
  row: Record<string, unknown>,
  lines: readonly Line[],
  { found, routes }: { found: Found; routes: Routes },
): void {
  const id = Number(row.id);
  const wrong = (what: string) =>
    found(`payout ${id} (row ${row.row_number}): ${what} is not what its journal says`);
  const replayed = replay(row, lines, routes);
  const { payout, batch, position, rowNumber, cells, tag } = replayed;
  const [, transferId, memoryAt, lives, isIncident, quotedAt, otherId] = derivedOf(payout);
  const root = plain(row.root);
  const status = row.status as Status;
  if (status !== payout.state.status) wrong('status');
  else if (normal(status, String(row.state)) !== normal(status, stateText(payout.state))) wrong('state');
  const expected: Record<string, unknown> = {
    version: payout.version,
    attempts: payout.attempts,
    batch,
    position,
    row_number: rowNumber,
    tag,
    transfer_id: transferId ?? null,
    memory_at: memoryAt ?? null,
    living_root: lives === 1 ? root : null,
    incident_root: isIncident === 1 ? root : null,
    quoted_at: quotedAt ?? null,
    other_id: otherId ?? null,
    ...(cells === undefined ? {} : { cells }),
  };
  for (const [column, value] of Object.entries(expected)) {
    // A file that is only read may be of a format without the column.
    if ((plain(row[column]) ?? null) !== (value ?? null)) wrong(column.replaceAll('_', ' '));
  }
  const dueAt = row.due_at === null ? undefined : Number(row.due_at);
  if (Number(row.due_check) !== dueCheck(id, dueAt, row.look === null ? null : String(row.look)))
    wrong('schedule');
}

/** In the codec's own key order, whoever wrote it. */
function normal(status: Status, stored: string): string {
  return stored === PLANNED ? stored : stateText(decodeState(status, stored));
}

function plain(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

function replay(row: Record<string, unknown>, [first, ...rest]: readonly Line[], routes: Routes): Replayed {
  const replayed = bornOf(row, first, routes);
  for (const line of rest) {
    if (KINDS.has(line.kind)) {
      replayed.payout = advance(replayed.payout, decodeEvent(line.kind as EventKind, line.at, line.body));
      if ('tag' in replayed.payout.state) replayed.tag = replayed.payout.state.tag;
    } else applyPlace(replayed, line);
  }
  return replayed;
}

function bornOf(row: Record<string, unknown>, line: Line | undefined, routes: Routes): Replayed {
  if (line === undefined || line.payout !== Number(row.id))
    throw new RangeError('its first event is another payout’s');
  if (line.kind !== 'imported' && line.kind !== 'replacement')
    throw new RangeError('it does not begin with its row');
  const body = JSON.parse(line.body) as { row: number; position: number; status?: string; state?: unknown };
  const status = body.status ?? 'planned';
  const state = body.state === undefined ? PLANNED : JSON.stringify(body.state);
  const start = { ...row, status, state, version: 0n, attempts: 0n } as unknown as PayoutRow;
  return {
    payout: payoutOf(start, routes),
    batch: line.batch,
    position: body.position,
    rowNumber: body.row,
    cells: undefined,
    tag: null,
  };
}

/** Events about the file: the row's place and text. */
function applyPlace(replayed: Replayed, { kind, batch, body }: Line): void {
  const { row, position, after } = JSON.parse(body) as { row?: number; position?: number; after?: unknown };
  if (kind === 'left_out' || kind === 'replaced') {
    replayed.position = null;
    return;
  }
  if (!['kept', 'rewritten', 'joined', 'put_back'].includes(kind))
    throw new RangeError(`its journal has an unknown event “${kind}”`);
  replayed.batch = batch;
  replayed.position = position ?? null;
  replayed.rowNumber = row ?? replayed.rowNumber;
  if (after !== undefined) replayed.cells = JSON.stringify(after);
}
