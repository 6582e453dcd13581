/**
 * The state of a running sandbox, shared by its endpoints.
 */

import { holderKey } from './accounts.ts';
import { envelopeWriter } from './answer.ts';
import type { NamedHolder, OpenBook } from './book.ts';
import { institutionById } from './directory.ts';
import type { SandboxSettings } from './sandbox-settings.ts';
import { createSessions } from './sessions.ts';

export type SandboxState = ReturnType<typeof stateOf>;

// About a hundred bytes each.
const HOLDERS_MAX = 100_000;

/** Account holders that a host named. */
function createHolders({ takesHolders }: SandboxSettings, book: OpenBook) {
  const names = new Map<string, string>();
  const keyOf = ({ institution, account }: NamedHolder) => {
    const listed = institutionById(institution);
    return listed && holderKey(listed, account);
  };
  const nameOf = (key: string): string | undefined => {
    if (!takesHolders) return undefined;
    for (const holder of book.newHolders()) {
      const named = keyOf(holder);
      if (named !== undefined && (names.has(named) || names.size < HOLDERS_MAX))
        names.set(named, holder.name);
    }
    return names.get(key);
  };
  return {
    /** undefined: none was named for the account with this key. */
    nameOf,
    /** Writes those that are not known yet. */
    know: (holders: readonly NamedHolder[]) =>
      book.know(holders.filter((holder) => nameOf(keyOf(holder) ?? '') !== holder.name)),
  };
}

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
    holders: createHolders(settings, book),
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
