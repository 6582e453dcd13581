/**
 * How often a login of the payment service is begun, by everybody who shares it together.
 */
export const LOGIN_SPACING_MS = 1_000;
const BACKOFF_MS_MAX = 30_000;
// A service that keeps one session per login ends ours when somebody else logs in; two who log each other out
// for ever would also keep each other from paying.
export const LOST_MAX = 2;
export const LOST_WINDOW_MS = 10 * 60_000;

export function backoffMs(failures: number, chance: number): number {
  return Math.round(chance * Math.min(BACKOFF_MS_MAX, LOGIN_SPACING_MS * 2 ** Math.min(failures, 10)));
}
