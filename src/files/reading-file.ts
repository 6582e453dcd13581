/**
 * Readings of payout files, and of the statements of banks, each in a small JSON file of the user. It is written to a temporary
 * file and renamed, so that it is never half written.
 *
 * Errors:  ReadingsUnusable naming the file and what to do.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { saidShape } from '../domain/reading/answer-shape.ts';
import { type Reading, readingNameFault } from '../domain/reading/reading.ts';
import { STATEMENT_FIELDS } from '../domain/statement/statement-columns.ts';
import { said } from '../domain/text/message.ts';
import type { BankReading, BankReadings } from '../ports/bank-readings.ts';
import { FileRefused, type ReadingStore, ReadingsUnusable } from '../ports/row-source.ts';
import { writeReportFile } from './report/report-file.ts';

const LONGEST_FILE = 8 * 1024 * 1024;

export function createReadingFile(path: string): ReadingStore {
  const all = async () => {
    const text = await read(path);
    return text === undefined ? [] : understood(text, path);
  };
  return {
    place: path,
    all,
    async save(reading) {
      const others = (await all()).filter(({ name }) => name !== reading.name);
      await write(path, [...others, reading]);
    },
    async forget(name) {
      const before = await all();
      const after = before.filter((reading) => reading.name !== name);
      if (after.length === before.length) return false;
      await write(path, after);
      return true;
    },
  };
}

async function read(path: string): Promise<string | undefined> {
  try {
    const text = await readFile(path, 'utf8');
    if (text.length <= LONGEST_FILE) return text;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw unusable(path, `cannot be read (${codeOf(error)})`, error);
  }
  throw unusable(path, 'is larger than any list of readings', undefined);
}

function understood(text: string, path: string): readonly Reading[] {
  try {
    return readingsFromJson(JSON.parse(text));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw unusable(path, `cannot be understood: ${why}`, error);
  }
}

async function write(path: string, readings: readonly Reading[]): Promise<void> {
  const sorted = [...readings].sort((one, other) => (one.name < other.name ? -1 : 1));
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(readingsToJson(sorted), undefined, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new ReadingsUnusable(`The readings cannot be kept in ${path} (${codeOf(error)}).`, {
      cause: error,
    });
  }
}

function unusable(path: string, why: string, cause: unknown): ReadingsUnusable {
  return new ReadingsUnusable(
    `The file of saved readings, ${path}, ${why}. Mend it, or move it away to go on without readings.`,
    { cause },
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

const VERSION = 1;

const STORED = z.strictObject({
  schemaVersion: z.literal(VERSION),
  readings: z
    .array(
      z.strictObject({
        name: z
          .string()
          .refine((name) => readingNameFault(name) === undefined, { error: 'a name that can be one' }),
        headers: z.array(z.string().min(1)).readonly(),
        answers: z.array(saidShape).readonly(),
      }),
    )
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, {
      error: 'one reading of each name',
    }),
});

function readingsToJson(readings: readonly Reading[]): unknown {
  return { schemaVersion: VERSION, readings };
}

/** Anything that is not as we wrote it is refused: half a reading would pay wrong accounts. Errors: TypeError. */
function readingsFromJson(json: unknown): readonly Reading[] {
  const stored = STORED.safeParse(json);
  if (stored.success) return stored.data.readings;
  const [issue] = stored.error.issues;
  throw new TypeError(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not as expected'}`);
}

/**
 * How the statements of each bank are read: columns, signs and order of dates, under the bank's name.
 *
 * Errors:  FileRefused if the file cannot be understood. ReportUnwritable.
 */
export function createBankReadings(path: string): BankReadings {
  const all = async () => {
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw new FileRefused(`The columns of banks, ${path}, cannot be read (${error.code}).`, {
        cause: error,
      });
    });
    return text === undefined ? {} : banksIn(text, path);
  };
  return {
    async find(bank) {
      return new Map(Object.entries(await all())).get(bank);
    },
    async save(bank, what) {
      const banks = { ...(await all()), [bank]: what };
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const written = { what: 'columns of the bank', advice: said`Compare without a name of the bank.` };
      await writeReportFile(path, `${JSON.stringify({ schemaVersion: VERSION, banks }, undefined, 2)}\n`, {
        written,
      });
    },
  };
}

function banksIn(text: string, path: string): Readonly<Record<string, BankReading>> {
  try {
    return STORED_BANKS.parse(JSON.parse(text)).banks;
  } catch (cause) {
    throw new FileRefused(
      `The columns of banks, ${path}, cannot be understood. Mend the file, or move it away to name the columns again.`,
      { cause },
    );
  }
}

/** Whatever is not as payfile wrote it is refused: another column would compare other amounts. */
const STORED_BANKS = z.strictObject({
  schemaVersion: z.literal(VERSION),
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
