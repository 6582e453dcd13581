/**
 * How long a token may be used, when nobody says which clock its expiry was read from.
 *
 * Until the zone is proven, the shortest lifetime that any zone of the real world gives is assumed: logging
 * in too early costs one request, too late costs a refused one. All functions are pure.
 * Units:   instants and lifetimes in milliseconds; offsets in minutes east of UTC.
 * Source:  service interface 2.2; the zone of `expiry` is not shown.
 */
import { parseStamp, type WallTime } from '../contract/wire-date.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A service that grants more is trusted for a day: renewing once a day costs nothing. */
export const LIFETIME_MS_MAX = 24 * HOUR;
/** Assumed when the expiry says nothing usable: unreadable, or past in every zone. */
export const LIFETIME_MS_UNKNOWN = 5 * MINUTE;
/** While the zone is not proven, a shorter lifetime is taken for two clocks that disagree, not for a grant. */
const LIFETIME_MS_PLAUSIBLE = MINUTE;
/** A stamp further than this from a quarter of an hour was made by a clock that is off; it proves nothing. */
const STAMP_ERROR_MS_MAX = 3 * MINUTE;

const OFFSET_FIRST = -12 * 60;
const OFFSET_LAST = 14 * 60;
/** -9:30 Marquesas … 13:45 Chatham in summer; the zones of the world that are not on a whole hour. */
const OFFSETS_BETWEEN_HOURS = [-570, -210, -150, 210, 270, 330, 345, 390, 525, 570, 630, 765, 825];
const OFFSETS = [
  ...Array.from({ length: 27 }, (_, index) => OFFSET_FIRST + index * 60),
  ...OFFSETS_BETWEEN_HOURS,
];

interface Grant {
  /** As the service wrote it. */
  readonly expiry: string;
  /** When the login was answered, on the service's clock where it showed one. */
  readonly grantedAtMs: number;
  /** The zone of the service's stamps, once proven. */
  readonly offsetMinutes: number | undefined;
}

/** Never zero, never negative, never more than a day. */
export function lifetimeOf(grant: Grant): number {
  const expiry = parseStamp(grant.expiry);
  if (expiry === undefined) return LIFETIME_MS_UNKNOWN;
  const lifetime =
    grant.offsetMinutes === undefined
      ? shortestLifetime(expiry, grant.grantedAtMs)
      : lifetimeAt(expiry, grant.offsetMinutes, grant.grantedAtMs);
  if (lifetime === undefined || lifetime <= 0) return LIFETIME_MS_UNKNOWN;
  return Math.min(lifetime, LIFETIME_MS_MAX);
}

/** The age at which a token is renewed, so that a POST begun just before still ends within the lifetime. */
export function renewalAgeOf(lifetimeMs: number, postTimeoutMs: number): number {
  return lifetimeMs - Math.min(postTimeoutMs + MINUTE, lifetimeMs * 0.2);
}

/** Which zone a stamp was written in, given the instant at which it was; undefined when that proves nothing. */
export function offsetOfStamp(stamp: string, instantMs: number): number | undefined {
  const wall = parseStamp(stamp);
  if (wall === undefined) return undefined;
  const difference = wall - instantMs;
  // Plus zero: half a minute west of UTC would round to a negative zero.
  const offset = Math.round(difference / (15 * MINUTE)) * 15 + 0;
  const isNear = Math.abs(difference - offset * MINUTE) <= STAMP_ERROR_MS_MAX;
  return isNear && offset >= OFFSET_FIRST && offset <= OFFSET_LAST ? offset : undefined;
}

function shortestLifetime(expiry: WallTime, grantedAtMs: number): number | undefined {
  const plausible = OFFSETS.map((offset) => lifetimeAt(expiry, offset, grantedAtMs)).filter(
    (lifetime) => lifetime >= LIFETIME_MS_PLAUSIBLE,
  );
  return plausible.length === 0 ? undefined : Math.min(...plausible);
}

function lifetimeAt(expiry: WallTime, offsetMinutes: number, grantedAtMs: number): number {
  return expiry - offsetMinutes * MINUTE - grantedAtMs;
}
