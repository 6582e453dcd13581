/**
 * What a command came to, in the few facts that other programs and a cron mail are told. Read from the document
 * that every command answers with (see --json), so that nothing is told twice in two ways.
 *
 * No account number is in it: rows are named by their row number.
 */
import type { ExitCode } from './exit-code.ts';

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

export interface FactTotal {
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

export function listAt(document: AnswerDocument | undefined, key: string): readonly AnswerDocument[] {
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
