/**
 * Rows kept, packed, until the sheet before theirs is written: sheets of a workbook go out one after the other,
 * and a ledger that moves must not be asked twice. A million rows take some tens of megabytes.
 */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { createDeflate, createInflate } from 'node:zlib';

export type PackedRow = readonly (string | number)[];

const LEVEL = 3;

export class DeflatedRows {
  readonly #pack = createDeflate({ level: LEVEL });
  readonly #chunks: Buffer[] = [];
  #waiting: string[] = [];
  #count = 0;

  constructor() {
    this.#pack.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
  }

  get count(): number {
    return this.#count;
  }

  add(row: PackedRow): void {
    this.#count += 1;
    this.#waiting.push(JSON.stringify(row));
  }

  /** Packs what was added since; resolves when it has left memory. */
  async packed(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const text = `${this.#waiting.join('\n')}\n`;
    this.#waiting = [];
    await new Promise<void>((resolve, reject) => {
      this.#pack.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** In the order of adding; once, because what was given is forgotten. */
  async *rows(): AsyncGenerator<PackedRow> {
    await this.packed();
    this.#pack.end();
    await once(this.#pack, 'end');
    const plain = Readable.from(forgetting(this.#chunks)).pipe(createInflate());
    plain.setEncoding('utf8');
    let rest = '';
    for await (const text of plain as AsyncIterable<string>) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      // Written by `add` above and by nobody else.
      for (const line of lines) yield JSON.parse(line) as PackedRow;
    }
  }
}

function* forgetting(chunks: Buffer[]): Generator<Buffer> {
  for (let at = 0; at < chunks.length; at += 1) {
    const chunk = chunks[at];
    chunks[at] = Buffer.alloc(0);
    if (chunk !== undefined) yield chunk;
  }
}
