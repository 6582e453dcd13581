/**
 * Compares a batch with a statement or dashboard export, and proposes rulings for rows in doubt. It never rules by
 * itself; what leaves no doubt may then be accepted (accept-findings.ts).
 *
 * The statement is read twice, first for how far it reaches: nothing of it is held but what fits a payout.
 * Errors:  FileRefused for a statement that cannot be used as a whole.
 */
import { asTag, asTransferId, type BatchId, type PayoutId } from '../domain/instruction.ts';
import {
  bindStatement,
  type StatementColumns,
  type StatementMap,
  statementFieldOf,
} from '../domain/statement-columns.ts';
import { entryOf } from '../domain/statement-entry.ts';
import type { Finding, FindingOf } from '../domain/statement-findings.ts';
import { judge, weighAbsences } from '../domain/statement-judge.ts';
import { readStatementLine, type StatementLine } from '../domain/statement-line.ts';
import { ENTRIES_MAX, LOOSE_MAX, StatementIndex } from '../domain/statement-match.ts';
import { SpanFinder, type StatementSpan } from '../domain/statement-span.ts';
import type { DateOrder } from '../domain/written-date.ts';
import type { Ledger } from '../ports/ledger.ts';
import { FileRefused, type OpenRows, type OpenRowsOptions, type RowSource } from '../ports/row-source.ts';
import { notedIncidents } from './raise-incident.ts';
import type { World } from './world.ts';

export const STATEMENT_LINES_MAX = 1_000_000;

