/**
 * Rows of a batch that a report over days leaves out: which, and why. Rows of the batch = rows in the report + rows left
 * out, so that nobody takes a month for the whole of its batches.
 */
import { type Batch, batchLabel } from '../batches/batch.ts';
import { type Status, UNSENT } from '../payouts/payout.ts';
import { countText, printable, rowsText } from '../text/printable.ts';
import { STATUS_WORDS } from './status-words.ts';

/** A state of rows that were never sent, or that something happened to them on other days. */
export type WhyLeftOut = Status | 'other_days';

export interface LeftOut {
  readonly why: WhyLeftOut;
  readonly count: number;
  /** `3-11, 15`; ends in `…` where there are too many to name. */
  readonly rows: string;
}

/** A batch that a report over days has rows of. */
export interface BatchShare {
  readonly batch: Batch;
  /** As the ledger counts them. */
  readonly allRows: number;
  readonly rows: number;
  readonly leftOut: readonly LeftOut[];
}

const RANGES_MAX = 20;

type Range = { from: number; to: number };
type Tally = Pick<LeftOut, 'why'> & { count: number; readonly ranges: Range[] };

export const NEVER_SENT: readonly Status[] = [...UNSENT, 'canceled', 'invalid'];

export class LeftOutRows {
  readonly #tallies = new Map<WhyLeftOut, Tally>();

  add({ row, why }: { readonly row: number; readonly why: WhyLeftOut }): void {
    const tally = this.#tallies.get(why) ?? { why, count: 0, ranges: [] };
    this.#tallies.set(why, tally);
    tally.count += 1;
    const last = tally.ranges.at(-1);
    if (last?.to === row - 1) last.to = row;
    else if (tally.ranges.length <= RANGES_MAX) tally.ranges.push({ from: row, to: row });
  }

  /** What waits for a person comes first. */
  list(): readonly LeftOut[] {
    return [...this.#tallies.values()]
      .sort((one, other) => ORDER.indexOf(one.why) - ORDER.indexOf(other.why))
      .map(({ ranges, ...tally }) => ({ ...tally, rows: rangesText(ranges) }));
  }
}

const ORDER: readonly WhyLeftOut[] = [
  'held',
  'quoted',
  'approved',
  'planned',
  'invalid',
  'canceled',
  'other_days',
];

function rangesText(ranges: readonly Range[]): string {
  const named = ranges
    .slice(0, RANGES_MAX)
    .map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
  return [...named, ...(ranges.length > RANGES_MAX ? ['…'] : [])].join(', ');
}

/** `held: rows 3-11, 15`. */
export function leftOutText({ why, count, rows }: LeftOut): string {
  return `${whyText(why)}: ${count === 1 ? 'row' : 'rows'} ${rows}`;
}

function whyText(why: WhyLeftOut): string {
  return why === 'other_days' ? 'sent or ended on other days' : STATUS_WORDS[why].counted;
}

/** As it stands in the column Batch of the payments. */
export function shareName({ batch: { name } }: BatchShare): string {
  return printable(name);
}

/** `Batch may: 8 of 20 rows. Left out:`, then one line for each reason. */
export function shareLines({ batch, allRows, rows, leftOut }: BatchShare): readonly string[] {
  const name = `Batch ${batchLabel(batch)}`;
  if (leftOut.length === 0) return [`${name}: ${rowsText(rows)}`];
  return [
    `${name}: ${countText(rows)} of ${rowsText(allRows)}. Left out:`,
    ...leftOut.map((left) => `  ${countText(left.count)} ${leftOutText(left)}`),
  ];
}

/** By how many rows report and rows left out come to more than the ledger has. */
export function shareGap(share: BatchShare): number {
  return share.rows + leftOutCount(share) - share.allRows;
}

export function leftOutCount({ leftOut }: BatchShare): number {
  return leftOut.reduce((sum, { count }) => sum + count, 0);
}
