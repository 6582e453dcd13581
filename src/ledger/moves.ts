/**
 * Moves: one payout's change of state with its event, compare-and-set on its version. All that wait at one moment are one
 * statement, the same text for both databases; what it moved, each with its entry, is what the writer puts into the journal.
 * What does not come back is decided alone, by the one full rule (begin.ts).
 *
 * The statement also defends what no look before could see: a transfer belongs to one payout, and an approval or an intent
 * moves only the row that was read, under the lease of this process, where no other payment at all may be the same.
 */
import type { LastLook, PayoutState } from '../domain/payouts/payout.ts';
import type { Move } from '../ports/ledger/moves.ts';
import type { Entry } from './chain.ts';
import { encodeEvent, encodeLook, stateText } from './codec.ts';
import { batchNumber, derivedOf, dueCheck, payoutNumber } from './rows.ts';
import { LATER, OTHER_KINDS } from './schema.ts';
import {
  columns,
  type Database,
  given,
  inGroups,
  joined,
  jsonText,
  type Query,
  q,
  Refused,
  type Row,
  type Sql,
  type Table,
  type Value,
} from './sql.ts';

/** A move that the hot way may try. */
export interface Plain {
  readonly id: number;
  readonly change: Change;
  readonly entry: Entry;
  /** What the service calls the transfer, from now on. */
  readonly names: readonly string[];
  /** Of an approval or an intent: what is compared besides. */
  readonly agreed: readonly Value[] | undefined;
  /** Only while no other process writes. */
  readonly isAlone: boolean;
  /** Nothing has happened to the payout since this entry of the journal; null: not asked. */
  readonly unchangedSince: number | null;
  /** Asked when the statement is made. The token of the lease under which this process may; null: it needs none. */
  readonly lease: () => string | null | 'lost';
}

/** What the move makes of the row, and which of the columns beside its state are other ones now. */
export interface Change {
  readonly always: readonly Value[];
  readonly derived: ReturnType<typeof derivedOf>;
  /** undefined: as it was. */
  readonly due: readonly Value[] | undefined;
  readonly changed: readonly Beside[];
}

export interface Due {
  readonly id: number;
  readonly dueAt: number;
  readonly look: LastLook;
}

const ALWAYS = columns('payout was in_batch to_status:text tries to_state:text');
const ASKED = columns('unchanged lease:text');
const AGREED =
  columns(`was_state:text on_route to_account:text amount to_phone:text with_note:text leaf:text agreed_at
  since`);

/**
 * Columns beside the state, for the indexes. A statement names only those that change for one of its rows: SQLite writes an
 * index anew for each column that is named, whatever its value, and the keys of most indexes lie anywhere.
 */
const BESIDE = {
  tag: { of: columns('to_tag:text'), set: q`tag = coalesce(m.to_tag, p.tag)` },
  transfer_id: { of: columns('transfer:text'), set: q`transfer_id = m.transfer` },
  other_id: { of: columns('other:text'), set: q`other_id = m.other` },
  memory_at: { of: columns('sent'), set: q`memory_at = m.sent` },
  remembered: { of: columns('counts'), set: q`remembered = m.counts` },
  ended_at: { of: columns('ended'), set: q`ended_at = m.ended` },
  quoted_at: { of: columns('quoted'), set: q`quoted_at = m.quoted` },
  beside: { of: columns('look'), set: q`beside = m.look` },
  lives: { of: columns('lives'), set: q`living_root = CASE WHEN m.lives = 1 THEN p.root END` },
  isIncident: { of: columns('incident'), set: q`incident_root = CASE WHEN m.incident = 1 THEN p.root END` },
  due: {
    of: columns('has_due due seen:text stuck due_sum'),
    set: q`due_at = CASE WHEN m.has_due = 1 THEN m.due ELSE p.due_at END,
      look = CASE WHEN m.has_due = 1 THEN m.seen ELSE p.look END,
      concern = CASE WHEN m.has_due = 1 THEN m.stuck ELSE p.concern END,
      due_check = CASE WHEN m.has_due = 1 THEN m.due_sum ELSE p.due_check END`,
  },
} as const;
type Beside = keyof typeof BESIDE;
const ALL = Object.keys(BESIDE) as readonly Beside[];

const SET = q`UPDATE payouts AS p SET status = m.to_status, version = p.version + 1, attempts = m.tries, state = m.to_state`;

const WHERE = q`WHERE p.id = m.payout AND p.version = m.was AND p.batch = m.in_batch
  AND (m.lease IS NULL OR EXISTS (SELECT 1 FROM leases l WHERE l.batch = p.batch AND l.token = m.lease AND l.stopped = 0))
  AND (m.unchanged IS NULL OR NOT EXISTS (SELECT 1 FROM journal j
    WHERE j.payout = p.id AND ${LATER} AND j.kind NOT IN ('kept','rewritten') AND j.seq > m.unchanged))`;
