/**
 * What comparing a batch with a statement found, grouped by what a person has to do.
 *
 * --json: findings: [{kind, row, payout, status, currency, amount, lines, by, transferId, isAcceptable, text}],
 * counts: {kind: n}, sums: [{kind, count, rows, lines, currency, amount, minorUnits}]; rows that match, and rows that are
 * not expected in the statement, are counted only. Each row of the batch is in `rows` once. `amount` has each of its
 * payments that went out.
 */

import { formatDecimal, formatMoney, moneyJson } from '../../../domain/money/money.ts';
import { findingSums } from '../../../domain/statement/finding-sums.ts';
import {
  FINDING_WORDS,
  findingText,
  outcomeText,
  RULED_WORDS,
  type StatementCompared,
  type SumLine,
  sumLines,
} from '../../../domain/statement/finding-words.ts';
import { FINDING_KINDS, type Finding, isAcceptable } from '../../../domain/statement/findings.ts';
import { countText, printable } from '../../../domain/text/printable.ts';
import type { Accepted, Reconciled } from '../../../payfile.ts';
import { tableOf, wrapped } from '../terminal/table.ts';

const SHOWN_MAX = 20;

export interface Shown {
  readonly findings: readonly Finding[];
  readonly accepted: readonly Accepted[];
  readonly width: number;
  /** What to type about a finding; undefined: nothing. */
  readonly stepOf: (finding: Finding) => string | undefined;
}

export function printFindings({ findings, accepted, width, stepOf }: Shown): string[] {
  const outcomes = new Map(accepted.map((each) => [each.finding, each]));
  const lines: string[] = [];
  for (const kind of FINDING_KINDS) {
    const [, title] = FINDING_WORDS[kind];
    const group = findings.filter((finding) => finding.kind === kind);
    if (group.length === 0 || title === undefined) continue;
    const isRuled = group.every((finding) => outcomes.get(finding)?.outcome === 'ruled');
    lines.push('', `${(isRuled ? RULED_WORDS[kind] : undefined) ?? title}:`);
    for (const finding of group.slice(0, SHOWN_MAX)) {
      lines.push(...indented(printable(findingText(finding)), width, '  '));
      const done = outcomes.get(finding);
      if (done !== undefined) lines.push(...indented(printable(outcomeText(done)), width, '    '));
      const step = stepOf(finding);
      if (step !== undefined) lines.push(`    ${step}`);
    }
    if (group.length > SHOWN_MAX) lines.push(`  … and ${countText(group.length - SHOWN_MAX)} more (--json).`);
  }
  return lines;
}

function indented(text: string, width: number, indent: string): string[] {
  return wrapped(text, width - indent.length, '  ').map((line) => indent + line);
}

export function sumsJson({ findings, neverSent }: Reconciled): readonly unknown[] {
  return findingSums(findings, neverSent).map(({ kind, count, rows, lines, sum }) => ({
    ...{ kind, count, rows, lines },
    ...(sum === undefined ? { currency: null, amount: null, minorUnits: null } : moneyJson(sum)),
  }));
}

/** Every row of the batch and every line of the statement is in one row of it; the totals stand below. */
export function sumsTable(compared: StatementCompared, accepted: readonly Accepted[] = []): string[] {
  const columns = [
    { title: 'What' },
    { title: 'Rows', right: true },
    { title: 'Sum', right: true },
    { title: 'Lines', right: true },
  ];
  const count = (number: number | undefined) => (number === undefined ? '' : countText(number));
  const cells = ({ what, rows, sum, lines }: SumLine) => {
    const all = [what, count(rows), sum === undefined ? '' : formatMoney(sum)];
    return lines === undefined ? all : [...all, count(lines)];
  };
  const { parts, totals } = sumLines(
    compared,
    accepted.filter(({ outcome }) => outcome === 'ruled').map(({ finding }) => finding),
  );
  return tableOf(columns, [...parts, ...totals].map(cells));
}

export function findingJson(finding: Finding): Readonly<Record<string, unknown>> {
  const { kind, entry, lines, by, transferId } = finding;
  return {
    kind,
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
