/**
 * Runs a file through all steps: read, price, approve, send, settle, report. A repeated run continues where the last
 * one stopped.
 */
import { z } from 'zod';
import type { Batch } from '../domain/batches/batch.ts';
import type { Command } from '../domain/next-steps/command.ts';
import { batchFlag } from '../domain/next-steps/file-commands.ts';
import { overLimitSentence } from '../domain/plan/limits.ts';
import { passkeyRefusedSentence, passkeySentence, samePersonSentence } from '../domain/plan/typed-totals.ts';
import { input as named, type Piece } from '../domain/text/message.ts';
import { counted, rowsText } from '../domain/text/printable.ts';
import type { Consent, NotAgreed } from '../use-cases/approve/ask-consent.ts';
import type { OpenQuestion } from '../use-cases/intake/bring-file.ts';
import { requireReports } from '../use-cases/own-places.ts';
import type { BatchEnd } from '../use-cases/report/batch-end.ts';
import type { FileRun, RunEnd } from '../use-cases/run.ts';
import type { EndAddition } from './batch-end-blocks.ts';
import { aside, type Block, when } from './block.ts';
import { toLookAt } from './call-summary.ts';
import type { Context } from './context.ts';
import { choice } from './fields.ts';
import { fileCommand } from './file-commands.ts';
import { type PlanAsked, planFields } from './file-fields.ts';
import { issueBlocks, issuesJson, shortIssues } from './issue-blocks.ts';
import {
  changedTermsBlocks,
  LIFT_CANARY,
  overCeilingPieces,
  sentText,
  stopPieces,
} from './messages-sending.ts';
import { describeNoWork, type FileResult, isNoWork, presentFileEnd, withOwnFile } from './no-work.ts';
import { operation } from './operation.ts';
import { fileJson, fixFileJson } from './placed-blocks.ts';
import {
  allIssuesBy,
  heldBefore,
  paidAgainCommand,
  allowsOtherNames as policyAllowsOtherNames,
  questionPieces,
} from './plan.ts';
import { madeUpHint } from './plan-blocks.ts';
import { changesJson, planJson } from './plan-json.ts';
import { questionBlocks } from './question-blocks.ts';
import { bounds, canary, DEADLINE_MS, deadline, reports } from './working-fields.ts';

// A run stops at the first wrong rows. `check` lists all of them.
const { all: _, ...fileFields } = planFields;

const input = z.strictObject({
  ...fileFields,
  ...reports,
  canary,
  deadline,
  ...bounds,
  yes: choice('agree without being asked (sandbox only)'),
  /** Agrees to the plan, or says why not. Without it, a person types the totals, or `yes` or `maxTotal` agrees. */
  consent: z.custom<Consent>((given) => typeof given === 'function', { error: 'a function' }).optional(),
});
type Asked = z.output<typeof input> & Pick<PlanAsked, 'all'>;

export interface FileRunResult extends FileRun, FileResult {
  readonly end: FileRun['end'];
  readonly batchEnd: BatchEnd | undefined;
  readonly asked: Asked;
  /** The policy no longer holds all name differences. */
  readonly allowsOtherNames: boolean;
}

export const run = operation({
  name: 'run',
  needs: ['bring', 'approve', 'send'],
  changesData: true,
  input,
  run: runWholeFile,
  ...presentFileEnd('run', additionOf),
  again: (given) => fileCommand(given as Partial<Asked>, 'run', { isUnsaved: true }),
});

