/** `payfile completion bash`: a script that completes commands and flags. --json: {shell, script}. */
import { EXIT, type ExitCode } from '../../domain/reporting/exit-code.ts';
import { printable } from '../../domain/text/printable.ts';
import { RequestRefused } from '../../domain/text/request-refused.ts';
import { argument, type Call } from '../call.ts';
import { completionOf, SHELLS } from '../parse/completion.ts';

export async function completion(call: Call): Promise<ExitCode> {
  const typed = argument(call, 0);
  const shell = SHELLS.find((name) => name === typed);
  if (shell === undefined)
    throw new RequestRefused(
      `payfile has no script for “${printable(typed)}”; expected ${SHELLS.join(', ')}.`,
    );
  const script = await completionOf(shell);
  if (!call.terminal.isJson) call.context.stdout.write(script);
  call.terminal.answer({ command: 'completion', exitCode: EXIT.done, shell, script });
  return EXIT.done;
}
