/**
 * `payfile approve BATCH`: a person agrees to exactly this plan. On a terminal by typing the total, elsewhere
 * by naming the plan's digest.
 *
 * --json: see show/approval.ts.
 */

import type { ExitCode } from '../../domain/reporting/exit-code.ts';
import { argument, type Call } from '../call.ts';
import { openParts } from '../open-parts.ts';
import { showApproval } from '../show/approval.ts';
import { askerFor } from '../terminal/questions.ts';

export async function approve(call: Call): Promise<ExitCode> {
  const opened = await openParts(call);
  const { digest } = call.flags;
  const { signal } = call.stopping;
  const options = { how: 'approve_command', signal, ask: askerFor(call) } as const;
  const approved = await opened.payfile.approve(argument(call, 0), digest, options);
  opened.progress.clear();
  if (approved.kind === 'not_agreed') {
    call.terminal.talk('You did not agree; nothing was approved.');
    return approved.end.exitCode;
  }
  return showApproval(approved, opened, call);
}
