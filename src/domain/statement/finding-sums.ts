/**
 * Sums of what a comparison with a statement found, of each kind and currency, and the totals below them.
 */
import type { Money } from '../money/money.ts';
import { FINDING_KINDS, type Finding, type FindingKind } from './findings.ts';

interface FindingSum {
  readonly kind: FindingKind;
  readonly count: number;
  /** Of the batch: a line that is nobody's is no row. */
  readonly rows: number;
  readonly lines: number;
  readonly sum: Money | undefined;
}

/** One for each kind and currency. A line that is named for two rows counts with the first of them. */
export function findingSums(findings: readonly Finding[]): readonly FindingSum[] {
  const sums = new Map<string, FindingSum>();
  const told = new Set<number>();
  for (const kind of FINDING_KINDS) {
    for (const { entry, lines } of findings.filter((finding) => finding.kind === kind)) {
      const amount = entry?.amount;
      const key = `${kind}\n${amount?.currency ?? ''}`;
      const before = sums.get(key) ?? { kind, count: 0, rows: 0, lines: 0, sum: undefined };
      const sum = amount && { ...amount, minor: amount.minor + (before.sum?.minor ?? 0n) };
      const known = told.size;
      for (const { rowNumber } of lines) told.add(rowNumber);
      const count = before.count + 1;
      const rows = kind === 'theirs_only' && sum === undefined ? 0 : count;
      sums.set(key, { kind, count, rows, lines: before.lines + told.size - known, sum });
    }
  }
  return [...sums.values()];
}

/** Of each currency. */
export function findingTotals(
  sums: readonly FindingSum[],
): readonly { readonly count: number; readonly sum: Money }[] {
  const totals = new Map<string, { readonly count: number; readonly sum: Money }>();
  for (const { count, sum } of sums) {
    if (sum === undefined) continue;
    const before = totals.get(sum.currency);
    const minor = sum.minor + (before?.sum.minor ?? 0n);
    totals.set(sum.currency, { count: count + (before?.count ?? 0), sum: { ...sum, minor } });
  }
  return [...totals.values()];
}
