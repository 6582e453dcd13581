/**
 * Which kind of deed each method is, and who is let through. Where the configuration names people, nobody does more than
 * it says, from whatever face. Where it names nobody, everything is the caller's.
 *
 * Errors:  NotAllowed.
 */
import { DEEDS, type Deed, mayDo, personCalled } from '../domain/people/person.ts';
import { printable } from '../domain/text/printable.ts';
import type { Methods } from './closing.ts';
import type { Door } from './door.ts';

type Needs<Name extends keyof Methods> =
  | readonly Deed[]
  | ((...given: Parameters<Methods[Name]>) => readonly Deed[]);

const NEEDS: { readonly [Name in keyof Methods]: Needs<Name> } = {
  fleet: ['look'],
  work: ['bring', 'approve', 'send'],
};

/** The caller may not do this. Nothing was done. */
export class NotAllowed extends Error {
  override readonly name = 'NotAllowed';
  readonly code = 'not_allowed';
  constructor(user: string, deed: Deed) {
    super(
      `${printable(user)} may not do this here: it takes the role ${DEEDS[deed].join(' or ')}. Nothing was done. ` +
        'Somebody who has it can do it, or the configuration (“people”) gives the role.',
    );
  }
}

type Method = (...given: unknown[]) => Promise<unknown>;

/** The methods for whoever calls. */
export function permitted(methods: Methods, { settings: { people: roster }, user, owner }: Door): Methods {
  if (roster.size === 0) return methods;
  const person = personCalled(user, { roster, user: owner }) ?? { roles: [] };
  const each = Object.entries(methods).map(([name, method]: [string, Method]): [string, Method] => {
    const needs = NEEDS[name as keyof Methods] as
      | readonly Deed[]
      | ((...given: unknown[]) => readonly Deed[]);
    return [
      name,
      async (...given) => {
        const deeds = typeof needs === 'function' ? needs(...given) : needs;
        const missing = deeds.find((deed) => !mayDo(person, deed));
        if (missing !== undefined) throw new NotAllowed(user, missing);
        return method(...given);
      },
    ];
  });
  return Object.fromEntries(each) as unknown as Methods;
}
