/**
 * The report over a span of days: every row of any batch whose payment was sent, settled, returned or ended in it,
 * batch by batch, oldest first, each row once, as it stands now.
 *
 * Proof:   while a batch is read, all its rows are counted against what the ledger counts by itself, so a row that
 *          got lost shows as totals that do not tie, whether it belongs to the span or not.
 */
import { type Batch, type BatchFile, type BatchOutcome, batchOutcome } from '../../domain/batches/batch.ts';
import { freeRedoName } from '../../domain/next-steps/pay-again.ts';
import type { FamilyMember } from '../../domain/payouts/family.ts';
import { asBatchId, type PayoutId } from '../../domain/payouts/instruction.ts';
import { type Payout, sentAtOf } from '../../domain/payouts/payout.ts';
import type { SentPayout } from '../../domain/reporting/booking.ts';
import { type ControlTotals, LineCounter } from '../../domain/reporting/control-totals.ts';
import { type BatchShare, LeftOutRows } from '../../domain/reporting/left-out.ts';
import { isDated, isInPeriod, type Period } from '../../domain/reporting/period.ts';
import type { ReportHeader } from '../../domain/reporting/report.ts';
import { lineContext, type ReportLine, reportLineOf } from '../../domain/reporting/report-line.ts';
import type { Field } from '../../domain/rows/row.ts';
import { counted } from '../../domain/text/printable.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import type { ReportLedger, ReportRow } from '../../ports/ledger/reports.ts';
import type { ReportSink } from '../../ports/outputs.ts';
import { notedIncidents } from '../settle/noted-incidents.ts';
import { triesOf } from '../turned-away-tries.ts';
import { oneLineEach, paidAgainCounts } from './paid-again.ts';
import { decisionsAbout, keptCells, sentPayouts, whileMoving } from './report-batch.ts';

export interface PeriodReported {
  readonly totals: ControlTotals;
  readonly outcome: BatchOutcome;
  /** Batches of which a row was paid, or tried, in the span, oldest first. */
  readonly batches: readonly BatchShare[];
}

interface PeriodOptions {
  readonly period: Period;
  /** undefined: only the totals are made. */
  readonly sink: ReportSink | undefined;
  readonly header: Omit<ReportHeader, 'batch' | 'period' | 'before'>;
  readonly signal?: AbortSignal | undefined;
}

type PeriodLedger = Pick<
  ReportLedger,
  'reportRows' | 'totals' | 'familiesAcross' | 'sentPayouts' | 'decisions'
> &
  Pick<Ledger, 'batches' | 'payout' | 'notes' | 'lastEntry' | 'journalOf'>;

/** The user's columns differ from file to file, so the lines carry these instead. */
const COLUMNS: readonly (readonly [header: string, field: Field | undefined])[] = [
  ['Batch', undefined],
  ['Batch name', undefined],
  ['File', undefined],
  ['Reference', 'reference'],
  ['Country', 'country'],
  ['Institution', 'institution'],
  ['Account', 'account'],
  ['Name', 'name'],
];

