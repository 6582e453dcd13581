/** Plans a file: validates it, gets names and fees, and stores the plan in the ledger. Sends nothing. */
import { z } from 'zod';
import { type Batch, batchLabel, repeatsText } from '../domain/batches/batch.ts';
import { type Command, command, type NextSteps, nextSteps } from '../domain/next-steps/command.ts';
import { batchFlag } from '../domain/next-steps/file-commands.ts';
import type { Plan } from '../domain/plan/plan.ts';
import type { Policy } from '../domain/policy.ts';
import type { Piece, Wording } from '../domain/text/message.ts';
import { counted, rowsText } from '../domain/text/printable.ts';
import type { PlanToSee } from '../use-cases/approve/plan-of-batch.ts';
import type { NoWork, OpenQuestion } from '../use-cases/intake/bring-file.ts';
import type { FilePlan, PlanEnd } from '../use-cases/plan-file.ts';
import type { BatchEnd } from '../use-cases/report/batch-end.ts';
import { batchJson } from './batch-json.ts';
import { aside, asideOf, type Block, when } from './block.ts';
import { toLookAt } from './call-summary.ts';
import type { Context } from './context.ts';
import { batch } from './fields.ts';
import { type FileNamed, fileCommand } from './file-commands.ts';
import { type PlanAsked, planFields } from './file-fields.ts';
import { issueBlocks, issuesJson, shortIssues } from './issue-blocks.ts';
import { correctAndPlan, namesStayHeld } from './messages-files.ts';
import { describeNoWork, isNoWork, presentFileEnd, REPEATS_FLAG, withOwnFile } from './no-work.ts';
import { operation } from './operation.ts';
import { fileJson, fixFileJson } from './placed-blocks.ts';
import { planBlocks } from './plan-blocks.ts';
import { alikeJson, changesJson, planJson } from './plan-json.ts';
import { questionBlocks, questionsJson } from './question-blocks.ts';

export interface PlannedFile extends FilePlan {
  /** The result of the batch, if the file left nothing to do. */
  readonly batchEnd: BatchEnd | undefined;
  readonly environment: 'live' | 'sandbox';
  readonly asked: PlanAsked;
  /** The policy no longer holds all name differences. */
  readonly allowsOtherNames: boolean;
}

export const plan = operation({
  name: 'plan',
  needs: ['bring'],
  changesData: true,
  input: z.strictObject(planFields),
  run: plannedFile,
  view: (done) => (hasNoWork(done) ? noWork.view(done) : planned(done, view)),
  json: (done, wording): PlannedJson =>
    hasNoWork(done) ? noWork.json(done, wording) : planned(done, (made) => json(made, wording)),
  next: (done) => (hasNoWork(done) ? noWork.next(done) : planned(done, steps)),
  exit: (done) => (hasNoWork(done) ? noWork.exit(done) : planned(done, ({ end }) => end.exitCode)),
  summarize: (done, wording) =>
    hasNoWork(done) ? noWork.summarize(done, wording) : planned(done, summaryOf),
});

async function plannedFile(given: PlanAsked, context: Context): Promise<PlannedFile> {
  const { fileRequestOf, requireRunnable, withFixFile } = await import('./file-request.ts');
  requireRunnable(given, 'plan', context);
  const asked = await withFixFile(given, context);
  context.requireService();
  await context.files.requireOwnPlaces(asked);
  const request = await fileRequestOf(asked, context);
  const { planFile } = await import('../use-cases/plan-file.ts');
  const ports = await context.ports();
  const done = await planFile(context.openRows, request, ports);
  const more = { environment: context.environment, asked, allowsOtherNames: allowsOtherNames(ports.policy) };
  const { end } = done;
  if (!('codes' in end)) return { ...done, ...more, batchEnd: undefined };
  const { withEnd } = await import('../use-cases/with-end.ts');
  return withEnd({ ...done, ...more }, { codes: end.codes, ignoresRows: end.ignoresRows }, context);
}

export const allowsOtherNames = ({ names }: Pick<Policy, 'names'>) =>
  (['close_match', 'no_match', 'not_found'] as const).some((result) => names[result] !== 'hold');

type PlanWithoutWork = PlannedFile & { readonly end: NoWork };
const hasNoWork = (done: PlannedFile): done is PlanWithoutWork => isNoWork(done.end);
const noWork = presentFileEnd<PlanWithoutWork, Record<never, never>, 'already_done'>('plan', describeNoWork);

interface Planned extends PlannedFile {
  readonly end: PlanEnd;
  readonly plan: NonNullable<FilePlan['plan']>;
  readonly seen: PlanToSee;
}

function planned<Shown>(done: PlannedFile, show: (planned: Planned) => Shown): Shown {
  const { end, plan: made, seen } = done;
  if (isNoWork(end) || made === undefined || seen === undefined)
    throw new Error('A plan ended without saying how.');
  return show({ ...done, end, plan: made, seen });
}