/** A transfer has two names, and no other payment has either. The unique indexes see only one at a time. */
const NAMED = {
  transfer_id: q`AND (m.transfer IS NULL OR NOT EXISTS (SELECT 1 FROM payouts o WHERE o.other_id = m.transfer AND o.id <> p.id))`,
  other_id: q`AND (m.other IS NULL OR NOT EXISTS (SELECT 1 FROM payouts o WHERE o.transfer_id = m.other AND o.id <> p.id))`,
};

/** Any other payment but those that were settled before the window and before the batch: the rule judges them. */
const another = (key: Query) => q`NOT EXISTS (SELECT 1 FROM payouts o
  WHERE o.${key} = p.${key} AND o.remembered IS NOT NULL AND o.root <> p.root
    AND NOT (o.status = 'settled' AND o.batch <> p.batch AND o.memory_at < m.since AND o.ended_at < m.since))`;

/**
 * The row is the one that was read, nothing else is of its family, and its journal says that it was agreed to. `+ 0` keeps a
 * server from walking the whole journal backwards for the newest entry of a payout.
 */
const AND_AGREED = q`AND p.state = m.was_state AND p.route = m.on_route AND p.account = m.to_account AND p.minor = m.amount
  AND p.phone IS NOT DISTINCT FROM m.to_phone AND p.note IS NOT DISTINCT FROM m.with_note AND p.replaces IS NULL
  AND NOT EXISTS (SELECT 1 FROM payouts o WHERE o.incident_root = p.root)
  AND (m.leaf IS NULL OR EXISTS (SELECT 1 FROM journal j
    WHERE j.seq = (SELECT max(k.seq + 0) FROM journal k WHERE k.payout = p.id AND ${LATER} AND k.kind NOT IN ${OTHER_KINDS})
      AND j.kind = 'approve' AND j.at = m.agreed_at AND ${jsonText('j.body', 'leaf')} = m.leaf))
  AND ${another(q`reference_key`)} AND ${another(q`payment_key`)}`;

/** By what it sets, asks and gives back: a handful, each made once. */
const shapes = new Map<string, Shape>();
interface Shape {
  readonly of: Table['columns'];
  readonly set: Query;
  readonly where: Query;
}

function shapeOf(beside: readonly Beside[], isAgreed: boolean): Shape {
  const name = `${beside.join()} ${isAgreed}`;
  const known = shapes.get(name);
  if (known !== undefined) return known;
  const shape = {
    of: Object.assign(
      {},
      ...[ALWAYS, ASKED, ...beside.map((each) => BESIDE[each].of), isAgreed ? AGREED : {}],
    ) as Table['columns'],
    set: joined([SET, ...beside.map((each) => BESIDE[each].set)], ', '),
    where: joined(
      [
        WHERE,
        ...beside.flatMap((each) => (each in NAMED ? NAMED[each as keyof typeof NAMED] : [])),
        ...(isAgreed ? [AND_AGREED, q`RETURNING id, reference_key, payment_key`] : [q`RETURNING id`]),
      ],
      ' ',
    ),
  };
  shapes.set(name, shape);
  return shape;
}

type Compared = Pick<Plain, 'change' | 'unchangedSince' | 'agreed'>;

function statementOf(group: readonly Compared[], leases: ReadonlyMap<Compared, string | null>): Query {
  const beside = ALL.filter((each) => group.some(({ change }) => change.changed.includes(each)));
  const { of, set, where } = shapeOf(beside, group[0]?.agreed !== undefined);
  const rows = group.map((plain) => {
    const { change, unchangedSince, agreed = [] } = plain;
    const more = beside.flatMap((each) => valuesOf(change, each));
    return change.always.concat(unchangedSince, leases.get(plain) ?? null, more, agreed);
  });
  return q`${set} FROM ${given('m', of, rows)} ${where}`;
}

const AS_IT_WAS: readonly Value[] = [0, null, null, null, 0];

function valuesOf({ derived, due }: Change, each: Beside): readonly Value[] {
  if (each === 'due') return due ?? AS_IT_WAS;
  const value = derived[each];
  return [typeof value === 'boolean' ? Number(value) : value];
}

/** Inside a commit: those that moved. */
export async function moveTogether(
  db: Database,
  sql: Sql,
  plains: readonly Plain[],
): Promise<ReadonlySet<Plain>> {
  const leases = new Map<Plain, string | null>();
  const classes = new Map<string, Plain[]>();
  const seen = new Set<number | string>();
  for (const plain of plains) {
    const lease = plain.lease();
    // Of several that would move one payout, or give one transfer to two, the first may: no statement sees itself.
    const own = [plain.id, ...plain.names];
    if (lease === 'lost' || own.some((each) => seen.has(each))) continue;
    for (const each of own) seen.add(each);
    leases.set(plain, lease);
    const kind = classOf(plain, sql);
    const list = classes.get(kind) ?? [];
    classes.set(kind, list);
    list.push(plain);
  }
  const moved = new Set<Plain>();
  for (const list of classes.values())
    for (const group of inGroups(list))
      for (const plain of await moveGroup({ db, sql, leases }, group)) moved.add(plain);
  return moved;
}

