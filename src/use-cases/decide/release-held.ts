/**
 * Releases held rows and withdraws unsent ones, with a reason and a person. A release names the concerns that the person saw;
 * a later concern holds the row again. The console sends the reasons that it showed; a terminal names the kinds. Without
 * both, a release answers only the first hold of a row, because the person may not know of a later one. A released name
 * is remembered for the same account and the same two names, so that nobody is asked again next month.
 */

import {
  type Concern,
  type ConcernKind,
  DECIDED_ALONE,
  kindsToName,
  type Release,
  seenOf,
} from '../../domain/payouts/concern.ts';
import type { BatchId, Tag } from '../../domain/payouts/instruction.ts';
import type { PartReturn } from '../../domain/payouts/part-return.ts';
import type { HoldReason } from '../../domain/payouts/payout.ts';
import { isIn, type Payout, type PayoutIn, type Status, UNSENT } from '../../domain/payouts/payout.ts';
import type { PayoutEvent } from '../../domain/payouts/payout-event.ts';
import { mayFollow } from '../../domain/payouts/payout-machine.ts';
import { STATUS_WORDS } from '../../domain/reporting/status-words.ts';
import { echoesOfAccount, withoutEchoes } from '../../domain/text/sensitive.ts';
import type { OfflinePorts, Ports } from '../ports.ts';
import { recordEvent } from '../record-event.ts';
import { type Choice, eachChosen } from './choose-payouts.ts';
import { blockedBy, markOf, mayBePaidAlready, withReasonsNow } from './held-now.ts';
import { movedText } from './moved-rows.ts';

export interface ReleaseDecision {
  readonly by: string;
  readonly reason: string;
  /** Whoever decides knows that a payment in doubt, which a row repeats, may be this very payment. */
  readonly mayBePaid?: boolean | undefined;
  /** Concerns of these kinds alone; undefined: as the choice says. */
  readonly kinds?: readonly ConcernKind[] | undefined;
  /** The `shown` of each row that the person saw. A row whose reasons changed since then stays held. */
  readonly shown?: readonly string[] | undefined;
}

/** A released row and the reasons that it was released for, in words. */
export interface ReleasedRow {
  readonly rowNumber: number;
  readonly reasons: readonly string[];
}

export interface Decided {
  readonly done: readonly number[];
  readonly refused: readonly RefusedRow[];
  /** Of a release: the rows of `done`. */
  readonly released?: readonly ReleasedRow[];
  /** After a reissue: the rows of `done` of which the service shows that only a part came back. */
  readonly partReturns?: readonly (PartReturn & { readonly rowNumber: number })[];
}

/** A row that stays as it is. */
export interface RefusedRow {
  readonly rowNumber: number;
  /** Where it stands and why that does not allow it. */
  readonly status: string;
  /** Time, evidence or a ruling may allow it later (exit code 10); otherwise naming the row was a mistake (64). */
  readonly isNotYet?: boolean;
  /** It may be paid already, and is released only by whoever says that this is known. */
  readonly isMaybePaid?: boolean;
  /** Another payment stands for the row: of rows that were not named it is no mistake. */
  readonly isElsewhere?: boolean;
  /** A newer file moved it: only its tag names it. */
  readonly tag?: Tag;
}

export async function releaseHeld(
  batchId: BatchId,
  choice: Choice,
  decision: ReleaseDecision,
  ports: OfflinePorts,
): Promise<Decided> {
  const { by, reason, kinds } = decision;
  const shown = decision.shown && new Set(decision.shown);
  const answered = new Map<number, readonly string[]>();
  const decided = await recordEach({ batchId, choice, statuses: ['held'] }, ports, async (payout) => {
    const now = await withReasonsNow(payout, ports);
    if (!isIn(now, 'held')) return { status: `${countedOf(now)}: only a held row can be released` };
    const unseen = whyUnseen(now, shown, kinds);
    if (unseen !== undefined) return passedOver(unseen, choice);
    const { chosen, left } = chosenReasons(now.state.reasons, choice, kinds);
    const [first] = chosen;
    if (first === undefined) return passedOver(whyNothing(left, kinds), choice);
    const blocked = await blockedBy(now, ports);
    if (blocked !== undefined) return { status: blocked, isNotYet: true };
    const maybe = mayBePaidAlready(chosen);
    if (maybe !== undefined && decision.mayBePaid !== true)
      return { status: maybe, isNotYet: true, isMaybePaid: true };
    const at = ports.clock.now();
    const release: Release = { ...seenOf(concernsOf(chosen), concernsOf(now.state.reasons)), by, reason, at };
    // First, because pricing accepts a name by this memory alone.
    await rememberName(now, release, ports);
    answered.set(payout.rowNumber, textsOf(chosen, now));
    return { kind: 'release', release, at };
  });
  const released = decided.done.map((rowNumber) => ({ rowNumber, reasons: answered.get(rowNumber) ?? [] }));
  return { ...decided, released };
}

/** Why the person may not have seen the reasons of this hold; undefined: the person saw them. */
function whyUnseen(
  held: PayoutIn<'held'> & Payout,
  shown: ReadonlySet<string> | undefined,
  kinds: readonly ConcernKind[] | undefined,
): string | undefined {
  const texts = textsOf(held.state.reasons, held).join('; ');
  if (shown !== undefined)
    return shown.has(markOf(held)) ? undefined : `held now for other reasons than were shown: ${texts}`;
  const toName = kinds === undefined ? kindsToName(held.state) : [];
  if (toName.length === 0) return undefined;
  return `held again after a release: ${texts}. To release it for this, name the kind: ${toName.join(', ')}`;
}

