/**
 * Rows of one file that pay the same account the same amount under references of their own. They are no repeats, so
 * nothing is held; but whoever numbers rows anew may have one person in the file twice, so they are named.
 *
 * Bounded: a million rows take 32 MB (seen-keys.ts); so many groups, and rows of a group, are listed, the rest counted.
 */
import { counted, rowsText } from './counted.ts';
import type { InstructionKeys } from './instruction.ts';
import { createSeenKeys } from './seen-keys.ts';

export interface SameMoneyFinder {
  /** Call for every row that can be paid and is no repeat, in file order, once. */
  look(rowNumber: number, keys: Pick<InstructionKeys, 'referenceKey' | 'paymentKey'>): void;
  /** `Rows 22 and 23: same account and amount, other references`; one line a group. */
  notes(): readonly string[];
}

const GROUPS_MAX = 20;
const ROWS_MAX = 10;

interface Group {
  readonly rows: number[];
  count: number;
}

export function createSameMoneyFinder(): SameMoneyFinder {
  const payments = createSeenKeys();
  const groups = new Map<number, Group>();
  let others = 0;
  return {
    look(rowNumber, { referenceKey, paymentKey }) {
      if (referenceKey === undefined) return;
      const first = payments.meet(paymentKey, rowNumber, 0);
      if (first === undefined) return;
      const group = groups.get(first.rowNumber) ?? newGroup(first.rowNumber, groups);
      if (group === undefined) others += 1;
      else {
        group.count += 1;
        if (group.rows.length < ROWS_MAX) group.rows.push(rowNumber);
      }
    },
    notes() {
      const lines = [...groups.values()].map(
        (group) => `Rows ${listed(group)}: same account and amount, other references`,
      );
      if (others > 0)
        lines.push(
          `${counted(others, 'more row pays', 'more rows pay')} an account and amount of another row`,
        );
      return lines;
    },
  };
}

function newGroup(first: number, groups: Map<number, Group>): Group | undefined {
  if (groups.size >= GROUPS_MAX) return undefined;
  const group = { rows: [first], count: 1 };
  groups.set(first, group);
  return group;
}

/** `22 and 23`, `2, 3 and 4`, `2, 3, … and 4 rows more`. */
function listed({ rows, count }: Group): string {
  const more = count - rows.length;
  if (more > 0) return `${rows.join(', ')} and ${rowsText(more)} more`;
  return `${rows.slice(0, -1).join(', ')} and ${rows.at(-1)}`;
}
