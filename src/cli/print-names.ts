/**
 * The names of a plan that are no match, as whoever approves reads them: what the file says above what the account
 * says, and why they differ; and the accounts that the service does not know.
 *
 * --json: names: {counts: {word: n}, rows: [{row, status, nameCheck, name, accountName, reason}]}, at most 100 rows
 * of a kind.
 */
import { countText } from '../domain/counted.ts';
import { NAME_RESULTS } from '../domain/name-check.ts';
import { clipped, NAME_WORDS } from '../domain/name-check-text.ts';
import type { NameToSee, PlanNames } from '../domain/plan-names.ts';
import { printable } from '../domain/printable.ts';
import { wrapped } from './wrapped.ts';

const MOST_ROWS = 10;

/** Lines; empty when every name is a match. */
export function namesLines({ counts, toSee }: PlanNames, width = Number.POSITIVE_INFINITY): string[] {
  const words = NAME_RESULTS.filter((result) => (counts[result] ?? 0) > 0);
  if (words.every((result) => result === 'match')) return [];
  const counted = words.map((result) => `${countText(counts[result] ?? 0)} ${NAME_WORDS[result]}`).join(', ');
  // Where nobody answered there is nothing to compare: the count says it.
  const listed = toSee.filter(({ result }) => result !== 'unavailable');
  const all = (counts.close_match ?? 0) + (counts.no_match ?? 0) + (counts.not_found ?? 0);
  const left = all - Math.min(listed.length, MOST_ROWS);
  return [
    `Names: ${counted}`,
    ...listed.slice(0, MOST_ROWS).flatMap((name) => namePair(name, width)),
    ...(left > 0 ? [`  … and ${countText(left)} more; the report names every row.`] : []),
    '',
  ];
}

function namePair(
  { rowNumber, status, result, written, resolved, reason }: NameToSee,
  width: number,
): string[] {
  const head = `  Row ${rowNumber}`.padEnd(10);
  const indent = ' '.repeat(head.length);
  const fate = status === 'held' ? 'held' : 'paid when approved';
  const account = result === 'not_found' ? 'none: no such account' : clipped(resolved ?? '(no name)');
  const why = `${NAME_WORDS[result]}, ${fate}: ${printable(reason)}`;
  const below = (title: string, text: string) =>
    wrapped(text, width - indent.length - 2 - title.length, ' '.repeat(title.length)).map(
      (line, at) => `${indent}  ${at === 0 ? title : ''}${line}`,
    );
  const [first = '', ...more] = below('file     ', clipped(written ?? '(no name)'));
  return [head + first.slice(head.length), ...more, ...below('account  ', account), ...below('', why)];
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
