/**
 * Moves: one payout's change of state with its event, compare-and-set on its version. The database itself
 * refuses a second living payment of one family and a transfer id that another payout holds: a look-up before would not
 * see what another process writes. The outcome is then in doubt, and the batch pauses.
 */
import { crc32 } from 'node:zlib';
import { openReasons } from '../../../domain/payouts/concern.ts';
import { asPayoutId, type BatchId, type PayoutId } from '../../../domain/payouts/instruction.ts';
import { lateIfSentBy, lateLook } from '../../../domain/payouts/last-look.ts';
import { type Approval, objection } from '../../../domain/payouts/objection.ts';
import { leafOf } from '../../../domain/payouts/order.ts';
import type { HoldReason } from '../../../domain/payouts/payout.ts';
import {
  isIn,
  isShownAsPaid,
  type LastLook,
  LIVE,
  type Payout,
  type PayoutState,
} from '../../../domain/payouts/payout.ts';
import type { EventOf } from '../../../domain/payouts/payout-event.ts';
import { advance } from '../../../domain/payouts/payout-machine.ts';
import { countsAsRepeat, repeatReasons } from '../../../domain/payouts/repeat.ts';
import type { Timestamp } from '../../../domain/timestamp.ts';
import { type Move, type MoveRules, NotReplaceable, type Recorded } from '../../../ports/ledger/moves.ts';
import type { Batches } from '../batches/batches.ts';
import { nextPayoutId, readAs } from '../batches/imports.ts';
import { insertRows, type NewRow } from '../batches/insert-rows.ts';
import type { ChainDraft } from '../proof/event-chain.ts';
import { OTHER_KINDS } from '../reports/plan-moves.ts';
import type { WriteQueue } from '../storage/group-commit.ts';
import { numberOf, refusedUnique, type Sql, type Unique } from '../storage/sql-statements.ts';
import { pauseUncompared } from '../trust/known-head.ts';
import { encodeLook } from './look-codec.ts';
import { incidentRelative, livingRelative, type PaymentMemory, relativeOf } from './payment-memory.ts';
import { decodeEvent, encodeEvent, encodeState } from './payout-codec.ts';
import type { Payouts } from './payouts.ts';
import { CONTENT_COLUMNS, payoutNumber, type RowContent, rowKeys, rowText } from './stored-payout.ts';

const COLUMNS = `status = ?, version = version + 1, attempts = ?, state = ?, tag = coalesce(?, tag), transfer_id = ?,
  memory_at = ?, living_root = CASE WHEN ? = 1 THEN root END, incident_root = CASE WHEN ? = 1 THEN root END,
  quoted_at = ?, other_id = ?`;
const WHERE = 'WHERE id = ? AND version = ? AND batch = ?';
const UPDATE = `UPDATE payouts SET ${COLUMNS} ${WHERE}`;
const UPDATE_DUE = `UPDATE payouts SET ${COLUMNS}, due_at = ?, look = ?, due_check = ? ${WHERE}`;
const REPLACEABLE: readonly string[] = ['failed', 'returned', 'canceled'];

interface Asked<Kind extends 'approve' | 'begin_attempt'> {
  /** As the commit finds it. */
  readonly payout: Payout;
  readonly event: EventOf<Kind>;
  readonly rules: MoveRules;
}

interface MovesParts {
  readonly sql: Sql;
  readonly chain: ChainDraft;
  readonly queue: WriteQueue;
  readonly memory: PaymentMemory;
  readonly batches: Batches;
  readonly payouts: Payouts;
  /** False when this process held the batch and lost it: it may begin nothing more. */
  readonly mayBegin: (batch: number, payout: number) => boolean;
}

export class Moves {
  readonly #parts: MovesParts;

  constructor(parts: MovesParts) {
    this.#parts = parts;
  }

  record(move: Move): Promise<Recorded> {
    const { before, after, event, rules } = move;
    if (after.id !== before.id || after.version !== before.version + 1) {
      throw new TypeError(`Payout ${before.id}: “after” is not what follows “before”`);
    }
    if (payoutNumber(before.id) === undefined) throw new RangeError(`“${before.id}” is not a payout id`);
    if ((event.kind === 'approve' || event.kind === 'begin_attempt') && rules === undefined)
      throw new TypeError(`Payout ${before.id}: “${event.kind}” comes without the rules that it is asked by`);
    return this.#parts.queue.write(() => this.#record(move), { isOneStatement: true });
  }