async function runWholeFile(given: z.output<typeof input>, context: Context): Promise<FileRunResult> {
  const [{ fileRequestOf, requireRunnable, withFixFile }, { runFile }, work, { withEnd }] = await Promise.all(
    [
      import('./file-request.ts'),
      import('../use-cases/run.ts'),
      import('../use-cases/work-of-error.ts'),
      import('../use-cases/with-end.ts'),
    ],
  );
  requireRunnable({ ...given, all: false }, 'run', context);
  const asked: Asked = await withFixFile({ ...given, all: false }, context);
  const { report, fullAccounts, consent, yes, maxTotal: ceilings, maxDebit: maxDebits } = asked;
  const files = { reports: report, fixFile: fixPathOf(asked), reads: asked.file };
  let name = asked.batch;
  let allowsOtherNames = false;
  const intended = async () =>
    name === undefined ? undefined : (await context.existingLedger()).batchNamed(name);
  const done = await work.rememberWorkOnError(
    () => ({ begun: work.NOTHING_BEGUN, intended }),
    async () => {
      context.requireService();
      await requireReports(files, context);
      const request = await fileRequestOf(asked, context);
      name = request.name;
      const ports = await context.ports(asked.deadline);
      allowsOtherNames = policyAllowsOtherNames(ports.policy);
      const deadlineMs = asked.deadline ?? DEADLINE_MS;
      const sending = { consent, yes, ceilings, maxDebits, canary: asked.canary, deadlineMs };
      return runFile(context.openRows, { ...request, ...sending }, ports);
    },
  );
  const more = { environment: context.environment, asked, allowsOtherNames };
  const { end } = done;
  if (!('codes' in end)) return { ...done, ...more, batchEnd: undefined };
  const { codes, ignoresRows } = end;
  const next = 'next' in end ? withOwnFile(end.next, asked, 'run') : undefined;
  return withEnd({ ...done, ...more }, { codes, ignoresRows, next, reports: report, fullAccounts }, context);
}

const fixPathOf = ({ fixFile }: Asked) => (typeof fixFile === 'string' ? fixFile : undefined);

type Ended = FileRunResult & { readonly run: NonNullable<FileRun['run']>; readonly end: RunEnd };

function additionOf(done: FileRunResult) {
  const { end, run: ran } = done;
  if (isNoWork(end)) return describeNoWork({ ...done, end });
  if (ran === undefined) throw new Error('A run ended without saying how.');
  const { hasTable } = end;
  const { before = [], json, ...said } = additionOfEnd({ ...done, run: ran, end });
  return {
    hasTable,
    outcome: outcomeOf(ran.notAgreed, end),
    ...said,
    before: [...blocksBeforeResult(done, ran), ...before],
    json: {
      plan: planJson(ran.plan, done.batch.file),
      changes: changesJson(done.seen?.changes),
      file: fileJson(done.imported),
      ...json,
    },
  };
}

/** The outcome in JSON, if the rows do not decide it. */
function outcomeOf(why: NotAgreed | undefined, { kind }: RunEnd) {
  if (why?.kind === 'approval')
    return kind === why.kind && why.result.kind === 'over_limit' ? why.result.kind : undefined;
  return kind === 'invalid_rows' || kind === 'over_ceiling' ? kind : undefined;
}

function blocksBeforeResult(
  { batch, allowsOtherNames, environment, seen }: FileRunResult,
  { plan, recovered, sent }: Ended['run'],
): readonly Block[] {
  return [
    // Nobody is asked about a plan that pays nothing, so nobody saw the hint in it.
    ...(seen === undefined ? madeUpHint({ environment, plan }) : []),
    ...(allowsOtherNames ? heldBefore(plan, batch) : []),
    ...when(recovered > 0, () => [
      aside(
        `${counted(recovered, 'row was', 'rows were')} in flight when the last run ended. They are in doubt and are not sent again.`,
      ),
    ]),
    ...when(sent, changedTermsBlocks),
  ];
}

function additionOfEnd(done: Ended): EndAddition {
  const { end, run: ran } = done;
  switch (end.kind) {
    case 'silent': {
      const waits = end.moved.isMoved ? 'Rows not sent wait' : 'Nothing was sent';
      const sentence = `payfile stopped waiting for the service: ${ran.silence}. ${waits}. Run again when the service answers.`;
      return { sentence: [sentence], next: rerunCommand(done) };
    }
    case 'unpriced': {
      const { unpriced, reason = 'the service gave no usable answer' } = ran.priced;
      const sentence = `${counted(unpriced, 'row', 'rows')} got no answer from the service: ${reason}. These rows were not sent. Run again when the service answers.`;
      return { sentence: [sentence], next: rerunCommand(done) };
    }
    case 'invalid_rows':
      return invalidRows(done);
    case 'repeats_open':
      return end.question === undefined ? {} : additionOfQuestion(end.question, done);
    case 'sent':
    case 'interrupted':
      return { sentence: ran.sent && stopPieces(ran.sent, LIFT_CANARY) };
    default:
      return { sentence: ran.notAgreed && notAgreedPieces(ran.notAgreed, done) };
  }
}

