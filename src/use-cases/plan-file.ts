/** Plans a file: reads it into a batch, asks for names and fees, and says what the plan waits for. Sends nothing. */
import { type Batch, batchLabel } from '../domain/batches/batch.ts';
import { type Command, command } from '../domain/next-steps/command.ts';
import type { Plan } from '../domain/plan/plan.ts';
import { EXIT, type ExitCode } from '../domain/reporting/exit-code.ts';
import type { RowIssues } from '../domain/rows/row.ts';
import type { Ledger } from '../ports/ledger/ledger.ts';
import type { OpenRows } from '../ports/row-source.ts';
import { type PlanToSee, planOf, planToSee } from './approve/plan-of-batch.ts';
import type { RepeatAnswer } from './decide/repeats.ts';
import {
  type BroughtFile,
  bringFile,
  type FileRequest,
  invalidRowsOf,
  type NoWork,
  newPeriodOf,
  type OpenQuestion,
  openQuestion,
  underItsName,
} from './intake/bring-file.ts';
import type { Ports } from './ports.ts';
import { priceBatch } from './price/price-batch.ts';
import type { Priced } from './price/price-payouts.ts';

export interface PlannedBatch {
  readonly plan: Plan;
  readonly priced: Priced;
}

export interface FilePlan extends BroughtFile {
  readonly plan: PlannedBatch | undefined;
  readonly seen: PlanToSee | undefined;
  readonly invalidRows: readonly RowIssues[];
  readonly end: NoWork | PlanEnd;
}

/** What a plan waits for first, and what to do about it. */
export interface PlanEnd {
  readonly kind: 'unpriced' | 'invalid_rows' | 'repeats_open' | 'too_early' | 'planned';
  /** A sentence, where the plan alone does not say why. */
  readonly reason?: string | undefined;
  readonly exitCode: ExitCode;
  readonly next?: Command | undefined;
  readonly andThen?: Command | undefined;
  readonly question?: OpenQuestion | undefined;
}

export async function planFile(openRows: OpenRows, request: FileRequest, ports: Ports): Promise<FilePlan> {
  const brought = await bringFile(openRows, request, ports);
  const { file } = brought;
  if (brought.end !== undefined)
    return { ...file, plan: undefined, seen: undefined, invalidRows: [], end: brought.end };
  const { answer } = brought;
  const { id } = file.batch;
  const { signal, holder, skipInvalid } = request;
  const priced = await priceBatch(file.batch, { holder, signal, newPeriod: newPeriodOf(answer) }, ports);
  signal?.throwIfAborted();
  const plan = await planOf(id, ports);
  const batch = (await ports.ledger.batch(id)) ?? file.batch;
  const seen = await planToSee(plan, batch, ports, { amountStyle: file.imported.amountStyle });
  const invalidRows = await invalidRowsOf(id, ports.ledger);
  const planned = { plan, priced };
  const end = await planEnd(batch, planned, { answer, skipInvalid, ledger: ports.ledger });
  return { ...file, batch, plan: planned, seen, invalidRows, end };
}

interface PlanEnding {
  readonly answer: RepeatAnswer;
  readonly skipInvalid: boolean;
  readonly ledger: Ledger;
}

async function planEnd(
  batch: Batch,
  { plan, priced }: PlannedBatch,
  { answer, skipInvalid, ledger }: PlanEnding,
): Promise<PlanEnd> {
  const { invalid = 0, quoted = 0 } = plan.counts;
  const label = batchLabel(batch);
  if (priced.unpriced > 0) return { kind: 'unpriced', exitCode: EXIT.serviceUnavailable };
  if (invalid > 0 && !skipInvalid) return { kind: 'invalid_rows', exitCode: EXIT.badFile };
  const made = { kind: 'planned', exitCode: EXIT.done } as const;
  // Only the rows in question are held; the plan is made.
  if (answer.kind === 'too_early') {
    const next = underItsName('plan', answer.of);
    return { kind: 'too_early', exitCode: EXIT.needsPerson, reason: answer.why, next };
  }
  if (answer.kind === 'open')
    return { ...made, kind: 'repeats_open', question: openQuestion(answer.repeats) };
  if (quoted > 0) return { ...made, next: command('approve', [label]) };
  const held = await ledger.page(batch.id, { statuses: ['held'], after: undefined, limit: 1 });
  const row = held.payouts[0]?.rowNumber;
  if (row === undefined) return { ...made, next: command('send', [label]) };
  const andThen = command('release', [label, row], [['--reason', { fillIn: 'TEXT' }]]);
  return { ...made, next: command('explain', [label, row]), andThen };
}
