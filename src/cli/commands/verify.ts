/**
 * `payfile verify [BATCH]`: recomputes the chains of the journal and replays it against what is stored, so
 * that nothing was changed or removed without being seen. A problem is exit code 78.
 *
 * --json: {batches, entries, head, problems, exitCode}.
 */
import { type Batch, SET_BACK_REASON } from '../../domain/batch.ts';
import { counted } from '../../domain/counted.ts';
import { type Call, shellWord, tellSteps, typed } from '../call.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { findBatch } from '../find-batch.ts';
import { openParts } from '../open-parts.ts';
import { batchLabel } from '../print-plan.ts';

export async function verify(call: Call): Promise<ExitCode> {
  const opened = await openParts(call);
  const acceptRollback = call.flags.acceptRollback === true;
  const ledger = await opened.ledger(acceptRollback ? { acceptRollback } : { readOnly: true });
  const [word] = call.args;
  const batch = word === undefined ? undefined : await findBatch(word, ledger, call);
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
  if (!isGood) terminal.talk('Send nothing with this ledger. Restore the newest backup and compare.');
  if (acceptRollback) sayPaused(await ledger.batches(), call);
  terminal.answer({
    schemaVersion: 1,
    command: 'verify',
    environment: ledger.identity.environment,
    exitCode,
    ...result,
  });
  return exitCode;
}

/** What the newer ledger sent is forgotten here, and would be sent again. */
function sayPaused(batches: readonly Batch[], call: Call): void {
  const paused = batches.filter(({ pause }) => pause?.reason === SET_BACK_REASON);
  const [first] = paused;
  if (first === undefined) return;
  const labels = paused.map(batchLabel).join(', ');
  call.terminal.talk(
    `This ledger forgot what was done after it was copied. Paused until a person resumes: ${labels}. Compare each ` +
      'with a statement before that, so that nothing goes out again that was paid meanwhile.',
  );
  const label = shellWord(batchLabel(first));
  const andThen = typed(call, `reconcile ${label} --statement FILE --accept`);
  tellSteps({ next: typed(call, `status ${label}`), andThen }, call.terminal);
}
