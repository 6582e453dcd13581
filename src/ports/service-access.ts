/**
 * What all processes with one login of the payment service keep in common: a small text for the session, and one for the pace.
 *
 * Why:     a service may keep one session for each login, and counts requests by login. Workers that each log in for
 *          themselves would end each other's sessions; workers that each keep a rate would exceed it together.
 */

export interface SharedRecords {
  readonly session: SharedRecord;
  readonly pace: SharedRecord;
  close(): Promise<void>;
}

export interface SharedRecord {
  /** undefined: it is not made yet, so nobody else can work with it. Errors: RecordLost. */
  read(): Promise<SeenRecord | undefined>;
}

export interface SeenRecord {
  /** JSON; undefined: nobody wrote it yet. */
  readonly text: string | undefined;
  /** By the clock that all of them share. */
  readonly nowMs: number;
  /** False: another process replaced it since it was read. Errors: RecordLost. */
  replace(text: string): Promise<boolean>;
}

/** Everything that a server or a network can do. */
export class RecordLost extends Error {
  override readonly name = 'RecordLost';
}
