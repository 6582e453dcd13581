/**
 * Questions to the person at the terminal. Nothing is ever asked where nobody can answer: without terminals,
 * with --json or --quiet, or where CI is set.
 *
 * An answer of undefined means that the person went away (Ctrl-C); nothing is done then.
 */
import type { Call } from '../call.ts';

export function mayAsk(call: Pick<Call, 'flags'>): boolean {
  const { json, quiet } = call.flags;
  const ci = process.env['CI'] ?? '';
  const isCi = ci !== '' && ci !== 'false' && ci !== '0';
  const isTerminal =
    process.stdin.isTTY === true && process.stdout.isTTY === true && process.stderr.isTTY === true;
  return isTerminal && !isCi && json !== true && quiet !== true;
}

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

/** `isGood` says what is wrong with the text, or undefined. */
export async function askText(
  message: string,
  problemOf: (text: string) => string | undefined,
): Promise<string | undefined> {
  const { text, isCancel } = await import('@clack/prompts');
  const answer = await text({
    message,
    output: process.stderr,
    validate: (given) => problemOf(String(given ?? '')),
  });
  return isCancel(answer) ? undefined : String(answer);
}

export async function askChoice<Value extends string>(
  message: string,
  choices: readonly Choice<Value>[],
): Promise<Value | undefined> {
  const { select, isCancel } = await import('@clack/prompts');
  const options = choices.map(({ value, label }) => ({ value: value as string, label }));
  const answer = await select({ message, options, output: process.stderr });
  return isCancel(answer) ? undefined : choices.find(({ value }) => value === answer)?.value;
}