export async function reportPeriod(ledger: PeriodLedger, options: PeriodOptions): Promise<PeriodReported> {
  const { period, sink, header, signal } = options;
  // Nothing of a batch can have been sent before it was made.
  const all = await ledger.batches();
  const names = new Set(all.map(({ name }) => name));
  const candidates = all.filter(({ createdAt }) => createdAt < period.endsAt).reverse();
  const counter = new LineCounter();
  const parts: string[] = [];
  let isMoving = true;
  const batches: BatchShare[] = [];
  const known = { shown: new Map<PayoutId, FamilyMember>(), elsewhere: new Set<PayoutId>() };
  try {
    await sink?.begin({ ...header, batch: columnsOf(period, candidates.length, header.keptColumns), period });
    for (const batch of candidates) {
      let [rows, isOfPeriod] = [0, false];
      const leftOut = new LeftOutRows();
      const incidents = await notedIncidents(batch.id, { ledger });
      const redoName = await freeRedoName(batch, async (name) => names.has(name));
      const ofBatch = { ...header, batch, incidents, period, redoName };
      const walk = walkBatch(ledger, ofBatch, known);
      let allRows = 0;
      for await (const { lines, others, earlier, compared } of walk) {
        signal?.throwIfAborted();
        for (const { line, by, isHere } of others) {
          leftOut.add(line, by);
          isOfPeriod ||= isHere;
        }
        for (const payout of earlier) counter.addEarlier(payout);
        allRows += compared?.rowsIn ?? 0;
        parts.push(...(compared?.parts ?? []).map((part) => `Batch ${batch.name}: ${part}`));
        if (compared?.ties === false) isMoving &&= compared.isMoving === true;
        const placed = lines.map((line, at) => ({ ...line, position: counter.lines + at + 1 }));
        for (const line of placed) counter.add(line);
        rows += placed.length;
        if (placed.length > 0) await sink?.write(placed);
      }
      if (rows > 0 || isOfPeriod) batches.push({ batch, allRows, rows, leftOut: leftOut.list() });
    }
    const totals = {
      ...tiedToItself(counter),
      ties: parts.length === 0,
      isMoving: isMoving && parts.length > 0,
      parts,
    };
    const outcome = batchOutcome(totals.counts, totals, paidAgainCounts(known.shown));
    const sent = () => sentOf(candidates, known, ledger, header.keptColumns);
    const decided = () => decisionsIn(batches, ledger);
    await sink?.end({ totals, outcome, sent, shares: batches, batches: decided });
    return { totals, outcome, batches };
  } catch (error) {
    await sink?.abort();
    throw error;
  }
}

/** Of each batch. */
const DECISIONS_MAX = 1_000;

async function* decisionsIn(batches: readonly BatchShare[], ledger: PeriodLedger) {
  for (const { batch } of batches)
    yield { batch, decisions: await decisionsAbout(batch.id, ledger, DECISIONS_MAX) };
}

/**
 * Of every batch, also of those without a row in the span: they may have payments open from earlier days. A row whose line
 * is that of another batch counts as paid again, like one that was replaced in its own.
 */
async function* sentOf(
  batches: readonly Batch[],
  { elsewhere }: HandedOver,
  ledger: PeriodLedger,
  keptColumns: readonly string[] | undefined,
): AsyncGenerator<readonly SentPayout[]> {
  for (const batch of batches)
    for await (const page of sentPayouts(batch, ledger, keptColumns))
      yield page.map((sent) => (elsewhere.has(sent.payout.id) ? { ...sent, isCurrent: false } : sent));
}

/** Rows that two batches have. */
interface HandedOver {
  /** Lines of the report that say so: the payment that stands for the row is one of other days. */
  readonly shown: Map<PayoutId, FamilyMember>;
  /** No line of the report: the other payment has one. */
  readonly elsewhere: Set<PayoutId>;
}

interface Walked {
  readonly lines: readonly ReportLine[];
  readonly others: readonly LeftOutLine[];
  /** Payments of these days that no line shows: their rows were paid again since. */
  readonly earlier: readonly Payout[];
  /** With the ledger's own count; at the end. */
  readonly compared?: ControlTotals;
}

interface LeftOutLine {
  readonly line: ReportLine;
  /** The payment of another batch whose line stands for it. */
  readonly by: FamilyMember | undefined;
  /** Something happened to it in these days. */
  readonly isHere: boolean;
}

