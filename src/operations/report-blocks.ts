/** What a report says of itself: what is open, the groups, the batches, and what was written. */
import { batchLabel } from '../domain/batches/batch.ts';
import { formatAmount, formatMoney, type Money } from '../domain/money/money.ts';
import { command } from '../domain/next-steps/command.ts';
import { REHEARSED } from '../domain/next-steps/pay-again.ts';
import type { OpenItems } from '../domain/reporting/accounts-over-days.ts';
import { type GroupTotals, groupLines } from '../domain/reporting/group-totals.ts';
import { shareLines } from '../domain/reporting/left-out.ts';
import { MATRIX_PARTS } from '../domain/reporting/money-matrix.ts';
import { counted, countText, printable, rowsText } from '../domain/text/printable.ts';
import type { PeriodReport, RedoReport } from '../use-cases/report/asked-report.ts';
import type { AuditMade } from '../use-cases/report/audit-batch.ts';
import { aside, asideOf, BLANK, type Block, line, number, table, toned, when } from './block.ts';

/** Their sums are the closing balances of the accounts above. */
export function openBlocks({ sums, listed }: OpenItems): readonly Block[] {
  const batches = [...new Set(listed.map(({ batch }) => printable(batch)))];
  const [first, ...others] = batches;
  const more = others.length === 0 ? '' : ` and ${counted(others.length, 'other batch', 'other batches')}`;
  const open = sums.map(({ currency, count, minor, inSuspense }) => {
    const [all, unclear] = [minor, inSuspense].map((each) => formatMoney({ minor: each, currency }));
    const suspense = inSuspense === 0n ? '' : `, and ${unclear} in suspense`;
    return line(
      `Open at the end: ${counted(count, 'payment')}, ${all} on its way${suspense}. The report lists them.`,
    );
  });
  if (first === undefined) return open;
  return [...open, aside(`Of batch ${first}${more}. How they stand now: `, command('status', [first]), '.')];
}

const GROUPS_SHOWN = 50;

export function groupBlocks(grouped: GroupTotals | undefined, isOverDays: boolean): readonly Block[] {
  if (grouped === undefined) return [];
  const lines = groupLines(grouped, isOverDays);
  const used = MATRIX_PARTS.flatMap((name, at) =>
    lines.some(({ parts }) => (parts[at]?.minor ?? 0n) !== 0n) ? [{ name, at }] : [],
  );
  const amount = (money: Money | undefined) =>
    money === undefined || money.minor === 0n ? '–' : formatAmount(money);
  const rows = lines
    .slice(0, GROUPS_SHOWN)
    .map(({ value, name, count, requested, parts, cost }) => [
      ...[printable(value), name, count === undefined ? '' : countText(count), amount(requested)],
      ...used.map(({ at }) => amount(parts[at])),
      ...(isOverDays ? [] : [cost === undefined ? '–' : formatMoney(cost)]),
    ]);
  const heads = ['Payments', 'Requested', ...used.map(({ name }) => name), ...(isOverDays ? [] : ['Cost'])];
  const left = lines.length - GROUPS_SHOWN;
  return [
    BLANK,
    table([printable(grouped.column), 'Currency', ...heads.map(number)], rows),
    ...when(left > 0, () => [line(`… and ${counted(left, 'line')} more, in the report.`)]),
  ];
}

const BATCHES_SHOWN = 50;

export function shareBlocks({ batches, totals }: Pick<PeriodReport, 'batches' | 'totals'>): readonly Block[] {
  if (totals.linesOut === 0) return [line('No payment was sent, settled, returned or ended in these days.')];
  const lines = batches.slice(0, BATCHES_SHOWN).flatMap(shareLines);
  const left = batches.length - BATCHES_SHOWN;
  return [
    BLANK,
    ...lines.map((each) => line(`  ${each}`)),
    ...when(left > 0, () => [line(`… and ${counted(left, 'batch', 'batches')} more, in the report.`)]),
  ];
}

export function auditBlocks(
  { batch: of, environment, sha256, missing, problems }: AuditMade,
  path: string | undefined,
) {
  return [
    { kind: 'environment', environment } as const,
    line(`Audit file of ${batchLabel(of)}: ${path}`),
    line(`SHA-256 of its list of files: ${sha256}`),
    ...missing.map(({ name, why }) => toned('doubt', `There is no ${name}: ${why}`)),
    ...problems.map((problem) => toned('bad', `The ledger is not as it was written: ${problem}`)),
    aside(
      'Give this SHA-256 to the auditor on another way than the file. Its page check.html says how to check.',
    ),
  ];
}

export function unpaidView({
  path,
  rows,
  leftOut,
  environment,
}: RedoReport & { readonly path: string | undefined }) {
  const isEmpty = rows === 0;
  return [
    line(
      isEmpty
        ? `Nothing to pay again: ${path} has no rows.`
        : `${counted(rows, 'row is', 'rows are')} proven unpaid and written to ${path}`,
    ),
    ...[...leftOut].map(([why, count]) => line(`  ${rowsText(count)} left out: ${why}`)),
    ...when(!isEmpty, () => [aside('Correct the rows first, and keep the column payfile_replaces.')]),
    ...when(!isEmpty && environment === 'sandbox', () => [asideOf(REHEARSED)]),
  ];
}
