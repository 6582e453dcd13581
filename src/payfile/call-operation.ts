/** Does an operation for a caller: checks what was given and who asks, then runs it. */
import type { z } from 'zod';
import { RequestRefused } from '../domain/text/request-refused.ts';
import type { Input, Operation } from '../operations/operation.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import { contextOf } from './context-of.ts';
import type { Door } from './door.ts';
import { requireAllowed } from './permissions.ts';
import { problemOf } from './value-kinds.ts';

/** Errors: RequestRefused, NotAllowed, and those of the operation. */
export type CallOperation = <Given extends Input, Result, Json extends object>(
  operation: Operation<Given, Result, Json>,
  given: z.input<Given>,
  dialogue?: Dialogue,
) => Promise<Result>;

export const callOperation =
  (door: Door): CallOperation =>
  async (operation, given, dialogue = {}) => {
    const { name, input, needs } = operation;
    const parsed = input.safeParse(given);
    if (!parsed.success)
      throw new RequestRefused(`${name}: ${problemOf(parsed.error, given, input)} Nothing was done.`);
    requireAllowed(door, typeof needs === 'function' ? needs(parsed.data) : needs);
    return operation.run(parsed.data, contextOf(door, dialogue));
  };
