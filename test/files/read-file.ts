/** Writes bytes to a temporary file and reads them back as rows, the way the application does. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WrittenRow } from '../../src/domain/rows/row.ts';
import { openRows } from '../../src/files/payout-file.ts';
import type { OpenRowsOptions, RowSource } from '../../src/ports/row-source.ts';

export interface ReadFile {
  readonly source: RowSource;
  readonly rows: readonly WrittenRow[];
  /** Cells of every row. */
  readonly cells: readonly (readonly string[])[];
}

type Options = Omit<OpenRowsOptions, 'path'> & { readonly name?: string };

export async function withFile<Result>(
  bytes: Buffer | string,
  use: (path: string) => Promise<Result>,
  name = 'payouts.csv',
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-test-'));
  try {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return await use(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export async function readBytes(bytes: Buffer | string, options: Options = {}): Promise<ReadFile> {
  return withFile(bytes, (path) => readPath(path, options), options.name);
}

async function readPath(path: string, options: Options = {}): Promise<ReadFile> {
  const source = await openRows({ ...options, path });
  try {
    const rows: WrittenRow[] = [];
    for await (const chunk of source.rows()) rows.push(...chunk);
    return { source, rows, cells: rows.map((row) => row.cells) };
  } finally {
    await source.close();
  }
}

/** The refusal's message; fails when the file is read. */
export async function refusal(bytes: Buffer | string, options: Options = {}): Promise<string> {
  try {
    await readBytes(bytes, options);
  } catch (error) {
    if (error instanceof Error && error.name === 'FileRefused') return error.message;
    throw error;
  }
  throw new Error('The file was read');
}
