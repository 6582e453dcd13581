/** The JSON of a plan. */

import type { Batch } from '../domain/batches/batch.ts';
import type { BatchChanges, Listed } from '../domain/batches/batch-changes.ts';
import { type Money, moneyJson } from '../domain/money/money.ts';
import type { AlikePayments, Plan, PlanNames } from '../domain/plan/plan.ts';
import { headersOf, type Said } from '../domain/reading/answer.ts';
import { nameColumnsOf } from '../domain/rows/column-names.ts';
import type { Field } from '../domain/rows/row.ts';
import { formatTimestamp } from '../domain/timestamp.ts';
import { answersJson } from './reading.ts';

export function planJson(plan: Plan, file: Batch['file']) {
  return {
    digest: plan.digest,
    counts: plan.counts,
    toApprove: plan.toApprove.map((line) => ({
      ...moneyJson(line.sum),
      count: line.count,
      fees: line.fees.map(moneyJson),
      debits: line.debits.map(moneyJson),
      rates: line.rates,
      speedSecondsMax: line.speedSecondsMax,
    })),
    committed: plan.committed.map(moneyJson),
    held: plan.held.map(moneyJson),
    holdReasons: Object.fromEntries(plan.holdReasons),
    heldRows: plan.heldRows.map(({ rowNumber: row, reasons }) => ({ row, reasons })),
    names: namesJson(plan.names),
    columns: columnsJson(file, plan.answers),
    answers: answersJson(plan.answers),
  };
}

/** What holds each field: columns, or one text for all rows; `by`: who said so, null where the headers do. */
function columnsJson({ headers, columns }: Batch['file'], answers: readonly Said[]) {
  const joined = nameColumnsOf({ headers, columns });
  const used: readonly (readonly [Field, readonly number[]])[] = [
    ...[...columns].map(([field, at]) => [field, [at]] as const),
    ...(joined.length === 0 ? [] : [['name', joined] as const]),
  ];
  return used.map(([field, at]) => {
    const said = answers.findLast(
      (answer) => answer.kind !== 'value' && 'field' in answer && answer.field === field,
    );
    const named = said === undefined ? at.map((each) => headers[each] ?? '') : headersOf(said);
    return { field, headers: named, text: said?.kind === 'set' ? said.text : null, by: said?.by ?? null };
  });
}

export function namesJson({ counts, unnamed, askedSince, holders, toSee }: PlanNames) {
  return {
    counts,
    noName: unnamed,
    askedSince: askedSince === undefined ? null : formatTimestamp(askedSince),
    holders: holders.map(({ rowNumber, status, resolved }) => ({
      row: rowNumber,
      status,
      accountName: resolved ?? null,
    })),
    rows: toSee.map(({ rowNumber, status, result, written, resolved, reason }) => ({
      row: rowNumber,
      status,
      nameCheck: result,
      name: written ?? null,
      accountName: resolved ?? null,
      reason,
    })),
  };
}

/** Changes since the last batch of the same kind. `paysAgain`: true if only the rows that this batch pays again are compared. */
export function changesJson(changes: BatchChanges | undefined) {
  if (changes === undefined) return null;
  const { previous, paysAgain, difference, jumpPercent } = changes;
  const { id, name, createdAt } = previous;
  const since = { id, name, createdAt: formatTimestamp(createdAt) };
  if (difference === undefined) return { since, paysAgain, jumpPercent, tooLarge: true };
  const { newAccounts, newHolders, added, missing, jumps, totals } = difference;
  return {
    since,
    paysAgain,
    jumpPercent,
    tooLarge: false,
    totals: totals.map(withMoney),
    newAccounts: listJson(newAccounts),
    newHolders: listJson(newHolders),
    added: listJson(added),
    missing: listJson(missing),
    jumps: listJson(jumps),
  };
}

const listJson = ({ count, list }: Listed<object>) => ({ count, rows: list.map(withMoney) });

/** Unknown values become null. */
function withMoney(item: object): Readonly<Record<string, unknown>> {
  const entries = Object.entries(item).map(([key, value]: [string, unknown]): [string, unknown] => [
    key,
    isMoney(value) ? moneyJson(value) : (value ?? null),
  ]);
  return Object.fromEntries(entries);
}

function isMoney(value: unknown): value is Money {
  return typeof value === 'object' && value !== null && 'minor' in value && 'currency' in value;
}

/** Similar payments of other batches with another reference. payfile shows them and does not hold them. */
export const alikeJson = (alike: readonly AlikePayments[]) =>
  alike.map(({ batch, count, rows, lastAt }) => ({
    batch: { id: batch.id, name: batch.name },
    count,
    rows,
    lastAt: formatTimestamp(lastAt),
  }));
