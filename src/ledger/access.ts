/**
 * Session and pace of all processes that work on one ledger on a server.
 *
 * Why:     where the ledger is not made yet, nobody else can work on it, and the process keeps both for itself.
 */
import type { Clock } from '../ports/clock.ts';
import type { ServerPlace } from '../ports/server-place.ts';
import type { ServiceAccess, SharedPace } from '../ports/service-access.ts';
import { type Ask, askingOf } from './asking.ts';
import { PaceOnServer } from './pace.ts';
import type { Stoppable } from './pg-connection.ts';
import { type SessionLogin, SessionOnServer } from './session.ts';

/** How often it is looked whether there is a ledger now. */
const LOOK_MS = 1_000;
/** How often a process says that its rate holds. */
const CLAIM_MS = 2_000;
const FIND = "SELECT to_regclass('service_session') IS NOT NULL AND to_regclass('pace') IS NOT NULL AS it";

/** `own`: what the process keeps for itself until there is a ledger. */
export function createServerAccess(
  place: ServerPlace,
  login: SessionLogin,
  { clock, own, stop }: { readonly clock: Clock; readonly own: ServiceAccess } & Stoppable,
): ServiceAccess {
  const { ask, close } = askingOf(place, { stop });
  const session = new SessionOnServer(ask, login, clock);
  const isMade = lookFor(ask, clock);
  const claiming: NodeJS.Timeout[] = [];
  return {
    session: {
      async newerThan(asked, logIn, signal) {
        // A server that gives no answer may have a ledger: nobody logs in for himself then.
        const there = (await isMade().catch(() => true)) ? session : own.session;
        return there.newerThan(asked, logIn, signal);
      },
      newestEpoch: async () => ((await isMade().catch(() => true)) ? session : own.session).newestEpoch(),
    },
    pace(requestsPerSecond): SharedPace {
      const shared = new PaceOnServer(ask, { login: login.name, requestsPerSecond }, clock);
      const alone = own.pace(requestsPerSecond);
      if (requestsPerSecond !== undefined)
        claiming.push(whileAlive(async () => (await isMade()) && shared.claim()));
      return {
        slot: async () => ((await isMade().catch(() => true)) ? shared : alone).slot(),
        pause(milliseconds) {
          alone.pause(milliseconds);
          shared.pause(milliseconds);
        },
      };
    },
    close() {
      for (const each of claiming) clearInterval(each);
      return close();
    },
  };
}

function whileAlive(say: () => Promise<unknown>): NodeJS.Timeout {
  let isSaying = false;
  const sayOnce = async () => {
    if (isSaying) return;
    isSaying = true;
    // Each of its own requests says it too.
    await say().catch(() => undefined);
    isSaying = false;
  };
  void sayOnce();
  return setInterval(() => void sayOnce(), CLAIM_MS).unref();
}

function lookFor(ask: Ask, clock: Clock): () => Promise<boolean> {
  let found: Promise<boolean> | undefined;
  let lookedMs = Number.NEGATIVE_INFINITY;
  let isThere = false;
  return () => {
    if (isThere) return Promise.resolve(true);
    if (found === undefined || clock.monotonicMs() - lookedMs > LOOK_MS) {
      lookedMs = clock.monotonicMs();
      found = ask(FIND).then(([row]) => {
        isThere = Number(row?.['it']) === 1;
        return isThere;
      });
    }
    return found;
  };
}
