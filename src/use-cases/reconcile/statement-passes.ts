/**
 * The two readings of a statement: the first finds how far it reaches and what its signs mean, the second finds the
 * row of each line. Nothing of it is held but what fits a payout.
 *
 * Errors:  FileRefused for a statement with too many lines, or too many that can hardly be told apart.
 */
import { asTag, asTransferId, type BatchId } from '../../domain/payouts/instruction.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import type { StatementColumns } from '../../domain/statement/columns.ts';
import type { FindingOf } from '../../domain/statement/findings.ts';
import { readStatementLine, type StatementLine } from '../../domain/statement/line.ts';
import { LOOSE_MAX, type StatementIndex } from '../../domain/statement/match.ts';
import { SignFinder, type SignRule } from '../../domain/statement/signs.ts';
import { SpanFinder, type StatementSpan } from '../../domain/statement/span.ts';
import type { DateOrder } from '../../domain/text/written-date.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import { FileRefused, type RowSource } from '../../ports/row-source.ts';

export const STATEMENT_LINES_MAX = 1_000_000;
const NO_DATE_COLUMN = 'none of its columns is known as the date; name it with --map date="Header"';
const FOREIGN_KEPT = 1_000;

export interface Pass {
  readonly source: RowSource;
  readonly columns: StatementColumns;
  readonly index: StatementIndex;
  readonly batchId: BatchId;
  readonly signal: AbortSignal | undefined;
  readonly fileName: string;
}

export interface Tally {
  otherBatches: number;
  foreign: number;
  readonly foreignFirst: StatementLine[];
  readonly theirs: FindingOf<'theirs_only'>[];
  unreadable: number;
}

export async function measureStatement(
  { source, columns, index, signal, fileName }: Pass,
  { dateOrder, now }: { readonly dateOrder: DateOrder | undefined; readonly now: number },
): Promise<{ readonly span: StatementSpan; readonly signs: SignRule }> {
  const finder = new SpanFinder(dateOrder, now);
  const signs = new SignFinder();
  let lines = 0;
  for await (const rows of source.rows(signal)) {
    lines += rows.length;
    if (lines > STATEMENT_LINES_MAX)
      throw new FileRefused(
        `${fileName} has more than ${STATEMENT_LINES_MAX} lines. Split it, or export a shorter time.`,
      );
    for (const row of rows) {
      const line = readStatementLine(row, columns);
      finder.add(...line.dateTexts);
      signs.add(line, index.ownerOf(line));
    }
  }
  const span = finder.result();
  const isUndated = !columns.has('date') && lines > 0;
  return {
    span: isUndated ? { ...span, doubt: NO_DATE_COLUMN } : span,
    signs: signs.result(span, index.entries),
  };
}

interface Meaning {
  readonly order: DateOrder;
  readonly signs: SignRule;
}

export async function placeLines(pass: Pass, { order, signs }: Meaning, ledger: Ledger): Promise<Tally> {
  const { source, columns, index, signal } = pass;
  const tally: Tally = { otherBatches: 0, foreign: 0, foreignFirst: [], theirs: [], unreadable: 0 };
  for await (const rows of source.rows(signal)) {
    for (const row of rows) {
      const line = readStatementLine(row, columns, signs);
      const placed = index.place(line);
      if (placed.kind === 'unknown_tag') await placeTag(line, placed.tag, { pass, tally }, ledger);
      if (placed.kind === 'placed' || placed.kind === 'unknown_tag') continue;
      if (line.account === undefined || line.amounts.length === 0) tally.unreadable += 1;
      if (await isOfOtherBatch(line, pass, ledger)) tally.otherBatches += 1;
      else if (placed.kind !== 'loose') countForeign(line, tally);
      else keepLoose(line, { pass, tally, order });
    }
  }
  for (const line of index.settleLoose(order)) countForeign(line, tally);
  return tally;
}

interface Keeping {
  readonly pass: Pass;
  readonly tally: Tally;
  readonly order: DateOrder;
}

function keepLoose(line: StatementLine, { pass, tally, order }: Keeping): void {
  const kept = pass.index.keepLoose(line, order);
  if (kept === 'foreign') countForeign(line, tally);
  if (kept === 'too_many')
    throw new FileRefused(
      `${pass.fileName}: more than ${LOOSE_MAX} lines can be told apart only by account and amount. Export the narration or the transfer id as well.`,
    );
}

/** An id in the narration is looked for only where the line may else be taken for a row's. */
async function isOfOtherBatch(
  line: StatementLine,
  { batchId, index }: Pass,
  ledger: Ledger,
): Promise<boolean> {
  const isOther = (holder: Payout | undefined) => holder !== undefined && holder.batchId !== batchId;
  for (const id of line.ids) if (isOther(await ledger.payoutOfTransfer(asTransferId(id)))) return true;
  if (!index.isLikeARow(line)) return false;
  // A number alone may be an invoice's.
  for (const word of line.words)
    if (/\D/.test(word) && isOther(await ledger.payoutOfTransfer(asTransferId(word)))) return true;
  return false;
}

/** A tag that no row of the batch shows now: another batch's, a withdrawn row's, or nobody's. */
async function placeTag(
  line: StatementLine,
  tag: string,
  { pass, tally }: { readonly pass: Pass; readonly tally: Tally },
  ledger: Ledger,
): Promise<void> {
  const holder = await ledger.payoutOfTag(asTag(tag));
  if (holder !== undefined && holder.batchId !== pass.batchId) {
    tally.otherBatches += 1;
    return;
  }
  const why =
    holder === undefined
      ? 'this ledger gave no payment that tag; perhaps it was made with another ledger'
      : `row ${holder.rowNumber} has that tag and is ${holder.state.status}: it was never sent`;
  tally.theirs.push({ kind: 'theirs_only', line, tag, why, unsent: undefined });
}

function countForeign(line: StatementLine, tally: Tally): void {
  tally.foreign += 1;
  if (tally.foreignFirst.length < FOREIGN_KEPT) tally.foreignFirst.push(line);
}