/** Those of one class are one statement. A server is asked as seldom as can be, and writes every index anew in any case. */
function classOf({ agreed, entry, change }: Plain, { dialect }: Sql): string {
  const kind = agreed === undefined ? '' : entry.kind;
  return dialect === 'pg' ? kind : `${kind} ${change.changed.join()}`;
}

interface Moving {
  readonly db: Database;
  readonly sql: Sql;
  readonly leases: ReadonlyMap<Plain, string | null>;
}

/** One that the database refuses must not keep the others: then each is tried by itself. */
async function moveGroup(moving: Moving, group: readonly Plain[]): Promise<readonly Plain[]> {
  const { db, sql, leases } = moving;
  const isApproval = group[0]?.entry.kind === 'approve';
  const ask = () => sql.all(statementOf(group, leases));
  if (isApproval && group.length > 1) await db.savepoint('set');
  const rows = await db.guarded(ask);
  // Each of two equal payments that are approved in one statement would not have seen the other.
  const isAgain = rows instanceof Refused || (isApproval && hasEqual(rows));
  if (isApproval && group.length > 1) await db.savepoint(isAgain ? 'undo' : 'keep');
  if (!isAgain) {
    const ids = new Set(rows.map(({ id }) => Number(id)));
    return group.filter(({ id }) => ids.has(id));
  }
  const moved: Plain[] = [];
  if (group.length > 1) for (const plain of group) moved.push(...(await moveGroup(moving, [plain])));
  return moved;
}

function hasEqual(rows: readonly Row[]): boolean {
  for (const column of ['reference_key', 'payment_key']) {
    const keys = rows.flatMap(({ [column]: key }) =>
      key instanceof Uint8Array ? [Buffer.from(key).toString('latin1')] : [],
    );
    if (new Set(keys).size < keys.length) return true;
  }
  return false;
}

const DUE = columns('payout due seen:text stuck due_sum');

/** Inside a commit. */
export async function scheduleTogether(sql: Sql, dues: readonly Due[]): Promise<void> {
  const last = new Map(dues.map((due) => [due.id, due]));
  for (const group of inGroups([...last.values()])) {
    const rows = group.map(({ id, dueAt, look }) => [id, ...dueValues(id, dueAt, look)]);
    await sql.run(q`UPDATE payouts AS p SET due_at = m.due, look = m.seen, due_check = m.due_sum,
      concern = CASE WHEN p.status = 'accepted' THEN m.stuck END
      FROM ${given('m', DUE, rows)} WHERE p.id = m.payout`);
  }
}

/** A concern counts while the payout is on its way. */
function dueValues(id: number, dueAt: number | null, look?: LastLook, isOnItsWay = true): readonly Value[] {
  const seen = look === undefined ? null : encodeLook(look);
  return [dueAt, seen, isOnItsWay && look?.concern !== undefined ? 1 : null, dueCheck(id, dueAt, seen)];
}

export function changeOf(move: Move): Change {
  const { before, after } = move;
  const id = payoutNumber(before.id);
  const [was, is] = [derivedOf(before), derivedOf(after)];
  const dueAt = dueOf(move);
  const due =
    dueAt === 'as_it_was'
      ? undefined
      : [1, ...dueValues(id, dueAt, move.look, after.state.status === 'accepted')];
  const isOther = (each: Beside) => (each === 'due' ? due !== undefined : was[each] !== is[each]);
  return {
    always: [
      id,
      before.version,
      batchNumber(before.batchId),
      after.state.status,
      after.attempts,
      stateText(after.state),
    ],
    derived: is,
    due,
    changed: ALL.filter(isOther),
  };
}

/**
 * When it is looked at next: told with the move; in another status not yet; else as it was. Of a payout that was never
 * scheduled there is nothing to take back.
 */
function dueOf({ before, after, dueAt }: Move): number | null | 'as_it_was' {
  if (dueAt !== undefined) return dueAt;
  return before.state.status === after.state.status ? 'as_it_was' : null;
}

/** One alone, inside a commit: without rows when somebody moved it first, or it has a transfer of another. */
export function moveAlone(sql: Sql, move: Move): Promise<readonly Row[]> {
  const alone = { change: changeOf(move), unchangedSince: null, agreed: undefined };
  return sql.all(statementOf([alone], new Map()));
}

export function entryOfMove({ before, event }: Pick<Move, 'before' | 'event'>): Entry {
  const { id, batchId } = before;
  return {
    batch: batchNumber(batchId),
    payout: payoutNumber(id),
    at: event.at,
    kind: event.kind,
    ...encodeEvent(event),
  };
}

/** What the transfer is called by the service. */
export function namesOf(state: PayoutState): readonly string[] {
  if (!('transferId' in state)) return [];
  return [state.transferId, state.otherId].filter((name) => name !== undefined);
}
