/**
 * What somebody gives as the proof of a ruling.
 */

/**
 * The proof of a ruling: words, or the path of a file. If other people type it, say with `words` or `path` which it is, so
 * that nobody's words read a file. `name`: what people call the file.
 */
export type EvidenceGiven =
  | string
  | { readonly words: string }
  | { readonly path: string; readonly name: string; readonly words?: string | undefined };

/** Words as they are; of a file its name, size and SHA-256. Errors: RequestRefused. */
export type ReadEvidence = (given: EvidenceGiven) => Promise<string>;
