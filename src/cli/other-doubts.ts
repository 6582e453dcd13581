/**
 * Rows of any batch whose outcome is not known, told by every command that a person or cron looks at: a batch that
 * nobody runs any more would never tell of itself.
 */
import { rowsText } from '../domain/counted.ts';
import type { OpenDoubts } from '../ports/ledger-doubts.ts';
import { type Call, shellWord, typed } from './call.ts';

/** A cron mail stays short; `status` names all of them. */
const LINES_MAX = 2;

export interface ToldDoubts {
  readonly text: string;
  /** The command to type. */
  readonly next: string;
}

export function tellDoubts(doubts: OpenDoubts, call: Pick<Call, 'flags'>): ToldDoubts {
  const { batchId, name, inDoubt, leftInFlight, firstRow } = doubts;
  const label = shellWord(name ?? batchId);
  const what = [
    ...(inDoubt > 0 ? [`${rowsText(inDoubt)} in doubt`] : []),
    ...(leftInFlight > 0
      ? [`${rowsText(leftInFlight)} on the wire when its process ended, and nobody looked since`]
      : []),
  ].join(', ');
  // What was left in flight is in doubt once its batch is taken up again; settling sends nothing.
  const words =
    leftInFlight > 0 || firstRow === undefined ? `settle ${label}` : `explain ${label} ${firstRow}`;
  return { text: `Batch ${name ?? batchId} has ${what}`, next: typed(call, words) };
}

/** One line a batch, without the one that the command was about. */
export function otherDoubtLines(
  all: readonly OpenDoubts[],
  batchId: string | undefined,
  call: Pick<Call, 'flags'>,
): readonly string[] {
  const others = all.filter((doubts) => doubts.batchId !== batchId);
  const shown = others.length > LINES_MAX ? LINES_MAX - 1 : LINES_MAX;
  const lines = others.slice(0, shown).map((doubts) => {
    const { text, next } = tellDoubts(doubts, call);
    return `${text}: ${next}`;
  });
  const left = others.length - lines.length;
  return left === 0
    ? lines
    : [...lines, `… and ${left} more batches have rows in doubt: ${typed(call, 'doctor')}`];
}

/** How many rows of the ledger, over all batches. */
export function doubtRows(all: readonly OpenDoubts[]): number {
  return all.reduce((sum, { inDoubt, leftInFlight }) => sum + inDoubt + leftInFlight, 0);
}
