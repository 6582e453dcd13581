/** What is wrong with a value that a person or a program gave: where, what was seen, what was expected. */
import { closest } from './likeness.ts';
import { printable } from './printable.ts';

/** Of a schema. Its message is what was expected. */
export interface ValueIssue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Why a key of a record is none. */
  readonly issues?: readonly Pick<ValueIssue, 'message'>[];
}

interface Given {
  /** The whole value. */
  readonly value: unknown;
  /** What the whole value is called. */
  readonly whole: string;
  /** What was seen is not repeated. */
  readonly isSecret?: boolean | undefined;
}

/** `limits.dayMax`, `rows[0]`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((whole, key) => {
    if (typeof key === 'number') return `${whole}[${key}]`;
    return whole === '' ? String(key) : `${whole}.${String(key)}`;
  }, '');
}

export function faultText(issue: ValueIssue, { value, whole, isSecret = false }: Given): string {
  const { path, code, message, issues: [ofKey] = [] } = issue;
  if (code === 'invalid_key' && ofKey !== undefined) {
    const holder = pathText(path.slice(0, -1)) || whole;
    return `“${printable(String(path.at(-1)))}” in ${holder} is no name; expected ${ofKey.message}.`;
  }
  const expected = message
    .replace(/^.*?expected /i, '')
    .replace(/, received .*$/, '')
    .replace('nonoptional', 'a value');
  const seen = isSecret ? 'cannot be used' : `is ${seenText(valueAt(value, path), expected)}`;
  return `${pathText(path) || whole} ${seen}; expected ${expected}.`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (held, key) =>
      held instanceof Map ? held.get(key) : (held as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  );
}

const SHOWN_MAX = 60;

function seenText(value: unknown, expected: string): string {
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
      return expected.includes('number') ? String(value) : `${String(value)} (a ${typeof value})`;
  }
}

const ALIKE = 0.6;

/** ` Did you mean feePercentMax?`; empty if no name is like it. */
export function didYouMean(name: string, names: readonly string[]): string {
  const [meant] = closest(name, names, (each) => each, ALIKE);
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
}
