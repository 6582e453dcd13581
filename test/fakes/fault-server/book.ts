/**
 * The fault server's own book: one entry per POST that reached it, and what became of it. It is the oracle, so
 * an entry is made before a byte of an answer is written.
 */

export interface Posted {
  /** 1 for the first. */
  readonly number: number;
  readonly at: string;
  readonly clientPort: number;
  /** Bytes of the request taken in. */
  readonly bytes: number;
  /** The request was taken in whole. */
  readonly complete: boolean;
  readonly executed: boolean;
  /** What was executed is known by; undefined when nothing was. */
  readonly transferId: string | undefined;
  readonly account: string;
  readonly amount: string;
  readonly name: string;
  readonly note: string;
}

export interface Answered {
  readonly number: number;
  readonly bytes: number;
  readonly whole: boolean;
}

export interface Book {
  readonly posts: readonly Posted[];
  readonly answers: readonly Answered[];
  post(entry: Omit<Posted, 'number' | 'at'>): Posted;
  answered(entry: Answered): void;
  transfer(id: string): Posted | undefined;
  /** The id that the next execution gets. */
  nextTransferId(): string;
}

export function openBook(): Book {
  const posts: Posted[] = [];
  const answers: Answered[] = [];
  const transfers = new Map<string, Posted>();
  return {
    posts,
    answers,
    post(entry) {
      const posted = { number: posts.length + 1, at: new Date().toISOString(), ...entry };
      posts.push(posted);
      if (posted.transferId !== undefined) transfers.set(posted.transferId, posted);
      return posted;
    },
    answered: (entry) => void answers.push(entry),
    transfer: (id) => transfers.get(id),
    nextTransferId: () => `tr-${transfers.size + 1}`,
  };
}
