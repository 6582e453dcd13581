/**
 * What a quiet run that went wrong says: what it came to, the first rows to look at, what broke it off, and the next
 * command. Everything is in the report and in `payfile status`. A plan that waits for a person and a file that has to
 * be mended are shown as they are, unless that is too long for a cron mail.
 */
import { rowsText } from '../domain/counted.ts';
import { cutText } from '../domain/cut-text.ts';
import { printable } from '../domain/printable.ts';
import { stepLines } from './call.ts';
import { EXIT } from './exit-code.ts';
import { type AnswerDocument, listAt, type RunFacts, textAt } from './run-facts.ts';

/** With the lines that are said whatever happens, a mail stays within fifteen. */
export const QUIET_LINES_MAX = 15;
const ROWS_MAX = 5;
const WIDTH = 160;
/** A sentence that says what to do is no use when it is cut. */
const SENTENCE_WIDTH = 480;

export interface Digest {
  readonly results: readonly string[];
  readonly talk: readonly string[];
  /** Takes the place of a short story too. */
  readonly isEnough: boolean;
}

export function quietDigest(answer: AnswerDocument | undefined, facts: RunFacts): Digest | undefined {
  if (answer === undefined) return undefined;
  const rows = rowsOf(answer);
  const left = rows.length - ROWS_MAX;
  const label = facts.batch === undefined ? '' : ` batch ${facts.batch.name ?? facts.batch.id}`;
  const head = `payfile ${facts.command}${label} (${facts.environment}), exit ${facts.exitCode}`;
  const counted = countedOf(facts);
  const problems = listAt(answer, 'reports').flatMap((report) => textAt(report, 'problem') ?? []);
  const sentence = sentenceOf(answer, facts, counted !== undefined);
  return {
    results: [
      head,
      ...(counted === undefined ? [] : [counted]),
      ...rows.slice(0, ROWS_MAX),
      ...(left > 0 ? [`… and ${left} more.`] : []),
    ].map(line),
    talk: [
      ...[...(sentence === undefined ? [] : [sentence]), ...problems.slice(0, 1)].map((text) =>
        cutText(printable(text), SENTENCE_WIDTH),
      ),
      ...stepLines(facts),
    ],
    isEnough: counted !== undefined && !SHOWN_WHOLE.includes(facts.exitCode),
  };
}

const SHOWN_WHOLE: readonly number[] = [EXIT.needsPerson, EXIT.badFile];

/** What was said of the rows is in their counts already, but for an incident. */
function sentenceOf(answer: AnswerDocument, facts: RunFacts, isCounted: boolean): string | undefined {
  const sentence = textAt(answer, 'sentence') ?? facts.error?.message;
  const isOfRows = sentence !== undefined && /^[\d,]+ payments?: [^;]*$/.test(sentence);
  return isOfRows && isCounted ? undefined : sentence;
}

/** `24 rows: 22 settled, 1 failed, 1 in doubt`. */
function countedOf({ counts }: RunFacts): string | undefined {
  if (counts === undefined) return undefined;
  const used = [...counts].filter(([, count]) => count > 0);
  const all = used.reduce((sum, [, count]) => sum + count, 0);
  return `${rowsText(all)}: ${used.map(([status, count]) => `${count} ${status.replaceAll('_', ' ')}`).join(', ')}`;
}

function rowsOf(answer: AnswerDocument): string[] {
  const attention = listAt(answer, 'attention').map((row) => {
    const reason = textAt(row, 'reason') ?? '';
    const start = `Row ${String(row['row'])} ${textAt(row, 'status') ?? ''}`;
    // What a statement is searched for stands where no line is cut.
    const tag = /PF-[0-9A-Z]{8}/.exec(reason)?.[0];
    return tag === undefined || reason.length < WIDTH / 2
      ? `${start}: ${reason}`
      : `${start} (${tag}): ${reason}`;
  });
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
