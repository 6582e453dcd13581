/**
 * How the statements of each bank are read, in a small JSON file of the user: columns, signs and order of dates, under the
 * bank's name. It is never half written.
 *
 * Errors:  FileRefused if the file cannot be understood. ReportUnwritable.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { STATEMENT_FIELDS } from '../domain/statement/statement-columns.ts';
import { said } from '../domain/text/message.ts';
import type { BankReading, BankReadings } from '../ports/bank-readings.ts';
import { FileRefused } from '../ports/row-source.ts';
import { writeReportFile } from './report/report-file.ts';

export function createBankReadings(path: string): BankReadings {
  const all = async () => {
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw new FileRefused(`The columns of banks, ${path}, cannot be read (${error.code}).`, {
        cause: error,
      });
    });
    return text === undefined ? {} : understood(text, path);
  };
  return {
    async find(bank) {
      return new Map(Object.entries(await all())).get(bank);
    },
    async save(bank, what) {
      const banks = { ...(await all()), [bank]: what };
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const written = { what: 'columns of the bank', advice: said`Compare without a name of the bank.` };
      await writeReportFile(path, `${JSON.stringify({ schemaVersion: 1, banks }, undefined, 2)}\n`, {
        written,
      });
    },
  };
}

function understood(text: string, path: string): Readonly<Record<string, BankReading>> {
  try {
    return STORED.parse(JSON.parse(text)).banks;
  } catch (cause) {
    throw new FileRefused(
      `The columns of banks, ${path}, cannot be understood. Mend the file, or move it away to name the columns again.`,
      { cause },
    );
  }
}

/** Whatever is not as payfile wrote it is refused: another column would compare other amounts. */
const STORED = z.strictObject({
  schemaVersion: z.literal(1),
  banks: z.record(
    z.string(),
    z.strictObject({
      columns: z.partialRecord(z.enum(STATEMENT_FIELDS), z.string()),
      payments: z.exactOptional(z.enum(['minus', 'plus'])),
      dateOrder: z.exactOptional(z.enum(['day', 'month'])),
      sheet: z.exactOptional(z.string()),
      headerRow: z.exactOptional(z.int()),
      delimiter: z.exactOptional(z.string()),
      encoding: z.exactOptional(z.string()),
    }),
  ),
});
