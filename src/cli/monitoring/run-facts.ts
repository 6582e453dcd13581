/**
 * The result of a command, in a few facts for monitors and cron mails.
 *
 * It names rows by row number and contains no account number.
 */

import { unknownOutcomes } from '../../domain/batches/batch.ts';
import { formatDecimal } from '../../domain/money/money.ts';
import { type NextSteps, type Place, stepLines, stepsIn } from '../../domain/next-steps/command.ts';
import { EXIT, type ExitCode } from '../../domain/reporting/exit-code.ts';
import { countText, cutText, printable, rowsText } from '../../domain/text/printable.ts';
import { type CallSummary, WIDTH } from '../../operations/call-summary.ts';

/** Summary of a command, with its next steps. */
export interface Summary extends CallSummary {
  readonly steps?: NextSteps;
}

export interface RunFacts {
  readonly command: string;
  readonly environment: 'live' | 'sandbox';
  readonly exitCode: ExitCode;
  readonly outcome: string | undefined;
  readonly sentence: string | undefined;
  readonly next: string | undefined;
  readonly andThen: string | undefined;
  readonly batch: { readonly id: string; readonly name: string | undefined } | undefined;
  /** Name or id of the batch, else the typed name, else empty. */
  readonly label: string;
  /** Rows per status; undefined if the command read no batch. */
  readonly counts: ReadonlyMap<string, number> | undefined;
  /** Rows of the batch with unknown outcome. */
  readonly doubts: number;
  /** Rows that differ from the request, where nobody accepted the difference. */
  readonly differing: number;
  readonly totals: readonly FactTotal[];
  readonly error: { readonly code: string; readonly message: string } | undefined;
  /** Milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
}

interface FactTotal {
  readonly status: string;
  /** Empty if no amount is known. */
  readonly currency: string;
  readonly count: number;
  /** Exact decimal. */
  readonly amount: string | undefined;
}

export interface CallEnd {
  readonly command: string;
  readonly isSandbox: boolean;
  /** For commands in messages that people read in any folder. */
  readonly place?: Place | undefined;
  /** The typed batch name; undefined if the words had none. */
  readonly batchTyped?: string | undefined;
  readonly exitCode: ExitCode;
  readonly startedAt: number;
  readonly endedAt: number;
}

export function runFacts(summary: Summary | undefined, ended: CallEnd): RunFacts {
  const { isSandbox, place = {}, batchTyped, ...rest } = ended;
  const { batch, outcome, sentence, steps = {}, totals, error } = summary ?? {};
  const { next, andThen } = stepsIn(place, steps);
  return {
    ...rest,
    environment: isSandbox ? 'sandbox' : 'live',
    outcome,
    sentence: withoutLongNumbers(sentence),
    next,
    andThen,
    batch: batch && { id: batch.id, name: batch.name },
    label: batch?.name ?? batchTyped ?? '',
    counts: totals && new Map(Object.entries(totals.counts)),
    doubts: totals === undefined ? 0 : unknownOutcomes(totals.counts),
    differing: totals?.differing ?? 0,
    totals: (totals?.byStatus ?? []).map(({ status, currency, count, minor }) => ({
      status,
      currency: currency ?? '',
      count,
      amount: currency && formatDecimal({ minor, currency }),
    })),
    error: error && { code: error.code, message: withoutLongNumbers(error.message) ?? '' },
  };
}

/** Masks digits as long as an account number, so that they never leave the machine. */
function withoutLongNumbers(text: string | undefined): string | undefined {
  return text?.replace(/\d{8,}/g, (digits) => `…${digits.slice(-4)}`);
}

/**
 * The short output of a failed quiet run: the result, the first rows to look at, the error, and the next command.
 * `payfile status` and the report have everything. A waiting plan or a file to correct keeps its full output, unless
 * that is too long for a cron mail.
 */

/** Maximum lines of a cron mail. */
export const QUIET_LINES_MAX = 15;
/** Longer than other lines, because a cut instruction is useless. */
const SENTENCE_WIDTH = 480;

export interface ShortOutput {
  readonly results: readonly string[];
  readonly talk: readonly string[];
  /** Shown in place of the output, even if that is short. */
  readonly replacesShortOutput: boolean;
}

export function shortOutputOf(summary: Summary | undefined, facts: RunFacts): ShortOutput | undefined {
  if (summary === undefined) return undefined;
  const { lines = [], count = 0 } = summary.toLookAt ?? {};
  const left = count - lines.length;
  const label = facts.batch === undefined ? '' : ` batch ${facts.batch.name}`;
  const head = `payfile ${facts.command}${label} (${facts.environment}), exit ${facts.exitCode}`;
  const counted = countedOf(facts);
  const sentence = summary.sentence ?? facts.error?.message;
  const isCounted = counted !== undefined && summary.isOnlyCounts === true;
  const said = [
    ...(sentence === undefined || isCounted ? [] : [sentence]),
    ...(summary.unwritten ?? []).slice(0, 1),
  ];
  return {
    results: [
      head,
      ...(counted === undefined ? [] : [counted]),
      ...lines,
      ...(left > 0 ? [`… and ${countText(left)} more.`] : []),
    ].map(line),
    talk: [...said.map((text) => cutText(printable(text), SENTENCE_WIDTH)), ...stepLines(facts)],
    replacesShortOutput: counted !== undefined && !SHOWN_WHOLE.includes(facts.exitCode),
  };
}

const SHOWN_WHOLE: readonly number[] = [EXIT.needsPerson, EXIT.badFile];

/** `24 rows: 22 settled, 1 failed, 1 in doubt`. */
function countedOf({ counts }: RunFacts): string | undefined {
  if (counts === undefined) return undefined;
  const used = [...counts].filter(([, count]) => count > 0);
  const all = used.reduce((sum, [, count]) => sum + count, 0);
  return `${rowsText(all)}: ${used.map(([status, count]) => `${count} ${status.replaceAll('_', ' ')}`).join(', ')}`;
}

function line(text: string): string {
  return cutText(printable(text), WIDTH);
}
