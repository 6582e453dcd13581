/** What a comparison with a statement shows, as blocks and as JSON. */
import { batchLabel } from '../domain/batches/batch.ts';
import { formatDecimal, formatMoney } from '../domain/money/money.ts';
import { command } from '../domain/next-steps/command.ts';
import { type CurrencyComparison, compareByCurrency } from '../domain/statement/comparison.ts';
import { BOOKING_DAYS } from '../domain/statement/dates.ts';
import { rowText } from '../domain/statement/entry.ts';
import { findingSums } from '../domain/statement/finding-sums.ts';
import {
  AMOUNT_TITLES,
  amountLines,
  FINDING_WORDS,
  findingText,
  outcomeText,
  RULED_WORDS,
  type StatementCompared,
  type SumLine,
  statementNotes,
  sumLines,
} from '../domain/statement/finding-words.ts';
import { FINDING_KINDS, type Finding, type FindingKind, isAcceptable } from '../domain/statement/findings.ts';
import { counted, countText, printable } from '../domain/text/printable.ts';
import { formatTimestamp } from '../domain/timestamp.ts';
import type { Accepted } from '../use-cases/reconcile/accept-findings.ts';
import type { ComparedBefore, Reconciliation } from '../use-cases/reconcile/compare-with-statement.ts';
import { findingKey, outcomesOf } from '../use-cases/reconcile/reconcile-end.ts';
import { batchJson, timeJson } from './batch-json.ts';
import { BLANK, type Block, line, number, type Table, table, when } from './block.ts';
import { doubtBlocks } from './outcome-blocks.ts';

/** The command line counts further findings and incidents. */
const SHOWN_MAX = 20;

/** `most`: how many findings of a kind it lists. */
export function comparisonBlocks(result: Reconciliation, most = SHOWN_MAX): readonly Block[] {
  const { batches, environment, reconciled, end } = result;
  const { span, fileName, findings } = reconciled;
  const reach = span.first === undefined ? '' : `, ${dayOf(span.first)} to ${dayOf(span.last ?? span.first)}`;
  const isEmpty = findings.every(({ kind }) => kind === 'not_expected' || kind === 'not_yet');
  const isOpen = end.mayAccept === undefined && end.byHand === undefined;
  const doubts = isOpen ? batches.flatMap(({ doubt }) => doubt ?? []) : [];
  const before = batches.flatMap((each) => each.before ?? []).toSorted((one, other) => other.at - one.at)[0];
  const names = batches.map(({ batch }) => batchLabel(batch));
  const title = names.length === 1 ? `Batch ${names[0]}` : `${names.length} batches`;
  return [
    line(printable(`${title} and ${fileName}: ${counted(span.lines, 'line')}${reach}`)),
    ...when(names.length > 1, () => [line(printable(`Batches: ${names.join(', ')}`))]),
    { kind: 'environment', environment },
    BLANK,
    ...when(before, (same) => [line(printable(comparedText(same)))]),
    ...when(isEmpty, () => [
      line(`The statement shows no payment of ${names.length === 1 ? 'this batch' : 'these batches'}.`),
    ]),
    sumsTable(reconciled),
    BLANK,
    ...compareByCurrency(findings).flatMap((compared) => amountBlocks(compared, most)),
    ...statementNotes(reconciled).map((note) => line(printable(note))),
    ...findingBlocks(result, most),
    ...incidentBlocks(reconciled, most),
    ...doubts.flatMap((known) => [BLANK, ...doubtBlocks(known)]),
  ];
}

/** A statement may write times; a person compares days. */
const dayOf = (written: string) => written.replace(/^(\d{4}-\d\d-\d\d)T.*$/, '$1');

/** Counts every row of the batches and every line of the statement once. Totals stand below. */
export function sumsTable(of: StatementCompared): Table {
  const count = (number: number | undefined) => (number === undefined ? '' : countText(number));
  const cells = ({ what, rows, sum, lines }: SumLine) => [
    what,
    count(rows),
    sum === undefined ? '' : formatMoney(sum),
    count(lines),
  ];
  const { parts, totals } = sumLines(of);
  const titles = ['What', ...['Rows', 'Sum', 'Lines'].map(number)];
  return table(titles, [...parts, ...totals].map(cells));
}

/** The amounts of one currency: each row that differs, and the total. */
function amountBlocks(compared: CurrencyComparison, most: number): readonly Block[] {
  const lines = amountLines(compared);
  const shown = [...lines.slice(0, -1).slice(0, most), ...lines.slice(-1)];
  const titles = [`In ${compared.currency}`, ...AMOUNT_TITLES.map(number), ''];
  const cells = shown.map(({ what, amounts, why }) => [what, ...amounts, why]);
  return [table(titles, cells), ...moreBlocks(lines.length - 1, most), BLANK];
}

interface Findings {
  readonly reconciled: Pick<Reconciliation['reconciled'], 'findings'>;
  readonly accepted: readonly Accepted[];
  readonly end: Pick<Reconciliation['end'], 'steps'>;
}

/** What was decided just now, then the findings as they stand, grouped by what a person must do. */
export function findingBlocks(
  { reconciled: { findings }, accepted, end }: Findings,
  most = SHOWN_MAX,
): readonly Block[] {
  const still = new Set(findings.map(findingKey));
  const decided = accepted.map(({ finding }) => finding).filter((each) => !still.has(findingKey(each)));
  const doneOf = outcomesOf(accepted);
  const groupsOf = (all: readonly Finding[], titles: Readonly<Partial<Record<FindingKind, string>>>) =>
    FINDING_KINDS.flatMap((kind) => {
      const group = all.filter((finding) => finding.kind === kind);
      const title = titles[kind] ?? FINDING_WORDS[kind][1];
      if (group.length === 0 || title === undefined) return [];
      const shown = group
        .slice(0, most)
        .flatMap((finding) => [
          line(`  ${printable(findingText(finding))}`),
          ...when(doneOf(finding), (done) => [line(`    ${printable(outcomeText(done))}`)]),
          ...when(end.steps.get(finding), (step) => [line('    ', step)]),
        ]);
      return [BLANK, line(`${title}:`), ...shown, ...moreBlocks(group.length, most)];
    });
  return [...groupsOf(decided, RULED_WORDS), ...groupsOf(findings, {})];
}

