/**
 * `payfile resolve BATCH ROW`: a person rules on a row in doubt. Paid: the transfer is looked up and has to
 * fit. Not paid: evidence is required, and paying again is a step of its own.
 *
 * A row that was ruled not paid may still be shown to be paid: that is an incident, exit code 5. While another
 * process runs the batch nothing is ruled not paid (75).
 *
 * --json: {batch, row, outcome: "ruled" | "refused" | "incident", status, differences, reason, exitCode}.
 */

import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { type Batch, batchLabel } from '../../../domain/batches/batch.ts';
import { formatMoney } from '../../../domain/money/money.ts';
import type { Payout } from '../../../domain/payouts/payout.ts';
import { statusLabel } from '../../../domain/reporting/status-words.ts';
import { type Command, command, nextSteps } from '../../../domain/steps/command.ts';
import { printable } from '../../../domain/text/printable.ts';
import { choosePayout } from '../../../use-cases/decide/choose-payouts.ts';
import { type Resolved, type RulingRequest, resolveDoubt } from '../../../use-cases/decide/resolve-doubt.ts';
import { findBatch } from '../../../use-cases/find-batch.ts';
import { recoverBatch } from '../../../use-cases/send/recover-batch.ts';
import { orBusy, type World, withLease } from '../../../use-cases/world.ts';
import {
  argument,
  type Call,
  fromFolder,
  leaseHolder,
  tellSteps,
  typedSteps,
  UsageError,
  userName,
} from '../call.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { openParts } from '../open-parts.ts';
import { batchJson } from '../show/batch.ts';
import { askText, mayAsk } from '../terminal/ask.ts';

export async function resolve(call: Call): Promise<ExitCode> {
  const request = requestOf(call);
  const opened = await openParts(call);
  const ledger = await opened.ledger();
  const batch = await findBatch(argument(call, 0), ledger);
  const payout = await choosePayout(batch.id, argument(call, 1), { ledger });
  if (mayBeRuledOn(payout) && !(await isConfirmed(payout, request, call))) {
    call.terminal.talk('Nothing was ruled.');
    return EXIT.needsPerson;
  }
  const world = await opened.world();
  const resolved =
    request.kind === 'paid'
      ? await resolveDoubt(payout, request, world)
      : await ruleUnderLease({ batch, row: argument(call, 1), request }, world, call);
  opened.progress.clear();
  return show(resolved, { batch, payout, request }, { call, environment: ledger.identity.environment });
}

/**
 * “Not paid” is ruled while holding the batch: a process that runs it may have the request on the wire, or be about
 * to write its answer down. Rows that a dead process left on the wire are in doubt from here on.
 */
async function ruleUnderLease(
  { batch, row, request }: { readonly batch: Batch; readonly row: string; readonly request: RulingRequest },
  world: World,
  call: Call,
): Promise<Resolved> {
  return orBusy<Resolved>(
    await withLease(batch.id, leaseHolder(call), world, async () => {
      await recoverBatch(batch.id, world);
      return resolveDoubt(await choosePayout(batch.id, row, world), request, world);
    }),
  );
}

function mayBeRuledOn({ state }: Payout): boolean {
  if (state.status === 'failed') return state.basis === 'ruled';
  return state.status === 'in_doubt' || state.status === 'sending';
}

interface Asked {
  readonly batch: Batch;
  readonly payout: Payout;
  readonly request: RulingRequest;
}

function show(
  resolved: Resolved,
  { batch, payout, request }: Asked,
  { call, environment }: { readonly call: Call; readonly environment: 'live' | 'sandbox' },
): ExitCode {
  const { terminal } = call;
  for (const difference of resolved.differences) terminal.talk(`  differs: ${printable(difference)}`);
  const status = resolved.kind === 'refused' ? payout.state.status : resolved.payout.state.status;
  const row = payout.rowNumber;
  if (resolved.kind === 'ruled')
    terminal.result(`Row ${row} is ruled ${request.kind.replace('_', ' ')}: ${statusLabel(status)}.`);
  else if (resolved.kind === 'refused') terminal.talk(`${resolved.reason} Nothing was changed.`);
  else terminal.print(`INCIDENT: row ${row} was ${printable(resolved.reason)}. It is not paid again.`);
  const steps = typedSteps(
    call,
    nextSteps(nextOf(resolved.kind, request, { label: batchLabel(batch), row })),
  );
  tellSteps(steps, terminal);
  const exitCode = EXIT_OF[resolved.kind];
  terminal.answer({
    schemaVersion: 1,
    command: 'resolve',
    environment,
    exitCode,
    batch: batchJson(batch),
    row,
    outcome: resolved.kind,
    status,
    differences: resolved.differences,
    reason: resolved.kind === 'ruled' ? undefined : resolved.reason,
    ...steps,
  });
  return exitCode;
}

