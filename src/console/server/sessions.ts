/**
 * Who has entered, in memory alone: all of it ends with the process. What a browser keeps is a secret of 256 bits, for the
 * session's own path alone; here is only the hash of both, so that nothing that is read from memory by mistake opens the
 * console.
 */

import { hash, randomBytes } from 'node:crypto';
import type { Person } from '../../domain/people/person.ts';
import { newOwnPath } from './own-path.ts';

const MINUTE_MS = 60_000;
const IDLE_MS = 120 * MINUTE_MS;
const MOST_MS = 8 * 60 * MINUTE_MS;
/** Of one person, so that nobody's sign-in ends the session of another. */
const SESSIONS_MAX = 10;

export interface Said {
  readonly text: string;
  /** False: it says why nothing was done. */
  readonly isDone: boolean;
}

export interface SignedIn {
  readonly person: Person;
  /** All its pages lie under it. */
  readonly own: string;
  /** What the next page says on top, once. */
  said: Said | undefined;
}

interface Session extends SignedIn {
  readonly since: number;
  seenAt: number;
}

/** What the browser keeps and sends: both have to be of the same session. */
export interface SessionKey {
  readonly secret: string;
  readonly own: string;
}

export interface Entered extends SessionKey {
  readonly person: Person;
}

export interface Sessions {
  enter(person: Person): Entered;
  /** `isUse`: a person did something, so that the session goes on; a page that watches by itself is no use of it. */
  find(key: SessionKey, isUse: boolean): SignedIn | undefined;
  /** Whether this person is in, in any browser. */
  isIn(person: string): boolean;
  leave(key: SessionKey): void;
  /** Ends every session that this passkey let in. */
  endOf(credentialId: string): void;
}

export function createSessions(now: () => number, say: (line: string) => void): Sessions {
  const open = new Map<string, Session>();
  const isOver = ({ since, seenAt }: Session) => now() - seenAt > IDLE_MS || now() - since > MOST_MS;
  const keysOf = (id: string) => [...open].filter(([, { person }]) => person.id === id).map(([key]) => key);
  const makeRoom = ({ id, name }: Person) => {
    for (const [key, session] of open) if (isOver(session)) open.delete(key);
    const [oldest, ...others] = keysOf(id);
    if (oldest === undefined || others.length + 1 < SESSIONS_MAX) return;
    open.delete(oldest);
    say(
      `${name} signed in while ${SESSIONS_MAX} sessions of ${name} were open. payfile ended the oldest one.`,
    );
  };
  return {
    enter(person) {
      makeRoom(person);
      const key = { secret: newSecret(), own: newOwnPath() };
      const { own } = key;
      open.set(keyOf(key), { person, own, since: now(), seenAt: now(), said: undefined });
      return { ...key, person };
    },
    find(key, isUse) {
      const session = open.get(keyOf(key));
      if (session === undefined || isOver(session)) return undefined;
      if (isUse) session.seenAt = now();
      return session;
    },
    isIn: (id) => [...open.values()].some((session) => session.person.id === id && !isOver(session)),
    leave(key) {
      open.delete(keyOf(key));
    },
    endOf(credentialId) {
      for (const [key, session] of open) if (session.person.cameWith === credentialId) open.delete(key);
    },
  };
}

function keyOf({ secret, own }: SessionKey): string {
  return hashOf(`${own} ${secret}`);
}

/** Cookies do not know ports, so each console has a name of its own. */
export function cookieName(port: number): string {
  return `payfile-${port}`;
}

/** Says who came in with this browser, to the pages that register passkeys. It holds no secret and lets nobody in. */
export function markerName(port: number): string {
  return `payfile-${port}-is`;
}

/**
 * Tickets: a link that lets one person in, once, within a minute. A ticket that was used and comes again means that
 * somebody else saw it.
 */
export interface Tickets {
  issue(person: Person): string;
  use(ticket: string): TicketUsed;
}

type TicketUsed =
  | { readonly kind: 'good'; readonly person: Person }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'used_before'; readonly person: Person };

const TICKET_MS = MINUTE_MS;
const TICKETS_MAX = 1000;

export function createTickets(now: () => number): Tickets {
  const issued = new Map<string, { readonly person: Person; readonly until: number; isUsed: boolean }>();
  return {
    issue(person) {
      const [oldest] = issued.keys();
      if (issued.size >= TICKETS_MAX && oldest !== undefined) issued.delete(oldest);
      const ticket = newSecret();
      issued.set(hashOf(ticket), { person, until: now() + TICKET_MS, isUsed: false });
      return ticket;
    },
    use(ticket) {
      const found = issued.get(hashOf(ticket));
      if (found === undefined) return { kind: 'unknown' };
      if (found.isUsed) return { kind: 'used_before', person: found.person };
      if (now() > found.until) return { kind: 'unknown' };
      found.isUsed = true;
      return { kind: 'good', person: found.person };
    },
  };
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

function hashOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}
