/**
 * Decisions about rows: `release` releases held rows, `cancel` withdraws unsent ones, `reissue` pays again
 * what is proven unpaid. The journal keeps who and why.
 *
 * --json: {batch, done: [row], refused: [{rowNumber, status, isNotYet, isMaybePaid, isElsewhere, tag}],
 * exitCode}; of a release also released: [{rowNumber, reasons}]; of a reissue also partReturns: [{rowNumber, currency,
 * paidAgain, cameBack, withBeneficiary}]. Exit code 64 when a named row stands where this cannot be done to it, 10 when time,
 * evidence or another look would allow it, 0 otherwise.
 */
import { batchLabel } from '../../../domain/batches/batch.ts';
import { formatDecimal, formatMoney } from '../../../domain/money/money.ts';
import { command, type Flag, isToFillIn, nextSteps } from '../../../domain/next-steps/command.ts';
import { REHEARSED } from '../../../domain/next-steps/pay-again.ts';
import { partReturnText } from '../../../domain/payouts/part-return.ts';
import type { ExitCode } from '../../../domain/reporting/exit-code.ts';
import { printable, rowsText } from '../../../domain/text/printable.ts';
import type { RowDecision, RowsDecided } from '../../../payfile.ts';
import { argument, type Call, tellSteps, typedSteps, UsageError } from '../call.ts';
import { openParts } from '../open-parts.ts';
import { batchJson } from '../show/batch.ts';

export async function release(call: Call): Promise<ExitCode> {
  const { mayBePaid, kind: kinds } = call.flags;
  return decide({ kind: 'release', reason: reasonOf(call, 'release'), mayBePaid, kinds }, call);
}

export async function cancel(call: Call): Promise<ExitCode> {
  return decide({ kind: 'cancel', reason: reasonOf(call, 'cancel'), kinds: call.flags.kind }, call);
}

export async function reissueRows(call: Call): Promise<ExitCode> {
  return decide({ kind: 'reissue', evidence: call.flags.evidence }, call);
}

async function decide(decision: RowDecision, call: Call): Promise<ExitCode> {
  const choice = choiceOf(call, decision.kind);
  const { payfile, progress } = await openParts(call);
  const decided = await payfile.decide(argument(call, 0), choice, decision);
  progress.clear();
  return show(decided, decision.kind, call);
}

/** More rows are counted. */
const NAMED_MAX = 20;
const DONE: Readonly<Record<RowDecision['kind'], string>> = {
  release: 'Released',
  cancel: 'Canceled',
  reissue: 'Planned again',
};

function show(decided: RowsDecided, verb: RowDecision['kind'], call: Call): ExitCode {
  const { terminal } = call;
  const { batch, environment, done, refused, released = [], partReturns = [], exitCode, needsRun } = decided;
  const rows = done.length === 0 || done.length > NAMED_MAX ? '' : ` (${done.join(', ')})`;
  const label = batchLabel(batch);
  if (done.length === 0) terminal.result(`Nothing was ${DONE[verb].toLowerCase()} in batch ${label}.`);
  else terminal.result(`${DONE[verb]}: ${rowsText(done.length)}${rows} of batch ${label}.`);
  if (released.length <= NAMED_MAX)
    for (const { rowNumber, reasons } of released)
      terminal.talk(`Row ${rowNumber} is released for: ${reasons.map(printable).join('; ')}.`);
  for (const { rowNumber, ...part } of partReturns)
    terminal.talk(`Row ${rowNumber} pays ${formatMoney(part.asked)} again: ${partReturnText(part)}.`);
  for (const { rowNumber, status } of refused)
    terminal.talk(`Row ${rowNumber} was left as it is: ${status}.`);
  if (refused.some(({ isMaybePaid }) => isMaybePaid === true)) terminal.talk(MAYBE_PAID);
  if (needsRun) terminal.talk(AGAIN);
  if (verb === 'reissue' && needsRun && environment === 'sandbox') terminal.talk(REHEARSED);
  if (isToFillIn(decided.next))
    terminal.talk(`FILE is ${printable((batch.halfRead ?? batch.file).name)}, wherever it is now.`);
  const steps = typedSteps(call, nextSteps(decided.next, decided.andThen));
  tellSteps(steps, terminal);
  terminal.answer({
    command: verb,
    environment,
    exitCode,
    batch: batchJson(batch),
    done,
    refused,
    ...(verb === 'release' ? { released } : {}),
    ...(verb === 'reissue' ? { partReturns: partReturns.map(partReturnJson) } : {}),
    ...steps,
  });
  return exitCode;
}

function partReturnJson({ rowNumber, asked, back, rest }: NonNullable<RowsDecided['partReturns']>[number]) {
  const [paidAgain, cameBack, withBeneficiary] = [asked, back, rest].map(formatDecimal);
  return { rowNumber, currency: asked.currency, paidAgain, cameBack, withBeneficiary };
}

const MAYBE_PAID =
  'To release a row all the same, knowing that it may be paid twice, name it again with --may-be-paid.';
const AGAIN = 'Names and fees are asked again by a run; then it waits for approval.';

function choiceOf(call: Call, verb: RowDecision['kind']) {
  const rows = call.args.slice(1);
  const { all: isAllNamed, allFailed, kind } = call.flags;
  // A kind without rows means all rows that are held for it.
  const isAll = isAllNamed === true || allFailed === true || (kind !== undefined && rows.length === 0);
  const all = verb === 'reissue' ? '--all-failed' : '--all';
  if (isAll && rows.length > 0) throw new UsageError(`Name rows, or say ${all}; not both.`);
  if (!isAll && rows.length === 0)
    throw new UsageError(
      `Which rows? Spreadsheet row numbers, references or tags, or ${all}.`,
      command('status', [argument(call, 0)]),
    );
  return isAll ? ({ kind: 'all' } as const) : ({ kind: 'rows', rows } as const);
}

function reasonOf(call: Call, verb: 'release' | 'cancel'): string {
  const reason = call.flags.reason?.trim() ?? '';
  if (reason !== '') return reason;
  const all: readonly Flag[] = call.flags.all === true ? [['--all']] : [];
  throw new UsageError(
    `${call.command} needs --reason TEXT: it is kept with your name, for whoever asks later.`,
    command('status', [argument(call, 0)]),
    command(verb, call.args, [...all, ['--reason', { fillIn: 'TEXT' }]]),
  );
}