function concernsOf(reasons: readonly HoldReason[]): readonly Concern[] {
  return reasons.map(({ concern }) => concern);
}

/** The service may have repeated the account in its words. */
function textsOf(reasons: readonly HoldReason[], { instruction }: PayoutIn<'held'>): readonly string[] {
  const echoes = echoesOfAccount(instruction.account.reveal());
  return reasons.map(({ text }) => withoutEchoes(text, echoes));
}

function chosenReasons(
  reasons: readonly HoldReason[],
  { kind }: Choice,
  kinds: readonly ConcernKind[] | undefined,
): { readonly chosen: readonly HoldReason[]; readonly left: readonly HoldReason[] } {
  const isMeant = (concern: Concern) =>
    kinds === undefined
      ? kind !== 'all' || !DECIDED_ALONE.includes(concern.kind)
      : kinds.includes(concern.kind);
  return {
    chosen: reasons.filter(({ concern }) => isMeant(concern)),
    left: reasons.filter(({ concern }) => !isMeant(concern)),
  };
}

function whyNothing(left: readonly HoldReason[], kinds: readonly ConcernKind[] | undefined): string {
  const [first] = left;
  if (first === undefined) return 'held';
  return kinds === undefined
    ? `held: ${first.text}. “All” leaves such rows: name the row, or the kind ${first.concern.kind}`
    : `held for another reason: ${first.text}`;
}

/** Skips a row that waits for another reason. That is no mistake if the person did not name the row. */
function passedOver(status: string, { kind }: Choice): Objection {
  return { status, isNotYet: true, ...(kind === 'all' ? { isElsewhere: true } : {}) };
}

/** Withdraws rows that were not sent. What is on the wire, in doubt or paid cannot be withdrawn here. */
export function cancelUnsent(
  batchId: BatchId,
  choice: Choice,
  decision: Pick<ReleaseDecision, 'by' | 'reason' | 'kinds'>,
  ports: OfflinePorts,
): Promise<Decided> {
  const { by, reason, kinds } = decision;
  const statuses = kinds === undefined ? UNSENT : (['held'] as const);
  return recordEach({ batchId, choice, statuses }, ports, async (payout) => {
    const { state } = payout;
    if (!mayFollow(state, 'cancel'))
      return { status: `${countedOf(payout)}: only a row that was not sent can be withdrawn` };
    const isMeant =
      kinds === undefined ||
      (isIn(payout, 'held') && payout.state.reasons.some(({ concern }) => kinds.includes(concern.kind)));
    if (!isMeant) return { status: `${countedOf(payout)}, and for none of these reasons`, isElsewhere: true };
    return { kind: 'cancel', by, reason, at: ports.clock.now() };
  });
}

interface Chosen {
  readonly batchId: BatchId;
  readonly choice: Choice;
  /** Of the rows that are meant by “all”. */
  readonly statuses: readonly Status[];
}

const countedOf = ({ state }: Payout) => STATUS_WORDS[state.status].counted;

/** Why a row stays as it is. */
export type Objection = Omit<RefusedRow, 'rowNumber'>;

/** Records what was decided about each chosen row, or lists the row with the reason why it stays. */
function recordEach(
  chosen: Chosen,
  ports: OfflinePorts,
  decide: (payout: Payout) => Promise<PayoutEvent | Objection>,
): Promise<Decided> {
  return decideEach(chosen, ports, async (payout) => {
    const decided = await decide(payout);
    if (!('kind' in decided)) return decided;
    const recorded = await recordEvent(payout, decided, ports);
    return recorded.kind === 'recorded'
      ? undefined
      : { status: 'changed by somebody else just now', isNotYet: true };
  });
}

/** A row is done where `decide` finds no objection. */
export async function decideEach(
  { batchId, choice, statuses }: Chosen,
  ports: Pick<Ports, 'ledger'>,
  decide: (payout: Payout) => Promise<Objection | undefined>,
): Promise<Decided> {
  const done: number[] = [];
  const refused: RefusedRow[] = [];
  const moved = await eachChosen(batchId, choice, statuses, ports, async (payout) => {
    const { rowNumber } = payout;
    const objection = await decide(payout);
    if (objection === undefined) done.push(rowNumber);
    else refused.push({ rowNumber, ...objection });
  });
  const named = moved.map((move) => ({ rowNumber: move.rowNumber, status: movedText(move), tag: move.tag }));
  return { done, refused: [...refused, ...named] };
}

async function rememberName(
  { instruction, state }: PayoutIn<'held'>,
  { saw, by, at, reason }: Release,
  { ledger }: Pick<Ports, 'ledger'>,
): Promise<void> {
  const resolvedName = state.pricing?.nameCheck.resolved;
  const { institutionId, account, name: writtenName } = instruction;
  if (resolvedName === undefined || writtenName === undefined) return;
  if (!saw.some(({ kind }) => kind === 'name')) return;
  const names = { institutionId, account: account.reveal(), writtenName, resolvedName };
  await ledger.rememberNameRelease({ ...names, by, at, reason });
}
