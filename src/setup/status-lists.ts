/**
 * A status word has one meaning, so it may stand in one list only. Compared over the lists as they are used, defaults
 * included, without letter case.
 */
import type { Policy } from '../domain/policy.ts';
import { ConfigError } from './config-file.ts';

type Lists = Pick<Policy, 'finishedWords' | 'failedWords' | 'returnedWords' | 'pendingWords'>;

/** `where`: what was read. `nameOf`: what a list is called there. Errors: ConfigError. */
export function withOneMeaning<Settings extends Lists>(
  policy: Settings,
  where: string,
  nameOf: (list: string) => string,
): Settings {
  const { finishedWords, failedWords, returnedWords, pendingWords } = policy;
  const lists = {
    // The one word that the service promises. It may be written into its own list, too.
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
            `Take it out of one of them; a list that you leave out keeps its default words, and “Finished” always means paid.`,
        );
      known.set(folded, list);
    }
  }
  return policy;
}
