/**
 * The state of a running sandbox, shared by its endpoints.
 */
import { envelopeWriter } from './answer.ts';
import type { OpenBook } from './book.ts';
import type { SandboxSettings } from './sandbox-settings.ts';
import { createSessions } from './sessions.ts';

export type SandboxState = ReturnType<typeof stateOf>;

/** At the start. */
export function stateOf(settings: SandboxSettings, book: OpenBook) {
  const changing = {
    scenario: settings.scenario,
    /** Set by the account that empties the balance. */
    balanceEmpty: false,
    /** Transfers since the start, for scenarios that count them. */
    executed: 0,
    /** Requests in the current second, for the rate limit. */
    second: { at: 0, requests: 0 },
  };
  const envelope = envelopeWriter({
    now: settings.clock,
    zoneOffsetMinutes: settings.zoneOffsetMinutes,
    scenario: () => state.scenario,
  });
  /** `happenedOnce`: scenario and account pairs that have had their one bad answer. */
  const fixed = {
    settings,
    book,
    envelope,
    sessions: createSessions(settings),
    happenedOnce: new Set<string>(),
  };
  const state = Object.assign(changing, fixed);
  return state;
}

// Forgetting means that a bad answer may come a second time, which a client must survive anyway.
const HAPPENED_MAX = 10_000;

/** True the first time it is asked for this scenario and account. */
export function isFirstTime(state: SandboxState, what: string): boolean {
  if (state.happenedOnce.has(what)) return false;
  if (state.happenedOnce.size >= HAPPENED_MAX) state.happenedOnce.clear();
  state.happenedOnce.add(what);
  return true;
}

/** Counts one request; true when the limit of this second is reached. */
export function isOverRate(state: SandboxState): boolean {
  const most = state.scenario.requestsPerSecondMax;
  if (most === undefined) return false;
  const at = Math.floor(state.settings.clock() / 1000);
  const requests = state.second.at === at ? state.second.requests + 1 : 1;
  state.second = { at, requests };
  return requests > most;
}

export function isInOutage(state: SandboxState): boolean {
  const after = state.scenario.outageAfter;
  return after !== undefined && state.executed >= after;
}