  #record(asked: Move): Recorded {
    const { sql, chain } = this.#parts;
    const id = payoutNumber(asked.before.id) ?? 0;
    const batch = Number(asked.before.batchId);
    const refused = this.#refusal(asked, id, batch);
    if (refused !== undefined) return refused;
    const read = this.#asRead(asked, id);
    if ('kind' in read) return read;
    const { after, event } = read;
    const changed = applyChange(sql, changeOf(read));
    if (typeof changed === 'string') return this.#taken(changed, after.state, id);
    if (changed === 0) return { kind: 'stale' };
    chain.add(batch, { payout: id, at: event.at, kind: event.kind, body: encodeEvent(event) });
    return { kind: 'recorded', payout: after };
  }

  async schedule(payoutId: PayoutId, dueAt: number, look: LastLook): Promise<void> {
    const id = payoutNumber(payoutId) ?? 0;
    const statement = this.#parts.sql('UPDATE payouts SET due_at = ?, look = ?, due_check = ? WHERE id = ?');
    const stored = encodeLook(look);
    const work = () => statement.run(dueAt, stored, dueCheck(id, dueAt, stored), id);
    await this.#parts.queue.write(work, { isOneStatement: true });
  }

  async markLate(batchId: BatchId, at: Timestamp): Promise<void> {
    for await (const page of this.#parts.payouts.unmarked(batchId, lateIfSentBy(at))) {
      const late = page.flatMap((payout) => {
        const look = lateLook(payout, at);
        return look === undefined ? [] : [{ payout, look }];
      });
      if (late.length > 0)
        await this.#parts.queue.write(() => {
          for (const { payout, look } of late) this.#mark(payout, look);
        });
    }
  }

  /** Unless it moved or was looked at meanwhile. */
  #mark({ id, version, look: before }: Payout, after: LastLook): void {
    const { sql } = this.#parts;
    const number = payoutNumber(id) ?? 0;
    const row = sql("SELECT due_at FROM payouts WHERE id = ? AND version = ? AND coalesce(look, '') = ?");
    const found = row.get(number, version, before === undefined ? '' : encodeLook(before));
    if (found === undefined) return;
    const dueAt = found.due_at === null ? undefined : numberOf(found.due_at);
    const look = encodeLook(after);
    const check = dueCheck(number, dueAt, look);
    sql('UPDATE payouts SET look = ?, due_check = ? WHERE id = ?').run(look, check, number);
  }

  async addReplacement(payoutId: PayoutId, by: string, at: number): Promise<Payout> {
    const id = await this.#parts.queue.write(() => this.#replace(payoutId, by, at));
    const payout = this.#parts.payouts.byId(asPayoutId(String(id)));
    if (payout === undefined) throw new RangeError(`Payout ${id} was just written and is not there`);
    return payout;
  }

  putBack(payoutId: PayoutId, at: number): Promise<void> {
    return this.#parts.queue.write(() => this.#putBack(payoutNumber(payoutId) ?? 0, at));
  }

  #refusal({ event, unchangedSince }: Move, id: number, batch: number): Recorded | undefined {
    const { sql, memory, mayBegin } = this.#parts;
    if (event.kind === 'recover' && !mayBegin(batch, id)) return { kind: 'stale' };
    if (event.kind === 'begin_attempt' || event.kind === 'approve') {
      if (!mayBegin(batch, id)) return { kind: 'stale' };
      const other = incidentRelative(sql, id);
      if (other !== undefined) return { kind: 'taken', what: 'root', by: memory.pointer(other) };
    }
    return unchangedSince !== undefined && hasMovedSince(sql, id, unchangedSince)
      ? { kind: 'stale' }
      : undefined;
  }

  /** What is agreed to and what is sent is what the ledger has, and not what somebody read before. */
  #asRead(move: Move, id: number): Move | Recorded {
    const { before, event, rules, dueAt, look } = move;
    if ((event.kind !== 'approve' && event.kind !== 'begin_attempt') || rules === undefined) return move;
    const payout = this.#parts.payouts.byId(before.id);
    if (payout === undefined || payout.version !== before.version || payout.batchId !== before.batchId)
      return { kind: 'stale' };
    const refused =
      event.kind === 'approve'
        ? this.#approval({ payout, event, rules }, id)
        : this.#intent({ payout, event, rules }, id);
    if (refused !== undefined) return refused;
    return {
      before: payout,
      event,
      after: advance(payout, event),
      ...(dueAt === undefined ? {} : { dueAt }),
      ...(look === undefined ? {} : { look }),
    };
  }

  #approval({ payout, event, rules }: Asked<'approve'>, id: number): Recorded | undefined {
    if (!isIn(payout, 'quoted') || leafOf(payout, rules.narration) !== event.leaf) return { kind: 'stale' };
    const reasons = openReasons(this.#repeats(id, rules), payout.state.releases);
    return reasons.length === 0 ? undefined : { kind: 'objection', objection: { kind: 'concerns', reasons } };
  }

  #repeats(id: number, { repeatWindow }: MoveRules): readonly HoldReason[] {
    const found = this.#parts.memory.repeatsOf(id);
    return repeatReasons(found.filter((repeat) => countsAsRepeat(repeat, repeatWindow)));
  }

  #intent({ payout, event, rules }: Asked<'begin_attempt'>, id: number): Recorded | undefined {
    if (!isIn(payout, 'approved')) return { kind: 'stale' };
    const approval = lastApproval(this.#parts.sql, id);
    if (rules.sending === undefined) throw new TypeError('An intent is compared with its approval');
    const { live, policy } = rules.sending;
    const repeats = this.#repeats(id, rules);
    const why = objection(approval, { payout, live, repeats, at: event.at }, policy, rules.narration);
    return why === undefined ? undefined : { kind: 'objection', objection: why };
  }

  #taken(what: Unique, state: PayoutState, id: number): Recorded {
    const { sql, memory } = this.#parts;
    const found = {
      root: () => livingRelative(sql, id),
      transfer_id: () => namesOf(state).flatMap((name) => holderOf(sql, name, id) ?? [])[0],
      tag: () => idOf(sql, 'tag', 'tag' in state ? state.tag : ''),
    }[what]();
    return { kind: 'taken', what, by: found === undefined ? undefined : memory.pointer(found) };
  }

  #replace(payoutId: PayoutId, by: string, at: number): number {
    const { sql, chain, batches } = this.#parts;
    const old = payoutNumber(payoutId) ?? 0;
    const row = sql(
      `SELECT batch, position, row_number, status, ${CONTENT_COLUMNS} FROM payouts WHERE id = ?`,
    ).get(old);
    if (row === undefined) throw new NotReplaceable(`The ledger has no payout ${payoutId}`);
    const status = String(row.status);
    if (row.position === null || row.route === null || !REPLACEABLE.includes(status)) {
      const why =
        row.position === null ? 'was replaced before or is not in the current file' : `is ${status}`;
      throw new NotReplaceable(
        `Payout ${payoutId} ${why}; only a finished payment that was not made is paid again`,
      );
    }
    if (relativeOf(sql, old) !== undefined)
      throw new NotReplaceable(`Payout ${payoutId}: another payment of its row lives or was made`);
    const batch = numberOf(row.batch);
    // A revision has paired the rows as they were: a new one would be in neither file.
    if (batches.facts(batch).merging !== undefined)
      throw new NotReplaceable(`Payout ${payoutId} cannot be paid again before its file is read to the end`);
    const id = nextPayoutId(sql);
    const [position, rowNumber] = [numberOf(row.position), numberOf(row.row_number)];
    const content = { ...(row as unknown as RowContent), id, replaces: String(old) };
    // A release belongs to one payment: what the file's row is held for is asked about again.
    const { status: begins, state } = readAs(sql, old);
    const hold = begins === 'held' ? { status: begins, state: JSON.parse(state) as unknown } : {};
    const body = { v: 1, row: rowNumber, position, replaces: String(old), by, ...hold };
    chain.add(batch, { payout: old, at, kind: 'replaced', body: JSON.stringify({ v: 1, by: String(id) }) });
    const born = chain.add(batch, { payout: id, at, kind: 'replacement', body: JSON.stringify(body) });
    sql('UPDATE payouts SET position = NULL WHERE id = ?').run(old);
    const fresh: NewRow = { content, batch, position, rowNumber, status: begins, state, born };
    insertRows(sql, [fresh]);
    chain.addRow(batch, rowText(content), rowKeys(content));
    pauseUncompared({ sql, batches }, batch, at);
    return id;
  }

  #putBack(id: number, at: number): void {
    const { sql, chain, batches } = this.#parts;
    const unpaid = sql(UNPAID_IN_PLACE).get(id);
    if (unpaid === undefined) return;
    const [batch, other] = [numberOf(unpaid.batch), numberOf(unpaid.id)];
    // A newer file that is being read has paired its rows with the old places.
    if (batches.facts(batch).merging !== undefined) return;
    const [row, position, cells] = [unpaid.row_number, unpaid.position, String(unpaid.cells)];
    sql('UPDATE payouts SET position = NULL WHERE id = ?').run(other);
    chain.add(batch, { payout: other, at, kind: 'replaced', body: `{"v":1,"by":"${id}"}` });
    const place = sql('UPDATE payouts SET position = ?, row_number = ?, cells = ? WHERE id = ?');
    place.run(position ?? null, row ?? null, cells, id);
    const body = `{"v":1,"row":${row},"position":${position},"after":${cells}}`;
    chain.add(batch, { payout: id, at, kind: 'put_back', body });
  }
}

