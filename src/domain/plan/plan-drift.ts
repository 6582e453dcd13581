/**
 * What happened to a plan since a person saw it: rows that joined what waits for approval, rows that left it, and rows
 * that are a different payment now. Pure: what the ledger found comes in, sentences go out.
 *
 * No plan is stored twice: the journal notes by its digest what was shown, and the rows that moved since are found by
 * their entries.
 */

import { formatMoney } from '../money/money.ts';
import type { Instruction } from '../payouts/instruction.ts';
import type { Payout } from '../payouts/payout.ts';
import { printable } from '../text/printable.ts';
import { maskOf } from '../text/sensitive.ts';

/** One payout, as it stands, and whether it waited for approval then and now, and under which name. */
export interface PlanMove {
  readonly payout: Payout;
  readonly before: string | undefined;
  readonly now: string | undefined;
}

export interface PlanDrift {
  readonly moves: readonly PlanMove[];
  /** Beyond the listed ones. */
  readonly more: number;
}

export interface DriftLine {
  readonly row: number;
  readonly kind: 'changed' | 'added' | 'removed';
  readonly text: string;
}

/** In file order; a row that left and one that joined under the same reference or row number are one change. */
export function driftLines({ moves }: PlanDrift): readonly DriftLine[] {
  const lines: DriftLine[] = [];
  const joined = moves.filter(({ before, now }) => before === undefined && now !== undefined);
  const taken = new Set<PlanMove>();
  for (const move of moves) {
    const { payout, before, now } = move;
    if (before === undefined) continue;
    const row = payout.rowNumber;
    if (now !== undefined) {
      lines.push({ row, kind: 'changed', text: `name ${arrow(quoted(before), quoted(now))}` });
      continue;
    }
    const after = joined.find((other) => !taken.has(other) && isSameRow(payout, other.payout));
    if (after !== undefined) taken.add(after);
    lines.push(after === undefined ? removed(payout) : changed(move, after));
  }
  for (const move of joined) if (!taken.has(move)) lines.push(added(move.payout));
  return lines.sort((one, other) => one.row - other.row);
}

function isSameRow(one: Payout, other: Payout): boolean {
  const [before, after] = [one.instruction?.reference, other.instruction?.reference];
  return before === undefined || after === undefined ? one.rowNumber === other.rowNumber : before === after;
}

function changed(from: PlanMove, to: PlanMove): DriftLine {
  const [old, now] = [from.payout.instruction, to.payout.instruction];
  const parts = old === undefined || now === undefined ? [] : differences(old, now);
  if (from.before !== to.now) parts.push(`name ${arrow(quoted(from.before), quoted(to.now))}`);
  const text = parts.length === 0 ? 'is a new payment of the same content' : parts.join(', ');
  return { row: to.payout.rowNumber, kind: 'changed', text };
}

function differences(old: Instruction, now: Instruction): string[] {
  const account = ({ account: whole }: Instruction) => maskOf(whole.reveal());
  const facts: readonly (readonly [string, string, string, boolean])[] = [
    ['amount', formatMoney(old.amount), formatMoney(now.amount), true],
    ['account', account(old), account(now), old.account.reveal() !== now.account.reveal()],
    ['institution', old.institutionName, now.institutionName, true],
    ['country', old.destinationName, now.destinationName, true],
    ['reference', old.reference ?? '(none)', now.reference ?? '(none)', true],
    ['note', old.note ?? '(none)', now.note ?? '(none)', true],
    ['phone', old.phone ?? '(none)', now.phone ?? '(none)', true],
  ];
  return facts
    .filter(([what, before, after, differs]) => (what === 'account' ? differs : before !== after))
    .map(([what, before, after]) => `${what} ${arrow(printable(before), printable(after))}`);
}

function added({ rowNumber: row, instruction }: Payout): DriftLine {
  const amount = instruction === undefined ? '' : `, ${formatMoney(instruction.amount)}`;
  return { row, kind: 'added', text: `waits for approval now${amount}` };
}

function removed({ rowNumber: row, instruction, state }: Payout): DriftLine {
  const amount = instruction === undefined ? '' : `, ${formatMoney(instruction.amount)}`;
  const why =
    state.status === 'held'
      ? `is held now (${state.reasons.map(({ text }) => printable(text)).join('; ')})`
      : state.status === 'canceled'
        ? `was withdrawn by ${printable(state.by)} (${printable(state.reason)})`
        : state.status === 'planned'
          ? 'is being planned again'
          : `is ${state.status} now`;
  return { row, kind: 'removed', text: `${why}${amount}` };
}

const arrow = (before: string, after: string) => `${before} → ${after}`;
const quoted = (text: string | undefined) => `“${printable(text ?? '')}”`;
