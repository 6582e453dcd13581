/** One fault that has to be survived, in one sentence: what goes wrong, and what must happen. */

export interface MatrixRow {
  readonly what: string;
  /** Why no test is tied to it. */
  readonly leftOut?: string;
}

export type MatrixRows = Readonly<Record<string, MatrixRow>>;
