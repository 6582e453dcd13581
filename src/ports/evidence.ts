/**
 * What somebody gives as the proof of a ruling.
 */
import { SaidError } from '../domain/text/message.ts';

/**
 * The proof of a ruling: words, or the path of a file. If other people type it, say with `words` or `path` which it is, so
 * that nobody's words read a file. `name`: what people call the file.
 */
export type EvidenceGiven =
  | string
  | { readonly words: string }
  | { readonly path: string; readonly name: string; readonly words?: string | undefined };

/** Words as they are; of a file its name, size and SHA-256. Errors: EvidenceUnusable. */
export type ReadEvidence = (given: EvidenceGiven) => Promise<string>;

/** The text or file cannot be kept as proof. Exit code 64. */
export class EvidenceUnusable extends SaidError {
  override readonly name = 'EvidenceUnusable';
  readonly code = 'usage';
  readonly next = undefined;
  readonly andThen = undefined;
}