export interface StatementOptions {
  readonly open: OpenRowsOptions;
  /** For messages and for what is kept with a ruling. */
  readonly fileName: string;
  readonly map: StatementMap;
  readonly dateOrder: DateOrder | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Reconciled {
  readonly findings: readonly Finding[];
  readonly span: StatementSpan;
  readonly sha256: string;
  /** Lines of payments that other batches of this ledger made. */
  readonly otherBatches: number;
  /** Lines that are no payment of this ledger as far as can be told: how many, and the first few. */
  readonly foreign: number;
  readonly foreignFirst: readonly StatementLine[];
  /** Incidents of the batch that are kept in the ledger and that this statement does not show. */
  readonly keptIncidents: readonly KeptIncident[];
}

export interface KeptIncident {
  readonly rowNumber: number;
  readonly what: string;
}

const FOREIGN_SHOWN = 20;
const TAG_LENGTH = 11;
const NO_DATE_COLUMN = 'none of its columns is known as the date; name it with --map date="Header"';

export async function reconcileBatch(
  batchId: BatchId,
  { openRows, options }: { readonly openRows: OpenRows; readonly options: StatementOptions },
  world: Pick<World, 'ledger' | 'policy' | 'clock'>,
): Promise<Reconciled> {
  const { map, dateOrder, signal, fileName } = options;
  const words = {
    named: (header: string) => statementFieldOf(header, map),
    expected: 'date, amount, account, narration, transfer id',
  };
  const source = await openRows({ ...options.open, map: undefined, words });
  try {
    const bound = bindStatement(source.headers, map);
    if (bound.kind === 'unusable')
      throw new FileRefused(`${fileName}, header on row ${source.headerRow}: ${bound.why}.`);
    const { columns } = bound;
    const index = await indexOf(batchId, world.ledger);
    const span = await spanOf(source, columns, { dateOrder, now: world.clock.now(), signal, fileName });
    const tally = { otherBatches: 0, foreign: 0, foreignFirst: [], theirs: [], unreadable: 0 };
    await placeLines({ source, columns, index, batchId, tally, signal, fileName }, world.ledger);
    for (const line of index.settleLoose(span.order)) countForeign(line, tally);
    signal?.throwIfAborted();
    const { failedWords, returnedWords, failConfirmMs, noteTag, noteMax } = world.policy;
    const judging = {
      span,
      shows: index.shows,
      unreadableLines: tally.unreadable,
      isTagged: noteTag && noteMax >= TAG_LENGTH,
      words: { failedWords, returnedWords, failConfirmMs },
    };
    const findings = index.entries.flatMap((entry) => {
      const lines = {
        matched: index.linesOf(entry),
        candidates: index.candidatesOf(entry),
        similar: index.similarTo(entry),
      };
      return judge(entry, lines, judging);
    });
    const { otherBatches, foreign, foreignFirst } = tally;
    const all = [...weighAbsences(findings), ...tally.theirs];
    const keptIncidents = await incidentsBeside(findings, batchId, { index, ledger: world.ledger });
    const counted = { otherBatches, foreign, foreignFirst };
    return { findings: all, span, sha256: source.fileSha256(), ...counted, keptIncidents };
  } finally {
    await source.close();
  }
}

/** What was an incident stays one, whether the statement shows it or not. */
async function incidentsBeside(
  findings: readonly Finding[],
  batchId: BatchId,
  { index, ledger }: { readonly index: StatementIndex; readonly ledger: Ledger },
): Promise<readonly KeptIncident[]> {
  const shown = new Set<PayoutId>();
  for (const finding of findings) if (finding.kind === 'incident') shown.add(finding.entry.payoutId);
  const kept = new Map<PayoutId, string>();
  for (const { payoutId, isIncident } of index.entries)
    if (isIncident) kept.set(payoutId, 'it was called failed and is paid');
  for (const [payoutId, what] of await notedIncidents(batchId, { ledger })) kept.set(payoutId, what);
  const incidents: KeptIncident[] = [];
  for (const [payoutId, what] of kept) {
    const payout = shown.has(payoutId) ? undefined : await ledger.payout(payoutId);
    if (payout !== undefined) incidents.push({ rowNumber: payout.rowNumber, what });
  }
  return incidents.sort((one, other) => one.rowNumber - other.rowNumber);
}

async function indexOf(batchId: BatchId, ledger: Ledger): Promise<StatementIndex> {
  const index = new StatementIndex();
  for await (const page of ledger.reportRows(batchId)) {
    for (const { payout, replaced } of page) {
      for (const each of [...replaced, payout]) {
        const entry = entryOf(each, each.id === payout.id);
        if (entry !== undefined) index.add(entry);
      }
    }
    if (index.entries.length > ENTRIES_MAX)
      throw new FileRefused(
        `The batch has more than ${ENTRIES_MAX} payments; so many cannot be compared with a statement at once.`,
      );
  }
  return index;
}

interface SpanQuestion {
  readonly dateOrder: DateOrder | undefined;
  readonly now: number;
  readonly signal: AbortSignal | undefined;
  readonly fileName: string;
}

async function spanOf(
  source: RowSource,
  columns: StatementColumns,
  { dateOrder, now, signal, fileName }: SpanQuestion,
): Promise<StatementSpan> {
  const finder = new SpanFinder(dateOrder, now);
  const at = columns.get('date')?.[0];
  let lines = 0;
  for await (const rows of source.rows(signal)) {
    lines += rows.length;
    if (lines > STATEMENT_LINES_MAX)
      throw new FileRefused(
        `${fileName} has more than ${STATEMENT_LINES_MAX} lines. Split it, or export a shorter time.`,
      );
    for (const { cells } of rows) finder.add(at === undefined ? '' : (cells[at] ?? ''));
  }
  const span = finder.result();
  return at === undefined && lines > 0 ? { ...span, doubt: NO_DATE_COLUMN } : span;
}

interface Tally {
  otherBatches: number;
  foreign: number;
  readonly foreignFirst: StatementLine[];
  readonly theirs: FindingOf<'theirs_only'>[];
  unreadable: number;
}

interface Placing {
  readonly source: RowSource;
  readonly columns: StatementColumns;
  readonly index: StatementIndex;
  readonly batchId: BatchId;
  readonly tally: Tally;
  readonly signal: AbortSignal | undefined;
  readonly fileName: string;
}

async function placeLines(placing: Placing, ledger: Ledger): Promise<void> {
  const { source, columns, index, tally, signal, fileName } = placing;
  for await (const rows of source.rows(signal)) {
    for (const row of rows) {
      const line = readStatementLine(row, columns);
      const placed = index.place(line);
      if (placed.kind === 'unknown_tag') await placeTag(line, placed.tag, placing, ledger);
      if (placed.kind === 'placed' || placed.kind === 'unknown_tag') continue;
      if (line.account === undefined || line.amounts.length === 0) tally.unreadable += 1;
      if (await isOfOtherBatch(line, placing, ledger)) tally.otherBatches += 1;
      else if (placed.kind !== 'loose') countForeign(line, tally);
      else if (!index.keepLoose(line))
        throw new FileRefused(
          `${fileName}: more than ${LOOSE_MAX} lines can be told apart only by account and amount. Export the narration or the transfer id as well.`,
        );
    }
  }
}

async function isOfOtherBatch(line: StatementLine, { batchId }: Placing, ledger: Ledger): Promise<boolean> {
  for (const id of line.ids) {
    const holder = await ledger.payoutOfTransfer(asTransferId(id));
    if (holder !== undefined && holder.batchId !== batchId) return true;
  }
  return false;
}

/** A tag that no row of the batch shows now: another batch's, a withdrawn row's, or nobody's. */
async function placeTag(
  line: StatementLine,
  tag: string,
  { batchId, tally }: Placing,
  ledger: Ledger,
): Promise<void> {
  const holder = await ledger.payoutOfTag(asTag(tag));
  if (holder !== undefined && holder.batchId !== batchId) {
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
  if (tally.foreignFirst.length < FOREIGN_SHOWN) tally.foreignFirst.push(line);
}
