/**
 * Registers a passkey. An administrator makes a ticket for one person. The person opens it and registers one passkey. The
 * ticket says whose passkey it is, never the request. The journal keeps ticket and registration, so that everybody sees
 * who let whom in. A person with a passkey signs with it for a further one. Without it the ticket comes from the terminal.
 *
 * Why:     with four eyes, a person who lets themselves in as their own checker needs nobody else. So under that rule
 *          nobody makes a ticket for themselves, and a person who signed in opens no ticket of another person.
 * Errors:  RequestRefused.
 */
import {
  type CreationOptions,
  creationOptions,
  furtherChallenge,
  isConsoleOrigin,
  type Passkey,
  type RequestOptions,
  registrationChallenge,
  requestOptions,
  TICKET_MS,
  ticketHash,
} from '../../domain/people/passkey.ts';
import { type Person, ROLES } from '../../domain/people/person.ts';
import type { Policy } from '../../domain/policy.ts';
import { printable } from '../../domain/text/printable.ts';
import { RequestRefused } from '../../domain/text/request-refused.ts';
import { plusMs, type Timestamp } from '../../domain/timestamp.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import type { PeopleFact } from '../../ports/ledger/people.ts';
import type { MadePasskey, Passkeys } from '../../ports/passkeys.ts';
import { allowanceOf, type PasskeysKnown, passkeysKnown, passkeysOf, type Ticket } from './passkeys-known.ts';

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

export interface TicketMaking {
  /** For whom; undefined: nobody of that name may do anything here. */
  readonly person: Person | undefined;
  readonly by: string;
  readonly isFromTerminal: boolean;
}

export async function makeTicket(
  { person, by, isFromTerminal }: TicketMaking,
  ports: PeoplePorts,
): Promise<MadeTicket> {
  const { clock, policy, passkeys } = ports;
  if (person === undefined)
    throw new RequestRefused(
      `Nobody with this name has a role here. Add the person to the configuration, with roles: ${ROLES.join(', ')}.`,
    );
  if (policy.fourEyes && person.id === by)
    throw new RequestRefused(
      'With four eyes you cannot make a link for yourself. Ask another administrator.',
    );
  const ticket = passkeys.secret();
  const until = plusMs(clock.now(), TICKET_MS);
  const body = { ticketHash: ticketHash(ticket), person: person.id, by, until, isFromTerminal };
  await record((known) => {
    requireAllowance(body, known);
    return { kind: 'ticket_made', body };
  }, ports);
  return { ticket, person: person.id, until };
}

