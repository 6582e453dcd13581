/**
 * Lines with a row's account and amount that are not taken for its own: dated outside the time in which it may be
 * booked, or beside a line that is its own by tag or transfer id. They are told beside the row and match nothing.
 *
 * Limits:  a few lines of each payout, the nearest in time.
 */

import type { DateOrder } from '../text/written-date.ts';
import { dateOf, daysAway, mayBeBooked } from './date.ts';
import type { StatementEntry } from './entry.ts';
import { KeptLines } from './kept.ts';
import type { StatementLine } from './line.ts';

export interface AlikeLine {
  readonly line: StatementLine;
  /** Days after the row's time, negative before it; 0 is in it. */
  readonly away: number;
}

export class AlikeLines {
  readonly #lines = new KeptLines<AlikeLine>();

  keep(entry: StatementEntry, line: StatementLine, order: DateOrder): void {
    if (entry.window === undefined) return;
    const date = dateOf(line, order);
    const isInTime = date === undefined || mayBeBooked(date, entry.window);
    const lines = [...this.linesOf(entry), { line, away: isInTime ? 0 : daysAway(date, entry.window) }];
    lines.sort((one, other) => Math.abs(one.away) - Math.abs(other.away));
    this.#lines.set(entry, lines);
  }

  linesOf(entry: StatementEntry): readonly AlikeLine[] {
    return this.#lines.of(entry);
  }

  get rowNumbers(): ReadonlySet<number> {
    return this.#lines.rowNumbers;
  }
}

/** Those that matter to a row that has its own line: at its time, or money coming in after it. */
export function besideOf(alike: readonly AlikeLine[]): readonly AlikeLine[] {
  return alike.filter(({ line, away }) => away === 0 || (away > 0 && line.direction === 'in'));
}

/** `line 8: same account and amount, 6 days later`. */
export function alikeText({ line, away }: AlikeLine): string {
  const days = Math.abs(away) === 1 ? 'a day' : `${Math.abs(away)} days`;
  const when = away === 0 ? 'at its time' : `${days} ${away > 0 ? 'later' : 'earlier'}`;
  return `line ${line.rowNumber}: same account and amount, ${when}${line.direction === 'in' ? ', coming in' : ''}`;
}
