/**
 * How the statements of each bank are read, in a small JSON file of the user: columns, signs and order of dates, under the
 * bank's name. It is never half written.
 *
 * Errors:  FileRefused if the file cannot be understood. ReportUnwritable.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { STATEMENT_FIELDS, type StatementField } from '../domain/statement/statement-columns.ts';
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
    return banksIn(JSON.parse(text));
  } catch (cause) {
    throw new FileRefused(
      `The columns of banks, ${path}, cannot be understood. Mend the file, or move it away to name the columns again.`,
      { cause },
    );
  }
}

const VERSION = 1;
const WORDS: Readonly<Record<string, readonly string[] | undefined>> = {
  payments: ['minus', 'plus'],
  dateOrder: ['day', 'month'],
};

/** Whatever is not as payfile wrote it is refused: another column would compare other amounts. */
function banksIn(json: unknown): Readonly<Record<string, BankReading>> {
  const { schemaVersion, banks } = recordIn(json);
  if (schemaVersion !== VERSION) throw new TypeError(`version ${String(schemaVersion)} is not known here`);
  return Object.fromEntries(
    Object.entries(recordIn(banks)).map(([bank, written]) => {
      const { columns, ...others } = recordIn(written);
      return [bank, { columns: columnsIn(columns), ...choicesIn(others) }];
    }),
  );
}

function columnsIn(json: unknown): BankReading['columns'] {
  const columns = Object.entries(recordIn(json)).map(([name, header]) => {
    const field: StatementField | undefined = STATEMENT_FIELDS.find((each) => each === name);
    if (field === undefined || typeof header !== 'string') throw new TypeError(`${name} is no column`);
    return [field, header] as const;
  });
  return Object.fromEntries(columns);
}

function choicesIn(written: Readonly<Record<string, unknown>>): Omit<BankReading, 'columns'> {
  for (const [name, value] of Object.entries(written)) {
    const isNumber = name === 'headerRow' && Number.isSafeInteger(value);
    const isText = ['sheet', 'delimiter', 'encoding'].includes(name) && typeof value === 'string';
    if (!isNumber && !isText && WORDS[name]?.includes(String(value)) !== true)
      throw new TypeError(`${name} is not known here`);
  }
  return written;
}

function recordIn(json: unknown): Readonly<Record<string, unknown>> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new TypeError('no object');
  return json as Readonly<Record<string, unknown>>;
}
