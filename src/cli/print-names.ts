/**
 * The names of a plan that are no match, as whoever approves reads them: what the file says above what the account
 * says, and why they differ.
 *
 * --json: names: {counts: {word: n}, rows: [{row, status, nameCheck, name, accountName, reason}]}, at most 100 rows
 * of a kind.
 */
import { countText } from '../domain/counted.ts';
import { NAME_RESULTS } from '../domain/name-check.ts';
import { clipped, NAME_WORDS } from '../domain/name-check-text.ts';
import type { NameToSee, PlanNames } from '../domain/plan-names.ts';
import { printable } from '../domain/printable.ts';

const MOST_ROWS = 10;

/** Lines; empty when every name is a match. */
export function namesLines({ counts, toSee }: PlanNames): string[] {
  const words = NAME_RESULTS.filter((result) => (counts[result] ?? 0) > 0);
  if (words.every((result) => result === 'match')) return [];
  const counted = words.map((result) => `${countText(counts[result] ?? 0)} ${NAME_WORDS[result]}`).join(', ');
  // Without a name from the service there are no two names to compare: the count says it.
  const twoNames = toSee.filter(({ resolved }) => resolved !== undefined);
  const all = (counts.close_match ?? 0) + (counts.no_match ?? 0);
  const left = all - Math.min(twoNames.length, MOST_ROWS);
  return [
    `Names: ${counted}`,
    ...twoNames.slice(0, MOST_ROWS).flatMap(namePair),
    ...(left > 0 ? [`  … and ${countText(left)} more; the report names every row.`] : []),
    '',
  ];
}

function namePair({ rowNumber, status, result, written, resolved, reason }: NameToSee): string[] {
  const head = `  Row ${rowNumber}`.padEnd(10);
  const indent = ' '.repeat(head.length);
  const fate = status === 'held' ? 'held' : 'paid when approved';
  return [
    `${head}  file     ${clipped(written ?? '(no name)')}`,
    `${indent}  account  ${clipped(resolved ?? '')}`,
    `${indent}  ${NAME_WORDS[result]}, ${fate}: ${printable(reason)}`,
  ];
}

export function namesJson({ counts, toSee }: PlanNames): Readonly<Record<string, unknown>> {
  return {
    counts,
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
