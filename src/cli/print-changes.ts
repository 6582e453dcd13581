/**
 * What changed since the last batch of the same kind, above the plan that somebody is to agree to.
 *
 * --json: changes: null, or {since: {id, name, createdAt}, jumpPercent, tooLarge, totals: [{currency, rowsBefore, rows,
 * before, now}], newAccounts, added, missing, jumps: {count, rows: [{row, name, …}]}}; amounts as in the plan.
 */
import { changesSinceLast } from '../application/changes-since-last.ts';
import type { World } from '../application/world.ts';
import type { Batch } from '../domain/batch.ts';
import type { BatchChanges, Listed } from '../domain/batch-changes.ts';
import { allChanges, shortChanges } from '../domain/batch-changes-text.ts';
import type { Money } from '../domain/money.ts';
import type { Plan } from '../domain/plan.ts';
import { formatTimestamp } from '../domain/timestamp.ts';
import { moneyJson } from './print-plan.ts';

const WHOLE = '  All of it: --changes, or --json';

export function changesLines(shown: {
  readonly changes?: BatchChanges | undefined;
  readonly allChanges?: boolean | undefined;
}): readonly string[] {
  const { changes } = shown;
  if (changes === undefined) return [];
  if (shown.allChanges === true) return [...allChanges(changes), ''];
  const { lines, isWhole } = shortChanges(changes);
  return [...lines, ...(isWhole ? [] : [WHOLE]), ''];
}

/** Asked only where somebody is to agree to something. */
export async function changesFor(
  plan: Plan,
  batch: Batch,
  world: Pick<World, 'ledger' | 'clock' | 'policy'>,
): Promise<BatchChanges | undefined> {
  const { quoted = 0, held = 0 } = plan.counts;
  return quoted + held === 0 ? undefined : changesSinceLast(batch, world);
}

export function changesJson(changes: BatchChanges | undefined): unknown {
  if (changes === undefined) return null;
  const { previous, difference, jumpPercent } = changes;
  const { id, name, createdAt } = previous;
  const since = { id, name: name ?? null, createdAt: formatTimestamp(createdAt) };
  if (difference === undefined) return { since, jumpPercent, tooLarge: true };
  const { newAccounts, added, missing, jumps, totals } = difference;
  return {
    since,
    jumpPercent,
    tooLarge: false,
    totals: totals.map(withMoney),
    newAccounts: listJson(newAccounts),
    added: listJson(added),
    missing: listJson(missing),
    jumps: listJson(jumps),
  };
}

function listJson(listed: Listed<object>): unknown {
  return { count: listed.count, rows: listed.list.map(withMoney) };
}

/** Money becomes what it is in the plan; what is not known becomes null. */
function withMoney(item: object): Readonly<Record<string, unknown>> {
  const entries = Object.entries(item).map(([key, value]: [string, unknown]) => [
    key,
    isMoney(value) ? moneyJson(value) : (value ?? null),
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

function isMoney(value: unknown): value is Money {
  return typeof value === 'object' && value !== null && 'minor' in value && 'currency' in value;
}
