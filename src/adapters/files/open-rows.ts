/**
 * Opens a payout file by what it contains, whatever it is called.
 *
 * The first rows are read once while opening, so that a file with nothing to pay, or broken from the start, is
 * refused before anything is written down. `rows()` may be called again; it then reads the same open file anew.
 */
import type { Readable } from 'node:stream';
import type { OpenRows, OpenRowsOptions, RowSource } from '../../ports/row-source.ts';
import { openCsv } from './csv-source.ts';
import { kindOf } from './file-kind.ts';
import { openPayoutFile, type PayoutFile } from './payout-file.ts';
import { openXlsx } from './xlsx-source.ts';

const HEAD_BYTES = 64 * 1024;

export const openRows: OpenRows = (options) => openRowsFrom(options, process.stdin);

/** `stdin` is what `-` reads. */
export async function openRowsFrom(options: OpenRowsOptions, stdin: Readable): Promise<RowSource> {
  const file = await openPayoutFile(options.path, stdin);
  try {
    const source = await openAs(file, options);
    for await (const _firstChunk of source.rows()) break;
    return source;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openAs(file: PayoutFile, options: OpenRowsOptions): Promise<RowSource> {
  const kind = kindOf(await file.head(HEAD_BYTES), file.name);
  return kind === 'xlsx' ? openXlsx(file, options) : openCsv(file, options);
}
