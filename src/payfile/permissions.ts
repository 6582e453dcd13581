/** Who may do what. If the configuration names people, nobody does more than it says. If it names nobody, the caller does everything. */
import { DEEDS, type Deed, mayDo, personCalled } from '../domain/people/person.ts';
import { printable } from '../domain/text/printable.ts';
import type { Door } from './door.ts';

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

/** Errors: NotAllowed. */
export function requireAllowed(
  { settings: { people: roster }, user, owner }: Door,
  deeds: readonly Deed[],
): void {
  if (roster.size === 0) return;
  const person = personCalled(user, { roster, user: owner }) ?? { roles: [] };
  const missing = deeds.find((deed) => !mayDo(person, deed));
  if (missing !== undefined) throw new NotAllowed(user, missing);
}
