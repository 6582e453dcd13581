/**
 * Payout files for benchmarks: plausible rows over the sandbox's directory, streamed to disk once and kept in
 * the temporary folder for the next run.
 */
import { createWriteStream, existsSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import ExcelJS from 'exceljs';

export const HEADERS = ['Reference', 'Country', 'Institution', 'Account', 'Name', 'Amount', 'Note'];

export function rowOf(index: number): string[] {
  const isGhana = index % 2 === 0;
  const account = isGhana
    ? `024${String(index % 10_000_000).padStart(7, '0')}`
    : `07${String(index % 100_000_000).padStart(8, '0')}`;
  return [
    `R-${index}`,
    isGhana ? 'Ghana' : 'Kenya',
    isGhana ? 'MTN Mobile Money' : 'M-PESA',
    account,
    `Ama Mensah ${index % 977}`,
    `${100 + (index % 4_000)}.${String(index % 100).padStart(2, '0')}`,
    'May salary',
  ];
}

export async function csvFile(rows: number): Promise<string> {
  const path = join(tmpdir(), `payfile-bench-${rows}.csv`);
  if (existsSync(path)) return path;
  const out = createWriteStream(`${path}.part`);
  out.write(`${HEADERS.join(',')}\n`);
  for (let index = 0; index < rows; index += 1) {
    if (!out.write(`${rowOf(index).join(',')}\n`))
      await new Promise<void>((resolve) => out.once('drain', resolve));
  }
  out.end();
  await finished(out);
  renameSync(`${path}.part`, path);
  return path;
}

export async function xlsxFile(rows: number): Promise<string> {
  const path = join(tmpdir(), `payfile-bench-${rows}.xlsx`);
  if (existsSync(path)) return path;
  const book = new ExcelJS.stream.xlsx.WorkbookWriter({ filename: `${path}.part` });
  const sheet = book.addWorksheet('Payments');
  sheet.addRow(HEADERS).commit();
  for (let index = 0; index < rows; index += 1) sheet.addRow(rowOf(index)).commit();
  sheet.commit();
  await book.commit();
  renameSync(`${path}.part`, path);
  return path;
}
