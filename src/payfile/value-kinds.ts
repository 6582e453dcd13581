/**
 * Kinds of values that callers give the door, and the words for one that is of another kind.
 */
import { z } from 'zod';
import { isPersonId, PERSON_ID_RULE } from '../domain/people/person.ts';
import { printable } from '../domain/text/printable.ts';

export type Shape<Options> = Readonly<Record<keyof Options, z.ZodType>>;

/** Every key may be left out, or be undefined. */
export function options<Given extends z.ZodRawShape>(shape: Given) {
  return z.strictObject(shape).partial();
}

export function like<Value>(isOne: (value: unknown) => boolean, error: string) {
  return z.custom<Value>(isOne, { error });
}

export const text = z.string({ error: 'text' });
export const words = text.refine((value) => value.trim() !== '', { error: 'text that is not empty' });
export const personId = text.refine(isPersonId, { error: PERSON_ID_RULE });
export const yesOrNo = z.boolean({ error: 'true or false' });
export const callback = like((value) => typeof value === 'function', 'a function');
export const texts = z.array(text, { error: 'a list of texts' });
export const columns = z.map(text, text, { error: 'a Map of texts' });

export const DAY_MS = 86_400_000;
const TIME = 'a number of milliseconds, from 0 to 1,000,000 days';
export const time = z
  .number({ error: TIME })
  .min(0, { error: TIME })
  .max(1_000_000 * DAY_MS, { error: TIME })
  .transform(Math.round);
const COUNT = 'a whole number from 0';
export const count = z.int({ error: COUNT }).min(0, { error: COUNT });
const PAGE = 'a whole number from 1 to 200';
export const pageLimit = z.int({ error: PAGE }).min(1, { error: PAGE }).max(200, { error: PAGE });
const CANARY = 'a whole number from 0 to 1000';
export const canary = z.int({ error: CANARY }).min(0, { error: CANARY }).max(1_000, { error: CANARY });

/** The first thing that is wrong. What was seen of a password or an account number is not repeated. */
export function problemOf({ issues: [issue] }: z.ZodError, value: unknown, of: string): string {
  if (issue === undefined) return 'a value cannot be used.';
  const where = issue.path.reduce<string>(
    (path, key) =>
      typeof key === 'number' ? `${path}[${key}]` : path === '' ? String(key) : `${path}.${String(key)}`,
    of,
  );
  const within = where === '' ? '' : ` in ${where}`;
  if (issue.code === 'unrecognized_keys')
    return `there is no option “${printable(issue.keys[0] ?? '')}”${within}. Leave it out, or correct its name.`;
  const seen = issue.path.reduce<unknown>(
    (held, key) =>
      held instanceof Map ? held.get(key) : (held as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  );
  const expected = issue.message
    .replace(/^.*?expected /i, '')
    .replace(/, received .*$/, '')
    .replace('nonoptional', 'a value');
  const isSecret = issue.path.includes('password') || issue.path.includes('account');
  const shown = isSecret ? 'something else' : shownOf(seen);
  return `${where === '' ? 'its options' : where} is ${shown}; expected ${expected}.`;
}

const SHOWN_MAX = 60;

function shownOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `“${printable(value.length > SHOWN_MAX ? `${value.slice(0, SHOWN_MAX)}…` : value)}”`;
    case 'undefined':
      return 'not set';
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? 'a list' : 'an object';
    case 'function':
      return 'a function';
    default:
      return `${String(value)} (a ${typeof value})`;
  }
}
