/**
 * Decisions about rows: `release` lets held rows go on, `cancel` withdraws unsent ones, `reissue` pays again
 * what is proven unpaid. Each names who and why, and is kept for ever.
 *
 * --json: {batch, done: [row], refused: [{rowNumber, status}], exitCode}. Exit code 64 when a named row stands
 * where this cannot be done to it, 10 when time or evidence would allow it, 0 otherwise.
 */

import { type Batch, batchLabel, STANDARD_INPUT } from '../../../domain/batches/batch.ts';
import { command, type Flag, plainPath } from '../../../domain/steps/command.ts';
import { rowsText } from '../../../domain/text/printable.ts';
import type { Choice } from '../../../use-cases/decide/choose-payouts.ts';
import { reissue } from '../../../use-cases/decide/reissue.ts';
import { cancelUnsent, type Decided, releaseHeld } from '../../../use-cases/decide/release-held.ts';
import { findBatch } from '../../../use-cases/find-batch.ts';
import { argument, type Call, tellSteps, typed, UsageError, userName } from '../call.ts';
import { EXIT, type ExitCode, strongest } from '../exit-code.ts';
import { type Opened, openParts } from '../open-parts.ts';
import { batchJson } from '../show/batch.ts';
import { batchFlag, mapFlags } from '../words/file-words.ts';
import { evidenceOf } from './resolve.ts';

type World = Awaited<ReturnType<Opened['quietWorld']>>;

interface Deciding {
  readonly verb: string;
  readonly done: string;
  readonly next: (label: string) => string;
  readonly decide: (batch: Batch, choice: Choice, world: World) => Promise<Decided>;
}

export async function release(call: Call): Promise<ExitCode> {
  const reason = reasonOf(call, 'release');
  return decide(call, {
    verb: 'release',
    done: 'Released',
    next: (label) => `approve ${label}`,
    decide: (batch, choice, world) => releaseHeld(batch.id, choice, { by: userName(call), reason }, world),
  });
}

export async function cancel(call: Call): Promise<ExitCode> {
  const reason = reasonOf(call, 'cancel');
  return decide(call, {
    verb: 'cancel',
    done: 'Canceled',
    next: (label) => `status ${label}`,
    decide: (batch, choice, world) => cancelUnsent(batch.id, choice, { by: userName(call), reason }, world),
  });
}

export async function reissueRows(call: Call): Promise<ExitCode> {
  const { evidence } = call.flags;
  const text = evidence === undefined ? undefined : evidenceOf(evidence, call);
  return decide(call, {
    verb: 'reissue',
    done: 'Planned again',
    next: (label) => `approve ${label}`,
    decide: (batch, choice, world) =>
      reissue(batch.id, choice, { by: userName(call), evidence: text }, world),
  });
}

async function decide(call: Call, deciding: Deciding): Promise<ExitCode> {
  const choice = choiceOf(call, deciding.verb);
  const opened = await openParts(call);
  const world = await opened.quietWorld();
  const batch = await findBatch(argument(call, 0), world.ledger);
  const decided = await deciding.decide(batch, choice, world);
  opened.progress.clear();
  return show(decided, batch, { call, deciding, environment: world.ledger.identity.environment });
}

function show(
  { done, refused }: Decided,
  batch: Batch,
  {
    call,
    deciding,
    environment,
  }: { readonly call: Call; readonly deciding: Deciding; readonly environment: 'live' | 'sandbox' },
): ExitCode {
  const { terminal } = call;
  const rows = done.length === 0 || done.length > 20 ? '' : ` (${done.join(', ')})`;
  terminal.result(`${deciding.done}: ${rowsText(done.length)}${rows} of batch ${batchLabel(batch)}.`);
  for (const { rowNumber, status } of refused)
    terminal.talk(`Row ${rowNumber} was left as it is: ${status}.`);
  const file = batch.file.name === STANDARD_INPUT ? '-' : plainPath(batch.file.name);
  const needsRun = deciding.verb !== 'cancel' && done.length > 0;
  const next = typed(
    call,
    needsRun
      ? command('run', [file], [...mapFlags(batch.file), ...batchFlag(batch.name)])
      : command('status', [batchLabel(batch)]),
  );
  if (needsRun) terminal.talk(AGAIN);
  tellSteps({ next }, terminal);
  const exitCode = exitCodeOf(refused);
  terminal.answer({
    schemaVersion: 1,
    command: deciding.verb,
    environment,
    exitCode,
    batch: batchJson(batch),
    done,
    refused,
    next,
  });
  return exitCode;
}

const AGAIN =
  'Names and fees are asked again by a run; then it waits for approval. Where the file was read with --source, --decimal ' +
  'or --encoding, give them again: the ledger does not keep them.';

/**
 * A row that no time or evidence can bring where it would have to be was named by mistake: usage, 64. Code 10 would
 * tell a script to wait for a person who has nothing to decide. What may be allowed later is 10.
 */
function exitCodeOf(refused: Decided['refused']): ExitCode {
  return strongest(
    refused.map(({ isNotYet }): ExitCode => (isNotYet === true ? EXIT.needsPerson : EXIT.usage)),
  );
}

function choiceOf(call: Call, verb: string): Choice {
  const rows = call.args.slice(1);
  const isAll = call.flags.all === true || call.flags.allFailed === true;
  const all = verb === 'reissue' ? '--all-failed' : '--all';
  if (isAll && rows.length > 0) throw new UsageError(`Name rows, or say ${all}; not both.`);
  if (!isAll && rows.length === 0)
    throw new UsageError(
      `Which rows? Spreadsheet row numbers or references, or ${all}.`,
      command('status', [argument(call, 0)]),
    );
  return isAll ? { kind: 'all' } : { kind: 'rows', rows };
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
