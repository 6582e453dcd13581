/**
 * Who has entered, in memory alone: all of it ends with the process. What a browser keeps is a secret of 256 bits; here
 * is only its hash, so that nothing that is read from memory by mistake opens the console.
 */
import { hash, randomBytes } from 'node:crypto';
import type { Person } from '../../../domain/people/person.ts';

const MINUTE_MS = 60_000;
const IDLE_MS = 15 * MINUTE_MS;
const MOST_MS = 8 * 60 * MINUTE_MS;
const SESSIONS_MAX = 100;

export interface SignedIn {
  readonly person: Person;
  /** What the next page says on top, once. */
  said: string | undefined;
}

interface Session extends SignedIn {
  readonly since: number;
  seenAt: number;
}

export interface Sessions {
  /** Gives back what the browser keeps. */
  enter(person: Person): string;
  /** `isUse`: a person did something, so that the session goes on; a page that watches by itself is no use of it. */
  find(secret: string | undefined, isUse: boolean): SignedIn | undefined;
  leave(secret: string | undefined): void;
}

export function createSessions(now: () => number): Sessions {
  const open = new Map<string, Session>();
  const isOver = ({ since, seenAt }: Session) => now() - seenAt > IDLE_MS || now() - since > MOST_MS;
  const tidy = () => {
    for (const [key, session] of open) if (isOver(session)) open.delete(key);
    const [oldest] = open.keys();
    if (open.size >= SESSIONS_MAX && oldest !== undefined) open.delete(oldest);
  };
  return {
    enter(person) {
      tidy();
      const secret = newSecret();
      open.set(hashOf(secret), { person, since: now(), seenAt: now(), said: undefined });
      return secret;
    },
    find(secret, isUse) {
      const session = secret === undefined ? undefined : open.get(hashOf(secret));
      if (session === undefined || isOver(session)) return undefined;
      if (isUse) session.seenAt = now();
      return session;
    },
    leave(secret) {
      if (secret !== undefined) open.delete(hashOf(secret));
    },
  };
}

/** Cookies do not know ports, so each console has a name of its own. */
export function cookieName(port: number): string {
  return `payfile-${port}`;
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
