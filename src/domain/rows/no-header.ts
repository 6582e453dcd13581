/** Columns with words below an empty header cell. They are called by their letter, and are columns like all others. */
import { columnLetters } from './column-names.ts';

/** `8` → `I (no header)` */
const nameWithoutHeader = (column: number): string => `${columnLetters(column)} (no header)`;

const CALLED = /(?<![\p{L}\p{N}])([A-Z]{1,2}) \(no header\)/gu;

export const isWithoutHeader = (header: string): boolean => /^[A-Z]{1,2} \(no header\)$/.test(header);

/** The columns that a person called so; index into the headers. */
export function columnsWithoutHeader(text: string): readonly number[] {
  return [...text.matchAll(CALLED)].map(
    ([, letters = '']) => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1,
  );
}

/** Looks at rows for text in columns without a header, also to the right of the last one. */
export class HeaderlessColumns {
  readonly #headers: readonly string[];
  readonly #empty: readonly number[];
  readonly #found = new Set<number>();

  constructor(headers: readonly string[]) {
    this.#headers = headers;
    this.#empty = headers.flatMap((header, at) => (header === '' ? [at] : []));
  }

  see(cells: readonly string[]): void {
    for (const at of this.#empty) this.#seeCell(cells, at);
    for (let at = this.#headers.length; at < cells.length; at += 1) this.#seeCell(cells, at);
  }

  #seeCell(cells: readonly string[], at: number): void {
    if ((cells[at] ?? '').trim() !== '') this.#found.add(at);
  }

  /** The same list where no such column has text. */
  headers(): readonly string[] {
    return withNames(this.#headers, [...this.#found]);
  }
}

/** The headers, and names for these columns where they have none. */
export function withNames(headers: readonly string[], columns: readonly number[]): readonly string[] {
  const nameless = columns.filter((at) => (headers[at] ?? '') === '');
  if (nameless.length === 0) return headers;
  const width = Math.max(headers.length, ...nameless.map((at) => at + 1));
  return Array.from({ length: width }, (_, at) =>
    nameless.includes(at) ? nameWithoutHeader(at) : (headers[at] ?? ''),
  );
}