/** The payment in the row's place now, if it was withdrawn or refused. Follows all replacements of payment ?1 in its batch. */
const UNPAID_IN_PLACE = `WITH RECURSIVE line(id, batch) AS (SELECT id, batch FROM payouts WHERE id = ?1 AND position IS NULL
    UNION SELECT n.id, n.batch FROM line JOIN payouts n ON n.replaces = CAST(line.id AS TEXT) AND n.batch = line.batch)
  SELECT p.id, p.batch, p.position, p.row_number, p.cells FROM line CROSS JOIN payouts p ON p.id = line.id
  WHERE p.position IS NOT NULL AND (p.status = 'canceled' OR json_extract(p.state, '$.basis') = 'refused')`;

/** Entries after which an approval still holds: nothing was executed, or nothing came of it. */
const STILL_APPROVED: readonly string[] = ['begin_attempt', 'not_sent', 'turn_away'];

/** undefined: the journal does not say that the payout is approved, whatever its row says. */
function lastApproval(sql: Sql, id: number): Approval | undefined {
  const entries = sql(
    `SELECT kind, at, body FROM journal WHERE payout = ? AND payout IS NOT NULL AND kind <> 'imported'
     AND kind NOT IN ${OTHER_KINDS} ORDER BY seq DESC`,
  ).all(id);
  for (const [index, { kind, at, body }] of entries.entries()) {
    if (kind === 'approve') {
      const event = decodeEvent('approve', numberOf(at), String(body));
      return event.kind === 'approve' ? { leaf: event.leaf, at: event.at } : undefined;
    }
    const isOver = !STILL_APPROVED.includes(String(kind)) || (index === 0 && kind === 'begin_attempt');
    if (isOver) return undefined;
  }
  return undefined;
}

