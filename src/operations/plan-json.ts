/** A plan in JSON answers. */
import { moneyJson } from '../domain/money/money.ts';
import type { Plan, PlanNames } from '../domain/plan/plan.ts';

export function planJson(plan: Plan) {
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
    names: namesJson(plan.names),
  };
}

export function namesJson({ counts, unnamed, holders, toSee }: PlanNames) {
  return {
    counts,
    noName: unnamed,
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
