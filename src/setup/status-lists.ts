/**
 * A status word has one meaning, so it may be in only one list. Checks the lists in effect, with their defaults.
 * Ignores letter case.
 */
import type { Policy } from '../domain/policy.ts';
import { ConfigError } from './config-file.ts';

type Lists = Pick<Policy, 'finishedWords' | 'failedWords' | 'returnedWords' | 'pendingWords'>;

/** `where`: the source, for messages. `nameOf`: name of a list in it. Errors: ConfigError. */
export function requireOneMeaning<Settings extends Lists>(
  policy: Settings,
  where: string,
  nameOf: (list: string) => string,
): Settings {
  const { finishedWords, failedWords, returnedWords, pendingWords } = policy;
  const lists = {
    // The service promises only this word. Users may repeat it in the list of finished words.
    finished: ['Finished', ...finishedWords],
    failed: failedWords,
    returned: returnedWords,
    pending: pendingWords,
  };
  const known = new Map<string, string>();
  for (const [list, words] of Object.entries(lists)) {
    for (const word of words) {
      const folded = word.trim().toLowerCase();
      const first = known.get(folded) ?? list;
      if (first !== list)
        throw new ConfigError(
          `${where}: “${word}” is in ${nameOf(first)} and in ${nameOf(list)}. Expected each word in one list. ` +
            `Remove it from one of them. A list that you leave out keeps its default words. “Finished” always means paid.`,
        );
      known.set(folded, list);
    }
  }
  return policy;
}
