/**
 * What a command came to, in the few facts that other programs and a cron mail are told.
 *
 * No account number is in it: rows are named by their row number.
 */

import { unknownOutcomes } from '../../domain/batches/batch.ts';
import { formatDecimal } from '../../domain/money/money.ts';
import { type NextSteps, type Place, stepLines, stepsIn } from '../../domain/next-steps/command.ts';
import { EXIT, type ExitCode } from '../../domain/reporting/exit-code.ts';
import { countText, cutText, printable, rowsText } from '../../domain/text/printable.ts';
import { type CallSummary, WIDTH } from '../../operations/call-summary.ts';

/** What a command says of itself at its end, beside its document. */
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
  /** Name or id of the batch; of one that was not reached, as it was typed; empty when it was not named. */
  readonly label: string;
  /** By status; undefined when no batch was looked at. */
  readonly counts: ReadonlyMap<string, number> | undefined;
  /** Rows of the batch whose outcome is not known. */
  readonly doubts: number;
  /** Rows that differ from what was asked, and that nobody accepted. */
  readonly differing: number;
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
  /** For the commands of messages, which are read in any folder. */
  readonly place?: Place | undefined;
  /** The batch as it was typed; undefined when no word named one. */
  readonly batchTyped?: string | undefined;
  readonly exitCode: ExitCode;
  readonly startedAt: number;
  readonly endedAt: number;
}

export function runFacts(summary: Summary | undefined, ended: Ended): RunFacts {
  const { isSandbox, place = {}, batchTyped, ...rest } = ended;
  const { batch, outcome, sentence, steps = {}, totals, error } = summary ?? {};
  const { next, andThen } = stepsIn(place, steps);
  return {
    ...rest,
    environment: isSandbox ? 'sandbox' : 'live',
    outcome,
    sentence: unnumbered(sentence),
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
    error: error && { code: error.code, message: unnumbered(error.message) ?? '' },
  };
}

/** Digits as long as an account number never leave the machine, whatever they mean. */
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
/** A sentence that says what to do is no use when it is cut. */
const SENTENCE_WIDTH = 480;

export interface Digest {
  readonly results: readonly string[];
  readonly talk: readonly string[];
  /** Takes the place of a short story too. */
  readonly isEnough: boolean;
}

export function quietDigest(summary: Summary | undefined, facts: RunFacts): Digest | undefined {
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
    isEnough: counted !== undefined && !SHOWN_WHOLE.includes(facts.exitCode),
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
