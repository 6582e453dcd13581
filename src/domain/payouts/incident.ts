/**
 * An incident that was noted: a payment that was called unpaid, or ruled not paid, was shown to be paid. The note stays.
 * While that payment is made, its row is not paid again. If it came back after the note, a person with evidence may.
 */
import type { Timestamp } from '../timestamp.ts';
import { isIn, type Payout } from './payout.ts';

export interface NotedIncident {
  /** A clause. */
  readonly what: string;
  /** Of the newest note. */
  readonly at: Timestamp;
}

/** A return from before the note proves nothing: the note says that it was paid all the same. */
export function cameBackAfter(payout: Payout, noted: NotedIncident | undefined): boolean {
  return noted !== undefined && isIn(payout, 'returned') && payout.state.returnedAt > noted.at;
}
