/**
 * What every call of a use case takes: a listener for progress, somebody to ask, and a signal that stops the work.
 */

import type { PlanToSee } from './approve/plan-of-batch.ts';
import type { ServeEvent } from './fleet/serve.ts';
import type { FixWritten } from './intake/fix-file.ts';
import type { Imported } from './intake/import-file.ts';
import type { Placed } from './intake/place-import.ts';
import type { ProgressEvent } from './ports.ts';
import type { Ask } from './user-questions.ts';

/** Results that a person has to see before the next question, while the work goes on. */
export type News =
  | { readonly kind: 'fix_file'; readonly written: FixWritten }
  /** The file is a batch now, or a revision of one. */
  | {
      readonly kind: 'placed';
      readonly imported: Imported;
      readonly placed: Extract<Placed, { kind: 'new' | 'revision' }>;
    }
  /** The plan that somebody is about to agree to. */
  | { readonly kind: 'plan'; readonly seen: PlanToSee }
  /** A ledger goes to a server. */
  | { readonly kind: 'move'; readonly step: MoveStep }
  /** What a worker does. */
  | { readonly kind: 'worker'; readonly event: ServeEvent };

export interface MoveStep {
  readonly doing: 'recover' | 'verify' | 'copy' | 'verify_copy' | 'leave' | 'arrive' | 'arrived';
  /** While it copies, of which table how many rows are there. */
  readonly table?: string;
  readonly rows?: number;
}

/** Beside the inputs of a method: a signal that stops it, a listener for progress, and who answers questions. */
export interface Dialogue {
  /** Stops the work in order: nothing new is begun, what is in flight is waited for. */
  readonly signal?: AbortSignal | undefined;
  /** What it throws or rejects changes nothing. What it is shown is frozen. */
  readonly onProgress?: ((event: ProgressEvent | News) => void) | undefined;
  /** Left out where nobody can answer. */
  readonly ask?: Ask | undefined;
}
