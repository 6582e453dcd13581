/**
 * Registering a passkey. An administrator makes a ticket for one person; whoever opens it registers one passkey, and it is
 * that person's: nothing of the request says whose. Ticket and registration stand in the journal, so that everybody can
 * see who let whom in.
 *
 * Why:     with four eyes, a person who could let himself in as his own checker would need nobody else. So under that rule
 *          nobody makes a ticket for himself, and whoever has entered opens no ticket of another person.
 * Errors:  RequestRefused.
 */
import {
  type CreationOptions,
  creationOptions,
  isConsoleOrigin,
  registrationChallenge,
  TICKET_MS,
  ticketHash,
} from '../../domain/people/passkey.ts';
import { type Person, ROLES } from '../../domain/people/person.ts';
import type { Policy } from '../../domain/policy.ts';
import { printable } from '../../domain/text/printable.ts';
import { plusMs, type Timestamp } from '../../domain/timestamp.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import type { PeopleFact } from '../../ports/ledger/people.ts';
import type { Passkeys } from '../../ports/passkeys.ts';
import { RequestRefused } from '../request-refused.ts';
import { type PasskeysKnown, passkeysKnown, passkeysOf } from './passkeys-known.ts';

export interface PeoplePorts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly policy: Pick<Policy, 'fourEyes'>;
  readonly passkeys: Passkeys;
}

export interface MadeTicket {
  /** Shown once; the ledger keeps its hash. */
  readonly ticket: string;
  readonly person: string;
  readonly until: Timestamp;
}

/** `person`: for whom; undefined: nobody of that name may do anything here. */
export async function makeTicket(
  person: Person | undefined,
  by: string,
  ports: PeoplePorts,
): Promise<MadeTicket> {
  const { clock, policy, passkeys } = ports;
  if (person === undefined)
    throw new RequestRefused(
      `Nobody of that name may do anything here. Write into the configuration who it is, with roles: ${ROLES.join(', ')}.`,
    );
  if (policy.fourEyes && person.id === by)
    throw new RequestRefused(
      'With four eyes nobody makes a ticket for himself: another administrator has to make it.',
    );
  const ticket = passkeys.secret();
  const until = plusMs(clock.now(), TICKET_MS);
  const body = { ticketHash: ticketHash(ticket), person: person.id, by, until };
  await record(() => ({ kind: 'ticket_made', body }), ports);
  return { ticket, person: person.id, until };
}

export interface Registering {
  readonly ticket: string;
  /** Who has entered where the ticket is opened; undefined: nobody. */
  readonly entered: string | undefined;
}

/** Whose ticket it is, and what the browser makes the passkey with. */
export async function passkeyToMake(
  registering: Registering,
  ports: PeoplePorts,
): Promise<{ readonly person: string; readonly options: CreationOptions }> {
  const { ledger, clock } = ports;
  const known = await passkeysKnown(ports);
  const { person } = openTicket(registering, known, clock.now());
  const { id: ledgerId } = ledger.identity;
  const challenge = registrationChallenge(registering.ticket, ledgerId, person);
  return {
    person,
    options: creationOptions(person, challenge, { ledgerId, known: passkeysOf(person, known) }),
  };
}

/** `answer`: what the browser said. Gives the person whose passkey it is now. */
export async function registerPasskey(
  { answer, origin, ...registering }: Registering & { readonly answer: string; readonly origin: string },
  ports: PeoplePorts,
): Promise<{ readonly person: string; readonly credentialId: string }> {
  const { ledger, clock, passkeys } = ports;
  requireConsoleOrigin(origin);
  const { person } = openTicket(registering, await passkeysKnown(ports), clock.now());
  const challenge = registrationChallenge(registering.ticket, ledger.identity.id, person);
  const made = await passkeys.madeBy(answer, { challenge, origin });
  if (made.kind === 'unusable') throw new RequestRefused(`The passkey was not registered: ${made.why}.`);
  const { credentialId, publicKey } = made;
  await record((known) => {
    openTicket(registering, known, clock.now());
    if (known.passkeys.some((passkey) => passkey.credentialId === credentialId))
      throw new RequestRefused('The passkey was not registered: it was registered before.');
    const body = { ticketHash: ticketHash(registering.ticket), person, credentialId, publicKey };
    return { kind: 'passkey_registered', body };
  }, ports);
  return { person, credentialId };
}

export async function removePasskey(credentialId: string, by: string, ports: PeoplePorts): Promise<void> {
  await record(({ passkeys }) => {
    const passkey = passkeys.find((one) => one.credentialId === credentialId && one.until === undefined);
    if (passkey === undefined)
      throw new RequestRefused('There is no such passkey, or it was removed before.');
    return { kind: 'passkey_removed', body: { credentialId, person: passkey.person, by } };
  }, ports);
}

export function requireConsoleOrigin(origin: string): void {
  if (isConsoleOrigin(origin)) return;
  throw new RequestRefused(
    `Passkeys are for pages on http://localhost; this one is on “${printable(origin)}”.`,
  );
}

function openTicket({ ticket, entered }: Registering, { tickets }: PasskeysKnown, now: Timestamp) {
  const found = tickets.get(ticketHash(ticket));
  if (found === undefined || now > found.until)
    throw new RequestRefused(
      'This ticket is not known, or its time is over. Ask an administrator for another.',
    );
  if (found.isUsed)
    throw new RequestRefused(
      'This ticket was used before. Ask an administrator who used it, and for another.',
    );
  if (entered !== undefined && entered !== found.person)
    throw new RequestRefused(
      `This ticket is for ${printable(found.person)}, and you entered as ${printable(entered)}. Leave it to ${printable(found.person)}.`,
    );
  return found;
}

/** Decided anew whenever somebody else was faster. */
async function record(
  decide: (known: PasskeysKnown) => PeopleFact,
  { ledger, clock }: Pick<PeoplePorts, 'ledger' | 'clock'>,
): Promise<void> {
  for (;;) {
    const known = await passkeysKnown({ ledger });
    const fact = decide(known);
    if ((await ledger.recordPeople(fact, clock.now(), known.newest)) === 'recorded') return;
  }
}