function notAgreedPieces(why: NotAgreed, done: Ended): readonly Piece[] | undefined {
  const { batch, end } = done;
  switch (why.kind) {
    case 'over_ceiling':
      return overCeilingPieces(why);
    case 'not_agreed':
      return [...noConsentPieces(why, done), ` ${sentText(end.moved)}`];
    case 'approval':
      return [`${notApproved(why.result, batch)} ${sentText(end.moved)}`];
    case 'invalid_rows':
      return undefined;
  }
}

function noConsentPieces(
  { why, reason }: Extract<NotAgreed, { kind: 'not_agreed' }>,
  { environment, seen, run: ran }: Ended,
): readonly Piece[] {
  if (why === 'canceled') return ['Stopped as you asked. The batch stays planned.'];
  if (why !== 'nobody') return [reason];
  const add =
    environment === 'sandbox'
      ? [named('yes'), ' (sandbox), or a ceiling (', named('maxTotal'), ')']
      : (seen?.plan ?? ran.plan).toApprove.flatMap(({ currency }, at) => [
          at === 0 ? '' : ' ',
          named('maxTotal', `${currency}=AMOUNT`),
        ]);
  return [`${reason} Add `, ...add, ', or approve it.'];
}

type NotApproved = Extract<NotAgreed, { kind: 'approval' }>['result'];

function notApproved(result: NotApproved, batch: Batch): string {
  switch (result.kind) {
    case 'same_person':
    case 'let_in_by_maker':
    case 'let_maker_in':
      return samePersonSentence(result, batch);
    case 'passkey_missing':
      return passkeySentence(batch);
    case 'passkey_refused':
      return passkeyRefusedSentence(result);
    case 'over_limit':
      return `${overLimitSentence(result)} Nothing more was approved. Withdraw rows, or raise the limit in the configuration.`;
    case 'changed':
      return 'The plan changed while you agreed to it. Look at it again.';
    case 'not_agreed':
      return 'The typed text is not the total. Nothing was approved.';
  }
}

function invalidRows(done: Ended): EndAddition {
  const {
    batch,
    run: { notAgreed },
    invalidRows: rows,
    fixFile,
    imported,
    end,
    asked,
  } = done;
  const count = notAgreed?.kind === 'invalid_rows' ? notAgreed.count : rows.length;
  const sent = end.moved.isMoved ? 'this command sent nothing' : 'nothing was sent';
  const them = count === 1 ? 'it' : 'them';
  return {
    before: [
      ...issueBlocks(rows, { all: false, allBy: allIssuesBy(asked) }),
      ...questionBlocks(imported.questions),
    ],
    sentence: [
      `${rowsText(count)} cannot be paid as written, so ${sent}. Correct ${them} and run the file again. Or leave ${them} out with `,
      named('skipInvalid'),
      '.',
    ],
    andThen: rerunCommand(done, fixFile?.path),
    toLookAt: toLookAt(shortIssues(rows)),
    json: { issues: issuesJson(rows, batch.file.sheet), fixFile: fixFileJson(fixFile) },
  };
}

/** Runs the same file again. `correctedPath`: the path of the corrected file. */
function rerunCommand({ batch, asked }: Ended, correctedPath?: string): Command {
  return fileCommand(asked, 'run', { correctedPath, more: batchFlag(batch.name) });
}

function additionOfQuestion(question: OpenQuestion, { asked, batch }: Ended): EndAddition {
  return {
    sentence: questionPieces(question),
    next: question.next,
    andThen: paidAgainCommand(asked, 'run', batch),
  };
}
