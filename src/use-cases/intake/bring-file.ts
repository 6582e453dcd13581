/**
 * Brings a file to a batch, for a plan or a run of it: reads and places it, and asks about a batch that it may repeat. Says
 * why where nothing is left to do with it.
 */
import { type Batch, batchLabel, type StatusCounts } from '../../domain/batches/batch.ts';
import { type Command, command, type Step } from '../../domain/next-steps/command.ts';
import { correctedSteps, freeRedoName } from '../../domain/next-steps/pay-again.ts';
import type { BatchId } from '../../domain/payouts/instruction.ts';
import { EXIT, type ExitCode } from '../../domain/reporting/exit-code.ts';
import type { RowIssues } from '../../domain/rows/row.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import type { OpenRows } from '../../ports/row-source.ts';
import { askRepeats, type PeriodAnswer, type RepeatAnswer, whyNoNewPeriod } from '../decide/repeats.ts';
import { type KnownBatch, knownBatch } from '../find-batch.ts';
import type { Ports } from '../ports.ts';
import { paidAgainCounts, paidAgainIn } from '../report/paid-again.ts';
import type { Repeats } from '../user-questions.ts';
import { isTakenIn } from './batch-name.ts';
import { type PlacedFile, type PlaceRequest, placeFile } from './place-file.ts';
import type { Placed } from './place-import.ts';

export interface FileRequest extends PlaceRequest {
  readonly skipInvalid: boolean;
}

export interface BroughtFile extends PlacedFile {
  /** The batch of the file; where nothing is left to do, the batch that was found. */
  readonly batch: Batch;
}

export type Brought =
  | { readonly file: BroughtFile; readonly answer: RepeatAnswer; readonly end?: undefined }
  | { readonly file: BroughtFile; readonly end: NoWork };

/** A file after which nothing was left to do, and why. */
export type NoWork =
  | {
      readonly kind: 'refused';
      readonly exitCode: ExitCode;
      readonly next: Command;
      /** How to withdraw rows or pay them as corrected; empty where there are none. */
      readonly correct: readonly Step[];
    }
  /** A batch of another name has the same file, and nobody said which of the two it is. */
  | {
      readonly kind: 'same_file';
      readonly exitCode: ExitCode;
      readonly known: KnownBatch;
      /** Why it is not paid for a new period yet, in sentences; undefined: it can be. */
      readonly tooEarly: string | undefined;
      /** That batch is looked at first. */
      readonly next: Command;
    }
  /** A person stopped it: nothing of the batch was done. */
  | ({ readonly kind: 'canceled' } & DoneBefore)
  /** The same rows as a batch that is finished: nothing is sent, and that is success, whatever it came to. */
  | ({
      readonly kind: 'finished';
      readonly unpaid: readonly Unpaid[];
      /** How many of these another batch has paid since. */
      readonly paidAgain: number;
    } & DoneBefore);

/** How the rows stand does not change the exit code. */
interface DoneBefore {
  readonly codes: readonly ExitCode[];
  readonly ignoresRows: true;
}

export async function bringFile(openRows: OpenRows, request: FileRequest, ports: Ports): Promise<Brought> {
  const read = await placeFile(openRows, request, ports);
  const { placed, imported } = read;
  const file = { ...read, batch: placed.batch };
  if (placed.kind !== 'new' && placed.kind !== 'revision') return { file, end: await noWork(placed, ports) };
  request.onProgress?.({ kind: 'placed', imported, placed });
  const said = request.repeats ?? read.repeats;
  const { ask, holder } = request;
  const asked = { batch: placed.batch, rows: imported.rows, overlaps: placed.overlaps, said, ask };
  const answer = await askRepeats({ ...asked, by: holder.user }, ports);
  return { file, answer };
}

async function noWork(
  placed: Exclude<PlacedFile['placed'], { kind: 'new' | 'revision' }>,
  ports: Ports,
): Promise<NoWork> {
  const { ledger } = ports;
  const { batch } = placed;
  const next = command('status', [batchLabel(batch)]);
  switch (placed.kind) {
    case 'refused': {
      const correct = await corrections(placed, ledger);
      return { kind: 'refused', exitCode: EXIT.badFile, next, correct };
    }
    case 'same_file': {
      const known = await knownBatch(batch, ledger);
      const tooEarly = await whyNoNewPeriod(batch, ports);
      return { kind: 'same_file', exitCode: EXIT.needsPerson, known, tooEarly, next };
    }
    case 'canceled':
      return { kind: 'canceled', codes: [EXIT.needsPerson], ignoresRows: true };
    default:
      return finishedBefore(batch, ledger);
  }
}

async function corrections(
  { batch, comparison }: Extract<Placed, { kind: 'refused' }>,
  ledger: Ledger,
): Promise<readonly Step[]> {
  const rows = comparison.conflicts.map(({ rowNumber, state }) => ({ rowNumber, status: state.status }));
  return correctedSteps(batch, rows, await freeRedoName(batch, isTakenIn(ledger)));
}

export async function finishedBefore(batch: Batch, ledger: Ledger): Promise<NoWork> {
  const unpaid = unpaidOf(await ledger.counts(batch.id));
  const { paid } = paidAgainCounts(await paidAgainIn(batch.id, ledger));
  return { kind: 'finished', codes: [], ignoresRows: true, unpaid, paidAgain: paid };
}

/** Rows of a finished batch that were not paid; the gravest first. */
interface Unpaid {
  readonly status: 'failed' | 'returned' | 'held' | 'canceled' | 'invalid';
  readonly count: number;
}

const UNPAID: readonly Unpaid['status'][] = ['failed', 'returned', 'held', 'canceled', 'invalid'];

function unpaidOf(counts: StatusCounts): readonly Unpaid[] {
  return UNPAID.map((status) => ({ status, count: counts[status] })).filter(({ count }) => count > 0);
}

/** The answer that this pays another batch's rows for a new period. */
export function newPeriodOf(answer: RepeatAnswer): PeriodAnswer | undefined {
  return answer.kind === 'released' ? answer.newPeriod : undefined;
}

/** Nobody said what most rows repeat. */
export interface OpenQuestion {
  readonly repeats: Repeats;
  /** For a file that is the same payment again. */
  readonly withdraw: Command;
  /** The batch that is repeated is looked at first. */
  readonly next: Command;
}

export function openQuestion(repeats: Repeats): OpenQuestion {
  return {
    repeats,
    withdraw: command('cancel', [batchLabel(repeats.batch)], [['--all'], ['--reason', { fillIn: 'TEXT' }]]),
    next: command('status', [batchLabel(repeats.of)]),
  };
}

/** If the file is the other batch, this goes on with it. */
export function underItsName(verb: 'run' | 'plan', of: Batch): Command {
  return command(verb, [{ fillIn: 'FILE' }], [['--batch', batchLabel(of)]]);
}

const ROWS_MAX = 100_000;

/** The rows of a batch that cannot be paid as written, with their issues, in file order. */
export async function invalidRowsOf(batchId: BatchId, ledger: Ledger): Promise<RowIssues[]> {
  const rows: RowIssues[] = [];
  for await (const page of ledger.payouts(batchId, { statuses: ['invalid'] })) {
    for (const { rowNumber, state } of page)
      if (state.status === 'invalid') rows.push({ rowNumber, issues: state.issues });
    if (rows.length >= ROWS_MAX) return rows;
  }
  return rows;
}
