/** Does an operation for a caller: checks what was given and who asks, then runs it. */
import type { z } from 'zod';
import { DEEDS, type Deed, mayDo, personCalled } from '../domain/people/person.ts';
import { PayfileError } from '../domain/text/message.ts';
import { printable } from '../domain/text/printable.ts';
import { RequestRefused } from '../domain/text/request-refused.ts';
import type { Input, Operation } from '../operations/operation.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import { contextOf } from './context-of.ts';
import type { Door } from './door.ts';
import { problemOf } from './value-kinds.ts';

/** Errors: RequestRefused, NotAllowed, and those of the operation. */
export type CallOperation = <Given extends Input, Result, Json extends object>(
  operation: Operation<Given, Result, Json>,
  given: z.input<Given>,
  dialogue?: Dialogue,
  /** What errors call the operation. Default: its own name. */
  calledAs?: string,
) => Promise<Result>;

export const callOperation =
  (door: Door): CallOperation =>
  async (operation, given, dialogue = {}, calledAs = operation.name) => {
    const { input, needs } = operation;
    const parsed = input.safeParse(given);
    if (!parsed.success)
      throw new RequestRefused(`${calledAs}: ${problemOf(parsed.error, given, input)} Nothing was done.`);
    requireAllowed(door, typeof needs === 'function' ? needs(parsed.data) : needs);
    return operation.run(parsed.data, contextOf(door, dialogue));
  };

/** The caller may not do this. Nothing was done. */
export class NotAllowed extends PayfileError {
  override readonly name = 'NotAllowed';
  readonly code = 'not_allowed';
  constructor(user: string, deed: Deed) {
    super(
      `${printable(user)} may not do this here: it takes the role ${DEEDS[deed].join(' or ')}. Nothing was done. ` +
        'Somebody who has it can do it, or the configuration (“people”) gives the role.',
    );
  }
}

/** If the configuration names people, nobody does more than it says. If it names nobody, the caller does everything. */
function requireAllowed(
  { settings: { people: roster }, caller: { user }, owner }: Door,
  deeds: readonly Deed[],
): void {
  if (roster.size === 0) return;
  const person = personCalled(user, { roster, user: owner }) ?? { roles: [] };
  const missing = deeds.find((deed) => !mayDo(person, deed));
  if (missing !== undefined) throw new NotAllowed(user, missing);
}
