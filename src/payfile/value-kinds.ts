/**
 * Kinds of values that callers give the door, and the words for one that is of another kind.
 */
import { z } from 'zod';
import { isPersonId, PERSON_ID_RULE } from '../domain/people/person.ts';
import { text, yesOrNo } from '../domain/setting-kinds.ts';
import { printable } from '../domain/text/printable.ts';
import { didYouMean, faultText, pathText } from '../domain/text/value-fault.ts';

export { nonEmptyText as words } from '../operations/fields.ts';
export { yesOrNo };

export type Shape<Options> = Readonly<Record<keyof Options, z.ZodType>>;

/** Every key may be left out, or be undefined. */
export function options<Given extends z.ZodRawShape>(shape: Given) {
  return z.strictObject(shape).partial();
}

export function like<Value>(isOne: (value: unknown) => boolean, error: string) {
  return z.custom<Value>(isOne, { error });
}

export const personId = text.refine(isPersonId, { error: PERSON_ID_RULE });
export const callback = like((value) => typeof value === 'function', 'a function');

/** The first thing that is wrong. What was seen of a password or an account number is not repeated. */
export function problemOf({ issues: [issue] }: z.ZodError, value: unknown, schema: z.ZodType): string {
  if (issue === undefined) return 'a value cannot be used.';
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    const within = path.length === 0 ? '' : ` in ${pathText(path)}`;
    const meant = didYouMean(key, keysAt(schema, path)) || ' Leave it out, or correct its name.';
    return `there is no option “${printable(key)}”${within}.${meant}`;
  }
  const isSecret = path.includes('password') || path.includes('account');
  return faultText(issue, { value, whole: 'its options', isSecret });
}

/** The names that an object inside a schema has. */
function keysAt(schema: unknown, path: readonly PropertyKey[]): readonly string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodReadonly)
    return keysAt(schema.unwrap(), path);
  if (schema instanceof z.ZodArray) return keysAt(schema.element, path.slice(1));
  if (!(schema instanceof z.ZodObject)) return [];
  const [key, ...more] = path;
  return key === undefined ? Object.keys(schema.shape) : keysAt(schema.shape[String(key)], more);
}
