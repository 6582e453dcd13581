/**
 * Recording a move: the hot way for all that is plain (moves.ts), and the full rule of a move, once, for the rest. An approval
 * and an intent are about the row as the ledger has it, and not what somebody read before: the row must equal its leaf, have
 * no repeat that nobody released, no other living payment of its family, and the lease of this process. The database itself
 * refuses a second living payment of one family and a transfer id that another payout holds.
 */
import { openReasons } from '../domain/payouts/concern.ts';
import { type Approval, objection } from '../domain/payouts/objection.ts';
import { leafOf } from '../domain/payouts/order.ts';
import type { HoldReason } from '../domain/payouts/payout.ts';
import { isIn, type Payout, type PayoutState } from '../domain/payouts/payout.ts';
import type { EventOf } from '../domain/payouts/payout-event.ts';
import { advance } from '../domain/payouts/payout-machine.ts';
import { countsAsRepeat, repeatReasons } from '../domain/payouts/repeat.ts';
import type { Move, MoveRules, Recorded } from '../ports/ledger/moves.ts';
import type { PayoutLedger } from '../ports/ledger/payouts.ts';
import type { Commit } from './chain.ts';
import { decodeEvent, ENTRY_COLUMNS, stateText } from './codec.ts';
import { incidentRelative, livingRelative } from './families.ts';
import { pointerTo, repeatsOf } from './memory.ts';
import { changeOf, entryOfMove, moveAlone, namesOf, type Plain } from './moves.ts';
import type { LedgerParts } from './parts.ts';
import { payoutById } from './payouts.ts';
import { batchNumber, payoutNumber } from './rows.ts';
import { LATER, OTHER_KINDS } from './schema.ts';
import { jsonText, numberOf, optionalNumber, q, Refused, type Sql, text, type Value } from './sql.ts';

type Own = Pick<PayoutLedger, 'record' | 'schedule'>;
/** What cannot be done beside others, and only by whoever holds the batch. */
const HELD: readonly string[] = ['approve', 'begin_attempt', 'recover'];

export function moving(parts: LedgerParts): Own {
  const createdAt = new Map<number, number>();
  return {
    async record(move) {
      requireSense(move);
      const plain = await plainOf(move, parts, createdAt);
      if (plain !== undefined && (await parts.writer.move(plain)))
        return { kind: 'recorded', payout: move.after };
      return parts.writer.write((commit) => decide(move, commit, parts));
    },
    schedule: (id, dueAt, look) => parts.writer.schedule({ id: payoutNumber(id), dueAt, look }),
  };
}

function requireSense({ before, after, event, rules }: Move): void {
  if (after.id !== before.id || after.version !== before.version + 1)
    throw new TypeError(`Payout ${before.id}: “after” is not what follows “before”`);
  if (payoutNumber(before.id) === 0) throw new RangeError(`“${before.id}” is not a payout id`);
  if ((event.kind === 'approve' || event.kind === 'begin_attempt') && rules === undefined)
    throw new TypeError(`Payout ${before.id}: “${event.kind}” comes without the rules that it is asked by`);
}

/** undefined: the full rule has to be asked. */
async function plainOf(
  move: Move,
  parts: LedgerParts,
  createdAt: Map<number, number>,
): Promise<Plain | undefined> {
  const { before, event, unchangedSince } = move;
  const [id, batch] = [payoutNumber(before.id), batchNumber(before.batchId)];
  const isAgreed = event.kind === 'approve' || event.kind === 'begin_attempt';
  const agreed = isAgreed ? await agreedOf(move, parts, createdAt) : undefined;
  if (isAgreed && agreed === undefined) return undefined;
  return {
    id,
    agreed,
    change: changeOf(move),
    entry: entryOfMove(move),
    names: namesOf(move.after.state),
    // Approvals see each other: of two equal rows the second one is asked about.
    isAlone: event.kind === 'approve' || unchangedSince !== undefined,
    unchangedSince: unchangedSince ?? null,
    lease: () => (HELD.includes(event.kind) ? parts.holding.tokenFor(batch, id) : null),
  };
}

/** What the statement compares, where the row as it was read is all right: if the ledger has another row, it does not move. */
async function agreedOf(
  { before, event, rules }: Move,
  { read, routes }: LedgerParts,
  createdAt: Map<number, number>,
): Promise<readonly Value[] | undefined> {
  if (rules === undefined || before.instruction === undefined) return undefined;
  const { instruction } = before;
  const approval = isPlainly(before, event, rules);
  const route = approval && (await routes.find(read, instruction));
  if (approval === undefined || route === undefined) return undefined;
  const since = Math.min(
    rules.repeatWindow.settledSince,
    await createdAtOf(read, batchNumber(before.batchId), createdAt),
  );
  return [
    ...[stateText(before.state), route, instruction.account.reveal(), instruction.amount.minor],
    ...[instruction.phone ?? null, instruction.note ?? null, approval.leaf, approval.at, since],
  ];
}

