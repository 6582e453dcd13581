/**
 * Who may sign: tickets and passkeys as the entries of the ledger's journal say together.
 */
import type { Passkey } from '../../domain/people/passkey.ts';
import { mayDo, type PeopleHere, type Person, personCalled } from '../../domain/people/person.ts';
import type { Policy } from '../../domain/policy.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import type { PeopleEntry, PeopleFacts } from '../../ports/ledger/people.ts';

export interface Ticket extends Omit<PeopleFacts['ticket_made'], 'ticketHash'> {
  readonly isUsed: boolean;
  /** The entry of the journal that made it. */
  readonly since: number;
}

export interface PasskeysKnown {
  /** All that were ever registered; those that were removed have an end. */
  readonly passkeys: readonly Passkey[];
  readonly tickets: ReadonlyMap<string, Ticket>;
  /** The newest entry; 0 for none. */
  readonly newest: number;
}

export async function passkeysKnown({ ledger }: { readonly ledger: Ledger }): Promise<PasskeysKnown> {
  return passkeysIn(await ledger.peopleEntries());
}

function passkeysIn(entries: readonly PeopleEntry[]): PasskeysKnown {
  const tickets = new Map<string, Ticket>();
  const passkeys = new Map<string, Passkey>();
  for (const { kind, body, seq, at } of entries) {
    if (kind === 'ticket_made') {
      const { ticketHash, ...ticket } = body;
      tickets.set(ticketHash, { ...ticket, isUsed: false, since: seq });
    } else if (kind === 'passkey_registered') {
      const { ticketHash, ...made } = body;
      const ticket = tickets.get(ticketHash);
      // An entry that nothing allowed was not written by this program; whoever it names may not sign.
      if (ticket === undefined || ticket.isUsed || ticket.person !== made.person || at > ticket.until)
        continue;
      if (passkeys.has(made.credentialId)) continue;
      const allowed = allowanceOf(ticket, { passkeys: [...passkeys.values()] });
      if (allowed !== 'ticket' && !allowed.some(({ credentialId }) => credentialId === made.allowedWith))
        continue;
      tickets.set(ticketHash, { ...ticket, isUsed: true });
      const { by: ticketBy, since: ticketSince } = ticket;
      const times = { registeredAt: at, ticketSince, since: seq };
      passkeys.set(made.credentialId, { ...made, ...times, ticketBy });
    } else {
      const passkey = passkeys.get(body.credentialId);
      if (passkey !== undefined && passkey.until === undefined)
        passkeys.set(body.credentialId, { ...passkey, until: seq });
    }
  }
  return { passkeys: [...passkeys.values()], tickets, newest: entries.at(-1)?.seq ?? 0 };
}

/** With which this person may sign. */
export function passkeysOf(person: string, { passkeys }: Pick<PasskeysKnown, 'passkeys'>): Passkey[] {
  return passkeys.filter((passkey) => passkey.person === person && passkey.until === undefined);
}

export interface KnownPerson extends Person {
  /** The user of this machine, who signs in with a link instead of a passkey. */
  readonly isUser: boolean;
  /** The user of this machine never had a passkey, and may make the ticket for the first one. */
  readonly mayInviteSelf: boolean;
  /** With which this person may sign now. */
  readonly passkeys: readonly Pick<Passkey, 'credentialId' | 'registeredAt' | 'ticketBy'>[];
}

/** Everybody who may do something, and everybody with a passkey. */
export function peopleKnown(
  here: PeopleHere,
  known: PasskeysKnown,
  { fourEyes }: Pick<Policy, 'fourEyes'>,
): readonly KnownPerson[] {
  const { roster, user } = here;
  const signers = known.passkeys.filter(({ until }) => until === undefined).map(({ person }) => person);
  const mayInviteSelf = (person: Person) =>
    person.id === user &&
    !fourEyes &&
    mayDo(person, 'administer') &&
    !known.passkeys.some((passkey) => passkey.person === user);
  const people = [...new Set([user, ...roster.keys(), ...signers])].map(
    (id) => personCalled(id, here) ?? { id, name: id, roles: [] },
  );
  return people.map((person) => ({
    ...person,
    isUser: person.id === user,
    mayInviteSelf: mayInviteSelf(person),
    passkeys: passkeysOf(person.id, known).map(({ credentialId, registeredAt, ticketBy }) => ({
      ...{ credentialId, registeredAt, ticketBy },
    })),
  }));
}

/**
 * What has to allow a new passkey beside its ticket: a signature with one of these; none of them: nothing can. Whoever never
 * had a passkey needs none, and a ticket from the terminal is enough for everybody.
 *
 * Why:     whoever takes over a session of the console can make and open tickets. Without this they were every person.
 */
export function allowanceOf(
  { person, isFromTerminal }: Pick<Ticket, 'person' | 'isFromTerminal'>,
  known: Pick<PasskeysKnown, 'passkeys'>,
): 'ticket' | readonly Passkey[] {
  const isFirst = !known.passkeys.some((passkey) => passkey.person === person);
  return isFromTerminal || isFirst ? 'ticket' : passkeysOf(person, known);
}

/**
 * Who may have registered this passkey for himself: whoever made its ticket, whoever let that person in before the ticket
 * was made, and so on; and the same of the passkey that allowed this one.
 */
export function lettersIn(credentialId: string, { passkeys }: Pick<PasskeysKnown, 'passkeys'>): string[] {
  const followed = new Set(passkeys.filter((passkey) => passkey.credentialId === credentialId));
  for (const { ticketBy, ticketSince, allowedWith } of followed)
    for (const earlier of passkeys) {
      const { until = Number.POSITIVE_INFINITY } = earlier;
      const letIn = earlier.person === ticketBy && earlier.since < ticketSince && ticketSince < until;
      if (letIn || earlier.credentialId === allowedWith) followed.add(earlier);
    }
  return [...new Set([...followed].map(({ ticketBy }) => ticketBy))];
}
