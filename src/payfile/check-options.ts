/**
 * What callers give the door, checked before anything is asked or written: TypeScript does not see plain JavaScript, nor
 * a variable of the environment that is not set.
 *
 * Why:     sums, rows and choices are copied, so that nobody can change a ceiling while a run goes on. A key that is not
 *          known is refused: a ceiling with a misspelled name would bound nothing.
 * Errors:  RequestRefused: which value, what was seen, what was expected.
 */
import { z } from 'zod';
import { RequestRefused } from '../domain/text/request-refused.ts';
import { WORKER_QUEUES } from '../ports/fleet.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import type { Methods } from './closing.ts';
import type { WorkOptions } from './fleet.ts';
import { callback, like, options, personId, problemOf, type Shape, words, yesOrNo } from './value-kinds.ts';

const dialogueShape = {
  signal: like((value) => value instanceof AbortSignal, 'an AbortSignal'),
  onProgress: callback,
  ask: callback,
} satisfies Shape<Dialogue>;
const workShape = {
  signal: dialogueShape.signal,
  onEvent: callback,
  onProgress: callback,
  once: yesOrNo,
  queues: z.array(z.enum(WORKER_QUEUES)),
  lanes: z.int().min(1),
} satisfies Shape<WorkOptions>;

/** Name and kind of each argument; those named '' are the options of the call. */
type Arguments = readonly (readonly [name: string, is: z.ZodType])[];

const ARGUMENTS = {
  fleet: [],
  work: [['', options(workShape).optional()]],
} satisfies Record<keyof Methods, Arguments>;

/** A copy of what a method was given. Errors: RequestRefused. */
export function checkedArguments(name: keyof Methods, given: readonly unknown[]): unknown[] {
  return checked(name, ARGUMENTS[name], given);
}

const AS: Arguments = [
  ['person', personId],
  ['', options({ cameWith: words }).optional()],
];

type GivenToAs = readonly [person: string, entered?: { readonly cameWith?: string | undefined }];

const ASKED: Arguments = [['', options(dialogueShape)]];

/** What stands beside the input of an operation. Errors: RequestRefused. */
export function checkedDialogue(name: string, given: Dialogue): Dialogue {
  return checked(name, ASKED, [given])[0] as Dialogue;
}

/** In whose name methods are called. Errors: RequestRefused. */
export function checkedPerson(...given: GivenToAs): GivenToAs {
  return checked('as', AS, given) as unknown as GivenToAs;
}

function checked(name: string, wanted: Arguments, given: readonly unknown[]): unknown[] {
  return wanted.map(([of, is], at) => {
    const parsed = is.safeParse(given[at]);
    if (parsed.success) return parsed.data;
    throw new RequestRefused(`${name}: ${problemOf(parsed.error, given[at], is, of)} Nothing was done.`);
  });
}
