/**
 * What callers give beside the input of an operation, checked and copied. TypeScript sees neither plain JavaScript nor a
 * variable of the environment that is not set.
 *
 * Errors:  RequestRefused: which value, what was seen, what was expected.
 */
import { z } from 'zod';
import { RequestRefused } from '../domain/text/request-refused.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import { callback, like, personId, problemOf, type Shape, words } from './value-kinds.ts';

const dialogue = z
  .strictObject({
    signal: like<AbortSignal>((value) => value instanceof AbortSignal, 'an AbortSignal'),
    onProgress: callback,
    ask: callback,
  } satisfies Shape<Dialogue>)
  .partial();
const entrance = z.strictObject({ person: personId, cameWith: words.optional() });

export const checkedDialogue = (name: string, given: Dialogue) => checked(name, dialogue, given) as Dialogue;

/** In whose name methods are called. */
export const checkedPerson = (person: string, entered?: { readonly cameWith?: string | undefined }) =>
  checked('as', entrance, { ...entered, person });

function checked<Given extends z.ZodType>(name: string, is: Given, given: unknown): z.output<Given> {
  const parsed = is.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new RequestRefused(`${name}: ${problemOf(parsed.error, given, is)} Nothing was done.`);
}
