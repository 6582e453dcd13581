/**
 * `payfile resolve BATCH ROW`: a person rules on a row in doubt. Paid: the transfer is looked up and has to
 * fit. Not paid: evidence is required, and paying again is a step of its own.
 *
 * A row that was ruled not paid may still be shown to be paid: that is an incident, exit code 5. While another
 * process runs the batch nothing is ruled not paid (75). Without a terminal `--accept paid` or `--accept not-paid`
 * confirms the ruling. `--yes` does so in the sandbox only. `--difference accepted` rules on no payment: it ends the alarm
 * about a row that differs from what was asked, and needs --reason. On a terminal the row number is typed for it too.
 *
 * --json: {batch, row, outcome: "ruled" | "refused" | "incident", status, differences, reason, exitCode}.
 */

import { command } from '../../../domain/next-steps/command.ts';
import type { ExitCode } from '../../../domain/reporting/exit-code.ts';
import { labelText, payoutLabel } from '../../../domain/reporting/row-label.ts';
import { printable } from '../../../domain/text/printable.ts';
import type { Ruled, RulingGiven, Unconfirmed } from '../../../payfile.ts';
import { argument, type Call, tellSteps, typedSteps, UsageError } from '../call.ts';
import { openParts } from '../open-parts.ts';
import { batchJson } from '../show/batch.ts';
import { askerFor, rulingText } from '../terminal/questions.ts';

export async function resolve(call: Call): Promise<ExitCode> {
  if (call.flags.difference !== undefined) return accepted(call);
  const given = rulingGiven(call);
  const { payfile, progress } = await openParts(call);
  const dialogue = { isSure: isSure(given, call), ask: askerFor(call) };
  const ruled = await payfile.resolve(argument(call, 0), argument(call, 1), given, dialogue);
  if (ruled.kind === 'unconfirmed') return unconfirmed(ruled, given, call);
  progress.clear();
  const { rowNumber } = ruled;
  return show(ruled, `Row ${rowNumber} is ruled ${given.kind.replace('_', ' ')}`, call);
}

async function accepted(call: Call): Promise<ExitCode> {
  const { paid, notPaid, reason } = call.flags;
  if (paid !== undefined || notPaid === true || reason === undefined)
    throw new UsageError(
      'Give --difference accepted with --reason, and without --paid and --not-paid. Say why you accept the difference.',
      command('explain', call.args),
      command('resolve', call.args, [
        ['--difference', 'accepted'],
        ['--reason', { fillIn: 'TEXT' }],
      ]),
    );
  const { payfile } = await openParts(call);
  const dialogue = { ask: askerFor(call), isSure: call.flags.yes === true };
  const ruled = await payfile.acceptDifference(argument(call, 0), argument(call, 1), reason, dialogue);
  if (ruled.kind === 'unconfirmed') {
    call.terminal.talk('Nothing was accepted.');
    return ruled.exitCode;
  }
  return show(ruled, `The difference of row ${ruled.rowNumber} is accepted`, call);
}

function show(ruled: Ruled, said: string, call: Call): ExitCode {
  const { terminal } = call;
  const { batch, environment, rowNumber: row, status, differences, exitCode } = ruled;
  for (const difference of differences) terminal.talk(`  ${printable(difference)}`);
  if (ruled.kind === 'ruled') terminal.result(`${said}: ${labelText(payoutLabel(ruled.payout))}.`);
  else if (ruled.kind === 'refused') terminal.talk(`${ruled.reason} Nothing was changed.`);
  else terminal.print(`INCIDENT: row ${row} was ${printable(ruled.reason)}. It is not paid again.`);
  const steps = typedSteps(call, ruled.steps);
  tellSteps(steps, terminal);
  terminal.answer({
    command: 'resolve',
    environment,
    exitCode,
    batch: batchJson(batch),
    row,
    outcome: ruled.kind,
    status,
    differences,
    reason: ruled.kind === 'ruled' ? undefined : ruled.reason,
    ...steps,
  });
  return exitCode;
}

/** After a refusal the row's story is looked at before anybody rules on it. */
function rulingGiven(call: Call): RulingGiven {
  const { paid, notPaid, evidence } = call.flags;
  if ((paid === undefined) === (notPaid !== true))
    throw new UsageError(
      'Say one of the two: --paid TRANSFER_ID, or --not-paid with --evidence.',
      command('explain', call.args),
      command('resolve', call.args, [['--paid', { fillIn: 'TRANSFER_ID' }]]),
    );
  if (paid !== undefined) return { kind: 'paid', transferId: paid, evidence };
  if (evidence === undefined)
    throw new UsageError(
      '--not-paid needs --evidence: what proves that no money moved (a statement, the service’s own words)?',
      command('explain', call.args),
      command('resolve', call.args, [['--not-paid'], ['--evidence', { fillIn: 'TEXT' }]]),
    );
  return { kind: 'not_paid', evidence };
}

/** Whoever rules on real money says what is ruled. --yes agrees to anything, so it is good for the sandbox only. */
function isSure({ kind }: RulingGiven, { args, flags }: Call): boolean {
  const { accept, yes, sandbox } = flags;
  if (accept !== undefined && accept !== kind)
    throw new UsageError(
      `--accept ${WORD_OF[accept]} contradicts --${WORD_OF[kind]}. Both have to say the same.`,
      command('explain', args),
    );
  if (yes === true && sandbox !== true)
    throw new UsageError(
      `--yes agrees to sandbox payments only. A ruling on real money needs its own word: --accept ${WORD_OF[kind]}.`,
      command('explain', args),
    );
  return accept !== undefined || yes === true;
}

const WORD_OF: Readonly<Record<RulingGiven['kind'], string>> = { paid: 'paid', not_paid: 'not-paid' };

/** On a terminal the row number is typed; elsewhere --accept stands for it. */
function unconfirmed({ isAsked, exitCode, payout }: Unconfirmed, given: RulingGiven, call: Call): ExitCode {
  if (!isAsked)
    throw new UsageError(
      `Ruling that row ${rulingText(payout, given.kind)} needs --accept ${WORD_OF[given.kind]} without a terminal. Look at the row first; then give the same command with it.`,
      command('explain', call.args),
    );
  call.terminal.talk('Nothing was ruled.');
  return exitCode;
}
