/**
 * One line for several payments: it names them all and is their sum, or it is the total of a batch or of one day of it.
 * A total shows the payments that have no line of their own. It rules on no row in doubt.
 */
import type { Money } from '../money/money.ts';
import type { Window } from '../payouts/attempt.ts';
import type { WrittenDate } from '../text/written-date.ts';
import type { WallClock } from '../time-zone.ts';
import { timestampOf } from '../timestamp.ts';
import { mayBeBooked } from './dates.ts';
import { isDoubt, putEntry, type StatementEntry } from './entry.ts';
import { allReadings, type Figure, moneyIn, plainAmount } from './figures.ts';
import type { StatementLine } from './line.ts';

/** What a line for several payments shows of one of them. */
export interface Part {
  readonly figure: Figure;
  readonly money: Money;
}

const PARTS: readonly ((entry: StatementEntry) => Part | undefined)[] = [
  ({ amount }) => ({ figure: 'amount', money: amount }),
  ({ debit }) => debit && { figure: 'debit', money: debit },
  ({ principal }) => principal && { figure: 'principal', money: principal },
  ({ quoted }) => quoted && { figure: 'debit', money: quoted.debit },
  ({ quoted }) => quoted && { figure: 'principal', money: quoted.principal },
];

/** By payment; undefined if the line is not their exact sum. */
export function partsOfSum(
  entries: readonly StatementEntry[],
  line: StatementLine,
): ReadonlyMap<StatementEntry, Part> | undefined {
  for (const partOf of PARTS) {
    const parts = partsIn(entries, partOf);
    const sum = parts && sumOf(parts);
    if (sum !== undefined && moneyIn(line, sum.currency).some(({ minor }) => minor === sum.minor))
      return parts;
  }
  return undefined;
}

function partsIn(
  entries: readonly StatementEntry[],
  partOf: (entry: StatementEntry) => Part | undefined,
): ReadonlyMap<StatementEntry, Part> | undefined {
  const parts = new Map<StatementEntry, Part>();
  for (const entry of entries) {
    const part = partOf(entry);
    if (part === undefined) return undefined;
    parts.set(entry, part);
  }
  return parts;
}

/** undefined where they are of several currencies. */
function sumOf(parts: ReadonlyMap<StatementEntry, Part>): Money | undefined {
  let sum: Money | undefined;
  for (const { money } of parts.values()) {
    if (sum !== undefined && sum.currency !== money.currency) return undefined;
    sum = { minor: money.minor + (sum?.minor ?? 0n), currency: money.currency };
  }
  return sum;
}

interface Total {
  readonly parts: ReadonlyMap<StatementEntry, Part>;
  readonly sum: Money;
  readonly window: Window;
}

const MADE: ReadonlySet<string> = new Set(['accepted', 'settled', 'returned']);

/** Totals of the payments without a line of their own: of each batch, and of each day of it. */
export class PaymentTotals {
  /** By the sum as a line shows it: most of a million lines have the amount of none. */
  readonly #totals = new Map<string, Total[]>();

  constructor(entries: Iterable<StatementEntry>, clock: WallClock) {
    const groups = new Map<string, StatementEntry[]>();
    for (const entry of entries) {
      const { batchId, window, amount } = entry;
      if (window === undefined || !(MADE.has(entry.status) || isDoubt(entry))) continue;
      for (const key of ['', clock.day(timestampOf(window.from))])
        for (const currency of ['', amount.currency])
          for (const who of isDoubt(entry) ? ['all'] : ['made', 'all'])
            putEntry(groups, `${batchId} ${key} ${currency} ${who}`, entry);
    }
    const seen = new Set<string>();
    for (const group of groups.values()) {
      const members = group.map(({ payoutId }) => payoutId).join(' ');
      if (group.length > 1 && !seen.has(members)) this.#add(group);
      seen.add(members);
    }
  }

  #add(group: readonly StatementEntry[]): void {
    const windows = group.flatMap(({ window }) => window ?? []);
    const window = {
      from: Math.min(...windows.map(({ from }) => from)),
      until: Math.max(...windows.map(({ until }) => until)),
    };
    for (const partOf of PARTS) {
      const parts = partsIn(group, partOf);
      const sum = parts && sumOf(parts);
      if (parts === undefined || sum === undefined) continue;
      const plain = plainAmount(sum);
      this.#totals.set(plain, [...(this.#totals.get(plain) ?? []), { parts, sum, window }]);
    }
  }

  /** The payments of which the line is the total; undefined if it is none, or may be two. */
  partsOf(line: StatementLine, date: WrittenDate | undefined): ReadonlyMap<StatementEntry, Part> | undefined {
    if (line.direction !== 'out' || line.tags.length + line.cutTags.length > 0) return undefined;
    const alike = allReadings(line).flatMap((amount) => this.#totals.get(amount) ?? []);
    const fitting = alike.filter(
      ({ sum, window, parts }) =>
        moneyIn(line, sum.currency).some(({ minor }) => minor === sum.minor) &&
        mayBeBooked(date, window) &&
        (line.payments === undefined || line.payments === parts.size),
    );
    const [first, second] = fitting;
    return second === undefined ? first?.parts : undefined;
  }
}
