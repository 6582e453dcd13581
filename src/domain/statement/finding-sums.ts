/**
 * Sums of what a comparison with a statement found, of each kind and currency, and the totals below them. Every row of
 * the batch is in exactly one of them.
 */
import type { Money } from '../money/money.ts';
import type { PayoutId } from '../payouts/instruction.ts';
import { FINDING_KINDS, type Finding, type FindingKind } from './findings.ts';

/** Rows of one currency, or without a known amount. */
export interface RowSum {
  readonly rows: number;
  readonly sum: Money | undefined;
}

interface FindingSum extends RowSum {
  readonly kind: FindingKind;
  /** Findings: a row that was paid again has one for each of its payments, and a line that is nobody's has one as well. */
  readonly count: number;
  readonly lines: number;
  /** This comparison has ruled so. */
  readonly isRuled: boolean;
}

/**
 * One for each kind and currency; what was just `ruled` is apart. A line that is named for two rows counts with the first of them. `neverSent`: rows
 * that no statement can show.
 */
export function findingSums(
  findings: readonly Finding[],
  neverSent: readonly RowSum[],
  ruled: ReadonlySet<Finding> = new Set(),
): readonly FindingSum[] {
  const sums = new Map<string, FindingSum>();
  const add = (kind: FindingKind, currency: string | undefined, more: Omit<FindingSum, 'kind'>) => {
    const key = `${kind}\n${more.isRuled}\n${currency ?? ''}`;
    const { count, rows, lines, sum } = sums.get(key) ?? { count: 0, rows: 0, lines: 0, sum: undefined };
    sums.set(key, {
      kind,
      isRuled: more.isRuled,
      count: count + more.count,
      rows: rows + more.rows,
      lines: lines + more.lines,
      sum: more.sum && { ...more.sum, minor: more.sum.minor + (sum?.minor ?? 0n) },
    });
  };
  const telling = tellingFindings(findings);
  const told = new Set<number>();
  for (const kind of FINDING_KINDS) {
    for (const finding of findings.filter((each) => each.kind === kind)) {
      const { entry, lines } = finding;
      const rows = entry !== undefined && telling.get(entry.newest) === finding ? 1 : 0;
      const known = told.size;
      for (const { rowNumber } of lines) told.add(rowNumber);
      const sum = entry && { ...entry.amount, minor: rows === 0 ? 0n : entry.amount.minor };
      add(kind, sum?.currency, {
        ...{ count: 1, rows, lines: told.size - known, sum },
        isRuled: ruled.has(finding),
      });
    }
    if (kind === 'not_expected')
      for (const { rows, sum } of neverSent)
        add(kind, sum?.currency, { count: 0, rows, lines: 0, sum, isRuled: false });
  }
  return [...sums.values()];
}

/** Of each row the most pressing finding. That nothing is expected of an earlier payment says nothing about its row. */
function tellingFindings(findings: readonly Finding[]): ReadonlyMap<PayoutId, Finding> {
  const rank = ({ kind }: Finding) =>
    kind === 'not_expected' ? FINDING_KINDS.length : FINDING_KINDS.indexOf(kind);
  const telling = new Map<PayoutId, Finding>();
  for (const finding of findings) {
    if (finding.entry === undefined) continue;
    const { newest } = finding.entry;
    const before = telling.get(newest);
    if (before === undefined || rank(finding) < rank(before)) telling.set(newest, finding);
  }
  return telling;
}

/** Of each currency; last the rows without a known amount. */
export function rowTotals(sums: readonly RowSum[]): readonly RowSum[] {
  const totals = new Map<string | undefined, RowSum>();
  for (const { rows, sum } of sums) {
    const before = totals.get(sum?.currency);
    const minor = (sum?.minor ?? 0n) + (before?.sum?.minor ?? 0n);
    totals.set(sum?.currency, { rows: rows + (before?.rows ?? 0), sum: sum && { ...sum, minor } });
  }
  const all = [...totals.values()];
  return [...all.filter(({ sum }) => sum), ...all.filter(({ rows, sum }) => !sum && rows > 0)];
}
