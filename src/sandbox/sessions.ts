/**
 * Login sessions: tokens that are handed out, checked with all three headers, end by time or are ended.
 *
 * Source:  service interface 5: id, token and expiry of the login answer come back as headers, unchanged.
 */
import { formatStamp } from '../contract/wire-date.ts';
import { REFUSALS, type Refusal } from './answer.ts';
import type { SandboxSettings } from './sandbox-settings.ts';
import { seededText } from './seeded.ts';

export interface SessionHeaders {
  readonly id: string | undefined;
  readonly token: string | undefined;
  readonly expiry: string | undefined;
}

export interface OpenedSession {
  readonly token: string;
  readonly id: string;
  readonly expiry: string;
}

// A login each second for 20 minutes; beyond that the oldest session ends.
const SESSIONS_MAX = 1200;

export function createSessions(settings: SandboxSettings) {
  const sessions = new Map<string, OpenedSession & { readonly endsAt: number }>();
  // The owner's id is not the login id, so that a client which mixes them up finds out here.
  const id = `acct-${seededText(10, settings.seed, 'owner', settings.credentials.id)}`;
  let opened = 0;
  return {
    open(ttlSeconds: number): OpenedSession {
      opened += 1;
      // Whole seconds, as the expiry is written.
      const endsAt = Math.ceil(settings.clock() / 1000 + ttlSeconds) * 1000;
      const session = {
        token: seededText(32, settings.newBookSeed, 'token', opened, endsAt),
        id,
        expiry: formatStamp(endsAt, settings.zoneOffsetMinutes),
      };
      sessions.set(session.token, { ...session, endsAt });
      const oldest = sessions.keys().next().value;
      if (sessions.size > SESSIONS_MAX && oldest !== undefined) sessions.delete(oldest);
      return session;
    },
    /** Undefined when the headers are those of a session that is still good. */
    refusalOf(headers: SessionHeaders): Refusal | undefined {
      if (!headers.id || !headers.token || !headers.expiry) return REFUSALS.credentialsMissing;
      const session = sessions.get(headers.token);
      if (session?.id !== headers.id || session.expiry !== headers.expiry) return REFUSALS.sessionUnknown;
      return settings.clock() > session.endsAt ? REFUSALS.sessionExpired : undefined;
    },
    end: (token: string) => void sessions.delete(token),
    endAll: () => sessions.clear(),
  };
}
