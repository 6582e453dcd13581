/**
 * What a notification says: one small JSON document, the same for a web address and for a program.
 *
 * {schemaVersion, command, environment, exitCode, needsAttention, outcome, sentence, next, batch: {id, name},
 * counts, totals: [{status, currency, count, amount}], error: {code, message}, host, endedAt}; null where unknown.
 */
import { EXIT } from './exit-code.ts';
import type { RunFacts } from './run-facts.ts';

export function noticeText(facts: RunFacts, host: string): string {
  const { command, environment, exitCode, outcome, sentence, next, batch, counts, totals, error } = facts;
  return JSON.stringify({
    schemaVersion: 1,
    command,
    environment,
    exitCode,
    needsAttention: exitCode !== EXIT.done,
    outcome: outcome ?? null,
    sentence: sentence ?? error?.message ?? null,
    next: next ?? null,
    batch: batch === undefined ? null : { id: batch.id, name: batch.name ?? null },
    counts: counts === undefined ? null : Object.fromEntries(counts),
    totals: totals.map((total) => ({ ...total, amount: total.amount ?? null })),
    error: error ?? null,
    host,
    endedAt: new Date(facts.endedAt).toISOString(),
  });
}
