/**
 * What can be read of words that make no call: enough to tell monitors and pagers of a cron job that was typed wrong.
 * Nothing is done by it.
 */
import { notifyTargetOf } from '../domain/notify-target.ts';
import { type Call, isWorking } from './call.ts';

/** undefined when the words are not about a command that works on a batch. */
export function callOfWords(
  words: readonly string[],
  base: Pick<Call, 'terminal' | 'stopping' | 'onEnd'>,
): Call | undefined {
  const command = words.find(isWorking);
  if (command === undefined) return undefined;
  const notify = valueAfter('--notify', words);
  const read = {
    sandbox: words.includes('--sandbox') || undefined,
    config: valueAfter('--config', words),
    ledger: valueAfter('--ledger', words),
    batch: valueAfter('--batch', words),
    metricsFile: valueAfter('--metrics-file', words),
    overwrite: words.includes('--overwrite') || undefined,
    notify: notify !== undefined && notifyTargetOf(notify) !== undefined ? notify : undefined,
  };
  const flags = Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
  return { ...base, command, args: [], flags };
}

/** `--flag value` or `--flag=value`. */
function valueAfter(flag: string, words: readonly string[]): string | undefined {
  const at = words.indexOf(flag);
  if (at >= 0) return words[at + 1];
  return words.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1);
}