type Due = number | undefined | 'as_it_was';

interface Change {
  readonly id: number;
  readonly values: readonly (string | number | null)[];
  readonly due: Due;
  /** Stored together with `due`. */
  readonly look: string | null;
  readonly where: readonly number[];
  /** Ids of the transfer that the payout did not have before. */
  readonly names: readonly string[];
}

/** Inside a commit: 1 when the payout moved, 0 when somebody moved it first, or what the database defended. */
export function applyMove(sql: Sql, move: Move): number | Unique {
  return applyChange(sql, changeOf(move));
}

export function changeOf(move: Move): Change {
  const { before, after } = move;
  const id = payoutNumber(before.id) ?? 0;
  const values = [after.state.status, after.attempts, encodeState(after.state), ...derivedOf(after)];
  const known = namesOf(before.state);
  const names = namesOf(after.state).filter((name) => !known.includes(name));
  const look = move.look === undefined ? null : encodeLook(move.look);
  return { id, values, due: dueOf(move), look, where: [id, before.version, Number(before.batchId)], names };
}

function namesOf(state: PayoutState): readonly string[] {
  if (!('transferId' in state)) return [];
  return [state.transferId, state.otherId].filter((name) => name !== undefined);
}

/** Who has the transfer, by whichever of its names. */
function holderOf(sql: Sql, name: string, except: number): number | undefined {
  for (const column of ['transfer_id', 'other_id'] as const) {
    const holder = idOf(sql, column, name);
    if (holder !== undefined && holder !== except) return holder;
  }
  return undefined;
}

