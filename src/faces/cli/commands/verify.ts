/**
 * `payfile verify [BATCH]`: recomputes the chains of the journal and replays it against what is stored, so
 * that nothing was changed or removed without being seen. A problem is exit code 78.
 *
 * With --accept-…: a person goes on with a ledger that is refused otherwise; batches that could send are paused.
 *
 * --json: {batches, entries, head, problems, unknownHere?, accepted?, exitCode}.
 */

import { batchLabel } from '../../../domain/batches/batch.ts';
import { isServerPlace, wayToJoin } from '../../../domain/batches/ledger-trust.ts';
import type { ExitCode } from '../../../domain/reporting/exit-code.ts';
import { counted } from '../../../domain/text/printable.ts';
import type { Verified } from '../../../payfile.ts';
import { type Call, tellSteps, typed, typedSteps } from '../call.ts';
import { openParts } from '../open-parts.ts';

export async function verify(call: Call): Promise<ExitCode> {
  const { payfile } = await openParts(call);
  const { acceptRollback, acceptLedger, acceptAuthUrl } = call.flags;
  const accepting = { acceptRollback, acceptLedger, acceptAuthUrl };
  const verified = await payfile.verify(call.args[0], accepting);
  const { terminal } = call;
  const { result, exitCode, path, environment, authUrl } = verified;
  const isGood = result.problems.length === 0;
  const size = `${counted(result.batches, 'batch', 'batches')}, ${counted(result.entries, 'journal entry', 'journal entries')}`;
  terminal.print(
    isGood
      ? `✔ ${path}: ${size}; everything belongs together. Head ${result.head}`
      : `✖ ${path}: ${size}; ${counted(result.problems.length, 'problem')}.`,
  );
  for (const problem of result.problems) terminal.print(`  ${problem}`);
  if (!isGood) terminal.talk(BROKEN);
  if (isGood && result.unknownHere !== undefined)
    terminal.talk(
      `It is whole, but not known here: ${result.unknownHere}. ${wayToJoin(path, result.unknownHere) ?? 'Nothing is sent with it until you accept it.'}`,
    );
  if (authUrl !== undefined) terminal.talk(`The ledger belongs to the login address ${authUrl} from now on.`);
  if (result.accepted !== undefined) sayPaused(verified, call);
  else if (acceptRollback === true || acceptLedger === true)
    terminal.talk('This ledger is known here: there was nothing to accept.');
  tellSteps(typedSteps(call, verified.steps), terminal);
  terminal.answer({ command: 'verify', environment, exitCode, ...result });
  return exitCode;
}

const BROKEN =
  'Send nothing with this ledger, and keep it. A backup does not know what was paid after it was made: if you restore ' +
  'one, compare every batch since then with a statement of the service before you send ' +
  'anything, or rows are paid twice.';
const NOT_KNOWN =
  'This ledger does not know what was done after it was copied. A file that was run since then is new to it, so every ' +
  'batch that is new is paused too, until you resume it. Use this one alone from now on: two copies of a ledger pay the ' +
  'same rows twice.';
const NOT_KNOWN_SERVER =
  'This ledger does not know what was done after its server was copied or restored. A file that was run since then is ' +
  'new to it, so every batch that is new is paused too, on all machines, until you resume it. The machines may go on ' +
  'sharing it. But if the server that it is a copy of still runs, none may work with that one any more: two copies of a ' +
  'ledger pay the same rows twice.';

function sayPaused({ paused, path, whenCompared }: Verified, call: Call): void {
  const { terminal } = call;
  terminal.talk(isServerPlace(path) ? NOT_KNOWN_SERVER : NOT_KNOWN);
  if (whenCompared !== undefined)
    terminal.talk(
      `When everything since the copy was made was compared with a statement: ${typed(call, whenCompared)}`,
    );
  if (paused.length === 0) return;
  terminal.talk(
    `Paused until a person resumes: ${paused.map(batchLabel).join(', ')}. Compare each with a statement before that, so that nothing goes out ` +
      'again that was paid meanwhile.',
  );
}