/** The lines of one batch that belong to the span, page by page; at its end, how they compare with the ledger. */
async function* walkBatch(
  ledger: PeriodLedger,
  header: ReportHeader & { readonly period: Period },
  { shown, elsewhere }: HandedOver,
): AsyncGenerator<Walked> {
  const { batch, period } = header;
  const one = await oneLineEach(batch.id, period, ledger);
  const context = lineContext({ ...header, paidAgain: one.paidAgain });
  const kept = keptCells(batch.file, header.keptColumns ?? []);
  const all = new LineCounter();
  const begun = await ledger.lastEntry(batch.id);
  for await (const page of ledger.reportRows(batch.id)) {
    const lines: ReportLine[] = [];
    const others: LeftOutLine[] = [];
    const earlier: Payout[] = [];
    const wholes = page.map((row) => {
      const before = [row.payout, ...row.replaced].flatMap(({ id }) => one.before.get(id) ?? []);
      return { row, whole: { ...row, replaced: [...before, ...row.replaced] } };
    });
    const tries = await triesOf(
      wholes.flatMap(({ whole }) => [...whole.replaced, whole.payout]),
      { ledger },
    );
    for (const { row, whole } of wholes) {
      const line = reportLineOf({ ...whole, tries }, context);
      all.add(line);
      const ofDays = [row.payout, ...row.replaced].filter((payout) => isInPeriod(payout, period));
      const isHere = ofDays.length > 0;
      const isElsewhere = one.elsewhere.has(row.payout.id);
      earlier.push(...ofDays.filter((payout) => isElsewhere || payout !== row.payout));
      if (isElsewhere && isHere) elsewhere.add(row.payout.id);
      if (!isHere || isElsewhere) others.push({ line, by: one.elsewhere.get(row.payout.id), isHere });
      else {
        lines.push(datedLine(ofBatch(line, batch, kept), whole, period));
        if (line.paidAgain !== undefined) shown.set(row.payout.id, line.paidAgain);
      }
    }
    yield { lines, others, earlier };
  }
  const counted = all.result(await ledger.totals(batch.id));
  const compared = whileMoving(counted, begun !== (await ledger.lastEntry(batch.id)));
  yield { lines: [], others: [], earlier: [], compared };
}

/** The row is shown as it stands now, so it says by itself when its payment is one of other days. */
function datedLine(line: ReportLine, { replaced }: ReportRow, period: Period): ReportLine {
  if (line.isOfDays !== false || line.sentAt === undefined) return line;
  const before = replaced.flatMap(({ state }) => {
    const sentAt = sentAtOf(state);
    return sentAt !== undefined && isDated(sentAt, period) ? [formatTimestamp(sentAt).slice(0, 10)] : [];
  });
  const day = formatTimestamp(line.sentAt).slice(0, 10);
  const also = before.length === 0 ? '' : ` Its earlier payment of ${before.join(', ')} was.`;
  const note = `Shown as it stands now: sent on ${day}, not in these days.${also}`;
  const reason = [line.texts.reason, note].filter((text) => text !== '').join(' ');
  return { ...line, texts: { ...line.texts, reason } };
}

type Kept = ReturnType<typeof keptCells>;

function ofBatch(line: ReportLine, batch: Batch, kept: Kept): ReportLine {
  const { id, name } = batch;
  const { reference, country, institution, account } = line;
  const cells = [
    id,
    name ?? '',
    batch.file.name,
    reference,
    country,
    institution,
    account.reveal(),
    line.name,
    ...kept(line.cells),
  ];
  return { ...line, cells, batch: { id, name } };
}

/** The batch that the columns of the report belong to; there is none of that name in the ledger. */
function columnsOf(
  { from, to, startsAt }: Period,
  count: number,
  keptColumns: readonly string[] = [],
): Batch {
  const positions = COLUMNS.flatMap(([, field], at): [Field, number][] =>
    field === undefined ? [] : [[field, at]],
  );
  const file: BatchFile = {
    name: counted(count, 'batch', 'batches'),
    sha256: '',
    format: 'csv',
    sheet: undefined,
    headers: [...COLUMNS.map(([name]) => name), ...keptColumns],
    columns: new Map(positions),
  };
  return {
    id: asBatchId(`${from}_${to}`),
    name: `${from} to ${to}`,
    digest: undefined,
    isImporting: false,
    mergedInto: undefined,
    isBound: false,
    revision: 1,
    file,
    maker: '',
    createdAt: startsAt,
    pause: undefined,
    resumedAt: undefined,
    approval: undefined,
  };
}

/** Sums over rows of several batches have no counterpart in the ledger; the proof is made per batch. */
function tiedToItself(counter: LineCounter): ControlTotals {
  return counter.result(counter.result([]).asked);
}
