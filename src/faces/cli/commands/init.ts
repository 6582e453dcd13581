/**
 * `payfile init`: creates the ledger for the configured service. A live ledger is never created silently,
 * because a lost ledger forgets every payment that was made.
 *
 * --json: {ledger: {path, id, environment}, created, exitCode}.
 */

import { command, nextSteps } from '../../../domain/next-steps/command.ts';
import { EXIT, type ExitCode } from '../../../domain/reporting/exit-code.ts';
import { type Call, tellSteps, typedSteps } from '../call.ts';
import { openParts } from '../open-parts.ts';

export async function init(call: Call): Promise<ExitCode> {
  const { payfile } = await openParts(call);
  const { identity, isNew } = await payfile.init();
  call.terminal.result(
    isNew
      ? `Created the ledger ${identity.path} (${identity.environment}, ${identity.id}). Keep it, and back it up: it is what prevents double payments.`
      : `The ledger is there already: ${identity.path} (${identity.environment}, ${identity.id}).`,
  );
  const steps = typedSteps(
    call,
    nextSteps(command('doctor'), command('run', [{ fillIn: 'FILE' }], [['--batch', { fillIn: 'NAME' }]])),
  );
  tellSteps(steps, call.terminal);
  call.terminal.answer({
    command: 'init',
    environment: identity.environment,
    exitCode: EXIT.done,
    created: isNew,
    ledger: { path: identity.path, id: identity.id, environment: identity.environment },
    ...steps,
  });
  return EXIT.done;
}
