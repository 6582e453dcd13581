/**
 * Tickets and passkeys in the ledger: entries of its own journal, beside those of its batches. Backup and verify cover
 * them like every other entry; who may sign now is what they say together (use-cases/people/passkeys-known.ts).
 */
import type { Timestamp } from '../../domain/timestamp.ts';

export interface PeopleFacts {
  /** An administrator lets a person register one passkey. The ticket itself is not kept. */
  readonly ticket_made: {
    readonly ticketHash: string;
    readonly person: string;
    readonly by: string;
    readonly until: Timestamp;
    /** Made where payfile runs, and not from a page or by a program. */
    readonly isFromTerminal: boolean;
  };
  /** Uses the ticket up. */
  readonly passkey_registered: {
    readonly ticketHash: string;
    readonly person: string;
    readonly credentialId: string;
    readonly publicKey: string;
    /** The passkey of the same person that signed for this one. */
    readonly allowedWith?: string;
  };
  readonly passkey_removed: { readonly credentialId: string; readonly person: string; readonly by: string };
}
export type PeopleFactKind = keyof PeopleFacts;

export type PeopleFact = {
  readonly [Kind in PeopleFactKind]: { readonly kind: Kind; readonly body: PeopleFacts[Kind] };
}[PeopleFactKind];
export type PeopleEntry = PeopleFact & { readonly seq: number; readonly at: Timestamp };

export interface PeopleLedger {
  /** Oldest first. */
  peopleEntries(): Promise<readonly PeopleEntry[]>;
  /**
   * Kept for ever. `since`: the newest entry that the caller knows, 0 for none; where another came after it, nothing is
   * written and the answer is `stale`. So of two that use one ticket, one comes second.
   */
  recordPeople(fact: PeopleFact, at: Timestamp, since: number): Promise<'recorded' | 'stale'>;
}