function applyChange(sql: Sql, { id, values, due, look, where, names }: Change): number | Unique {
  if (names.some((name) => holderOf(sql, name, id) !== undefined)) return 'transfer_id';
  try {
    const result =
      due === 'as_it_was'
        ? sql(UPDATE).run(...values, ...where)
        : sql(UPDATE_DUE).run(...values, due ?? null, look, dueCheck(id, due, look), ...where);
    return Number(result.changes);
  } catch (error) {
    const unique = refusedUnique(error);
    if (unique === undefined) throw error;
    return unique;
  }
}

function dueOf({ before, after, dueAt }: Move): Due {
  if (dueAt !== undefined) return dueAt;
  return before.state.status === after.state.status ? 'as_it_was' : undefined;
}

/** Schedule and last look are no part of the chain; this notices when a stored one was damaged. */
export function dueCheck(id: number, dueAt: number | undefined, look: string | null): number {
  return dueAt === undefined && look === null ? 0 : crc32(`${id} ${dueAt ?? ''} ${look ?? ''}`);
}

/** Columns that repeat parts of the state for the indexes: tag, transfer id, memory, whether it lives or is an incident, age of its quote. */
export function derivedOf(payout: Pick<Payout, 'state' | 'attempts'>): (string | number | null)[] {
  const { state } = payout;
  const quote = 'pricing' in state ? state.pricing?.quote : undefined;
  const memoryAt = memoryAtOf(payout);
  // What turned out paid after a failure must always be recordable, even while a replacement lives.
  const isIncident = state.status === 'settled' && state.incident;
  return [
    'tag' in state ? state.tag : null,
    'transferId' in state ? (state.transferId ?? null) : null,
    memoryAt,
    LIVE.includes(state.status) && !isIncident ? 1 : 0,
    isIncident ? 1 : 0,
    quote?.quotedAt ?? null,
    'otherId' in state ? (state.otherId ?? null) : null,
  ];
}

/** Whether it moved, or came into the batch. Its place and cells in a newer file are no part of what is agreed to. */
function hasMovedSince(sql: Sql, id: number, seq: number): boolean {
  const moved = sql(
    `SELECT 1 FROM journal WHERE payout = ? AND payout IS NOT NULL AND kind <> 'imported'
     AND kind NOT IN ('kept','rewritten') AND seq > ? LIMIT 1`,
  );
  return moved.get(id, seq) !== undefined;
}

function idOf(sql: Sql, column: 'transfer_id' | 'other_id' | 'tag', value: string): number | undefined {
  const row = sql(`SELECT id FROM payouts WHERE ${column} = ?`).get(value);
  return row === undefined ? undefined : numberOf(row.id);
}

/**
 * When the payment is remembered to have happened: approved at first, later sent. 0 where it lives no more, or not yet, and
 * went out once or is shown as paid: the memory looks whether it may have been made.
 */
function memoryAtOf({ state, attempts }: Pick<Payout, 'state' | 'attempts'>): number | null {
  if (!LIVE.includes(state.status)) return attempts > 0 || isShownAsPaid(state) ? 0 : null;
  if (state.status === 'sending') return state.startedAt;
  if (state.status === 'in_doubt') return state.evidence.startedAt;
  if ('sentAt' in state && state.sentAt !== undefined) return state.sentAt;
  return 'approvedAt' in state ? state.approvedAt : null;
}