/** `The same statement was compared before, by ada on 2026-11-30.` */
function comparedText({ by, at }: ComparedBefore): string {
  return `The same statement was compared before, by ${by} on ${formatTimestamp(at).slice(0, 10)}.`;
}

const moreBlocks = (count: number, most: number) =>
  when(count > most, () => [line(`  … and ${countText(count - most)} more in the JSON output.`)]);

function incidentBlocks(
  { keptIncidents: kept }: Pick<Reconciliation['reconciled'], 'keptIncidents'>,
  most: number,
): readonly Block[] {
  if (kept.length === 0) return [];
  return [
    BLANK,
    line('INCIDENT in the ledger that this statement does not confirm:'),
    ...kept
      .slice(0, most)
      .flatMap((incident) => [
        line(`  ${printable(`${rowText(incident, 'Row')}: ${incident.what}.`)}`),
        line('    ', command('explain', [batchLabel(incident.batch), incident.rowNumber])),
      ]),
    ...moreBlocks(kept.length, most),
  ];
}

/** Lists the findings. Rows that match, or that the statement need not show, are only counted. */
export function reconciliationJson({ batches, environment, reconciled, accepted }: Reconciliation) {
  const { findings, span, lines, keptIncidents } = reconciled;
  const counts: Partial<Record<FindingKind, number>> = {};
  for (const { kind } of findings) counts[kind] = (counts[kind] ?? 0) + 1;
  return {
    environment,
    batches: batches.map(({ batch, before }) => ({
      ...batchJson(batch),
      comparedBefore: before === undefined ? null : { by: before.by, at: timeJson(before.at) },
    })),
    statement: {
      name: reconciled.fileName,
      sha256: reconciled.sha256,
      lines: span.lines,
      from: span.first ?? null,
      to: span.last ?? null,
      doubt: span.doubt ?? null,
      dates: reconciled.dateHeaders,
      signs: reconciled.signs,
      bookingDays: BOOKING_DAYS,
      isComplete: reconciled.completeness.kind === 'proven',
      balances: reconciled.completeness.kind === 'proven' ? reconciled.completeness.balances : [],
      repeatedLines: reconciled.repeats.count,
    },
    lines,
    counts,
    sums: sumsJson(reconciled),
    amounts: compareByCurrency(findings).map(amountsJson),
    findings: findings.filter(({ kind }) => kind !== 'matched' && kind !== 'not_expected').map(findingJson),
    accepted: accepted.map(({ finding, outcome, reason }) => ({ ...findingJson(finding), outcome, reason })),
    otherBatches: lines.ofOtherBatches,
    otherLines: lines.foreign,
    /** What they add up to. */
    otherSums: reconciled.otherSums,
    /** At most 1,000. */
    otherLineNumbers: reconciled.foreignFirst.map(({ rowNumber }) => rowNumber),
    keptIncidents: keptIncidents.map(({ batch, rowNumber, what }) => ({
      ...{ batch: batch.id, row: rowNumber, text: what },
    })),
  };
}

/** `rows` counts each row once. `amount` adds all payments of these rows that were sent. */
function sumsJson({ findings, neverSent }: Reconciliation['reconciled']) {
  return findingSums(findings, neverSent).map(({ kind, count, rows, lines, sum }) => ({
    ...{ kind, count, rows, lines },
    currency: sum?.currency ?? null,
    amount: sum === undefined ? null : formatDecimal(sum),
    minorUnits: sum?.minor.toString() ?? null,
  }));
}

/** Payments and their lines in one currency, in total and by row. `unexplained`: the part that nothing explains. `later`: the
 * part that was paid after the statement, or is on its way. */
function amountsJson({ currency, rows, open, later, ...total }: CurrencyComparison) {
  const decimal = (minor: bigint) => formatDecimal({ minor, currency });
  const sumsOf = (of: Pick<CurrencyComparison, 'lines' | 'charges' | 'booked' | 'difference'>) => ({
    lines: decimal(of.lines),
    charges: decimal(of.charges),
    booked: decimal(of.booked),
    difference: decimal(of.difference),
  });
  return {
    ...{ currency, ...sumsOf(total), unexplained: decimal(open), later: decimal(later) },
    rows: rows.map((row) => ({
      batch: row.entry.batchId,
      row: row.entry.rowNumber,
      payout: row.entry.payoutId,
      ...sumsOf(row),
      explanation: row.explanation ?? null,
    })),
  };
}

function findingJson(finding: Finding) {
  const { kind, entry, lines, by, transferId } = finding;
  return {
    kind,
    batch: entry?.batchId ?? null,
    row: entry?.rowNumber ?? null,
    payout: entry?.payoutId ?? null,
    status: entry?.status ?? null,
    currency: entry?.amount.currency ?? null,
    amount: entry === undefined ? null : formatDecimal(entry.amount),
    lines: lines.map(({ rowNumber }) => rowNumber),
    by: by ?? null,
    transferId: transferId ?? null,
    isAcceptable: isAcceptable(finding),
    text: printable(findingText(finding)),
  };
}
