/**
 * Parses the values of flags. Each error names the value and what was expected.
 *
 * Errors:  RequestRefused, exit code 64.
 */

import { NAME_RESULTS } from '../../domain/names/name-check.ts';
import { fromText } from '../../domain/setting-kinds.ts';
import { ALL_SETTINGS } from '../../domain/settings.ts';
import { RequestRefused } from '../../domain/text/request-refused.ts';

export function oneOf<Word extends string>(flag: string, words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((each) => each === text);
    if (word !== undefined) return word;
    throw new RequestRefused(`${flag} is “${text}”; expected ${words.join(' or ')}.`);
  };
}

/** `close_match=ok,no_match=hold` */
export function namePolicies(
  text: string,
  before: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> {
  const words = text.split(',').map((part) => {
    const [outcome = '', word = ''] = splitOnce(part).map((each) => each?.trim());
    const setting = ALL_SETTINGS.find(({ name }) => name === `names.${outcome}`);
    const read = setting === undefined ? undefined : fromText(setting.is, word);
    if (read !== undefined && 'value' in read) return [outcome, word] as const;
    throw new RequestRefused(
      `--names is “${text}”; expected OUTCOME=ok, warn or hold, where OUTCOME is one of ${NAME_RESULTS.join(', ')}.`,
    );
  });
  return { ...before, ...Object.fromEntries(words) };
}

function splitOnce(text: string): readonly [string, string | undefined] {
  const at = text.indexOf('=');
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