/** What the journal must say of it; undefined: the row that was read may not be approved or begun. */
function isPlainly(
  before: Payout,
  event: Move['event'],
  { narration, sending }: MoveRules,
): { readonly leaf: string | null; readonly at: number | null } | undefined {
  if (event.kind === 'approve')
    return isIn(before, 'quoted') && leafOf(before, narration) === event.leaf
      ? { leaf: null, at: null }
      : undefined;
  if (!isIn(before, 'approved') || sending === undefined) return undefined;
  const leaf = leafOf(before, narration);
  const approval = { leaf, at: before.state.approvedAt };
  const standing = { payout: before, leaf, live: sending.live, repeats: [], at: event.at };
  return objection(approval, standing, sending.policy) === undefined ? approval : undefined;
}

/** Never changes. */
async function createdAtOf(sql: Sql, batch: number, known: Map<number, number>): Promise<number> {
  const before = known.get(batch);
  if (before !== undefined) return before;
  const row = await sql.get(
    q`SELECT ${jsonText('facts', 'createdAt')} AS at FROM batches WHERE id = ${batch}`,
  );
  const at = optionalNumber(row?.['at']) ?? 0;
  known.set(batch, at);
  return at;
}

type Decided = Exclude<Recorded, { kind: 'recorded' }>;

/** The full rule of a move, inside a commit that works alone. */
export async function decide(asked: Move, commit: Commit, parts: LedgerParts): Promise<Recorded> {
  const refused = await refusal(asked, commit.sql, parts);
  if (refused !== undefined) return refused;
  const move = await asRead(asked, commit.sql, parts);
  if ('kind' in move) return move;
  return apply(move, commit);
}

/** Moves a payout that may move. */
export async function apply(move: Move, commit: Commit): Promise<Recorded> {
  const { sql } = commit;
  const id = payoutNumber(move.before.id);
  const known = namesOf(move.before.state);
  for (const name of namesOf(move.after.state))
    if (!known.includes(name) && (await holderOf(sql, name, id)) !== undefined)
      return taken('transfer_id', move.after.state, id, sql);
  const moved = await commit.guarded(() => moveAlone(sql, move));
  if (moved instanceof Refused) return taken(whatOf(moved), move.after.state, id, sql);
  if (moved.length === 0) return { kind: 'stale' };
  commit.add(entryOfMove(move));
  return { kind: 'recorded', payout: move.after };
}

async function refusal(
  { before, event, unchangedSince }: Move,
  sql: Sql,
  { holding }: LedgerParts,
): Promise<Decided | undefined> {
  const [id, batch] = [payoutNumber(before.id), batchNumber(before.batchId)];
  if (HELD.includes(event.kind) && !(await holding.mayBegin(sql, batch, id))) return { kind: 'stale' };
  if (event.kind === 'begin_attempt' || event.kind === 'approve') {
    const other = await incidentRelative(sql, id);
    if (other !== undefined) return { kind: 'taken', what: 'root', by: await pointerTo(sql, other) };
  }
  if (unchangedSince === undefined) return undefined;
  // Its place and cells in a newer file are no part of what is agreed to.
  const changed = await sql.get(q`SELECT 1 AS it FROM journal WHERE payout = ${id} AND ${LATER}
    AND kind NOT IN ('kept','rewritten') AND seq > ${unchangedSince} LIMIT 1`);
  return changed === undefined ? undefined : { kind: 'stale' };
}

interface Asked<Kind extends 'approve' | 'begin_attempt'> {
  /** As the commit finds it. */
  readonly payout: Payout;
  readonly event: EventOf<Kind>;
  readonly rules: MoveRules;
}

/** What is agreed to and what is sent is what the ledger has. */
async function asRead(move: Move, sql: Sql, parts: LedgerParts): Promise<Move | Decided> {
  const { before, event, rules } = move;
  if ((event.kind !== 'approve' && event.kind !== 'begin_attempt') || rules === undefined) return move;
  const payout = await payoutById(sql, payoutNumber(before.id), parts.routes);
  if (payout === undefined || payout.version !== before.version || payout.batchId !== before.batchId)
    return { kind: 'stale' };
  const refused =
    event.kind === 'approve'
      ? await approvalOf({ payout, event, rules }, sql)
      : await intentOf({ payout, event, rules }, sql);
  if (refused !== undefined) return refused;
  return { ...move, before: payout, after: advance(payout, event) };
}

