/**
 * `payfile verify [BATCH]`: recomputes the chains of the journal and replays it against what is stored, so
 * that nothing was changed or removed without being seen. A problem is exit code 78.
 *
 * With --accept-…: a person goes on with a ledger that is refused otherwise; batches that could send are paused.
 *
 * --json: {batches, entries, head, problems, unknownHere?, accepted?, exitCode}.
 */

import { type Batch, batchLabel, isPausedForStatement } from '../../../domain/batches/batch.ts';
import { command, nextSteps } from '../../../domain/steps/command.ts';
import { counted } from '../../../domain/text/printable.ts';
import { findBatch } from '../../../use-cases/find-batch.ts';
import { type Call, tellSteps, typed, typedSteps, userName } from '../call.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { openParts } from '../open-parts.ts';

export async function verify(call: Call): Promise<ExitCode> {
  const opened = await openParts(call);
  const { acceptRollback = false, acceptLedger = false, acceptAuthUrl = false } = call.flags;
  const accepts = acceptRollback || acceptLedger || acceptAuthUrl;
  const accepted = { acceptRollback, acceptLedger, acceptAuthUrl, by: userName(call) };
  const ledger = await opened.ledger(accepts ? accepted : { readOnly: true });
  const [word] = call.args;
  const batch = word === undefined ? undefined : await findBatch(word, ledger);
  const result = await ledger.verify(batch?.id);
  const { terminal } = call;
  const isGood = result.problems.length === 0;
  const exitCode = isGood ? EXIT.done : EXIT.config;
  const size = `${counted(result.batches, 'batch', 'batches')}, ${counted(result.entries, 'journal entry', 'journal entries')}`;
  terminal.print(
    isGood
      ? `✔ ${ledger.identity.path}: ${size}; everything belongs together. Head ${result.head}`
      : `✖ ${ledger.identity.path}: ${size}; ${counted(result.problems.length, 'problem')}.`,
  );
  for (const problem of result.problems) terminal.print(`  ${problem}`);
  if (!isGood) terminal.talk(BROKEN);
  if (isGood && result.unknownHere !== undefined) {
    terminal.talk(
      `It is whole, but not known here: ${result.unknownHere}. Nothing is sent with it until you accept it.`,
    );
    tellSteps({ andThen: typed(call, command('verify', [], [['--accept-ledger']])) }, terminal);
  }
  if (acceptAuthUrl && opened.settings.service !== undefined)
    terminal.talk(`The ledger belongs to the login address ${opened.settings.service.authUrl} from now on.`);
  if (result.accepted !== undefined) sayPaused(await ledger.batches(), call);
  else if (acceptRollback || acceptLedger)
    terminal.talk('This ledger is known here: there was nothing to accept.');
  terminal.answer({
    schemaVersion: 1,
    command: 'verify',
    environment: ledger.identity.environment,
    exitCode,
    ...result,
  });
  return exitCode;
}

const BROKEN =
  'Send nothing with this ledger, and keep it. A backup does not know what was paid after it was made: if you restore ' +
  'one (payfile restore FILE), compare every batch since then with a statement of the service before you send ' +
  'anything, or rows are paid twice.';
const NOT_KNOWN =
  'This ledger does not know what was done after it was copied. A file that was run since then is new to it, and is ' +
  'paid again if you run it. Use this one alone from now on: two copies of a ledger pay the same rows twice.';

/** What another ledger sent is not known here, and would be sent again. */
function sayPaused(batches: readonly Batch[], call: Call): void {
  call.terminal.talk(NOT_KNOWN);
  const paused = batches.filter(isPausedForStatement);
  const [first] = paused;
  if (first === undefined) return;
  const labels = paused.map(batchLabel).join(', ');
  call.terminal.talk(
    `Paused until a person resumes: ${labels}. Compare each with a statement before that, so that nothing goes out ` +
      'again that was paid meanwhile.',
  );
  const label = batchLabel(first);
  const compare = command('reconcile', [label], [['--statement', { fillIn: 'FILE' }], ['--accept']]);
  tellSteps(typedSteps(call, nextSteps(command('status', [label]), compare)), call.terminal);
}
