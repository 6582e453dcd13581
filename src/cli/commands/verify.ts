/**
 * `payfile verify [BATCH]`: recomputes the chains of the journal and replays it against what is stored, so
 * that nothing was changed or removed without being seen. A problem is exit code 78.
 *
 * --json: {batches, entries, head, problems, exitCode}.
 */
import { countText } from '../../domain/batch-outcome.ts';
import type { Call } from '../call.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { findBatch } from '../find-batch.ts';
import { openParts } from '../open-parts.ts';

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
  const size = `${countText(result.batches)} batches, ${countText(result.entries)} journal entries`;
  terminal.print(
    isGood
      ? `✔ ${ledger.identity.path}: ${size}; everything belongs together. Head ${result.head}`
      : `✖ ${ledger.identity.path}: ${size}; ${result.problems.length} problems.`,
  );
  for (const problem of result.problems) terminal.print(`  ${problem}`);
  if (!isGood) terminal.talk('Send nothing with this ledger. Restore the newest backup and compare.');
  terminal.answer({
    schemaVersion: 1,
    command: 'verify',
    environment: ledger.identity.environment,
    exitCode,
    ...result,
  });
  return exitCode;
}
