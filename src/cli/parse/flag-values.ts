/**
 * The values of flags, from text. Each parser says what it saw and what it expected.
 *
 * Errors:  UsageError, exit code 64.
 */

import { NAME_RESULTS } from '../../domain/names/name-check.ts';
import { fromText } from '../../domain/setting-kinds.ts';
import { ALL_SETTINGS } from '../../domain/settings.ts';
import { UsageError } from './usage-error.ts';

export function wholeNumber(flag: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new UsageError(`${flag} is “${text}”; expected a whole number from ${least} to ${most}.`);
  };
}

export function oneOf<Word extends string>(flag: string, words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((each) => each === text);
    if (word !== undefined) return word;
    throw new UsageError(`${flag} is “${text}”; expected ${words.join(' or ')}.`);
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
    throw new UsageError(
      `--names is “${text}”; expected OUTCOME=ok, warn or hold, where OUTCOME is one of ${NAME_RESULTS.join(', ')}.`,
    );
  });
  return { ...before, ...Object.fromEntries(words) };
}

/** `GH,KE`, given once or several times. */
export function wordList(flag: string): (text: string, before: readonly string[] | undefined) => string[] {
  return (text, before = []) => {
    const words = text.split(',').map((word) => word.trim());
    if (words.includes(''))
      throw new UsageError(`${flag} is “${text}”; expected words between commas, such as GH,KE.`);
    return [...before, ...words];
  };
}

function splitOnce(text: string): readonly [string, string | undefined] {
  const at = text.indexOf('=');
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
