/**
 * Which line is whose, among lines and payouts that only account, amount and time tie together.
 *
 * The same amount to the same account a few days apart, booked a few days later, can be told apart only where no
 * outcome is open: as many lines as payments that the service made, in the order of time. With a payment in doubt
 * among them, nothing is decided.
 */
import type { PayoutId } from '../payouts/instruction.ts';
import type { DateOrder } from '../text/written-date.ts';
import { dateOf } from './date.ts';
import type { StatementEntry } from './entry.ts';
import type { StatementLine } from './line.ts';

/** Lines that fit the same payouts. */
export interface LooseGroup {
  readonly lines: StatementLine[];
  readonly entries: readonly StatementEntry[];
  /** The account is shown in part only. */
  readonly isMasked: boolean;
}

export interface LinePair {
  readonly entry: StatementEntry;
  readonly line: StatementLine;
}

/** Groups that share a payout belong together, and so on from one to the next. */
export function familiesOf(groups: readonly LooseGroup[]): readonly (readonly LooseGroup[])[] {
  const familyOf = new Map<PayoutId, Set<LooseGroup>>();
  for (const group of groups) {
    let joined = new Set([group]);
    for (const { payoutId } of group.entries) {
      const family = familyOf.get(payoutId);
      if (family === undefined || family === joined) continue;
      // The smaller one moves, so that no group moves often.
      const [kept, moved] = family.size < joined.size ? [joined, family] : [family, joined];
      for (const each of moved) {
        kept.add(each);
        for (const entry of each.entries) familyOf.set(entry.payoutId, kept);
      }
      joined = kept;
    }
    for (const { payoutId } of group.entries) familyOf.set(payoutId, joined);
  }
  return [...new Set(familyOf.values())].map((family) => [...family]);
}

/** undefined where it is not plain which line is whose. */
export function pairUp(family: readonly LooseGroup[], order: DateOrder): readonly LinePair[] | undefined {
  if (new Set(family.map(({ isMasked }) => isMasked)).size > 1) return undefined;
  const entries = [...new Set(family.flatMap((group) => group.entries))];
  const lines = family.flatMap((group) => {
    const fits = new Set(group.entries);
    return group.lines.map((line) => ({ line, fits }));
  });
  const [only, another] = entries;
  // All lines of one payout: two of them are said to be two.
  if (only !== undefined && another === undefined) return lines.map(({ line }) => ({ entry: only, line }));
  // What came back is not told from the payment of another row.
  if (lines.some(({ line }) => line.direction !== 'out')) return undefined;
  const made = entries.filter(isMade);
  if (made.length !== lines.length || !entries.every((entry) => isMade(entry) || isRefused(entry)))
    return undefined;
  const at = (line: StatementLine) => dateOf(line, order)?.from ?? Number.POSITIVE_INFINITY;
  const inOrder = lines.toSorted((one, other) => compare(at(one.line), at(other.line)));
  made.sort((one, other) => compare(one.window?.from ?? 0, other.window?.from ?? 0));
  const pairs: LinePair[] = [];
  for (const [index, { line, fits }] of inOrder.entries()) {
    const entry = made[index];
    if (entry === undefined || !fits.has(entry)) return undefined;
    pairs.push({ entry, line });
  }
  return pairs;
}

function isMade({ status }: StatementEntry): boolean {
  return status === 'accepted' || status === 'settled';
}

/** The service said no before executing: no line is expected of it while all are accounted for. */
function isRefused({ status, basis }: StatementEntry): boolean {
  return status === 'failed' && basis === 'refused';
}

/** Infinity less infinity is no order. */
function compare(one: number, other: number): number {
  return one === other ? 0 : one - other;
}
