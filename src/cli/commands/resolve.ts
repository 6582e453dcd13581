/**
 * `payfile resolve BATCH ROW`: a person rules on a row in doubt. Paid: the transfer is looked up and has to
 * fit. Not paid: evidence is required, and paying again is a step of its own.
 *
 * A row that was ruled not paid may still be shown to be paid: that is an incident, exit code 5. While another
 * process runs the batch nothing is ruled not paid (75).
 *
 * --json: {batch, row, outcome: "ruled" | "refused" | "incident", status, differences, reason, exitCode}.
 */
import { choosePayout } from '../../application/choose-payouts.ts';
import { recoverBatch } from '../../application/recover-batch.ts';
import { type Resolved, type RulingRequest, resolveDoubt } from '../../application/resolve-doubt.ts';
import { withLease } from '../../application/with-lease.ts';
import type { World } from '../../application/world.ts';
import { orBusy } from '../../batch-busy.ts';
import type { Batch } from '../../domain/batch.ts';
import { formatMoney } from '../../domain/money.ts';
import type { Payout } from '../../domain/payout.ts';
import { printable } from '../../domain/printable.ts';
import { statusLabel } from '../../domain/status-word.ts';
import { askText, mayAsk } from '../ask.ts';
import { argument, type Call, shellWord, stepsOf, tellSteps, typed } from '../call.ts';
import { evidenceOf } from '../evidence.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { findBatch } from '../find-batch.ts';
import { openParts } from '../open-parts.ts';
import { leaseHolder, userName } from '../person.ts';
import { batchLabel } from '../print-plan.ts';
import { batchJson } from '../show-batch.ts';
import { UsageError } from '../usage-error.ts';

export async function resolve(call: Call): Promise<ExitCode> {
  const request = requestOf(call);
  const opened = await openParts(call);
  const ledger = await opened.ledger();
  const batch = await findBatch(argument(call, 0), ledger, call);
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
    await withLease(batch.id, leaseHolder(call.command), world, async () => {
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
  const label = shellWord(batchLabel(batch));
  const status = resolved.kind === 'refused' ? payout.state.status : resolved.payout.state.status;
  const row = payout.rowNumber;
  if (resolved.kind === 'ruled')
    terminal.result(`Row ${row} is ruled ${request.kind.replace('_', ' ')}: ${statusLabel(status)}.`);
  else if (resolved.kind === 'refused') terminal.talk(`${resolved.reason} Nothing was changed.`);
  else terminal.print(`INCIDENT: row ${row} was ${printable(resolved.reason)}. It is not paid again.`);
  const steps = stepsOf(typed(call, nextWords(resolved.kind, request, `${label} ${row}`)));
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

function nextWords(kind: Resolved['kind'], request: RulingRequest, place: string): string {
  if (kind !== 'ruled') return `explain ${place}`;
  return request.kind === 'paid' ? `settle ${place.replace(/ \d+$/, '')}` : `reissue ${place}`;
}

function requestOf(call: Call): RulingRequest {
  const { paid, notPaid, evidence } = call.flags;
  const words = `resolve ${call.args.map(shellWord).join(' ')}`;
  if ((paid === undefined) === (notPaid !== true))
    throw new UsageError(
      'Say one of the two: --paid TRANSFER_ID, or --not-paid with --evidence.',
      typed(call, explainWords(call)),
      typed(call, `${words} --paid TRANSFER_ID`),
    );
  const by = userName();
  const text = evidence === undefined ? undefined : evidenceOf(evidence);
  if (paid !== undefined) return { kind: 'paid', transferId: paid, by, evidence: text };
  if (text === undefined)
    throw new UsageError(
      '--not-paid needs --evidence: what proves that no money moved (a statement, the service’s own words)?',
      typed(call, explainWords(call)),
      typed(call, `${words} --not-paid --evidence TEXT`),
    );
  return { kind: 'not_paid', by, evidence: text };
}

/** The row's story is looked at before anybody rules on it. */
const explainWords = (call: Call) => `explain ${call.args.map(shellWord).join(' ')}`;

/** On a terminal the row number is typed; elsewhere --yes stands for it. */
async function isConfirmed(payout: Payout, request: RulingRequest, call: Call): Promise<boolean> {
  if (call.flags.yes === true) return true;
  const amount = payout.instruction === undefined ? '' : ` (${formatMoney(payout.instruction.amount)})`;
  const verdict = request.kind === 'paid' ? 'was paid' : 'was NOT paid';
  if (!mayAsk(call))
    throw new UsageError(
      `Ruling that row ${payout.rowNumber}${amount} ${verdict} needs --yes without a terminal. Look at the row first; then give the same command with --yes.`,
      typed(call, explainWords(call)),
    );
  const wanted = String(payout.rowNumber);
  const answer = await askText(`Row ${wanted}${amount} ${verdict}. Type the row number to rule so`, (text) =>
    text.trim() === wanted ? undefined : `Type ${wanted}, or press Ctrl-C to stop.`,
  );
  return answer !== undefined;
}
