/**
 * What a command came to, in the few facts that other programs and a cron mail are told. Read from the document
 * that every command answers with (see --json), so that nothing is told twice in two ways.
 *
 * No account number is in it: rows are named by their row number.
 */

import { EXIT, type ExitCode } from '../../../domain/reporting/exit-code.ts';
import { stepLines } from '../../../domain/steps/command.ts';
import { cutText, printable, rowsText } from '../../../domain/text/printable.ts';

export type AnswerDocument = Readonly<Record<string, unknown>>;

export interface RunFacts {
  readonly command: string;
  readonly environment: 'live' | 'sandbox';
  readonly exitCode: ExitCode;
  readonly outcome: string | undefined;
  readonly sentence: string | undefined;
  readonly next: string | undefined;
  readonly andThen: string | undefined;
  readonly batch: { readonly id: string; readonly name: string | undefined } | undefined;
  /** Name or id of the batch; of one that was not reached, as it was typed; empty when it was not named. */
  readonly label: string;
  /** By status; undefined when no batch was looked at. */
  readonly counts: ReadonlyMap<string, number> | undefined;
  readonly totals: readonly FactTotal[];
  readonly error: { readonly code: string; readonly message: string } | undefined;
  /** Milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
}

interface FactTotal {
  readonly status: string;
  /** Empty where no money is known. */
  readonly currency: string;
  readonly count: number;
  /** Exact decimal. */
  readonly amount: string | undefined;
}

export interface Ended {
  readonly command: string;
  readonly isSandbox: boolean;
  /** The batch as it was typed; undefined when no word named one. */
  readonly batchTyped?: string | undefined;
  readonly exitCode: ExitCode;
  readonly startedAt: number;
  readonly endedAt: number;
}

export function runFacts(answer: AnswerDocument | undefined, ended: Ended): RunFacts {
  const { isSandbox, batchTyped, ...rest } = ended;
  const document = answer ?? {};
  const [batch, error] = [recordAt(document, 'batch'), recordAt(document, 'error')];
  const counts = recordAt(document, 'counts');
  return {
    ...rest,
    environment: isSandbox ? 'sandbox' : 'live',
    outcome: textAt(document, 'outcome'),
    sentence: unnumbered(textAt(document, 'sentence')),
    next: textAt(document, 'next') ?? textAt(error, 'next'),
    andThen: textAt(document, 'andThen') ?? textAt(error, 'andThen'),
    batch: batch === undefined ? undefined : { id: textAt(batch, 'id') ?? '', name: textAt(batch, 'name') },
    label: textAt(batch, 'name') ?? textAt(batch, 'id') ?? batchTyped ?? '',
    counts:
      counts === undefined
        ? undefined
        : new Map(Object.entries(counts).map(([status, count]) => [status, Number(count)])),
    totals: listAt(document, 'totals').map((total) => ({
      status: textAt(total, 'status') ?? '',
      currency: textAt(total, 'currency') ?? '',
      count: Number(total['count'] ?? 0),
      amount: textAt(total, 'amount'),
    })),
    error:
      error === undefined
        ? undefined
        : { code: textAt(error, 'code') ?? '', message: unnumbered(textAt(error, 'message')) ?? '' },
  };
}

export function textAt(document: AnswerDocument | undefined, key: string): string | undefined {
  const value = document?.[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function listAt(document: AnswerDocument | undefined, key: string): readonly AnswerDocument[] {
  const value = document?.[key];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function recordAt(document: AnswerDocument, key: string): AnswerDocument | undefined {
  const value = document[key];
  return isRecord(value) ? value : undefined;
}

function isRecord(value: unknown): value is AnswerDocument {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** A row of digits as long as an account number does not leave the machine, whatever it is. */
function unnumbered(text: string | undefined): string | undefined {
  return text?.replace(/\d{8,}/g, (digits) => `…${digits.slice(-4)}`);
}

/**
 * What a quiet run that went wrong says: what it came to, the first rows to look at, what broke it off, and the next
 * command. Everything is in the report and in `payfile status`. A plan that waits for a person and a file that has to
 * be mended are shown as they are, unless that is too long for a cron mail.
 */

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
