/**
 * `payfile backup -o FILE`: a whole copy of the ledger, made and checked beside a run. `payfile restore FILE`: a backup
 * becomes the ledger; what was there is kept under another name, and nothing is sent until a person accepts it.
 *
 * --json: {ledger: {id, path}, backup | restored: {path, batches, entries, until, sending, emergencyPath, keptAt}, next,
 * exitCode}.
 */

import { command, plainPath } from '../../../domain/next-steps/command.ts';
import { EXIT, type ExitCode } from '../../../domain/reporting/exit-code.ts';
import { counted, printable, rowsText } from '../../../domain/text/printable.ts';
import { minuteOf, timestampOf } from '../../../domain/timestamp.ts';
import type { BackedUp, RestoredLedger } from '../../../payfile.ts';
import { argument, type Call, tellSteps, typed, typedSteps, UsageError } from '../call.ts';
import { failureOf } from '../failure.ts';
import { openParts } from '../open-parts.ts';

export async function backup(call: Call): Promise<ExitCode> {
  const { output } = call.flags;
  if (output === undefined || output === '-')
    throw new UsageError(
      'Say where the backup goes: -o FILE.',
      command('backup', [], [['-o', 'ledger-backup.db']]),
    );
  const { payfile } = await openParts(call);
  const { copy: made, environment, ledgerPath } = await payfile.backup(output);
  const { terminal } = call;
  terminal.result(`Backup of ${ledgerPath}: ${made.path}, ${contentOf(made)}; it was checked.`);
  if (made.emergencyPath !== undefined)
    terminal.talk(
      `Keep ${made.emergencyPath} beside it: outcomes of payments that the ledger could not write yet.`,
    );
  if (made.sending > 0)
    terminal.talk(`${rowsText(made.sending)} on the wire at that moment: in this backup they are in doubt.`);
  const next = typed(call, command('restore', [plainPath(made.path)]));
  terminal.talk(`To go back to it: ${next}. It does not know what is paid from now on.`);
  const exitCode = EXIT.done;
  const ledger = { id: made.id, path: ledgerPath };
  terminal.answer({
    command: 'backup',
    environment,
    exitCode,
    ledger,
    backup: jsonOf(made),
  });
  return exitCode;
}

export async function restore(call: Call): Promise<ExitCode> {
  const { payfile } = await openParts(call);
  const restoring = { replace: call.flags.replace === true };
  const restoredLedger = await payfile.restore(argument(call, 0), restoring);
  const { copy: made, environment } = restoredLedger;
  const { terminal } = call;
  const { keptAt } = made;
  terminal.result(`Restored ${made.path}: ${contentOf(made)}.`);
  if (keptAt !== undefined)
    terminal.talk(`The ledger that was there is kept as ${keptAt}. ${sinceText(made)}`);
  const refusal = restoredLedger.refusal === undefined ? undefined : failureOf(restoredLedger.refusal, call);
  if (refusal !== undefined) terminal.talk(refusal.message);
  const { next = command('status'), andThen } = refusal?.steps ?? {};
  const steps = typedSteps(call, { next, andThen });
  tellSteps(steps, terminal);
  const exitCode = EXIT.done;
  const ledger = { id: made.id, path: made.path };
  const restored = { ...jsonOf(made), keptAt: keptAt ?? null, sentSince: made.sentSince ?? null };
  terminal.answer({
    command: 'restore',
    environment,
    exitCode,
    ledger,
    restored,
    ...steps,
  });
  return exitCode;
}

function sinceText({ sentSince }: RestoredLedger['copy']): string {
  if (sentSince === undefined)
    return 'It cannot be read, so nobody knows what it sent that the backup does not know.';
  if (sentSince.length === 0) return 'It sent nothing that the backup does not know.';
  const rows = sentSince.map(({ batch, rows: count }) => `${rowsText(count)} of batch ${printable(batch)}`);
  return `It sent what the backup does not know, and what must not be paid again: ${rows.join(', ')}.`;
}

function contentOf({ batches, entries, until }: BackedUp['copy']): string {
  const size = `${counted(batches, 'batch', 'batches')}, ${counted(entries, 'journal entry', 'journal entries')}`;
  return `${size}, the last of ${minuteOf(timestampOf(until))} UTC`;
}

function jsonOf({ path, batches, entries, until, sending, emergencyPath }: BackedUp['copy']) {
  return { path, batches, entries, until, sending, emergencyPath: emergencyPath ?? null };
}
