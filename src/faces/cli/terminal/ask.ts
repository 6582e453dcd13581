/**
 * Questions to the person at the terminal. Nothing is ever asked where nobody can answer: without terminals,
 * with --json or --quiet, or where CI is set.
 *
 * An answer of undefined means that the person went away (Ctrl-C); nothing is done then.
 */
import type { Call } from '../call.ts';

export function mayAsk({ flags, context }: Pick<Call, 'flags' | 'context'>): boolean {
  const { json, quiet } = flags;
  const { stdin, stdout, stderr, env } = context;
  const ci = env['CI'] ?? '';
  const isCi = ci !== '' && ci !== 'false' && ci !== '0';
  const isTerminal = stdin.isTTY === true && stdout.isTTY === true && stderr.isTTY === true;
  return isTerminal && !isCi && json !== true && quiet !== true;
}

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

/** `problemOf` says what is wrong with the text; undefined when it is accepted. */
export async function askText(
  { context }: Pick<Call, 'context'>,
  message: string,
  problemOf: (text: string) => string | undefined,
): Promise<string | undefined> {
  const { text, isCancel } = await import('@clack/prompts');
  const answer = await text({
    message,
    input: context.stdin,
    output: context.stderr,
    validate: (given) => problemOf(String(given ?? '')),
  });
  return isCancel(answer) ? undefined : String(answer);
}

export async function askChoice<Value extends string>(
  { context }: Pick<Call, 'context'>,
  message: string,
  choices: readonly Choice<Value>[],
): Promise<Value | undefined> {
  const { select, isCancel } = await import('@clack/prompts');
  const options = choices.map(({ value, label }) => ({ value: value as string, label }));
  const answer = await select({
    message,
    options,
    input: context.stdin,
    output: context.stderr,
  });
  return isCancel(answer) ? undefined : choices.find(({ value }) => value === answer)?.value;
}
