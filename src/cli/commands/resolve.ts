/**
 * `payfile resolve BATCH ROW`: a person rules on a row in doubt. Paid: the transfer is looked up and has to
 * fit. Not paid: evidence is required, and paying again is a step of its own.
 *
 * --json: {batch, row, outcome: "ruled" | "refused", status, differences, reason, exitCode}.
 */
import { choosePayout } from '../../application/choose-payouts.ts';
import { type RulingRequest, resolveDoubt } from '../../application/resolve-doubt.ts';
import { formatMoney } from '../../domain/money.ts';
import type { Payout } from '../../domain/payout.ts';
import { printable } from '../../domain/printable.ts';
import { statusLabel } from '../../domain/status-word.ts';
import { askText, mayAsk } from '../ask.ts';
import { argument, type Call, shellWord, typed } from '../call.ts';
import { evidenceOf } from '../evidence.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { findBatch } from '../find-batch.ts';
import { openParts } from '../open-parts.ts';
import { userName } from '../person.ts';
import { batchLabel } from '../print-plan.ts';
import { batchJson } from '../show-batch.ts';
import { UsageError } from '../usage-error.ts';

export async function resolve(call: Call): Promise<ExitCode> {
  const request = requestOf(call);
  const opened = await openParts(call);
  const ledger = await opened.ledger();
  const batch = await findBatch(argument(call, 0), ledger, call);
  const payout = await choosePayout(batch.id, argument(call, 1), { ledger });
  if (payout.state.status === 'in_doubt' && !(await isConfirmed(payout, request, call))) {
    call.terminal.talk('Nothing was ruled.');
    return EXIT.needsPerson;
  }
  const resolved = await resolveDoubt(payout, request, await opened.world());
  opened.progress.clear();
  const { terminal } = call;
  for (const difference of resolved.differences) terminal.talk(`  differs: ${printable(difference)}`);
  const label = shellWord(batchLabel(batch));
  const isRuled = resolved.kind === 'ruled';
  const status = isRuled ? resolved.payout.state.status : payout.state.status;
  if (isRuled)
    terminal.result(
      `Row ${payout.rowNumber} is ruled ${request.kind.replace('_', ' ')}: ${statusLabel(status)}.`,
    );
  else terminal.talk(`${resolved.reason} Nothing was changed.`);
  const words = isRuled
    ? request.kind === 'paid'
      ? `settle ${label}`
      : `reissue ${label} ${payout.rowNumber}`
    : `explain ${label} ${payout.rowNumber}`;
  const next = typed(call, words);
  terminal.talk(`Next: ${next}`);
  const exitCode = isRuled ? EXIT.done : EXIT.needsPerson;
  terminal.answer({
    schemaVersion: 1,
    command: 'resolve',
    environment: ledger.identity.environment,
    exitCode,
    batch: batchJson(batch),
    row: payout.rowNumber,
    outcome: resolved.kind,
    status,
    differences: resolved.differences,
    reason: isRuled ? undefined : resolved.reason,
    next,
  });
  return exitCode;
}

function requestOf(call: Call): RulingRequest {
  const { paid, notPaid, evidence } = call.flags;
  const words = `resolve ${call.args.map(shellWord).join(' ')}`;
  if ((paid === undefined) === (notPaid !== true))
    throw new UsageError(
      'Say one of the two: --paid TRANSFER_ID, or --not-paid with --evidence.',
      typed(call, `${words} --paid TRANSFER_ID`),
    );
  const by = userName();
  const text = evidence === undefined ? undefined : evidenceOf(evidence);
  if (paid !== undefined) return { kind: 'paid', transferId: paid, by, evidence: text };
  if (text === undefined)
    throw new UsageError(
      '--not-paid needs --evidence: what proves that no money moved (a statement, the service’s own words)?',
      typed(call, `${words} --not-paid --evidence TEXT`),
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
      `Ruling that row ${payout.rowNumber}${amount} ${verdict} needs --yes without a terminal.`,
      typed(call, `resolve ${call.args.map(shellWord).join(' ')} … --yes`),
    );
  const wanted = String(payout.rowNumber);
  const answer = await askText(`Row ${wanted}${amount} ${verdict}. Type the row number to rule so`, (text) =>
    text.trim() === wanted ? undefined : `Type ${wanted}, or press Ctrl-C to stop.`,
  );
  return answer !== undefined;
}
