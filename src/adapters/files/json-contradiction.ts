/** A JSON text that names one key twice with different values, or is nested too deeply: JSON.parse takes both. */
import { parseExactJson } from '../../contract/exact-json.ts';

/** In words what is wrong and what to do; undefined when nothing is. The text was read by JSON.parse already. */
export function contradictionIn(text: string): string | undefined {
  try {
    parseExactJson(text);
    return undefined;
  } catch (error) {
    const { cause, message } = error as Error;
    const name = cause instanceof Error ? /^Duplicate key '(.*?)'/.exec(cause.message)?.[1] : undefined;
    if (name === undefined) return `it is ${message}`;
    return `it says “${name}” twice, and not the same. Put what both say under one “${name}”`;
  }
}
