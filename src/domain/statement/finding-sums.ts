/**
 * Sums of what a comparison with a statement found, of each kind and currency, and the totals below them. Every row of
 * the batch is in exactly one of them. If a row was paid twice, the sums count both payments.
 */
import type { Money } from '../money/money.ts';
import type { StatementEntry } from './entry.ts';
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
}

/**
 * One for each kind and currency. A line that is named for two rows counts with the first of them. `neverSent`: rows
 * that no statement can show.
 */
export function findingSums(
  findings: readonly Finding[],
  neverSent: readonly RowSum[],
): readonly FindingSum[] {
  const sums = new Map<string, FindingSum>();
  const add = (kind: FindingKind, currency: string | undefined, more: Omit<FindingSum, 'kind'>) => {
    const key = `${kind}\n${currency ?? ''}`;
    const { count, rows, lines, sum } = sums.get(key) ?? { count: 0, rows: 0, lines: 0, sum: undefined };
    sums.set(key, {
      kind,
      count: count + more.count,
      rows: rows + more.rows,
      lines: lines + more.lines,
      sum: more.sum && { ...more.sum, minor: more.sum.minor + (sum?.minor ?? 0n) },
    });
  };
  const byRow = findingsByRow(findings);
  const telling = new Set(byRow.map((row) => row.telling));
  const counted = new Set(byRow.flatMap(({ telling: first, second }) => [first, ...second]));
  const told = new Set<number>();
  for (const kind of FINDING_KINDS) {
    for (const finding of findings.filter((each) => each.kind === kind)) {
      const { entry, lines } = finding;
      const rows = telling.has(finding) ? 1 : 0;
      const known = told.size;
      for (const { rowNumber } of lines) told.add(rowNumber);
      const sum = entry && { ...entry.amount, minor: counted.has(finding) ? entry.amount.minor : 0n };
      add(kind, sum?.currency, { count: 1, rows, lines: told.size - known, sum });
    }
    if (kind === 'not_expected')
      for (const { rows, sum } of neverSent) add(kind, sum?.currency, { count: 0, rows, lines: 0, sum });
  }
  return [...sums.values()];
}

/** The rows for which more than one payment went out. */
export function rowsPaidTwice(findings: readonly Finding[]): readonly StatementEntry[] {
  return findingsByRow(findings)
    .filter(({ second }) => second.length > 0)
    .flatMap(({ telling: { entry } }) => entry ?? []);
}

interface FindingsOfRow {
  /** The most pressing finding. `not_expected` comes last: it is about an earlier payment, not about the row. */
  readonly telling: Finding;
  /** Findings about further payments of the row that went out. */
  readonly second: readonly Finding[];
}

function findingsByRow(findings: readonly Finding[]): readonly FindingsOfRow[] {
  const rank = ({ kind }: Finding) =>
    kind === 'not_expected' ? FINDING_KINDS.length : FINDING_KINDS.indexOf(kind);
  const ofPayments = findings.filter(({ entry }) => entry !== undefined);
  const rows = Map.groupBy(ofPayments, ({ entry }) => entry?.newest);
  return [...rows.values()].flatMap((group) => {
    const [telling, ...others] = group.toSorted((one, other) => rank(one) - rank(other));
    if (telling === undefined) return [];
    const out = others.filter(wentOut);
    return [{ telling, second: wentOut(telling) ? out : out.slice(1) }];
  });
}

/** The service took the payment, or the statement shows it. */
function wentOut({ kind, entry }: Finding): boolean {
  return kind === 'incident' || entry?.status === 'settled' || entry?.status === 'accepted';
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
