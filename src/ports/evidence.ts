/**
 * What somebody gives as the proof of a ruling.
 */

/**
 * As it was typed: words, or the path of a file. Where others than the user of the machine type it, it is said which of the
 * two it is, so that nobody's words read a file. `name`: what people call a file that lies under another name.
 */
export type EvidenceGiven =
  | string
  | { readonly words: string }
  | { readonly path: string; readonly name: string; readonly words?: string | undefined };

/** Words as they are; of a file its name, size and SHA-256. Errors: RequestRefused. */
export type ReadEvidence = (given: EvidenceGiven) => Promise<string>;
