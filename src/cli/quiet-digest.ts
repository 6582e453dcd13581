/**
 * What a quiet run that went wrong says, when all that it had to say is too long for a cron mail: what it came to,
 * the first rows to look at, and the next command. Everything is in the report and in `payfile status`.
 */
import { rowsText } from '../domain/counted.ts';
import { cutText } from '../domain/cut-text.ts';
import { printable } from '../domain/printable.ts';
import { type AnswerDocument, listAt, type RunFacts, textAt } from './run-facts.ts';

/** With the lines that are said whatever happens, a mail stays within fifteen. */
export const QUIET_LINES_MAX = 15;
const ROWS_MAX = 7;
const WIDTH = 160;

export interface Digest {
  readonly results: readonly string[];
  readonly talk: readonly string[];
}

export function quietDigest(answer: AnswerDocument | undefined, facts: RunFacts): Digest | undefined {
  if (answer === undefined) return undefined;
  const rows = rowsOf(answer);
  const left = rows.length - ROWS_MAX;
  const label = facts.batch === undefined ? '' : ` batch ${facts.batch.name ?? facts.batch.id}`;
  const head = `payfile ${facts.command}${label} (${facts.environment}), exit ${facts.exitCode}`;
  const counted = countedOf(facts);
  const problems = listAt(answer, 'reports').flatMap((report) => textAt(report, 'problem') ?? []);
  const sentence = textAt(answer, 'sentence') ?? facts.error?.message;
  return {
    results: [
      head,
      ...(counted === undefined ? [] : [counted]),
      ...rows.slice(0, ROWS_MAX),
      ...(left > 0 ? [`… and ${left} more.`] : []),
    ].map(line),
    talk: [
      ...(sentence === undefined ? [] : [sentence]),
      ...problems.slice(0, 1),
      ...(facts.next === undefined ? [] : [`Next: ${facts.next}`]),
    ].map((text) => (text.startsWith('Next: ') ? text : line(text))),
  };
}

/** `24 rows: 22 settled, 1 failed, 1 in doubt`. */
function countedOf({ counts }: RunFacts): string | undefined {
  if (counts === undefined) return undefined;
  const used = [...counts].filter(([, count]) => count > 0);
  const all = used.reduce((sum, [, count]) => sum + count, 0);
  return `${rowsText(all)}: ${used.map(([status, count]) => `${count} ${status.replaceAll('_', ' ')}`).join(', ')}`;
}

function rowsOf(answer: AnswerDocument): string[] {
  const attention = listAt(answer, 'attention').map(
    (row) => `Row ${String(row['row'])} ${textAt(row, 'status') ?? ''}: ${textAt(row, 'reason') ?? ''}`,
  );
  const conflicts = listAt(answer, 'conflicts').map((conflict) => textAt(conflict, 'text') ?? '');
  const issues = listAt(answer, 'issues').map((issue) => {
    const where = `Row ${String(issue['row'])}, ${textAt(issue, 'column') ?? textAt(issue, 'field') ?? ''}`;
    return `${where}: saw “${textAt(issue, 'seen') ?? ''}”; expected ${textAt(issue, 'expected') ?? ''}`;
  });
  return [...attention, ...conflicts, ...issues];
}

function line(text: string): string {
  return cutText(printable(text), WIDTH);
}
