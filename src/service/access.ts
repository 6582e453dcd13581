/**
 * Session and pace of a login: of one process alone, or in common with all that keep the same records.
 */
import type { Clock } from '../ports/clock.ts';
import type { SharedRecords } from '../ports/service-access.ts';
import { memoryRecord } from './shared-notes.ts';
import { CommonPace, type SharedPace } from './shared-pace.ts';
import { type CommonLogin, SharedSession } from './shared-session.ts';

export interface ServiceAccess {
  readonly session: SharedSession;
  /** undefined: as fast as the service answers; a pause is shared all the same. */
  pace(requestsPerSecond: number | undefined): SharedPace;
  close(): Promise<void>;
}

// Slots missed because a timer fired late may be used at once; more would be a burst that a strict service counts.
const CATCH_UP_MS_MAX = 50;
/** How often a process says that its rate holds. */
const CLAIM_MS = 2_000;

/** With a ledger in a file no other process works for the same batch. */
export function createOwnAccess(clock: Clock): ServiceAccess {
  return {
    session: new SharedSession(memoryRecord(clock), undefined, clock),
    pace: (requestsPerSecond) => ownPace(requestsPerSecond, clock),
    close: async () => undefined,
  };
}

export function createCommonAccess(records: SharedRecords, login: CommonLogin, clock: Clock): ServiceAccess {
  const claiming: NodeJS.Timeout[] = [];
  return {
    session: new SharedSession(records.session, login, clock),
    pace(requestsPerSecond) {
      const pace = new CommonPace(records.pace, requestsPerSecond, clock);
      const claim = () => void pace.claim();
      claim();
      if (requestsPerSecond !== undefined) claiming.push(setInterval(claim, CLAIM_MS).unref());
      return pace;
    },
    close() {
      for (const each of claiming) clearInterval(each);
      return records.close();
    },
  };
}

function ownPace(requestsPerSecond: number | undefined, clock: Clock): SharedPace {
  const spacingMs = requestsPerSecond === undefined ? 0 : 1_000 / requestsPerSecond;
  let nextMs = 0;
  let pausedUntilMs = 0;
  return {
    async slot() {
      const atMs = Math.max(nextMs, clock.monotonicMs() - CATCH_UP_MS_MAX);
      if (spacingMs > 0) nextMs = atMs + spacingMs;
      return { atMs, pausedUntilMs };
    },
    pause(milliseconds) {
      pausedUntilMs = Math.max(pausedUntilMs, clock.monotonicMs() + milliseconds);
    },
  };
}
