/**
 * What somebody gives as the proof of a ruling.
 */

/** Words as they are; of a file its name, size and SHA-256. Errors: EvidenceUnusable. */
export type ReadEvidence = (written: string) => Promise<string>;

/** The text or file cannot be kept as proof. Exit code 64. */
export class EvidenceUnusable extends Error {
  override readonly name = 'EvidenceUnusable';
  readonly code = 'usage';
  readonly next = undefined;
  readonly andThen = undefined;
}