/** Members of a plan, or of a batch if nothing of the file was left to do. */
export type PlannedJson = Omit<ReturnType<typeof noWork.json>, 'outcome'> & {
  readonly outcome: ReturnType<typeof noWork.json>['outcome'] | ReturnType<typeof outcomeOf>;
} & Partial<Omit<ReturnType<typeof json>, 'outcome'>>;

function view(done: Planned): readonly Block[] {
  const { invalidRows, asked, seen, plan: made } = done;
  return [
    ...issueBlocks(invalidRows, { all: asked.all, allBy: allIssuesBy(asked) }),
    ...questionBlocks(done.imported.questions),
    ...planBlocks(seen, asked.changes),
    ...(done.allowsOtherNames ? heldBefore(made.plan, done.batch) : []),
    ...when(sentenceOf(done), (pieces) => [aside(...pieces)]),
  ];
}

export const allIssuesBy = (asked: FileNamed) => fileCommand(asked, 'check', { more: [['--all']] });

/** A held row stays held, even if the policy changes later. */
export function heldBefore({ holdReasons }: Pick<Plan, 'holdReasons'>, of: Batch): readonly Block[] {
  const count = holdReasons.get('name') ?? 0;
  if (count === 0) return [];
  const held = counted(count, 'row was held for its name', 'rows were held for their names');
  const words = [batchLabel(of), { fillIn: 'ROW' } as const];
  const { pieces } = namesStayHeld(held);
  return [
    asideOf({ code: '', pieces: [...pieces, command('release', words, [['--reason', { fillIn: 'TEXT' }]])] }),
  ];
}

function sentenceOf({ end, plan: { plan: made, priced } }: Planned): readonly Piece[] | undefined {
  switch (end.kind) {
    case 'unpriced': {
      const { unpriced, reason = 'no usable answer' } = priced;
      const rows = counted(unpriced, 'row has', 'rows have');
      return [`${rows} no quote: ${reason}. Plan again when the service answers.`];
    }
    case 'invalid_rows':
      return correctAndPlan(rowsText(made.counts.invalid ?? 0)).pieces;
    case 'repeats_open':
      return end.question && questionPieces(end.question);
    case 'too_early':
      return [end.reason ?? ''];
    case 'planned':
      return undefined;
  }
}

export function questionPieces({ repeats, withdraw }: OpenQuestion): readonly Piece[] {
  return [
    `${repeatsText(repeats)} payfile holds them and sends none of them. Look at that batch first. If this file is the same payment, withdraw it: `,
    withdraw,
    '. If it is a new payment, name the batch that it repeats.',
  ];
}

function steps({ end, asked, fixFile, batch: of }: Planned): NextSteps {
  switch (end.kind) {
    case 'unpriced':
      return nextSteps(fileCommand(asked, 'plan'));
    case 'invalid_rows':
      return nextSteps(undefined, fileCommand(asked, 'plan', { correctedPath: fixFile?.path }));
    case 'repeats_open':
      return nextSteps(end.question?.next, paidAgainCommand(asked, 'plan', of));
    default:
      return nextSteps(withOwnFile(end.next, asked, 'plan'), end.andThen);
  }
}

/** Rows that wait for an answer are held. payfile makes the plan anyway. */
const outcomeOf = ({ kind }: PlanEnd) =>
  kind === 'unpriced' || kind === 'invalid_rows' ? kind : ('planned' as const);

/** Command that pays the file as a new payment. */
export function paidAgainCommand(asked: FileNamed, verb: 'plan' | 'run', of: Batch): Command {
  return fileCommand(asked, verb, { more: [...batchFlag(of.name), REPEATS_FLAG] });
}

function json(
  { plan: made, seen, imported, batch: of, fixFile, end, invalidRows }: Planned,
  wording: Wording,
) {
  const { alike, twins } = seen.plan.sameMoney;
  return {
    environment: seen.environment,
    batch: batchJson(of),
    outcome: outcomeOf(end),
    plan: planJson(made.plan, of.file),
    file: fileJson(imported),
    questions: questionsJson(imported.questions, wording),
    changes: changesJson(seen.changes),
    alike: alikeJson(alike),
    twins,
    partReturns: seen.partReturns,
    unpriced: made.priced.unpriced,
    issues: issuesJson(invalidRows, of.file.sheet),
    fixFile: fixFileJson(fixFile),
  };
}

const summaryOf = ({ batch: of, end, invalidRows }: Planned) => ({
  batch: of,
  outcome: outcomeOf(end),
  toLookAt: toLookAt(shortIssues(invalidRows)),
});

/** Requests missing or old names and fees, for example after a release. Does not read the file. */
export const price = operation({
  name: 'price',
  needs: ['price'],
  changesData: true,
  input: z.strictObject({ batch: batch() }),
  async run({ batch: text }, context) {
    context.requireService();
    const found = await context.batch(text);
    const { priceBatch } = await import('../use-cases/price/price-batch.ts');
    const { holder, dialogue } = context;
    return priceBatch(found, { holder, signal: dialogue.signal }, await context.ports());
  },
  json: ({ unpriced, reason }) => ({ unpriced, reason: reason ?? null }),
});
