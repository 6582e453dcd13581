/**
 * A file that is made to be downloaded: under a random name in the desk's folder, gone once it was read, or when it cannot
 * be made.
 */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReportFormat } from '../../domain/reporting/report.ts';
import type { Answer, Visit } from '../server/route.ts';

export type Ending = 'csv' | 'html' | 'json' | 'xlsx' | 'xml';

const TYPES: Readonly<Record<Ending, string>> = {
  csv: 'text/csv; charset=utf-8',
  html: 'text/html; charset=utf-8',
  json: 'application/json',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
};

export interface ReportKind {
  readonly format: ReportFormat;
  readonly ending: Ending;
  /** Behind what the report is about, in its name and its address. */
  readonly suffix: string;
  readonly title: string;
  readonly about: string;
  /** Also over days and all batches. */
  readonly isOverDays: boolean;
}

/** Accounts are masked in all of them. */
export const REPORT_KINDS: readonly ReportKind[] = [
  {
    ...{ format: 'xlsx', ending: 'xlsx', suffix: '', isOverDays: true },
    title: 'Workbook',
    about: 'Every payment, control totals, fees, decisions, and a journal to import.',
  },
  {
    ...{ format: 'html', ending: 'html', suffix: '', isOverDays: false },
    title: 'Page',
    about: 'To read, print and file.',
  },
  {
    ...{ format: 'csv', ending: 'csv', suffix: '', isOverDays: true },
    title: 'CSV',
    about: 'Your own columns, and what became of each row.',
  },
  {
    ...{ format: 'json', ending: 'json', suffix: '', isOverDays: true },
    title: 'JSON',
    about: 'For programs.',
  },
  {
    ...{ format: 'pain002', ending: 'xml', suffix: '.pain002', isOverDays: false },
    title: 'Status report (pain.002)',
    about: 'For treasury systems, ISO 20022.',
  },
  {
    ...{ format: 'journal', ending: 'csv', suffix: '-journal', isOverDays: true },
    title: 'Journal',
    about: 'For an accounting program: each payment and event.',
  },
  {
    ...{ format: 'journal-by-day', ending: 'csv', suffix: '-journal-by-day', isOverDays: true },
    title: 'Journal by day',
    about: 'The same, summed by day, account and currency.',
  },
];

/** When it is its turn, `make` writes the file and says what it is called, without its ending. */
export async function download(
  { desk, person }: Pick<Visit, 'desk' | 'person'>,
  ending: Ending,
  make: (path: string) => Promise<string>,
): Promise<Answer> {
  const path = join(desk.uploads, `${randomBytes(12).toString('hex')}.${ending}`);
  try {
    const name = await desk.making.take(person.id, () => make(path));
    return { kind: 'download', path, name: `${name}.${ending}`, type: TYPES[ending] };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

export async function template(visit: Visit): Promise<Answer> {
  const { payfile, query, signal } = visit;
  const country = (query.get('country') ?? '').split(',').filter((name) => name.trim() !== '');
  return download(visit, 'xlsx', async (path) => {
    await payfile.lists.template({ output: path, country }, { signal });
    return 'payments';
  });
}

export async function sandboxStatement(visit: Visit): Promise<Answer> {
  return download(visit, 'csv', async (path) => {
    await visit.payfile.sandbox.book({ output: path });
    return 'sandbox-statement';
  });
}