const EXIT_OF: Readonly<Record<Resolved['kind'], ExitCode>> = {
  ruled: EXIT.done,
  refused: EXIT.needsPerson,
  incident: EXIT.inDoubt,
};

function nextOf(
  kind: Resolved['kind'],
  request: RulingRequest,
  { label, row }: { readonly label: string; readonly row: number },
): Command {
  if (kind !== 'ruled') return command('explain', [label, row]);
  return request.kind === 'paid' ? command('settle', [label]) : command('reissue', [label, row]);
}

/** What is shown after a refusal: the row's story is looked at before anybody rules on it. */
function requestOf(call: Call): RulingRequest {
  const { paid, notPaid, evidence } = call.flags;
  if ((paid === undefined) === (notPaid !== true))
    throw new UsageError(
      'Say one of the two: --paid TRANSFER_ID, or --not-paid with --evidence.',
      command('explain', call.args),
      command('resolve', call.args, [['--paid', { fillIn: 'TRANSFER_ID' }]]),
    );
  const by = userName(call);
  const text = evidence === undefined ? undefined : evidenceOf(evidence, call);
  if (paid !== undefined) return { kind: 'paid', transferId: paid, by, evidence: text };
  if (text === undefined)
    throw new UsageError(
      '--not-paid needs --evidence: what proves that no money moved (a statement, the service’s own words)?',
      command('explain', call.args),
      command('resolve', call.args, [['--not-paid'], ['--evidence', { fillIn: 'TEXT' }]]),
    );
  return { kind: 'not_paid', by, evidence: text };
}

/** On a terminal the row number is typed; elsewhere --yes stands for it. */
async function isConfirmed(payout: Payout, request: RulingRequest, call: Call): Promise<boolean> {
  if (call.flags.yes === true) return true;
  const amount = payout.instruction === undefined ? '' : ` (${formatMoney(payout.instruction.amount)})`;
  const verdict = request.kind === 'paid' ? 'was paid' : 'was NOT paid';
  if (!mayAsk(call))
    throw new UsageError(
      `Ruling that row ${payout.rowNumber}${amount} ${verdict} needs --yes without a terminal. Look at the row first; then give the same command with --yes.`,
      command('explain', call.args),
    );
  const wanted = String(payout.rowNumber);
  const answer = await askText(
    call,
    `Row ${wanted}${amount} ${verdict}. Type the row number to rule so`,
    (text) => (text.trim() === wanted ? undefined : `Type ${wanted}, or press Ctrl-C to stop.`),
  );
  return answer !== undefined;
}

/**
 * What proves a ruling: words, or a file, of which name, size and SHA-256 are kept.
 */

const BYTES_MAX = 50 * 1024 * 1024;

export function evidenceOf(written: string, call: Pick<Call, 'surroundings'>): string {
  const text = written.trim();
  if (text === '') throw new UsageError('--evidence is empty: write what proves it, or name a file.');
  const path = fromFolder(call, text);
  const size = sizeOf(path);
  if (size === undefined && looksLikePath(text)) {
    throw new UsageError(
      `--evidence ${text} looks like a file, and there is none. Correct the path, or say it in words.`,
    );
  }
  if (size === undefined) return text;
  if (size > BYTES_MAX) throw new UsageError(`--evidence ${text} is larger than 50 MB.`);
  const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
  return `file ${basename(text)} (${size} bytes, SHA-256 ${hash})`;
}

/** One word with a slash or a file ending: a mistyped path must not be kept as if it were the proof. */
function looksLikePath(text: string): boolean {
  return (
    !/\s/.test(text) && !/^https?:\/\//.test(text) && (text.includes('/') || /\.[a-z0-9]{2,5}$/i.test(text))
  );
}

/** undefined when the path is no file's. */
function sizeOf(path: string): number | undefined {
  try {
    const found = statSync(path);
    return found.isFile() ? found.size : undefined;
  } catch {
    return undefined;
  }
}
