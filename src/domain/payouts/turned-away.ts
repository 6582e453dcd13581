/**
 * Tries that the service turned away, with 429 or for their token. It may have carried one of them out all the same. So a
 * payout that waits for its next try, or was withdrawn, may have been paid. Its state does not say so; its journal does.
 */
import type { Timestamp } from '../timestamp.ts';
import { type Window, windowOf } from './attempt.ts';
import type { PayoutId } from './instruction.ts';
import { type Evidence, isUnsent, type Payout, STATE_SENTENCE, type Status } from './payout.ts';

export interface TurnedAwayTries {
  readonly times: number;
  /** From the beginning of the first one to the end of the last one. */
  readonly window: Window;
}

export type TriesByPayout = ReadonlyMap<PayoutId, TurnedAwayTries>;

/** Whether the journal must be read. For other payouts, the state shows what happened to each request. */
export function mayHaveTries({ attempts, state }: Payout): boolean {
  return attempts > 0 && (isUnsent(state) || state.status === 'canceled');
}

interface Entry {
  readonly kind: string;
  readonly at: Timestamp;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The entries of a payout's journal by which the service turned its requests away. */
export function turnAwaysIn<Each extends Pick<Entry, 'kind'>>(journal: readonly Each[]): readonly Each[] {
  return journal.filter(({ kind }) => kind === 'turn_away');
}

/** undefined: the service turned none of its requests away. */
export function turnedAwayTries(journal: readonly Entry[]): TurnedAwayTries | undefined {
  const windows = turnAwaysIn(journal).map(({ at, body }) => {
    const { startedAt = at, endedAt = at } = (body['evidence'] ?? {}) as Partial<Evidence>;
    return windowOf({ startedAt, endedAt });
  });
  if (windows.length === 0) return undefined;
  const from = Math.min(...windows.map((window) => window.from));
  return { times: windows.length, window: { from, until: Math.max(...windows.map(({ until }) => until)) } };
}

/** A part of a sentence, without a full stop. */
export function turnedAwayText(times: number): string {
  return `the service turned it away ${times === 1 ? 'once' : `${times} times`}, and may have paid it anyway`;
}

/** The usual sentences of these states say that nothing was sent. */
const SENTENCE_AFTER_TRIES: Readonly<Partial<Record<Status, string>>> = {
  planned: 'Written down; not priced yet.',
  canceled: 'A person withdrew it.',
};

export function stateSentence(status: Status, tries: TurnedAwayTries | undefined): string {
  return (tries && SENTENCE_AFTER_TRIES[status]) ?? STATE_SENTENCE[status];
}
