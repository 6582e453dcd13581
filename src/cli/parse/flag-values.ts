/**
 * The values of flags, from text. Each parser says what it saw and what it expected.
 *
 * Errors:  UsageError, exit code 64.
 */

import type { NamePolicyWord } from '../../domain/policy.ts';
import { NOTIFY_EXPECTED, notifyTargetOf } from '../../domain/reporting/notify-target.ts';
import { startOfDay } from '../../domain/reporting/period.ts';
import { UsageError } from './usage-error.ts';

export function wholeNumber(flag: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new UsageError(`${flag} is “${text}”; expected a whole number from ${least} to ${most}.`);
  };
}

export function positiveNumber(flag: string): (text: string) => number {
  return (text) => {
    const value = /^\d{1,6}(\.\d{1,3})?$/.test(text) ? Number(text) : 0;
    if (value > 0) return value;
    throw new UsageError(`${flag} is “${text}”; expected a number above 0.`);
  };
}

export function oneOf<Word extends string>(flag: string, words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((each) => each === text);
    if (word !== undefined) return word;
    throw new UsageError(`${flag} is “${text}”; expected ${words.join(' or ')}.`);
  };
}

/** `2026-05-31`, a day of the calendar. */
export function day(flag: string): (text: string) => string {
  return (text) => {
    if (startOfDay(text) !== undefined) return text;
    throw new UsageError(`${flag} is “${text}”; expected a day of the calendar such as 2026-05-31.`);
  };
}

/** Given twice, only the second file would be written, and the first would be missed only when it is needed. */
export function oneFile(flag: string): (text: string, before: string | undefined) => string {
  return (text, before) => {
    if (before === undefined) return text;
    throw new UsageError(`${flag} names ${before} and ${text}; expected one file. Call it once for each.`);
  };
}

/** Given twice, only the second batch would count, and the repeats of the first would be held without a word. */
export function repeatedBatch(text: string, before: string | undefined): string {
  if (before === undefined) return text;
  throw new UsageError(
    `--repeats names “${before}” and “${text}”; expected one batch. Name the one that the file repeats. ` +
      'Rows that repeat another one are held, and you release them by their numbers.',
  );
}

/** Kept as it was typed; what it means is looked up when it is used. */
export function notifyTarget(flag: string): (text: string) => string {
  return (text) => {
    if (notifyTargetOf(text) !== undefined) return text;
    throw new UsageError(`${flag} cannot be used; expected ${NOTIFY_EXPECTED}.`);
  };
}

/** `close_match=ok,no_match=hold`; which outcomes there are is checked with the other settings. */
export function namePolicies(
  text: string,
  before: Readonly<Record<string, NamePolicyWord>> | undefined,
): Readonly<Record<string, NamePolicyWord>> {
  const words = text.split(',').map((part) => {
    const [outcome = '', word = ''] = splitOnce(part);
    if (word !== 'ok' && word !== 'warn' && word !== 'hold') {
      throw new UsageError(
        `--names is “${text}”; expected OUTCOME=ok, warn or hold, such as close_match=ok,unavailable=hold.`,
      );
    }
    return [outcome.trim(), word] as const;
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
