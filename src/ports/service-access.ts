/**
 * What everybody who works with one login of the payment service shares: its session and its pace.
 *
 * Why:     a service may keep one session for each login, and counts requests by login. Workers that each log in for
 *          themselves would end each other's sessions; workers that each keep a rate would exceed it together.
 * Promises: no method rejects for what a network or a server can do; a rejection is an abort, or a bug.
 */
import type { Sensitive } from '../domain/text/sensitive.ts';

export interface ServiceAccess {
  readonly session: SharedSession;
  /** undefined: as fast as the service answers; a pause is shared all the same. */
  pace(requestsPerSecond: number | undefined): SharedPace;
  close(): Promise<void>;
}

export interface SharedSession {
  /**
   * The grant in force where it is newer than the one that was asked with, and not due. Else what `logIn` gives: one login
   * at a time, and at most one a second, by all who share. A plain no is told to all of them.
   */
  newerThan(asked: AskedSession, logIn: LogIn, signal: AbortSignal): Promise<SessionResult>;
  /** The number of the newest grant; 0: there was none; undefined: it cannot be known now. */
  newestEpoch(): Promise<number | undefined>;
}

export interface AskedSession {
  /** The number of the grant that is no longer wanted; 0: any will do. */
  readonly epoch: number;
  /** The service refused that grant before its time was over. */
  readonly isLost: boolean;
  /** The zone of the service's stamps in minutes east of UTC, where it is proven: kept for the others. */
  readonly zoneMinutes: number | undefined;
  readonly isDue: (held: Held) => boolean;
}

export type LogIn = () => Promise<LoginResult>;

export type LoginResult =
  | { readonly kind: 'granted'; readonly grant: Grant }
  /** `text` may be shown to anybody. */
  | { readonly kind: 'refused'; readonly text: string }
  | Unavailable;

export interface Grant {
  /** What the service gave, as the adapter wrote it down. */
  readonly session: Sensitive;
  /** When the login was answered, on the service's clock where it showed one. */
  readonly grantedAtMs: number;
}

/** A grant as it stands now. Epochs count up with each login. */
export interface Held extends Grant {
  readonly epoch: number;
  readonly ageMs: number;
  readonly zoneMinutes: number | undefined;
}

export type SessionResult =
  | { readonly kind: 'held'; readonly held: Held }
  | { readonly kind: 'refused'; readonly text: string }
  /** Sessions were lost three times within ten minutes, by all who share together: nobody logs in for so long. */
  | { readonly kind: 'lost_too_often'; readonly againAfterMs: number | undefined }
  | Unavailable;

interface Unavailable {
  readonly kind: 'unavailable';
  readonly reason: string;
}

export interface SharedPace {
  /** The next free instant; undefined: it cannot be had now, and nothing may be sent. */
  slot(): Promise<Slot | undefined>;
  /** Everybody waits for so long from now on. */
  pause(milliseconds: number): void;
}

/** Both on our monotonic clock. */
export interface Slot {
  readonly atMs: number;
  readonly pausedUntilMs: number;
}