async function approvalOf(
  { payout, event, rules }: Asked<'approve'>,
  sql: Sql,
): Promise<Decided | undefined> {
  if (!isIn(payout, 'quoted') || leafOf(payout, rules.narration) !== event.leaf) return { kind: 'stale' };
  const reasons = openReasons(await repeatsNow(payout, rules, sql), payout.state.releases);
  return reasons.length === 0 ? undefined : { kind: 'objection', objection: { kind: 'concerns', reasons } };
}

async function intentOf(
  { payout, event, rules }: Asked<'begin_attempt'>,
  sql: Sql,
): Promise<Decided | undefined> {
  if (!isIn(payout, 'approved')) return { kind: 'stale' };
  if (rules.sending === undefined) throw new TypeError('An intent is compared with its approval');
  const { live, policy } = rules.sending;
  const approval = await lastApproval(sql, payoutNumber(payout.id));
  const repeats = await repeatsNow(payout, rules, sql);
  const leaf = leafOf(payout, rules.narration);
  const why = objection(approval, { payout, leaf, live, repeats, at: event.at }, policy);
  return why === undefined ? undefined : { kind: 'objection', objection: why };
}

async function repeatsNow(
  { id }: Payout,
  { repeatWindow }: MoveRules,
  sql: Sql,
): Promise<readonly HoldReason[]> {
  const found = await repeatsOf(sql, payoutNumber(id));
  return repeatReasons(found.filter((repeat) => countsAsRepeat(repeat, repeatWindow)));
}

/** Entries after which an approval still holds: nothing was executed, or nothing came of it. */
const STILL_APPROVED: readonly unknown[] = ['begin_attempt', 'not_sent', 'turn_away'];

/** undefined: the journal does not say that the payout is approved, whatever its row says. */
async function lastApproval(sql: Sql, id: number): Promise<Approval | undefined> {
  const entries = await sql.all(q`SELECT ${text(ENTRY_COLUMNS)} FROM journal WHERE payout = ${id} AND ${LATER}
    AND kind NOT IN ${OTHER_KINDS} ORDER BY seq DESC`);
  for (const [index, entry] of entries.entries()) {
    const { kind } = entry;
    if (kind === 'approve') {
      const event = decodeEvent(entry);
      return event.kind === 'approve' ? { leaf: event.leaf, at: event.at } : undefined;
    }
    const isOver = !STILL_APPROVED.includes(kind) || (index === 0 && kind === 'begin_attempt');
    if (isOver) return undefined;
  }
  return undefined;
}

type What = Extract<Recorded, { kind: 'taken' }>['what'];

/** By the column, or by the index of it: each database names its own. */
const WHAT: ReadonlyMap<string, What> = new Map([
  ['payouts.living_root', 'root'],
  ['payouts_root', 'root'],
  ['payouts.transfer_id', 'transfer_id'],
  ['payouts_transfer', 'transfer_id'],
  ['payouts.other_id', 'transfer_id'],
  ['payouts_other', 'transfer_id'],
  ['payouts.tag', 'tag'],
  ['payouts_tag', 'tag'],
]);

function whatOf(refused: Refused): What {
  const what = WHAT.get(refused.index);
  if (what === undefined) throw refused;
  return what;
}

async function taken(what: What, state: PayoutState, id: number, sql: Sql): Promise<Decided> {
  const found = {
    root: () => livingRelative(sql, id),
    transfer_id: async () => {
      for (const name of namesOf(state)) {
        const holder = await holderOf(sql, name, id);
        if (holder !== undefined) return holder;
      }
      return undefined;
    },
    tag: async () => {
      const row = await sql.get(q`SELECT id FROM payouts WHERE tag = ${'tag' in state ? state.tag : ''}`);
      return optionalNumber(row?.['id']);
    },
  };
  const other = await found[what]();
  return { kind: 'taken', what, by: other === undefined ? undefined : await pointerTo(sql, other) };
}

/** Who has the transfer, by whichever of its names. */
async function holderOf(sql: Sql, name: string, except: number): Promise<number | undefined> {
  const rows = await sql.all(
    q`SELECT id FROM payouts WHERE transfer_id = ${name} UNION SELECT id FROM payouts WHERE other_id = ${name}`,
  );
  return rows.map(({ id }) => numberOf(id)).find((id) => id !== except);
}