export interface Registering {
  readonly ticket: string;
  /** Who is signed in when the ticket is opened; undefined: nobody. */
  readonly signedInPerson: string | undefined;
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

export interface MadeAnswer extends Registering {
  /** What the browser said. */
  readonly answer: string;
  readonly origin: string;
  /** What it said to the options of `to_sign`. */
  readonly signed?: string | undefined;
}

export type RegisteredPasskey =
  | { readonly kind: 'registered'; readonly person: string; readonly credentialId: string }
  /** Not registered yet: the person has a passkey, and signs with it for this one. */
  | { readonly kind: 'to_sign'; readonly person: string; readonly options: RequestOptions };

export async function registerPasskey(
  { answer, origin, signed, ...registering }: MadeAnswer,
  ports: PeoplePorts,
): Promise<RegisteredPasskey> {
  const { ledger, clock, passkeys } = ports;
  requireConsoleOrigin(origin);
  const known = await passkeysKnown(ports);
  const ticket = openTicket(registering, known, clock.now());
  const { person } = ticket;
  const { id: ledgerId } = ledger.identity;
  const challenge = registrationChallenge(registering.ticket, ledgerId, person);
  const made = await passkeys.madeBy(answer, { challenge, origin });
  if (made.kind === 'unusable') throw notRegistered(made.why);
  const allowance = allowanceOf(ticket, known);
  const body = { ...factOf(registering, made), person };
  const toSign = furtherChallenge({ ...body, ledgerId });
  if (allowance !== 'ticket' && signed === undefined)
    return { kind: 'to_sign', person, options: requestOptions(toSign, allowance) };
  const allowedWith =
    allowance === 'ticket'
      ? undefined
      : await ownSigner(signed, { challenge: toSign, origin, allowance }, ports);
  await record((now) => {
    const still = allowanceOf(openTicket(registering, now, clock.now()), now);
    if (now.passkeys.some(({ credentialId }) => credentialId === body.credentialId))
      throw notRegistered('it was registered before');
    if (still !== 'ticket' && !still.some(({ credentialId }) => credentialId === allowedWith))
      throw notRegistered(NOT_ALLOWED);
    return { kind: 'passkey_registered', body: allowedWith === undefined ? body : { ...body, allowedWith } };
  }, ports);
  return { kind: 'registered', person, credentialId: body.credentialId };
}

const NOT_ALLOWED = 'it needs a signature with a passkey of this person';

function notRegistered(why: string): RequestRefused {
  return new RequestRefused(`The passkey was not registered: ${why}.`);
}

function factOf({ ticket }: Registering, { credentialId, publicKey }: MadePasskey) {
  return { ticketHash: ticketHash(ticket), credentialId, publicKey };
}

interface OwnSigning {
  readonly challenge: string;
  readonly origin: string;
  readonly allowance: readonly Passkey[];
}

/** The passkey that signed. Errors: RequestRefused where none of these did. */
async function ownSigner(
  signed: string | undefined,
  { allowance, ...asked }: OwnSigning,
  { passkeys }: PeoplePorts,
): Promise<string> {
  const assertion = passkeys.read(signed ?? '');
  const passkey = allowance.find(({ credentialId }) => credentialId === assertion?.credentialId);
  if (assertion === undefined || passkey === undefined) throw notRegistered(NOT_ALLOWED);
  const why = await passkeys.whyWrong(assertion, { ...asked, passkey });
  if (why !== undefined) throw notRegistered(why);
  return passkey.credentialId;
}

export async function removePasskey(credentialId: string, by: string, ports: PeoplePorts): Promise<void> {
  await record(({ passkeys }) => {
    const passkey = passkeys.find((one) => one.credentialId === credentialId && one.until === undefined);
    if (passkey === undefined) throw new RequestRefused('This passkey is unknown or was removed.');
    return { kind: 'passkey_removed', body: { credentialId, person: passkey.person, by } };
  }, ports);
}

export function requireConsoleOrigin(origin: string): void {
  if (isConsoleOrigin(origin)) return;
  throw new RequestRefused(`Passkeys work on http://localhost only. This page is on “${printable(origin)}”.`);
}

/** Who had a passkey and has none cannot sign for another one. */
function requireAllowance(ticket: Pick<Ticket, 'person' | 'isFromTerminal'>, known: PasskeysKnown): void {
  const allowance = allowanceOf(ticket, known);
  if (allowance === 'ticket' || allowance.length > 0) return;
  const person = printable(ticket.person);
  throw new RequestRefused(
    `${person} had a passkey and has none now. Only the terminal makes a link for a new one. ` +
      `Type ${person} in the window where the console runs.`,
  );
}

function openTicket({ ticket, signedInPerson }: Registering, known: PasskeysKnown, now: Timestamp): Ticket {
  const found = known.tickets.get(ticketHash(ticket));
  if (found === undefined || now > found.until)
    throw new RequestRefused('This link is unknown or expired. Ask an administrator for a new one.');
  if (found.isUsed)
    throw new RequestRefused(
      'This link was used before. Ask an administrator who used it, and for a new one.',
    );
  if (signedInPerson !== undefined && signedInPerson !== found.person)
    throw new RequestRefused(
      `This link is for ${printable(found.person)}. You signed in as ${printable(signedInPerson)} and cannot use it.`,
    );
  requireAllowance(found, known);
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
