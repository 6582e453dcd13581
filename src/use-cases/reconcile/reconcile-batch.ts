/**
 * Compares a batch with a statement or dashboard export, and proposes rulings for rows in doubt. It never rules by
 * itself; what leaves no doubt may then be accepted (accept-findings.ts).
 *
 * The statement is read twice, first for how far it reaches: nothing of it is held but what fits a payout.
 * Errors:  FileRefused for a statement that cannot be used as a whole.
 */
import type { BatchId, PayoutId } from '../../domain/payouts/instruction.ts';
import { bindStatement, type StatementMap, statementFieldOf } from '../../domain/statement/columns.ts';
import { entryOf } from '../../domain/statement/entry.ts';
import { type Finding, linesOf } from '../../domain/statement/findings.ts';
import { judge, weighAbsences } from '../../domain/statement/judge.ts';
import type { StatementLine } from '../../domain/statement/line.ts';
import { ENTRIES_MAX, StatementIndex } from '../../domain/statement/match.ts';
import type { SignRule } from '../../domain/statement/signs.ts';
import type { StatementSpan } from '../../domain/statement/span.ts';
import type { DateOrder } from '../../domain/text/written-date.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import { FileRefused, type OpenRows, type OpenRowsOptions } from '../../ports/row-source.ts';
import { notedIncidents } from '../settle/raise-incident.ts';
import type { World } from '../world.ts';
import { measureStatement, placeLines, type Tally } from './statement-passes.ts';

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
  /** What a sign means in it. */
  readonly signs: SignRule;
  /** What its columns of dates are called. */
  readonly dateHeaders: readonly string[];
  readonly sha256: string;
  /** Each line is in one of these; together they are the lines of the span. */
  readonly lines: {
    /** About rows of this batch. */
    readonly ofRows: number;
    /** With a tag of ours that no row of this batch has. */
    readonly ofUnknownTags: number;
    readonly ofOtherBatches: number;
    readonly foreign: number;
    /** Of those about rows: in no finding by number, because their row has too many. */
    readonly unnamed: number;
  };
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

const TAG_LENGTH = 11;

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
    const pass = { source, columns, index, batchId, signal, fileName };
    const { span, signs } = await measureStatement(pass, { dateOrder, now: world.clock.now() });
    const tally = await placeLines(pass, { order: span.order, signs }, world.ledger);
    signal?.throwIfAborted();
    const { failedWords, returnedWords, failConfirmMs, noteTag, noteMax } = world.policy;
    const judging = {
      span,
      signs,
      shows: index.shows,
      unreadableLines: tally.unreadable,
      isTagged: noteTag && noteMax >= TAG_LENGTH,
      words: { failedWords, returnedWords, failConfirmMs },
    };
    const findings = index.entries.flatMap((entry) => judge(entry, index.allOf(entry), judging));
    const all = [...weighAbsences(findings), ...tally.theirs];
    const keptIncidents = await incidentsBeside(findings, batchId, { index, ledger: world.ledger });
    const dateHeaders = (columns.get('date') ?? []).map((at) => source.headers[at] ?? '');
    const read = { span, signs, dateHeaders, sha256: source.fileSha256() };
    return { findings: all, ...read, ...accountFor(tally, findings, index), keptIncidents };
  } finally {
    await source.close();
  }
}

/** A line that is no row's and is told beside one counts with the row's. */
function accountFor(
  { theirs, otherBatches, foreign, foreignFirst }: Tally,
  findings: readonly Finding[],
  index: StatementIndex,
): Pick<Reconciled, 'lines' | 'otherBatches' | 'foreign' | 'foreignFirst'> {
  const named = new Set(findings.flatMap(linesOf).map(({ rowNumber }) => rowNumber));
  const hinted = index.hintedRows;
  const near = [...hinted].filter((rowNumber) => named.has(rowNumber)).length;
  const left = foreign - near;
  const ofRows = index.rowLines + near;
  const lines = { ofRows, ofUnknownTags: theirs.length, ofOtherBatches: otherBatches, foreign: left };
  const isLeft = ({ rowNumber }: StatementLine) => !hinted.has(rowNumber) || !named.has(rowNumber);
  return {
    lines: { ...lines, unnamed: ofRows - named.size },
    ...{ otherBatches, foreign: left, foreignFirst: foreignFirst.filter(isLeft) },
  };
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
