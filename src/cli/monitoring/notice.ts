/**
 * The notification: one small JSON document, the same for a web address and for a program.
 *
 * {schemaVersion, isTest, command, environment, exitCode, needsAttention, outcome, sentence, next, andThen, batch: {id,
 * name}, counts, differing, totals: [{status, currency, count, amount}], error: {code, message}, host, endedAt}; null
 * where unknown. differing: rows that differ from the request, where nobody accepted the difference.
 */
import { isProblem } from '../../domain/reporting/exit-code.ts';
import type { RunFacts } from './run-facts.ts';

export function noticeText(facts: RunFacts, host: string): string {
  const { command, environment, exitCode, outcome, sentence, next, andThen, batch, error } = facts;
  const { counts, differing, totals } = facts;
  return JSON.stringify({
    schemaVersion: 1,
    isTest: false,
    command,
    environment,
    exitCode,
    needsAttention: isProblem(exitCode),
    outcome: outcome ?? null,
    sentence: sentence ?? error?.message ?? null,
    next: next ?? null,
    andThen: andThen ?? null,
    batch: batch === undefined ? null : { id: batch.id, name: batch.name },
    counts: counts === undefined ? null : Object.fromEntries(counts),
    differing: counts === undefined ? null : differing,
    totals: totals.map((total) => ({ ...total, amount: total.amount ?? null })),
    error: error ?? null,
    host,
    endedAt: new Date(facts.endedAt).toISOString(),
  });
}
